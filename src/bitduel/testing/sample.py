"""What the checks look at: positions that play can reach, and matches played at random, the same every time."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from bitduel.core.game import Game
from bitduel.core.match import Match

MOST_POSITIONS = 2000
MOST_DEALS = 16
MATCHES = 12
LONGEST = 60
NAMES = ("Ada", "Alan")


class GameProbe:
    """A game with some of its positions and matches, and a count of what was looked at."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.tried: Counter[str] = Counter()

    @cached_property
    def deals(self) -> list[str]:
        """What chance can deal, or some of it."""
        return [deal.text for deal in islice(self.game.deals(), MOST_DEALS)]

    @cached_property
    def reachable(self) -> list[Any]:
        """Positions by plain breadth-first search on ints, as many as there are or are wanted."""
        game = self.game
        seen = dict.fromkeys(game.start(deal) for deal in self.deals)
        queue = list(seen)
        for position in queue:
            if len(seen) >= MOST_POSITIONS:
                break
            for move in game.moves:
                if not game.verdict(position) and game.legal(position, move):
                    after = game.play(position, move)
                    if after not in seen:
                        seen[after] = None
                        queue.append(after)
        return queue

    def positions(self) -> list[Any]:
        """The reachable positions, counted as looked at."""
        self.tried["position"] += len(self.reachable)
        return self.reachable

    def matches(self, count: int = MATCHES) -> Iterator[Match]:
        """Matches played at random to the end, or until they get long."""
        rng = Random(1)
        for number in range(count):
            match = Match(self.game, 1 + number % 2, self.game.deal(rng))
            while match.legal and match.ply < LONGEST:
                match.play(rng.choice(match.legal))
            self.tried["match"] += 1
            yield match

    def moments(self, count: int = MATCHES) -> Iterator[Match]:
        """Those matches after each of their moves."""
        for match in self.matches(count):
            for moment in match.walk():
                self.tried["moment"] += 1
                yield moment

    def what_was_tried(self, before: Counter[str]) -> str:
        """What has been looked at since, in words."""
        new = self.tried - before
        return ", ".join(f"{count:,} {name}{'' if count == 1 else _plural(name)}" for name, count in new.items())


def _plural(name: str) -> str:
    return "es" if name.endswith("ch") else "s"


Check: TypeAlias = Callable[[GameProbe], Iterator[str]]
"""Yields a sentence for everything that is wrong."""
