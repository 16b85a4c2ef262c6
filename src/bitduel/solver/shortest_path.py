"""The way to a position: the shortest line of moves that leads there from the start."""

from typing import Any

import numpy as np

from bitduel.core.errors import BitduelError
from bitduel.solver.table import PositionTable

LONGEST_KEY = 200


class UnknownPositionError(BitduelError):
    """A position that play cannot reach."""


def key_of(table: PositionTable[Any], index: int) -> str:
    """How a position is written in an address: its fields as numbers."""
    return ",".join(map(str, table.position_at(index)))


def shortest_path(table: PositionTable[Any], key: str, seat: int | None = None) -> list[str]:
    """The moves of a shortest line to a position, of equal ones always the same; raises UnknownPositionError.

    With a seat it is that seat's turn at the end of the line, where the first seat begins.
    """
    at = _index(table, key)
    if seat is None:
        return _walked(table, table.after, at)
    after = _with_seats(table)
    return _walked(table, after, 2 * at + seat - 1)


def _walked(table: PositionTable[Any], after: Any, at: int) -> list[str]:
    parent, made = _first_met(after, at)
    moves: list[str] = []
    while at:
        moves.append(table.game.moves[made[at]])
        at = int(parent[at])
    return moves[::-1]


def _with_seats(table: PositionTable[Any]) -> Any:
    """The same moves between positions with a seat to move: twice as many, the first seat's before the second's."""
    after = table.after.astype(np.int64)
    pairs = [np.where(after < 0, -1, 2 * after + other) for other in (1, 0)]
    return np.stack(pairs, axis=1).reshape(2 * len(table), -1)


def _index(table: PositionTable[Any], key: str) -> int:
    fields = key.split(",") if len(key) <= LONGEST_KEY else []
    if len(fields) == len(table.positions) and all(field.isascii() and field.isdigit() for field in fields):
        index = table.index_of(type(table.positions)(*map(int, fields)))
        if index is not None:
            return index
    raise UnknownPositionError("No line of moves leads to that position.")


def _first_met(after: Any, goal: int) -> tuple[Any, Any]:
    """For each position met on the way to the goal, whence and by which move it was met first."""
    parent, made = np.full(len(after), -1), np.zeros(len(after), np.int64)
    parent[0] = 0
    front = np.array([0])
    while parent[goal] < 0:
        if not len(front):
            raise UnknownPositionError("No line of moves leads to that position with that player to move.")
        then = after[front]
        rows, moves = np.nonzero(then >= 0)
        met = then[rows, moves]
        new = parent[met] < 0
        found, first = np.unique(met[new], return_index=True)
        parent[found] = front[rows[new][first]]
        made[found] = moves[new][first]
        front = found
    return parent, made
