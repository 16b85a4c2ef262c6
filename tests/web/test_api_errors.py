"""What is wrong with a request is told in one sentence of the site, and never in the words of a library."""

import json
from typing import Any

import pytest

from bitduel.web.api import error_sentence
from web.sites import LocalApp

API = "/api/v1"
JSON = "application/json"
NEEDED: dict[str, Any] = {"game": "64"}
LONG = "x" * 41


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b"{", JSON, "The request is not valid JSON."),
        (b"\xff\xfe", JSON, "The request is not valid JSON."),
        (b"", JSON, "The request must be a JSON object."),
        (b"[]", JSON, "The request must be a JSON object."),
        (b"null", JSON, "The request must be a JSON object."),
        (b'"64"', JSON, "The request must be a JSON object."),
        (b'{"\\ud800": 1, "game": "64"}', JSON, "The request must be a JSON object."),
        (b"x", "text/plain", "The request must be JSON. Send the header Content-Type: application/json."),
        (
            b'{"game": "64"}',
            "application/x-www-form-urlencoded",
            "The request must be JSON. Send the header Content-Type: application/json.",
        ),
    ],
)
@pytest.mark.parametrize("path", ["matches", "solve", "matches/a/moves", "matches/a/coach"])
def test_what_is_no_object_is_said_to_be_none(app: LocalApp, path: str, body: bytes, kind: str, said: str) -> None:
    answer = app.browser().post(f"{API}/{path}", content=body, headers={"content-type": kind})
    assert (answer.status_code, answer.json()) == (422, {"error": said})


@pytest.mark.parametrize("body", [b"[" * 4000, b'{"game": "64", "options": {"target": ' + b"9" * 5000 + b"}}"])
def test_what_is_too_deep_or_too_large_to_be_read_is_said_so(app: LocalApp, body: bytes) -> None:
    answer = app.browser().post(f"{API}/matches", content=body, headers={"content-type": JSON})
    assert (answer.status_code, answer.json()) == (400, {"error": "We couldn't read that request."})


WHOM = "'opponent' must be one of friend, easy, medium, hard, perfect, random or level:N."
OPTION = "'options.target' must be a whole number or a text of at most 40 characters."


@pytest.mark.parametrize(
    ("path", "wish", "said"),
    [
        ("matches", {}, "'game' is missing."),
        ("matches", {"game": None}, "'game' must be a text."),
        ("matches", {"game": LONG}, "'game' must have at most 40 characters."),
        ("matches", {**NEEDED, "more": 1}, "There is no field 'more' here."),
        ("matches", {**NEEDED, "x" * 200: 1}, f"There is no field '{'x' * 57}...' here."),
        ("matches", {**NEEDED, "\x1b[2J": 1}, "There is no field '\N{REPLACEMENT CHARACTER}[2J' here."),
        ("matches", {**NEEDED, "opponent": "god"}, WHOM),
        ("matches", {**NEEDED, "opponent": "level:x"}, WHOM),
        ("matches", {**NEEDED, "opponent": "bot:sh"}, WHOM),
        ("matches", {**NEEDED, "opponent": 3}, "'opponent' must be a text."),
        ("matches", {**NEEDED, "first": 1}, "'first' must be '1', '2' or 'toss'."),
        ("matches", {**NEEDED, "name": "x" * 301}, "'name' must have at most 300 characters."),
        ("matches", {**NEEDED, "moves": "add"}, "'moves' must be a list."),
        ("matches", {**NEEDED, "moves": ["add", 1]}, "'moves.1' must be a text."),
        ("matches", {**NEEDED, "moves": ["add"] * 201}, "'moves' must have at most 200 entries."),
        ("solve", {**NEEDED, "options": []}, "'options' must be an object."),
        ("solve", {**NEEDED, "options": dict.fromkeys("abcdefghijk", 1)}, "'options' must have at most 10 entries."),
        ("solve", {**NEEDED, "options": {"target": 64.5}}, "'options.target' must be a whole number."),
        ("solve", {**NEEDED, "options": {"target": True}}, OPTION),
        ("solve", {**NEEDED, "options": {"target": None}}, OPTION),
        ("solve", {**NEEDED, "options": {"target": LONG}}, OPTION),
        ("solve", {**NEEDED, "options": {LONG: 1}}, "A name in 'options' must have at most 40 characters."),
        ("solve", {**NEEDED, "options": {"\ud800": 1}}, "A name in 'options' must be a text."),
        ("matches/a/moves", {"ply": "1", "move": "add"}, "'ply' must be a whole number."),
        ("matches/a/moves", {"ply": -1, "move": "add"}, "'ply' must be at least 0."),
        ("matches/a/moves", {"ply": 10**7, "move": "add"}, "'ply' must be at most 1000000."),
        ("matches/a/moves", {"ply": 0}, "'move' is missing."),
        ("matches/A/moves", {"ply": 0, "move": "add"}, "'id' must be lower-case letters and digits."),
        (f"matches/{LONG}/moves", {"ply": 0, "move": "add"}, "'id' must have at most 32 characters."),
        ("matches/a/seat", {"invitation": "x" * 101}, "'invitation' must have at most 100 characters."),
        ("matches/a/coach", {"coach": 1}, "'coach' must be true or false."),
        ("matches/a/claim", {"ply": 0, "result": "loss"}, "'result' must be 'win' or 'draw'."),
        ("matches/a/answer", {"ply": 0, "kind": "draw"}, "'yes' is missing."),
        ("matches/a/device/seat", {"ticket": ["x"]}, "'ticket' must be a text."),
    ],
)
def test_what_is_wrong_with_a_wish_is_said(app: LocalApp, path: str, wish: dict[str, Any], said: str) -> None:
    body = json.dumps(wish).encode()
    answer = app.browser().post(f"{API}/{path}", content=body, headers={"content-type": JSON})
    assert (answer.status_code, answer.json()) == (422, {"error": said})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("puzzles?grade=x", "'grade' must be a whole number."),
        ("puzzles?grade=1.5", "'grade' must be a whole number."),
        (f"puzzles?grade={'9' * 5000}", "'grade' must be a smaller whole number."),
        ("puzzles?grade=8", "'grade' must be at most 7."),
        ("puzzles?number=0", "'number' must be at least 1."),
        ("puzzles?solution=maybe", "'solution' must be true or false."),
        (f"puzzles?date={LONG}", "'date' must have at most 40 characters."),
        (f"games/{LONG}", "'name' must have at most 40 characters."),
    ],
)
def test_what_is_wrong_with_a_question_is_said(app: LocalApp, asked: str, said: str) -> None:
    answer = app.browser().get(f"{API}/{asked}")
    assert (answer.status_code, answer.json()) == (422, {"error": said})


@pytest.mark.parametrize("kind", ["multiple_of", "string_pattern_mismatch"])
def test_what_nobody_foresaw_is_a_sentence_too(kind: str) -> None:
    error = {"type": kind, "loc": ("query", "number"), "msg": "Input should be", "ctx": {"pattern": "x"}}
    assert error_sentence(error) == "'number' must be as the API declares it."
