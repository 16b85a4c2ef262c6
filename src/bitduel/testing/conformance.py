"""The conformance checks, and a run of all of them on a game in every variant."""

from collections.abc import Callable, Iterator
from itertools import islice, product
from typing import Any, NamedTuple

from bitduel.core.game import Game
from bitduel.core.options import ChoiceOption
from bitduel.testing import rules, solutions, views
from bitduel.testing.probe import GameProbe

MAX_READINGS = 64
MAX_PROBLEMS = 3
"""Problems that are reported for each check."""


class Check(NamedTuple):
    """A sentence that must be true of a game, and a function that yields the problems with it."""

    sentence: str
    problems: Callable[[GameProbe], Iterator[str]]


CHECKS = (
    Check("Names, aim and options are declared.", rules.check_declarations),
    Check("It can be played with every size setting at its minimum.", rules.check_smallest_sizes),
    Check("Moves are different lower-case texts in a fixed order.", rules.check_moves),
    Check("The rules give the same results for single numbers and for arrays.", rules.check_arrays),
    Check("Every position is either over or has a legal move, never both.", rules.check_legal_moves),
    Check("Passing is legal only if no other move is.", rules.check_passing),
    Check("Every field is a whole number within its range.", rules.check_ranges),
    Check("Every ending has its own reason.", rules.check_reasons),
    Check("All possible deals are listed, with probabilities that add up to one.", rules.check_deals),
    Check("Before the first move nobody sees any part of the deal.", views.check_start),
    Check("Deals that the rules do not let a seat tell apart always look the same to it.", views.check_hidden_deal),
    Check("In a hidden game nobody sees the other seat's moves.", views.check_hidden_moves),
    Check("A spectator of a hidden game sees only that it is still going.", views.check_spectators),
    Check("A game can be compared, copied and pickled, and reveals no secret.", rules.check_game_values),
    Check("A match can be compared, copied, pickled and rebuilt from its moves.", rules.check_match_values),
    Check(
        "Every position has a view, words and a picture, and every answer is read as the right move.", views.check_views
    ),
    Check("The rules, their variants and other messages have texts.", views.check_words),
    Check("Changing a view does not change the game.", views.check_independence),
    Check("Every ending outside the rulebook has a text and a record.", rules.check_endings),
    Check("A record contains the whole match.", rules.check_records),
    Check("Features are in range, and the same from a view, a position and arrays.", views.check_features),
    Check("A lesson's right answers agree with the solver, and every claim in it is true.", solutions.check_claims),
    Check(
        "A lesson has five to ten short steps, and its method succeeds in its matches.",
        solutions.check_lesson_form,
    ),
    Check(
        "The method of a lesson makes no mistake in any position, unless the lesson says that it may.",
        solutions.check_lesson_method,
    ),
    Check("Every legal move has an evaluation, and perfect play chooses legal moves.", solutions.check_evaluations),
    Check("With perfect play on both sides, a match ends as evaluated at the start.", solutions.check_best_play),
    Check("The built-in players can play whole matches.", solutions.check_players),
)
"""Every check, in the order of the report."""


class ConformanceError(AssertionError):
    """A game that does not keep the contract, with every problem."""


class CheckResult(NamedTuple):
    """The result of one check on one game: what was tried, and the problems."""

    game: Game[Any]
    sentence: str
    tried: str
    problems: tuple[str, ...]


class ConformanceReport(NamedTuple):
    """The results of all checks on a game and its variants."""

    checked: tuple[CheckResult, ...]

    @property
    def problems(self) -> list[str]:
        """Every problem, with the game and the sentence that it contradicts."""
        return [f"{each.game!r}: {each.sentence} {problem}" for each in self.checked for problem in each.problems]

    @property
    def ok(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


def readings(kind: type[Game[Any]]) -> Iterator[Game[Any]]:
    """Yield a game with every combination of its choices, and other options at their defaults."""
    choices = [option for option in kind.declared_options if isinstance(option, ChoiceOption)]
    for chosen in product(*(option.choices for option in choices)):
        yield kind(**dict(zip((option.name for option in choices), chosen, strict=True)))


def examine(
    game: Game[Any] | type[Game[Any]], listen: Callable[[CheckResult], None] = lambda _: None
) -> ConformanceReport:
    """Run every check on a game, or on a class in all variants; pass each result to the listener at once."""
    games = list(islice(readings(game), MAX_READINGS)) if isinstance(game, type) else [game]
    results = []
    for each in games:
        probe = GameProbe(each)
        for check in CHECKS:
            results.append(run(check, probe))
            listen(results[-1])
    return ConformanceReport(tuple(results))


def run(check: Check, probe: GameProbe) -> CheckResult:
    """Run one check; an exception in the game is a problem of the game."""
    before = probe.tried.copy()
    problems: list[str] = []
    try:
        problems += islice(check.problems(probe), MAX_PROBLEMS)
    except Exception as error:
        # Games from outside can fail in any way, and their authors want to know in which.
        problems.append(f"{type(error).__name__}: {error}")
    return CheckResult(probe.game, check.sentence, probe.tried_since(before), tuple(problems))


def check_game(game: Game[Any] | type[Game[Any]]) -> ConformanceReport:
    """Run every check; raise ConformanceError with all problems."""
    report = examine(game)
    if not report.ok:
        raise ConformanceError("\n".join(report.problems))
    return report
