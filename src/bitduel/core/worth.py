"""What a position or a move is worth: the one place that knows win, draw and loss, and how worths are compared."""

from enum import StrEnum
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


class Worth(NamedTuple):
    """What something is worth to a player, with best play after it.

    A game without hidden information has a value and the plies to the end (None for a draw);
    one with hidden information has a probability of winning. What is not seen is None.
    """

    value: Value | None = None
    plies: int | None = None
    win_probability: float | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """Orders worths from worst to best: wins fast, losses late, what is not seen in between."""
        if self.win_probability is not None:
            return self.win_probability, 0
        plies = self.plies or 0
        return {WIN: (2, -plies), LOSS: (0, plies)}.get(self.value or DRAW, (1, 0))

    def as_data(self) -> dict[str, Any]:
        """The worth as JSON-ready data."""
        return {**self._asdict(), "value": self.value and str(self.value)}


UNSEEN_WORTH = Worth()
"""Of what lies too far away to be seen."""
