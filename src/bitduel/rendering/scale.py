"""A scale as SVG: a stair to a target, lanes to a line, or all numbers with those that are still possible."""

from collections.abc import Mapping

from markupsafe import Markup

from bitduel.core.picture import Place, Scale, Token
from bitduel.rendering.choices import BoardChoice, BoardChoices, button, chosen
from bitduel.rendering.svg import EDGE, WIDE, Part, heading, join, rounded, seated, shape, shifted, tag, write

FINISH = 286
"""Where a scale ends; to the right of it is room for what went too far."""

BASE = 184
"""The foot of the stair."""

LANE, RAIL = 74, 52
"""How high a lane is, and where in it the runner goes."""

MOST_STOPS = 64
BARS = 32
PIECE = 18
STRIP, GAP, WIDEST_CHIP = 54, 6, 120
"""The strip of choices below a scale."""


def paint_scale(scale: Scale, words: bool, choices: BoardChoices | None = None) -> Part:
    """A scale, drawn as what it is: all numbers, a stair, or lanes; with room for choices below where there are any."""
    if scale.span:
        return _number_line(scale, scale.span, words)
    shared = len(scale.tokens) == 1 and scale.tokens[0].whose is None
    part = _climb(scale, scale.tokens[0], words) if shared else _lanes(scale, words)
    if choices is None:
        return part
    feet = {token.whose: LANE * number + RAIL for number, token in enumerate(scale.tokens)}
    over = strip(scale, choices, part.height, {None: BASE} if shared else feet)
    return Part(part.svg, part.height + STRIP, over)


def strip(scale: Scale, choices: BoardChoices, top: float, feet: Mapping[int | None, float]) -> Markup:
    """One button for each move side by side, always in the same places, and on the scale where each leads."""
    count = len(scale.places)
    wide = min(WIDEST_CHIP, (WIDE - 2 * EDGE - GAP * (count - 1)) / max(1, count))
    left = (WIDE - count * wide - (count - 1) * GAP) / 2
    return join(
        _chip(place, choices[place.move], scale, (left + number * (wide + GAP), top, wide), feet[place.whose])
        for number, place in enumerate(scale.places)
    )


def _chip(place: Place, choice: BoardChoice, scale: Scale, box: tuple[float, float, float], foot: float) -> Markup:
    left, top, wide = box
    x = _x(place.at, scale)
    token = Token("", place.at, place.whose)
    shared = place.whose is None
    y = foot - _stair(_part(place.at, scale)) if shared and place.at <= scale.high else foot
    body = _bubble(place.at, x) if shared else _piece(token)
    at = shifted(x, y - 6) if shared else shifted(_inside(token, x), y)
    ghost = tag("g", body, class_=f"token {_reached(place.at, scale)}{' shared' if shared else ''}", transform=at)
    stop = tag("circle", class_="stop-here", cx=rounded(x), cy=rounded(y), r=5, data_press=place.move)
    covered = any(token.whose == place.whose and abs(_x(token.at, scale) - x) < PIECE + 5 for token in scale.tokens)
    stop = Markup("") if covered and not shared else stop
    lead = tag("path", class_="lead", d=f"M{left + wide / 2:.1f} {top:g}L{x:.1f} {y:.1f}")
    shown = stop + tag("g", lead, ghost, class_=seated("ghost", place.whose))
    press = button(choice, (left, top + 2, wide, STRIP - 8), "chip", place.at)
    return chosen(choice, shown, press, (left + wide - 6, top + 4))


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
    """A number in a bubble that points down, stays in the picture, and does not cover the flag."""
    text = f"{at:,}".replace(",", "\u202f") if at >= 10_000 else str(at)
    half = max(24.0, 9 + 7.4 * len(text))
    end = FINISH - 3 if x <= FINISH else WIDE - 2
    shift = min(max(x, half + 2), end - half) - x
    body = tag("rect", class_="bubble", x=rounded(shift - half), y=-44, width=rounded(2 * half), height=36, rx=12)
    pointer = tag("path", class_="bubble", d="M-8 -9L0 0L8 -9z")
    return body + pointer + write(shift, -18, text, "number", font_size=24)


def _lanes(scale: Scale, words: bool) -> Part:
    """One lane for each runner, to a chequered line."""
    lane = LANE if words else 56
    tops = range(0, lane * len(scale.tokens), lane)
    bottom = lane * len(scale.tokens)
    lanes = [_lane(token, scale, top, words) for token, top in zip(scale.tokens, tops, strict=True)]
    line = _chequers(FINISH + 4, 6, bottom - 12)
    ends = _ends(scale, bottom + 14) if words else Markup("")
    return Part(tag("g", line, *lanes, ends, class_="lanes"), bottom + (24 if words else 0))


def _lane(token: Token, scale: Scale, top: float, words: bool) -> Markup:
    y = top + (RAIL if words else 28)
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
