"""Who knows best: the table of all positions, or where there is none the game's own judge."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bitduel.core.game import Game
from bitduel.core.judge import DRAW, LOSS, WIN, Judge, Judged, best
from bitduel.core.match import Match
from bitduel.core.view import View
from bitduel.solve.retrograde import Solution, solve
from bitduel.solve.table import explore

QUICK = 2_000_000
"""Up to about so many positions a table is made while somebody waits; beyond, a game's own law is asked first."""

NAMES = {1: WIN, 0: DRAW, -1: LOSS}


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
        match = match_of(self.game, view)
        index = self._index(match)
        found = {m.move: Judged(m.move, NAMES[m.value], m.plies) for m in self.solution.move_values(index)}
        judged = [found[move] if not repeats(match, move) else Judged(move, DRAW) for move in match.legal]
        return [seen(choice, horizon) for choice in judged]

    def mixture(self, view: View) -> dict[str, float]:
        """Of the best moves, those after which a weaker opponent errs most often."""
        match = match_of(self.game, view)
        moves = [choice.move for choice in best(self.choices(view))]
        traps = {move: self._trickiness(match, move) for move in moves}
        tricky = [move for move in moves if traps[move] == max(traps.values())]
        return {move: 1 / len(tricky) for move in tricky}

    def notes(self) -> list[str]:
        """How many positions were looked at."""
        return [f"Every one of the {len(self.solution.table):,} positions that can be reached was solved."]

    def _index(self, match: Match) -> int:
        index = self.solution.table.index_of(match.position)
        assert index is not None, "every position of a match can be reached"
        return index

    def _trickiness(self, match: Match, move: str) -> float:
        after = self.solution.table.after[self._index(match), self.game.moves.index(move)]
        return float(self.solution.trickiness[after])


def seen(choice: Judged, horizon: int | None) -> Judged:
    """The choice as far as one can see: an end that is further away is not known."""
    if horizon is None or (choice.plies is not None and choice.plies <= horizon):
        return choice
    return Judged(choice.move)


def match_of(game: Game[Any], view: View) -> Match:
    """The match that a view without hidden information shows."""
    return Match(game, view.first, moves=view.history)


def repeats(match: Match, move: str) -> bool:
    """Whether a move ends the match by repetition."""
    if not match.game.repetition:
        return False
    after = Match(match.game, match.first, match.deal, [*match.moves, move])
    return after.outcome is not None and after.outcome.reason not in match.game.reasons.values()


def oracle(game: Game[Any]) -> Judge:
    """The judge of a game, kept for the next time it is asked for."""
    return _oracle(type(game), tuple(game.open_options.items()))


@lru_cache(maxsize=64)
def _oracle(kind: type[Game[Any]], options: Sequence[tuple[str, object]]) -> Judge:
    game = kind(**dict(options))
    own = game.judge()
    if own and (game.chance or (game.size or 0) > QUICK):
        return own
    return TableJudge(game)
