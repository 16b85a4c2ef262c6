"""Puzzles: what a game asks, which answers are right, how likely a guess is, and how hard it is."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from bitduel.core.evaluation import Evaluator
from bitduel.core.game import Game
from bitduel.core.lesson import LessonPosition
from bitduel.core.options import IntegerOption, OptionValue
from bitduel.core.picture import Picture

HINTS = 3
"""Every puzzle has three hints: where to look, the idea with the numbers of this position, and the answer."""


GRADES = range(1, 8)
"""From plain to very deep, one for each day of the week."""


class Form(StrEnum):
    """The form of an answer, on which alone it depends how an interface asks."""

    LINE = "line"
    """Moves one after another; the defence answers each on the board."""
    MARKS = "marks"
    """All candidates for which something holds."""
    CHOICE = "choice"
    """One candidate."""
    BOARDS = "boards"
    """Several boards at once: a move on each, or all boards for which something holds."""
    CARDS = "cards"
    """Cards in any order; the same card may be laid more than once."""
    TREE = "tree"
    """A move, and then a move after each answer to it."""


class Pick(StrEnum):
    """The number of candidates that make an answer."""

    ONE = "one"
    """Any one of the right ones."""
    ALL = "all"
    """Exactly the right ones."""
    CARDS = "cards"
    """Exactly the right ones, each as often as it occurs, in any order."""


class Candidate(NamedTuple):
    """One thing that can be answered: its name, how people read it, and its picture where it has one."""

    name: str
    text: str = ""
    """The name for people, such as "add 1, to 3"; empty where the name itself will do."""
    picture: Picture | None = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question of a puzzle: the candidates, those that are right, and the position that it is about."""

    prompt: str
    candidates: tuple[Candidate, ...]
    right: tuple[str, ...]
    """The names of the right candidates; with Pick.ONE any of them will do."""
    pick: Pick = Pick.ONE
    position: LessonPosition | None = None
    """The position to show, where there is one; its player to move is the solver."""
    picture: Picture | None = None
    """The picture to show where there is no position."""
    counted: tuple[str, ...] = ()
    """The candidates that count in the odds, where some lose at once or lead to the same; empty for all."""
    results: int = 0
    """The number of right results among those counted, where that differs from the number of right candidates."""

    def is_right(self, answer: Sequence[str]) -> bool:
        """Return whether an answer, as the names of candidates, is right."""
        if self.pick == Pick.ONE:
            return len(answer) == 1 and answer[0] in self.right
        if self.pick == Pick.ALL:
            return set(answer) == set(self.right)
        return sorted(answer) == sorted(self.right)

    @property
    def is_decision(self) -> bool:
        """Whether the question asks for more than the obvious."""
        return self.odds < 1

    @property
    def odds(self) -> Fraction:
        """The chance of guessing the answer."""
        if self.pick == Pick.ALL:
            return Fraction(1, 2 ** len(self.candidates))
        if self.pick == Pick.CARDS:
            return Fraction(1, comb(len(self.candidates) + len(self.right) - 1, len(self.right)))
        counted = len(self.counted or self.candidates)
        return Fraction(min(self.results or len(self.right), counted), counted)


def count_hint(marks: Sequence[object]) -> str:
    """Return the first of some marks and their number, as a hint."""
    return f"There is 1 mark: {marks[0]}." if len(marks) == 1 else f"There are {len(marks)} marks. One is {marks[0]}."


