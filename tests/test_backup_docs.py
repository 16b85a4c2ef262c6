"""The examples of the page on backup and restore run, beside a site that goes on."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import open_store
from postgres_server import Cluster

PAGE = (Path(__file__).parents[1] / "docs" / "backup.md").read_text(encoding="utf-8")
BACK_UP, DAILY, LOOK, RESTORE = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
(POSTGRESQL,) = re.findall(r"```postgresql\n(.*?)```", PAGE, flags=re.DOTALL)


def run(script: str, folder: Path, **more: str) -> str:
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": search, "BITDUEL_DB": "sqlite:///site.db", **more}
    done = subprocess.run(
        ["sh", "-e"], input=script, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class Site:
    """A site that serves site.db in a folder."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "bitduel", "serve", "--port", "0", "--db", f"sqlite:///{folder}/site.db"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.process.stdout.readline())
        assert found
        self.url = found[0]

    def begin(self) -> str:
        transport = httpx.HTTPTransport(retries=5)
        with httpx.Client(transport=transport, timeout=30) as client:
            made = client.post(f"{self.url}api/v1/matches", json={"game": "64", "opponent": "easy"})
        match_id: str = made.raise_for_status().json()["match"]["id"]
        return match_id

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    yield found
    found.stop()


@pytest.mark.thorough
def test_a_site_is_backed_up_while_it_runs_and_restored_after_it_has_stopped(tmp_path: Path, site: Site) -> None:
    before = site.begin()
    assert "Backed up 1 match" in run(BACK_UP, tmp_path)
    assert "Backed up" in run(DAILY, tmp_path)
    assert "Backed up" in run(DAILY, tmp_path), "a second time on the same day"
    after = site.begin()
    shown = run(LOOK, tmp_path)
    assert before in shown
    assert after not in shown
    site.stop()
    with closing(sqlite3.connect(shutil.copyfile(tmp_path / "site.db", tmp_path / "plain.db"))) as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (2,), "a plain copy has everything"
    run(RESTORE, tmp_path)
    assert [line.split()[0] for line in run("bitduel history", tmp_path).splitlines()] == [before]
    again = Site(tmp_path)
    again.begin()
    again.stop()


def test_a_database_of_postgresql_is_backed_up_and_restored_by_its_own_programs(
    postgres_url: str, postgres_cluster: Cluster, tmp_path: Path
) -> None:
    if not (postgres_cluster.programs / "pg_dump").exists():
        pytest.skip("pg_dump is not installed here")
    back_up, restore = POSTGRESQL.strip().splitlines()
    more = {"URL": postgres_url, "PATH": f"{postgres_cluster.programs}{os.pathsep}{os.environ['PATH']}"}
    with open_store(postgres_url) as store:
        before = store.begin(Match(make("64"), moves=["add"]), ("human", "human"), ("Ada", "Ben"))
    run(back_up, tmp_path, **more)
    with open_store(postgres_url) as store:
        store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))
    run(restore, tmp_path, **more)
    with open_store(postgres_url) as store:
        assert [kept.id for kept in store.matches()] == [before]
        store.add(before, 1, "add")
