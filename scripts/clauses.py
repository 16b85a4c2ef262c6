"""Break each clause of docs/rules.md once, in a copy, and show which of its own tests notices.

First every test that the tables name must pass on an unbroken copy. Then for each row one text of one source file is
replaced, as tests/clauses.toml says, and the tests of that row are run on the broken copy: the package must still
import, every game must still begin, and at least one of the tests must fail.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from breaks import Clause, Copy, Finding, breaks, clauses, complaints  # noqa: E402

WIDTHS = (6, 3, 52, 56)


def line(*cells: str) -> str:
    """One line of the table; the last cell is as long as it is."""
    fitted = [
        f"{shorten(cell, width, placeholder=' ...'):<{width}}" for cell, width in zip(cells, WIDTHS, strict=False)
    ]
    return "  ".join([*fitted, cells[-1]])


def told(clause: Clause, found: Finding) -> str:
    """Return the line that reports one clause."""
    how = breaks()[clause.game, clause.row].how
    return line(clause.game, str(clause.row), clause.text, how, found.test or f"NOT NOTICED: {found.trouble}")


def show(chosen: list[Clause], jobs: int) -> bool:
    """Break every chosen clause and tell in a line each what noticed; whether something noticed every time."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copy = Copy(Path(folder))
        unbroken = copy.failing(sorted({test for clause in chosen for test in clause.tests}))
        if unbroken.test or unbroken.trouble:
            print(f"Fails on the unbroken copy: {unbroken.test or unbroken.trouble}")
            return False
        print(line("game", "row", "clause", "what was broken", "the test that noticed"))
        tried = pool.map(lambda c: copy.broken(list(c.tests), breaks()[c.game, c.row]), chosen)
        noticed = []
        for clause, found in zip(chosen, tried, strict=True):
            print(told(clause, found), flush=True)
            noticed.append(bool(found.test))
    print(f"{sum(noticed)} of {len(noticed)} clauses are noticed when broken, and pass unbroken.")
    return all(noticed)


def main() -> int:
    """Break all that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="only the clauses of this game, by its name or short name")
    parser.add_argument("--row", type=int, help="only the clauses of this number")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    asked = parser.parse_args()
    wrong = complaints(clauses(), breaks())
    chosen = [c for c in clauses() if asked.game in (None, c.game, c.slug) and asked.row in (None, c.row)]
    for sentence in wrong if chosen else ["There is no such clause."]:
        print(sentence)
    if wrong or not chosen:
        return 1
    return 0 if show(chosen, asked.jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
