"""A position to be answered: what is asked there, which moves are right, and how a wrong one is refuted."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from bitduel.core.evaluation import DRAW, WIN, Evaluation
from bitduel.core.evaluator import Evaluator, MoveEvaluation, best
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for

LONGEST_LINE = 12
"""A refutation is shown for so many plies at most."""


class Goal(StrEnum):
    """What is asked of the player to move."""

    WIN = "win"
    DRAW = "draw"
    DEFEND = "defend"
    """Lose as late as possible."""
    CHANCE = "chance"
    """Win as often as possible, from what is known."""


class Tried(NamedTuple):
    """An answer: whether it is right, what it is worth, and how play then goes on, the opponent first."""

    move: str
    right: bool
    worth: Evaluation
    line: tuple[str, ...]


@dataclass(frozen=True)
class Exercise:
    """A game and the moves that lead to a position of it; Player 1 made the first of them."""

    game: Game[Any]
    moves: tuple[str, ...] = ()
    deal: str = ""
    """What was dealt, in a game of chance; the player knows only what the view tells."""

    @cached_property
    def match(self) -> Match:
        """The match at the position; whoever plays on takes a copy."""
        return Match(self.game, deal=self.deal, moves=self.moves)

    @cached_property
    def choices(self) -> tuple[MoveEvaluation, ...]:
        """Every legal move with its worth, from what the player to move may know."""
        assert self.match.to_move, "an exercise is a position at which somebody is to move"
        return tuple(self._judge.choices(self.match.view(self.match.to_move)))

    @property
    def goal(self) -> Goal:
        """The most that can be had."""
        top = best(self.choices)[0].worth
        if top.win_probability is not None:
            return Goal.CHANCE
        return {WIN: Goal.WIN, DRAW: Goal.DRAW}.get(top.value or DRAW, Goal.DEFEND)

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that reach the goal: any that wins or keeps the draw; else the best."""
        good = best(self.choices)
        if self.goal in (Goal.WIN, Goal.DRAW):
            good = [choice for choice in self.choices if choice.worth.value == good[0].worth.value]
        return tuple(choice.move for choice in good)

    def answer(self, move: str) -> Tried:
        """What an answer is worth; raises MoveError for what is no legal move."""
        after = self.match.after(move)
        worth = next(choice.worth for choice in self.choices if choice.move == move)
        line = () if self.game.chance else best_play(self._judge, after)
        return Tried(move, move in self.right, worth, line)

    @property
    def _judge(self) -> Evaluator:
        return evaluator_for(self.game)


def best_play(judge: Evaluator, match: Match, most: int = LONGEST_LINE) -> tuple[str, ...]:
    """How a match goes on where both play best; of equal moves the first, so it is the same line every time."""
    line: list[str] = []
    while match.to_move and len(line) < most:
        move = PASS if match.must_pass else best(judge.choices(match.view(match.to_move)))[0].move
        line.append(move)
        match = match.after(move)
    return tuple(line)
