"""Slow and plain ways to the same figures, sharing no code with the package."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from bitduel.games.binary_battle.equilibrium import Equilibrium, solve

Turns = tuple[int, ...]


@cache
def solved(bits: int) -> Equilibrium:
    """The equilibrium for this many bits, solved once for all tests."""
    return solve(bits)


def _undominated(found: set[Turns]) -> frozenset[Turns]:
    rows = np.array(sorted(found))
    kept = []
    for row in rows:
        no_later = (rows <= row).all(axis=1)
        if no_later.sum() == 1:
            kept.append(tuple(int(turn) for turn in row))
    return frozenset(kept)


@cache
def pure_strategies(bits: int, number: int, low: int, high: int, left: int) -> frozenset[Turns]:
    """Return the hitting turns of low..high that can be had within the turns left, the best only."""
    if low > high:
        return frozenset([()])
    if not left:
        return frozenset()
    found: set[Turns] = set()
    for place in range(bits):
        target = number ^ (1 << place)
        if low <= target <= high:
            below = pure_strategies(bits, target, low, target - 1, left - 1)
            above = pure_strategies(bits, target, target + 1, high, left - 1)
            found |= {(*a, 0, *b) for a, b in product(below, above)}
        else:
            found |= pure_strategies(bits, target, low, high, left - 1)
    return _undominated({tuple(turn + 1 for turn in turns) for turns in found}) if found else frozenset()


def matrix_value(bits: int, left: int) -> float:
    """Return the value of the matrix game between all undominated pure strategies."""
    from scipy.optimize import linprog

    turns = np.array(sorted(pure_strategies(bits, 0, 0, (1 << bits) - 1, left)))
    wins = (turns[:, None, :] <= turns[None, :, :]).mean(axis=2)
    count = len(turns)
    cost = np.append(np.zeros(count), -1.0)
    limits = np.hstack([-wins.T, np.ones((count, 1))])
    total = np.append(np.ones(count), 0.0)[None, :]
    bounds = [(0, None)] * count + [(None, None)]
    return -float(linprog(cost, limits, np.zeros(count), total, [1.0], bounds).fun)


def hitting_chances(game: Equilibrium, seat: int, secret: int) -> list[float]:
    """Follow the behaviour of a seat against one secret and return its chance to hit by turn."""
    places = {(0, 0, (1 << game.bits) - 1): 1.0}
    hits: list[float] = []
    while places:
        hit, after = 0.0, dict[tuple[int, int, int], float]()
        for (number, low, high), weight in places.items():
            chances = game.behaviour(seat, len(hits) + 1, number, low, high)
            for place, chance in enumerate(chances):
                if not chance:
                    continue
                target = number ^ (1 << (game.bits - 1 - place))
                if target == secret:
                    hit += weight * chance
                    continue
                inside = low <= target <= high
                left = target + 1 if inside and target < secret else low
                right = target - 1 if inside and target > secret else high
                key = (target, left, right)
                after[key] = after.get(key, 0.0) + weight * chance
        hits.append(hit)
        places = after
    return hits


def played_value(game: Equilibrium) -> float:
    """Return player 1's win probability, secret by secret."""
    total = 0.0
    for secret in range(1 << game.bits):
        first, second = (hitting_chances(game, seat, secret) for seat in (1, 2))
        total += sum(chance * sum(second[turn:]) for turn, chance in enumerate(first))
    return total / (1 << game.bits)


def open_bound(bits: int, plies: int, unfinished: int) -> Fraction:
    """Return player 1's share with the table open, what takes too long counting as told."""

    @cache
    def won(mine: int, theirs: int, low: int, high: int, left: int, late: int) -> int:
        length = high - low + 1
        if length <= 0:
            return 0
        if not left:
            return late * length
        best = 0
        for place in range(bits):
            target = mine ^ (1 << place)
            if low <= target <= high:
                lost = won(theirs, target, low, target - 1, left - 1, 1 - late)
                lost += won(theirs, target, target + 1, high, left - 1, 1 - late)
            else:
                lost = won(theirs, target, low, high, left - 1, 1 - late)
            best = max(best, length - lost)
        return best

    return Fraction(won(0, 0, 0, (1 << bits) - 1, plies, unfinished), 1 << bits)
