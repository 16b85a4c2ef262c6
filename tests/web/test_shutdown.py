"""However the site ends, its database is whole in one file, and nothing temporary stays."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bitduel.storage import open_store
from helpers import hear_signals
from web.sites import PATIENT, Events, bearer, free_port

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
PAUSE = 0.02
"""Seconds between two looks at something that takes a while."""
Start = Callable[..., "Site"]


class Site:
    """A site in a process group of its own, as a shell starts one, with a folder for what is temporary."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.log = folder / "log"
        command = [sys.executable, "-m", "bitduel", "serve", "--port", "0", *arguments]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "TMPDIR": str(self.temporary)},
                preexec_fn=hear_signals,
                start_new_session=True,
            )

    def ready(self) -> "Site":
        assert self.process.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+", self.process.stdout.readline().decode())
        assert found
        self.url = found[0]
        with httpx.Client(base_url=self.url, timeout=PATIENT) as client:
            while True:
                try:
                    client.get("/healthz")
                except httpx.TransportError:
                    assert self.process.poll() is None, self.log.read_text()
                    time.sleep(PAUSE)
                else:
                    return self

    def play(self) -> str:
        """Begin a match and make a move; its id."""
        with httpx.Client(base_url=self.url, timeout=PATIENT) as client:
            made = client.post("/api/v1/matches", json={"game": "64", "first": "1"}).json()
            match_id: str = made["match"]["id"]
            self.token = made["token"]
            move = {"ply": 0, "move": "add"}
            path = f"/api/v1/matches/{match_id}/moves"
            client.post(path, json=move, headers=bearer(self.token)).raise_for_status()
        return match_id

    def end(self, *numbers: int) -> int:
        """Send signals to the whole group, as a terminal does."""
        for number in numbers:
            os.killpg(self.process.pid, number)
        return self.process.wait(PATIENT)

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Site] = []

    def run(*arguments: str) -> Site:
        started.append(Site(tmp_path, *arguments))
        return started[-1]

    yield run
    for site in started:
        site.close()


def moves_in_a_plain_copy(path: Path) -> list[tuple[str]]:
    copy = path.with_name("copy.db")
    shutil.copyfile(path, copy)
    with closing(sqlite3.connect(copy)) as connection:
        return connection.execute("SELECT move FROM moves").fetchall()


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param([signal.SIGTERM], marks=pytest.mark.thorough),
        pytest.param([signal.SIGINT], marks=pytest.mark.thorough),
        pytest.param([signal.SIGHUP], marks=pytest.mark.thorough),
        [signal.SIGINT] * 2,
    ],
    ids=str,
)
def test_after_a_signal_a_plain_copy_of_the_file_has_everything(
    tmp_path: Path, start: Start, numbers: list[int]
) -> None:
    path = tmp_path / "site.db"
    site = start("--db", f"sqlite:///{path}", "--metrics-port", str(free_port())).ready()
    match_id = site.play()
    assert list(site.temporary.iterdir())
    client = httpx.Client(base_url=site.url, headers=bearer(site.token), timeout=PATIENT)
    with client, Events(client, f"/api/v1/matches/{match_id}/events") as events:  # a page that stays open
        events.next()
        status = site.end(*numbers)
    assert status == (0 if signal.SIGINT in numbers else -signal.SIGTERM)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("site.db")] == ["site.db"]
    assert moves_in_a_plain_copy(path) == [("add",)]
    assert list(site.temporary.iterdir()) == []
    assert "Traceback" not in site.log.read_text()


@pytest.mark.parametrize(
    "number",
    [pytest.param(each, marks=pytest.mark.thorough if number else []) for number, each in enumerate(SIGNALS)],
    ids=lambda each: each.name,
)
def test_a_site_that_is_still_preparing_leaves_nothing_either(tmp_path: Path, start: Start, number: int) -> None:
    site = start("--db", f"sqlite:///{tmp_path}/site.db", "--metrics-port", str(free_port()))
    while "Preparing" not in site.log.read_text():
        assert site.process.poll() is None
        time.sleep(0.001)
    site.end(number)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["log", "site.db", "tmp"]
    assert list(site.temporary.iterdir()) == []
    assert "Traceback" not in site.log.read_text()


@pytest.mark.thorough
def test_figures_that_cannot_be_told_leave_no_folder(tmp_path: Path, start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        site = start("--db", f"sqlite:///{tmp_path}/site.db", "--metrics-port", str(taken.getsockname()[1]))
        assert site.process.wait(PATIENT) == 1
    assert list(site.temporary.iterdir()) == []


@pytest.mark.parametrize(
    "numbers",
    [
        [signal.SIGTERM],
        pytest.param([signal.SIGINT], marks=pytest.mark.thorough),
        pytest.param([signal.SIGHUP], marks=pytest.mark.thorough),
        pytest.param([signal.SIGINT] * 2, marks=pytest.mark.thorough),
    ],
    ids=str,
)
def test_several_workers_end_too_and_leave_no_connection(postgres_url: str, start: Start, numbers: list[int]) -> None:
    import psycopg

    site = start("--db", postgres_url, "--workers", "2", "--metrics-port", str(free_port())).ready()
    match_id = site.play()
    others = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        while [query for (query,) in connection.execute(others)].count('LISTEN "bitduel"') < 2:
            assert site.process.poll() is None  # until both are there
            time.sleep(PAUSE)
        site.end(*numbers)
        while connection.execute(others).fetchall():  # until the server has seen that they are gone
            time.sleep(PAUSE)
    assert list(site.temporary.iterdir()) == []
    assert "Traceback" not in site.log.read_text()
    with open_store(postgres_url) as store:
        assert store.find(match_id).moves == ("add",)
