"""Two server processes on one PostgreSQL, a player on each."""

import pytest

from bitduel.core.match import Match
from bitduel.games import make, shelf
from bitduel.storage import open_store
from postgres_server import Cluster
from web.houses import Events, Held, Server, choice


@pytest.mark.parametrize("game", [kind.short for kind in shelf()])
def test_a_whole_match_with_a_player_on_each_server_and_events_that_cross(
    pair: tuple[Server, Server], shared_url: str, game: str
) -> None:
    made = make(game, {"bits": 2} if game == "battle" else {})
    with open_store(shared_url) as store:
        held = Held(store, Match(made, 1, "10" if made.chance else ""))
    path = f"/api/v1/matches/{held.id}"
    with pair[0].client(held.tokens[0]) as ada, pair[1].client(held.tokens[1]) as ben:
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
        held = Held(store, Match(make("64"), 1), seats=1)
    path = f"/api/v1/matches/{held.id}"
    with pair[0].client(held.tokens[0]) as ada, pair[1].client(held.tokens[1]) as ben:
        with Events(ada, f"{path}/events") as events:
            assert events.next() == ("changed", "0 open 1 1")
            ben.post(f"{path}/seat", json={"invitation": held.invitation, "name": "Benno"}).raise_for_status()
            assert events.next() == ("changed", "0 open 2 1")
        assert ada.get(path).json()["names"] == ["Ada", "Benno"]


def test_when_postgresql_falls_over_the_match_goes_on_and_events_too(
    pair: tuple[Server, Server], shared_url: str, postgres_cluster: Cluster
) -> None:
    with open_store(shared_url) as store:
        held = Held(store, Match(make("64"), 1))
    path = f"/api/v1/matches/{held.id}"
    with pair[0].client(held.tokens[0]) as ada, pair[1].client(held.tokens[1]) as ben:
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
