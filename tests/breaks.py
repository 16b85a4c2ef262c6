"""The clauses of docs/rules.md, and a way to break each in a copy of the source and see whether its tests notice."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
RULES = ROOT / "docs" / "rules.md"
BREAKS = ROOT / "tests" / "clauses.toml"
PACKAGE = Path("src", "bitduel")
PATIENCE = 300
"""So many seconds the tests of one clause may take; a broken game can go on for ever."""

STUMBLES = ("SyntaxError", "ImportError", "ModuleNotFoundError", "NameError", "AttributeError", "TypeError")
"""A test that fails like this has met a program that does not work, not a rule that is broken."""

PROGRAM = """
import sys
from pathlib import Path

import bitduel.cli
from bitduel.core.match import Match
from bitduel.games.registry import all_games

assert Path(bitduel.__file__).is_relative_to(sys.argv[1]), "the tests would run on another copy"
for kind in all_games():
    game = kind()
    match = Match(game, deal=game.any_deal())
    match.play(match.legal[0])

import pytest

sys.exit(pytest.main(sys.argv[2:]))
"""
"""Sees that the copy can be imported and every game begun; only then come the tests."""


class Clause(NamedTuple):
    """One row of a table of docs/rules.md."""

    game: str
    slug: str
    row: int
    text: str
    tests: tuple[str, ...]


class Break(NamedTuple):
    """One text of one source file and what stands there instead; how says in a few words what that breaks."""

    file: str
    old: str
    new: str
    how: str

    @property
    def fits(self) -> int:
        """How often the old text occurs in its file."""
        file = ROOT / PACKAGE / self.file
        return file.read_text(encoding="utf-8").count(self.old) if file.is_file() else 0


class Finding(NamedTuple):
    """What became of a broken clause: the test that noticed, or why none did."""

    test: str = ""
    trouble: str = ""


@cache
def clauses() -> tuple[Clause, ...]:
    """Every row of every table, in order."""
    return tuple(read_clauses(RULES.read_text(encoding="utf-8")))


def read_clauses(text: str) -> list[Clause]:
    """The rows of the tables in a text like docs/rules.md; a line of a table that is no row is an error."""
    found: list[Clause] = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        names = re.search(r"`bitduel play ([\w-]+)`, or `bitduel play (\w+)` for short", section)
        for line in section.splitlines():
            if not line.startswith("|") or line.startswith(("| # |", "| --- |")):
                continue
            cells = re.fullmatch(r"\| (\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|[^|]*\|", line)
            if not (cells and names):
                raise ValueError(f"This is no row of a clause: {line}")
            tests = tuple(re.findall(r"`(tests/[\w/]+\.py::\w+)`", cells[3]))
            found.append(Clause(names[2], names[1], int(cells[1]), cells[2], tests))
    return found


@cache
def breaks() -> dict[tuple[str, int], Break]:
    """The break of every clause, by game and row."""
    games = tomllib.loads(BREAKS.read_text(encoding="utf-8"))
    return {(game, int(row)): Break(**told) for game, rows in games.items() for row, told in rows.items()}


def complaints(rows: Sequence[Clause], changes: Mapping[tuple[str, int], Break]) -> list[str]:
    """What is wrong before anything is tried: rows without a break or a test, breaks without a row or a place."""
    keys = [(clause.game, clause.row) for clause in rows]
    return [
        *(f"{game} {row} stands in the tables twice." for game, row in sorted({k for k in keys if keys.count(k) > 1})),
        *(f"{clause.game} {clause.row} names no test." for clause in rows if not clause.tests),
        *(f"{game} {row} has no break." for game, row in keys if (game, row) not in changes),
        *(f"{game} {row} has a break, but is no clause." for game, row in changes if (game, row) not in keys),
        *(f"{g} {r}: fits {b.fits} times in {b.file}, not once." for (g, r), b in changes.items() if b.fits != 1),
    ]


class Copy:
    """A copy of the source and of its tests; breaks are made in copies of this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "sound"
        for name in ("src", "tests"):
            shutil.copytree(ROOT / name, self.folder / name)
        shutil.copy2(ROOT / "pyproject.toml", self.folder)

    def failing(self, tests: list[str]) -> Finding:
        """The first of the tests that fails on the unbroken copy, or why they did not run; neither where all pass."""
        return self._run(self.folder, tests)

    def broken(self, tests: list[str], change: Break) -> Finding:
        """The first of the tests that notices the change, or why none did."""
        with TemporaryDirectory(dir=self.folder.parent) as folder:
            shutil.copytree(self.folder / "src", Path(folder) / "src")
            file = Path(folder) / PACKAGE / change.file
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace(change.old, change.new), encoding="utf-8")
            shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)
            found = self._run(Path(folder), tests)
        return found if found.test or found.trouble else Finding(trouble="no test notices")

    def _run(self, folder: Path, tests: list[str]) -> Finding:
        """Run tests of the copy on the source in a folder, up to the first that fails."""
        report = folder / "report.xml"
        arguments = ["-q", "--maxfail=1", "-p", "no:cacheprovider", f"--junitxml={report}"]
        command = [sys.executable, "-c", PROGRAM, str(folder / "src"), *arguments, *tests]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment = {**kept, "PYTHONPATH": str(folder / "src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        try:
            ran = subprocess.run(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return Finding(trouble=f"the tests go on for more than {PATIENCE} seconds")
        if not report.is_file():
            said = (ran.stderr or ran.stdout).strip() or f"Python ends with status {ran.returncode}"
            return Finding(trouble=f"nothing can be tried: {said.splitlines()[-1]}")
        return _told(report, ran.returncode)


def _told(report: Path, status: int) -> Finding:
    """What a report of pytest says: the first test that failed, or what kept the tests from running."""
    for case in ElementTree.parse(report).iter("testcase"):
        failure, error, name = case.find("failure"), case.find("error"), case.get("name", "").partition("[")[0]
        said = failure.get("message", "") if failure is not None else ""
        if error is not None or said.startswith(STUMBLES):
            return Finding(trouble=f"{name} stumbles: {(said or 'before it begins').splitlines()[0]}")
        if failure is not None:
            return Finding(name)
    return Finding(trouble=f"pytest ends with status {status}" if status else "")
