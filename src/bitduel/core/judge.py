"""Who knows what moves are worth, and how it is told."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from bitduel.core.view import View
from bitduel.core.worth import Worth


class Judged(NamedTuple):
    """A move and what it is worth to the player who makes it."""

    move: str
    worth: Worth

    def as_data(self) -> dict[str, Any]:
        """The move and its worth as JSON-ready data."""
        return {"move": self.move, **self.worth.as_data()}


class Judge(Protocol):
    """Knows what every move is worth, from what a seat may see."""

    @property
    def depth(self) -> int:
        """About how many plies ahead there is something to see."""

    def choices(self, view: View, horizon: int | None = None) -> list[Judged]:
        """Every legal move with its worth, in the game's order; beyond the horizon nothing is seen."""

    def mixture(self, view: View) -> dict[str, float]:
        """Optimal play: how likely each move is."""

    def notes(self) -> list[str]:
        """How the judge knows, in a few lines."""


TIE = 1e-9
"""Probabilities closer than this are the same."""


def best(choices: Sequence[Judged]) -> list[Judged]:
    """The moves that are worth most."""
    ranks = [choice.worth.rank for choice in choices]
    top = max(ranks)
    pairs = zip(choices, ranks, strict=True)
    return [choice for choice, rank in pairs if rank[0] >= top[0] - TIE and rank[1] >= top[1] - TIE]
