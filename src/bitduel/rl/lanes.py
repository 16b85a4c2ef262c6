"""The lanes of a batch: on a table of all positions, or directly on the rules if a table would be too large."""

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game, Verdict
from bitduel.solver.table import PositionTable, explore

Numbers = NDArray[Any]
MAX_DEALS = 1 << 16
MAX_TABLE_DEALS = 256
MAX_COUNTS = 1 << 28
"""Repetition counts that a table may need."""
PACKED_ACTIONS = 5
"""Actions whose mask fits into eight bytes beside reward, end and seat."""
CHUNK = 1 << 14
"""Lanes stepped at a time, so that the arrays of the rules stay in the processor's cache."""
SHORT_RANGE = 1 << 13
"""Fields below this are stored in 32 bits: the rules may multiply them, but not by more than this again."""
SPLITMIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
"""The constants of splitmix64."""


class Deals:
    """The deals of each lane, match after match: a function of seed, lane and match."""

    def __init__(self, game: Game[Any], size: int) -> None:
        deals = list(islice(game.deals(), MAX_DEALS + 1)) if game.has_chance else []
        if len(deals) > MAX_DEALS:
            raise TooLargeError(f"A batch can have at most {MAX_DEALS:,} deals. Choose smaller settings.")
        self.texts = [deal.text for deal in deals] or [""]
        self.is_single = len(self.texts) == 1
        self.size = size
        self._thresholds = np.cumsum([float(deal.probability) for deal in deals])[:-1]

    def begin(self, seed: int) -> Numbers:
        """Return the deal of every lane in its first match."""
        key = _splitmix(np.uint64(seed & (1 << 64) - 1))
        self._lane = _splitmix(key ^ np.arange(self.size, dtype=np.uint64))
        self._match = np.zeros(self.size, np.uint64)
        return self._draw(np.arange(self.size))

    def next(self, lanes: Numbers) -> Numbers:
        """Return the deal of these lanes in their next match."""
        self._match[lanes] += np.uint64(1)
        return self._draw(lanes)

    def _draw(self, lanes: Numbers) -> Numbers:
        if self.is_single:
            return np.zeros(len(lanes), np.intp)
        dice = _splitmix(self._lane[lanes] + self._match[lanes] * SPLITMIX[0]) >> np.uint64(11)
        return np.asarray(np.searchsorted(self._thresholds, dice * 2.0**-53, side="right"), np.intp)


def _splitmix(number: Any) -> Any:
    with np.errstate(over="ignore"):
        number = number + SPLITMIX[0]
        number = (number ^ number >> np.uint64(30)) * SPLITMIX[1]
        number = (number ^ number >> np.uint64(27)) * SPLITMIX[2]
        return number ^ number >> np.uint64(31)


class _Lanes:
    """Matches side by side; after each step, `mask` and `seat` are of the player to move."""

    mask: Numbers
    seat: Numbers

    def __init__(self, game: Game[Any], deals: Deals) -> None:
        self.game, self.deals = game, deals
        self.repetition = game.repetition

    def reset(self, seed: int) -> None:
        """Begin every match."""
        self._deal = self.deals.begin(seed)
        self.reward, self.done = np.zeros(self.deals.size, np.int8), np.zeros(self.deals.size, np.bool_)
        self.ply = np.zeros(self.deals.size, np.int64)

    def dealt(self) -> list[str]:
        """Return the deal of each match."""
        return [self.deals.texts[deal] for deal in self._deal]

    def _encode(self, positions: Any, ply: Numbers) -> Numbers:
        columns = self.game.encode_positions(positions, ply)
        return np.stack([np.broadcast_to(column, len(ply)) for column in columns], 1).astype(np.int32)


