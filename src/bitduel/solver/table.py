"""The position table: every position that play can reach and where each move leads, as arrays."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import BitduelError, TooLargeError
from bitduel.core.game import Game, Verdict
from bitduel.solver.kernel import ARRAY_MINIMUM, KERNEL_MINIMUM, Int8Array, Int32Array, reachable, use_kernel

Keys: TypeAlias = NDArray[Any]
Indexes: TypeAlias = NDArray[np.int64]
Columns: TypeAlias = list[Indexes]
KeyIndex: TypeAlias = "_ArrayIndex | _SortedIndex"
ExploredParts: TypeAlias = list[tuple[Columns, Int32Array, Int8Array]]
P = TypeVar("P", bound=tuple[Any, ...])

ILLEGAL, OUTSIDE = -1, -2
"""The index after an illegal move, and the key of a position outside the game's ranges."""

CHUNK = 1 << 15
"""The number of positions at a time that keeps the arrays of the rules in the processor's cache."""

LARGEST_ARRAY = 1 << 24
"""The largest range of keys that an array is indexed by."""

MOST_INDEXES = 2**31 - 2
"""The largest number of positions whose indexes fit into 32 bits."""

BREADTH_CHECK_LEVEL = 1000
"""The number of levels after which it is clear whether a game is broad."""

LONGEST_KEY = 200


@dataclass(frozen=True)
class PositionTable(Generic[P]):
    """All positions that play can reach; index 0 is the start."""

    game: Game[P]
    positions: P
    """One position whose fields are arrays."""
    after: Int32Array
    """For each position and move the index of the position it leads to, -1 for an illegal move."""
    verdict: Int8Array
    _radix: "_Radix"
    _key_index: KeyIndex

    def __len__(self) -> int:
        return len(self.verdict)

    def index_of(self, position: P) -> int | None:
        """Return the index of a position, None if play cannot reach it."""
        if not all(0 <= field < end for field, end in zip(position, self._radix.ranges, strict=True)):
            return None
        index = self._key_index.find(self._radix.keys([np.array([field]) for field in position]))
        return index if index >= 0 else None

    def position_at(self, index: int) -> P:
        """Return the position at an index, its fields plain integers."""
        return _position(self.positions, [int(field[index]) for field in self.positions])


def explore(
    game: Game[P], limit: int | None = None, *, start: P | None = None, kernel: bool | None = None
) -> PositionTable[P]:
    """Return the table of a game; raise TooLargeError if memory, or the limit, does not allow it."""
    limit = min(max_positions(game, kernel) if limit is None else limit, MOST_INDEXES)
    size = game.size or 0
    _check_size(game, "about", size, limit, kernel)
    exploration = _Exploration(game, game.start() if start is None else start, limit, kernel)
    if exploration.radix.span <= max(CHUNK, min(2 * size, MOST_INDEXES)):
        return exploration.by_keys()
    return exploration.by_levels() or exploration.by_keys()


