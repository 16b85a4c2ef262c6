"""A class on two server processes over one PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bitduel.storage import open_store
from web.sites import Events, Server, bearer

CLASSES = "/api/v1/classes"


@pytest.fixture
def servers(postgres_url: str, tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    open_store(postgres_url).close()
    one, two = (Server(postgres_url, tmp_path / name, "", None, "--classes") for name in ("one", "two"))
    try:
        yield one.ready(), two.ready()
    finally:
        one.kill()
        two.kill()


@pytest.mark.thorough
def test_pupils_on_one_process_hear_what_happens_on_the_other(servers: tuple[Server, Server]) -> None:
    one, two = servers
    with one.client() as here, two.client() as there:
        made = here.post(CLASSES, json={"title": "Year 7"}).json()
        url, teacher = f"{CLASSES}/{made['class']['code']}", bearer(made["token"])
        ada = here.post(f"{url}/pupils", json={"name": "Ada"}).json()
        ben = there.post(f"{url}/pupils", json={"name": "Ben"}).json()
        headers = bearer(ben["token"])
        with two.client(ben["token"]) as listening, Events(listening, f"{url}/events") as events:
            events.next()
            wish = {"kind": "swiss", "game": "double", "rounds": 3}
            assert here.post(f"{url}/activity", json=wish, headers=teacher).status_code == 200
            events.next()
            now = there.get(url, headers=headers).json()["now"]
            assert now["kind"] == "match"
            assert there.post(f"/api/v1/matches/{now['match']}/resignation", headers=headers).status_code == 200
            assert here.get(url, headers=bearer(ada["token"])).status_code == 200
            with ThreadPoolExecutor(4) as pool:
                answers = list(
                    pool.map(lambda each: each.post(f"{url}/next", headers=teacher).status_code, [here, there] * 2)
                )
            assert sorted(answers) == [200, 409, 409, 409]
            events.next()
            states = [each.get(url, headers=teacher).json() for each in (here, there)]
            assert states[0]["version"] == states[1]["version"]
            assert [each["activity"]["round"] for each in states] == [2, 2]
