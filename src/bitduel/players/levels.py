"""How far and how clearly players see who are not perfect, and how likely each move then is."""

from typing import NamedTuple

import numpy as np

from bitduel.core.evaluator import TIE, Shares
from bitduel.players.spec import EASY, HARD, MEDIUM
from bitduel.solver.move_values import Chances, MoveValues, shared

FEW = 4
"""Who can go wrong in more ways than these in the dark does not go wrong more often."""


SLOWLY = 1 / 16
"""The power of the distance by which the sense for far ends fades."""

HOPELESS = 1e-6
"""Nothing is more hopeless than this."""


class Level(NamedTuple):
    """A player who errs like a person: the less it costs and the deeper it hides, the sooner."""

    sight: int
    """Where nothing is known but what a search finds, it looks so many plies ahead."""
    sharpness: float
    """How clearly an end in one ply is seen; one that is further away, less."""
    sense: float
    """The part of that which is left for ends that are far away; it fades slowly."""
    haste: float
    """How much less a win is worth for every ply that it comes later."""
    grit: float
    """How keen to choose of losing moves those on which the other may go wrong."""
    ambition: float
    """How keen to choose of drawing moves those on which the other may go wrong."""


LEVELS = {
    EASY: Level(sight=2, sharpness=2.3, sense=0.05, haste=0.02, grit=1, ambition=1.5),
    MEDIUM: Level(sight=4, sharpness=5.8, sense=0.11, haste=0.1, grit=4, ambition=7),
    HARD: Level(sight=8, sharpness=9.4, sense=0.135, haste=0.3, grit=8, ambition=150),
}
"""The named levels; docs/solving.md tells how they fare against each other."""


def soft(outlook: MoveValues, level: Level) -> Chances:
    """A choice in proportion to how good each move looks; a draw is kept alive where it can be."""
    plies = np.maximum(outlook.plies, 1)
    clear = level.sharpness * np.maximum(1 / (4 * plies - 3), level.sense * plies**-SLOWLY)
    look = outlook.sign * clear * np.exp(-level.haste * _delay(outlook)) + level.grit * _despair(outlook)
    draws = outlook.draws
    keen = outlook.alive(draws) * _keenness(outlook, level)
    return shared(outlook.legal * np.where(draws, draws.sum(axis=1, keepdims=True) * shared(keen), np.exp(look)))


def _delay(outlook: MoveValues) -> Chances:
    """By how many plies a winning move wins later than the fastest; 0 for every other move."""
    won = outlook.legal & (outlook.sign > 0)
    nearest = np.where(won, outlook.plies, outlook.plies.max(initial=0)).min(axis=1, keepdims=True)
    return np.where(won, outlook.plies - nearest, 0).astype(np.float64)


def _despair(outlook: MoveValues) -> Chances:
    """How far a losing move lags behind the most hopeful one, 0 or less; 0 for every other move."""
    lost = outlook.legal & (outlook.sign < 0)
    if lost.sum(axis=1).max(initial=0) < 2:
        return np.zeros(lost.shape)
    hope = np.where(lost, outlook.hopes(), 0) + HOPELESS
    return np.where(lost, np.log(hope / hope.max(axis=1, keepdims=True)), 0)


def _keenness(outlook: MoveValues, level: Level) -> Chances:
    if not (level.ambition and outlook.draws.sum(axis=1).max(initial=0) > 1):
        return np.ones(outlook.legal.shape)
    return np.asarray(np.exp(level.ambition * (outlook.hopes() - 1)), np.float64)


def sharp(outlook: MoveValues, sight: int) -> Chances:
    """Any of the moves that look best to somebody who sees so far; a draw is kept alive where it can be."""
    return shared(outlook.alive(outlook.best(sight)))


def dark(hunches: Shares, level: Level) -> dict[str, float]:
    """The same as a soft choice where nobody knows more than how promising each move is."""
    top = max(hunches.values())
    near = {move: hunch / top for move, hunch in hunches.items()}
    wrong = [move for move, share in near.items() if share < 1 - TIE]
    rare = min(1, FEW / max(len(wrong), 1))
    weights = {move: share**level.sharpness * (rare if move in wrong else 1) for move, share in near.items()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}
