"""A short run of many players behind one address, with every kind of rude neighbour there."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_players_who_share_an_address_are_refused_by_no_neighbour_there() -> None:
    size = ["--seconds", "2", "--players", "20", "--alone", "10", "--bearable", "1000000"]
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.one_address", *size], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("refused 0") == 7
    for met in ("200", "201", "404", "begun"):
        assert f"{met} " in ran.stdout
