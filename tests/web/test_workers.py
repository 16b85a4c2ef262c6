"""Two server processes on one PostgreSQL, a player on each."""

import pytest
from sqlalchemy import text

from bitduel.core.match import Match
from bitduel.games.registry import all_games, make
from bitduel.storage import open_store
from postgres_server import Cluster
from web.sites import Events, SeatedMatch, Server, bearer, choice


@pytest.mark.parametrize(
    "game",
    [pytest.param(kind.short, marks=[] if kind().is_hidden else pytest.mark.thorough) for kind in all_games()],
)
def test_a_whole_match_with_a_player_on_each_server_and_events_that_cross(
    pair: tuple[Server, Server], shared_url: str, game: str
) -> None:
    made = make(game, {"bits": 2} if game == "battle" else {})
    with open_store(shared_url) as store:
        seated = SeatedMatch(store, Match(made, 1, "10" if made.has_chance else ""))
    path = f"/api/v1/matches/{seated.id}"
    with pair[0].client(seated.tokens[0]) as ada, pair[1].client(seated.tokens[1]) as ben:
        players = {1: ada, 2: ben}
        with Events(ada, f"{path}/events") as one, Events(ben, f"{path}/events") as two:
            assert one.next() == two.next() == ("changed", "0 open 2 1")
            view = ada.get(path).json()["view"]
            while not view["over"]:
                mover = players[view["to_move"]]
                mine = mover.get(path).json()["view"]
                body = {"ply": mine["ply"], "move": choice(mine["legal"], mine["ply"])}
                view = mover.post(f"{path}/moves", json=body).raise_for_status().json()["view"]
                assert one.until(view["ply"]) == two.until(view["ply"])
        seen = [who.get(path).json()["view"] for who in (ada, ben)]
        assert seen[0]["history"] == seen[1]["history"]
        assert seen[0]["over"] == seen[1]["over"] == view["over"]


def test_a_seat_is_taken_on_one_server_and_told_on_the_other(pair: tuple[Server, Server], shared_url: str) -> None:
    with open_store(shared_url) as store:
        seated = SeatedMatch(store, Match(make("64"), 1), seats=1)
    path = f"/api/v1/matches/{seated.id}"
    with pair[0].client(seated.tokens[0]) as ada, pair[1].client(seated.tokens[1]) as ben:
        with Events(ada, f"{path}/events") as events:
            assert events.next() == ("changed", "0 open 1 1")
            ben.post(f"{path}/seat", json={"invitation": seated.invitation, "name": "Benno"}).raise_for_status()
            assert events.next() == ("changed", "0 open 2 1")
        assert ada.get(path).json()["names"] == ["Ada", "Benno"]


def test_when_postgresql_falls_over_the_match_goes_on_and_events_too(
    pair: tuple[Server, Server], shared_url: str, postgres_cluster: Cluster
) -> None:
    with open_store(shared_url) as store:
        seated = SeatedMatch(store, Match(make("64"), 1))
    path = f"/api/v1/matches/{seated.id}"
    with pair[0].client(seated.tokens[0]) as ada, pair[1].client(seated.tokens[1]) as ben:
        with Events(ada, f"{path}/events") as one, Events(ben, f"{path}/events") as two:
            assert one.next() == two.next()
            ada.post(f"{path}/moves", json={"ply": 0, "move": "add"}).raise_for_status()
            assert one.until(1) == two.until(1)
            postgres_cluster.restart()
            ben.post(f"{path}/moves", json={"ply": 1, "move": "double"}).raise_for_status()
            assert one.until(2) == two.until(2)
            ada.post(f"{path}/moves", json={"ply": 2, "move": "add"}).raise_for_status()
            assert one.until(3) == two.until(3)
        assert ben.get(path).json()["view"]["history"] == ["add", "double", "add"]


@pytest.mark.thorough
def test_people_on_different_servers_meet_and_the_time_runs_out_for_both(
    pair: tuple[Server, Server], shared_url: str
) -> None:
    with pair[0].client() as ada, pair[1].client() as ben:
        first = ada.post("/api/v1/lobby", json={"game": "64"}).raise_for_status().json()
        second = ben.post("/api/v1/lobby", json={"game": "64"}).raise_for_status().json()
        match_id = second["seat"]["match"]["id"]
        found = ada.get("/api/v1/lobby", headers=bearer(first["token"])).raise_for_status().json()
        assert found["seat"]["match"]["id"] == match_id
        path = f"/api/v1/matches/{match_id}"
        with Events(ada, f"{path}/events") as one, Events(ben, f"{path}/events") as two:
            assert one.next() == two.next()
            with open_store(shared_url) as store:  # as if nearly all of the time had passed
                hurry = text("UPDATE matches SET flag = flag - 29000000 WHERE id = :id AND running IS NOT NULL")
                assert store._database.write(lambda connection, _: connection.execute(hurry, {"id": match_id})).rowcount
            told = [events.next() for events in (one, two)]
            assert told[0] == told[1]
            assert told[0][1].startswith("0 over 2 1")
        assert ada.get(path).json()["view"]["over"]["reason"] == "time"