class RuleLanes(_Lanes):
    """Matches as rows of position fields, moved by the rules, which are arithmetic on arrays."""

    name = "the rules"

    def __init__(self, game: Game[Any], deals: Deals) -> None:
        super().__init__(game, deals)
        self._dtype = np.int32 if max(game.ranges) <= SHORT_RANGE else np.int64
        starts = [game.start(deal) for deal in deals.texts]
        self._position: Any = type(starts[0])
        self._fields = len(starts[0])
        self._width = 1 << (self._fields - 1).bit_length()
        """The fields of a row, padded: NumPy looks up powers of two much faster."""
        self._starts = self._to_rows(np.array([list(start) for start in starts], self._dtype).T)
        self._chunks = [slice(at, min(at + CHUNK, deals.size)) for at in range(0, deals.size, CHUNK)]
        self._action_dtype = np.uint8 if len(game.moves) <= 256 else np.uint16
        """Small numbers are radix-sorted."""
        self._all_legal = np.ones((deals.size, len(game.moves)), np.bool_)
        self._all_legal.flags.writeable = False

    def reset(self, seed: int) -> None:
        """Begin every match."""
        super().reset(seed)
        self._rows = self._starts.take(self._deal, axis=0)
        self._last = self._to_columns(self._rows[:0]), self.ply[:0]
        self._past: list[Numbers] = [self._rows.copy()] if self.repetition else []
        """The rows of every step so far; those before the start of a match do not count."""
        self._update_view()

    def step(self, actions: Numbers) -> bool:
        """Make one move in each match; return False, and step nothing, if one is not legal."""
        if not self.game.allows_every_move and not self.mask[np.arange(len(actions)), actions].all():
            return False
        rows, verdict = np.empty_like(self._rows), np.empty(len(actions), np.int8)
        for chunk in self._chunks:
            self._move(self._rows[chunk], actions[chunk], rows[chunk], verdict[chunk])
        self._rows = rows
        self.ply += 1
        self.reward = ((verdict == Verdict.WON) * np.int8(1) - (verdict == Verdict.LOST)).astype(np.int8)
        self.done = verdict != Verdict.OPEN
        if self.repetition:
            self._end_repetitions()
        self._restart(np.flatnonzero(self.done))
        self._update_view()
        return True

    def _move(self, rows: Numbers, actions: Numbers, rows_after: Numbers, verdict: Numbers) -> None:
        """Sort the lanes by move, make each move in all its lanes at once, and sort them back."""
        moves = self.game.moves
        order = np.argsort(actions.astype(self._action_dtype), kind="stable")
        ends = np.bincount(actions, minlength=len(moves)).cumsum().tolist()
        columns = self._to_columns(rows.take(order, axis=0, mode="clip"))
        after = np.empty_like(columns)
        for begin, end, move in zip([0, *ends], ends, moves, strict=False):
            part = slice(begin, end)
            if begin < end:
                for row, column in zip(after, self.game.play(self._position(*columns[:, part]), move), strict=True):
                    row[part] = column
        inverse = np.empty_like(order)
        inverse[order] = np.arange(len(order))
        self._to_rows(after).take(inverse, axis=0, out=rows_after, mode="clip")
        verdicts = np.broadcast_to(self.game.verdict(self._position(*after)), len(order)).astype(np.int8)
        verdicts.take(inverse, out=verdict, mode="clip")

    def _to_columns(self, rows: Numbers) -> Numbers:
        return np.ascontiguousarray(rows.T[: self._fields])

    def _to_rows(self, columns: Numbers) -> Numbers:
        rows = np.zeros((columns.shape[1], self._width), self._dtype)
        rows[:, : self._fields] = columns.T
        return rows

    def _end_repetitions(self) -> None:
        """End matches, drawn, in which a position has come up too often with the same player to move."""
        times = np.ones(len(self.ply), np.int64)
        for back in range(2, min(len(self._past), int(self.ply.max())) + 1, 2):
            times += (self._past[-back] == self._rows).all(axis=1) & (self.ply >= back)
        self._past.append(self._rows.copy())
        del self._past[: -int(self.ply.max()) - 1]
        self.done = self.done | (times >= self.repetition)

    def _restart(self, lanes: Numbers) -> None:
        self._last = self._to_columns(self._rows.take(lanes, axis=0)), self.ply[lanes]
        if not len(lanes):
            return
        self._deal[lanes] = self.deals.next(lanes)
        self._rows[lanes] = self._starts.take(self._deal[lanes], axis=0)
        self.ply[lanes] = 0
        if self.repetition:
            self._past[-1][lanes] = self._rows[lanes]

    def _update_view(self) -> None:
        self.seat = (1 + (self.ply & 1)).astype(np.int8)
        if self.game.allows_every_move:
            self.mask = self._all_legal
            return
        position = self._position(*self._to_columns(self._rows))
        legal = [np.broadcast_to(self.game.legal(position, move), len(self.ply)) for move in self.game.moves]
        self.mask = np.stack(legal, 1).astype(np.bool_)

    def observation(self) -> Numbers:
        """Return what the player to move sees."""
        return self._encode(self._position(*self._to_columns(self._rows)), self.ply)

    def final(self) -> Numbers:
        """Return what the player to move would have seen at the end of the matches that the last step ended."""
        columns, ply = self._last
        return self._encode(self._position(*columns), ply)


