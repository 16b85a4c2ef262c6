"""Who wins at the start, over one or two options of a game."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from bitduel.core.errors import OptionError, shown, unknown
from bitduel.core.evaluation import Evaluation
from bitduel.core.evaluator import best
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.options import Setting
from bitduel.core.picture import Chart, Spot
from bitduel.solver.evaluators import QUICK, choose_evaluator

MOST_GAMES = 100_000
SMALL = 20_000
"""So many positions a table may have for each of many games; a few games may have more."""


class OptionAxis(NamedTuple):
    """An option and the values it runs through."""

    name: str
    values: tuple[Setting, ...]


class Entry(NamedTuple):
    """One choice of options and what the start is worth there; None where that is no game."""

    options: dict[str, Setting]
    worth: Evaluation | None


def axis(kind: type[Game[Any]], text: str) -> OptionAxis:
    """An axis from text: NAME=2..200, NAME=1,2,5 or NAME=open,strict."""
    name, _, values = text.partition("=")
    option = next((option for option in kind.declared if option.name == name.strip()), None)
    if option is None:
        raise unknown("option", name, [option.name for option in kind.declared])
    low, dots, high = values.partition("..")
    if dots:
        ends = [option.parse(end) for end in (low, high)]
        if not (isinstance(ends[0], int) and isinstance(ends[1], int) and ends[0] <= ends[1]):
            raise OptionError(f"A range is {option.name}=LOW..HIGH with LOW at most HIGH, not '{shown(text)}'")
        if ends[1] - ends[0] >= MOST_GAMES:
            raise OptionError(f"A range has at most {MOST_GAMES} values, not '{shown(text)}'")
        return OptionAxis(option.name, tuple(range(ends[0], ends[1] + 1)))
    return OptionAxis(option.name, tuple(dict.fromkeys(option.parse(value) for value in values.split(","))))


def survey(
    kind: type[Game[Any]],
    axes: Sequence[OptionAxis],
    settings: Mapping[str, object],
    progress: Callable[[int], None] = lambda _done: None,
    most: int | None = None,
) -> list[Entry]:
    """The worth of the start for every choice of values; where a law knows, no table has more positions than most."""
    count = prod(len(each.values) for each in axes)
    if count > MOST_GAMES:
        raise OptionError(f"That would be {count} games; the atlas takes at most {MOST_GAMES}.")
    most, entries = max(SMALL, QUICK // count) if most is None else most, []
    for number, values in enumerate(product(*(each.values for each in axes)), 1):
        chosen = dict(zip((each.name for each in axes), values, strict=True))
        entries.append(Entry(chosen, _worth(kind, {**settings, **chosen}, most)))
        progress(number)
    return entries


def _worth(kind: type[Game[Any]], options: Mapping[str, object], most: int) -> Evaluation | None:
    try:
        game = kind(**options)
    except OptionError:
        return None
    view = Match(game, deal=game.any_deal()).view(1)
    return best(choose_evaluator(game, most).choices(view))[0].worth


def chart(kind: type[Game[Any]], axes: Sequence[OptionAxis], entries: Sequence[Entry]) -> Chart:
    """The survey as a chart: the last axis across, the first of two down."""
    title = f"{kind.title}: who wins when both play best"
    across = axes[-1]
    spots = [entry.worth and Spot(str(entry.options[across.name]), entry.worth, _key(entry)) for entry in entries]
    width = len(across.values)
    rows = tuple(tuple(spots[i : i + width]) for i in range(0, len(spots), width))
    labels = tuple(str(value) for value in across.values)
    if len(axes) == 1:
        return Chart(title, across.name, labels, rows)
    return Chart(title, across.name, labels, rows, axes[0].name, tuple(str(value) for value in axes[0].values))


def _key(entry: Entry) -> str:
    return ",".join(f"{name}={value}" for name, value in entry.options.items())
