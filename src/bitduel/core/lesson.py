"""Lessons: short steps from the rules of a game to best play, as data, with claims that can be checked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, Protocol, runtime_checkable

from bitduel.core.evaluation import Evaluation, Evaluator, Value, best_choices
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.view import View

ROUNDING = 0.0005
"""The largest error of a claimed probability, which is given in round numbers."""

EvaluatorFor = Callable[[Game[Any]], Evaluator]
LessonMethod = Callable[[View], str]
"""The method that a lesson teaches, as a function from a view to a move."""


@dataclass(frozen=True)
class LessonPosition:
    """A position of a lesson: a game, the moves that lead there from seat 1, and the deal."""

    game: Game[Any]
    moves: tuple[str, ...] = ()
    deal: str = ""

    @property
    def match(self) -> Match:
        """A new match at the position."""
        return Match(self.game, deal=self.deal, moves=self.moves)

    def as_data(self) -> dict[str, Any]:
        """Return the position as JSON-ready data."""
        options = {**self.game.open_options} if self.game.has_chance else {**self.game.options}
        return {"options": options, "moves": list(self.moves)}


class Claim(Protocol):
    """A statement in a lesson that can be checked."""

    @property
    def statement(self) -> str:
        """The claim in words."""

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Return whether the claim is true, by the evaluators of the games in it."""


@dataclass(frozen=True)
class EvaluationClaim:
    """A claim on the evaluation of positions, or of a move there; fields that are None claim nothing."""

    statement: str
    positions: tuple[LessonPosition, ...]
    evaluation: Evaluation
    move: str = ""

    def holds(self, evaluator_for: EvaluatorFor) -> bool:
        """Return whether all positions have the evaluation."""
        return bool(self.positions) and all(self._holds_at(position, evaluator_for) for position in self.positions)

    def _holds_at(self, position: LessonPosition, evaluator_for: EvaluatorFor) -> bool:
        match = position.match
        choices = evaluator_for(position.game).choices(match.view(match.next_seat))
        claimed = [choice for choice in choices if self.move in ("", choice.move)]
        actual = best_choices(claimed)[0].evaluation if claimed else Evaluation()
        return all(_agree(*fields) for fields in zip(self.evaluation, actual, strict=True))


def _agree(claimed: Any, actual: Any) -> bool:
    if isinstance(claimed, float):
        return actual is not None and abs(claimed - actual) <= ROUNDING
    return claimed is None or claimed == actual


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """A step of a lesson: a text, a position, and a question."""

    kind: ClassVar[str]
    title: str
    text: tuple[str, ...]
    question: str
    position: LessonPosition
    hint: str = ""
    claims: tuple[Claim, ...] = ()

    @property
    def seat(self) -> int:
        """The seat of the learner."""
        return self.position.match.next_seat

    def as_data(self) -> dict[str, Any]:
        """Return the step as JSON-ready data."""
        return {
            "kind": self.kind,
            "title": self.title,
            "text": list(self.text),
            "question": self.question,
            **self.position.as_data(),
            "hint": self.hint,
            "claims": [claim.statement for claim in self.claims],
        }


@dataclass(frozen=True, kw_only=True)
class MoveStep(LessonStep):
    """A step that asks for a move, and shows how the opponent punishes a wrong one."""

    kind = "try"
    right: tuple[str, ...]
    praise: str
    wrong: str
    """The feedback on a wrong move that has none of its own in `wrong_by_move`."""
    wrong_by_move: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Return the step as JSON-ready data."""
        return {**super().as_data(), "right": list(self.right)}


@dataclass(frozen=True)
class ChoiceAnswer:
    """An answer to choose, the feedback on it, and its claim."""

    text: str
    feedback: str
    claim: Claim
    is_right: bool = False


@dataclass(frozen=True, kw_only=True)
class ChoiceStep(LessonStep):
    """A step that asks for one of several answers; those are right whose claims hold."""

    kind = "choose"
    answers: tuple[ChoiceAnswer, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the step as JSON-ready data."""
        right = [answer.text for answer in self.answers if answer.is_right]
        return {**super().as_data(), "answers": [answer.text for answer in self.answers], "right": right}


@dataclass(frozen=True, kw_only=True)
class MatchStep(LessonStep):
    """A step that asks for a match against best play; mistakes are shown and taken back."""

    kind = "play"
    learner_seat: int = 1
    value: Value | None
    """The best result that the learner can force; None in a game with hidden information."""
    turns: int | None = None
    """The number of the learner's turns after which the step is done, where the match need not end."""
    praise: str
    wrong: str
    unlucky: str = ""
    """The feedback on a loss without a mistake, which needs hidden information."""

    @property
    def seat(self) -> int:
        """The seat of the learner."""
        return self.learner_seat

    def with_deal(self, seed: str) -> "MatchStep":
        """Return the step with a deal drawn by a seed, which the deal cannot be guessed from."""
        if not self.position.game.has_chance:
            return self
        deal = self.position.game.deal(Random(f"{seed} {self.title}"))
        return replace(self, position=replace(self.position, deal=deal))

    def as_data(self) -> dict[str, Any]:
        """Return the step as JSON-ready data."""
        return {
            **super().as_data(),
            "seat": self.learner_seat,
            "value": self.value and str(self.value),
            "turns": self.turns,
        }


@dataclass(frozen=True)
class Lesson:
    """The lesson of a game: its steps, and the method they teach."""

    title: str
    steps: tuple[LessonStep, ...]
    method: LessonMethod
    is_sound: bool = True
    """Whether the method always gets the best result; with hidden information no method does."""

    def __len__(self) -> int:
        return len(self.steps)

    def as_data(self) -> dict[str, Any]:
        """Return the lesson as JSON-ready data."""
        return {"title": self.title, "steps": [step.as_data() for step in self.steps]}


@runtime_checkable
class HasLesson(Protocol):
    """A game that has a lesson; a game need not have one."""

    @classmethod
    def lesson(cls) -> Lesson | None:
        """Return the steps that lead from the rules to best play."""


def game_lesson(game: type[Game[Any]]) -> Lesson | None:
    """Return the lesson of a game, or None if it has none."""
    return game.lesson() if issubclass(game, HasLesson) else None


YOU, OPPONENT = "Your side", "Your opponent"


def seat_names(step: LessonStep) -> tuple[str, str]:
    """Return the names of both seats in a lesson."""
    return (YOU, OPPONENT) if step.seat == 1 else (OPPONENT, YOU)
