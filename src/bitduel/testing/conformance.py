"""Running all checks on a game, in every reading, and what came of it."""

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any, NamedTuple

from bitduel.core.game import Game
from bitduel.core.options import Choice
from bitduel.testing import hiding, lessons, matches, rules, values
from bitduel.testing.sample import Check, GameProbe

MOST_READINGS = 64
SHOWN = 3

CHECKS: tuple[Check, ...] = (*rules.CHECKS, *hiding.CHECKS, *matches.CHECKS, *lessons.CHECKS, *values.CHECKS)
"""Every check; the first line of its docstring is the sentence it proves."""


class ConformanceError(AssertionError):
    """A game that does not keep the contract; says where."""


class Checked(NamedTuple):
    """One check on one game: the sentence, what it was tried on, and what was wrong."""

    game: Game[Any]
    sentence: str
    tried: str
    problems: tuple[str, ...]


class ConformanceReport(NamedTuple):
    """All checks on a game and its readings."""

    checked: tuple[Checked, ...]

    @property
    def problems(self) -> list[str]:
        """Everything that was wrong, each with where."""
        return [f"{each.game!r}: {each.sentence} {said}" for each in self.checked for said in each.problems]

    @property
    def ok(self) -> bool:
        """Whether nothing was."""
        return not self.problems


def sentence(check: Check) -> str:
    """What a check proves."""
    return (check.__doc__ or check.__name__).splitlines()[0]


def readings(kind: type[Game[Any]]) -> Iterator[Game[Any]]:
    """A game in every combination of its choices, sizes at their defaults."""
    choices = [option for option in kind.declared if isinstance(option, Choice)]
    for values_ in product(*(option.choices for option in choices)):
        yield kind(**dict(zip((option.name for option in choices), values_, strict=True)))


def examine(game: Game[Any] | type[Game[Any]], listen: Callable[[Checked], None] = lambda _: None) -> ConformanceReport:
    """Run every check on a game, or on a kind of game in its readings; whoever listens hears each at once."""
    games = list(islice(readings(game), MOST_READINGS)) if isinstance(game, type) else [game]
    checked = []
    for each in games:
        sample = GameProbe(each)
        for check in CHECKS:
            checked.append(run(check, sample))
            listen(checked[-1])
    return ConformanceReport(tuple(checked))


def run(check: Check, sample: GameProbe) -> Checked:
    """One check; a game that crashes in it has a problem, not the check."""
    before = sample.tried.copy()
    problems: list[str] = []
    try:
        problems += islice(check(sample), SHOWN)
    except Exception as error:
        # Games from outside can fail in any way, and their authors want to know in which.
        problems.append(f"{type(error).__name__}: {error}")
    return Checked(sample.game, sentence(check), sample.what_was_tried(before), tuple(problems))


def check_game(game: Game[Any] | type[Game[Any]]) -> ConformanceReport:
    """Run every check; raises ConformanceError with all that is wrong."""
    report = examine(game)
    if not report.ok:
        raise ConformanceError("\n".join(report.problems))
    return report
