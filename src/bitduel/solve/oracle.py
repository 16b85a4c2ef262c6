"""Who knows best: the table of all positions, or where there is none the game's own judge."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from bitduel.core.errors import NotSolvedError, TooLargeError
from bitduel.core.game import Game, Verdict
from bitduel.core.judge import Bounded, Judge, Judged, Sighted
from bitduel.core.view import View
from bitduel.core.worth import DRAW, UNSEEN_WORTH, Worth
from bitduel.solve.outlook import Chances, Numbers, Outlook, Truths, named, whole
from bitduel.solve.prospects import prospects
from bitduel.solve.retrograde import Solution, solve
from bitduel.solve.search import SearchJudge
from bitduel.solve.table import explore, room

QUICK = 2_000_000
"""Up to about so many positions a table is made while somebody waits; beyond, a game's own law is asked first."""

AT_ONCE = 100_000
"""Up to about so many positions a table is made for somebody who does not need all of it."""

REMEMBERED = 24
"""So many games stay solved; a table of the largest that are made at once has some megabytes."""

Options = Sequence[tuple[str, object]]


class TableJudge:
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
    def prospects(self) -> Chances:
        """For each position what a perfect player may hope to score who has just moved there."""
        return prospects(self.solution.table, self.solution.values)

    def choices(self, view: View, horizon: int | None = None) -> list[Judged]:
        """Every legal move with its value and plies; a move that repeats a position too often draws at once."""
        view = whole(self.game, view)
        if not view.legal:
            return []
        judged = self.solution.choices(self._index(view))
        if view.repeating:
            judged = [Judged(c.move, Worth(DRAW)) if c.move in view.repeating else c for c in judged]
        return [seen(choice, horizon) for choice in judged]

    def mixture(self, view: View) -> dict[str, float]:
        """Of the best moves, those after which a weaker opponent goes wrong most often, now or later."""
        return named(self.game.moves, self.look(view).perfect())

    def look(self, view: View) -> Outlook:
        """The outlook of the position that a seat sees."""
        view = whole(self.game, view)
        here = np.array([self._index(view)])
        if not view.repeating:
            return self.outlook(here)
        return self.outlook(here, np.array([[move in view.repeating for move in self.game.moves]]))

    def outlook(self, indexes: Numbers, repeating: Truths | None = None) -> Outlook:
        """The outlook of some positions; what repeats a position too often draws at once."""
        table, (value, plies) = self.solution.table, self.solution.values
        then = table.after[indexes]
        legal = then >= 0
        over = legal & repeating if repeating is not None else np.zeros_like(legal)
        sign = np.where(legal & ~over, -value[then], 0)
        return Outlook(
            legal=legal,
            sign=sign,
            plies=np.where(sign != 0, plies[then] + 1, 0),
            ends=over | (legal & (table.verdict[then] == Verdict.DRAWN)),
            hopes=lambda: np.where(over, 0.5, self.prospects[then]),
        )

    def notes(self) -> list[str]:
        """How many positions were looked at."""
        return [f"Every one of the {len(self.solution.table):,} positions that can be reached was solved."]

    def _index(self, view: View) -> int:
        index = self.solution.table.index_of(view.position)
        assert index is not None, "every position of a match can be reached"
        return index


def seen(choice: Judged, horizon: int | None) -> Judged:
    """The choice as far as one can see: an end that is further away is not known."""
    plies = choice.worth.plies
    return choice if horizon is None or (plies is not None and plies <= horizon) else Judged(choice.move, UNSEEN_WORTH)


def oracle(game: Game[Any]) -> Judge:
    """The judge of a game, kept for the next time it is asked for."""
    return _oracle(type(game), tuple(game.open_options.items()))


def is_too_large(game: Game[Any]) -> bool:
    """Whether the oracle refuses a game for its size, as far as that can be told at once."""
    own = game.judge()
    if own is None:
        return game.transparent and (game.size or 0) > room(game)
    try:
        if isinstance(own, Bounded):
            own.check()
    except TooLargeError:
        return True
    return False


def eyes(game: Game[Any]) -> Sighted:
    """Who sees what is near, at any size and at once: the table where it is small, the game's own judge, a search."""
    return _eyes(type(game), tuple(game.open_options.items()))


def judge_of(game: Game[Any], most: int = QUICK) -> Judge:
    """The judge of a game: its table, unless that has more positions than are wanted and the game knows better."""
    own = _own(game)
    if own is None or (game.transparent and (game.size or 0) <= most):
        return TableJudge(game)
    if isinstance(own, Bounded):
        own.check()
    return own


def _own(game: Game[Any]) -> Judge | None:
    own = game.judge()
    if own is None and not game.transparent:
        raise NotSolvedError(f"{game.title} hides something and has no judge of its own, so it cannot be solved.")
    return own


@lru_cache(maxsize=REMEMBERED)
def _oracle(kind: type[Game[Any]], options: Options) -> Judge:
    return _small(kind, options) or judge_of(kind(**dict(options)))


@lru_cache(maxsize=REMEMBERED)
def _eyes(kind: type[Game[Any]], options: Options) -> Sighted:
    game = kind(**dict(options))
    return _small(kind, options) or _own(game) or SearchJudge(game)


@lru_cache(maxsize=REMEMBERED)
def _small(kind: type[Game[Any]], options: Options) -> TableJudge | None:
    """The table of a game, where it takes no time worth mentioning."""
    game = kind(**dict(options))
    if not game.transparent:
        return None
    try:
        return TableJudge(game, AT_ONCE)
    except TooLargeError:
        return None
