"""Who stands how, while games are being played and at their end."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from bitduel.arena.schedule import Schedule


class RunningScore(NamedTuple):
    """What a player has scored so far: a win 1, a draw a half."""

    player: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win 1, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points a game; a half where nothing is played yet."""
        return self.points / self.games if self.games else 0.5

    def as_data(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return {**self._asdict(), "games": self.games, "points": self.points, "score": self.score}


class Standings:
    """The tally of a run."""

    def __init__(self, plan: Schedule) -> None:
        self.plan = plan
        self.games = 0
        self._tally = [[0, 0, 0] for _ in plan.players]

    def add(self, results: Iterable[tuple[int, int | None]]) -> None:
        """Count some games, by number and the seat that won."""
        for number, winner in results:
            self.games += 1
            one, two = self.plan.pairing(number).seats
            self._tally[one][{1: 0, None: 1, 2: 2}[winner]] += 1
            self._tally[two][{2: 0, None: 1, 1: 2}[winner]] += 1

    def table(self) -> list[RunningScore]:
        """Everybody, the best first."""
        rows = [RunningScore(player.name, *tally) for player, tally in zip(self.plan.players, self._tally, strict=True)]
        return sorted(rows, key=lambda standing: -standing.score)
