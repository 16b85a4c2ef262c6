"""Intervals hold the truth at least 93 times in 100, however few rounds there were: by runs of a world that is known.

`make coverage` does the same with many more runs, player by player.
"""

import os
from collections import Counter
from math import sqrt
from typing import Any

import pytest

from arena.world import WORLDS, World, coverage

MANY = "BITDUEL_COVERAGE" in os.environ
RUNS = int(os.environ.get("BITDUEL_COVERAGE", "80"))
ROUNDS = (1, 2, 3, 10, 30)
LONG = "two, all dealt"
"""The world whose long runs are in the first tier too: the fewest matches that have everything in them."""
LEAST = 0.93
CHANCE = 3.0
"""So many standard deviations fewer may be chance: of so few runs more, of many next to nothing."""
KINDS = {"score", "wins as first", "wins as second", "regret", "blunders", "kept", "strength", "first seat", "behind"}


def least(printed: int) -> float:
    """How many of so many intervals must hold the truth where each does with the least probability."""
    return LEAST * printed - CHANCE * sqrt(printed * LEAST * (1 - LEAST))


def case(world: World, rounds: int) -> Any:
    """Runs of many rounds take long: the first tier has only short ones where two meet, and one longer."""
    quick = len(world.players) == 2 and rounds in ((2, 10) if world.name == LONG else (2,))
    marks = [] if quick or MANY else [pytest.mark.thorough]
    return pytest.param(world, rounds, id=f"{world.name}-{rounds}", marks=marks)


@pytest.mark.parametrize(("world", "rounds"), [case(world, rounds) for world in WORLDS for rounds in ROUNDS])
def test_every_interval_that_is_printed_holds_the_truth(world: World, rounds: int) -> None:
    found = coverage(world, rounds, RUNS * (3 if len(world.players) == 2 else 1))
    held: Counter[str] = Counter()
    printed: Counter[str] = Counter()
    for (kind, player), (inside, count) in found.items():
        assert inside >= least(count), f"{kind} of {player}: {inside} of {count}"
        held[kind] += inside
        printed[kind] += count
    for kind, count in sorted(printed.items()):
        print(f"{world.name}, {rounds} rounds, {kind}: {held[kind] / count:.3f} of {count}")
        assert held[kind] >= min(LEAST * count, count - 1), f"{kind}: {held[kind]} of {count}"


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_with_many_rounds_every_kind_of_interval_is_printed(world: World) -> None:
    expected = KINDS | ({"luck score", "luck adjusted"} if "dealt" in world.titles else set())
    assert {kind for kind, _ in coverage(world, 10, 2)} == expected


@pytest.mark.parametrize("name", ["five, all dealt", "two, all dealt", "two, nothing dealt"])
def test_nothing_is_printed_of_a_single_cluster(name: str) -> None:
    (world,) = (world for world in WORLDS if world.name == name)
    assert coverage(world, 1, 5) == {}
