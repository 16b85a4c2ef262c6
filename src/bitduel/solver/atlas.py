"""Charts of who wins: at the start over options of a game (the atlas), and at every position of a small game."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from bitduel.core.errors import OptionError, printable, unknown_name
from bitduel.core.evaluation import Evaluation, best_choices
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import OptionValue
from bitduel.core.phrases import join_with_and
from bitduel.core.picture import Chart, ChartCell
from bitduel.solver.evaluators import TABLE_LIMIT, TableEvaluator, choose_evaluator
from bitduel.solver.table import Indexes, PositionTable, position_key

MOST_GAMES = 100_000
SMALL_TABLE = 20_000
"""The size up to which each of many games is solved by a table; a few games may have larger ones."""

MOST_CELLS = 4096
WIDEST_CHART = 64


class OptionAxis(NamedTuple):
    """An option and the values it runs through."""

    name: str
    values: tuple[OptionValue, ...]


class AtlasEntry(NamedTuple):
    """Chosen options and the evaluation of the start; None if the options make no game."""

    options: dict[str, OptionValue]
    evaluation: Evaluation | None


def parse_axis(kind: type[Game[Any]], text: str) -> OptionAxis:
    """Return the axis written as NAME=2..200, NAME=1,2,5 or NAME=open,strict."""
    name, _, values = text.partition("=")
    option = next((option for option in kind.declared_options if option.name == name.strip()), None)
    if option is None:
        raise unknown_name("setting", name, [option.name for option in kind.declared_options])
    low, dots, high = values.partition("..")
    if dots:
        ends = [option.parse(end) for end in (low, high)]
        if not (isinstance(ends[0], int) and isinstance(ends[1], int) and ends[0] <= ends[1]):
            raise OptionError(f"A range must be {option.name}=LOW..HIGH with LOW at most HIGH, not '{printable(text)}'")
        if ends[1] - ends[0] >= MOST_GAMES:
            raise OptionError(f"'{printable(text)}' has too many values. A range can have at most {MOST_GAMES}")
        return OptionAxis(option.name, tuple(range(ends[0], ends[1] + 1)))
    return OptionAxis(option.name, tuple(dict.fromkeys(option.parse(value) for value in values.split(","))))


def survey(
    kind: type[Game[Any]],
    axes: Sequence[OptionAxis],
    settings: Mapping[str, object],
    progress: Callable[[int], None] = lambda _done: None,
    table_limit: int | None = None,
) -> list[AtlasEntry]:
    """Evaluate the start for every combination of values; a game's own evaluator replaces tables beyond the limit."""
    count = prod(len(axis.values) for axis in axes)
    if count > MOST_GAMES:
        raise OptionError(f"That would be {count} games. The map can show at most {MOST_GAMES}.")
    limit = max(SMALL_TABLE, TABLE_LIMIT // count) if table_limit is None else table_limit
    entries = []
    for number, values in enumerate(product(*(axis.values for axis in axes)), 1):
        chosen = dict(zip((axis.name for axis in axes), values, strict=True))
        entries.append(AtlasEntry(chosen, _start_evaluation(kind, {**settings, **chosen}, limit)))
        progress(number)
    return entries


def _start_evaluation(kind: type[Game[Any]], options: Mapping[str, object], table_limit: int) -> Evaluation | None:
    try:
        game = kind(**options)
    except OptionError:
        return None
    view = Match(game, deal=game.any_deal()).view(1)
    return best_choices(choose_evaluator(game, table_limit).choices(view))[0].evaluation


def atlas_chart(kind: type[Game[Any]], axes: Sequence[OptionAxis], entries: Sequence[AtlasEntry]) -> Chart:
    """Return a survey as a chart: the last axis across, the first of two down."""
    title = f"{kind.title}: who wins with perfect play"
    across = axes[-1]
    cells = [_entry_cell(entry, across.name) for entry in entries]
    width = len(across.values)
    rows = tuple(tuple(cells[i : i + width]) for i in range(0, len(cells), width))
    labels = tuple(str(value) for value in across.values)
    if len(axes) == 1:
        return Chart(title, across.name, labels, rows)
    return Chart(title, across.name, labels, rows, axes[0].name, tuple(str(value) for value in axes[0].values))


def _entry_cell(entry: AtlasEntry, across: str) -> ChartCell | None:
    key = ",".join(f"{name}={value}" for name, value in entry.options.items())
    return entry.evaluation and ChartCell(str(entry.options[across]), entry.evaluation, key)


def position_chart(evaluator: TableEvaluator) -> Chart | None:
    """Return a chart of all open positions by value for the player to move; None if it would not fit on a screen."""
    table = evaluator.solution.table
    names = table.game.start()._fields
    indexes = _charted(table)
    if not _fits(table, indexes):
        return None
    cells = {tuple(table.position_at(i)[:2]): _position_cell(evaluator, i) for i in indexes.tolist()}
    if len(names) == 1:
        row = tuple(cells[key] for key in sorted(cells))
        return Chart(f"{table.game.title}: who wins", names[0], tuple(cell.label for cell in row), (row,))
    across, down = (sorted({key[axis] for key in cells}) for axis in (0, 1))
    rows = tuple(tuple(cells.get((x, y)) for x in across) for y in down)
    others = [name.replace("_", " ") for name in names[2:]]
    least = f" (lowest {join_with_and(others)})" if others else ""
    title = f"{table.game.title}: the result for the player to move{least}"
    return Chart(title, names[0], _axis_labels(evaluator, across, 0), rows, names[1], _axis_labels(evaluator, down, 1))


def has_position_chart(evaluator: object) -> bool:
    """Return whether there is a chart of the whole game."""
    if not isinstance(evaluator, TableEvaluator):
        return False
    table = evaluator.solution.table
    return _fits(table, _charted(table))


def _charted(table: PositionTable[Any]) -> Indexes:
    """Return, of the open positions with the same first two fields, the one whose other fields are lowest."""
    still_open: Indexes = np.flatnonzero(table.verdict == 0)
    fields = [field[still_open] for field in table.positions]
    order = np.lexsort(fields[::-1])
    first_two = [field[order] for field in fields[:2]]
    is_new = np.logical_or.reduce([np.diff(field, prepend=field[:1] - 1) != 0 for field in first_two])
    return np.asarray(np.sort(still_open[order[is_new]]), np.int64)


def _fits(table: PositionTable[Any], indexes: Indexes) -> bool:
    if not 0 < len(indexes) <= MOST_CELLS:
        return False
    return len(table.positions) == 1 or len(np.unique(table.positions[0][indexes])) <= WIDEST_CHART


def _position_cell(evaluator: TableEvaluator, index: int) -> ChartCell:
    solution = evaluator.solution
    label = _field_labels(evaluator, index)[0]
    return ChartCell(label, solution.evaluation_at(index), position_key(solution.table, index))


def _field_labels(evaluator: TableEvaluator, index: int) -> list[str]:
    """Return the first two fields of a position as a player sees them."""
    position = evaluator.solution.table.position_at(index)
    board = evaluator.game.observe(position, True, False)
    return [str(field) for field in (board if len(board) == len(position) else position)[:2]]


def _axis_labels(evaluator: TableEvaluator, values: list[int], field: int) -> tuple[str, ...]:
    column = evaluator.solution.table.positions[field]
    return tuple(_field_labels(evaluator, int(np.argmax(column == value)))[field] for value in values)
