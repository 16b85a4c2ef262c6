"""Hidden means hidden over this channel too: whoever the rules leave in the dark receives the same bytes."""

import json
import logging
import os
from typing import Any

import pytest

from agents import Agent, Json, LocalServer
from bitduel.core.match import Match
from bitduel.games.registry import make
from hidden_information import histories, story
from web.sites import SeatedMatch

DEEPER = int(os.environ.get("BITDUEL_DEPTH", "0"))
CASES = [(2, depth) for depth in range(3 + DEEPER)] + [(3, depth) for depth in range(DEEPER)]


def received(who: Agent, match: Match, seated: SeatedMatch, token: str | None) -> list[str]:
    """Every byte of every answer that somebody can get without changing the match, ids and tokens made the same."""
    mine: Json = {"match_id": seated.id, **({"token": token} if token else {})}
    ply = match.ply
    calls: list[tuple[str, Json]] = [
        ("view", mine),
        ("view", {"match_id": seated.id}),
        ("view", {**mine, "token": "x" * 43}),
        ("hint", mine),
        ("hint", {**mine, "agree": True}),
        ("analyse", mine),
        ("analyse", {"match_id": seated.id}),
        ("review", {"match_id": seated.id}),
        ("move", {**mine, "ply": ply, "move": "toggle 99"}),
        ("move", {**mine, "ply": ply + 1, "move": "toggle 1"}),
        ("move", {**mine, "ply": ply + 2, "move": "toggle 1"}),
        ("move", {**mine, "ply": ply + 1, "move": "resign"}),
        ("move", {**mine, "ply": max(ply - 2, 0), "move": "toggle 9"}),
        ("start_match", {"invitation": f"{seated.id}/wrong"}),
        ("start_match", {"invitation": f"{seated.id}/{seated.invitation}"}),
    ]
    return [same(who, tool, arguments, seated) for tool, arguments in calls]


def same(who: Agent, tool: str, arguments: Json, seated: SeatedMatch) -> str:
    answer = who.call(tool, arguments)
    text = json.dumps([tool, answer.model_dump(mode="json", by_alias=True)])
    for secret in (*seated.tokens, seated.invitation):
        assert secret not in text
    return text.replace(seated.id, "ID")


def sitting(here: LocalServer, match: Match) -> SeatedMatch:
    """Two who have agreed to hints."""
    seated = SeatedMatch(here.store, match)
    for owner in seated.owners:
        here.store.seats.set_coach(seated.id, owner, True)
    return seated


@pytest.mark.parametrize(("bits", "depth"), CASES)
def test_every_byte_is_the_same_wherever_the_rules_tell_the_same(
    ada: Agent, here: LocalServer, bits: int, depth: int
) -> None:
    seen: dict[tuple[object, ...], list[str]] = {}
    compared = 0
    for match in histories(bits, depth):
        seated = sitting(here, match)
        viewers: list[tuple[tuple[object, ...], str | None]] = [
            ((1, *story(match, 1)), seated.tokens[0]),
            ((2, *story(match, 2)), seated.tokens[1]),
            ((None, match.ply), None),
        ]
        for key, token in viewers:
            shown = received(ada, match, seated, token)
            assert not any("went wrong on our side" in each for each in shown)
            compared += key in seen
            before = seen.setdefault(key, shown)
            for one, two in zip(before, shown, strict=True):
                assert one == two
        assert here.store.find(seated.id).moves == tuple(match.moves)
    assert compared >= (1 << bits) - 2


def test_what_is_sent_does_change_with_what_the_rules_tell(ada: Agent, here: LocalServer) -> None:
    game = make("battle", {"bits": 3})
    shown = []
    for deal in ("001", "111"):
        match = Match(game, 1, deal, ["toggle 1", "toggle 2"])
        seated = sitting(here, match)
        shown.append([received(ada, match, seated, token) for token in (*seated.tokens, None)])
    assert shown[0][0] != shown[1][0]
    assert shown[0][2] == shown[1][2]


def test_the_answer_to_a_move_tells_its_player_the_feedback_and_the_others_nothing(
    ada: Agent, here: LocalServer
) -> None:
    game = make("battle", {"bits": 3})
    seen: dict[tuple[object, ...], list[str]] = {}
    compared = 0
    for secret in ("010", "011", "101", "001"):
        for theirs in ("toggle 2", "toggle 3"):
            match = Match(game, 1, secret)
            seated = SeatedMatch(here.store, match)
            for ply, move in enumerate(("toggle 1", theirs)):
                match.play(move)
                if match.outcome:
                    break
                seat = match.seat_at(ply)
                made: dict[str, Any] = {
                    "match_id": seated.id,
                    "token": seated.tokens[seat - 1],
                    "ply": ply,
                    "move": move,
                }
                waiting = {"match_id": seated.id, "token": seated.tokens[2 - seat]}
                for key, told in (
                    ((seat, *story(match, seat)), same(ada, "move", made, seated)),
                    ((3 - seat, *story(match, 3 - seat)), same(ada, "view", waiting, seated)),
                    ((None, match.ply), same(ada, "view", {"match_id": seated.id}, seated)),
                ):
                    compared += key in seen
                    assert seen.setdefault(key, [told]) == [told]
    assert compared > 10


def test_in_a_match_against_a_program_nothing_of_its_side_is_told(ada: Agent, here: LocalServer) -> None:
    seat = ada.ask("start_match", game="battle", options={"bits": 5}, opponent="random", first="2")
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    for told in (seat["match"], ada.ask("view", **own), ada.ask("view", match_id=own["match_id"])):
        if not told["over"]:
            assert told["history"] == ["?"]
            assert told["deal"] is None
            assert "secret" not in told["options"]
            assert (told["board"]["theirs"], told["board"]["secret"]) == (None, None)


def test_when_it_is_over_everything_is_told(ada: Agent, here: LocalServer) -> None:
    seated = SeatedMatch(here.store, Match(make("battle", {"bits": 3}), 1, "101", ["toggle 1", "toggle 2"]))
    ada.ask("move", match_id=seated.id, token=seated.tokens[0], ply=2, move="resign")
    for more in ({"token": seated.tokens[0]}, {"token": seated.tokens[1]}, {}):
        told = ada.ask("view", match_id=seated.id, **more)
        assert (told["deal"], told["history"]) == ("101", ["toggle 1", "toggle 2"])
        assert "The secret was 101." in told["said"]
    assert ada.ask("review", match_id=seated.id)["steps"][0]["hindsight"]


def test_no_secret_and_no_token_is_logged(ada: Agent, here: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    match = Match(make("battle", {"bits": 5}), 1, "01101", ["toggle 1", "toggle 5"])
    seated = SeatedMatch(here.store, match, ("Canaria", "Serinus"))
    for token in (*seated.tokens, None):
        received(ada, match, seated, token)
    ada.ask("move", match_id=seated.id, token=seated.tokens[0], ply=2, move="toggle 2")
    for private in (*seated.tokens, *seated.owners, seated.invitation, "Canaria", "Serinus", "01101"):
        assert private not in caplog.text
