"""Observations, masks, rewards and frames for reinforcement learning, with only what a seat may see."""

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import BitduelError, OptionError, printable
from bitduel.core.game import Game
from bitduel.core.match import Match, other_seat
from bitduel.core.outcomes import Outcome
from bitduel.core.words import PLAYERS
from bitduel.games.registry import make

Row = NDArray[np.int64]
Mask = NDArray[np.int8]
Image = NDArray[np.uint8]

ANSI, HUMAN, PIXELS = "ansi", "human", "rgb_array"
RENDER_MODES = [HUMAN, ANSI, PIXELS]
FRAMES = 2
"""Frames a second: slow enough to see each move."""
IMAGE_WIDTH = 600


class ActionError(BitduelError, ValueError):
    """An invalid or illegal action; nothing has been stepped."""


class RenderModeError(BitduelError):
    """A render mode that does not exist."""


class ObservationEncoder:
    """The encoding of a game: its features as a row of whole numbers, its moves as action numbers."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.low: Row = np.array([feature.low for feature in game.features], dtype=np.int64)
        self.high: Row = np.array([feature.high for feature in game.features], dtype=np.int64)
        self.action = {move: number for number, move in enumerate(game.moves)}

    def numbers(self, match: Match, seat: int) -> tuple[int, ...]:
        """Return the features that a seat sees."""
        return tuple(map(int, self.game.encode_positions(match.position, match.ply, seat == match.next_seat)))

    def row(self, match: Match, seat: int) -> Row:
        """Return the features that a seat sees as an array."""
        return np.array(self.numbers(match, seat), dtype=np.int64)

    def mask(self, match: Match, seat: int) -> Mask:
        """Return 1 for each action that the seat can take now, 0 for the others."""
        mask = np.zeros(len(self.action), dtype=np.int8)
        if seat == match.to_move:
            mask[[self.action[move] for move in match.legal]] = 1
        return mask


def move_of(game: Game[Any], action: object) -> str:
    """Return the move with this number; raise ActionError if there is none."""
    try:
        number = index(action)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < len(game.moves) or isinstance(action, bool):
        raise ActionError(
            f"An action must be a whole number from 0 to {len(game.moves) - 1}, not {printable(repr(action))}."
        )
    return game.moves[number]


def resolve_game(game: Game[Any] | str, options: Mapping[str, object]) -> Game[Any]:
    """Return a game given by its name and options, or as an object."""
    if isinstance(game, str):
        return make(game, options)
    if options:
        raise OptionError("Give options only with the name of a game. A game object already has its options.")
    return game


def reward(outcome: Outcome | None, seat: int) -> float:
    """Return 1 for a win, -1 for a loss, 0 for a draw and before the end."""
    winner = outcome.winner if outcome else None
    return {seat: 1.0, other_seat(seat): -1.0}.get(winner or 0, 0.0)


def check_render_mode(mode: str | None) -> None:
    """Raise RenderModeError for a mode that does not exist."""
    if mode is not None and mode not in RENDER_MODES:
        raise RenderModeError(f"render_mode must be {', '.join(RENDER_MODES)} or None, not {mode!r}.")


def render(match: Match, seat: int, mode: str) -> str | Image | None:
    """Return what the seat sees as text or pixels, or print it for a person."""
    if mode == PIXELS:
        from bitduel.rendering.card import card_svg
        from bitduel.rendering.png import pixels, png

        return pixels(png(card_svg(match.game.picture(match.view(seat), PLAYERS)), IMAGE_WIDTH))
    text = _text(match, seat)
    if mode == ANSI:
        return text
    print(text)
    return None


def _text(match: Match, seat: int) -> str:
    """Return the picture's caption, and whose turn it is or how the match ended."""
    view = match.view(seat)
    if view.over:
        lines = match.game.words.end(view.over, PLAYERS)
    else:
        lines = [f"{PLAYERS[match.next_seat - 1]} to move" + (f": {', '.join(view.legal)}" if view.legal else "")]
    return "\n".join([match.game.picture(view, PLAYERS).caption, *lines])
