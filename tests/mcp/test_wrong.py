"""Calls that make no sense: one sentence each, on which a model can act, and nothing changed."""

import logging
from typing import Any

import pytest

from agents import Agent, Json, LocalServer
from bitduel.storage import Store

HUGE = "9" * 1_000_000


@pytest.fixture(scope="module")
def seat(ada: Agent) -> Json:
    """A seat whose turn it is."""
    made: Json = ada.ask("start_match", game="double", opponent="easy", first="1")
    return made


WRONG_MOVES: list[tuple[dict[str, Any], str]] = [
    ({"ply": -1}, "greater than or equal to 0"),
    ({"ply": "0"}, "a valid integer"),
    ({"ply": 0.5}, "a valid integer"),
    ({"ply": True}, "a valid integer"),
    ({"ply": None}, "a valid integer"),
    ({"ply": 10**4000}, "less than or equal to 400"),
    ({"ply": 2}, "hasn't reached that move yet. The ply is 0 now. Call move with ply 0 and one of: add, double."),
    ({"ply": 1}, "hasn't reached that move yet. The ply is 0 now."),
    ({"move": "triple"}, "'triple' is not a move. Choose from: add, double. Nothing was changed. Call move with ply 0"),
    ({"move": ""}, "at least 1 character"),
    ({"move": 1}, "a valid string"),
    ({"move": HUGE}, "at most 40 characters"),
    ({"move": "\ud800\x00\x1b[31m"}, ""),
    ({"match_id": "zzzzzzz"}, "There is no such match. Check the match_id"),
    ({"match_id": "../etc"}, "match pattern"),
    ({"match_id": HUGE}, "at most 32 characters"),
    ({"match_id": ["a"]}, "a valid string"),
    ({"token": HUGE}, "at most 100 characters"),
    ({"plie": 0}, "There is no argument 'plie'. Did you mean 'ply'?"),
    ({HUGE: 0}, "There is no argument '999"),
]


NAMES = [f"{next(iter(wrong))[:9]}-{place}" for place, (wrong, _) in enumerate(WRONG_MOVES)]


@pytest.mark.parametrize(("wrong", "said"), WRONG_MOVES, ids=NAMES)
def test_a_move_that_cannot_be_made_says_why(ada: Agent, here: LocalServer, seat: Json, wrong: Json, said: str) -> None:
    whole = {"match_id": seat["match_id"], "token": seat["token"], "ply": 0, "move": "add"}
    assert said in ada.refused("move", **{**whole, **wrong})
    assert here.store.find(seat["match_id"]).moves == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "doubel"}, "Did you mean 'double'?"),
        ({"game": HUGE}, "at most 40 characters"),
        ({"game": None}, "Call list_games"),
        ({"options": {"target": -1}}, "target must be a whole number from 2 to 100,000 here, not '-1'."),
        ({"options": {"target": 10**4000}}, "a whole number or a short text"),
        ({"options": {"target": 1.5}}, "a whole number or a short text"),
        ({"options": {"target": True}}, "a whole number or a short text"),
        ({"options": {"target": HUGE}}, "a whole number or a short text"),
        ({"options": {"target": {"a": []}}}, "a whole number or a short text"),
        ({"options": {"size": 3}}, "There is no setting 'size'"),
        ({"options": {HUGE: 3}}, "at most 40 characters"),
        ({"options": {str(n): n for n in range(11)}}, "at most 10 items"),
        ({"options": []}, "a valid dictionary"),
        ({"opponent": "human"}, "Choose an opponent"),
        ({"opponent": "here"}, "Choose an opponent"),
        ({"opponent": "bot:touch /tmp/never"}, "Choose an opponent"),
        ({"opponent": "llm:any"}, "Choose an opponent"),
        ({"opponent": "level:-1"}, "Choose an opponent"),
        ({"opponent": 3}, "a valid string"),
        ({"first": "3"}, "'1', '2' or 'toss'"),
        ({"first": 1}, "'1', '2' or 'toss'"),
        ({"name": "\x07"}, "A name must have 1 to 32 printable characters"),
        ({"name": HUGE}, "at most 300 characters"),
        ({"name": "Computer (easy)", "opponent": "easy"}, "different names"),
    ],
)  # fmt: skip
def test_a_match_that_cannot_begin_says_why(ada: Agent, here: LocalServer, wrong: Json, said: str) -> None:
    before = len(here.store.matches())
    assert said in ada.refused("start_match", **{"game": "double", **wrong})
    assert len(here.store.matches()) == before


