"""Who wins at the start, over one or two options of a game."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from bitduel.core.errors import OptionError, shown, unknown
from bitduel.core.game import Game
from bitduel.core.judge import Judge, Judged, best
from bitduel.core.match import Match
from bitduel.core.options import Value
from bitduel.core.picture import Chart, Spot
from bitduel.solve.oracle import TableJudge

MOST_CELLS = 100_000
SMALL = 20_000
"""Up to so many positions a table is made for each cell; beyond, a game's own law is quicker."""


class Axis(NamedTuple):
    """An option and the values it runs through."""

    name: str
    values: tuple[Value, ...]


class Cell(NamedTuple):
    """One choice of options and what the start is worth there; None where that is no game."""

    options: dict[str, Value]
    worth: Judged | None


def axis(kind: type[Game[Any]], text: str) -> Axis:
    """An axis from text: NAME=2..200, NAME=1,2,5 or NAME=open,strict."""
    name, _, values = text.partition("=")
    option = next((option for option in kind.declared if option.name == name.strip()), None)
    if option is None:
        raise unknown("option", name, [option.name for option in kind.declared])
    low, dots, high = values.partition("..")
    if dots:
        ends = [option.parse(end) for end in (low, high)]
        if not (isinstance(ends[0], int) and isinstance(ends[1], int) and ends[0] <= ends[1]):
            raise OptionError(f"--over takes {option.name}=LOW..HIGH with LOW at most HIGH, not '{shown(text)}'")
        if ends[1] - ends[0] >= MOST_CELLS:
            raise OptionError(f"--over takes at most {MOST_CELLS} values, not '{shown(text)}'")
        return Axis(option.name, tuple(range(ends[0], ends[1] + 1)))
    return Axis(option.name, tuple(option.parse(value) for value in values.split(",")))


def survey(
    kind: type[Game[Any]],
    axes: Sequence[Axis],
    settings: Mapping[str, object],
    progress: Callable[[int], None] = lambda _done: None,
) -> list[Cell]:
    """The worth of the start for every choice of values."""
    cells = []
    for number, values in enumerate(product(*(each.values for each in axes)), 1):
        chosen = dict(zip((each.name for each in axes), values, strict=True))
        cells.append(Cell(chosen, _worth(kind, {**settings, **chosen})))
        progress(number)
    return cells


def _worth(kind: type[Game[Any]], options: Mapping[str, object]) -> Judged | None:
    try:
        game = kind(**options)
    except OptionError:
        return None
    view = Match(game, deal=game.any_deal()).view(1)
    return best(_judge(game).choices(view))[0]


def _judge(game: Game[Any]) -> Judge:
    own = game.judge()
    if own and (game.chance or (game.size or 0) > SMALL):
        return own
    return TableJudge(game)


def chart(kind: type[Game[Any]], axes: Sequence[Axis], cells: Sequence[Cell]) -> Chart:
    """The survey as a chart: the last axis across, the first of two down."""
    title = f"{kind.title}: who wins when both play best"
    across = axes[-1]
    spots = [_spot(cell, across.name) for cell in cells]
    width = len(across.values)
    rows = tuple(tuple(spots[i : i + width]) for i in range(0, len(spots), width))
    labels = tuple(str(value) for value in across.values)
    if len(axes) == 1:
        return Chart(title, across.name, labels, rows)
    return Chart(title, across.name, labels, rows, axes[0].name, tuple(str(value) for value in axes[0].values))


def _spot(cell: Cell, name: str) -> Spot | None:
    if cell.worth is None:
        return None
    return Spot(str(cell.options[name]), cell.worth.value, cell.worth.plies, cell.worth.win_probability)
