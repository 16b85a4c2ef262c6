"""What a perfect player may hope for against a fixed weaker opponent, over a whole table, loops included.

The opponent chooses at random: anyone who looks even one ply ahead is faultless in a game whose only mistakes are
plain ones, and then every move is as good as any other. At each of his turns the match is called off with a small
chance and counts as with best play, so that a mistake now is worth more than the same mistake later, as it is
where positions may not be repeated for ever.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.game import Verdict
from bitduel.solver.kernel import Rows
from bitduel.solver.move_values import Chances, Truths
from bitduel.solver.retrograde import Values
from bitduel.solver.table import PositionTable

PATIENCE = 0.95
"""How likely a match goes on at each of the opponent's turns."""

SPOILT = 0.0002
"""So much less counts a draw that has come about than one that is still open: else who cannot win would not care."""

MOST = 500_000
"""In a larger table one would have to wait; there all that is hoped for is what best play gives."""

STILL = 1e-9
"""Hopes that move less than this in a round have arrived."""


def expected_scores(table: PositionTable[Any], values: Values) -> Chances:
    """For each position the score that a perfect player may expect who has just moved there."""
    value = values.value
    by_us = _Edges(table.after, _kept(table, values) & (value <= 0)[:, None])
    by_them = _Edges(table.after, (table.after >= 0) & (value >= 0)[:, None])
    sign, spoilt = value.astype(np.float64), SPOILT * (table.verdict == Verdict.DRAWN)
    ours: Chances = (1 + sign) / 2 - spoilt
    theirs: Chances = (1 - sign) / 2 - spoilt
    floor = theirs[by_them.rows]
    while len(by_them.rows) > 0 and len(table) <= MOST:
        ours[by_us.rows] = by_us.most(theirs)
        better = floor + PATIENCE * (by_them.mean(ours) - floor)
        moved = np.abs(better - theirs[by_them.rows]).max()
        theirs[by_them.rows] = better
        if moved < STILL:
            break
    return theirs


def _kept(table: PositionTable[Any], values: Values) -> Truths:
    """Positions by moves: the perfect ones, without those that end a drawn match that could go on."""
    value, plies = (array[:, None] for array in values)
    then = table.after
    on_the_way = (value == 0) | (values.plies[then] == plies - 1)
    kept = (then >= 0) & (values.value[then] == -value) & on_the_way
    ends = kept & (table.verdict[then] == Verdict.DRAWN)
    lasting = (kept & ~ends).any(axis=1, keepdims=True)
    return np.asarray(kept & ~(ends & lasting), np.bool_)


class _Edges:
    """Moves in one line, those of each position together."""

    def __init__(self, after: Rows, chosen: Truths) -> None:
        count = chosen.sum(axis=1)
        self.rows: NDArray[np.intp] = np.flatnonzero(count)
        self.count = count[self.rows]
        self.begin = np.cumsum(self.count) - self.count
        self.then: Rows = after[chosen]

    def most(self, of: Chances) -> Any:
        """For each position the most that a move leads to."""
        return np.maximum.reduceat(of[self.then], self.begin) if len(self.rows) else 0

    def mean(self, of: Chances) -> Any:
        """For each position what its moves lead to on average."""
        return np.add.reduceat(of[self.then], self.begin) / self.count
