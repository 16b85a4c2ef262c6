"""Whole matches of every game, over every transport, alone and against another client."""

from random import Random

import pytest

from agents import Agent, Json, LocalServer, agent, at_random, play
from bitduel.games.registry import all_games
from bitduel.players.spec import COMPUTERS
from bitduel.storage.stored_match import written

SMALL = {"battle": {"bits": 3}}
GAMES = [kind.short for kind in all_games()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", ["ada", "by_pipe", "by_http"])
def test_a_client_plays_a_whole_match_and_reviews_it(
    way: str, game: str, here: LocalServer, request: pytest.FixtureRequest
) -> None:
    who: Agent = request.getfixturevalue(way)
    seat = who.ask("start_match", game=game, options=SMALL.get(game, {}), opponent="random", name="Model")
    match = play(who, seat, at_random(Random(game)))
    assert match["options"] == seat["match"]["options"]
    kept = here.store.find(seat["match_id"])
    assert kept.names[0] == "Model"
    assert written(kept.players) == ("human", "random")
    assert list(kept.moves) == match["history"]
    assert kept.outcome is not None
    assert match["over"] == kept.outcome._asdict()
    found = who.ask("review", match_id=seat["match_id"])
    assert [step["move"] for step in found["steps"]] == match["history"]
    assert found["over"] == match["over"]


@pytest.mark.parametrize("game", GAMES)
def test_a_client_of_the_old_protocol_plays_a_whole_match(here: LocalServer, game: str) -> None:
    with agent(here.server, mode="legacy") as who:
        seat = who.ask("start_match", game=game, options=SMALL.get(game, {}), opponent="easy", first="2")
        assert play(who, seat, at_random(Random(game)))["over"]


@pytest.mark.parametrize("opponent", [*(kind.name for kind in COMPUTERS), "level:2", " Level:3 "])
def test_every_program_can_be_played_against(ada: Agent, opponent: str) -> None:
    seat = ada.ask("start_match", game="double", opponent=opponent, first="1")
    assert seat["match"]["players"] == ["human", opponent.strip().lower()]
    assert play(ada, seat, at_random(Random(1)))["over"]


@pytest.mark.parametrize("game", GAMES)
def test_who_follows_the_hints_never_loses_what_was_won(ada: Agent, game: str) -> None:
    seat = ada.ask("start_match", game=game, options=SMALL.get(game, {}), opponent="random", first="1")
    own = {"match_id": seat["match_id"], "token": seat["token"]}

    def advised(match: Json) -> str:
        hint, worth = ada.ask("hint", **own), ada.ask("analyse", **own)
        assert hint["agreed"]
        assert hint["ply"] == match["ply"]
        assert hint["best"] == worth["best"]
        assert [choice["move"] for choice in worth["choices"]] == match["legal"]
        move: str = hint["best"][0]
        return move

    match = play(ada, seat, advised)
    steps = ada.ask("review", match_id=seat["match_id"])["steps"]
    assert not [step for step in steps if step["seat"] == 1 and step["turning"]]
    assert match["over"]


@pytest.mark.parametrize("game", ["bits", "battle"])
def test_two_clients_play_each_other_by_an_invitation(ada: Agent, by_http: Agent, by_pipe: Agent, game: str) -> None:
    """Two that are connected to different processes, while a third watches."""
    one = by_http.ask("start_match", game=game, options=SMALL.get(game, {}), first="1", name="Ada")
    assert one["match"]["waiting"]
    two = by_pipe.ask("start_match", invitation=one["invitation"], name="Ben")
    assert (one["seat"], two["seat"]) == (1, 2)
    assert two["match_id"] == one["match_id"]
    assert two["invitation"] is None
    assert one["token"] != two["token"]
    seats = {1: (by_http, one), 2: (by_pipe, two)}
    choose = at_random(Random(game))
    match = two["match"]
    assert match["names"] == ["Ada", "Ben"]
    while not match["over"]:
        who, seat = seats[match["to_move"]]
        mine = who.ask("view", match_id=seat["match_id"], token=seat["token"], wait=60)
        assert mine["your_turn"]
        made = {"ply": mine["ply"], "move": choose(mine)}
        match = who.ask("move", match_id=seat["match_id"], token=seat["token"], **made)
        watched = ada.ask("view", match_id=one["match_id"])
        assert watched["ply"] == match["ply"]
        assert watched["seat"] is None
        assert watched["legal"] == []
    assert ada.ask("review", match_id=one["match_id"])["over"] == match["over"]


def test_nothing_is_kept_in_a_connection(here: LocalServer, ada: Agent) -> None:
    seat = ada.ask("start_match", game="double", opponent="perfect", first="1")
    match = seat["match"]
    while not match["over"]:
        with agent(here.server) as fresh:
            made = {"ply": match["ply"], "move": match["legal"][0]}
            match = fresh.ask("move", match_id=seat["match_id"], token=seat["token"], **made)


def test_a_match_can_be_resigned_where_it_stands(ada: Agent) -> None:
    seat = ada.ask("start_match", game="bits", opponent="hard", first="1")
    own = {"match_id": seat["match_id"], "token": seat["token"], "move": "Resign"}
    assert "The ply is 0 now." in ada.refused("move", ply=4, **own)
    over = ada.ask("move", ply=0, **own)["over"]
    assert over == {"winner": 2, "reason": "resignation"}
    assert "over" in ada.refused("move", ply=0, **own)


def test_a_move_that_is_sent_again_is_made_once(ada: Agent, here: LocalServer) -> None:
    seat = ada.ask("start_match", game="64", first="1")
    own = {"match_id": seat["match_id"], "token": seat["token"]}
    first = ada.ask("move", ply=0, move="add", **own)
    assert ada.ask("move", ply=0, move=" ADD ", **own) == first
    assert here.store.find(seat["match_id"]).moves == ("add",)
