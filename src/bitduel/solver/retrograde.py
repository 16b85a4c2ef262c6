"""Retrograde analysis: values and plies backwards from the ends; endless play is a draw."""

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.evaluation import BY_SIGN, Evaluation, MoveEvaluation, Value
from bitduel.core.game import Verdict
from bitduel.solver import kernel as compiled
from bitduel.solver.kernel import ARRAY_MINIMUM, Int8Array, Int32Array, unique_indexes
from bitduel.solver.table import PositionTable

P = TypeVar("P", bound=tuple[Any, ...])

WIN, DRAW, LOSS = Value.WIN.sign, Value.DRAW.sign, Value.LOSS.sign
"""The values of a position for the player to move, as arrays hold them."""


class Values(NamedTuple):
    """The value of each position for the player to move, and the plies to the end; -1 plies for a draw."""

    value: Int8Array
    plies: Int32Array


def solve(table: PositionTable[Any], kernel: bool | None = None) -> Values:
    """Return the values of all positions, with wins as fast and losses as late as possible."""
    if compiled.use_kernel(len(table), kernel):
        return Values(*compiled.values(table.after, table.verdict))
    return _Retrograde(table.after, table.verdict).values()


@dataclass(frozen=True)
class Solution(Generic[P]):
    """A table with its values."""

    table: PositionTable[P]
    values: Values

    def choices(self, index: int) -> list[MoveEvaluation]:
        """Return the legal moves at a position with their evaluations, in the game's order."""
        moves = zip(self.table.game.moves, self.table.after[index].tolist(), strict=True)
        return [MoveEvaluation(move, self._evaluation_of_move_to(then)) for move, then in moves if then >= 0]

    def evaluation_at(self, index: int) -> Evaluation:
        """Return the evaluation of a position for the player to move."""
        value = int(self.values.value[index])
        return Evaluation(BY_SIGN[value], int(self.values.plies[index]) if value else None)

    def _evaluation_of_move_to(self, then: int) -> Evaluation:
        value = -int(self.values.value[then])
        return Evaluation(BY_SIGN[value], int(self.values.plies[then]) + 1 if value else None)


class _Retrograde:
    """The analysis without the kernel, ply by ply: broad levels as arrays, thin ones one by one."""

    def __init__(self, after: Int32Array, verdict: Int8Array) -> None:
        size, moves = after.shape
        edges = np.flatnonzero(after.reshape(-1) >= 0)
        # Both ends of a move in one number: sorting numbers is far faster than sorting by them.
        pairs = after.reshape(-1)[edges].astype(np.int64)
        self.begin = np.concatenate(([0], np.cumsum(np.bincount(pairs, minlength=size))))
        pairs <<= 32
        pairs |= edges // moves
        pairs.sort()
        pairs &= 0xFFFFFFFF
        self.before = pairs.astype(np.int32)
        self.left = np.count_nonzero(after >= 0, axis=1).astype(np.int32)
        self.value = (verdict == Verdict.LOST).astype(np.int8) - (verdict == Verdict.WON)
        self.plies = np.where(self.value, 0, -1).astype(np.int32)
        self.tag = np.empty(size, np.int32)
        self.depth = 0

    def values(self) -> Values:
        """Work through the levels until nothing more is decided."""
        level = np.flatnonzero(self.value)
        while len(level):
            level = self._sweep(level) if len(level) >= ARRAY_MINIMUM else self._walk(level.tolist())
        return Values(self.value, self.plies)

    def _sweep(self, level: NDArray[Any]) -> NDArray[Any]:
        """Decide the next level as an array."""
        self.depth += 1
        is_lost = self.value[level] == LOSS
        won = self._undecided(level[is_lost])
        self.value[won] = WIN
        fewer = self._undecided(level[~is_lost])
        np.subtract.at(self.left, fewer, np.int32(1))
        lost = fewer[self.left[fewer] == 0]
        self.value[lost] = LOSS
        decided = unique_indexes(np.concatenate((won, lost)), self.tag)
        self.plies[decided] = self.depth
        return decided

    def _undecided(self, level: NDArray[Any]) -> NDArray[Any]:
        """Return the undecided predecessors of a level, once for each move that leads there."""
        begin, count = self.begin[level], self.begin[level + 1] - self.begin[level]
        ends = np.cumsum(count)
        edges = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - ends + count, count)
        before = self.before[edges]
        undecided: NDArray[Any] = before[self.value[before] == DRAW]
        return undecided

    def _walk(self, level: list[int]) -> NDArray[Any]:
        """Decide levels one by one until one is broad enough for arrays, or empty."""
        begin, before = self.begin.data, self.before.data
        left, value, plies = self.left.data, self.value.data, self.plies.data
        while 0 < len(level) < ARRAY_MINIMUM:
            depth = self.depth = self.depth + 1
            decided = []
            for then in level:
                is_lost = value[then] == LOSS
                for here in before[begin[then] : begin[then + 1]]:
                    if value[here] != DRAW:
                        continue
                    if not is_lost:
                        left[here] -= 1
                        if left[here]:
                            continue
                    value[here] = WIN if is_lost else LOSS
                    plies[here] = depth
                    decided.append(here)
            level = decided
        return np.array(level, np.int64)
