"""A whole lesson for the game from outside, as its author would write it."""

from collections.abc import Callable
from typing import Any

from bitduel.core.evaluation import LOSS, WIN, Evaluation
from bitduel.core.lesson import (
    ChoiceAnswer,
    ChoiceStep,
    EvaluationClaim,
    Lesson,
    LessonPosition,
    LessonStep,
    MatchStep,
    MoveStep,
)
from bitduel.core.view import View
from sixth_game.little_nim import LittleNim


def method(view: View) -> str:
    """Leave a multiple of four."""
    take = view.board.sticks % 4
    return str(take) if take else "1"


def sticks(*numbers: int) -> tuple[LessonPosition, ...]:
    return tuple(LessonPosition(LittleNim(sticks=number)) for number in numbers)


def lost(*numbers: int) -> EvaluationClaim:
    return EvaluationClaim(f"From {numbers} the player to move loses.", sticks(*numbers), Evaluation(LOSS))


def step(number: int, **more: Any) -> MoveStep:
    given: dict[str, Any] = {
        "title": f"From {number}",
        "text": ("Leave a multiple of four.",),
        "question": f"{number} sticks. What do you take?",
        "position": LessonPosition(LittleNim(sticks=number)),
        "right": (str(number % 4),),
        "praise": "A multiple of four is left.",
        "wrong": "Your opponent leaves a multiple of four.",
        "hint": "Count by fours.",
        "claims": (lost(number - number % 4),) if number > 4 else (),
    }
    return MoveStep(**{**given, **more})


CHOICE = ChoiceStep(
    title="Four",
    text=("With four sticks you cannot take all.",),
    question="Which number is good to leave?",
    position=LessonPosition(LittleNim(sticks=8)),
    hint="Count by fours.",
    answers=(
        ChoiceAnswer("3", "One takes all of them.", lost(3)),
        ChoiceAnswer("4", "Nobody can take all.", lost(4), True),
    ),
)
MATCH = MatchStep(
    title="A whole match",
    text=("Seven sticks, and you start.",),
    question="What do you take?",
    position=LessonPosition(LittleNim()),
    learner_seat=1,
    value=WIN,
    praise="You took the last one.",
    wrong="That is no multiple of four.",
    hint="Count by fours.",
)
STEPS: tuple[LessonStep, ...] = (step(3), CHOICE, step(6), step(11), MATCH)


def lesson(*steps: LessonStep, by: Callable[[View], str] = method) -> Lesson:
    """The lesson, or one with other steps."""
    return Lesson("Count by fours", steps or STEPS, by)
