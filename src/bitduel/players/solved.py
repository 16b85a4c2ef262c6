"""Players that know what moves are worth: all of it, or as far as they can see."""

from collections.abc import Callable
from random import Random
from typing import Any

from bitduel.core.game import Game
from bitduel.core.judge import Bounded, Guessing, Shares, best
from bitduel.core.view import View
from bitduel.players.levels import LEVELS, Level, dark, sharp, soft
from bitduel.solve.oracle import TableJudge, eyes, oracle
from bitduel.solve.outlook import Chances, Outlook, ending, glimpse, named, slips, whole
from bitduel.solve.search import SearchJudge


class KnownPlayer:
    """A player whose every move is a matter of chances that can be told."""

    timeless = True
    """Whether the same board is always played in the same way."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def behaviour(self, view: View) -> Shares:
        """How likely each move is."""
        raise NotImplementedError

    def choose(self, view: View) -> str:
        """A move drawn by these chances."""
        moves, shares = zip(*self.behaviour(view).items(), strict=True)
        return str(self.rng.choices(moves, shares)[0])


class PerfectPlayer(KnownPlayer):
    """Plays optimally; where optimal play is a mixture, with fresh randomness each time."""

    timeless = False

    def __init__(self, game: Game[Any], rng: Random) -> None:
        super().__init__(rng)
        self.judge = oracle(game)

    def behaviour(self, view: View) -> Shares:
        """Optimal play."""
        return self.judge.mixture(view)


class SightedPlayer(KnownPlayer):
    """A player who sees what is near, in games of any size."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        super().__init__(rng)
        self.game = game
        self.judge = eyes(game)

    def weigh(self, view: View, sight: int | None, choose: Callable[[Outlook], Chances]) -> Shares:
        """How likely each move is to somebody who chooses like this by what the moves lead to, as far as is seen."""
        if isinstance(self.judge, TableJudge):
            return named(self.game.moves, choose(self.judge.look(view)))
        view = whole(self.game, view)
        choices = self.judge.choices(view, sight)
        outlook = glimpse(choices, ending(self.game, view), lambda: slips(self.game, self.judge, view, sight))
        return named(view.legal, choose(outlook))


class LevelPlayer(SightedPlayer):
    """Sees ends that are at most so many plies away, and plays at random otherwise."""

    def __init__(self, game: Game[Any], rng: Random, sight: int) -> None:
        super().__init__(game, rng)
        self.sight = sight

    def behaviour(self, view: View) -> Shares:
        """Any of the moves that look best."""
        if not self.game.transparent:
            moves = [choice.move for choice in best(self.judge.choices(view, self.sight))]
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
        sight = self.level.sight if isinstance(self.judge, SearchJudge | Bounded) else None
        return self.weigh(view, sight, lambda outlook: soft(outlook, self.level))

    def _hunches(self, view: View) -> dict[str, float]:
        if isinstance(self.judge, Guessing):
            return self.judge.hunches(view)
        seen = self.judge.choices(view, self.level.sight)
        return {choice.move: choice.worth.win_probability or 1e-9 for choice in seen}


def sight(game: Game[Any], name: str) -> int:
    """How many plies ahead a named level looks where nothing is known; the same in every game."""
    return LEVELS[name].sight
