"""Playing on and on takes no more memory: a short version here, ten million moves of every game in `make proofs`."""

import subprocess
import sys

import pytest

from bitduel.games import make

PLAY = """
import sys
from pathlib import Path
from random import Random
from bitduel.core.match import Match
from bitduel.games import shelf

def resident():
    return int(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in line))

def play(game, moves, rng):
    match = Match(game, deal=game.deal(rng))
    for _ in range(moves):
        legal = match.legal
        match.play(legal[int(rng.random() * len(legal))])
        if match.outcome:
            match = Match(game, deal=game.deal(rng))

moves, rng = int(sys.argv[1]), Random(1)
games = [kind() for kind in shelf()]
for game in games:
    play(game, 60_000, rng)
before = resident()
for game in games:
    play(game, moves, rng)
print(resident() - before)
"""

MEGABYTES = 32


def growth(moves: int) -> float:
    """How many MB more are in use after so many random moves of every game in one process."""
    ran = subprocess.run([sys.executable, "-c", PLAY, str(moves)], capture_output=True, text=True, check=True)
    return int(ran.stdout) / 1024


@pytest.mark.skipif(sys.platform != "linux", reason="memory in use is read from /proc")
def test_random_moves_leave_memory_flat() -> None:
    assert growth(100_000) < MEGABYTES


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory in use is read from /proc")
def test_ten_million_random_moves_of_every_game_leave_memory_flat() -> None:
    assert growth(10_000_000) < MEGABYTES


@pytest.mark.parametrize(("again", "rests"), [(0, True), (4, True), (5, False), (20, False)])
def test_turns_are_kept_on_where_a_quarter_of_them_was_met_again(again: int, rests: bool) -> None:
    game = make("64", {"target": 1000})
    opening = game.opening()
    number = opening.position.number
    for more in range(1, 20):
        game.turn(opening.position._replace(number=number + more))
    for turn in list(game.turns.values())[:again]:
        turn.then = {"add": opening}
    assert len(game.turns) == 20
    game.forget()
    assert game.rest == (4 * game.most_turns if rests else 0)
    assert (game.turns, game.openings) == ({}, {})
