"""What the terminal prints, byte for byte: our own transcripts, and the shared ones where they are at hand."""

import shlex
from pathlib import Path

import pytest

from helpers import bitduel

OWN = Path(__file__).parent / "transcripts"
SHARED = Path(__file__).parents[3] / "shared" / "transcripts"


def cases(folder: Path) -> list[object]:
    """Every case below a folder: its arguments, its input and its output."""
    return [pytest.param(p.with_suffix(""), id=f"{p.parent.name}/{p.stem}") for p in sorted(folder.rglob("*.args"))]


def check(case: Path) -> None:
    arguments = shlex.split(case.with_suffix(".args").read_text(encoding="utf-8"))
    ran = bitduel(*arguments, stdin=case.with_suffix(".in").read_text(encoding="utf-8"))
    assert ran.out == case.with_suffix(".out").read_text(encoding="utf-8")
    assert (ran.err, ran.status) == ("", 0)


@pytest.mark.parametrize("case", cases(OWN))
def test_our_own_transcripts(case: Path) -> None:
    check(case)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared transcripts are not beside this checkout")
@pytest.mark.parametrize("case", cases(SHARED))
def test_the_shared_transcripts(case: Path) -> None:
    check(case)