def max_positions(game: Game[Any], kernel: bool | None = None) -> int:
    """Return the number of positions of a game that can be solved in half of this machine's memory."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        memory = 4 << 30
    return memory // 2 // _bytes_per_position(game, kernel)


def _bytes_per_position(game: Game[Any], kernel: bool | None) -> int:
    """Return the memory of a position while it is solved: its fields, its moves both ways, and some notes."""
    return 8 * len(game.ranges) + (8 if use_kernel(KERNEL_MINIMUM, kernel) else 32) * len(game.moves) + 32


def _check_size(game: Game[Any], how: str, count: int, limit: int, kernel: bool | None) -> None:
    if count > limit:
        needed, there = (n * _bytes_per_position(game, kernel) / 1e9 for n in (count, limit))
        raise TooLargeError(
            f"With these settings {game.title} has {how} {count:,} positions and needs {needed:,.1f} GB to solve. "
            f"There is room for {limit:,} ({there:,.1f} GB). Choose smaller settings."
        )


def _position(like: P, fields: list[Any]) -> P:
    kind: Any = type(like)
    position: P = kind(*fields)
    return position


class _Radix:
    """Positions as single numbers (keys), and back."""

    def __init__(self, ranges: tuple[int, ...]) -> None:
        self.ranges = ranges
        self.span = prod(ranges)
        self.strides = [prod(ranges[place + 1 :]) for place in range(len(ranges))]

    def keys(self, columns: Columns) -> Keys:
        """Return a key for each position, OUTSIDE if a field is out of its range."""
        if self.span > np.iinfo(np.int64).max:
            return np.stack(columns, axis=1).view(f"V{8 * len(columns)}").ravel()
        key = columns[-1]
        inside = key.view(np.uint64) < self.ranges[-1]
        for column, end, stride in zip(columns[:-1], self.ranges, self.strides, strict=False):
            key = key + column * stride
            inside &= column.view(np.uint64) < end
        return np.where(inside, key, OUTSIDE)

    def columns(self, keys: Indexes) -> Columns:
        """Return the fields of the positions that have these keys."""
        columns = []
        for stride in self.strides[:-1]:
            column = keys // stride
            keys = keys - column * stride
            columns.append(column)
        return [*columns, keys]


class _ArrayIndex:
    """The index of each key in an array over all keys, counted from 1; 0 for a key not met yet."""

    def __init__(self, place: Int32Array, count: int = 0) -> None:
        self.place = place
        self.count = count

    def number(self, keys: Keys) -> tuple[NDArray[Any], Indexes]:
        """Return the index of each key, numbering new ones, and for each new one where it is among the keys."""
        new = np.flatnonzero(self.place[keys] == 0)
        tags = np.arange(1, len(new) + 1, dtype=np.int32)
        self.place[keys[new]] = tags
        new = new[self.place[keys[new]] == tags]
        self.place[keys[new]] = self.count + tags[: len(new)]
        self.count += len(new)
        return self.place[keys] - 1, new

    def find(self, key: Keys) -> int:
        return int(self.place[key[0]]) - 1


class _SortedIndex:
    """The same for keys too large to index an array."""

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


class _Exploration(Generic[P]):
    """One exploration, by keys or by levels."""

    def __init__(self, game: Game[P], start: P, limit: int, kernel: bool | None) -> None:
        self.game, self.start, self.limit, self.kernel = game, start, limit, kernel
        self.radix = _Radix(game.ranges)
        self.first = [np.array([field], np.int64) for field in start]

    def by_keys(self) -> PositionTable[P]:
        """Apply the rules to every key there is, then keep what can be reached: no level is too thin for arrays."""
        after, verdict = self._transitions()
        (start,) = self.radix.keys(self.first)
        reached = reachable(after, start, self.kernel)
        reached[start] = False
        keys = np.concatenate(([start], np.flatnonzero(reached)))
        self._check(len(keys))
        # One place more than there are keys, so that ILLEGAL, counted from the end, finds nothing.
        place = np.zeros(len(after) + 1, np.int32)
        place[keys] = np.arange(1, len(keys) + 1, dtype=np.int32)
        rows = np.empty((len(keys), after.shape[1]), np.int32)
        for part in _parts(len(keys), CHUNK):
            then = after[keys[part]]
            self._check_inside(then)
            rows[part] = place[then] - 1
        positions = _position(self.start, self.radix.columns(keys))
        return PositionTable(self.game, positions, rows, verdict[keys], self.radix, _ArrayIndex(place, len(keys)))

    def by_levels(self) -> PositionTable[P] | None:
        """Explore breadth-first; return None if levels are so thin that `by_keys` is faster."""
        span, first_keys = self.radix.span, self.radix.keys(self.first)
        index = _ArrayIndex(np.zeros(span, np.int32)) if span <= LARGEST_ARRAY else _SortedIndex(first_keys[:0])
        index.number(first_keys)
        front, levels, explored = self.first, 0, ExploredParts()
        while len(front[0]):
            if (
                levels >= BREADTH_CHECK_LEVEL
                and index.count < ARRAY_MINIMUM * levels
                and span <= min(self.limit, LARGEST_ARRAY)
            ):
                return None
            # Large enough to make merging sorted keys worth it, small enough to notice the limit in time.
            parts = _parts(len(front[0]), max(CHUNK, index.count // 8))
            front = _joined([self._step([column[part] for column in front], index, explored) for part in parts])
            levels += 1
        columns, rows, verdicts = zip(*explored, strict=True)
        positions = _position(self.start, _joined(columns))
        return PositionTable(self.game, positions, np.concatenate(rows), np.concatenate(verdicts), self.radix, index)

    def _step(self, columns: Columns, key_index: KeyIndex, explored: ExploredParts) -> Columns:
        """Add some positions with their verdicts and moves; return the positions not met before."""
        position, moves = _position(self.start, columns), self.game.moves
        rows = np.full((len(columns[0]), len(moves)), ILLEGAL, np.int32)
        verdict = np.broadcast_to(self.game.verdict(position), len(rows)).astype(np.int8)
        cells, then = [], []
        for number, move in enumerate(moves):
            here = np.flatnonzero((verdict == Verdict.OPEN) & self.game.legal(position, move))
            after = self.game.play(_position(self.start, [column[here] for column in columns]), move)
            then.append(_columns(after, len(here)))
            cells.append(here * len(moves) + number)
        merged = _joined(then)
        keys = self.radix.keys(merged)
        self._check_inside(keys)
        index, new = key_index.number(keys)
        rows.reshape(-1)[np.concatenate(cells)] = index
        self._check(key_index.count)
        explored.append((columns, rows, verdict))
        return [column[new] for column in merged]

    def _transitions(self) -> tuple[Int32Array, Int8Array]:
        """Return for every key the keys that its moves lead to, and its verdict."""
        span, moves = self.radix.span, self.game.moves
        after, verdict = np.empty((span, len(moves)), np.int32), np.empty(span, np.int8)
        for part in _parts(span, CHUNK):
            keys = np.arange(part.start, part.stop)
            position = _position(self.start, self.radix.columns(keys))
            verdict[part] = self.game.verdict(position)
            for number, move in enumerate(moves):
                legal = (verdict[part] == Verdict.OPEN) & self.game.legal(position, move)
                then = self.radix.keys(_columns(self.game.play(position, move), len(keys)))
                after[part, number] = np.where(legal, then, ILLEGAL)
        return after, verdict

    def _check(self, count: int) -> None:
        _check_size(self.game, "at least", count, self.limit, self.kernel)

    def _check_inside(self, keys: Keys) -> None:
        if keys.dtype.kind == "i" and (keys == OUTSIDE).any():
            raise ValueError(f"a move of {self.game.slug} leads out of its ranges {self.game.ranges}")


def _parts(size: int, chunk: int) -> Iterator[slice]:
    return (slice(low, min(low + chunk, size)) for low in range(0, size, chunk))


def _columns(position: tuple[Any, ...], size: int) -> Columns:
    return [np.broadcast_to(np.asarray(field, np.int64), size) for field in position]


def _joined(parts: Iterable[Columns]) -> Columns:
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


class UnknownPositionError(BitduelError):
    """A position that play cannot reach."""


def position_key(table: PositionTable[Any], index: int) -> str:
    """Return a position as it is written in an address: its fields as numbers."""
    return ",".join(map(str, table.position_at(index)))


def shortest_path(table: PositionTable[Any], key: str, seat: int | None = None) -> list[str]:
    """Return the moves of a shortest line to a position, always the same; raise UnknownPositionError.

    With a seat, it is that seat's turn at the end of the line; the first seat starts.
    """
    fields = key.split(",") if len(key) <= LONGEST_KEY else []
    index = None
    if len(fields) == len(table.positions) and all(field.isascii() and field.isdigit() for field in fields):
        index = table.index_of(type(table.positions)(*map(int, fields)))
    if index is None:
        raise UnknownPositionError("No sequence of moves leads to that position.")
    after, goal = (table.after, index) if seat is None else (_with_seats(table), 2 * index + seat - 1)
    parent, move_numbers = _breadth_first_tree(after, goal)
    moves: list[str] = []
    while goal:
        moves.append(table.game.moves[move_numbers[goal]])
        goal = int(parent[goal])
    return moves[::-1]


def _with_seats(table: PositionTable[Any]) -> Any:
    """Return the moves between positions with a seat to move: index 2i for the first seat, 2i + 1 for the second."""
    after = table.after.astype(np.int64)
    pairs = [np.where(after < 0, -1, 2 * after + other) for other in (1, 0)]
    return np.stack(pairs, axis=1).reshape(2 * len(table), -1)


def _breadth_first_tree(after: Any, goal: int) -> tuple[Any, Any]:
    """Return the parent of each position met before the goal, and the move that led from it."""
    parent, move_numbers = np.full(len(after), -1), np.zeros(len(after), np.int64)
    parent[0] = 0
    front = np.array([0])
    while parent[goal] < 0:
        if not len(front):
            raise UnknownPositionError("No sequence of moves leads to that position with that player to move.")
        then = after[front]
        rows, moves = np.nonzero(then >= 0)
        met = then[rows, moves]
        is_new = parent[met] < 0
        new, first = np.unique(met[is_new], return_index=True)
        parent[new] = front[rows[is_new][first]]
        move_numbers[new] = moves[is_new][first]
        front = new
    return parent, move_numbers
