"""Practice after a lesson: short items on exactly what it taught, asked and marked as puzzles are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from bitduel.core.game import Game
from bitduel.core.lesson import LessonPosition, game_lesson
from bitduel.core.phrases import join_with_and
from bitduel.core.puzzle import Candidate, Form, Pick, Puzzle, Question, Refutation

ENOUGH_RIGHT = 7
"""The right items, of eight, with which a lesson is learnt."""


@dataclass(frozen=True, kw_only=True)
class PracticeItem(Puzzle):
    """One item of practice: one question or several, and the step of the lesson that it belongs to."""

    kind: ClassVar[str] = "practice"
    form: ClassVar[Form] = Form.CHOICE
    title: ClassVar[str] = "Practice"

    number: int
    """The place of the item, from 1."""
    step: int
    """The step of the lesson that teaches it, from 1."""
    asked: str
    """The task in words."""
    questions: tuple[Question, ...]
    hint: str
    why: str
    moves_between: tuple[str, ...] = ()
    """The moves of the opponent between the questions."""
    wrong: Mapping[tuple[int, str], Refutation] = field(default_factory=dict)
    """Refutations of wrong answers, by the number of the question from 0; an answer without one gets the hint."""

    @property
    def id(self) -> str:
        """The name of the item among all games, such as "double-3"."""
        return f"{self.game.short}-{self.number}"

    @property
    def position(self) -> LessonPosition:
        """The position of the first question, or the start where it has none."""
        return self.questions[0].position or LessonPosition(self.game, (), self.game.any_deal())

    @property
    def task(self) -> str:
        """The task in words."""
        return self.asked

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Return the question after a number of answers."""
        return self.questions[len(answers)] if len(answers) < len(self.questions) else None

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the move of the opponent before the next question."""
        return self.moves_between[len(answers) - 1 : len(answers)]

    @property
    def hints(self) -> tuple[str, str, str]:
        """The hint, the step of the lesson, and the answer."""
        lesson = game_lesson(type(self.game))
        assert lesson is not None, "items belong to a lesson"
        question = self.questions[0]
        names = {each.name: each.text or each.name for each in question.candidates}
        right = [names[name] for name in question.right]
        answer = right[0] if question.pick == Pick.ONE else join_with_and(right)
        return self.hint, f"Step {self.step} of the lesson is about this: {lesson.steps[self.step - 1].title}.", answer

    @property
    def explanation(self) -> tuple[str, ...]:
        """The reason why the answer is right."""
        return (self.why,)

    @property
    def score(self) -> float:
        """Every item is easy for those who have taken the lesson."""
        return 1.0

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Return what the wrong answer leads to, or else the hint."""
        known = self.wrong.get((len(answers), wrong[0])) if len(wrong) == 1 else None
        return known or Refutation((f"Not quite. {self.hint}",))


@runtime_checkable
class HasPractice(Protocol):
    """A game with items of practice after its lesson."""

    @classmethod
    def practice(cls) -> tuple[PracticeItem, ...]:
        """Return the items in the order of the lesson."""


def game_practice(game: type[Game[Any]]) -> tuple[PracticeItem, ...]:
    """Return the items of practice of a game, none where it has none."""
    return game.practice() if issubclass(game, HasPractice) else ()


def choice(prompt: str, answers: str, right: str, position: LessonPosition | None = None) -> Question:
    """Return a question with one answer of several, written with commas between them."""
    names = answers.split(", ")
    return Question(prompt=prompt, candidates=tuple(map(Candidate, names)), right=(right,), position=position)


def marks(prompt: str, answers: Sequence[str], right: str, position: LessonPosition | None = None) -> Question:
    """Return a question for all answers that are right, written with commas between them."""
    cells = tuple(map(Candidate, answers))
    return Question(prompt=prompt, candidates=cells, right=tuple(right.split(", ")), pick=Pick.ALL, position=position)
