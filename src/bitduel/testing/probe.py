"""Samples of a game for the checks: positions that play can reach, and random matches, the same every time."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from bitduel.core.game import Game
from bitduel.core.match import Match

MAX_POSITIONS = 2000
MAX_DEALS = 16
MATCHES = 12
MAX_PLIES = 60
NAMES = ("Ada", "Alan")


class GameProbe:
    """A game with a sample of its positions and matches, and counts of what was tried."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.tried: Counter[str] = Counter()

    @cached_property
    def deals(self) -> list[str]:
        """The deals, or the first of them."""
        return [deal.text for deal in islice(self.game.deals(), MAX_DEALS)]

    @cached_property
    def reachable(self) -> list[Any]:
        """Positions by breadth-first search on ints, up to a limit."""
        game = self.game
        seen = dict.fromkeys(game.start(deal) for deal in self.deals)
        queue = list(seen)
        for position in queue:
            if len(seen) >= MAX_POSITIONS:
                break
            for move in game.moves:
                if not game.verdict(position) and game.legal(position, move):
                    after = game.play(position, move)
                    if after not in seen:
                        seen[after] = None
                        queue.append(after)
        return queue

    def positions(self) -> list[Any]:
        """Return the reachable positions, and count them as tried."""
        self.tried["position"] += len(self.reachable)
        return self.reachable

    def matches(self, count: int = MATCHES) -> Iterator[Match]:
        """Yield random matches, played to the end or to a limit."""
        rng = Random(1)
        for number in range(count):
            match = Match(self.game, 1 + number % 2, self.game.deal(rng))
            while match.legal and match.ply < MAX_PLIES:
                match.play(rng.choice(match.legal))
            self.tried["match"] += 1
            yield match

    def moments(self, count: int = MATCHES) -> Iterator[Match]:
        """Yield random matches before their first move and after each move."""
        for match in self.matches(count):
            for moment in match.walk():
                self.tried["moment"] += 1
                yield moment

    def tried_since(self, before: Counter[str]) -> str:
        """Return what was tried since an earlier count, in words."""
        new = self.tried - before
        return ", ".join(f"{count:,} {name}{'' if count == 1 else _plural(name)}" for name, count in new.items())


def _plural(name: str) -> str:
    return "es" if name.endswith("ch") else "s"
