"""Exercises, and puzzles made from positions: those of played matches, and of games without kinds of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import Any, ClassVar, NamedTuple

from bitduel.core.evaluation import LOSS, Evaluation, Evaluator, MoveEvaluation, Value, best_choices
from bitduel.core.game import Game
from bitduel.core.lesson import LessonPosition
from bitduel.core.match import Match
from bitduel.core.phrases import evaluation_phrase, join_with_or
from bitduel.core.puzzle import GRADES, Candidate, Form, Puzzle, Question, Refutation
from bitduel.learning.review import reasons
from bitduel.solver.evaluators import evaluator_for

REFUTATION_PLIES = 6
"""The most plies of a refutation, the wrong move included."""

OTHER_ODDS = Fraction(1, 4)
"""The best chance to guess a puzzle of grade 2 or more."""

MOST_TURNS = 4
"""The most turns to ask of a position of a match."""


def best_line(evaluator: Evaluator, match: Match, plies: int, which: int = 0) -> tuple[str, ...]:
    """Return the moves of best play from a match, up to a number of plies; `which` chooses among equal moves."""
    line: list[str] = []
    while match.to_move and len(line) < plies:
        line.append(best_choices(evaluator.choices(match.view(match.to_move)))[which].move)
        match = match.after(line[-1])
    return tuple(line)


class GradedAnswer(NamedTuple):
    """An answer to an exercise."""

    move: str
    is_right: bool
    evaluation: Evaluation


@dataclass(frozen=True)
class Exercise:
    """A game and the moves that lead to a position of it; Player 1 made the first of them."""

    game: Game[Any]
    moves: tuple[str, ...] = ()
    deal: str = ""
    """The deal of a game of chance, of which the player knows only what the view shows."""

    @cached_property
    def match(self) -> Match:
        """The match at the position, not to be played on."""
        return Match(self.game, deal=self.deal, moves=self.moves)

    @cached_property
    def choices(self) -> tuple[MoveEvaluation, ...]:
        """Every legal move with its evaluation, from what the player to move may know."""
        assert self.match.to_move, "an exercise needs a position in which a player can move"
        return tuple(evaluator_for(self.game).choices(self.match.view(self.match.to_move)))

    @property
    def best(self) -> Evaluation:
        """The evaluation of the best move."""
        return best_choices(self.choices)[0].evaluation

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that win, or keep the draw; else the best."""
        best = best_choices(self.choices)
        if self.best.win_probability is None and self.best.value != LOSS:
            best = [choice for choice in self.choices if choice.evaluation.value == best[0].evaluation.value]
        return tuple(choice.move for choice in best)

    def answer(self, move: str) -> GradedAnswer:
        """Grade an answer; raise MoveError if it is not a legal move."""
        self.match.after(move)
        evaluation = next(choice.evaluation for choice in self.choices if choice.move == move)
        return GradedAnswer(move, move in self.right, evaluation)


TASKS = {
    Value.WIN: "Find a move that wins.",
    Value.DRAW: "Find a move that does not lose.",
    Value.LOSS: "Every move loses. Find one that lasts longest.",
    None: "Find a move with the best chance of winning.",
}
LINE_TASKS = {**TASKS, Value.WIN: "Win against the best defence.", Value.DRAW: "Avoid losing against perfect play."}


