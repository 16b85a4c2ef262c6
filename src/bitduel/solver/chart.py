"""A picture of a whole small game: every position by who wins there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bitduel.core.picture import Chart, Spot
from bitduel.solver.evaluators import TableEvaluator
from bitduel.solver.shortest_path import key_of
from bitduel.solver.table import Indexes, PositionTable

MOST_SPOTS = 4096
WIDEST = 64


def chart(judge: TableEvaluator) -> Chart | None:
    """All open positions by value for the player to move; None where that would not fit on a screen."""
    table = judge.solution.table
    names = table.game.start()._fields
    places = _places(table)
    if not _fits(table, places):
        return None
    found = {tuple(table.position_at(i)[:2]): _spot(judge, i) for i in places.tolist()}
    return _strip(table.game, found, names) if len(names) == 1 else _grid(judge, found, names)


def has_chart(judge: object) -> bool:
    """Whether there is a picture of the whole game."""
    if not isinstance(judge, TableEvaluator):
        return False
    table = judge.solution.table
    return _fits(table, _places(table))


def _places(table: PositionTable[Any]) -> Indexes:
    """The open positions that are drawn: of those alike in their first two fields, the one with the least others."""
    still: Indexes = np.flatnonzero(table.verdict == 0)
    fields = [field[still] for field in table.positions]
    order = np.lexsort(fields[::-1])
    shown = [field[order] for field in fields[:2]]
    is_new = np.logical_or.reduce([np.diff(field, prepend=field[:1] - 1) != 0 for field in shown])
    places: Indexes = np.sort(still[order[is_new]])
    return places


def _fits(table: PositionTable[Any], places: Indexes) -> bool:
    if not 0 < len(places) <= MOST_SPOTS:
        return False
    return len(table.positions) == 1 or len(np.unique(table.positions[0][places])) <= WIDEST


def _spot(judge: TableEvaluator, index: int) -> Spot:
    return Spot(_labels(judge, index)[0], judge.solution.worth_at(index), key_of(judge.solution.table, index))


def _labels(judge: TableEvaluator, index: int) -> list[str]:
    position = judge.solution.table.position_at(index)
    board = judge.game.observe(position, True, False)
    return [str(field) for field in (board if len(board) == len(position) else position)[:2]]


def _strip(game: Any, found: dict[tuple[int, ...], Spot], names: tuple[str, ...]) -> Chart:
    spots = tuple(found[key] for key in sorted(found))
    return Chart(f"{game.title}: who wins", names[0], tuple(spot.label for spot in spots), (spots,))


def _grid(judge: TableEvaluator, found: dict[tuple[int, ...], Spot], names: tuple[str, ...]) -> Chart:
    across, down = (sorted({key[axis] for key in found}) for axis in (0, 1))
    spots = tuple(tuple(found.get((x, y)) for x in across) for y in down)
    least = f"; {_listed(names[2:])} as low as possible" if len(names) > 2 else ""
    title = f"{judge.game.title}: who wins, for the player to move{least}"
    return Chart(title, names[0], _axis(judge, across, 0), spots, names[1], _axis(judge, down, 1))


def _listed(names: Sequence[str]) -> str:
    *most, last = (name.replace("_", " ") for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def _axis(judge: TableEvaluator, values: list[int], field: int) -> tuple[str, ...]:
    """The values of a field as a player sees them."""
    there = judge.solution.table.positions[field]
    return tuple(_labels(judge, int(np.argmax(there == value)))[field] for value in values)
