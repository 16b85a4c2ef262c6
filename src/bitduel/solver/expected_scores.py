"""Expected scores of a perfect player against a fixed weaker opponent, over a whole table with its loops.

The opponent moves at random: one who looked even a ply ahead would make no mistake in a game whose only mistakes are
plain ones, and every move would be as good as any other. At each of the opponent's turns the match is cut short
with a small probability and counts as with perfect play, so that a mistake now counts more than the same mistake
later, as it does when positions may not be repeated for ever.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.game import Verdict
from bitduel.solver.kernel import Int32Array
from bitduel.solver.move_values import BoolArray, FloatArray
from bitduel.solver.retrograde import Values
from bitduel.solver.table import PositionTable

CONTINUATION = 0.95
"""The probability that a match continues at each of the opponent's turns."""

DRAW_PENALTY = 0.0002
"""The amount by which a finished draw counts less than an open one, so that play continues."""

MOST_POSITIONS = 500_000
"""In a larger table people would have to wait, so there the score is that of perfect play on both sides."""

CONVERGED = 1e-9
"""Iteration stops when no score changes by more than this."""


def expected_scores(table: PositionTable[Any], values: Values, best_moves: Callable[[], BoolArray]) -> FloatArray:
    """Return for each position the expected score of a perfect player who has just moved there."""
    value = values.value
    sign, penalty = value.astype(np.float64), DRAW_PENALTY * (table.verdict == Verdict.DRAWN)
    to_move: FloatArray = (1 + sign) / 2 - penalty
    moved: FloatArray = (1 - sign) / 2 - penalty
    if len(table) > MOST_POSITIONS:
        return moved
    own_moves = _Edges(table.after, best_moves() & (value <= 0)[:, None])
    replies = _Edges(table.after, (table.after >= 0) & (value >= 0)[:, None])
    floor = moved[replies.rows]
    while len(replies.rows) > 0:
        to_move[own_moves.rows] = own_moves.maximum(to=moved)
        scores = floor + CONTINUATION * (replies.mean(to=to_move) - floor)
        change = np.abs(scores - moved[replies.rows]).max()
        moved[replies.rows] = scores
        if change < CONVERGED:
            break
    return moved


class _Edges:
    """Some moves in one array, those of each position together."""

    def __init__(self, after: Int32Array, chosen: BoolArray) -> None:
        count = chosen.sum(axis=1)
        self.rows: NDArray[np.intp] = np.flatnonzero(count)
        self.count = count[self.rows]
        self.begin = np.cumsum(self.count) - self.count
        self.after: Int32Array = after[chosen]

    def maximum(self, to: FloatArray) -> Any:
        """Return for each position the highest score that its moves lead to."""
        return np.maximum.reduceat(to[self.after], self.begin) if len(self.rows) else 0

    def mean(self, to: FloatArray) -> Any:
        """Return for each position the mean score that its moves lead to."""
        return np.add.reduceat(to[self.after], self.begin) / self.count
