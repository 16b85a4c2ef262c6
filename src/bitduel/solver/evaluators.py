"""The evaluator of a game: the table of all positions, the game's own evaluator, or a search."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from bitduel.core import evaluation
from bitduel.core.errors import NotSolvedError, TooLargeError
from bitduel.core.evaluation import DRAW, DepthLimitedEvaluator, Evaluation, Evaluator, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View
from bitduel.solver.expected_scores import expected_scores
from bitduel.solver.move_values import Array, BoolArray, FloatArray, MoveValues, by_move, with_position
from bitduel.solver.retrograde import Solution, solve
from bitduel.solver.search import SearchEvaluator
from bitduel.solver.table import explore, max_positions

TABLE_LIMIT = 2_000_000
"""The size up to which a table is preferred to a game's own evaluator."""

SMALL_TABLE_LIMIT = 100_000
"""The size up to which a table is made for callers that do not need all of it."""

CACHED_GAMES = 24
"""The number of games that stay solved; a small table has some megabytes at most."""

Options = Sequence[tuple[str, object]]


class TableEvaluator:
    """An evaluator of a game without hidden information, by the table of all its positions."""

    def __init__(self, game: Game[Any], limit: int | None = None) -> None:
        self.game = game
        table = explore(game, limit)
        self.solution: Solution[Any] = Solution(table, solve(table))

    @property
    def depth(self) -> int:
        """The most plies that a forced win or loss takes."""
        return int(self.solution.values.plies.max(initial=1))

    @cached_property
    def expected_scores(self) -> FloatArray:
        """For each position the expected score of a perfect player who has just moved there."""
        return expected_scores(self.solution.table, self.solution.values, self._best_moves)

    def _best_moves(self) -> BoolArray:
        moves = self.move_values(np.arange(len(self.solution.table)))
        return moves.without_early_draws(moves.best())

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Return every legal move with its value and plies; a move that repeats a position too often draws."""
        view = with_position(self.game, view)
        if not view.legal:
            return []
        choices = self.solution.choices(self._index(view))
        if view.repeating:
            choices = [MoveEvaluation(c.move, Evaluation(DRAW)) if c.move in view.repeating else c for c in choices]
        return [within_horizon(choice, horizon) for choice in choices]

    def policy(self, view: View) -> dict[str, float]:
        """Return probabilities for the best moves after which a weaker opponent errs most often."""
        return by_move(self.game.moves, self.move_values_at(view).optimal_policy())

    def move_values_at(self, view: View) -> MoveValues:
        """Return the values of the moves at the position of a view."""
        view = with_position(self.game, view)
        here = np.array([self._index(view)])
        if not view.repeating:
            return self.move_values(here)
        return self.move_values(here, np.array([[move in view.repeating for move in self.game.moves]]))

    def move_values(self, indexes: Array, repeating: BoolArray | None = None) -> MoveValues:
        """Return the values of the moves at some positions; moves that repeat a position too often draw."""
        table, (value, plies) = self.solution.table, self.solution.values
        after = table.after[indexes]
        legal = after >= 0
        repeats = legal & repeating if repeating is not None else np.zeros_like(legal)
        sign = np.where(legal & ~repeats, -value[after], 0)
        return MoveValues(
            legal=legal,
            sign=sign,
            plies=np.where(sign != 0, plies[after] + 1, 0),
            ends_drawn=repeats | (legal & (table.verdict[after] == Verdict.DRAWN)),
            expected_scores=lambda: np.where(repeats, 0.5, self.expected_scores[after]),
        )

    def notes(self) -> list[str]:
        """Return a sentence with the number of positions solved."""
        return [f"All {len(self.solution.table):,} reachable positions have been solved."]

    def _index(self, view: View) -> int:
        index = self.solution.table.index_of(view.position)
        assert index is not None, "every position of a match can be reached"
        return index


def within_horizon(choice: MoveEvaluation, horizon: int | None) -> MoveEvaluation:
    """Return the choice, or an unknown evaluation if its end lies beyond the horizon."""
    plies = choice.evaluation.plies
    if horizon is None or (plies is not None and plies <= horizon):
        return choice
    return MoveEvaluation(choice.move, evaluation.UNKNOWN_EVALUATION)


def evaluator_for(game: Game[Any]) -> Evaluator:
    """Return the evaluator of a game, cached."""
    return _cached_evaluator(type(game), tuple(game.open_options.items()))


def depth_limited_evaluator(game: Game[Any]) -> DepthLimitedEvaluator:
    """Return an evaluator for a few plies at any size, cached: a small table, the game's own, or a search."""
    return _cached_depth_limited_evaluator(type(game), tuple(game.open_options.items()))


def is_too_large(game: Game[Any]) -> bool:
    """Return whether a game is too large to solve, as far as its size tells."""
    own = game.evaluator()
    if own is None:
        return game.has_perfect_information and (game.size or 0) > max_positions(game)
    try:
        if isinstance(own, evaluation.BoundedEvaluator):
            own.check_size()
    except TooLargeError:
        return True
    return False


def choose_evaluator(game: Game[Any], table_limit: int = TABLE_LIMIT) -> Evaluator:
    """Return the table of a game, or the game's own evaluator if it has one and the table would be too large."""
    own = _own_evaluator(game)
    if own is None or (game.has_perfect_information and (game.size or 0) <= table_limit):
        return TableEvaluator(game)
    if isinstance(own, evaluation.BoundedEvaluator):
        own.check_size()
    return own


def _own_evaluator(game: Game[Any]) -> Evaluator | None:
    own = game.evaluator()
    if own is None and not game.has_perfect_information:
        raise NotSolvedError(f"{game.title} has hidden information and no solver of its own, so it can't be solved.")
    return own


@lru_cache(maxsize=CACHED_GAMES)
def _cached_evaluator(kind: type[Game[Any]], options: Options) -> Evaluator:
    return _small_table(kind, options) or choose_evaluator(kind(**dict(options)))


@lru_cache(maxsize=CACHED_GAMES)
def _cached_depth_limited_evaluator(kind: type[Game[Any]], options: Options) -> DepthLimitedEvaluator:
    game = kind(**dict(options))
    return _small_table(kind, options) or _own_evaluator(game) or SearchEvaluator(game)


@lru_cache(maxsize=CACHED_GAMES)
def _small_table(kind: type[Game[Any]], options: Options) -> TableEvaluator | None:
    game = kind(**dict(options))
    if not game.has_perfect_information:
        return None
    try:
        return TableEvaluator(game, SMALL_TABLE_LIMIT)
    except TooLargeError:
        return None
