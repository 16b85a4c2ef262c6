"""Who knows best: the table of all positions, or where there is none the game's own judge."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from bitduel.core.errors import NotSolvedError, TooLargeError
from bitduel.core.evaluation import DRAW, UNSEEN_WORTH, Evaluation
from bitduel.core.evaluator import BoundedEvaluator, DepthLimitedEvaluator, Evaluator, MoveEvaluation
from bitduel.core.game import Game, Verdict
from bitduel.core.view import View
from bitduel.solver.expected_scores import expected_scores
from bitduel.solver.move_values import Chances, MoveValues, Numbers, Truths, named, whole
from bitduel.solver.retrograde import Solution, solve
from bitduel.solver.search import SearchEvaluator
from bitduel.solver.table import explore, room

QUICK = 2_000_000
"""Up to about so many positions a table is made while somebody waits; beyond, a game's own law is asked first."""

AT_ONCE = 100_000
"""Up to about so many positions a table is made for somebody who does not need all of it."""

REMEMBERED = 24
"""So many games stay solved; a table of the largest that are made at once has some megabytes."""

Options = Sequence[tuple[str, object]]


class TableEvaluator:
    """Judges the moves of a game without hidden information by the table of all its positions."""

    def __init__(self, game: Game[Any], limit: int | None = None) -> None:
        self.game = game
        table = explore(game, limit)
        self.solution: Solution[Any] = Solution(table, solve(table))

    @property
    def depth(self) -> int:
        """The most plies that a forced win or loss takes."""
        return int(self.solution.values.plies.max(initial=1))

    @cached_property
    def expected_scores(self) -> Chances:
        """For each position what a perfect player may hope to score who has just moved there."""
        return expected_scores(self.solution.table, self.solution.values)

    def choices(self, view: View, horizon: int | None = None) -> list[MoveEvaluation]:
        """Every legal move with its value and plies; a move that repeats a position too often draws at once."""
        view = whole(self.game, view)
        if not view.legal:
            return []
        judged = self.solution.choices(self._index(view))
        if view.repeating:
            judged = [MoveEvaluation(c.move, Evaluation(DRAW)) if c.move in view.repeating else c for c in judged]
        return [seen(choice, horizon) for choice in judged]

    def mixture(self, view: View) -> dict[str, float]:
        """Of the best moves, those after which a weaker opponent goes wrong most often, now or later."""
        return named(self.game.moves, self.look(view).perfect())

    def look(self, view: View) -> MoveValues:
        """The outlook of the position that a seat sees."""
        view = whole(self.game, view)
        here = np.array([self._index(view)])
        if not view.repeating:
            return self.outlook(here)
        return self.outlook(here, np.array([[move in view.repeating for move in self.game.moves]]))

    def outlook(self, indexes: Numbers, repeating: Truths | None = None) -> MoveValues:
        """The outlook of some positions; what repeats a position too often draws at once."""
        table, (value, plies) = self.solution.table, self.solution.values
        then = table.after[indexes]
        legal = then >= 0
        over = legal & repeating if repeating is not None else np.zeros_like(legal)
        sign = np.where(legal & ~over, -value[then], 0)
        return MoveValues(
            legal=legal,
            sign=sign,
            plies=np.where(sign != 0, plies[then] + 1, 0),
            ends=over | (legal & (table.verdict[then] == Verdict.DRAWN)),
            hopes=lambda: np.where(over, 0.5, self.expected_scores[then]),
        )

    def notes(self) -> list[str]:
        """How many positions were looked at."""
        return [f"Every one of the {len(self.solution.table):,} positions that can be reached was solved."]

    def _index(self, view: View) -> int:
        index = self.solution.table.index_of(view.position)
        assert index is not None, "every position of a match can be reached"
        return index


def seen(choice: MoveEvaluation, horizon: int | None) -> MoveEvaluation:
    """The choice as far as one can see: an end that is further away is not known."""
    plies = choice.worth.plies
    return (
        choice
        if horizon is None or (plies is not None and plies <= horizon)
        else MoveEvaluation(choice.move, UNSEEN_WORTH)
    )


def evaluator_for(game: Game[Any]) -> Evaluator:
    """The judge of a game, kept for the next time it is asked for."""
    return _oracle(type(game), tuple(game.open_options.items()))


def is_too_large(game: Game[Any]) -> bool:
    """Whether the oracle refuses a game for its size, as far as that can be told at once."""
    own = game.evaluator()
    if own is None:
        return game.transparent and (game.size or 0) > room(game)
    try:
        if isinstance(own, BoundedEvaluator):
            own.check()
    except TooLargeError:
        return True
    return False


def depth_limited_evaluator(game: Game[Any]) -> DepthLimitedEvaluator:
    """Who sees what is near, at any size and at once: the table where it is small, the game's own judge, a search."""
    return _eyes(type(game), tuple(game.open_options.items()))


def choose_evaluator(game: Game[Any], most: int = QUICK) -> Evaluator:
    """The judge of a game: its table, unless that has more positions than are wanted and the game knows better."""
    own = _own(game)
    if own is None or (game.transparent and (game.size or 0) <= most):
        return TableEvaluator(game)
    if isinstance(own, BoundedEvaluator):
        own.check()
    return own


def _own(game: Game[Any]) -> Evaluator | None:
    own = game.evaluator()
    if own is None and not game.transparent:
        raise NotSolvedError(f"{game.title} hides something and has no judge of its own, so it cannot be solved.")
    return own


@lru_cache(maxsize=REMEMBERED)
def _oracle(kind: type[Game[Any]], options: Options) -> Evaluator:
    return _small(kind, options) or choose_evaluator(kind(**dict(options)))


@lru_cache(maxsize=REMEMBERED)
def _eyes(kind: type[Game[Any]], options: Options) -> DepthLimitedEvaluator:
    game = kind(**dict(options))
    return _small(kind, options) or _own(game) or SearchEvaluator(game)


@lru_cache(maxsize=REMEMBERED)
def _small(kind: type[Game[Any]], options: Options) -> TableEvaluator | None:
    """The table of a game, where it takes no time worth mentioning."""
    game = kind(**dict(options))
    if not game.transparent:
        return None
    try:
        return TableEvaluator(game, AT_ONCE)
    except TooLargeError:
        return None
