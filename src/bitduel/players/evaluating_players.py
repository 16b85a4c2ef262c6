"""Players that know what moves are worth: all of it, or as far as they can see."""

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from bitduel.core.evaluator import BoundedEvaluator, DepthLimitedEvaluator, Guessing, Shares, best
from bitduel.core.game import Game
from bitduel.core.view import View
from bitduel.players.levels import LEVELS, Level, dark, sharp, soft
from bitduel.players.player import CachedPolicy
from bitduel.solver.evaluators import TableEvaluator, depth_limited_evaluator, evaluator_for
from bitduel.solver.move_values import Chances, MoveValues, ending, glimpse, named, slips, whole
from bitduel.solver.search import SearchEvaluator

MOST_KEPT = 1 << 14
"""So many sights a player keeps in mind at the most; then it begins anew."""


class WeightedMoves(NamedTuple):
    """Moves, and how likely one of those up to each is; the last is left out of the search, as it is certain."""

    moves: tuple[str, ...]
    upto: list[float]
    last: int


class KnownPlayer(CachedPolicy):
    """A player whose every move is a matter of chances that can be told."""

    timeless = True
    """Whether the same board is always played in the same way."""

    def __init__(self, game: Game[Any], rng: Random, judge: DepthLimitedEvaluator) -> None:
        self.game = game
        self.rng = rng
        self.evaluator = judge
        self.kept: dict[Any, WeightedMoves] = {}
        self.keeps = not game.repetition or isinstance(judge, TableEvaluator)
        """Whether what it plays follows from its sight; a search looks at what has been played too."""
        self.counts = game.transparent or not self.timeless
        """Whether the whole sight matters, or in the dark the board alone, however many moves were made."""

    def behaviour(self, view: View) -> Shares:
        """How likely each move is."""
        raise NotImplementedError

    def choose(self, view: View) -> str:
        """A move drawn by these chances."""
        if not self.keeps or (view.position is None and self.game.transparent):
            return self._drawn(_lot(self.behaviour(view)))
        key = view.sight if self.counts else view.board
        lot = self.kept.get(key)
        if lot is None:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            lot = self.kept[key] = _lot(self.behaviour(view))
        return self._drawn(lot)

    def glance(self, sight: Any, legal: tuple[str, ...]) -> str | None:
        """The same from memory."""
        lot = self.kept.get(sight if self.counts else sight[0])
        return None if lot is None else self._drawn(lot)

    def _drawn(self, lot: WeightedMoves) -> str:
        moves, upto, last = lot
        return moves[bisect(upto, self.rng.random() * upto[-1], 0, last)]


def _lot(shares: Shares) -> WeightedMoves:
    return WeightedMoves(tuple(shares), list(accumulate(shares.values())), len(shares) - 1)


class PerfectPlayer(KnownPlayer):
    """Plays optimally; where optimal play is a mixture, with fresh randomness each time."""

    timeless = False

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.oracle = evaluator_for(game)
        super().__init__(game, rng, self.oracle)

    def behaviour(self, view: View) -> Shares:
        """Optimal play."""
        return self.oracle.mixture(view)


class SightedPlayer(KnownPlayer):
    """A player who sees what is near, in games of any size."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        super().__init__(game, rng, depth_limited_evaluator(game))

    def weigh(self, view: View, sight: int | None, choose: Callable[[MoveValues], Chances]) -> Shares:
        """How likely each move is to somebody who chooses like this by what the moves lead to, as far as is seen."""
        if isinstance(self.evaluator, TableEvaluator):
            return named(self.game.moves, choose(self.evaluator.look(view)))
        view = whole(self.game, view)
        choices = self.evaluator.choices(view, sight)
        outlook = glimpse(choices, ending(self.game, view), lambda: slips(self.game, self.evaluator, view, sight))
        return named(view.legal, choose(outlook))


class LevelPlayer(SightedPlayer):
    """Sees ends that are at most so many plies away, and plays at random otherwise."""

    def __init__(self, game: Game[Any], rng: Random, sight: int) -> None:
        super().__init__(game, rng)
        self.sight = sight

    def behaviour(self, view: View) -> Shares:
        """Any of the moves that look best."""
        if not self.game.transparent:
            moves = [choice.move for choice in best(self.evaluator.choices(view, self.sight))]
            return dict.fromkeys(moves, 1 / len(moves))
        return self.weigh(view, self.sight, lambda outlook: sharp(outlook, self.sight))


class NamedPlayer(SightedPlayer):
    """Errs like a person: easy, medium or hard."""

    def __init__(self, game: Game[Any], rng: Random, level: Level) -> None:
        super().__init__(game, rng)
        self.level = level

    def behaviour(self, view: View) -> Shares:
        """The better a move looks, the likelier it is."""
        if not self.game.transparent:
            return dark(self._hunches(view), self.level)
        sight = self.level.sight if isinstance(self.evaluator, SearchEvaluator | BoundedEvaluator) else None
        return self.weigh(view, sight, lambda outlook: soft(outlook, self.level))

    def _hunches(self, view: View) -> dict[str, float]:
        if isinstance(self.evaluator, Guessing):
            return self.evaluator.hunches(view)
        seen = self.evaluator.choices(view, self.level.sight)
        return {choice.move: choice.worth.win_probability or 1e-9 for choice in seen}


def sight(game: Game[Any], name: str) -> int:
    """How many plies ahead a named level looks where nothing is known; the same in every game."""
    return LEVELS[name].sight
