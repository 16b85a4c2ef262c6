"""Lanes straight on the rules, which are arithmetic on arrays: for games with too many positions for a table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.game import Game, Verdict
from bitduel.rl.batch_deals import Deals

Numbers = NDArray[Any]
CHUNK = 1 << 14
"""So many lanes at a time keep the arrays of the rules in the processor's cache."""
SHORT = 1 << 13
"""Fields that stay below this are kept in 32 bits: the rules may multiply what they hold, but not by as much again."""


class RuleLanes:
    """Matches as rows, each with the fields of a position: what lies side by side is moved at once."""

    name = "the rules"

    def __init__(self, game: Game[Any], deals: Deals) -> None:
        self.game, self.deals = game, deals
        self.kind = np.int32 if max(game.ranges) <= SHORT else np.int64
        starts = [game.start(deal) for deal in deals.texts]
        self.like: Any = type(starts[0])
        self.count = len(starts[0])
        self.width = 1 << (self.count - 1).bit_length()
        """So many places a row has: NumPy looks up powers of two much faster."""
        self.starts = self._rows(np.array([list(start) for start in starts], self.kind).T)
        self.parts = [slice(at, min(at + CHUNK, deals.size)) for at in range(0, deals.size, CHUNK)]
        self.small = np.uint8 if len(game.moves) <= 256 else np.uint16
        """Small numbers are sorted in one go over all lanes."""
        self.often = game.repetition
        self._every = np.ones((deals.size, len(game.moves)), np.bool_)
        self._every.flags.writeable = False

    def reset(self, seed: int) -> None:
        """Begin every match."""
        size = self.deals.size
        self._deal = self.deals.begin(seed)
        self.rows = self.starts.take(self._deal, axis=0)
        self.reward, self.done = np.zeros(size, np.int8), np.zeros(size, np.bool_)
        self.ply = np.zeros(size, np.int64)
        self._last = self._columns(self.rows[:0]), self.ply[:0]
        self._been: list[Numbers] = [self.rows.copy()] if self.often else []
        """Where every match has been, step by step; what lies before its beginning does not count."""
        self._look()

    def step(self, actions: Numbers) -> bool:
        """One move in each match; False, and nothing is stepped, where one is not legal."""
        if not self.game.offers_all and not self.mask[np.arange(len(actions)), actions].all():
            return False
        rows, verdict = np.empty_like(self.rows), np.empty(len(actions), np.int8)
        for part in self.parts:
            self._move(self.rows[part], actions[part], rows[part], verdict[part])
        self.rows = rows
        self.ply += 1
        self.reward = ((verdict == Verdict.WON) * np.int8(1) - (verdict == Verdict.LOST)).astype(np.int8)
        self.done = verdict != Verdict.OPEN
        if self.often:
            self._count()
        self._begin_again(np.flatnonzero(self.done))
        self._look()
        return True

    def _move(self, rows: Numbers, actions: Numbers, then: Numbers, verdict: Numbers) -> None:
        """All lanes that make the same move side by side, and back to their places."""
        moves = self.game.moves
        order = np.argsort(actions.astype(self.small), kind="stable")
        ends = np.bincount(actions, minlength=len(moves)).cumsum().tolist()
        columns = self._columns(rows.take(order, axis=0, mode="clip"))
        after = np.empty_like(columns)
        for begin, end, move in zip([0, *ends], ends, moves, strict=False):
            here = slice(begin, end)
            if begin < end:
                for row, column in zip(after, self.game.play(self.like(*columns[:, here]), move), strict=True):
                    row[here] = column
        home = np.empty_like(order)
        home[order] = np.arange(len(order))
        self._rows(after).take(home, axis=0, out=then, mode="clip")
        found = np.broadcast_to(self.game.verdict(self.like(*after)), len(order)).astype(np.int8)
        found.take(home, out=verdict, mode="clip")

    def _columns(self, rows: Numbers) -> Numbers:
        return np.ascontiguousarray(rows.T[: self.count])

    def _rows(self, columns: Numbers) -> Numbers:
        rows = np.zeros((columns.shape[1], self.width), self.kind)
        rows[:, : self.count] = columns.T
        return rows

    def _position(self) -> Any:
        return self.like(*self._columns(self.rows))

    def _count(self) -> None:
        """A position that has come up too often, with the same player to move, ends the match, drawn."""
        times = np.ones(len(self.ply), np.int64)
        for back in range(2, min(len(self._been), int(self.ply.max())) + 1, 2):
            times += (self._been[-back] == self.rows).all(axis=1) & (self.ply >= back)
        self._been.append(self.rows.copy())
        del self._been[: -int(self.ply.max()) - 1]
        self.done = self.done | (times >= self.often)

    def _begin_again(self, lanes: Numbers) -> None:
        self._last = self._columns(self.rows.take(lanes, axis=0)), self.ply[lanes]
        if not len(lanes):
            return
        self._deal[lanes] = self.deals.next(lanes)
        self.rows[lanes] = self.starts.take(self._deal[lanes], axis=0)
        self.ply[lanes] = 0
        if self.often:
            self._been[-1][lanes] = self.rows[lanes]

    def _look(self) -> None:
        self.seat = (1 + (self.ply & 1)).astype(np.int8)
        if self.game.offers_all:
            self.mask = self._every
            return
        position = self._position()
        legal = [np.broadcast_to(self.game.legal(position, move), len(self.ply)) for move in self.game.moves]
        self.mask = np.stack(legal, 1).astype(np.bool_)

    def observation(self) -> Numbers:
        """What the player to move sees."""
        return self._seen(self._columns(self.rows), self.ply)

    def final(self) -> Numbers:
        """What the player to move would have seen at the end of those matches that the last step ended."""
        return self._seen(*self._last)

    def _seen(self, columns: Numbers, ply: Numbers) -> Numbers:
        seen = self.game.encode_positions(self.like(*columns), ply)
        return np.stack([np.broadcast_to(column, len(ply)) for column in seen], 1).astype(np.int32)

    def dealt(self) -> list[str]:
        """What was dealt in each match."""
        return [self.deals.texts[deal] for deal in self._deal]
