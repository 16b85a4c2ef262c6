"""Every clause of docs/rules.md can be broken, and its own tests notice; `make clauses` tries them all."""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from breaks import ROOT, Break, Copy, breaks, clauses, complaints, read_clauses

SAMPLE = {"bits": 8, "31": 20}
"""Rows that stand for all, which the script itself tries."""

ROW = """\
## Chess

`bitduel play little-chess`, or `bitduel play chess` for short.

| # | section | what the rulebook asks for | test | where it is unclear |
| --- | --- | --- | --- | --- |
| 1 | Setup | There is a board. | `tests/test_chess.py::test_there_is_a_board` | |
"""


def test_every_clause_has_a_break_and_every_break_fits_in_one_place() -> None:
    assert len(clauses()) > 100
    assert complaints(clauses(), breaks()) == []


def test_no_two_clauses_of_a_game_are_broken_alike() -> None:
    alike = Counter((game, change[:3]) for (game, _), change in breaks().items())
    assert not [told for told, times in alike.items() if times > 1]


def test_a_row_without_a_break_and_a_break_without_a_row_or_a_place_are_told() -> None:
    rows = read_clauses(ROW)
    assert [(row.game, row.slug, row.row, row.text) for row in rows] == [
        ("chess", "little-chess", 1, "There is a board.")
    ]
    assert complaints(rows, {}) == ["chess 1 has no break."]
    assert complaints([*rows, rows[0]._replace(tests=())], {("go", 1): Break("cli.py", "no such text", "", "")}) == [
        "chess 1 stands in the tables twice.",
        "chess 1 names no test.",
        "chess 1 has no break.",
        "chess 1 has no break.",
        "go 1 has a break, but is no clause.",
        "go 1: fits 0 times in cli.py, not once.",
    ]
    with pytest.raises(ValueError, match="This is no row of a clause: "):
        read_clauses(ROW + "| two | Setup | There are pieces. |\n")


def test_a_broken_clause_is_noticed_by_its_own_tests(tmp_path: Path) -> None:
    sample = [clause for clause in clauses() if SAMPLE.get(clause.game) == clause.row]
    copy = Copy(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda c: copy.broken(list(c.tests), breaks()[c.game, c.row]), sample))
    for clause, finding in zip(sample, found, strict=True):
        assert finding.trouble == ""
        assert finding.test in {test.partition("::")[2] for test in clause.tests}


@pytest.mark.thorough
def test_what_no_test_notices_and_what_does_not_run_is_told(tmp_path: Path) -> None:
    tests = ["tests/games/test_binary_race_64.py::test_the_shared_total_starts_at_1"]
    copy = Copy(tmp_path)
    rules = "games/number_race/rules.py"
    unnoticed = copy.broken(tests, Break(rules, "position.number * 2)", "position.number * 3)", "doubling triples"))
    assert unnoticed == ("", "no test notices")
    lame = copy.broken(
        tests, Break(rules, "class NumberBoard(NamedTuple)", "class NumberBoard(NamedTupel)", "a slip of the pen")
    )
    assert (lame.test, lame.trouble.partition(": ")[0]) == ("", "nothing can be tried")
    stumbling = copy.broken(tests, Break("core/match.py", "return self._turn.position", "return position", "a slip"))
    assert (stumbling.test, stumbling.trouble.partition(": ")[0]) == ("", "test_the_shared_total_starts_at_1 stumbles")


@pytest.mark.thorough
def test_the_script_tells_a_clause_in_a_line_and_refuses_one_that_does_not_exist() -> None:
    def script(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "scripts" / "clauses.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    told = script("--game", "double-or-nothing", "--row", "19", "--jobs", "1")
    assert (told.stderr, told.returncode) == ("", 0)
    head, row, last = told.stdout.splitlines()
    assert head.split() == ["game", "row", "clause", "what", "was", "broken", "the", "test", "that", "noticed"]
    assert row.split("  ")[0] == "double"
    assert row.endswith("  test_a_wrong_option_is_answered_by_a_sentence_that_says_what_is_allowed")
    assert last == "1 of 1 clauses are noticed when broken, and pass unbroken."
    none = script("--game", "chess")
    assert (none.stdout, none.returncode) == ("There is no such clause.\n", 1)
