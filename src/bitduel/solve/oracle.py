"""Who knows best: the table of all positions, or where there is none the game's own judge."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bitduel.core.errors import NotSolvedError
from bitduel.core.game import Game
from bitduel.core.judge import Judge, Judged, best
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.core.worth import DRAW, UNSEEN_WORTH, Worth
from bitduel.solve.retrograde import Solution, solve
from bitduel.solve.table import explore

QUICK = 2_000_000
"""Up to about so many positions a table is made while somebody waits; beyond, a game's own law is asked first."""


class TableJudge:
    """Judges the moves of a game without hidden information by the table of all its positions."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        table = explore(game)
        self.solution: Solution[Any] = Solution(table, solve(table))

    @property
    def depth(self) -> int:
        """The most plies that a forced win or loss takes."""
        return int(self.solution.values.plies.max(initial=1))

    def choices(self, view: View, horizon: int | None = None) -> list[Judged]:
        """Every legal move with its value and plies; a move that repeats a position too often draws at once."""
        view = self._whole(view)
        if not view.legal:
            return []
        judged = self.solution.choices(self._index(view))
        if view.repeating:
            judged = [Judged(c.move, Worth(DRAW)) if c.move in view.repeating else c for c in judged]
        return [seen(choice, horizon) for choice in judged]

    def mixture(self, view: View) -> dict[str, float]:
        """Of the best moves, those after which a weaker opponent errs most often."""
        view = self._whole(view)
        index = self._index(view)
        moves = [choice.move for choice in best(self.choices(view))]
        traps = {move: self._trickiness(index, move) for move in moves}
        tricky = [move for move in moves if traps[move] == max(traps.values())]
        return {move: 1 / len(tricky) for move in tricky}

    def notes(self) -> list[str]:
        """How many positions were looked at."""
        return [f"Every one of the {len(self.solution.table):,} positions that can be reached was solved."]

    def _whole(self, view: View) -> View:
        """A view with its position; one that came from elsewhere is played again."""
        return view if view.position is not None else Match(self.game, view.first, "", view.history).view(view.seat)

    def _index(self, view: View) -> int:
        index = self.solution.table.index_of(view.position)
        assert index is not None, "every position of a match can be reached"
        return index

    def _trickiness(self, index: int, move: str) -> float:
        after = self.solution.table.after[index, self.game.moves.index(move)]
        return float(self.solution.trickiness[after])


def seen(choice: Judged, horizon: int | None) -> Judged:
    """The choice as far as one can see: an end that is further away is not known."""
    plies = choice.worth.plies
    return choice if horizon is None or (plies is not None and plies <= horizon) else Judged(choice.move, UNSEEN_WORTH)


def oracle(game: Game[Any]) -> Judge:
    """The judge of a game, kept for the next time it is asked for."""
    return _oracle(type(game), tuple(game.open_options.items()))


def judge_of(game: Game[Any], most: int = QUICK) -> Judge:
    """The judge of a game: its table, unless that has more positions than are wanted and the game knows better."""
    own = game.judge()
    if own is None and not game.transparent:
        raise NotSolvedError(f"{game.title} hides something and has no judge of its own, so it cannot be solved.")
    return own if own and (not game.transparent or (game.size or 0) > most) else TableJudge(game)


@lru_cache(maxsize=64)
def _oracle(kind: type[Game[Any]], options: Sequence[tuple[str, object]]) -> Judge:
    return judge_of(kind(**dict(options)))
