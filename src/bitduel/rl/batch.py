"""Thousands of matches of one game stepped at once, with NumPy and nothing else.

Each lane is a match. After every step there are the `observation` and `mask` of the player to move, `seat` who that is,
the `reward` of the player who has just moved, and `done` where that ended the match; there the next one has begun.
"""

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitduel.core.errors import BitduelError, TooLargeError, shown
from bitduel.core.game import Game
from bitduel.rl.batch_deals import Deals
from bitduel.rl.batch_rules import RuleLanes
from bitduel.rl.batch_table import LARGE, SMALL, TableLanes, tabled
from bitduel.rl.information_state import ActionError, chosen

Numbers = NDArray[Any]


def _whole(number: object, what: str) -> int:
    """A whole number of any kind, but no truth."""
    try:
        if not isinstance(number, bool):
            return index(number)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise BitduelError(f"{what} is a whole number, not {shown(repr(number))}.")


def meant(
    game: Game[Any] | str, table: bool | str | None, options: Mapping[str, object]
) -> tuple[Game[Any], bool | None]:
    """The game with its options, and whether it goes on the table; a text for that is a game's option of that name."""
    if isinstance(table, str):
        return chosen(game, {**options, "table": table}), None
    return chosen(game, options), table


def _numbers(actions: ArrayLike) -> Numbers:
    """Actions as an array of whole numbers; raises ActionError where they are something else."""
    try:
        found = np.asarray(actions)
    except (TypeError, ValueError, OverflowError):
        found = np.asarray(None)
    if found.dtype.kind not in "iu":
        raise ActionError(f"Actions are whole numbers, not {found.dtype}.")
    return found


class Batch:
    """Matches of a game side by side: seat 1 begins each, and what chance deals is each lane's own.

    `table` chooses how: on the table of all positions, or straight on the rules; by default on the table where it is
    small. Either way lane for lane the same happens as in matches that are played singly. All else are options.
    """

    def __init__(
        self, game: Game[Any] | str, size: int, seed: int = 0, *, table: bool | str | None = None, **options: object
    ) -> None:
        size = _whole(size, "The size of a batch")
        if size < 1:
            raise BitduelError(f"A batch has 1 lane or more, not {size}.")
        self.game, table = meant(game, table, options)
        self.size = size
        self.seed = _whole(seed, "A seed")
        deals = Deals(self.game, size)
        self._lanes: TableLanes | RuleLanes
        found = None if table is False else tabled(self.game, deals, LARGE if table else SMALL)
        if found is None:
            if table:
                raise TooLargeError(f"{self.game.title} with these options has too many positions for a table.")
            self._lanes = RuleLanes(self.game, deals)
        else:
            self._lanes = TableLanes(self.game, deals, found)
        self._range = np.uint64(len(self.game.moves))
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch of {self.size:,} matches of {self.game!r}, on {self._lanes.name}>"

    @property
    def features(self) -> tuple[str, ...]:
        """What the columns of an observation are."""
        return tuple(feature.name for feature in self.game.features)

    def reset(self, seed: int | None = None) -> None:
        """Begin every match anew; with a seed other deals follow."""
        self.seed = self.seed if seed is None else _whole(seed, "A seed")
        self._lanes.reset(self.seed)
        self.reward: Numbers = np.zeros(self.size, np.int8)
        self.done: Numbers = np.zeros(self.size, np.bool_)

    def step(self, actions: ArrayLike) -> None:
        """One move in every match, by its number among the game's moves; raises ActionError, stepping nothing."""
        taken = np.ascontiguousarray(_numbers(actions), np.intp)
        if taken.shape != (self.size,):
            raise ActionError(f"A step takes {self.size} actions, not an array of the shape {taken.shape}.")
        if taken.view(np.uint64).max() >= self._range or not self._lanes.step(taken):
            raise ActionError(self._fault(taken))
        self.reward, self.done = self._lanes.reward, self._lanes.done

    @property
    def observation(self) -> Numbers:
        """What the player to move may see: a row of whole numbers for each match, one for each feature."""
        return self._lanes.observation()

    @property
    def final(self) -> Numbers:
        """The same at the end of the matches that the last step ended, a row for each lane that is done."""
        return self._lanes.final()

    @property
    def mask(self) -> Numbers:
        """Which actions are legal: a row of truths for each match; it stays as it is when the batch goes on."""
        return self._lanes.mask

    @property
    def seat(self) -> Numbers:
        """Whose turn it is in each match, 1 or 2."""
        return self._lanes.seat

    @property
    def deals(self) -> list[str]:
        """What was dealt in each match that goes on; nothing that a player may see."""
        return self._lanes.dealt()

    def sample(self, rng: np.random.Generator) -> Numbers:
        """For each match some legal action, each equally likely."""
        dice = rng.random(self.mask.shape, np.float32)
        return np.asarray(np.where(self.mask, dice, -1).argmax(axis=1), np.intp)

    def _fault(self, taken: Numbers) -> str:
        fits = (taken >= 0) & (taken < len(self.game.moves))
        legal = fits & self.mask[np.arange(self.size), np.where(fits, taken, 0)]
        lane = int(np.flatnonzero(~legal)[0])
        return f"Action {taken[lane]} is not legal in lane {lane}."
