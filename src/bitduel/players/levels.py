"""How far and how clearly players see who are not perfect, and how likely each move then is."""

from typing import NamedTuple

import numpy as np

from bitduel.core.judge import TIE, Shares
from bitduel.players.spec import EASY, HARD, MEDIUM
from bitduel.solve.outlook import Chances, Outlook, shared

FEW = 4
"""Who can go wrong in more ways than these in the dark does not go wrong more often."""


class Level(NamedTuple):
    """A player who errs like a person: the less it costs and the deeper it hides, the sooner."""

    sight: int
    """Ends that are further away, in plies, are not seen."""
    sharpness: float
    """How clearly an end in one ply is seen; one that is further away, less."""
    ambition: float
    """How keen to choose of drawing moves those on which the other may go wrong."""


LEVELS = {EASY: Level(2, 2.3, 1.5), MEDIUM: Level(4, 5.8, 7), HARD: Level(8, 9.4, 150)}
"""The named levels; docs/solving.md tells how they fare against each other."""


def soft(outlook: Outlook, level: Level) -> Chances:
    """A choice in proportion to how good each move looks; a draw is kept alive where it can be."""
    seen = outlook.sign * (outlook.plies <= level.sight)
    clear = np.exp(seen * level.sharpness / (4 * np.maximum(outlook.plies, 1) - 3))
    draws = outlook.draws
    keen = outlook.alive(draws) * _keenness(outlook, level)
    return shared(outlook.legal * np.where(draws, draws.sum(axis=1, keepdims=True) * shared(keen), clear))


def _keenness(outlook: Outlook, level: Level) -> Chances:
    if not (level.ambition and outlook.draws.sum(axis=1).max(initial=0) > 1):
        return np.ones(outlook.legal.shape)
    return np.asarray(np.exp(level.ambition * (outlook.hopes() - 1)), np.float64)


def sharp(outlook: Outlook, sight: int) -> Chances:
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
