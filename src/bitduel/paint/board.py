"""A picture of a position as SVG; it knows no game, and all colours are in the style sheets beside it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import PLAYERS
from bitduel.paint.style import alone
from bitduel.paint.svg import EDGE, WIDE, heading, join, rounded, seated, shape, shifted, tag, write

FINISH = 286
"""Where a scale ends; to the right of it is room for what went too far."""

BASE = 184
"""The foot of the stair."""

PER_LINE = 8
LARGEST_LAMP = 64
MOST_STOPS = 64
BARS = 32
PIECE = 18


class Part(NamedTuple):
    """A piece of a picture and how high it is."""

    svg: Markup
    height: float


@lru_cache(maxsize=512)
def picture_svg(picture: Picture) -> Markup:
    """A whole picture, with its caption for those who do not see it."""
    return _document(picture, words=True)


def miniature_svg(picture: Picture) -> Markup:
    """The same picture small and without words, as an ornament."""
    return _document(picture, words=False)


def match_svg(match: Match) -> str:
    """The position of a match as a spectator may see it, in a picture that stands alone."""
    return alone(picture_svg(match.game.picture(match.view(None), PLAYERS)))


def _document(picture: Picture, words: bool) -> Markup:
    parts = [_row(row, words) for row in picture.rows]
    if picture.scale:
        parts.append(_scale(picture.scale, words))
    height = sum(part.height for part in parts) or 1
    body = join(tag("g", part.svg, transform=shifted(0, top)) for part, top in _stacked(parts))
    box = f"0 0 {WIDE} {height:g}"
    if words:
        return tag("svg", tag("title", picture.caption), body, class_="picture", viewBox=box, role="img")
    return tag("svg", body, class_="picture miniature", viewBox=box, aria_hidden="true", focusable="false")


def _stacked(parts: Sequence[Part]) -> list[tuple[Part, float]]:
    return [(part, sum(above.height for above in parts[:number])) for number, part in enumerate(parts)]


def _row(row: Row, words: bool) -> Part:
    """A panel of lamps, eight to a line."""
    top = 40 if words else 14
    size = min(LARGEST_LAMP, (WIDE - 2 * EDGE) / min(PER_LINE, len(row.cells) or 1))
    lines = [row.cells[i : i + PER_LINE] for i in range(0, len(row.cells), PER_LINE)]
    noted = words and any(cell.note for cell in row.cells)
    tall = size + (30 if noted else 16 if words else 4)
    left = (WIDE - size * max(map(len, lines), default=0)) / 2
    lamps = join(
        _lamp(cell, size, left + (x + 0.5) * size, top + y * tall + size / 2, words)
        for y, line in enumerate(lines)
        for x, cell in enumerate(line)
    )
    height = top + len(lines) * tall + 4
    panel = tag("rect", class_="panel", x=1, y=1, width=WIDE - 2, height=height - 2, rx=14)
    name = heading(row.title, row.whose, 24) if words else Markup("")
    return Part(tag("g", panel, name, lamps, class_=seated("row", row.whose)), height + 10)


def _lamp(cell: Cell, size: float, x: float, y: float, words: bool) -> Markup:
    """Lit: full, with rays; out: an empty ring; the digit is in both."""
    on = cell.mark is Mark.ON
    radius = size * 0.31
    rays = tag("path", class_="rays", d=_rays(radius * 1.16, radius * 1.4))
    bulb = tag("circle", class_="bulb", r=rounded(radius))
    digit = write(0, radius * 0.36, cell.text, "digit", font_size=rounded(radius))
    label = write(0, size / 2 + 11, cell.label, "label") if words else Markup("")
    note = write(0, size / 2 + 24, cell.note, "note") if words and cell.note else Markup("")
    return tag("g", rays, bulb, digit, label, note, class_="lamp on" if on else "lamp off", transform=shifted(x, y))


def _rays(near: float, far: float) -> str:
    slant = 0.7071
    ways = [(1, 0), (slant, slant), (0, 1), (-slant, slant), (-1, 0), (-slant, -slant), (0, -1), (slant, -slant)]
    return "".join(f"M{x * near:.1f} {y * near:.1f}L{x * far:.1f} {y * far:.1f}" for x, y in ways)


def _scale(scale: Scale, words: bool) -> Part:
    if scale.span:
        return _number_line(scale, scale.span, words)
    if len(scale.tokens) == 1 and scale.tokens[0].whose is None:
        return _climb(scale, scale.tokens[0], words)
    return _lanes(scale, words)


def _climb(scale: Scale, token: Token, words: bool) -> Part:
    """One shared number on a stair up to its target, or fallen down behind it."""
    state, x = _reached(token.at, scale), _x(token.at, scale)
    top = BASE if state == "over" else BASE - _stair(_part(token.at, scale))
    stand = tag("g", _bubble(token.at, x), class_=f"token shared {state}", transform=shifted(x, top - 6))
    ends = _ends(scale, BASE + 18) if words else Markup("")
    bars = _bars(scale, token.at, BARS if words else BARS // 2)
    return Part(tag("g", bars, _flag(scale.high, words), stand, ends, class_="climb"), BASE + (28 if words else 6))


def _stair(part: float) -> float:
    """How high the stair is at a part of the way."""
    return 26 + 104 * part


def _bars(scale: Scale, at: int, most: int) -> Markup:
    count = min(most, max(1, scale.high - scale.low))
    wide = (FINISH - EDGE) / count
    bars = []
    for number in range(count):
        tall = _stair((number + 1) / count)
        done = (at - scale.low) * count >= (number + 1) * (scale.high - scale.low)
        box = {"x": rounded(EDGE + number * wide), "y": rounded(BASE - tall), "height": rounded(tall)}
        bars.append(tag("rect", class_="bar done" if done else "bar", width=rounded(wide - 2), rx=2, **box))
    return join(bars)


def _bubble(at: int, x: float) -> Markup:
    """A number in a bubble that points down, and stays in the picture."""
    text = f"{at:,}".replace(",", "\u202f") if at >= 10_000 else str(at)
    half = max(24.0, 9 + 7.4 * len(text))
    shift = min(max(x, half + 2), WIDE - half - 2) - x
    body = tag("rect", class_="bubble", x=rounded(shift - half), y=-44, width=rounded(2 * half), height=36, rx=12)
    pointer = tag("path", class_="bubble", d="M-8 -9L0 0L8 -9z")
    return body + pointer + write(shift, -18, text, "number", font_size=24)


def _lanes(scale: Scale, words: bool) -> Part:
    """One lane for each runner, to a chequered line."""
    lane = 74 if words else 56
    tops = range(0, lane * len(scale.tokens), lane)
    bottom = lane * len(scale.tokens)
    lanes = [_lane(token, scale, top, words) for token, top in zip(scale.tokens, tops, strict=True)]
    line = _chequers(FINISH + 4, 6, bottom - 12)
    ends = _ends(scale, bottom + 14) if words else Markup("")
    return Part(tag("g", line, *lanes, ends, class_="lanes"), bottom + (24 if words else 0))


def _lane(token: Token, scale: Scale, top: float, words: bool) -> Markup:
    y = top + (52 if words else 28)
    x = _x(token.at, scale)
    rail = tag("rect", class_="rail", x=EDGE, y=rounded(y - 4), width=FINISH - EDGE, height=8, rx=4)
    done = tag("rect", class_="done", x=EDGE, y=rounded(y - 4), width=rounded(x - EDGE), height=8, rx=4)
    state = _reached(token.at, scale)
    stand = tag("g", _piece(token), class_=f"token {state}", transform=shifted(_inside(token, x), y))
    name = heading(token.title, token.whose, top + 22) if words else Markup("")
    return tag("g", rail, done, _stops(scale, y), name, stand, class_=seated("lane", token.whose))


def _number_line(scale: Scale, span: tuple[int, int], words: bool) -> Part:
    """All numbers in a line: what is possible is a block, what is not a dot; pieces point at theirs from both sides."""
    y = 62 if scale.tokens else 18
    bottom = y + (60 if len(scale.tokens) > 1 else 16)
    pins = join(_pin(token, _line_x(token.at, scale), y, 1 - 2 * side) for side, token in enumerate(scale.tokens[:2]))
    line = tag("g", _possible(scale, span, y), pins, class_="numbers")
    return Part(line + _still(scale, span, bottom + 18), bottom + 28) if words else Part(line, bottom + 4)


def _still(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    still = str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
    known = write(WIDE / 2, y, f"still possible: {still}", "known")
    return write(EDGE, y, scale.low, "end from") + known + write(WIDE - EDGE, y, scale.high, "end to")


def _possible(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    low, high = (_line_x(end, scale) for end in span)
    if scale.high - scale.low >= MOST_STOPS:
        rail = tag("rect", class_="rail", x=EDGE, y=y - 3, width=WIDE - 2 * EDGE, height=6, rx=3)
        wide = rounded(high - low + 6)
        return rail + tag("rect", class_="still", x=rounded(low - 3), y=y - 10, width=wide, height=20)
    half = (WIDE - 2 * EDGE) / (scale.high - scale.low + 1) / 2
    blocks = []
    for number in range(scale.low, scale.high + 1):
        still, x = span[0] <= number <= span[1], _line_x(number, scale)
        right, down = (half * 0.84, 10.0) if still else (min(half * 0.5, 3), min(half * 0.5, 3))
        box = {"x": x - right, "y": y - down, "width": 2 * right, "height": 2 * down}
        place = {name: rounded(length) for name, length in box.items()}
        blocks.append(tag("rect", class_="stop still" if still else "stop", rx=2, **place))
    return join(blocks)


def _pin(token: Token, x: float, y: float, up: int) -> Markup:
    """A piece that points at a number, from above (up is 1) or from below (-1)."""
    pointer = tag("path", class_="pointer", d=f"M-5 {-8 * up}L0 0L5 {-8 * up}z")
    piece = tag("g", _piece(token), transform=shifted(_inside(token, x) - x, -24 * up))
    return tag("g", pointer, piece, class_=seated("token", token.whose), transform=shifted(x, y - 14 * up))


def _piece(token: Token) -> Markup:
    """The sign of a seat with the number in it: round for the first, a diamond for the second."""
    return shape(token.whose, PIECE, _extra(token)) + write(0, 5.5, token.at, "number", font_size=16)


def _extra(token: Token) -> float:
    """How much wider a piece is made by a long number."""
    return max(0.0, 5.0 * len(str(token.at)) - 12)


def _inside(token: Token, x: float) -> float:
    """The place nearest to this one where the whole piece is in the picture."""
    half = PIECE + _extra(token) + 4
    return min(max(x, half), WIDE - half)


def _stops(scale: Scale, y: float) -> Markup:
    if scale.high - scale.low > MOST_STOPS:
        return Markup("")
    places = (_x(number, scale) for number in range(scale.low, scale.high + 1))
    return tag("path", class_="stops", d="".join(f"M{x:.1f} {y - 2:g}v4" for x in places))


def _flag(number: int, words: bool) -> Markup:
    top = BASE - _stair(1) - 44
    pole = tag("path", class_="pole", d=f"M{FINISH} {BASE}V{top:g}")
    cloth = tag("path", class_="cloth", d=f"M{FINISH} {top:g}h48l-8 14l8 14h-48z")
    return pole + cloth + (write(FINISH + 20, top + 19, _short(number), "goal") if words else Markup(""))


def _short(number: int) -> str:
    return str(number) if number < 10_000 else "goal"


def _chequers(x: float, top: float, tall: float) -> Markup:
    size = 6
    rows = range(int(tall // size))
    squares = "".join(f"M{x + size * (row % 2):g} {top + row * size:g}h{size}v{size}h-{size}z" for row in rows)
    return tag("path", class_="chequers", d=squares)


def _ends(scale: Scale, y: float) -> Markup:
    return write(EDGE, y, scale.low, "end from") + write(FINISH + 6, y, scale.high, "end goal")


def _part(at: int, scale: Scale) -> float:
    return (at - scale.low) / max(1, scale.high - scale.low)


def _x(at: int, scale: Scale) -> float:
    """Where a number is; everything that went too far stands behind the end."""
    part = _part(at, scale)
    return EDGE + (FINISH - EDGE) * part if part <= 1 else FINISH + 30


def _line_x(at: int, scale: Scale) -> float:
    room = WIDE - 2 * EDGE
    return EDGE + room * (min(at, scale.high) - scale.low + 0.5) / (scale.high - scale.low + 1)


def _reached(at: int, scale: Scale) -> str:
    return "under" if at < scale.high else "there" if at == scale.high else "over"
