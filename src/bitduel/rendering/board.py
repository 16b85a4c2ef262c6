"""A picture of a position as SVG; it knows no game, and all colours are in the style sheets beside it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row
from bitduel.core.words import PLAYERS
from bitduel.rendering.choices import BoardChoice, BoardChoices, button, chosen
from bitduel.rendering.scale import paint_scale
from bitduel.rendering.style import alone
from bitduel.rendering.svg import EDGE, WIDE, Part, heading, join, rounded, seated, shifted, tag, write

PER_LINE = 8
LARGEST_LAMP = 64


class PlacedCell(NamedTuple):
    """A cell and where it stands."""

    cell: Cell
    size: float
    x: float
    y: float


def picture_svg(picture: Picture) -> Markup:
    """A whole picture, with its caption for those who do not see it."""
    return _document(picture, words=True)


@lru_cache(maxsize=512)
def open_svg(picture: Picture) -> Markup:
    """The same, drawn once for all; only for what everybody may see, for the time it takes tells who has seen it."""
    return picture_svg(picture)


@lru_cache(maxsize=512)
def open_board_svg(picture: Picture, choices: tuple[BoardChoice, ...]) -> Markup:
    """A picture that is played on, drawn once for all; as above, only for what everybody may see."""
    return board_svg(picture, {choice.move: choice for choice in choices})


def miniature_svg(picture: Picture) -> Markup:
    """The same picture small and without words, as an ornament."""
    return _document(picture, words=False)


def match_svg(match: Match) -> str:
    """The position of a match as a spectator may see it, in a picture that stands alone."""
    return alone(picture_svg(match.game.picture(match.view(None), PLAYERS)))


def board_svg(picture: Picture, choices: BoardChoices) -> Markup:
    """A picture that is played on: a button for every move on it, and room for those that may come."""
    parts = _parts(picture, words=True, choices=choices)
    drawing = tag("g", _piled(parts), class_="drawing", aria_hidden="true")
    over = tag("g", join(tag("g", part.over, transform=shifted(0, top)) for part, top in _stacked(parts)))
    box = f"0 0 {WIDE} {_height(parts):g}"
    return tag("svg", drawing, over, class_="picture playable", viewBox=box, role="group", aria_label=picture.caption)


def _document(picture: Picture, words: bool) -> Markup:
    parts = _parts(picture, words)
    drawing, box = tag("g", _piled(parts), class_="drawing"), f"0 0 {WIDE} {_height(parts):g}"
    if words:
        return tag("svg", tag("title", picture.caption), drawing, class_="picture", viewBox=box, role="img")
    return tag("svg", drawing, class_="picture miniature", viewBox=box, aria_hidden="true", focusable="false")


def _parts(picture: Picture, words: bool, choices: BoardChoices | None = None) -> list[Part]:
    parts = [_row(row, words, choices) for row in picture.rows]
    return [*parts, paint_scale(picture.scale, words, choices)] if picture.scale else parts


def _piled(parts: Sequence[Part]) -> Markup:
    return join(tag("g", part.svg, transform=shifted(0, top)) for part, top in _stacked(parts))


def _height(parts: Sequence[Part]) -> float:
    return sum(part.height for part in parts) or 1


def _stacked(parts: Sequence[Part]) -> list[tuple[Part, float]]:
    return [(part, sum(above.height for above in parts[:number])) for number, part in enumerate(parts)]


def _row(row: Row, words: bool, choices: BoardChoices | None) -> Part:
    """A panel of lamps, eight to a line."""
    top = 40 if words else 14
    lamps, height = _placed(row, top, words)
    panel = tag("rect", class_="panel", x=1, y=1, width=WIDE - 2, height=height - 2, rx=14)
    name = heading(row.title, row.whose, 24) if words else Markup("")
    drawn = join(_lamp(lamp, words) for lamp in lamps)
    over = join(_switch(lamp, choices) for lamp in lamps if choices and lamp.cell.move)
    return Part(tag("g", panel, name, drawn, class_=seated("row", row.whose)), height + 10, over)


def _placed(row: Row, top: float, words: bool) -> tuple[list[PlacedCell], float]:
    """Where every lamp stands, and how high all of them are."""
    size = min(LARGEST_LAMP, (WIDE - 2 * EDGE) / min(PER_LINE, len(row.cells) or 1))
    lines = [row.cells[i : i + PER_LINE] for i in range(0, len(row.cells), PER_LINE)]
    noted = words and any(cell.note for cell in row.cells)
    tall = size + (30 if noted else 16 if words else 4)
    left = (WIDE - size * max(map(len, lines), default=0)) / 2
    lamps = [
        PlacedCell(cell, size, left + (x + 0.5) * size, top + y * tall + size / 2)
        for y, line in enumerate(lines)
        for x, cell in enumerate(line)
    ]
    return lamps, top + len(lines) * tall + 4


def _lamp(lamp: PlacedCell, words: bool) -> Markup:
    """Lit: full, with rays; out: an empty ring; the digit is in both."""
    cell, size, x, y = lamp
    label = write(0, size / 2 + 11, cell.label, "label") if words else Markup("")
    note = write(0, size / 2 + 24, cell.note, "note") if words and cell.note else Markup("")
    on = cell.mark is Mark.ON
    body = _bulb(cell.text, size * 0.31)
    return tag("g", body, label, note, class_="lamp on" if on else "lamp off", transform=shifted(x, y))


def _bulb(text: str, radius: float) -> Markup:
    rays = tag("path", class_="rays", d=_rays(radius * 1.16, radius * 1.4))
    bulb = tag("circle", class_="bulb", r=rounded(radius))
    return rays + bulb + write(0, radius * 0.36, text, "digit", font_size=rounded(radius))


def _switch(lamp: PlacedCell, choices: BoardChoices) -> Markup:
    """A lamp as a button, with how it would look when switched."""
    cell, size, x, y = lamp
    choice = choices[cell.move]
    on = cell.mark is Mark.OFF
    ghost = tag("g", _bulb("1" if on else "0", size * 0.31), class_="ghost lamp on" if on else "ghost lamp off")
    box = (-size / 2 + 1, -size / 2 + 1, size - 2, size - 2)
    return chosen(choice, ghost, button(choice, box, "spot"), (size * 0.3, -size * 0.34), transform=shifted(x, y))


def _rays(near: float, far: float) -> str:
    slant = 0.7071
    ways = [(1, 0), (slant, slant), (0, 1), (-slant, slant), (-1, 0), (-slant, -slant), (0, -1), (slant, -slant)]
    return "".join(f"M{x * near:.1f} {y * near:.1f}L{x * far:.1f} {y * far:.1f}" for x, y in ways)