def explore_deals(game: Game[Any], deals: Deals, limit: int) -> list[PositionTable[Any]] | None:
    """Return the position table of each deal; None if there are more positions than the limit."""
    if len(deals.texts) > MAX_TABLE_DEALS:
        return None
    tables: list[PositionTable[Any]] = []
    try:
        for deal in deals.texts:
            tables.append(explore(game, limit - sum(map(len, tables)), start=game.start(deal)))
    except TooLargeError:
        return None
    states = 2 * sum(map(len, tables))
    return None if game.repetition and states * deals.size > MAX_COUNTS else tables


class TableLanes(_Lanes):
    """Matches as states of one table, where a step is a look-up.

    A state is a position of the table and whose turn it is. For every state and action a cell has the state that
    follows, whether the match ended, and for whom.
    """

    name = "the table"

    def __init__(self, game: Game[Any], deals: Deals, tables: list[PositionTable[Any]]) -> None:
        super().__init__(game, deals)
        self._actions = len(game.moves)
        first = np.cumsum([0, *map(len, tables[:-1])])
        after = np.concatenate([np.where(t.after < 0, -1, t.after + at) for t, at in zip(tables, first, strict=True)])
        verdict = np.concatenate([table.verdict for table in tables])[np.maximum(after, 0)]
        self._positions = type(tables[0].positions)(
            *map(np.concatenate, zip(*(table.positions for table in tables), strict=True))
        )
        self._starts: Numbers = 2 * first
        """The state before the first move, by deal."""
        states = np.stack([np.where(after < 0, -1, 2 * after + 1), np.where(after < 0, -1, 2 * after)], 1)
        self._after: Numbers = states.reshape(-1, self._actions)
        self._seats = (1 + np.arange(len(self._after)) % 2).astype(np.int8)
        self._mask: Numbers = self._after >= 0
        done = np.repeat((after >= 0) & (verdict != Verdict.OPEN), 2, axis=0)
        signs = np.select([verdict == Verdict.WON, verdict == Verdict.LOST], [1, -1], 0)
        self._reward = np.where(done, np.repeat(signs, 2, axis=0), 0).astype(np.int8).ravel()
        self._done = done.ravel()
        self._observations = self._stationary_observations()
        self._has_one_start = deals.is_single and not self.repetition and self._observations is not None
        """Whether every match starts in the same way, so that a cell can have the state after a restart."""
        following = np.maximum(self._after, 0)
        if self._has_one_start:
            following = np.where(done, self._starts[0], following)
        self._following: Numbers = following.ravel().astype(np.intp)
        self._legal = self._mask.ravel()
        self._is_all_legal = bool(self._mask[self._mask.any(axis=1)].all())
        self._mask_rows = _rows_as_numbers(self._mask)
        self._packed = self._pack() if self._has_one_start and self._actions <= PACKED_ACTIONS else None
        self._cell, self._spare = np.zeros(deals.size, np.intp), np.zeros(deals.size, np.intp)
        self._is_legal = np.empty(deals.size, np.bool_)
        self._lane = np.arange(deals.size)

    def _stationary_observations(self) -> Numbers | None:
        """Return what the player to move sees at every state; None if that depends on the number of moves."""
        size = len(self._positions[0])
        shown = [self._encode(self._positions, np.full(size, ply)) for ply in (0, 1, 2, 3, 10, 11)]
        if any((shown[at] != shown[at % 2]).any() for at in range(len(shown))):
            return None
        return np.stack(shown[:2], 1).reshape(2 * size, -1)

    def reset(self, seed: int) -> None:
        """Begin every match."""
        super().reset(seed)
        self._state = self._starts[self._deal].astype(np.intp)
        self._last_ply = self.ply
        if self.repetition:
            self._counts = np.zeros((self.deals.size, len(self._seats)), np.uint8)
            self._counts[self._lane, self._state] = 1
            self._count_row = self._lane * self._counts.shape[1]
        self._update_view()

    def step(self, actions: Numbers) -> bool:
        """Make one move in each match; return False, and step nothing, if one is not legal."""
        cell = np.multiply(self._state, self._actions, out=self._spare)
        cell += actions
        if not self._is_all_legal and not self._legal.take(cell, out=self._is_legal, mode="clip").all():
            return False
        self._cell, self._spare = cell, self._cell
        self._following.take(cell, out=self._state, mode="clip")
        if self._packed is not None:
            packed = self._packed.take(cell, mode="clip").view(np.int8).reshape(-1, 8)
            self.reward, self.done, self.seat = packed[:, 0], packed[:, 1].view(np.bool_), packed[:, 2]
            self.mask = packed[:, 8 - PACKED_ACTIONS : 8 - PACKED_ACTIONS + self._actions].view(np.bool_)
            return True
        self.reward = self._reward.take(cell, mode="clip")
        self.done = self._done.take(cell, mode="clip")
        if self._has_one_start:
            self._update_view()
            return True
        self.ply += 1
        if self.repetition:
            self._end_repetitions()
        self._restart(np.flatnonzero(self.done))
        self._update_view()
        return True

    def _end_repetitions(self) -> None:
        """End matches, drawn, in which a position has come up too often."""
        index = self._count_row + self._state
        count = self._counts.reshape(-1).take(index, mode="clip") + np.uint8(1)
        self._counts.reshape(-1)[index] = count
        self.done |= count >= self.repetition

    def _restart(self, lanes: Numbers) -> None:
        self._last_ply = self.ply[lanes]
        if not len(lanes):
            return
        self._deal[lanes] = self.deals.next(lanes)
        start = self._starts[self._deal[lanes]]
        self._state[lanes] = start
        self.ply[lanes] = 0
        if self.repetition:
            self._counts[lanes] = 0
            self._counts[lanes, start] = 1

    def _pack(self) -> Numbers:
        """Return each cell in eight bytes, so that it is one look-up: reward, end, seat, and the mask."""
        packed = np.zeros((len(self._following), 8), np.int8)
        packed[:, 0], packed[:, 1] = self._reward, self._done
        packed[:, 2] = self._seats.take(self._following)
        packed[:, 8 - PACKED_ACTIONS : 8 - PACKED_ACTIONS + self._actions] = self._mask.take(self._following, axis=0)
        return packed.view(np.uint64).ravel()

    def _update_view(self) -> None:
        masks = self._mask_rows.take(self._state, mode="clip")
        self.mask = masks.view(np.bool_).reshape(self.deals.size, -1)[:, : self._actions]
        self.seat = self._seats.take(self._state, mode="clip")

    def observation(self) -> Numbers:
        """Return what the player to move sees."""
        return self._observe(self._state, self.ply)

    def final(self) -> Numbers:
        """Return what the player to move would have seen at the end of the matches that the last step ended."""
        return self._observe(self._after.reshape(-1)[self._cell[self.done]], self._last_ply)

    def _observe(self, state: Numbers, ply: Numbers) -> Numbers:
        if self._observations is not None:
            return self._observations.take(state, axis=0, mode="clip")
        return self._encode(type(self._positions)(*(field[state // 2] for field in self._positions)), ply)


def _rows_as_numbers(mask: Numbers) -> Numbers:
    """Return rows of booleans as single numbers with a byte for each, so that a row is one look-up."""
    size = next(size for size in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if size >= mask.shape[1])
    padded = np.zeros((len(mask), size), np.bool_)
    padded[:, : mask.shape[1]] = mask
    return padded.view(f"u{size}" if size <= 8 else f"V{size}").ravel()
