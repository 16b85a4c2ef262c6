"""A server that is killed in the middle of matches and started again: nothing that was acknowledged is lost."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import httpx

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import open_store
from web.sites import Events, SeatedMatch, Server, choice

KILLS = int(os.environ.get("BITDUEL_KILLS", "2"))
LEVELS = ["random", "easy", "perfect"]


class Bot:
    """Plays match after match, and remembers every move that the server has acknowledged."""

    def __init__(self, server: Server, level: str) -> None:
        self.server = server
        self.level = level
        self.told: dict[str, list[str]] = {}
        self.tokens: dict[str, str] = {}
        self.open: str | None = None

    def play(self, enough: Event, stop: Event) -> None:
        """Until the server is gone or enough has been played."""
        with self.server.client() as client:
            while not stop.is_set():
                try:
                    self._one_move(client)
                except httpx.TransportError:
                    return
                if sum(map(len, self.told.values())) >= 4:
                    enough.set()

    def _one_move(self, client: httpx.Client) -> None:
        if self.open is None:
            wish = {"game": "31", "options": {"length": 255}, "opponent": self.level, "first": "2"}
            made = client.post("/api/v1/matches", json=wish)
            if made.status_code != 201:
                return
            self.open = made.json()["match"]["id"]
            self.tokens[self.open] = made.json()["token"]
            self._hear(made.json()["match"])
            return
        headers = {"authorization": f"Bearer {self.tokens[self.open]}"}
        path = f"/api/v1/matches/{self.open}"
        seen = client.get(path, headers=headers).raise_for_status().json()
        self._hear(seen)
        view = seen["view"]
        if view["over"]:
            self.open = None
            return
        assert view["to_move"] == 1, "the computer has moved before anybody can look"
        body = {"ply": view["ply"], "move": choice(view["legal"], view["ply"])}
        self._hear(client.post(f"{path}/moves", json=body, headers=headers).raise_for_status().json())

    def _hear(self, seen: dict[str, Any]) -> None:
        """What is told must go on from what was told before."""
        before, now = self.told.get(seen["id"], []), seen["view"]["history"]
        assert now[: len(before)] == before
        self.told[seen["id"]] = now


def test_no_acknowledged_move_is_lost_when_the_server_is_killed_and_computers_go_on(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/killed.db"
    server = serving(url)
    bots = [Bot(server, level) for level in LEVELS]
    for _ in range(KILLS):
        before = [sum(map(len, bot.told.values())) for bot in bots]
        stop, gates = Event(), [Event() for _ in bots]
        with ThreadPoolExecutor(len(bots)) as pool:
            running: list[Future[None]] = [
                pool.submit(bot.play, gate, stop) for bot, gate in zip(bots, gates, strict=True)
            ]
            for gate in gates:
                assert gate.wait(30)
            server.kill()
            stop.set()
            for each in running:
                each.result()
        assert sum(sum(map(len, bot.told.values())) for bot in bots) >= sum(before)
        server.start()
        server.ready()
    with open_store(url) as store:
        for bot in bots:
            assert bot.told
            for match_id, told in bot.told.items():
                assert store.get(match_id).moves[: len(told)] == tuple(told)
    with server.client() as client:
        for bot in bots:
            bot._one_move(client)
            bot._one_move(client)


def test_after_a_restart_seats_streams_and_the_match_are_as_before(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/again.db"
    with open_store(url) as store:
        seated = SeatedMatch(store, Match(make("64"), 1), seats=1)
    server = serving(url)
    path = f"/api/v1/matches/{seated.id}"
    with server.client(seated.tokens[0]) as ada, server.client(seated.tokens[1]) as ben:
        assert ada.post(f"{path}/moves", json={"ply": 0, "move": "add"}).is_success
        before = ada.get(path).json()
        server.kill()
        server.start()
        server.ready()
        assert ada.get(path).json() == before
        with Events(ada, f"{path}/events") as events:
            assert events.next() == ("changed", "1 open 1 1")
            assert ben.post(f"{path}/seat", json={"invitation": seated.invitation}).is_success
            assert events.next() == ("changed", "1 open 2 1")
            assert ben.post(f"{path}/moves", json={"ply": 1, "move": "double"}).is_success
            assert events.next() == ("changed", "2 open 2 1")
