"""Bots that would carry what was dealt from one match into the next: it helps them nothing, or the report says so."""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bitduel.arena import run
from bitduel.arena.report import build
from bitduel.arena.report_page import page
from bitduel.arena.report_text import summary
from bitduel.players import process
from bitduel.players.settings import PlayerLimits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux can seal a bot.")

BOT = """
import json, os, sys
NOTES = {notes}
def read():
    for path in NOTES:
        try: return open(path).read()
        except OSError: pass
def write(secret):
    for path in NOTES:
        for how in (os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_CREAT):
            try:
                note = os.open(path, how, 0o666)
                os.fchmod(note, 0o666)
            except OSError: pass
            try: os.write(note, secret.encode())
            except (OSError, NameError): pass
def move(seat, board, legal):
    wanted = seat == 2 and read() or format((board["low"] + board["high"]) // 2, "b").zfill(len(board["mine"]))
    differs = [at for at, (a, b) in enumerate(zip(board["mine"], wanted)) if a != b] or [0]
    return legal[differs[0]]
last = None
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps(dict(type="hello", protocol=1, name="cheat")), flush=True)
    if asked["type"] == "move?":
        chosen = move(asked["view"]["seat"], asked["view"]["board"], asked["legal"])
        bits = list(asked["view"]["board"]["mine"])
        at = asked["legal"].index(chosen)
        bits[at] = "10"[int(bits[at])]
        last = "".join(bits)
        print(json.dumps(dict(type="move", id=asked["id"], move=chosen)), flush=True)
    if asked["type"] == "result":
        told = asked["view"]["deal"]
        secret = told or (last if asked["winner"] == asked["seat"] else None)
        if asked["seat"] == 1: write(secret or "")
"""
"""Plays a plain search, and leaves itself a note of what was dealt where it can: told, or found by winning.

With the first seat it writes, with the second it reads: so the matches of a pair are played, on the same deal.
"""
Rows = list[dict[str, Any]]


@pytest.fixture
def cheat() -> Iterator[Callable[..., Rows]]:
    """Plays a bot that leaves notes in these places against perfect play; the same command, whatever it does."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2], prefix=".cheating-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        bot = folder / "bot.py"

        def rows(notes: list[str], rounds: int = 16, **more: Any) -> Rows:
            bot.write_text(BOT.format(notes=notes))
            spec = f"bot:{sys.executable} {bot}"
            return list(run([spec, "perfect"], "battle", rounds=rounds, seed=3, limits=PlayerLimits(60), **more).rows)

        yield rows


def places(*folders: str) -> list[str]:
    return [str(Path(folder) / f"note-{os.getpid()}") for folder in folders]


def score(rows: Rows) -> float:
    points = [0.5 if row["winner"] is None else row["seats"][row["winner"] - 1] != "perfect" for row in rows]
    return sum(points) / len(points)


def isolated(rows: Rows) -> set[bool | None]:
    """What the rows say of the bot; None where it lost before it was asked."""
    return {row["isolated"][row["seats"].index("perfect") - 1] for row in rows}


def remove(notes: list[str]) -> None:
    for note in notes:
        Path(note).unlink(missing_ok=True)


def test_a_bot_that_leaves_notes_plays_no_better_than_honestly(cheat: Callable[..., Rows]) -> None:
    folder = Path(__file__).parents[2]
    notes = places("/tmp", "/var/tmp", "/dev/shm", str(folder), ".", "/run")
    honest = cheat([], rounds=6)
    try:
        sealed = cheat(notes, rounds=6)
    finally:
        remove(notes)
    if False in isolated(sealed):
        pytest.skip("This system cannot seal a bot.")
    assert [row["moves"] for row in sealed] == [row["moves"] for row in honest]
    assert score(sealed) == score(honest)


@pytest.mark.thorough
def test_that_bot_does_gain_where_it_is_trusted_and_the_report_says_so(
    cheat: Callable[..., Rows], tmp_path: Path
) -> None:
    """So that the test above tells something."""
    notes = places("/var/tmp")
    try:
        trusted = cheat(notes, trust_bots=True, out=tmp_path / "run")
    finally:
        remove(notes)
    assert score(trusted) > score(cheat([]))
    assert isolated(trusted) <= {False, None}
    report = build(tmp_path / "run")
    told = "trust are not protected"
    assert told in " ".join(summary(report))
    assert told in page(report)
    asked = [row for row in trusted if False in row["isolated"]]
    assert list(report.as_data()["not_isolated"].values()) == [len(asked)]


def test_where_the_system_has_no_means_the_report_says_so_too(
    cheat: Callable[..., Rows], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "USE_NAMESPACES", False)
    cheat([], rounds=2, out=tmp_path / "run")
    assert "are not protected" in " ".join(summary(build(tmp_path / "run")))


@pytest.mark.thorough
def test_a_run_of_isolated_bots_says_nothing_of_the_kind(cheat: Callable[..., Rows], tmp_path: Path) -> None:
    rows = cheat([], out=tmp_path / "run")
    if False in isolated(rows):
        pytest.skip("This system cannot seal a bot.")
    assert "not protected" not in " ".join(summary(build(tmp_path / "run")))


LOOKING = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps(dict(type="hello", protocol=1, name="look")), flush=True)
    if asked["type"] == "move?":
        print(json.dumps(dict(type="move", id=asked["id"], move=asked["legal"][0])), flush=True)
    if asked["type"] == "result":
        found = []
        for top, _, names in os.walk("/" + sys.argv[1]):
            found += names
        print(json.dumps([found, asked]), file=sys.stderr, flush=True)
"""


def test_a_bot_finds_no_row_of_its_run_and_is_never_told_what_was_dealt(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[2], prefix=".cheating-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bots").mkdir()
        (folder / "bots" / "bot.py").write_text(LOOKING)
        out, log = folder / "results", folder / "log"
        spec = f"bot:{sys.executable} {folder / 'bots' / 'bot.py'} {str(folder)[1:]}"
        rows = list(run([spec, "easy"], "battle", rounds=3, seed=1, limits=PlayerLimits(60, folder=log), out=out).rows)
        kept = [json.loads(path.read_text()) for path in sorted(log.glob("*/*.err"))]
        assert len(kept) == len(rows) == 6
        for row, (found, told) in zip(sorted(rows, key=lambda row: row["id"]), kept, strict=True):
            assert not {"games.jsonl", "run.json"} & set(found)
            assert told["view"]["deal"] is None
            assert row["deal"] not in json.dumps({**told, "view": {**told["view"], "board": None}})
