"""Players that know what moves are worth: all of it, or as far as they can see."""

from random import Random
from typing import Any

from bitduel.core.game import Game
from bitduel.core.judge import best
from bitduel.core.view import View
from bitduel.players.spec import EASY, HARD, MEDIUM
from bitduel.solve.oracle import oracle


class PerfectPlayer:
    """Plays optimally; where optimal play is a mixture, with fresh randomness each time."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.judge = oracle(game)
        self.rng = rng

    def choose(self, view: View) -> str:
        """One move of optimal play."""
        moves, weights = zip(*self.judge.mixture(view).items(), strict=True)
        return str(self.rng.choices(moves, weights)[0])


class LevelPlayer:
    """Sees ends that are at most so many plies away, and plays at random otherwise."""

    def __init__(self, game: Game[Any], rng: Random, sight: int) -> None:
        self.judge = oracle(game)
        self.rng = rng
        self.sight = sight

    def choose(self, view: View) -> str:
        """One of the moves that look best."""
        return self.rng.choice(best(self.judge.choices(view, horizon=self.sight))).move


def sight(game: Game[Any], name: str) -> int:
    """How many plies a named level sees: the deeper a game, the further."""
    depth = oracle(game).depth
    hard = max(3, -(-depth // 2))
    medium = max(1, hard // 2)
    return {HARD: hard, MEDIUM: medium, EASY: min(1, medium - 1)}[name]
