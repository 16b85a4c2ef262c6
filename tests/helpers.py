"""What several tests use: running the command line in this process, and all readings of all games."""

import io
import resource
import signal
import sys
from collections.abc import Iterator
from itertools import product
from subprocess import SubprocessError
from typing import Any, NamedTuple
from unittest.mock import patch

from bitduel.cli import main
from bitduel.core.evaluation import DRAW, LOSS, WIN, Evaluation
from bitduel.core.game import Game
from bitduel.core.lesson import ChoiceStep
from bitduel.core.options import ChoiceOption
from bitduel.games.registry import GameClass, all_games
from bitduel.learning.lesson_grading import LessonState, grade_answer
from bitduel.learning.review import MatchValue


class Ran(NamedTuple):
    """What a command printed and how it ended."""

    out: str
    err: str
    status: int


def bitduel(*arguments: str, stdin: str = "") -> Ran:
    """Run the command line as in a pipe."""
    out, err = io.StringIO(), io.StringIO()
    status: object = 0
    with patch.multiple(sys, stdin=io.StringIO(stdin), stdout=out, stderr=err):
        try:
            main(arguments)
        except SystemExit as leaving:
            status = leaving.code
    assert isinstance(status, int)
    return Ran(out.getvalue(), err.getvalue(), status)


def output_of(error: SubprocessError) -> list[tuple[str, str]]:
    """What a failed program has said, on both of its ways out."""
    found = [(name, getattr(error, name, None)) for name in ("stdout", "stderr")]
    texts = [(name, said.decode(errors="replace") if isinstance(said, bytes) else said) for name, said in found]
    return [(f"{name} of the program that failed", said) for name, said in texts if said]


def hear_signals() -> None:
    """Tests may be run with signals ignored, as in the background or by nohup; what they start must not inherit it.

    What a signal ends leaves no image of its memory behind.
    """
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def readings(kind: GameClass) -> Iterator[dict[str, object]]:
    """Every combination of choices of a game, sizes at their defaults."""
    choices = [option for option in kind.declared_options if isinstance(option, ChoiceOption)]
    for values in product(*(option.choices for option in choices)):
        yield dict(zip((option.name for option in choices), values, strict=True))


def all_readings() -> list[tuple[GameClass, dict[str, object]]]:
    """Every registered game in every reading."""
    return [(kind, chosen) for kind in all_games() for chosen in readings(kind)]


def deals(game: Game[Any]) -> list[str]:
    """Everything chance can deal, as text."""
    return [deal.text for deal in game.deals()]


def standing(winner: int | None = None, plies: int | None = None, chance: float | None = None) -> MatchValue:
    """How a match stands: who wins in how many plies, or how likely seat 1 is to win."""
    value = {1: WIN, 2: LOSS}.get(winner or 0, DRAW) if chance is None else None
    return MatchValue(Evaluation(value, plies, chance))


def right_answers(state: LessonState) -> tuple[str, ...]:
    """Return every right answer to the question of a lesson."""
    if isinstance(state.step, ChoiceStep):
        return tuple(answer.text for answer in state.step.answers if answer.is_right)
    return tuple(move for move in state.match.legal if grade_answer(state, move).is_right)
