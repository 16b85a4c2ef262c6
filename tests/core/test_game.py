"""Games as values, and their cache of turns: playing on and on takes no more memory.

A short version is here; `make proofs` makes ten million moves of every game.
"""

import gc
import subprocess
import sys
from random import Random

import pytest

from bitduel.core.errors import OptionError
from bitduel.core.game import Turn
from bitduel.core.match import Match
from bitduel.games.registry import make

PLAY = """
import sys
from pathlib import Path
from random import Random
from bitduel.core.match import Match
from bitduel.games.registry import all_games

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
games = [kind() for kind in all_games()]
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
    opening = game.opening_turn()
    number = opening.position.number
    for more in range(1, 20):
        game.turn(opening.position._replace(number=number + more))
    for turn in list(game.turns.values())[:again]:
        turn.successors = {"add": opening}
    assert len(game.turns) == 20
    game.clear_cache()
    assert game.uncached_turns == (4 * game.max_cached_turns if rests else 0)
    assert (game.turns, game.openings) == ({}, {})


def test_games_are_equal_by_their_rules_and_options() -> None:
    assert make("bits") == make("binary-race-bits", bits=4)
    assert hash(make("bits")) == hash(make("binary-race-bits"))
    assert make("bits") != make("bits", bits=5)
    assert make("64", step=1, target=20) != make("double")
    assert make("bits") != "bits"
    assert Match(make("31")) != "match"


def test_kept_turns_are_bounded_also_in_matches_under_way() -> None:
    game = make("31", length=3000)
    rng = Random(1)
    open_match = Match(game)
    for _ in range(60):
        match = Match(game)
        while match.legal:
            match.play(rng.choice(match.legal))
        if open_match.ply < 50:
            open_match.play("1")
    gc.collect()
    alive = sum(isinstance(thing, Turn) and thing._game is game for thing in gc.get_objects())
    assert len(game.turns) <= game.max_cached_turns
    assert alive <= 3 * game.max_cached_turns


def test_a_match_goes_on_the_same_when_the_game_forgets_its_turns() -> None:
    game, fresh = make("bits"), make("bits")
    match, same = Match(game), Match(fresh)
    rng = Random(3)
    while match.legal:
        move = rng.choice(match.legal)
        match.play(move)
        same.play(move)
        game.clear_cache()
    assert (match.outcome, match.moves) == (same.outcome, same.moves)


@pytest.mark.parametrize("deal", ["junk", 5, b"1"])
def test_nothing_is_dealt_in_a_game_without_chance(deal: str) -> None:
    with pytest.raises(OptionError, match="Nothing is dealt"):
        Match(make("64"), deal=deal)
