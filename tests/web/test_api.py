"""The JSON API: a program in any language can do what a browser can."""

import json
from typing import Any

import httpx
import pytest

from bitduel.games.registry import all_games
from helpers import bitduel
from web.sites import Browser, LocalApp, bearer, choice

API = "/api/v1"
LEVELS = ["easy", "medium", "hard", "perfect", "random"]
PAIRS = [(kind.short, level) for kind in all_games() for level in LEVELS]


def create(who: Browser, **wish: Any) -> dict[str, Any]:
    answer = who.post(f"{API}/matches", json={"game": "64", **wish})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def move(who: Browser, token: str, match_id: str, ply: int, text: str) -> httpx.Response:
    return who.post(f"{API}/matches/{match_id}/moves", json={"ply": ply, "move": text}, headers=bearer(token))


def two_seats(app: LocalApp, **wish: Any) -> tuple[str, str, str]:
    """A match between two programs: its id and both secrets."""
    made = create(app.browser(), **wish)
    match_id = made["match"]["id"]
    answer = app.browser().post(f"{API}/matches/{match_id}/seat", json={"invitation": made["invitation"]})
    assert answer.status_code == 200
    assert answer.json()["seat"] == 2
    return match_id, made["token"], answer.json()["token"]


def test_every_game_is_listed_with_its_options(app: LocalApp) -> None:
    games = app.browser().get(f"{API}/games").json()
    assert [game["slug"] for game in games] == [kind.slug for kind in all_games()]
    for game in games:
        alone = app.browser().get(f"{API}/games/{game['short']}").json()
        assert alone.items() >= game.items()
        assert alone["rules"]
        assert alone["moves"]


@pytest.mark.parametrize(("game", "level"), PAIRS)
def test_a_program_plays_a_whole_match_against_every_level(app: LocalApp, game: str, level: str) -> None:
    who = app.browser()
    made = create(who, game=game, opponent=level, first="2")
    assert made["invitation"] is None
    seen, token = made["match"], made["token"]
    while not seen["view"]["over"]:
        view = seen["view"]
        assert view["to_move"] == 1
        answer = move(who, token, seen["id"], view["ply"], choice(view["legal"], view["ply"]))
        assert answer.status_code == 200, answer.text
        seen = answer.json()
    assert seen["view"]["legal"] == []
    assert seen["view"]["options"] == made["match"]["view"]["options"]
    judged = who.get(f"{API}/matches/{seen['id']}/review")
    assert judged.status_code == 200
    assert len(judged.json()["steps"]) == seen["view"]["ply"]


@pytest.mark.parametrize("game", [kind.short for kind in all_games()])
def test_two_programs_play_a_whole_match_and_a_second_round(app: LocalApp, game: str) -> None:
    who = app.browser()
    match_id, *tokens = two_seats(app, game=game, first="1")
    seen = who.get(f"{API}/matches/{match_id}").json()
    assert not seen["waiting"]
    while not seen["view"]["over"]:
        token = tokens[seen["view"]["to_move"] - 1]
        mine = who.get(f"{API}/matches/{match_id}", headers=bearer(token)).json()["view"]
        assert move(who, token, match_id, mine["ply"], choice(mine["legal"], mine["ply"])).is_success
        seen = who.get(f"{API}/matches/{match_id}").json()
    asked = who.post(f"{API}/matches/{match_id}/next", headers=bearer(tokens[0])).json()
    assert asked["id"] == match_id
    assert asked["table"]["asked"] == [{"seat": 1, "kind": "rematch", "declined": False}]
    again = [who.post(f"{API}/matches/{match_id}/next", headers=bearer(token)).json() for token in tokens[::-1]][::-1]
    assert again[0]["id"] == again[1]["id"] != match_id
    assert again[0]["round"] == 2
    assert again[0]["sitting"] == match_id
    assert again[0]["view"]["first"] == 2
    assert [each["view"]["seat"] for each in again] == [1, 2]


def test_a_move_sent_again_is_answered_alike_and_made_once(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, first="1")
    who = app.browser()
    first, second = (move(who, ada, match_id, 0, "add") for _ in range(2))
    assert first.status_code == second.status_code == 200
    assert first.content == second.content
    assert app.store.get(match_id).moves == ("add",)
    assert move(who, ben, match_id, 1, "double").is_success
    late = move(who, ada, match_id, 0, "add")
    assert late.status_code == 200
    assert late.json()["view"]["history"] == ["add", "double"]


