"""What chance deals in each lane, match after match: a function of seed, lane and match, so that lanes stand alone."""

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import TooLargeError
from bitduel.core.game import Game

Numbers = NDArray[Any]
MOST = 1 << 16
"""So many deals a game may have here."""
MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
"""The constants of splitmix64."""


class Deals:
    """The deals of a game, and which of them each lane gets next."""

    def __init__(self, game: Game[Any], size: int) -> None:
        found = list(islice(game.deals(), MOST + 1)) if game.chance else []
        if len(found) > MOST:
            raise TooLargeError(f"More than {MOST:,} deals are too many for a batch. Choose smaller options.")
        self.texts = [deal.text for deal in found] or [""]
        self.only = len(self.texts) == 1
        self.size = size
        self._upto = np.cumsum([float(deal.probability) for deal in found])[:-1]

    def begin(self, seed: int) -> Numbers:
        """Which deal every lane gets in its first match."""
        self._seed = mixed(np.uint64(seed & (1 << 64) - 1))
        self._lane = mixed(self._seed ^ np.arange(self.size, dtype=np.uint64))
        self._match = np.zeros(self.size, np.uint64)
        return self._drawn(np.arange(self.size))

    def next(self, lanes: Numbers) -> Numbers:
        """Which deal these lanes get in their next match."""
        self._match[lanes] += np.uint64(1)
        return self._drawn(lanes)

    def _drawn(self, lanes: Numbers) -> Numbers:
        if self.only:
            return np.zeros(len(lanes), np.intp)
        dice = mixed(self._lane[lanes] + self._match[lanes] * MIX[0]) >> np.uint64(11)
        return np.asarray(np.searchsorted(self._upto, dice * 2.0**-53, side="right"), np.intp)


def mixed(number: Any) -> Any:
    """Numbers that look like chance, always the same for the same."""
    with np.errstate(over="ignore"):
        number = number + MIX[0]
        number = (number ^ number >> np.uint64(30)) * MIX[1]
        number = (number ^ number >> np.uint64(27)) * MIX[2]
        return number ^ number >> np.uint64(31)
