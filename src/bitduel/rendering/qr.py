"""QR codes as SVG for pages and as half blocks for terminals, black on white with a quiet zone.

segno makes the codes; its own SVG has no role for screen readers, and its terminal output needs a dark background.
"""

from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

from bitduel.rendering.svg import tag

QUIET_ZONE, TERMINAL_QUIET_ZONE = 4, 2
"""Modules of white around a code; a terminal has less space."""

BLOCKS = {(0, 0): " ", (1, 0): "\u2580", (0, 1): "\u2584", (1, 1): "\u2588"}
"""Two modules, one above the other, as the character in which those of value 1 are drawn."""


@lru_cache(maxsize=256)
def qr_svg(text: str, title: str = "QR code") -> Markup:
    """Draw the QR code of a text, usually an address."""
    rows = _modules(text, QUIET_ZONE)
    size = len(rows)
    ground = tag("rect", width=size, height=size, fill="#ffffff")
    path = "".join(_row_path(row, y) for y, row in enumerate(rows))
    code = tag("path", d=path, fill="#000000", shape_rendering="crispEdges")
    return tag("svg", tag("title", title), ground, code, class_="qr", viewBox=f"0 0 {size} {size}", role="img")


def _row_path(row: list[int], y: int) -> str:
    path, x = "", 0
    for is_dark, modules in groupby(row):
        width = len(list(modules))
        path += f"M{x} {y}h{width}v1h-{width}z" if is_dark else ""
        x += width
    return path


def qr_text(text: str, colour: bool = True) -> str:
    """Return the QR code of a text in lines of half blocks; without colour, for a terminal with a dark background."""
    rows = _modules(text, TERMINAL_QUIET_ZONE)
    rows += [[0] * len(rows)] * (len(rows) % 2)
    drawn = 1 if colour else 0
    pairs = (zip(upper, lower, strict=True) for upper, lower in zip(rows[::2], rows[1::2], strict=True))
    lines = ["".join(BLOCKS[top == drawn, bottom == drawn] for top, bottom in pair) for pair in pairs]
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" if colour else line for line in lines)


def _modules(text: str, quiet_zone: int) -> list[list[int]]:
    """Return the modules row by row, 1 for dark; cameras can read them with 15% hidden."""
    import segno

    code = segno.make_qr(text, error="m", boost_error=False)
    return [[int(module) for module in row] for row in code.matrix_iter(border=quiet_zone)]