def test_a_late_or_early_move_is_409_and_changes_nothing(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, first="1")
    who = app.browser()
    assert move(who, ada, match_id, 0, "add").is_success
    assert move(who, ada, match_id, 0, "double").status_code == 409
    assert move(who, ada, match_id, 2, "add").status_code == 409
    assert move(who, ben, match_id, 7, "add").status_code == 409
    assert app.store.get(match_id).moves == ("add",)


def test_after_the_end_the_last_move_is_answered_again_and_any_other_is_409(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, game="64", options={"start": 1, "target": 2}, first="1")
    who = app.browser()
    won = move(who, ada, match_id, 0, "double")
    assert won.json()["view"]["over"] == {"winner": 1, "reason": "exact"}
    assert move(who, ada, match_id, 0, "double").content == won.content
    assert move(who, ben, match_id, 1, "add").status_code == 409
    for token in (ada, ben):
        assert who.post(f"{API}/matches/{match_id}/resignation", headers=bearer(token)).status_code == 409
    assert app.store.get(match_id).moves == ("double",)


def test_an_illegal_move_is_400_and_says_what_is_possible(app: LocalApp) -> None:
    match_id, ada, _ = two_seats(app, first="1")
    answer = move(app.browser(), ada, match_id, 0, "sing")
    assert answer.status_code == 400
    assert answer.json() == {"error": "'sing' is not a move. Choose from: add, double."}
    assert app.store.get(match_id).moves == ()


def test_who_resigns_loses_and_the_next_round_waits_for_the_end(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, first="1")
    who = app.browser()
    assert who.post(f"{API}/matches/{match_id}/next", headers=bearer(ada)).status_code == 409
    assert who.get(f"{API}/matches/{match_id}/review").status_code == 409
    answer = who.post(f"{API}/matches/{match_id}/resignation", headers=bearer(ben))
    assert answer.json()["view"]["over"] == {"winner": 1, "reason": "resignation"}


@pytest.mark.parametrize("token", [None, "somebody", "x" * 5000])
def test_a_spectator_sees_but_cannot_move_resign_or_go_on(app: LocalApp, token: str | None) -> None:
    match_id, ada, _ = two_seats(app, first="1")
    who = app.browser()
    headers = bearer(token) if token else {}
    assert who.get(f"{API}/matches/{match_id}", headers=headers).json()["view"]["seat"] is None
    wanted = {"moves": {"ply": 0, "move": "add"}, "resignation": None, "next": None}
    for path, body in wanted.items():
        assert who.post(f"{API}/matches/{match_id}/{path}", json=body, headers=headers).status_code == 403
    who.post(f"{API}/matches/{match_id}/resignation", headers=bearer(ada))
    assert who.post(f"{API}/matches/{match_id}/next", headers=headers).status_code == 403
    assert app.store.get(match_id).moves == ()
    assert len(app.store.sitting(match_id)) == 1


def test_a_seat_cannot_move_for_the_other(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, first="1")
    who = app.browser()
    assert move(who, ben, match_id, 0, "add").status_code == 403
    assert move(who, ada, match_id, 0, "add").is_success
    assert move(who, ada, match_id, 1, "add").status_code == 403
    assert app.store.get(match_id).moves == ("add",)


def test_an_invitation_seats_one_and_then_nobody_else(app: LocalApp) -> None:
    made = create(app.browser())
    path, wish = f"{API}/matches/{made['match']['id']}/seat", {"invitation": made["invitation"], "name": "Ben"}
    first = app.browser().post(path, json=wish).json()
    assert (first["seat"], first["match"]["names"]) == (2, ["Player 1", "Ben"])
    assert app.browser().post(path, json=wish).status_code == 409
    again = app.browser().post(path, json=wish, headers=bearer(first["token"]))
    assert (again.status_code, again.json()["seat"]) == (200, 2)
    own = app.browser().post(path, json=wish, headers=bearer(made["token"]))
    assert (own.status_code, own.json()["seat"]) == (200, 1)


