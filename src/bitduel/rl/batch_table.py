"""Lanes on the table of all positions: a step is a look-up, for as many lanes as there are.

A state is a position of the table and whose turn it is. For every state and action a cell says what comes of it: the
state that follows, whether the match ended, and for whom.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game, Verdict
from bitduel.rl.batch_deals import Deals
from bitduel.solver.table import PositionTable, explore

Numbers = NDArray[Any]
SMALL = 200_000
"""Up to so many positions, over all deals, a table is made without being asked for."""
LARGE = 20_000_000
"""Up to so many where it is asked for."""
MOST_DEALS = 256
ROOM = 5
"""So many actions have room beside all else that a cell says."""
MOST_COUNTS = 1 << 28
"""So many counts of how often a position came up are kept at the most."""


def tabled(game: Game[Any], deals: Deals, most: int) -> list[PositionTable[Any]] | None:
    """The table of each deal; None where there are more positions than are wanted."""
    if len(deals.texts) > MOST_DEALS:
        return None
    tables: list[PositionTable[Any]] = []
    try:
        for deal in deals.texts:
            tables.append(explore(game, most - sum(map(len, tables)), start=game.start(deal)))
    except TooLargeError:
        return None
    states = 2 * sum(map(len, tables))
    return None if game.repetition and states * deals.size > MOST_COUNTS else tables


class Cells:
    """All tables as one: for each state and action what comes of it."""

    def __init__(self, game: Game[Any], tables: list[PositionTable[Any]]) -> None:
        sizes = [len(table) for table in tables]
        first = np.cumsum([0, *sizes[:-1]])
        after = np.concatenate([np.where(t.after < 0, -1, t.after + at) for t, at in zip(tables, first, strict=True)])
        verdict = np.concatenate([table.verdict for table in tables])
        fields = zip(*(table.positions for table in tables), strict=True)
        self.positions = type(tables[0].positions)(*map(np.concatenate, fields))
        self.start: Numbers = 2 * first
        """The state before the first move, by deal."""
        self.after: Numbers = np.stack([np.where(after < 0, -1, 2 * after + 1), np.where(after < 0, -1, 2 * after)], 1)
        states, actions = 2 * len(after), after.shape[1]
        self.after = self.after.reshape(states, actions)
        then = verdict[np.maximum(after, 0)]
        ended = np.repeat((after >= 0) & (then != Verdict.OPEN), 2, axis=0)
        signs = np.select([then == Verdict.WON, then == Verdict.LOST], [1, -1], 0)
        self.reward = np.where(ended, np.repeat(signs, 2, axis=0), 0).astype(np.int8)
        self.done = ended
        self.mask: Numbers = self.after >= 0
        self.seat = (1 + np.arange(states) % 2).astype(np.int8)
        self.rows = rows(game, self.positions)


def rows(game: Game[Any], positions: Any) -> Numbers | None:
    """What the player to move sees at every state, where that does not depend on how many moves there were."""
    seen = [game.encode_positions(positions, ply) for ply in (0, 1, 2, 3, 10, 11)]
    size = len(positions[0])
    shown = [np.stack([np.broadcast_to(column, size) for column in each], 1) for each in seen]
    if any((shown[at] != shown[at % 2]).any() for at in range(len(shown))):
        return None
    return np.stack(shown[:2], 1).reshape(2 * size, -1).astype(np.int32)


def wide(mask: Numbers) -> Numbers:
    """Rows of truths as single numbers of as many bytes, so that a row is looked up at once."""
    bytes_ = next(size for size in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if size >= mask.shape[1])
    padded = np.zeros((len(mask), bytes_), np.bool_)
    padded[:, : mask.shape[1]] = mask
    return padded.view(f"u{bytes_}" if bytes_ <= 8 else f"V{bytes_}").ravel()


class TableLanes:
    """Matches as states of one table."""

    name = "the table"

    def __init__(self, game: Game[Any], deals: Deals, tables: list[PositionTable[Any]]) -> None:
        self.game, self.deals = game, deals
        cells = Cells(game, tables)
        self.cells = cells
        self.actions = len(game.moves)
        self.often = game.repetition
        self.counting_ply = cells.rows is None
        self.alone = deals.only and not self.often and not self.counting_ply
        """Whether a match that begins anew is always the same, so that a cell can say it all."""
        follows = np.maximum(cells.after, 0)
        if self.alone:
            follows = np.where(cells.done, cells.start[0], follows)
        self._follows: Numbers = follows.ravel().astype(np.intp)
        self._legal = cells.mask.ravel()
        self._all_legal = bool(cells.mask[np.repeat(_open(cells), 1)].all())
        self._reward, self._done = cells.reward.ravel(), cells.done.ravel()
        self._masks = wide(cells.mask)
        self._told = self._packed() if self.alone and self.actions <= ROOM else None
        self._cell, self._spare = np.zeros(deals.size, np.intp), np.zeros(deals.size, np.intp)
        self._fits = np.empty(deals.size, np.bool_)
        self._lane = np.arange(deals.size)

    def reset(self, seed: int) -> None:
        """Begin every match."""
        self._deal = self.deals.begin(seed)
        self.reward, self.done = np.zeros(self.deals.size, np.int8), np.zeros(self.deals.size, np.bool_)
        self._state = self.cells.start[self._deal].astype(np.intp)
        self.ply = self._last_ply = np.zeros(self.deals.size, np.int64)
        if self.often:
            self._met = np.zeros((self.deals.size, len(self.cells.seat)), np.uint8)
            self._met[self._lane, self._state] = 1
            self._row = self._lane * self._met.shape[1]
        self._look()

    def step(self, actions: Numbers) -> bool:
        """One move in each match; False, and nothing is stepped, where one is not legal."""
        cell = np.multiply(self._state, self.actions, out=self._spare)
        cell += actions
        if not self._all_legal and not self._legal.take(cell, out=self._fits, mode="clip").all():
            return False
        self._cell, self._spare = cell, self._cell
        self._follows.take(cell, out=self._state, mode="clip")
        if self._told is not None:
            told = self._told.take(cell, mode="clip").view(np.int8).reshape(-1, 8)
            self.reward, self.done, self.seat = told[:, 0], told[:, 1].view(np.bool_), told[:, 2]
            self.mask = told[:, 8 - ROOM : 8 - ROOM + self.actions].view(np.bool_)
            return True
        self.reward = self._reward.take(cell, mode="clip")
        self.done = self._done.take(cell, mode="clip")
        if self.alone:
            self._look()
            return True
        self.ply += 1
        if self.often:
            self._count()
        self._begin_again(np.flatnonzero(self.done))
        self._look()
        return True

    def _count(self) -> None:
        """A position that has come up too often ends the match, drawn."""
        place = self._row + self._state
        often = self._met.reshape(-1).take(place, mode="clip") + np.uint8(1)
        self._met.reshape(-1)[place] = often
        self.done |= often >= self.often

    def _begin_again(self, lanes: Numbers) -> None:
        self._last_ply = self.ply[lanes]
        if not len(lanes):
            return
        self._deal[lanes] = self.deals.next(lanes)
        start = self.cells.start[self._deal[lanes]]
        self._state[lanes] = start
        self.ply[lanes] = 0
        if self.often:
            self._met[lanes] = 0
            self._met[lanes, start] = 1

    def _packed(self) -> Numbers:
        """All that a cell says in eight bytes, so that it is looked up at once: reward, end, seat, and the mask."""
        told = np.zeros((len(self._follows), 8), np.int8)
        told[:, 0], told[:, 1] = self._reward, self._done
        told[:, 2] = self.cells.seat.take(self._follows)
        told[:, 8 - ROOM : 8 - ROOM + self.actions] = self.cells.mask.take(self._follows, axis=0)
        return told.view(np.uint64).ravel()

    def _look(self) -> None:
        masks = self._masks.take(self._state, mode="clip")
        self.mask = masks.view(np.bool_).reshape(self.deals.size, -1)[:, : self.actions]
        self.seat = self.cells.seat.take(self._state, mode="clip")

    def observation(self) -> Numbers:
        """What the player to move sees."""
        return self._seen(self._state, self.ply)

    def final(self) -> Numbers:
        """What the player to move would have seen at the end of those matches that the last step ended."""
        return self._seen(self.cells.after.reshape(-1)[self._cell[self.done]], self._last_ply)

    def _seen(self, state: Numbers, ply: Numbers) -> Numbers:
        if self.cells.rows is not None:
            return self.cells.rows.take(state, axis=0, mode="clip")
        position = type(self.cells.positions)(*(field[state // 2] for field in self.cells.positions))
        columns = self.game.encode_positions(position, ply)
        return np.stack([np.broadcast_to(column, len(state)) for column in columns], 1).astype(np.int32)

    def dealt(self) -> list[str]:
        """What was dealt in each match."""
        return [self.deals.texts[deal] for deal in self._deal]


def _open(cells: Cells) -> Numbers:
    """The states at which somebody is to move."""
    return np.asarray(cells.mask.any(axis=1))
