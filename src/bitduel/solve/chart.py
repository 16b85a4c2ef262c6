"""A picture of a whole small game: every position by who wins there."""

from typing import Any

import numpy as np

from bitduel.core.picture import Chart, Spot
from bitduel.solve.oracle import TableJudge
from bitduel.solve.table import Indexes, Table
from bitduel.solve.way import key_of

MOST_SPOTS = 4096
WIDEST = 64


def chart(judge: TableJudge) -> Chart | None:
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
    if not isinstance(judge, TableJudge):
        return False
    table = judge.solution.table
    return _fits(table, _places(table))


def _places(table: Table[Any]) -> Indexes:
    """The open positions that are drawn: of those alike in their first two fields, the plainest."""
    still = table.verdict == 0
    fields = [field[still] for field in table.positions]
    rest = np.logical_and.reduce([field == field.min() for field in fields[2:]] or [np.ones(still.sum(), bool)])
    places: Indexes = np.flatnonzero(still)[rest]
    return places


def _fits(table: Table[Any], places: Indexes) -> bool:
    if not 0 < len(places) <= MOST_SPOTS:
        return False
    return len(table.positions) == 1 or len(np.unique(table.positions[0][places])) <= WIDEST


def _spot(judge: TableJudge, index: int) -> Spot:
    return Spot(_labels(judge, index)[0], judge.solution.worth_at(index), key_of(judge.solution.table, index))


def _labels(judge: TableJudge, index: int) -> list[str]:
    board = judge.game.see(judge.solution.table.position_at(index), True, False)
    return [str(field) for field in board[:2]]


def _strip(game: Any, found: dict[tuple[int, ...], Spot], names: tuple[str, ...]) -> Chart:
    spots = tuple(found[key] for key in sorted(found))
    return Chart(f"{game.title}: who wins", names[0], tuple(spot.label for spot in spots), (spots,))


def _grid(judge: TableJudge, found: dict[tuple[int, ...], Spot], names: tuple[str, ...]) -> Chart:
    across, down = (sorted({key[axis] for key in found}) for axis in (0, 1))
    spots = tuple(tuple(found.get((x, y)) for x in across) for y in down)
    title = f"{judge.game.title}: who wins, for the player to move"
    return Chart(title, names[0], _axis(judge, across), spots, names[1], _axis(judge, down))


def _axis(judge: TableJudge, values: list[int]) -> tuple[str, ...]:
    """The values of a field as a player sees them."""
    table = judge.solution.table
    first = {int(v): i for i, v in reversed(list(enumerate(table.positions[0].tolist())))}
    return tuple(_labels(judge, first[value])[0] if value in first else str(value) for value in values)