@pytest.mark.parametrize("opponent", ["god", "level:x", "here"])
def test_whom_one_can_play_against_is_told_whole(ada: Agent, opponent: str) -> None:
    assert ada.refused("start_match", game="double", opponent=opponent) == (
        "Choose an opponent: easy, medium, hard, perfect, random, level:N; or friend, for another client or a person."
    )


@pytest.mark.parametrize(
    ("tool", "wrong", "said"),
    [
        ("rules", {}, "rules needs 'game'."),
        ("rules", {"game": "battle", "options": {"bits": 31}}, "bits must be a whole number from 1 to 5 here"),
        ("view", {"match_id": "a", "wait": 61}, "less than or equal to 60"),
        ("view", {"match_id": "a", "wait": -1}, "greater than or equal to 0"),
        ("analyse", {}, "Give a match_id and token"),
        ("analyse", {"match_id": "a", "game": "64"}, "Give a match_id and token"),
        ("analyse", {"game": "64", "moves": ["add"] * 201}, "at most 200 items"),
        ("analyse", {"game": "64", "moves": ["subtract"]}, "'subtract' is not a move."),
        ("analyse", {"game": "64", "moves": "add"}, "a valid list"),
        ("analyse", {"game": "battle", "moves": ["toggle 1"]}, "depends on the secret. Set 'secret' too."),
        ("analyse", {"game": "31", "options": {"length": 100_000}}, "length must be a whole number from 1 to 255 here"),
        ("puzzle", {"grade": 8}, "less than or equal to 7"),
        ("puzzle", {"number": 0}, "greater than or equal to 1"),
        ("no_such_tool", {}, "There is no tool 'no_such_tool'."),
        (HUGE, {}, "There is no tool '999"),
    ],
)  # fmt: skip
def test_other_calls_that_make_no_sense_say_why(ada: Agent, tool: str, wrong: Json, said: str) -> None:
    assert said in ada.refused(tool, **wrong)


@pytest.mark.parametrize("way", ["by_pipe", "by_http"])
def test_over_a_wire_it_is_the_same(way: str, ada: Agent, request: pytest.FixtureRequest) -> None:
    who: Agent = request.getfixturevalue(way)
    for tool, wrong in (
        ("move", {"ply": -1}),
        ("rules", {"game": "x" * 30_000}),
        ("nothing", {}),
        ("view", {"match_id": "é"}),
    ):
        assert who.refused(tool, **wrong) == ada.refused(tool, **wrong)
    assert who.ask("list_games") == ada.ask("list_games")


def test_what_nobody_foresaw_tells_no_secret(
    ada: Agent, seat: Json, here: LocalServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"the secret is 01101 and {seat['token']}")

    monkeypatch.setattr(here.service, "session", broken)
    caplog.set_level(logging.DEBUG)
    said = ada.refused("view", match_id=seat["match_id"])
    assert "went wrong on our side" in said
    assert "unforeseen: RuntimeError in view" in caplog.text
    for text in (said, caplog.text):
        assert "01101" not in text
        assert seat["token"] not in text


def test_a_store_that_fails_says_so(ada: Agent, seat: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    from bitduel.storage.errors import LockedError

    def locked(*_: object) -> None:
        raise LockedError("The database is locked by another program; close that program and try again.")

    monkeypatch.setattr(Store, "fingerprint", locked)
    assert "locked by another program" in ada.refused("view", match_id=seat["match_id"])


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("start_match", {"game": "double", "name": "x" * 500}, "it should have at most"),
        ("analyse", {"game": "double", "moves": ["add"] * 900}, "it should have at most"),
        ("list_games", {"x": 1}, "list_games takes no arguments. Leave out 'x'."),
    ],
)
def test_what_is_wrong_with_an_argument_is_said_in_a_sentence(ada: Agent, tool: str, given: Json, said: str) -> None:
    sentence = ada.refused(tool, **given)
    assert said in sentence
    assert "should String" not in sentence
