"""QR codes: as SVG for pages and as text for terminals, dark on white with their quiet zone."""

from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

from bitduel.rendering.svg import tag

QUIET = 4
"""Modules of white around the code, as readers need them."""

QUIET_TEXT = 2
"""The same in a terminal, where room is scarce and the light frame of a code is easily told from its ground."""
DARK_BLOCKS = {(0, 0): " ", (1, 0): "\u2580", (0, 1): "\u2584", (1, 1): "\u2588"}
LIGHT_BLOCKS = {(1 - up, 1 - low): block for (up, low), block in DARK_BLOCKS.items()}
"""Two modules, one above the other, as a character that shows the dark ones, or the light ones."""


@lru_cache(maxsize=256)
def qr_svg(text: str, title: str = "QR code") -> Markup:
    """The code of a text, usually an address; cameras read it with 15 in 100 of it hidden."""
    rows = modules(text)
    size = len(rows) + 2 * QUIET
    dark = "".join(_line(row, y + QUIET) for y, row in enumerate(rows))
    ground = tag("rect", width=size, height=size, fill="#ffffff")
    code = tag("path", d=dark, fill="#000000", shape_rendering="crispEdges")
    return tag("svg", tag("title", title), ground, code, class_="qr", viewBox=f"0 0 {size} {size}", role="img")


def qr_text(text: str, colour: bool = True) -> str:
    """Return the code of a text in lines of half blocks; without colour, as a terminal with a dark ground shows it."""
    rows, blank = modules(text), [0]
    wide = len(rows) + 2 * QUIET_TEXT
    padded = [[0] * wide] * QUIET_TEXT + [blank * QUIET_TEXT + [*row] + blank * QUIET_TEXT for row in rows]
    padded += [[0] * wide] * (QUIET_TEXT + len(padded) % 2)
    blocks = DARK_BLOCKS if colour else LIGHT_BLOCKS
    lines = [
        "".join(blocks[pair] for pair in zip(*padded[at : at + 2], strict=True)) for at in range(0, len(padded), 2)
    ]
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" if colour else line for line in lines)


def _line(row: tuple[int, ...], y: int) -> str:
    """The dark stretches of a row."""
    path, x = "", QUIET
    for dark, stretch in groupby(row):
        wide = len(list(stretch))
        path += f"M{x} {y}h{wide}v1h-{wide}z" if dark else ""
        x += wide
    return path


def modules(text: str) -> tuple[tuple[int, ...], ...]:
    """Which modules of the code are dark, row by row, without the quiet zone."""
    import segno

    return tuple(tuple(row) for row in segno.make_qr(text, error="m", boost_error=False).matrix)
