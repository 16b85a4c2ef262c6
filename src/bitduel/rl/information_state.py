"""What all learners are told of a match: observations, masks, rewards, and never anything that a seat may not see."""

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.endings import Outcome
from bitduel.core.errors import BitduelError, OptionError, shown
from bitduel.core.game import Game
from bitduel.core.match import Match, other
from bitduel.games import make

Row = NDArray[np.int64]
Mask = NDArray[np.int8]


class Sight:
    """How learners see a game: its features as a row of whole numbers, its moves as action numbers."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        features = game.features
        self.low: Row = np.array([feature.low for feature in features], dtype=np.int64)
        self.high: Row = np.array([feature.high for feature in features], dtype=np.int64)
        self.action = {move: number for number, move in enumerate(game.moves)}

    def numbers(self, match: Match, seat: int) -> tuple[int, ...]:
        """The features of what a seat sees."""
        return tuple(map(int, self.game.encode_positions(match.position, match.ply, seat == match.next_seat)))

    def row(self, match: Match, seat: int) -> Row:
        """The same as an array."""
        return np.array(self.numbers(match, seat), dtype=np.int64)

    def mask(self, match: Match, seat: int) -> Mask:
        """1 for each action that the seat can take now, and 0 for the others; all 0 where it is not its turn."""
        mask = np.zeros(len(self.action), dtype=np.int8)
        if seat == match.to_move:
            mask[[self.action[move] for move in match.legal]] = 1
        return mask


class ActionError(BitduelError, ValueError):
    """Something that is no action, or one that cannot be taken; nothing has been stepped."""


def move_of(game: Game[Any], action: object) -> str:
    """The move with this number; raises ActionError where there is none."""
    try:
        number = index(action)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < len(game.moves) or isinstance(action, bool):
        raise ActionError(f"An action is a whole number from 0 to {len(game.moves) - 1}, not {shown(repr(action))}.")
    return game.moves[number]


def chosen(game: Game[Any] | str, options: Mapping[str, object]) -> Game[Any]:
    """The game that is meant: by its name with options, or made already."""
    if isinstance(game, str):
        return make(game, options)
    if options:
        raise OptionError("Options go with the name of a game; a game that is made has its own.")
    return game


def reward(outcome: Outcome | None, seat: int) -> float:
    """1 for a win, -1 for a loss, 0 for a draw and as long as nothing is decided."""
    winner = outcome.winner if outcome else None
    return {seat: 1.0, other(seat): -1.0}.get(winner or 0, 0.0)
