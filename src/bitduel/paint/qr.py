"""A QR code as SVG: dark on white with its quiet zone, whatever the page around it looks like."""

from functools import lru_cache
from itertools import groupby

from markupsafe import Markup

from bitduel.paint.svg import tag

QUIET = 4
"""Modules of white around the code, as readers need them."""


@lru_cache(maxsize=256)
def qr_svg(text: str, title: str = "QR code") -> Markup:
    """The code of a text, usually an address; cameras read it with 15 in 100 of it hidden."""
    rows = modules(text)
    size = len(rows) + 2 * QUIET
    dark = "".join(_line(row, y + QUIET) for y, row in enumerate(rows))
    ground = tag("rect", width=size, height=size, fill="#ffffff")
    code = tag("path", d=dark, fill="#000000", shape_rendering="crispEdges")
    return tag("svg", tag("title", title), ground, code, class_="qr", viewBox=f"0 0 {size} {size}", role="img")


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