def test_before_anybody_has_joined_a_match_can_only_be_called_off(app: LocalApp) -> None:
    ada = app.browser()
    made = ada.post(f"{API}/matches", json={"game": "64", "first": "1"}).json()
    path, own = f"{API}/matches/{made['match']['id']}", bearer(made["token"])
    assert made["match"]["waiting"] is True
    refused = ada.post(f"{path}/resignation", headers=own)
    assert refused.status_code == 409
    assert "Cancel the match" in refused.json()["error"]
    off = ada.post(f"{path}/calling-off", json={"ply": 0}, headers=own).json()
    assert (off["view"]["over"]["reason"], off["waiting"], off["table"]["can"]) == ("called off", False, [])
    late = app.browser().post(f"{path}/seat", json={"invitation": made["invitation"]})
    assert (late.status_code, late.json()) == (409, {"error": "The match is over."})


def test_a_wrong_invitation_and_one_to_another_match_are_404(app: LocalApp) -> None:
    one, two = (create(app.browser()) for _ in range(2))
    path = f"{API}/matches/{one['match']['id']}/seat"
    for wrong in ("", "x", two["invitation"], one["token"], "\N{SNOWMAN}"):
        assert app.browser().post(path, json={"invitation": wrong}).status_code == 404
    assert app.store.seats.owners(one["match"]["id"]).keys() == {1}


ASSUMED = {"game": "battle", "options": {"bits": 3, "secret": "000"}, "moves": ["toggle 1", "toggle 3", "toggle 2"]}


@pytest.mark.parametrize(
    "asked",
    [
        ASSUMED,
        {"game": "battle", "options": {"bits": 3}, "moves": []},
        {"game": "bits", "options": {}, "moves": ["flip 2", "reset 2"]},
        {"game": "64", "options": {"target": 2}, "moves": ["double"]},
        {"game": "31", "options": {}, "moves": ["16"]},
    ],
    ids=str,
)
def test_a_position_is_told_as_the_command_line_tells_it(app: LocalApp, asked: dict[str, Any]) -> None:
    answer = app.browser().post(f"{API}/solve", json=asked).json()
    settings = [f"--set={name}={value}" for name, value in asked["options"].items()]
    said = bitduel("solve", asked["game"], *settings, "--moves", ", ".join(asked["moves"]), "--json")
    assert answer == json.loads(said.out)
    assert answer.get("assumed", False) == (asked is ASSUMED)


def test_positions_of_every_game_are_judged(app: LocalApp) -> None:
    for kind in all_games():
        answer = app.browser().post(f"{API}/solve", json={"game": kind.short})
        assert answer.status_code == 200, answer.text
        assert answer.json()["choices"]
    over = {"game": "64", "options": {"target": 2}, "moves": ["double"]}
    assert app.browser().post(f"{API}/solve", json=over).json()["choices"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {"target": 1}},
        {"options": {"target": 10**9}},
        {"options": {"colour": "red"}},
        {"options": {"self": 1}},
        {"options": {"target": "9" * 39}},
    ],
)
@pytest.mark.parametrize("path", ["matches", "solve"])
def test_wrong_options_are_400_with_a_sentence(app: LocalApp, wrong: dict[str, Any], path: str) -> None:
    answer = app.browser().post(f"{API}/{path}", json={"game": "64", **wrong})
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"nonsense",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"game": "64", "more": 1}',
        b'{"game": 64}',
        b'{"game": "64", "options": {"target": true}}',
        b'{"game": "64", "options": {"target": 1.5}}',
        b'{"game": "64", "opponent": "nobody"}',
        b'{"game": "\\ud800"}',
        b'{"\\ud800": 1, "game": "64"}',
        b'{"game": "64", "options": {"\\ud800": 1.5}}',
        b'{"game": "64", "options": {"target": ' + b"9" * 5000 + b"}}",
        b'{"game": "64", "name": "\\u0000"}',
        b'{"game": "\\u0000"}',
        b"[" * 4000,
    ],
)
@pytest.mark.parametrize("path", ["matches", "solve"])
def test_nonsense_is_refused_with_a_sentence(app: LocalApp, raw: bytes, path: str) -> None:
    answer = app.browser().post(f"{API}/{path}", content=raw, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 404, 422), answer.text
    assert isinstance(answer.json()["error"], str)


