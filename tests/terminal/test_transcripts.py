"""What the terminal prints, byte for byte: the golden transcripts of each game, and some of our own."""

import shlex
from pathlib import Path

import pytest

from bitduel.games.registry import all_games
from helpers import bitduel

HERE = Path(__file__).parent / "transcripts"
SHARED = Path(__file__).parents[3] / "shared" / "transcripts"
CASES = [pytest.param(p.with_suffix(""), id=f"{p.parent.name}/{p.stem}") for p in sorted(HERE.rglob("*.args"))]


@pytest.mark.parametrize("case", CASES)
def test_a_transcript_is_printed_byte_for_byte(case: Path) -> None:
    arguments = shlex.split(case.with_suffix(".args").read_text(encoding="utf-8"))
    ran = bitduel(*arguments, stdin=case.with_suffix(".in").read_text(encoding="utf-8"))
    assert ran.out == case.with_suffix(".out").read_text(encoding="utf-8")
    assert (ran.err, ran.status) == ("", 0)


def test_every_game_has_the_sample_of_its_rulebook() -> None:
    assert all((HERE / kind.slug / "rulebook-sample.out").is_file() for kind in all_games())


@pytest.mark.skipif(not SHARED.is_dir(), reason="the settled transcripts are not beside this checkout")
def test_the_settled_transcripts_are_all_here() -> None:
    for settled in SHARED.glob("*/*.*"):
        assert (HERE / settled.relative_to(SHARED)).read_bytes() == settled.read_bytes()
