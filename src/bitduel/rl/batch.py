"""Thousands of matches of one game stepped at once, using only NumPy.

Each lane is a match. After every step, `observation` and `mask` belong to the player to move, whose seat is in `seat`.
`reward` belongs to the player who has just moved. `done` is true where that move ended the match; in those lanes the
next match has already started.
"""

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bitduel.core.errors import BitduelError, TooLargeError, printable
from bitduel.core.game import Game
from bitduel.rl.lanes import Deals, Numbers, RuleLanes, TableLanes, explore_deals
from bitduel.rl.observations import ActionError, resolve_game

SMALL_TABLE = 200_000
"""Positions, over all deals, up to which a table is used by default."""
LARGE_TABLE = 20_000_000
"""Positions up to which a table is used on request."""


def _whole(number: object, what: str) -> int:
    """Return a whole number of any type but bool."""
    try:
        if not isinstance(number, bool):
            return index(number)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise BitduelError(f"{what} must be a whole number, not {printable(repr(number))}.")


def resolve_game_and_table(
    game: Game[Any] | str, table: bool | str | None, options: Mapping[str, object]
) -> tuple[Game[Any], bool | None]:
    """Return the game, and whether to use a table; a text is the game's own option called `table`."""
    if isinstance(table, str):
        return resolve_game(game, {**options, "table": table}), None
    return resolve_game(game, options), table


class Batch:
    """Matches of a game side by side: seat 1 starts each, and each lane has its own deals.

    `table` says whether to use a table of all positions or to apply the rules directly; by default a table is used if
    it is small. In both cases every lane plays exactly like a single match. All other arguments are options.
    """

    def __init__(
        self, game: Game[Any] | str, size: int, seed: int = 0, *, table: bool | str | None = None, **options: object
    ) -> None:
        size = _whole(size, "The size of a batch")
        if size < 1:
            raise BitduelError(f"A batch must have at least 1 lane, not {size}.")
        self.game, table = resolve_game_and_table(game, table, options)
        self.size = size
        self.seed = _whole(seed, "A seed")
        deals = Deals(self.game, size)
        self._lanes: TableLanes | RuleLanes
        limit = LARGE_TABLE if table else SMALL_TABLE
        tables = None if table is False else explore_deals(self.game, deals, limit)
        if tables is not None:
            self._lanes = TableLanes(self.game, deals, tables)
        elif table:
            raise TooLargeError(f"{self.game.title} with these options has too many positions for a table.")
        else:
            self._lanes = RuleLanes(self.game, deals)
        self._range = np.uint64(len(self.game.moves))
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch of {self.size:,} matches of {self.game!r}, on {self._lanes.name}>"

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the columns of an observation."""
        return tuple(feature.name for feature in self.game.features)

    def reset(self, seed: int | None = None) -> None:
        """Restart every match; a new seed gives new deals."""
        self.seed = self.seed if seed is None else _whole(seed, "A seed")
        self._lanes.reset(self.seed)
        self.reward: Numbers = np.zeros(self.size, np.int8)
        self.done: Numbers = np.zeros(self.size, np.bool_)

    def step(self, actions: ArrayLike) -> None:
        """Make one move in every match, by its number; raise ActionError, and step nothing, if one is not legal."""
        taken = np.ascontiguousarray(_action_numbers(actions), np.intp)
        if taken.shape != (self.size,):
            raise ActionError(f"A step needs {self.size} actions, not an array of shape {taken.shape}.")
        if taken.view(np.uint64).max() >= self._range or not self._lanes.step(taken):
            raise ActionError(self._illegal(taken))
        self.reward, self.done = self._lanes.reward, self._lanes.done

    @property
    def observation(self) -> Numbers:
        """The features that the player to move may see: a row for each match."""
        return self._lanes.observation()

    @property
    def final(self) -> Numbers:
        """The last observations of the matches that the last step ended, a row for each lane that is done."""
        return self._lanes.final()

    @property
    def mask(self) -> Numbers:
        """The legal actions: a row of booleans for each match; later steps do not change the array."""
        return self._lanes.mask

    @property
    def seat(self) -> Numbers:
        """The seat to move in each match, 1 or 2."""
        return self._lanes.seat

    @property
    def deals(self) -> list[str]:
        """The deal of each running match, which no player may see."""
        return self._lanes.dealt()

    def sample(self, rng: np.random.Generator) -> Numbers:
        """Return a random legal action for each match, all equally likely."""
        dice = rng.random(self.mask.shape, np.float32)
        return np.asarray(np.where(self.mask, dice, -1).argmax(axis=1), np.intp)

    def _illegal(self, taken: Numbers) -> str:
        is_action = (taken >= 0) & (taken < len(self.game.moves))
        is_legal = is_action & self.mask[np.arange(self.size), np.where(is_action, taken, 0)]
        lane = int(np.flatnonzero(~is_legal)[0])
        return f"Action {taken[lane]} is not legal in lane {lane}."


def _action_numbers(actions: ArrayLike) -> Numbers:
    try:
        numbers = np.asarray(actions)
    except (TypeError, ValueError, OverflowError):
        numbers = np.asarray(None)
    if numbers.dtype.kind not in "iu":
        raise ActionError(f"Actions must be whole numbers, not {numbers.dtype}.")
    return numbers
