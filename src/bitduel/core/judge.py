"""What moves are worth: how a judge tells it, and how worths are compared."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from bitduel.core.view import View

WIN, DRAW, LOSS = "win", "draw", "loss"


class Judged(NamedTuple):
    """A move and what it is worth to the player who makes it, with best play after it.

    A game without hidden information has a value and the plies to the end (None for a draw);
    one with hidden information has a probability of winning. What is not seen is None.
    """

    move: str
    value: str | None = None
    plies: int | None = None
    win_probability: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """Orders moves from worst to best: wins fast, losses late, what is not seen in between."""
        if self.win_probability is not None:
            return self.win_probability, 0
        plies = self.plies or 0
        return {WIN: (2, -plies), LOSS: (0, plies)}.get(self.value or DRAW, (1, 0))


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
    top = max(choice.rank for choice in choices)
    return [choice for choice in choices if choice.rank[0] >= top[0] - TIE and choice.rank[1] >= top[1] - TIE]
