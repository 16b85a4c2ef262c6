"""The puzzles of the number races with one target: lines, and sheets of numbers to leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import ClassVar

from bitduel.core.lesson import LessonPosition
from bitduel.core.phrases import join_with_and
from bitduel.core.picture import Picture, Scale
from bitduel.core.puzzle import Form, NumberSheet, Puzzle, Question, Refutation, count_hint
from bitduel.games.number_race.law import NumberLaw, fence
from bitduel.games.number_race.puzzle_reasons import (
    ending,
    even_rule,
    idea,
    made,
    move_question,
    noun_of,
    path_to,
    refutation,
    rules_needed,
    verb,
    why,
)
from bitduel.games.number_race.rules import NumberRace
from bitduel.games.number_race.words import why_lost


@dataclass(frozen=True, kw_only=True)
class NumberPuzzle(Puzzle):
    """The base of all puzzles of a number race: its law and its words."""

    game: NumberRace

    @property
    def law(self) -> NumberLaw:
        """The law of the race."""
        return self.game.law

    @property
    def noun(self) -> str:
        """The name of the number that both players change."""
        return noun_of(self.game)

    @property
    def adding(self) -> str:
        """The rule of the game in a few words."""
        return f"add {self.game.step} or double"

    @property
    def position(self) -> LessonPosition:
        """The start of the race, where the puzzle has no position of its own."""
        return LessonPosition(self.game)


@dataclass(frozen=True, kw_only=True)
class NumberLine(NumberPuzzle):
    """A win to be played move by move against a given defence, until no decision is left."""

    kind: ClassVar[str] = "line"
    form: ClassVar[Form] = Form.LINE
    title: ClassVar[str] = "Line"

    @cached_property
    def number(self) -> int:
        """The number at the start."""
        return int(self.parameters["number"])

    @cached_property
    def defence(self) -> tuple[str, ...]:
        """The moves of the opponent."""
        return tuple(self.parameters["defence"].split())

    @cached_property
    def path(self) -> tuple[str, ...]:
        """The moves that lead to the number."""
        return path_to(self.game, self.number)

    @property
    def position(self) -> LessonPosition:
        """The number, after the moves that lead there."""
        return LessonPosition(self.game, self.path)

    @property
    def task(self) -> str:
        """Name target, moves and number."""
        target, noun = self.game.target, self.noun
        return f"The target is {target}; {self.adding}. The {noun} is {self.number}, and it's your move. Find the win."

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for the next move, as long as there is something to decide."""
        if len(answers) > len(self.defence):
            return None
        moves = self._moves(answers)
        return move_question(LessonPosition(self.game, (*self.path, *moves)), self.game, self._after(moves))

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the move of the defence."""
        return self.defence[len(answers) - 1 : len(answers)]

    def _moves(self, answers: Sequence[Sequence[str]]) -> list[str]:
        return [
            move for answer, reply in zip(answers, (*self.defence, ""), strict=False) for move in (answer[0], reply)
        ]

    def _after(self, moves: Sequence[str], number: int | None = None) -> int:
        number = self.number if number is None else number
        for move in filter(None, moves):
            number = made(self.game, number, move)
        return number

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return the zone of the number, and the numbers that are good to leave."""
        return idea(self.game, self._after(self._moves(answers)))

    @property
    def hints(self) -> tuple[str, str, str]:
        """The zone of the number; the numbers that are good to leave; the first move."""
        question = self.question()
        assert question is not None
        move = question.right[0]
        return (*self.look_and_idea(()), f"{verb(move)}: that leaves {made(self.game, self.number, move)}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The reason why the number that is left first is lost, and the end of the line."""
        moves = [answer[0] for _, answer in self.solution()]
        left = made(self.game, self.number, moves[0])
        first = f"{verb(moves[0])}: that leaves {left}."
        end = self._after([move for pair in zip(moves, (*self.defence, ""), strict=True) for move in pair])
        return first, why_lost(left, self.game.target, self.game.step, "you make"), ending(self.game, end)

    @property
    def score(self) -> float:
        """One for each decision, one for each that tempts, and how deep the deepest wrong move lies."""
        depths, number = [], self.number
        for (question, (move,)), reply in zip(self.solution(), (*self.defence, ""), strict=True):
            if question.is_decision:
                wrong = next(each for each in question.counted if each not in question.right)
                depths.append(self.law.plies(made(self.game, number, wrong)))
            number = self._after([move, reply], number)
        return len(depths) + sum(depth > 1 for depth in depths) + log2(1 + max(depths, default=0))

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Show how the opponent punishes a wrong move."""
        return refutation(self.game, self._after(self._moves(answers)), wrong[0])


@dataclass(frozen=True, kw_only=True)
class GoodToLeave(NumberPuzzle, NumberSheet):
    """A window of numbers, in which those are to be marked that are good to leave."""

    kind: ClassVar[str] = "good-to-leave"
    title: ClassVar[str] = "Good to leave"

    def is_marked(self, number: int) -> bool:
        """Return whether a number is good to leave."""
        return self.law.is_lost(number)

    @property
    def task(self) -> str:
        """Name target, moves and window."""
        return (
            f"The target is {self.game.target}; {self.adding}. Mark every number from {self.numbers[0]} to "
            f"{self.numbers[-1]} that is good to leave: whoever must move from there loses."
        )

    @property
    def picture(self) -> Picture:
        """The scale of the race."""
        return Picture(f"The target is {self.game.target}.", scale=Scale(0, self.game.target, ()))

    @property
    def hints(self) -> tuple[str, str, str]:
        """The parts of the window; the rule of each; the smallest mark."""
        target = self.game.target
        half, quarter = target // 2, target // 4
        last = count_hint(self.marks)
        if self.game.step == 1:
            look = f"Split the numbers at {half} and {quarter}. Each part has its own rule."
            idea = f"Above {half}, the even numbers are good to leave. From {quarter + 1} to {half}, doubling wins, so "
            return (
                look,
                f"{idea}none is. Up to {quarter}, it's like a race to {quarter}: nobody wants to pass it.",
                last,
            )
        high = fence(target)
        odd = f"Odd totals{f' above {high}' if high else ''}: count down from {target - 1} in steps of 4."
        return (
            "Look at the odd and the even totals separately.",
            f"{odd} {even_rule(target)}",
            last,
        )

    @property
    def explanation(self) -> tuple[str, ...]:
        """The rules of the parts, and the marks."""
        return self.hints[1], f"Good to leave: {join_with_and(self.marks)}."

    @property
    def score(self) -> float:
        """The cells, one and a half for each rule that the window needs, and one for an unusual target."""
        return log2(len(self.numbers)) + 1.5 * rules_needed(self.game, self.numbers) + (not self.is_standard)

    def why(self, number: int) -> str:
        """Return why a number is good to leave, or not."""
        return why(self.game, number)
