"""The way to a position: the shortest line of moves that leads there from the start."""

from typing import Any

import numpy as np

from bitduel.core.errors import BitduelError
from bitduel.solve.table import Table

LONGEST_KEY = 200


class UnknownPositionError(BitduelError):
    """A position that play cannot reach."""


def key_of(table: Table[Any], index: int) -> str:
    """How a position is written in an address: its fields as numbers."""
    return ",".join(map(str, table.position_at(index)))


def way(table: Table[Any], key: str) -> list[str]:
    """The moves of a shortest line to a position, of equal ones always the same; raises UnknownPositionError."""
    at = _index(table, key)
    parent, made = _first_met(table, at)
    moves: list[str] = []
    while at:
        moves.append(table.game.moves[made[at]])
        at = int(parent[at])
    return moves[::-1]


def _index(table: Table[Any], key: str) -> int:
    fields = key.split(",") if len(key) <= LONGEST_KEY else []
    if len(fields) == len(table.positions) and all(field.isascii() and field.isdigit() for field in fields):
        index = table.index_of(type(table.positions)(*map(int, fields)))
        if index is not None:
            return index
    raise UnknownPositionError("No line of moves leads to that position.")


def _first_met(table: Table[Any], goal: int) -> tuple[Any, Any]:
    """For each position met on the way to the goal, whence and by which move it was met first."""
    parent, made = np.full(len(table), -1), np.zeros(len(table), np.int64)
    parent[0] = 0
    front = np.array([0])
    while parent[goal] < 0:
        then = table.after[front]
        rows, moves = np.nonzero(then >= 0)
        met = then[rows, moves]
        new = parent[met] < 0
        found, first = np.unique(met[new], return_index=True)
        parent[found] = front[rows[new][first]]
        made[found] = moves[new][first]
        front = found
    return parent, made
