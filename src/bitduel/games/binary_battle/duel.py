"""What two players score against each other on a hidden table, exactly: each is followed alone, in all his turns."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bitduel.core.evaluator import Policy
from bitduel.core.view import UNSEEN, View
from bitduel.games.binary_battle.equilibrium.knowledge import Array, arrival_masks, neighbours
from bitduel.games.binary_battle.rules import BattleBoard, BinaryBattle

Plan = Callable[[int, int, int, int], Array]
"""From turn, number, low and high to the chance of toggling each bit."""

REST = 1e-7
"""A share of the secrets that is too small to be followed further."""

MOST_TURNS = 2000
"""Who has not hit by then never does; if neither has, both have half."""


def score(bits: int, first: Policy, second: Policy) -> float:
    """What the player who starts scores: who hits in an earlier turn wins, in the same turn the one who starts."""
    one, two = (_pace(bits, order, habit) for order, habit in ((1, first), (2, second)))
    turns = max(len(one), len(two))
    one, two = (np.vstack([pace, np.zeros((turns - len(pace), 1 << bits))]) for pace in (one, two))
    missed = 1 - np.cumsum(two, axis=0) + two
    won = (one * missed).sum()
    neither = ((1 - one.sum(axis=0)) * (1 - two.sum(axis=0))).sum()
    return float(won + neither / 2) / (1 << bits)


def _pace(bits: int, order: int, habit: Policy) -> Array:
    """The hits of somebody in either order; who plays the same whenever he knows the same hits alike in both."""
    return _kept(bits, 1 if habit.timeless else order, habit)


@lru_cache(maxsize=16)
def _kept(bits: int, order: int, habit: Policy) -> Array:
    return hits(bits, plan_of(bits, order, habit), habit.timeless)


def hits(bits: int, plan: Plan, timeless: bool, most: int = MOST_TURNS) -> Array:
    """Return [turn - 1, secret] -> the chance of hitting that secret in that turn, as far as anybody follows."""
    size = 1 << bits
    here = np.zeros((size, size + 1, size + 1))
    here[0, 0, size] = 1
    shares, known = np.zeros((bits, *here.shape)), np.zeros(here.shape, np.bool_)
    found: list[Array] = []
    while len(found) < most and size - np.sum(found) > REST * size:
        if not timeless:
            known[:] = False
        for number, low, end in np.argwhere((here > 0) & ~known).tolist():
            shares[:, number, low, end] = plan(len(found) + 1, number, low, end - 1)
            known[number, low, end] = True
        hit, here = _turn(bits, here, shares)
        found.append(hit)
    return np.array(found)


def _turn(bits: int, here: Array, shares: Array) -> tuple[Array, Array]:
    """Whom a turn hits, and where it leads otherwise, by number, low and high + 1."""
    guesses, open_ = arrival_masks(bits)
    each = np.arange(1 << bits)
    arriving = sum((here * share)[targets] for share, targets in zip(shares, neighbours(bits), strict=True))
    inside = np.where(guesses, arriving, 0)
    then = arriving - inside
    then[each, :, each] += inside.sum(axis=2)
    then[each, each + 1, :] += inside.sum(axis=1)
    return inside.sum(axis=(1, 2)), np.where(open_, then, 0)


def plan_of(bits: int, order: int, habit: Policy) -> Plan:
    """How somebody plays in that order, by what is known."""
    game = BinaryBattle(bits=bits)

    def plan(turn: int, number: int, low: int, high: int) -> Array:
        view = View(
            game=game.slug,
            options=dict(game.open_options),
            seat=order,
            first=1,
            to_move=order,
            board=BattleBoard(mine=game.row(number), low=low, high=high),
            history=(UNSEEN,) * (2 * turn - 3 + order),
            legal=game.moves,
            over=None,
            deal=None,
        )
        shares = habit.behaviour(view)
        return np.array([shares.get(move, 0) for move in game.moves])

    return plan