def test_unknown_games_matches_and_addresses_are_404_as_json(app: LocalApp) -> None:
    who = app.browser()
    for path in ("games/chess", "matches/zzzzzzz", "matches/zzzzzzz/record", "matches/zzzzzzz/events", "nothing"):
        answer = who.get(f"{API}/{path}")
        assert answer.status_code == 404, path
        assert answer.json()["error"]
    for path, body in {
        "seat": {"invitation": "x"},
        "moves": {"ply": 0, "move": "add"},
        "resignation": None,
        "next": None,
    }.items():
        assert who.post(f"{API}/matches/zzzzzzz/{path}", json=body).status_code == 404


def test_wrong_methods_are_405_as_json(app: LocalApp) -> None:
    for method, path in (("DELETE", "matches"), ("PUT", "games"), ("POST", "games"), ("GET", "solve")):
        answer = app.browser().request(method, f"{API}/{path}")
        assert answer.status_code == 405, path
        assert answer.json()["error"]
        assert answer.headers["allow"]


def test_the_record_is_text_and_can_be_read_again(app: LocalApp) -> None:
    match_id, ada, _ = two_seats(app, first="1")
    who = app.browser()
    move(who, ada, match_id, 0, "add")
    answer = who.get(f"{API}/matches/{match_id}/record")
    assert answer.headers["content-type"].startswith("text/plain")
    assert '[Game "binary-race-64"]' in answer.text
    assert "1. add" in answer.text
    assert who.get(f"/matches/{match_id}/record").text == answer.text


@pytest.mark.parametrize("opponent", ["friend", "easy", "perfect", "random"])
def test_a_chosen_secret_is_refused_with_one_sentence_and_opens_no_table(app: LocalApp, opponent: str) -> None:
    for kind in all_games():
        for option in (each for each in kind.declared_options if each.is_secret):
            before = len(app.store.matches(game=kind.slug))
            wish = {"game": kind.short, "options": {option.name: "10101"}, "opponent": opponent}
            answer = app.browser().post(f"{API}/matches", json=wish)
            assert answer.status_code == 400
            assert answer.json()["error"].startswith(f"{option.name} can be chosen only when two people")
            assert len(app.store.matches(game=kind.slug)) == before


def test_programs_settle_a_match_as_people_do(app: LocalApp) -> None:
    match_id, ada, ben = two_seats(app, first="1")
    who, api = app.browser(), f"{API}/matches/{match_id}"

    def say(token: str, path: str, **body: Any) -> dict[str, Any]:
        answer = who.post(f"{api}/{path}", json=body or None, headers=bearer(token))
        assert answer.status_code == 200, answer.text
        table: dict[str, Any] = answer.json()["table"]
        return table

    assert "call-off" in who.get(api, headers=bearer(ada)).json()["table"]["can"]
    for ply, token in enumerate((ada, ben, ada)):
        move(who, token, match_id, ply, "add")
    assert say(ada, "take-back", ply=3)["asked"] == [{"seat": 1, "kind": "take-back", "declined": False}]
    assert "answer" in who.get(api, headers=bearer(ben)).json()["table"]["can"]
    assert say(ben, "answer", kind="take-back", yes=True, ply=3)["backs"] == 1
    assert app.store.get(match_id).moves == ("add", "add")
    late = who.post(f"{api}/take-back", json={"ply": 2}, headers=bearer(ada))
    assert late.status_code == 409, "the request is about the moment before moves were taken back"
    assert say(ada, "coach", coach=True)["coach"] == [True, False]
    say(ben, "draw", ply=2, backs=1)
    assert say(ben, "withdrawal")["asked"] == []
    say(ben, "draw", ply=2, backs=1)
    say(ada, "draw", ply=2, backs=1)
    assert who.get(api).json()["view"]["over"] == {"winner": None, "reason": "agreed draw"}
    assert who.get(api).json()["table"]["presence"] == ["here", "here"]
    assert say(ada, "next")["next"] is None
    begun = who.post(f"{api}/next", headers=bearer(ben)).json()["id"]
    assert who.get(api).json()["table"]["next"] == begun != match_id
