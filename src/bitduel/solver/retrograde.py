"""Values backwards from the ends: who wins, and in how many plies; endless play is a draw."""

from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.evaluation import BY_SIGN, Evaluation, Value
from bitduel.core.evaluator import MoveEvaluation
from bitduel.core.game import Verdict
from bitduel.solver import kernel as compiled
from bitduel.solver.kernel import BROAD, Rows, Small, once
from bitduel.solver.table import PositionTable

P = TypeVar("P", bound=tuple[Any, ...])

WIN, DRAW, LOSS = Value.WIN.sign, Value.DRAW.sign, Value.LOSS.sign
"""The values of a position for the player to move, as arrays hold them."""


class Values(NamedTuple):
    """For each position its value for the player to move, and the plies to the end; -1 plies for a draw."""

    value: Small
    plies: Rows


def solve(table: PositionTable[Any], kernel: bool | None = None) -> Values:
    """The values of all positions, wins taken in the fewest plies and losses put off as long as possible."""
    if compiled.wanted(len(table), kernel):
        return Values(*compiled.values(table.after, table.verdict))
    return _Backwards(table.after, table.verdict).values()


@dataclass(frozen=True)
class Solution(Generic[P]):
    """A table with its values."""

    table: PositionTable[P]
    values: Values

    def choices(self, index: int) -> list[MoveEvaluation]:
        """What each legal move at a position is worth, in the game's order of moves."""
        moves = zip(self.table.game.moves, self.table.after[index].tolist(), strict=True)
        return [MoveEvaluation(move, self._worth_by(then)) for move, then in moves if then >= 0]

    def worth_at(self, index: int) -> Evaluation:
        """What a position is worth to the player to move."""
        value = int(self.values.value[index])
        return Evaluation(BY_SIGN[value], int(self.values.plies[index]) if value else None)

    def _worth_by(self, then: int) -> Evaluation:
        """What it is worth to have moved to a position."""
        value = -int(self.values.value[then])
        return Evaluation(BY_SIGN[value], int(self.values.plies[then]) + 1 if value else None)


class _Backwards:
    """The plain way, one level of plies after the other: broad levels as arrays, thin ones one by one."""

    def __init__(self, after: Rows, verdict: Small) -> None:
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
            level = self._sweep(level) if len(level) >= BROAD else self._walk(level.tolist())
        return Values(self.value, self.plies)

    def _sweep(self, level: NDArray[Any]) -> NDArray[Any]:
        self.depth += 1
        lost = self.value[level] == LOSS
        won = self._undecided(level[lost])
        self.value[won] = WIN
        fewer = self._undecided(level[~lost])
        np.subtract.at(self.left, fewer, np.int32(1))
        now_lost = fewer[self.left[fewer] == 0]
        self.value[now_lost] = LOSS
        decided = once(np.concatenate((won, now_lost)), self.tag)
        self.plies[decided] = self.depth
        return decided

    def _undecided(self, level: NDArray[Any]) -> NDArray[Any]:
        """The undecided positions before those of a level, once for each move that leads there."""
        begin, count = self.begin[level], self.begin[level + 1] - self.begin[level]
        ends = np.cumsum(count)
        edges = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin - ends + count, count)
        before = self.before[edges]
        undecided: NDArray[Any] = before[self.value[before] == DRAW]
        return undecided

    def _walk(self, level: list[int]) -> NDArray[Any]:
        begin, before = self.begin.data, self.before.data
        left, value, plies = self.left.data, self.value.data, self.plies.data
        while 0 < len(level) < BROAD:
            depth = self.depth = self.depth + 1
            decided = []
            for then in level:
                lost = value[then] == LOSS
                for here in before[begin[then] : begin[then + 1]]:
                    if value[here] != DRAW:
                        continue
                    if not lost:
                        left[here] -= 1
                        if left[here]:
                            continue
                    value[here] = WIN if lost else LOSS
                    plies[here] = depth
                    decided.append(here)
            level = decided
        return np.array(level, np.int64)
