"""What a position or a move is worth: the one place that knows win, draw and loss, and how worths are compared."""

from enum import StrEnum
from math import inf
from typing import Any, NamedTuple


class Value(StrEnum):
    """How it ends for a player when both play best."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def sign(self) -> int:
        """1, 0 or -1: the form in which arrays hold it."""
        return {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1}[self]


WIN, DRAW, LOSS = Value.WIN, Value.DRAW, Value.LOSS
BY_SIGN = {value.sign: value for value in Value}


class Evaluation(NamedTuple):
    """What something is worth to a player, with best play after it.

    A game without hidden information has a value and the plies to the end (None for a draw);
    one with hidden information has a probability of winning. What is not seen is None.
    """

    value: Value | None = None
    plies: int | None = None
    win_probability: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """Orders worths from worst to best: wins fast, losses late, what is not seen in between.

        An end of which nobody knows how far away it is counts as further away than any that is known.
        """
        if self.win_probability is not None:
            return self.win_probability, 0
        far = inf if self.plies is None else self.plies
        return {WIN: (2, -far), LOSS: (0, far)}.get(self.value or DRAW, (1, 0))

    @property
    def assumed(self) -> bool:
        """Whether a probability rests on an assumption about an opponent of whom nothing is known."""
        return False

    def as_data(self) -> dict[str, Any]:
        """The worth as JSON-ready data; that it rests on an assumption is said where it does."""
        data = {**self._asdict(), "value": self.value and str(self.value)}
        return {**data, "assumed": True} if self.assumed else data


class AssumedWorth(Evaluation):
    """A worth against an opponent who cannot be the one that the solution expects, so that another is assumed."""

    __slots__ = ()

    @property
    def assumed(self) -> bool:
        """It does."""
        return True


UNSEEN_WORTH = Evaluation()
"""Of what lies too far away to be seen."""
