"""The browser's one painter: a picture in, SVG out; it knows no game, and all colours are in the style sheet."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import Names
from bitduel.solve.review import Review, Standing

WIDE = 340
EDGE = 14
FINISH = 286
"""Where a scale ends; to the right of it is room for what went too far."""

BASE = 184
"""The foot of the stair."""

PER_LINE = 8
LARGEST_LAMP = 64
MOST_STOPS = 64
BARS = 32
PIECE = 18
LONGEST_TITLE = 20


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


def _document(picture: Picture, words: bool) -> Markup:
    parts = [_row(row, words) for row in picture.rows]
    if picture.scale:
        parts.append(_scale(picture.scale, words))
    height = sum(part.height for part in parts) or 1
    body = _join(_tag("g", part.svg, transform=_at(0, top)) for part, top in _stacked(parts))
    box = f"0 0 {WIDE} {height:g}"
    if words:
        return _tag("svg", _tag("title", picture.caption), body, class_="picture", viewBox=box, role="img")
    return _tag("svg", body, class_="picture miniature", viewBox=box, aria_hidden="true", focusable="false")


def _stacked(parts: Sequence[Part]) -> list[tuple[Part, float]]:
    return [(part, sum(above.height for above in parts[:number])) for number, part in enumerate(parts)]


def _row(row: Row, words: bool) -> Part:
    """A panel of lamps, eight to a line."""
    top = 40 if words else 14
    size = min(LARGEST_LAMP, (WIDE - 2 * EDGE) / min(PER_LINE, len(row.cells) or 1))
    lines = [row.cells[i : i + PER_LINE] for i in range(0, len(row.cells), PER_LINE)]
    tall = size + (16 if words else 4)
    left = (WIDE - size * max(map(len, lines), default=0)) / 2
    lamps = _join(
        _lamp(cell, size, left + (x + 0.5) * size, top + y * tall + size / 2, words)
        for y, line in enumerate(lines)
        for x, cell in enumerate(line)
    )
    height = top + len(lines) * tall + 4
    panel = _tag("rect", class_="panel", x=1, y=1, width=WIDE - 2, height=height - 2, rx=14)
    heading = _heading(row.title, row.whose, 24) if words else Markup("")
    return Part(_tag("g", panel, heading, lamps, class_=_seat("row", row.whose)), height + 10)


def _lamp(cell: Cell, size: float, x: float, y: float, words: bool) -> Markup:
    """Lit: full, with rays; out: an empty ring; the digit is in both."""
    on = cell.mark is Mark.ON
    radius = size * 0.31
    rays = _tag("path", class_="rays", d=_rays(radius * 1.16, radius * 1.4))
    bulb = _tag("circle", class_="bulb", r=_round(radius))
    digit = _text(0, radius * 0.36, cell.text, "digit", font_size=_round(radius))
    label = _text(0, size / 2 + 11, cell.label, "label") if words else Markup("")
    return _tag("g", rays, bulb, digit, label, class_="lamp on" if on else "lamp off", transform=_at(x, y))


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
    stand = _tag("g", _bubble(token.at, x), class_=f"token shared {state}", transform=_at(x, top - 6))
    ends = _ends(scale, BASE + 18) if words else Markup("")
    bars = _bars(scale, token.at, BARS if words else BARS // 2)
    return Part(_tag("g", bars, _flag(scale.high, words), stand, ends, class_="climb"), BASE + (28 if words else 6))


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
        box = {"x": _round(EDGE + number * wide), "y": _round(BASE - tall), "height": _round(tall)}
        bars.append(_tag("rect", class_="bar done" if done else "bar", width=_round(wide - 2), rx=2, **box))
    return _join(bars)


def _bubble(at: int, x: float) -> Markup:
    """A number in a bubble that points down, and stays in the picture."""
    text = f"{at:,}".replace(",", "\u202f") if at >= 10_000 else str(at)
    half = max(24.0, 9 + 7.4 * len(text))
    shift = min(max(x, half + 2), WIDE - half - 2) - x
    body = _tag("rect", class_="bubble", x=_round(shift - half), y=-44, width=_round(2 * half), height=36, rx=12)
    pointer = _tag("path", class_="bubble", d="M-8 -9L0 0L8 -9z")
    return body + pointer + _text(shift, -18, text, "number", font_size=24)


def _lanes(scale: Scale, words: bool) -> Part:
    """One lane for each runner, to a chequered line."""
    lane = 74 if words else 56
    tops = range(0, lane * len(scale.tokens), lane)
    bottom = lane * len(scale.tokens)
    lanes = [_lane(token, scale, top, words) for token, top in zip(scale.tokens, tops, strict=True)]
    line = _chequers(FINISH + 4, 6, bottom - 12)
    ends = _ends(scale, bottom + 14) if words else Markup("")
    return Part(_tag("g", line, *lanes, ends, class_="lanes"), bottom + (24 if words else 0))


def _lane(token: Token, scale: Scale, top: float, words: bool) -> Markup:
    y = top + (52 if words else 28)
    x = _x(token.at, scale)
    rail = _tag("rect", class_="rail", x=EDGE, y=_round(y - 4), width=FINISH - EDGE, height=8, rx=4)
    done = _tag("rect", class_="done", x=EDGE, y=_round(y - 4), width=_round(x - EDGE), height=8, rx=4)
    state = _reached(token.at, scale)
    stand = _tag("g", _piece(token), class_=f"token {state}", transform=_at(_inside(token, x), y))
    heading = _heading(token.title, token.whose, top + 22) if words else Markup("")
    return _tag("g", rail, done, _stops(scale, y), heading, stand, class_=_seat("lane", token.whose))


def _number_line(scale: Scale, span: tuple[int, int], words: bool) -> Part:
    """All numbers in a line: what is possible is a block, what is not a dot; pieces point at theirs from both sides."""
    y = 62 if scale.tokens else 18
    bottom = y + (60 if len(scale.tokens) > 1 else 16)
    pins = _join(_pin(token, _line_x(token.at, scale), y, 1 - 2 * side) for side, token in enumerate(scale.tokens[:2]))
    line = _tag("g", _possible(scale, span, y), pins, class_="numbers")
    return Part(line + _still(scale, span, bottom + 18), bottom + 28) if words else Part(line, bottom + 4)


def _still(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    still = str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
    known = _text(WIDE / 2, y, f"still possible: {still}", "known")
    return _text(EDGE, y, scale.low, "end from") + known + _text(WIDE - EDGE, y, scale.high, "end to")


def _possible(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    low, high = (_line_x(end, scale) for end in span)
    if scale.high - scale.low >= MOST_STOPS:
        rail = _tag("rect", class_="rail", x=EDGE, y=y - 3, width=WIDE - 2 * EDGE, height=6, rx=3)
        return rail + _tag("rect", class_="still", x=_round(low - 3), y=y - 10, width=_round(high - low + 6), height=20)
    half = (WIDE - 2 * EDGE) / (scale.high - scale.low + 1) / 2
    blocks = []
    for number in range(scale.low, scale.high + 1):
        still, x = span[0] <= number <= span[1], _line_x(number, scale)
        wide, tall = (half * 0.84, 10.0) if still else (min(half * 0.5, 3), min(half * 0.5, 3))
        shape = {"x": _round(x - wide), "y": _round(y - tall), "width": _round(2 * wide), "height": _round(2 * tall)}
        blocks.append(_tag("rect", class_="stop still" if still else "stop", rx=2, **shape))
    return _join(blocks)


def _pin(token: Token, x: float, y: float, up: int) -> Markup:
    """A piece that points at a number, from above (up is 1) or from below (-1)."""
    pointer = _tag("path", class_="pointer", d=f"M-5 {-8 * up}L0 0L5 {-8 * up}z")
    piece = _tag("g", _piece(token), transform=_at(_inside(token, x) - x, -24 * up))
    return _tag("g", pointer, piece, class_=_seat("token", token.whose), transform=_at(x, y - 14 * up))


def _piece(token: Token) -> Markup:
    """The sign of a seat with the number in it: round for the first, a diamond for the second."""
    return _shape(token.whose, PIECE, _extra(token)) + _text(0, 5.5, token.at, "number", font_size=16)


def _extra(token: Token) -> float:
    """How much wider a piece is made by a long number."""
    return max(0.0, 5.0 * len(str(token.at)) - 12)


def _inside(token: Token, x: float) -> float:
    """The place nearest to this one where the whole piece is in the picture."""
    half = PIECE + _extra(token) + 4
    return min(max(x, half), WIDE - half)


def _shape(seat: int | None, size: float, wide: float = 0) -> Markup:
    if seat == 2:
        points = f"{-size - wide - 3:g},0 {-wide:g},{-size - 1:g} {wide:g},{-size - 1:g} {size + wide + 3:g},0 "
        return _tag("polygon", class_="sign", points=points + f"{wide:g},{size + 1:g} {-wide:g},{size + 1:g}")
    box = {"x": _round(-size - wide), "y": -size, "width": _round(2 * (size + wide)), "height": 2 * size}
    return _tag("rect", class_="sign", rx=size if seat == 1 else 6, **box)


def _heading(title: str, seat: int | None, y: float) -> Markup:
    """A name, after the sign of its seat."""
    short = title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1] + "…"
    if seat is None:
        return _text(EDGE, y, short, "name")
    return _tag("g", _shape(seat, 6), transform=_at(EDGE + 8, y - 5)) + _text(EDGE + 24, y, short, "name")


def _stops(scale: Scale, y: float) -> Markup:
    if scale.high - scale.low > MOST_STOPS:
        return Markup("")
    places = (_x(number, scale) for number in range(scale.low, scale.high + 1))
    return _tag("path", class_="stops", d="".join(f"M{x:.1f} {y - 2:g}v4" for x in places))


def _flag(number: int, words: bool) -> Markup:
    top = BASE - _stair(1) - 44
    pole = _tag("path", class_="pole", d=f"M{FINISH} {BASE}V{top:g}")
    cloth = _tag("path", class_="cloth", d=f"M{FINISH} {top:g}h48l-8 14l8 14h-48z")
    return pole + cloth + (_text(FINISH + 20, top + 19, _short(number), "goal") if words else Markup(""))


def _short(number: int) -> str:
    return str(number) if number < 10_000 else "goal"


def _chequers(x: float, top: float, tall: float) -> Markup:
    size = 6
    rows = range(int(tall // size))
    squares = "".join(f"M{x + size * (row % 2):g} {top + row * size:g}h{size}v{size}h-{size}z" for row in rows)
    return _tag("path", class_="chequers", d=squares)


def _ends(scale: Scale, y: float) -> Markup:
    return _text(EDGE, y, scale.low, "end from") + _text(FINISH + 6, y, scale.high, "end goal")


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


TALL, MIDDLE, REACH = 200, 100, 78
MOST_POINTS = 120
"""In a longer match only turning points have a dot."""


def review_svg(review: Review, names: Names, ply: int | None = None) -> Markup:
    """How the match stood after every move: up is the first seat's, down the second's; turning points are marked."""
    standings = [review.start, *(step.after for step in review.steps)]
    gap = (WIDE - 2 * EDGE) / max(1, len(standings) - 1)
    places = [(EDGE + gap * at, MIDDLE - REACH * standing.lean) for at, standing in enumerate(standings)]
    turning = {step.ply + 1 for step in review.steps if step.turning}
    shown = turning | {ply} if len(places) > MOST_POINTS else set(range(len(places)))
    points = _join(_point(at, x, y, at in turning, at == ply) for at, (x, y) in enumerate(places) if at in shown)
    now = _now(places[ply][0]) if ply is not None and 0 <= ply < len(places) else Markup("")
    columns = _join(_column(at, x, gap) for at, (x, _) in enumerate(places))
    title = _tag("title", _history(review, names, turning))
    parts = [title, *_sides(names), now, _areas(places), points, columns]
    return _tag("svg", *parts, class_="picture history", viewBox=f"0 0 {WIDE} {TALL}", role="img")


def _history(review: Review, names: Names, turning: set[int]) -> str:
    last = review.steps[-1].after if review.steps else review.start
    ends = f"{_leader(review.start, names)} at the start, {_leader(last, names)} at the end"
    marked = f"Turning points: {', '.join(map(str, sorted(turning)))}." if turning else "No turning points."
    return f"The match move by move: {ends}. {marked}"


def _leader(standing: Standing, names: Names) -> str:
    return "even" if not standing.lean else f"{names[0 if standing.lean > 0 else 1]} ahead"


def _sides(names: Names) -> list[Markup]:
    top = _tag("rect", class_="side", x=0, y=0, width=WIDE, height=MIDDLE)
    bottom = _tag("rect", class_="side", x=0, y=MIDDLE, width=WIDE, height=MIDDLE)
    return [
        _tag("g", top, _heading(names[0], 1, 18), class_="seat-1"),
        _tag("g", bottom, _heading(names[1], 2, TALL - 8), class_="seat-2"),
        _tag("path", class_="middle", d=f"M0 {MIDDLE}H{WIDE}"),
    ]


def _areas(places: Sequence[tuple[float, float]]) -> Markup:
    """The line, with what lies between it and the middle."""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    pieces = _join(_area(*left, *right) for left, right in pairwise(places))
    return pieces + _tag("path", class_="line", d=f"M{line}")


def _area(x: float, y: float, to_x: float, to_y: float) -> Markup:
    """One piece under the line; cut in two where the line crosses the middle."""
    if (y - MIDDLE) * (to_y - MIDDLE) < 0:
        cross = x + (to_x - x) * (MIDDLE - y) / (to_y - y)
        return _area(x, y, cross, MIDDLE) + _area(cross, MIDDLE, to_x, to_y)
    seat = 1 if y + to_y < 2 * MIDDLE else 2
    d = f"M{x:.1f} {MIDDLE}V{y:.1f}L{to_x:.1f} {to_y:.1f}V{MIDDLE}z"
    return _tag("path", class_=f"area seat-{seat}", d=d)


def _point(at: int, x: float, y: float, turning: bool, now: bool) -> Markup:
    dot = _tag("path", class_="dot", d="M0 -8L8 0L0 8L-8 0z") if turning else _tag("circle", class_="dot", r=3)
    kind = "point" + " turning" * turning + " now" * now
    return _tag("g", dot, class_=kind, id=f"point-{at}", transform=_at(x, y))


def _now(x: float) -> Markup:
    return _tag("path", class_="cursor", d=f"M{x:.1f} 0V{TALL}")


def _column(at: int, x: float, gap: float) -> Markup:
    """Where a click means this ply."""
    return _tag("rect", class_="column", data_ply=at, x=_round(x - gap / 2), y=0, width=_round(gap), height=TALL)


def _seat(kind: str, seat: int | None) -> str:
    return kind if seat is None else f"{kind} seat-{seat}"


def _text(x: float, y: float, text: object, kind: str, **attributes: object) -> Markup:
    return _tag("text", text, class_=kind, x=_round(x), y=_round(y), **attributes)


def _at(x: float, y: float) -> str:
    return f"translate({_round(x)} {_round(y)})"


def _round(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _join(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def _tag(name: str, *content: object, **attributes: object) -> Markup:
    """An element; everything in it that is not markup is escaped."""
    given = "".join(f' {_named(key)}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{given}>{_join(map(escape, content))}</{name}>")


@cache
def _named(key: str) -> str:
    """An attribute's name from a Python one: class_ is class, font_size is font-size."""
    return key.rstrip("_").replace("_", "-")
