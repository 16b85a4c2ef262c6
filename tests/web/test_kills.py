"""A short run of kills: site, worker and terminal die in the middle of moves, and nobody notices for long."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from scripts.kills.ledger import Ledger, ViolationError
from scripts.kills.watched_matches import Figures, Viewer

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]


def run(*arguments: str, also: str = "") -> subprocess.CompletedProcess[str]:
    """The script, with more to import first."""
    paths = [also, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "scripts.kills", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, env=environment, cwd=ROOT)


def kills(ran: subprocess.CompletedProcess[str], kind: str) -> int:
    """How many of a kind were killed without harm."""
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = re.search(rf"^{kind} +(\d+) kills, .*nothing lost, doubled or unseen$", ran.stdout, re.MULTILINE)
    assert found, ran.stdout
    return int(found[1])


def test_sites_and_terminals_that_are_killed_lose_double_and_hide_nothing() -> None:
    ran = run("--kills", "10", "--only", "sites", "--only", "terminals")
    assert (kills(ran, "sites"), kills(ran, "terminals")) == (4, 6)


def test_workers_that_are_killed_lose_double_and_hide_nothing(postgres_url: str) -> None:
    assert kills(run("--kills", "2", "--only", "workers", "--postgres", postgres_url), "workers") == 2


def test_a_store_that_loses_doubles_swaps_or_makes_up_a_move_is_found_out() -> None:
    ledger, dice = Ledger(), Random(3)
    sent = [ledger.send(dice) for _ in range(6)]
    ledger.answered = 5
    assert len(set(sent)) == 2
    for good in (sent, sent[:5]):
        assert ledger.check(good, ledger.due) == len(good)
    other = {"add": "double", "double": "add"}
    swapped = next(at for at in range(5) if sent[at] != sent[at + 1])
    wrong = [sent[:4], [*sent, sent[-1]], [*sent[:-1], other[sent[-1]]], [sent[0], *sent[:5]]]
    wrong.append([*sent[:swapped], sent[swapped + 1], sent[swapped], *sent[swapped + 2 :]])
    for kept in wrong:
        if kept != sent:
            with pytest.raises(ViolationError):
                ledger.check(kept, ledger.due)


def test_what_a_viewer_was_told_of_was_sent_and_stays() -> None:
    ledger, dice = Ledger(), Random(3)
    sent = [ledger.send(dice) for _ in range(3)]
    ledger.see(2)
    with pytest.raises(ViolationError):
        ledger.check(sent[:1], ledger.due)
    with pytest.raises(ViolationError):
        ledger.see(4)


def test_a_viewer_who_is_not_told_is_found_out() -> None:

    async def wait() -> None:
        viewer = Viewer(1, "nowhere", Ledger(), Figures())
        try:
            await viewer.until(0, patience=0.05)
        finally:
            viewer.leave()

    with pytest.raises(ViolationError, match="not seen"):
        asyncio.run(wait())


BROKEN = {
    "unseen": "from bitduel.service.hub import Hub\nHub.published = lambda *_: None",
    "lost": "from bitduel.storage.writes import WriteStamp\nfrom bitduel.storage import Store\n"
    "keep = Store.add\nStore.add = lambda self, *a: WriteStamp('x', 0) if a[1] == 3 else keep(self, *a)",
}


@pytest.mark.slow
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_site_is_found_out(how: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(BROKEN[how])
    ran = run("--kills", "3", "--only", "sites", also=str(tmp_path))
    assert ran.returncode == 1
    assert "VIOLATED" in ran.stdout
