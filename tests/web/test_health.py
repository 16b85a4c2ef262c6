"""Whether the site can be sent visitors: it tries a write, not too often, and finds what takes none."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bitduel.storage import open_store
from bitduel.storage.errors import FullError
from bitduel.web.observability import BAD_FOR, GOOD_FOR, Health
from disks import fill, read_only, tiny_disk
from web.sites import PATIENT, LocalApp, Server

Serving = Callable[..., Server]
OFTEN = "from bitduel.web import observability as health\nhealth.GOOD_FOR = health.BAD_FOR = 0.2"
"""A server that tries a write again sooner than others do, so that nobody waits long to see what it finds."""


class Trials:
    """Counts the writes that are tried, and fails them on request."""

    def __init__(self, app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self.full, self.now = 0, False, 0.0
        self.health = Health(app.site, lambda: self.now)
        self.app = app
        self.write = app.store.check_write
        monkeypatch.setattr(app.store, "check_write", self)

    def __call__(self) -> None:
        self.count += 1
        if self.full:
            raise FullError("The database cannot be written: the disk is full.")
        self.write()

    def ask(self, times: int = 1) -> set[int]:
        asked: Any = None
        answers = self.app.together(*[self.health.ready(asked) for _ in range(times)])
        return {answer.status_code for answer in answers}


@pytest.fixture
def trials(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> Trials:
    return Trials(app, monkeypatch)


def test_however_many_ask_one_write_is_tried_in_a_while(trials: Trials) -> None:
    assert trials.ask(300) == {200}
    assert trials.count == 1
    trials.now += GOOD_FOR - 0.1
    assert trials.ask(300) == {200}
    assert trials.count == 1
    trials.now += 0.2
    trials.full = True
    assert trials.ask(300) == {503}
    assert trials.count == 2


def test_a_failure_is_tried_again_sooner(trials: Trials) -> None:
    trials.full = True
    assert trials.ask() == {503}
    trials.full = False
    assert trials.ask() == {503}
    trials.now += BAD_FOR
    assert trials.ask() == {200}


def test_a_trial_leaves_no_match_and_is_forgotten(app: LocalApp) -> None:
    before = len(app.store.matches())
    app.store.check_write()
    assert len(app.store.matches()) == before
    assert app.store.counts.get("trial") > 0


class Players:
    """Two at a match on a server process, and those who look after it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = server.client()
        made = self.post("", {"game": "64", "first": "1"}).json()
        self.id = made["match"]["id"]
        self.invitation = made["invitation"]
        self.tokens = [made["token"]]
        joined = self.post(f"/{self.id}/seat", {"invitation": self.invitation}).json()
        self.tokens.append(joined["token"])
        self.ply = 0

    def post(self, path: str, body: Any, token: str | None = None) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.client.post(f"/api/v1/matches{path}", json=body, headers=headers)

    def move(self) -> int:
        body = {"ply": self.ply, "move": "add"}
        status = self.post(f"/{self.id}/moves", body, self.tokens[self.ply % 2]).status_code
        self.ply += status == 200
        return status

    def say(self) -> set[int]:
        """Everything else that is written; at least one of it anew each time."""
        at = {"ply": self.ply}
        return {
            self.post("", {"game": "64"}).status_code,
            self.post(f"/{self.id}/draw", at, self.tokens[0]).status_code,
            self.post(f"/{self.id}/coach", {"coach": True}, self.tokens[0]).status_code,
            self.post(f"/{self.id}/seat", {"invitation": self.invitation}).status_code,
            self.client.get(f"/matches/{self.id}").status_code,
        }

    def until_ready(self, wanted: int) -> None:
        while (status := self.client.get("/readyz").status_code) != wanted:
            assert status in (200, 503)
            time.sleep(0.02)


@pytest.fixture
def players(tmp_path: Path, serving: Serving) -> Iterator[Players]:
    found = Players(serving(f"sqlite:///{tmp_path}/site.db", OFTEN))
    yield found
    found.client.close()


@pytest.mark.parametrize("another", [False, True], ids=["renamed", "replaced"])
def test_a_site_whose_file_is_gone_acknowledges_nothing_until_it_is_back(
    tmp_path: Path, players: Players, another: bool
) -> None:
    path, away = tmp_path / "site.db", tmp_path / "away.db"
    assert [players.move() for _ in range(3)] == [200] * 3
    players.until_ready(200)
    path.rename(away)
    if another:
        open_store(f"sqlite:///{tmp_path}/new.db").close()
        (tmp_path / "new.db").rename(path)
    assert players.move() == 503
    assert players.say() == {503}
    players.until_ready(503)
    assert path.exists() == another
    away.replace(path)
    players.until_ready(200)
    assert players.move() == 200
    assert players.client.get(f"/api/v1/matches/{players.id}").json()["view"]["history"] == ["add"] * 4
    assert "replaced while it was open" in players.server.log.read_text()


def test_a_full_disk_is_noticed_and_what_was_acknowledged_is_there(tmp_path: Path, serving: Serving) -> None:
    with tiny_disk(tmp_path / "disk", 1_000) as disk:
        server = serving(f"sqlite:///{disk}/site.db", OFTEN)
        players = Players(server)
        ballast = fill(disk)
        while players.move() == 200:
            assert players.ply < 60
        players.until_ready(503)
        assert players.move() == 503
        ballast.unlink()
        players.until_ready(200)
        acknowledged = players.ply
        assert players.move() == 200
        players.client.close()
        server.process.terminate()
        server.process.wait(PATIENT)
        with open_store(f"sqlite:///{disk}/site.db") as store:
            assert len(store.find(players.id).moves) == acknowledged + 1


def test_a_folder_that_became_read_only_is_noticed(tmp_path: Path, serving: Serving) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    players = Players(serving(f"sqlite:///{folder}/site.db", OFTEN))
    with read_only(folder):
        players.until_ready(503)
    players.until_ready(200)
    players.client.close()
