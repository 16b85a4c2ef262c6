"""Every position that play can reach, and where each move leads, as arrays; found from the rules alone."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game, Verdict
from bitduel.solver.kernel import BROAD, LARGE, Rows, Small, reach, wanted

Keys: TypeAlias = NDArray[Any]
Indexes: TypeAlias = NDArray[np.int64]
Columns: TypeAlias = list[Indexes]
Address: TypeAlias = "_Lookup | _Sorted"
Done: TypeAlias = list[tuple[Columns, Rows, Small]]
Progress: TypeAlias = Callable[[int], None]
P = TypeVar("P", bound=tuple[Any, ...])

NOWHERE, OUTSIDE = -1, -2
"""Where an illegal move leads, and a move to a position that the game's ranges rule out."""

CHUNK = 1 << 15
"""So many positions at a time keep the arrays of the rules in the processor's cache."""

MOST_PLACES = 1 << 24
"""The largest range of keys for which an array says which key has been found where."""

MOST_INDEXES = 2**31 - 2
"""The largest number of positions whose indexes fit into 32 bits."""

DEEP = 1000
"""After so many levels it is clear whether a game is broad."""


@dataclass(frozen=True)
class PositionTable(Generic[P]):
    """All positions that play can reach; index 0 is the start."""

    game: Game[P]
    positions: P
    """One position whose fields are arrays."""
    after: Rows
    """For each position and move the index of the position it leads to, -1 where the move is illegal."""
    verdict: Small
    _radix: "_Radix"
    _address: Address

    def __len__(self) -> int:
        return len(self.verdict)

    def index_of(self, position: P) -> int | None:
        """Where a position stands in the table, None if play cannot reach it."""
        if not all(0 <= field < end for field, end in zip(position, self._radix.ranges, strict=True)):
            return None
        index = self._address.find(self._radix.keys([np.array([field]) for field in position]))
        return index if index >= 0 else None

    def position_at(self, index: int) -> P:
        """The position at an index, its fields plain numbers."""
        return _like(self.positions, [int(field[index]) for field in self.positions])


def explore(
    game: Game[P],
    limit: int | None = None,
    *,
    start: P | None = None,
    kernel: bool | None = None,
    progress: Progress | None = None,
) -> PositionTable[P]:
    """All positions that play can reach, if memory (or the limit) allows; progress hears how many it has looked at."""
    limit = min(room(game, kernel) if limit is None else limit, MOST_INDEXES)
    size = game.size or 0
    _check(game, "about", size, limit, kernel)
    search = _Search(game, game.start() if start is None else start, limit, kernel, progress or (lambda _: None))
    if search.radix.span <= max(CHUNK, min(2 * size, MOST_INDEXES)):
        return search.all_keys()
    return search.by_levels() or search.all_keys()


