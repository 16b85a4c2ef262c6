"""A seat belongs to who has its token: nobody else sees what it sees, moves for it, or takes it."""

from threading import Event

import pytest

from agents import Agent, Json, LocalServer
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.match_session import MatchSession
from web.sites import SeatedMatch

BATTLE = {"game": "battle", "options": {"bits": 3}, "first": "1"}


@pytest.fixture
def seat(ada: Agent) -> Json:
    """A seat in a match in the dark whose other seat is free."""
    made: Json = ada.ask("start_match", **BATTLE)
    return made


def test_another_client_sees_what_spectators_see(ada: Agent, ben: Agent, here: LocalServer) -> None:
    seated = SeatedMatch(here.store, Match(make("battle", {"bits": 3}), 1, "011", ["toggle 1", "toggle 3"]))
    mine = ada.ask("view", match_id=seated.id, token=seated.tokens[0])
    assert mine["board"] == {"mine": "100", "low": 0, "high": 3, "theirs": None, "secret": None}
    assert mine["history"] == ["toggle 1", "?"]
    watched = ben.ask("view", match_id=seated.id)
    assert watched["board"] == {"mine": None, "low": 0, "high": 7, "theirs": None, "secret": None}
    assert watched["history"] == ["?", "?"]
    assert (watched["seat"], watched["your_turn"], watched["legal"]) == (None, False, [])


def test_another_client_cannot_move_ask_or_look_for_the_first(ben: Agent, seat: Json, here: LocalServer) -> None:
    elsewhere = ben.ask("start_match", **BATTLE)
    for token in (elsewhere["token"], "x" * 43, "", seat["token"][:-1], seat["token"] + "x", seat["invitation"]):
        own = {"match_id": seat["match_id"], "token": token}
        for tool, more in (("view", {}), ("move", {"ply": 0, "move": "toggle 1"}), ("hint", {}), ("analyse", {})):
            said = ben.refused(tool, **own, **more)
            assert said.startswith("This token isn't valid for this match.")
            assert not token or token not in said
    assert "needs 'token'" in ben.refused("move", match_id=seat["match_id"], ply=0, move="toggle 1")
    assert "needs 'token'" in ben.refused("hint", match_id=seat["match_id"])
    assert "your seat's token" in ben.refused("analyse", match_id=seat["match_id"])
    assert here.store.find(seat["match_id"]).moves == ()


def test_no_result_but_that_of_taking_a_seat_has_a_token(ada: Agent, seat: Json) -> None:
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    told = [ada.ask("view", **own), ada.ask("move", ply=0, move="toggle 1", **own), ada.ask("view", **own)]
    told += [ada.refused("move", ply=0, move="toggle 2", **own), ada.refused("move", ply=1, move="toggle 2", **own)]
    for each in told:
        assert seat["token"] not in str(each)
        assert seat["invitation"] not in str(each)


def test_an_invitation_is_taken_once(ada: Agent, ben: Agent, seat: Json) -> None:
    link = f"http://localhost:8000/invite/{seat['invitation']}"
    taken = ben.ask("start_match", invitation=link)
    assert taken["seat"] == 2
    assert taken["invitation"] is None
    assert "Someone else has already joined." in ada.refused("start_match", invitation=seat["invitation"])


def test_before_anybody_has_joined_a_match_can_only_be_called_off(ada: Agent, ben: Agent, seat: Json) -> None:
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    assert "Cancel the match instead" in ada.refused("move", ply=0, move="resign", **own)
    assert "moved on" in ada.refused("move", ply=1, move="call off", **own)
    off = ada.ask("move", ply=0, move="Call  off", **own)
    assert (off["over"], off["waiting"]) == ({"winner": None, "reason": "called off"}, False)
    assert ben.refused("start_match", invitation=seat["invitation"]) == "The match is over."
    assert ada.refused("move", ply=0, move="call off", **own).startswith("The match is over.")


def test_a_wrong_invitation_is_refused_the_same_whatever_is_wrong(ben: Agent, seat: Json) -> None:
    match_id, secret = seat["invitation"].split("/")
    wrong = [
        f"{match_id}/{secret[:-1]}x",
        f"zzzzzzz/{secret}",
        match_id,
        secret,
        "",
        "/",
        "//",
        f"{match_id}/",
        "\0/\0",
    ]
    assert len({ben.refused("start_match", invitation=each) for each in wrong}) == 1
    assert "Leave out game" in ben.refused("start_match", invitation=seat["invitation"], game="64")


def test_between_two_there_are_hints_only_when_both_agree(ada: Agent, ben: Agent, seat: Json) -> None:
    other = ben.ask("start_match", invitation=seat["invitation"])
    one, two = ({"match_id": each["match_id"], "token": each["token"]} for each in (seat, other))
    assert "both players' consent" in ada.refused("hint", **one)
    assert "both players' consent" in ada.refused("analyse", **one)
    assert ada.ask("hint", **one, agree=True)["agreed"] is False
    assert "both players' consent" in ada.refused("analyse", **one)
    agreed = ben.ask("hint", **two, agree=True)
    assert (agreed["agreed"], agreed["best"]) == (True, [])
    assert "not your turn" in ben.refused("hint", **two)
    assert ada.ask("hint", **one)["best"]
    assert ada.ask("analyse", **one)["choices"]
    assert "not your turn" in ben.refused("analyse", **two)


def test_a_review_comes_after_the_end_and_an_analysis_before_it(ada: Agent) -> None:
    seat = ada.ask("start_match", game="double", opponent="random", first="1")
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    assert "when it is over" in ada.refused("review", match_id=seat["match_id"])
    ada.ask("move", ply=0, move="resign", **own)
    assert ada.ask("review", match_id=seat["match_id"])["over"]["winner"] == 2
    for tool in ("hint", "analyse"):
        assert "Call review" in ada.refused(tool, **own)


def test_who_waits_for_a_turn_is_told_when_it_comes(
    ada: Agent, ben: Agent, here: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = ada.ask("start_match", game="64", first="2")
    other = ben.ask("start_match", invitation=seat["invitation"])
    session, looked = here.service.session, Event()

    def look(match_id: str) -> MatchSession:
        found = session(match_id)
        looked.set()
        return found

    monkeypatch.setattr(here.service, "session", look)
    watching = ada.portal.start_task_soon(ada.client.call_tool, "view", {"match_id": seat["match_id"], "wait": 60})
    assert looked.wait(60)  # whoever begins to watch after the move would wait for another
    waiting = ada.portal.start_task_soon(
        ada.client.call_tool, "view", {"match_id": seat["match_id"], "token": seat["token"], "wait": 60}
    )
    ben.ask("move", match_id=other["match_id"], token=other["token"], ply=0, move="add")
    told = waiting.result(60).structured_content
    assert told["your_turn"]
    assert told["history"] == ["add"]
    assert watching.result(60).structured_content["ply"] <= 1
    assert ben.ask("view", match_id=other["match_id"], token=other["token"], wait=1)["your_turn"] is False
