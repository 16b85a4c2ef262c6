"""A short siege: every rude client at once, and nobody who plays is let down."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_while_the_rude_do_their_worst_every_move_is_made_and_heard_of() -> None:
    size = ["--seconds", "3", "--matches", "5", "--each", "1"]
    patient = ["--bearable", "1000000"]  # how long moves take is measured by make siege, on a quiet machine
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.siege", *size, *patient], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "no error" in ran.stdout
    met = ran.stdout.partition("the rude met: ")[2]
    for what in (
        "home 200",
        "endless headers cut off",
        "half requests",
        "solve 200",
        "next 200",
        "id 404",
        "guess 404",
    ):
        assert what in met, met