@dataclass(frozen=True, kw_only=True)
class BestPlay(Puzzle):
    """A position, and one or more turns of best play, as the evaluator of the game finds it."""

    kind: ClassVar[str] = "best-play"
    form: ClassVar[Form] = Form.LINE
    title: ClassVar[str] = "Best play"

    deal: str = ""

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that lead to the position."""
        return tuple(filter(None, self.parameters.get("moves", "").split(",")))

    @property
    def turns(self) -> int:
        """The turns of the solver."""
        return int(self.parameters.get("turns", "1"))

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """The positions at which the solver is to move, the best line played in between."""
        exercises = [Exercise(self.game, self.moves, self.deal)]
        while len(exercises) < self.turns:
            last = exercises[-1]
            line = best_line(evaluator_for(self.game), last.match.after(last.right[0]), 1)
            after = Exercise(self.game, (*last.moves, last.right[0], *line), self.deal)
            if not (line and after.match.to_move):
                break
            exercises.append(after)
        return tuple(exercises)

    @property
    def position(self) -> LessonPosition:
        """The first position."""
        return LessonPosition(self.game, self.moves, self.deal)

    @property
    def task(self) -> str:
        """The best that can be reached."""
        return (LINE_TASKS if self.turns > 1 else TASKS)[self.exercises[0].best.value]

    def question(self, answers: Sequence[Sequence[str]] = ()) -> Question | None:
        """Ask for a best move, along the main line."""
        if len(answers) >= len(self.exercises):
            return None
        exercise = self.exercises[len(answers)]
        view = exercise.match.view(exercise.match.next_seat)
        words = self.game.words
        cells = tuple(Candidate(move, words.move_phrase(view, move).infinitive) for move in view.legal)
        # A line goes on from its own move; where others are as good, the turn is no decision.
        right = exercise.right
        position = LessonPosition(self.game, exercise.moves, self.deal)
        return Question(prompt="Your move?", candidates=cells, right=right, position=position)

    def replies(self, answers: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the best reply."""
        if len(answers) >= len(self.exercises):
            return ()
        return self.exercises[len(answers)].moves[-1:]

    def look_and_idea(self, answers: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return where to look, and the reason for the best move; its value where the game has none."""
        exercise = self.exercises[len(answers)]
        view = exercise.match.view(exercise.match.next_seat)
        idea = self._reason(exercise) or f"The best move {evaluation_phrase(exercise.best)}."
        return self.game.words.question(view), idea

    @staticmethod
    def _reason(exercise: Exercise) -> str:
        """Return the reason why the best move is best, in the words of the game; empty where it has none."""
        return reasons(exercise.match, exercise.right[0])[exercise.match.next_seat - 1]

    @property
    def hints(self) -> tuple[str, str, str]:
        """A place to look; the reason for the best move; the move."""
        right = join_with_or(self.exercises[0].right)
        return (*self.look_and_idea(()), f"{right[0].upper()}{right[1:]}.")

    @property
    def explanation(self) -> tuple[str, ...]:
        """The value of the best move, and the reason for it."""
        first = self.exercises[0]
        value = f"{self.hints[2][:-1]} {evaluation_phrase(first.best)}."
        return tuple(filter(None, (value, self._reason(first))))

    @property
    def score(self) -> float:
        """The moves to choose from, wrong ones that are not punished at once, and the plies to the end."""
        questions = [question for question, _ in self.solution()]
        options = sum(log2(len(question.candidates) / len(question.right)) for question in questions)
        wrong = [
            [choice.evaluation.plies or 0 for choice in exercise.choices if choice.move not in exercise.right]
            for exercise in self.exercises
        ]
        deepest = max((max(plies, default=0) for plies in wrong), default=0)
        return options + sum(any(each > 2 for each in plies) for plies in wrong) + log2(1 + deepest)

    def refute(self, answers: Sequence[Sequence[str]], wrong: Sequence[str]) -> Refutation:
        """Play the best replies to a wrong move."""
        exercise = self.exercises[len(answers)]
        move = wrong[0]
        evaluation = next(choice.evaluation for choice in exercise.choices if choice.move == move)
        moves: tuple[str, ...] = (move,)
        if not self.game.has_chance:
            rest = best_line(evaluator_for(self.game), exercise.match.after(move), REFUTATION_PLIES - 1, which=-1)
            moves += rest
        sentence = f"{move[0].upper()}{move[1:]} {evaluation_phrase(evaluation)}."
        return Refutation((f"{sentence} The best move {evaluation_phrase(exercise.best)}.",), moves)


@dataclass(frozen=True, kw_only=True)
class MatchPuzzle(BestPlay):
    """Best play from a position of a match, which is asked however likely a guess is."""

    @property
    def grade(self) -> int:
        """The grade by the score; the first where the answer can be guessed."""
        return super().grade if self.odds <= OTHER_ODDS else GRADES[0]


def puzzle_from(exercise: Exercise) -> MatchPuzzle:
    """Return an exercise as a puzzle that is in no deck: one move, or a line where one move could be guessed.

    A line goes on as long as one move alone is right.
    """
    single = _match_puzzle(exercise, 1)
    for turns in range(1, MOST_TURNS + 1):
        puzzle = _match_puzzle(exercise, turns)
        if puzzle.odds <= OTHER_ODDS:
            return puzzle
        last = puzzle.exercises[-1]
        if exercise.game.has_chance or len(puzzle.exercises) < turns or len(last.right) > 1:
            break
    return single


def _match_puzzle(exercise: Exercise, turns: int) -> MatchPuzzle:
    """Return some turns of best play from the position of an exercise."""
    more = {"turns": str(turns)} if turns > 1 else {}
    return MatchPuzzle(game=exercise.game, parameters={"moves": ",".join(exercise.moves), **more}, deal=exercise.deal)