def room(game: Game[Any], kernel: bool | None = None) -> int:
    """How many positions of a game can be solved in half of this machine's memory."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        memory = 4 << 30
    return memory // 2 // _bytes(game, kernel)


def _bytes(game: Game[Any], kernel: bool | None) -> int:
    """What a position takes while it is solved: its fields, its moves both ways, and some notes."""
    return 8 * len(game.ranges) + (8 if wanted(LARGE, kernel) else 32) * len(game.moves) + 32


def _check(game: Game[Any], how: str, count: int, limit: int, kernel: bool | None) -> None:
    if count > limit:
        needed, there = (n * _bytes(game, kernel) / 1e9 for n in (count, limit))
        raise TooLargeError(
            f"{game.title} with these options has {how} {count:,} positions, which take {needed:,.1f} GB to solve; "
            f"there is room for {limit:,} ({there:,.1f} GB). Choose smaller options."
        )


def _like(position: P, fields: list[Any]) -> P:
    kind: Any = type(position)
    made: P = kind(*fields)
    return made


class _Radix:
    """Positions as single numbers, and back."""

    def __init__(self, ranges: tuple[int, ...]) -> None:
        self.ranges = ranges
        self.span = prod(ranges)
        self.strides = [prod(ranges[place + 1 :]) for place in range(len(ranges))]

    def keys(self, columns: Columns) -> Keys:
        """One key for each position, OUTSIDE where a field is out of its range."""
        if self.span > np.iinfo(np.int64).max:
            return np.stack(columns, axis=1).view(f"V{8 * len(columns)}").ravel()
        key = columns[-1]
        inside = key.view(np.uint64) < self.ranges[-1]
        for column, end, stride in zip(columns[:-1], self.ranges, self.strides, strict=False):
            key = key + column * stride
            inside &= column.view(np.uint64) < end
        return np.where(inside, key, OUTSIDE)

    def columns(self, keys: Indexes) -> Columns:
        """The fields of the positions that have these keys."""
        columns = []
        for stride in self.strides[:-1]:
            column = keys // stride
            keys = keys - column * stride
            columns.append(column)
        return [*columns, keys]


class _Lookup:
    """Which key has been found where: an array over all keys, from 1, and 0 for what has not been found."""

    def __init__(self, place: Rows, count: int = 0) -> None:
        self.place = place
        self.count = count

    def number(self, keys: Keys) -> tuple[NDArray[Any], Indexes]:
        """The index of each key, new ones numbered on, and for each new one where it stands among the keys."""
        new = np.flatnonzero(self.place[keys] == 0)
        tags = np.arange(1, len(new) + 1, dtype=np.int32)
        self.place[keys[new]] = tags
        new = new[self.place[keys[new]] == tags]
        self.place[keys[new]] = self.count + tags[: len(new)]
        self.count += len(new)
        return self.place[keys] - 1, new

    def find(self, key: Keys) -> int:
        return int(self.place[key[0]]) - 1


class _Sorted:
    """The same for keys too large to be places of an array."""

    def __init__(self, empty: Keys) -> None:
        self.keys = empty
        self.index: Indexes = np.empty(0, np.int64)
        self.count = 0

    def number(self, keys: Keys) -> tuple[NDArray[Any], Indexes]:
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        at, known = self._search(unique)
        index = np.empty(len(unique), np.int64)
        index[known] = self.index[at[known]]
        index[~known] = self.count + np.arange(np.count_nonzero(~known))
        self.keys = np.insert(self.keys, at[~known], unique[~known])
        self.index = np.insert(self.index, at[~known], index[~known])
        self.count = len(self.keys)
        return index[inverse], first[~known]

    def find(self, key: Keys) -> int:
        at, known = self._search(key)
        return int(self.index[at[0]]) if known[0] else -1

    def _search(self, keys: Keys) -> tuple[Indexes, NDArray[np.bool_]]:
        at = np.searchsorted(self.keys, keys)
        known = at < self.count
        known[known] = self.keys[at[known]] == keys[known]
        return at, known


class _Search(Generic[P]):
    """One exploration, in either of two ways."""

    def __init__(self, game: Game[P], start: P, limit: int, kernel: bool | None, progress: Progress) -> None:
        self.game, self.start, self.limit, self.kernel, self.progress = game, start, limit, kernel, progress
        self.radix = _Radix(game.ranges)
        self.first = [np.array([field], np.int64) for field in start]

    def all_keys(self) -> PositionTable[P]:
        """Ask the rules about every key there is, then keep what can be reached: no level is too thin for arrays."""
        after, verdict = self._transitions()
        (start,) = self.radix.keys(self.first)
        seen = reach(after, start, self.kernel)
        seen[start] = False
        keys = np.concatenate(([start], np.flatnonzero(seen)))
        self._check(len(keys))
        # One place more than there are keys, so that NOWHERE, counted from the end, finds nothing.
        place = np.zeros(len(after) + 1, np.int32)
        place[keys] = np.arange(1, len(keys) + 1, dtype=np.int32)
        rows = np.empty((len(keys), after.shape[1]), np.int32)
        for part in _parts(len(keys), CHUNK):
            then = after[keys[part]]
            self._check_inside(then)
            rows[part] = place[then] - 1
        positions = _like(self.start, self.radix.columns(keys))
        return PositionTable(self.game, positions, rows, verdict[keys], self.radix, _Lookup(place, len(keys)))

    def by_levels(self) -> PositionTable[P] | None:
        """Breadth-first from the start; None where the levels are so thin that asking about every key is faster."""
        span = self.radix.span
        address = _Lookup(np.zeros(span, np.int32)) if span <= MOST_PLACES else _Sorted(self.radix.keys(self.first)[:0])
        address.number(self.radix.keys(self.first))
        front, levels, done = self.first, 0, Done()
        while len(front[0]):
            if levels >= DEEP and address.count < BROAD * levels and span <= min(self.limit, MOST_PLACES):
                return None
            # Large enough to make merging sorted keys worth it, small enough to notice the limit in time.
            parts = _parts(len(front[0]), max(CHUNK, address.count // 8))
            front = _joined([self._step([column[part] for column in front], address, done) for part in parts])
            levels += 1
        columns, rows, verdicts = zip(*done, strict=True)
        positions = _like(self.start, _joined(columns))
        return PositionTable(self.game, positions, np.concatenate(rows), np.concatenate(verdicts), self.radix, address)

    def _step(self, columns: Columns, address: Address, done: Done) -> Columns:
        """Add some positions with their verdicts and where their moves lead; return those not met before."""
        position, moves = _like(self.start, columns), self.game.moves
        rows = np.full((len(columns[0]), len(moves)), NOWHERE, np.int32)
        verdict = np.broadcast_to(self.game.verdict(position), len(rows)).astype(np.int8)
        cells, then = [], []
        for number, move in enumerate(moves):
            here = np.flatnonzero((verdict == Verdict.OPEN) & self.game.legal(position, move))
            after = self.game.play(_like(self.start, [column[here] for column in columns]), move)
            then.append(_columns(after, len(here)))
            cells.append(here * len(moves) + number)
        merged = _joined(then)
        keys = self.radix.keys(merged)
        self._check_inside(keys)
        index, new = address.number(keys)
        rows.reshape(-1)[np.concatenate(cells)] = index
        self._check(address.count)
        self.progress(address.count)
        done.append((columns, rows, verdict))
        return [column[new] for column in merged]

    def _transitions(self) -> tuple[Rows, Small]:
        """For every key the keys that the moves lead to, and its verdict; most games can reach most of them."""
        span, moves = self.radix.span, self.game.moves
        after, verdict = np.empty((span, len(moves)), np.int32), np.empty(span, np.int8)
        for part in _parts(span, CHUNK):
            keys = np.arange(part.start, part.stop)
            position = _like(self.start, self.radix.columns(keys))
            verdict[part] = self.game.verdict(position)
            for number, move in enumerate(moves):
                legal = (verdict[part] == Verdict.OPEN) & self.game.legal(position, move)
                then = self.radix.keys(_columns(self.game.play(position, move), len(keys)))
                after[part, number] = np.where(legal, then, NOWHERE)
            self.progress(part.stop)
        return after, verdict

    def _check(self, count: int) -> None:
        _check(self.game, "at least", count, self.limit, self.kernel)

    def _check_inside(self, keys: Keys) -> None:
        if keys.dtype.kind == "i" and (keys == OUTSIDE).any():
            raise ValueError(f"a move of {self.game.slug} leads out of its ranges {self.game.ranges}")


def _parts(size: int, chunk: int) -> Iterator[slice]:
    return (slice(low, min(low + chunk, size)) for low in range(0, size, chunk))


def _columns(position: tuple[Any, ...], size: int) -> Columns:
    return [np.broadcast_to(np.asarray(field, np.int64), size) for field in position]


def _joined(parts: Iterable[Columns]) -> Columns:
    return [np.concatenate(column) for column in zip(*parts, strict=True)]
