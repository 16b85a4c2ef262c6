"""A class whose server is killed again and again: nothing is lost, and nobody is paired twice."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import httpx
import pytest

from web.sites import Server, bearer

KILLS = 6
CLASSES = "/api/v1/classes"


@pytest.mark.thorough
def test_a_server_that_is_killed_in_the_middle_of_rounds_loses_nothing(tmp_path: Path) -> None:
    rng = Random(5)
    server = Server(f"sqlite:///{tmp_path}/class.db", tmp_path / "log", "", None, "--classes").ready()
    try:
        with server.client() as client:
            made = client.post(CLASSES, json={"title": "Year 7"}).json()
            url, teacher = f"{CLASSES}/{made['class']['code']}", bearer(made["token"])
            pupils = [client.post(f"{url}/pupils", json={"name": f"Pupil {n}"}).json() for n in range(6)]
            wish = {"kind": "swiss", "game": "double", "rounds": 10}
            assert client.post(f"{url}/activity", json=wish, headers=teacher).status_code == 200
        acknowledged: dict[str, list[str]] = {}
        for kill in range(KILLS):
            with ThreadPoolExecutor(8) as pool, server.client() as client:
                jobs = [pool.submit(play, client, url, each["token"], acknowledged, rng.random()) for each in pupils]
                jobs += [pool.submit(ask_next, client, url, teacher, rng.uniform(0, 0.5)) for _ in range(2)]
                sleep(rng.uniform(0.05, 0.7))
                server.kill()
                for job in jobs:
                    job.result()
            server.start()
            server.ready()
            with server.client() as client:
                check(client, url, teacher, acknowledged, kill)
    finally:
        server.kill()


def play(client: httpx.Client, url: str, token: str, acknowledged: dict[str, list[str]], luck: float) -> None:
    """Move whenever it is this pupil's turn, until the server is gone."""
    rng, headers = Random(luck), bearer(token)
    with suppress(httpx.TransportError):
        while True:
            now = client.get(url, headers=headers).json()["now"]
            if now["kind"] != "match":
                sleep(0.02)
                continue
            path = f"/api/v1/matches/{now['match']}"
            view = client.get(path, headers=headers).json()["view"]
            if not view["legal"]:
                continue
            move = rng.choice(view["legal"])
            if (
                client.post(f"{path}/moves", json={"ply": view["ply"], "move": move}, headers=headers).status_code
                == 200
            ):
                acknowledged[now["match"]] = [*view["history"], move]


def ask_next(client: httpx.Client, url: str, teacher: dict[str, str], pause: float) -> None:
    """Start the next round whatever still plays, until the server is gone."""
    with suppress(httpx.TransportError):
        while True:
            sleep(pause)
            number = client.get(url, headers=teacher).json()["activity"]["round"]
            client.post(f"{url}/next", json={"round": number, "early": True}, headers=teacher)


def check(
    client: httpx.Client, url: str, teacher: dict[str, str], acknowledged: dict[str, list[str]], kill: int
) -> None:
    """Every acknowledged move is there, and each round has three boards with everybody at one of them."""
    state: dict[str, Any] = client.get(url, headers=teacher).json()
    assert len(state["pupils"]) == 6
    assert state["activity"], f"after kill {kill}"
    seated = Counter(pupil for each in state["matches"] for pupil in each["pupils"])
    assert (len(state["matches"]), set(seated.values())) == (3, {1})
    for match, history in acknowledged.items():
        found = client.get(f"/api/v1/matches/{match}").json()["view"]["history"]
        assert found[: len(history)] == history
