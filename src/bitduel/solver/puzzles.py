"""A puzzle: a position with one right answer, and how hard that is to find."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bitduel.core.evaluation import Evaluation
from bitduel.core.evaluator import DepthLimitedEvaluator, best
from bitduel.core.game import Game
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.solver.evaluators import depth_limited_evaluator, evaluator_for
from bitduel.solver.exercises import LONGEST_LINE, Exercise, Goal, Tried

GRADES = range(1, 8)
"""From what is seen at a glance to what nobody sees who does not work it out: one for each day of the week."""

SIGHTS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27)
"""Before players who see so many plies ahead every puzzle is put, to learn how hard it is."""

ASKED = {
    Goal.WIN: "Find the only move that wins.",
    Goal.DRAW: "Find the only move that does not lose.",
    Goal.DEFEND: "Every move loses. Find the one that holds out longest.",
    Goal.CHANCE: "Find the move that wins most often, from what you know.",
}

ASKED_OF_MANY = {
    Goal.WIN: "Find a move that wins.",
    Goal.DRAW: "Find a move that does not lose.",
    Goal.DEFEND: "Every move loses. Find one that holds out longest.",
    Goal.CHANCE: "Find a move that wins most often, from what you know.",
}
"""The same where more than one answer is right, as in matches that people have played."""


@dataclass(frozen=True)
class Puzzle:
    """A position, what is asked there, and the answer."""

    number: int
    """Which of all puzzles it is; 0 for one that is in no deck."""
    game: Game[Any]
    moves: tuple[str, ...]
    deal: str
    goal: Goal
    grade: int
    right: tuple[str, ...]
    chances: tuple[float, ...] = ()
    """Where something is hidden, how often every legal move wins: kept, since solving that may take seconds."""

    @cached_property
    def exercise(self) -> Exercise:
        """The position to be answered."""
        return Exercise(self.game, self.moves, self.deal)

    @property
    def match(self) -> Match:
        """The match at the position; whoever plays on takes a copy."""
        return self.exercise.match

    @property
    def seat(self) -> int:
        """Who is to move."""
        return self.match.next_seat

    @property
    def view(self) -> View:
        """What the player to move knows."""
        return self.match.view(self.seat)

    @property
    def asked(self) -> str:
        """What is asked, in a sentence."""
        return (ASKED if len(self.right) == 1 else ASKED_OF_MANY)[self.goal]

    def answer(self, move: str) -> Tried:
        """What an answer is worth, and how it is refuted; raises MoveError for what is no legal move."""
        if not self.chances:
            return self.exercise.answer(move)
        self.match.after(move)
        chance = dict(zip(self.match.legal, self.chances, strict=True))[move]
        return Tried(move, move in self.right, Evaluation(win_probability=chance), ())

    def line(self, move: str) -> tuple[str, ...]:
        """How play goes on after a move where both play best; of equal moves the last, which is mostly the boldest."""
        judge, match, line = evaluator_for(self.game), self.match.after(move), list[str]()
        while match.to_move and len(line) < LONGEST_LINE:
            choices = judge.choices(match.view(match.to_move))
            line.append(best(choices)[-1].move)
            match = match.after(line[-1])
        return tuple(line)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The legal moves that are no answer."""
        return tuple(move for move in self.match.legal if move not in self.right)

    def as_data(self, date: str | None = None, solution: bool = False) -> dict[str, Any]:
        """The settled JSON object; what is dealt is never part of it."""
        view = self.view
        data: dict[str, Any] = {
            "date": date,
            "number": self.number or None,
            "game": self.game.slug,
            "options": dict(self.game.open_options),
            "moves": list(view.history),
            "to_move": self.seat,
            "goal": str(self.goal),
            "grade": self.grade,
        }
        if self.game.chance:
            data["view"] = view.as_dict()
        return {**data, "solution": list(self.right)} if solution else data


def puzzle_of(exercise: Exercise) -> Puzzle:
    """Any position at which somebody is to move, as a puzzle that is in no deck; more than one move may be right."""
    right = exercise.right
    grade = grade_of(
        difficulty(depth_limited_evaluator(exercise.game), exercise.match.view(exercise.match.to_move), right)
    )
    return Puzzle(0, exercise.game, exercise.moves, exercise.deal, exercise.goal, grade, right)


def difficulty(judge: DepthLimitedEvaluator, view: View, right: Sequence[str]) -> float:
    """How many of the ten who see more and more go wrong, each counted by the chance that he does.

    Who sees so many plies ahead chooses by lot among the moves that look best to him: the more wrong moves tempt
    him the likelier he errs, and the deeper their refutation lies the more of the ten do.
    """
    return sum(_errs(judge, view, right, sight) for sight in SIGHTS)


def _errs(judge: DepthLimitedEvaluator, view: View, right: Sequence[str], sight: int) -> float:
    tempting = [choice.move for choice in best(judge.choices(view, sight))]
    return sum(move not in right for move in tempting) / len(tempting)


ROUNDING = 1e-9
"""Sums of a few fractions are exact up to this."""


def grade_of(difficulty: float) -> int:
    """1 where whoever sees a ply ahead is right; else 2, and one more for each of the ten who goes wrong, up to 7."""
    if difficulty < ROUNDING:
        return GRADES[0]
    return min(GRADES[-1], 2 + int(difficulty + ROUNDING))