class Refutation(NamedTuple):
    """The refutation of a wrong answer: moves to show on the board, the wrong one first, and what to say."""

    sentences: tuple[str, ...]
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Puzzle(ABC):
    """A puzzle: a task, its questions one after another, and what helps and explains.

    Each kind of puzzle of a game is a subclass in the package of the game. It is rebuilt from its game and parameters,
    which is all that a deck stores.
    """

    kind: ClassVar[str]
    """The name of the kind, such as "good-to-leave"."""
    form: ClassVar[Form]
    title: ClassVar[str]
    """The name of the kind for people, such as "Good to leave"."""

    game: Game[Any]
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    @abstractmethod
    def position(self) -> LessonPosition:
        """The position at the start, whose player to move is the solver."""

    @property
    def shown_options(self) -> dict[str, OptionValue]:
        """The settings that may be shown; a kind that asks for a setting leaves it out."""
        return dict(self.game.open_options)

    @property
    def is_standard(self) -> bool:
        """Whether the game has its usual size; the readings of its rules may differ."""
        sizes = {option.name: option.default for option in self.game.declared_options if type(option) is IntegerOption}
        return sizes == {name: value for name, value in self.shown_options.items() if name in sizes}

    @property
    @abstractmethod
    def task(self) -> str:
        """The task in words, with all that is given."""

    @abstractmethod
    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Return the question after these right answers; None once the puzzle is solved."""

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the moves, or the feedback, that answer the last of these right answers on the board, if any."""
        return ()

    @property
    def end(self) -> LessonPosition | None:
        """The position at the end, where the last answer does not lead to it by itself; None elsewhere."""
        return None

    @property
    @abstractmethod
    def hints(self) -> tuple[str, str, str]:
        """The three hints: a place to look, the idea with this position's numbers, and the first part of the answer."""

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return the first two hints for the question after these right answers, with its own numbers."""
        look, idea, _ = self.hints
        return look, idea

    @property
    @abstractmethod
    def explanation(self) -> tuple[str, ...]:
        """The reason why the answer is right, in sentences that use only what the lesson of the game teaches."""

    @property
    @abstractmethod
    def score(self) -> float:
        """The difficulty: the number of choices, the tempting ones, and the depth of the solution."""

    @abstractmethod
    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Return what is wrong with an answer to the question after these right answers."""

    def solution(self) -> Iterator[tuple[Question, tuple[str, ...]]]:
        """Yield the questions and the answers of the main line; with several right ones, the first."""
        answers: list[tuple[str, ...]] = []
        while question := self.question(answers):
            answers.append(question.right[:1] if question.pick == Pick.ONE else question.right)
            yield question, answers[-1]

    @property
    def odds(self) -> Fraction:
        """The chance that somebody who picks at random gets every decision right."""
        return prod((question.odds for question, _ in self.solution()), start=Fraction(1))

    @property
    def decisions(self) -> int:
        """The number of decisions: the marks that a result has."""
        return sum(question.is_decision for question, _ in self.solution())

    @property
    def grade(self) -> int:
        """The grade from 1 to 7, by the score."""
        return min(GRADES[-1], max(GRADES[0], int((self.score - 1) // 2)))


@dataclass(frozen=True, kw_only=True)
class NumberSheet(Puzzle):
    """A sheet of numbers to mark; the parameters name the first and the last of them."""

    form: ClassVar[Form] = Form.MARKS
    ends: ClassVar[tuple[str, str]] = ("from", "to")
    """The parameters of the first and the last number."""

    @cached_property
    def numbers(self) -> range:
        """The numbers on the sheet."""
        first, last = (int(self.parameters[name]) for name in self.ends)
        return range(first, last + 1)

    @abstractmethod
    def is_marked(self, number: int) -> bool:
        """Return whether a number is to be marked."""

    @cached_property
    def marks(self) -> tuple[int, ...]:
        """The numbers to mark."""
        return tuple(filter(self.is_marked, self.numbers))

    @property
    def prompt(self) -> str:
        """The question; the task itself where nothing shorter will do."""
        return self.task

    @property
    def picture(self) -> Picture | None:
        """The picture beside the question, where there is one."""
        return None

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the numbers, all at once."""
        if answers:
            return None
        cells = tuple(Candidate(str(number)) for number in self.numbers)
        right = tuple(map(str, self.marks))
        return Question(prompt=self.prompt, candidates=cells, right=right, pick=Pick.ALL, picture=self.picture)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Explain the smallest number that is wrong."""
        return Refutation((self.why(min(set(self.marks) ^ set(map(int, wrong)))),))

    @abstractmethod
    def why(self, number: int) -> str:
        """Return why a number is to be marked, or not."""


@runtime_checkable
class HasPuzzles(Protocol):
    """A game with puzzles of its own."""

    @classmethod
    def puzzle_kinds(cls) -> tuple[type[Puzzle], ...]:
        """Return the kinds of puzzles of the game, in the order in which they are taught."""

    @classmethod
    def generate_puzzles(cls, evaluator_for: "EvaluatorFor") -> Iterator[Puzzle]:
        """Yield all puzzles that a deck may choose from."""


class EvaluatorFor(Protocol):
    """A function that finds the evaluator of a game."""

    def __call__(self, game: Game[Any]) -> Evaluator:
        """Return the evaluator."""
