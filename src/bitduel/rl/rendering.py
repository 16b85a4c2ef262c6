"""What a learner's seat sees, shown to a person: as text, or as the pixels of the picture."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitduel.core.errors import BitduelError
from bitduel.core.match import Match
from bitduel.core.words import PLAYERS
from bitduel.rendering.card import card_svg
from bitduel.rendering.pixels import pixels
from bitduel.rendering.png import png

ANSI, HUMAN, PIXELS = "ansi", "human", "rgb_array"
MODES = [HUMAN, ANSI, PIXELS]
FRAMES = 2
"""Frames a second: a move is to be seen before the next."""
WIDE = 600

Image = NDArray[np.uint8]


class RenderModeError(BitduelError):
    """A way of rendering that there is not."""


def check(mode: str | None) -> None:
    """Raise RenderModeError for a mode that there is not."""
    if mode is not None and mode not in MODES:
        raise RenderModeError(f"render_mode must be {', '.join(MODES)} or None, not {mode!r}.")


def render(match: Match, seat: int, mode: str) -> str | Image | None:
    """What the seat sees: text, pixels, or printed for a person."""
    if mode == PIXELS:
        return image(match, seat)
    told = text(match, seat)
    if mode == ANSI:
        return told
    print(told)
    return None


def text(match: Match, seat: int) -> str:
    """The picture in words, and whose turn it is or how the match ended."""
    view = match.view(seat)
    words = match.game.words
    if view.over:
        said = words.end(view.over, PLAYERS)
    else:
        said = [f"{PLAYERS[match.next_seat - 1]} to move" + (f": {', '.join(view.legal)}" if view.legal else "")]
    return "\n".join([_picture(match, seat).caption, *said])


def image(match: Match, seat: int) -> Image:
    """The picture as rows of pixels of red, green and blue; always of the same size."""
    return pixels(png(card_svg(_picture(match, seat)), WIDE))


def _picture(match: Match, seat: int) -> Any:
    return match.game.picture(match.view(seat), PLAYERS)
