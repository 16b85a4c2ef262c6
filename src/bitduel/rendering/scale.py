"""Scales as SVG: stairs to a target, lanes to a finishing line, or a number line with what is still possible."""

from collections.abc import Sequence
from functools import cache, lru_cache

from markupsafe import Markup

from bitduel.core.picture import MoveTarget, Scale, Token
from bitduel.rendering import svg
from bitduel.rendering.svg import MARGIN, WIDTH, BoardChoice, BoardChoices, Part, join, rounded, tag, text_at, translate

FINISH = 286
"""The end of a scale; the space to the right of it is for numbers that went too far."""

FOOT = 184
"""The foot of the stairs."""

LANE, RAIL = 74, 52
"""The height of a lane, and the height of the rail in it."""

MOST_STOPS = 64
MOST_STAIRS = 32
PIECE = 18
MOST_TICKS = 5
LABEL = 34
"""The width that the label of a landing needs."""
PIN = 9
"""The radius of the label of a digit, below a number line."""
LANDING = 24
"""The height of the labels of landings, below the axis."""


def scale_part(
    scale: Scale, has_words: bool, choices: BoardChoices | None = None, made: Sequence[tuple[str, int]] = ()
) -> Part:
    """Draw a scale; with choices also where each move leads, and room for it where there is none now.

    On a number line these are the numbers that are `made` by switching digits, each with the label of its digit.
    """
    if scale.span:
        has_pins = choices is not None and len(scale.tokens) == 1
        return _number_line(scale, scale.span, has_words, made if has_pins else None)
    if len(scale.tokens) == 1 and scale.tokens[0].seat is None:
        if choices is None:
            return _stairs(scale, scale.tokens[0], has_words)
        labels = _spread([_stair_x(target.at, scale, MOST_STAIRS) for target in scale.targets], LABEL)
        part = _stairs(scale, scale.tokens[0], has_words, labels)
        return Part(part.svg, part.height + LANDING, _stair_landings(scale, choices, labels))
    part = _lanes(scale, has_words)
    return part if choices is None else Part(part.svg, part.height, _lane_landings(scale))


def _stair_landings(scale: Scale, choices: BoardChoices, labels: Sequence[float]) -> Markup:
    """Draw the stair to which each move leads, with the number and the symbol of the move below it."""
    return join(
        _stair_landing(scale, target, choices[target.move], label_x)
        for target, label_x in zip(scale.targets, labels, strict=True)
    )


def _stair_landing(scale: Scale, target: MoveTarget, choice: BoardChoice, label_x: float) -> Markup:
    x, state = _stair_x(target.at, scale, MOST_STAIRS), _state(target.at, scale)
    top = FOOT if state == "over" else FOOT - _stair_height(_fraction(target.at, scale))
    count, width = _bar_count(scale, MOST_STAIRS), _bar_width(scale, MOST_STAIRS)
    number = -(-(target.at - scale.low) * count // max(1, scale.high - scale.low))
    box = {"x": rounded(MARGIN + (number - 1) * width), "y": rounded(top), "height": rounded(FOOT - top)}
    bar = tag("rect", class_="landing-bar", width=rounded(width - 2), rx=2, **box) if top < FOOT and number else ""
    lead = tag("path", class_="lead", d=f"M{x:.1f} {FOOT + 1}L{label_x:.1f} {FOOT + 6}")
    cover = tag("rect", class_="cover", x=rounded(label_x - 22), y=FOOT + 5, width=44, height=18)
    made = text_at(label_x, FOOT + 19, _shortened(target.at), "made")
    pill = tag("rect", class_="pill", x=rounded(label_x - 16), y=FOOT + 25, width=32, height=21, rx=10.5)
    sign = text_at(label_x, FOOT + 40, choice.symbol or choice.label, "symbol")
    ghost = tag("g", _bubble(target.at, x), class_=f"ghost token shared {state}", transform=translate(x, top - 6))
    return tag("g", bar, lead, cover, made, pill, sign, ghost, class_="landing")


def _spread(places: Sequence[float], room: float) -> list[float]:
    """Return the places moved apart where labels would overlap, inside the picture as long as there is room."""
    order = sorted(range(len(places)), key=lambda number: places[number])
    spread = list(places)
    least, most = room / 2, WIDTH - room / 2
    for number in order:
        spread[number] = least = max(spread[number], least)
        least += room
    for number in reversed(order):
        spread[number] = most = min(spread[number], most)
        most -= room
    return spread


def _lane_landings(scale: Scale) -> Markup:
    """Draw a small arrow below the lane for each move, clear of the token, and the token there as a preview."""
    feet = {token.seat: LANE * number + RAIL for number, token in enumerate(scale.tokens)}
    return join(_lane_landing(scale, target, feet[target.seat]) for target in scale.targets)


def _lane_landing(scale: Scale, target: MoveTarget, y: float) -> Markup:
    x, token = _x(target.at, scale), Token("", target.at, target.seat)
    arrow = tag("path", class_="arrow", d=f"M{x:.1f} {y + 19:g}l4.5 7h-9z")
    classes = svg.seat_class(f"ghost token {_state(target.at, scale)}", target.seat)
    ghost = tag("g", _piece(token), class_=classes, transform=translate(_inside(token, x), y))
    return tag("g", arrow, ghost, class_="landing")


def _stairs(scale: Scale, token: Token, has_words: bool, labels: Sequence[float] = ()) -> Part:
    """Draw one shared number on stairs up to its target, or at the foot behind it; the axis leaves room for labels."""
    most = MOST_STAIRS if has_words else MOST_STAIRS // 2
    state, x = _state(token.at, scale), _stair_x(token.at, scale, most)
    top = FOOT if state == "over" else FOOT - _stair_height(_fraction(token.at, scale))
    bubble = tag("g", _bubble(token.at, x), class_=f"token shared {state}", transform=translate(x, top - 6))
    ends = _stair_axis(scale, most, labels) if has_words else Markup("")
    bars = _bars(scale, token.at, most)
    drawn = tag("g", bars, _flag(scale.high, has_words), bubble, ends, class_="climb")
    return Part(drawn, FOOT + (28 if has_words else 6))


def _stair_height(fraction: float) -> float:
    return 26 + 104 * fraction


def _stair_x(at: int, scale: Scale, most: int) -> float:
    """Return the middle of the stair of a number; a number between two stairs is between them."""
    x = _x(at, scale)
    return x if x > FINISH else max(float(MARGIN), x - _bar_width(scale, most) / 2)


def _bar_width(scale: Scale, most: int) -> float:
    return (FINISH - MARGIN) / _bar_count(scale, most)


def _bar_count(scale: Scale, most: int) -> int:
    return min(most, max(1, scale.high - scale.low))


def _bars(scale: Scale, at: int, most: int) -> Markup:
    bars = _bars_of(_bar_count(scale, most))
    reached, span = (at - scale.low) * len(bars), scale.high - scale.low
    return join([done if reached >= number * span else bar for number, (bar, done) in enumerate(bars, 1)])


@cache
def _bars_of(count: int) -> tuple[tuple[Markup, Markup], ...]:
    """Return so many bars, each before and after it was reached."""
    width, bars = (FINISH - MARGIN) / count, []
    for number in range(count):
        height = _stair_height((number + 1) / count)
        box = {"x": rounded(MARGIN + number * width), "y": rounded(FOOT - height), "height": rounded(height)}
        bar, done = (tag("rect", class_=name, width=rounded(width - 2), rx=2, **box) for name in ("bar", "bar done"))
        bars.append((bar, done))
    return tuple(bars)


def _bubble(at: int, x: float) -> Markup:
    """Draw a number in a bubble that points down, stays in the picture, and does not cover the flag."""
    text = _shortened(at)
    half = max(24.0, 9 + 7.4 * len(text))
    end = FINISH - 3 if x <= FINISH else WIDTH - 2
    shift = min(max(x, half + 2), end - half) - x
    body = tag("rect", class_="bubble", x=rounded(shift - half), y=-44, width=rounded(2 * half), height=36, rx=12)
    pointer = tag("path", class_="bubble", d="M-8 -9L0 0L8 -9z")
    return body + pointer + text_at(shift, -18, text, "number", font_size=24)


def _shortened(at: int) -> str:
    return f"{at:,}".replace(",", "\u202f") if at >= 10_000 else str(at)


def _lanes(scale: Scale, has_words: bool) -> Part:
    """Draw one lane for each token, to a chequered line."""
    lane = LANE if has_words else 56
    bottom = lane * len(scale.tokens)
    lanes = [_lane(token, scale, lane * number, has_words) for number, token in enumerate(scale.tokens)]
    line = _chequers(FINISH + 4, 6, bottom - 12)
    ends = _axis(scale, bottom + 14) if has_words else Markup("")
    return Part(tag("g", line, *lanes, ends, class_="lanes"), bottom + (24 if has_words else 0))


def _lane(token: Token, scale: Scale, top: float, has_words: bool) -> Markup:
    y = top + (RAIL if has_words else 28)
    x = _x(token.at, scale)
    rail = tag("rect", class_="rail", x=MARGIN, y=rounded(y - 4), width=FINISH - MARGIN, height=8, rx=4)
    done = tag("rect", class_="done", x=MARGIN, y=rounded(y - 4), width=rounded(x - MARGIN), height=8, rx=4)
    state = _state(token.at, scale)
    piece = tag("g", _piece(token), class_=f"token {state}", transform=translate(_inside(token, x), y))
    name = svg.heading(token.title, token.seat, top + 22) if has_words else Markup("")
    return tag("g", rail, done, _stops(scale, y), name, piece, class_=svg.seat_class("lane", token.seat))


def scale_trail(scale: Scale) -> Markup:
    """Draw on the stairs who made which number; of those that would overlap, the last one."""
    if scale.span or len(scale.tokens) != 1 or scale.tokens[0].seat is not None:
        return Markup("")
    size = min(5.0, 0.4 * _bar_width(scale, MOST_STAIRS))
    marks: dict[int, Markup] = {}
    for token in scale.trail:
        x = _stair_x(token.at, scale, MOST_STAIRS)
        y = FOOT - _stair_height(_fraction(token.at, scale)) - size - 2
        marks[int(x / (2 * size))] = _made_by(token, size, translate(x, y))
    return join(marks.values())


def _made_by(token: Token, size: float, at: str) -> Markup:
    classes, half = svg.seat_class("made-by", token.seat), rounded(size)
    if token.seat == 2:
        return tag("path", class_=classes, d=f"M0 -{half}L{half} 0L0 {half}L-{half} 0z", transform=at)
    return tag("circle", class_=classes, r=half, transform=at)


def _number_line(
    scale: Scale, span: tuple[int, int], has_words: bool, made: Sequence[tuple[str, int]] | None = None
) -> Part:
    """Draw all numbers, possible ones as blocks, others as dots; tokens point at theirs from above and below.

    Below the line is room for the places to which moves lead, where these are drawn.
    """
    y = 62 if scale.tokens else 18
    bottom = y + (60 if len(scale.tokens) > 1 else 16 if made is None else 42)
    pins = join(_pin(token, _line_x(token.at, scale), y, 1 - 2 * side) for side, token in enumerate(scale.tokens[:2]))
    line = tag("g", _possible(scale, span, y), pins, class_="numbers")
    landings = _digit_pins(scale, span, made or (), y + 12)
    if not has_words:
        return Part(line, bottom + 4)
    return Part(line + _legend(scale, span, bottom + 18), bottom + 28, landings)


def _digit_pins(scale: Scale, span: tuple[int, int], made: Sequence[tuple[str, int]], y: float) -> Markup:
    """Draw each digit's label below the number that switching it makes, filled where that is still possible."""
    at = [_line_x(number, scale) for _, number in made]
    places = _spread(at, 2 * PIN + 2)
    pins = []
    for (label, number), x, label_x in zip(made, at, places, strict=True):
        lead = tag("path", class_="lead", d=f"M{x:.1f} {y:g}L{label_x:.1f} {y + 12:g}")
        circle = tag("circle", cx=rounded(label_x), cy=y + 12 + PIN, r=PIN)
        text = text_at(label_x, y + 12 + PIN + 4.5, label, "pin-label")
        pins.append(tag("g", lead, circle, text, class_="pin possible" if span[0] <= number <= span[1] else "pin"))
    return join(pins)


def _legend(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    possible = str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
    known = text_at(WIDTH / 2, y, f"still possible: {possible}", "known")
    return text_at(MARGIN, y, scale.low, "end from") + known + text_at(WIDTH - MARGIN, y, scale.high, "end to")


def _possible(scale: Scale, span: tuple[int, int], y: float) -> Markup:
    low, high = (_line_x(end, scale) for end in span)
    if scale.high - scale.low >= MOST_STOPS:
        rail = tag("rect", class_="rail", x=MARGIN, y=y - 3, width=WIDTH - 2 * MARGIN, height=6, rx=3)
        width = rounded(high - low + 6)
        return rail + tag("rect", class_="still", x=rounded(low - 3), y=y - 10, width=width, height=20)
    stops = _stops_of(scale.high - scale.low + 1, y)
    return join(
        [still if span[0] <= number <= span[1] else stop for number, (stop, still) in enumerate(stops, scale.low)]
    )


@cache
def _stops_of(count: int, y: float) -> tuple[tuple[Markup, Markup], ...]:
    """Return so many numbers of a number line, each as one that is out and as one that is still possible."""
    half, stops = (WIDTH - 2 * MARGIN) / count / 2, []
    small = min(half * 0.5, 3)
    for number in range(count):
        x = MARGIN + (WIDTH - 2 * MARGIN) * (number + 0.5) / count
        stops.append((_stop("stop", x, y, small, small), _stop("stop still", x, y, half * 0.84, 10.0)))
    return tuple(stops)


def _stop(css_class: str, x: float, y: float, right: float, down: float) -> Markup:
    box = {"x": x - right, "y": y - down, "width": 2 * right, "height": 2 * down}
    return tag("rect", class_=css_class, rx=2, **{name: rounded(length) for name, length in box.items()})


def _pin(token: Token, x: float, y: float, up: int) -> Markup:
    """Draw a piece that points at a number, from above (up is 1) or from below (-1)."""
    pointer = tag("path", class_="pointer", d=f"M-5 {-8 * up}L0 0L5 {-8 * up}z")
    piece = tag("g", _piece(token), transform=translate(_inside(token, x) - x, -24 * up))
    return tag("g", pointer, piece, class_=svg.seat_class("token", token.seat), transform=translate(x, y - 14 * up))


def _piece(token: Token) -> Markup:
    return svg.seat_sign(token.seat, PIECE, _extra(token)) + text_at(0, 5.5, token.at, "number", font_size=16)


def _extra(token: Token) -> float:
    """Return the width that a long number adds to a piece."""
    return max(0.0, 5.0 * len(str(token.at)) - 12)


def _inside(token: Token, x: float) -> float:
    """Return the nearest x at which the whole piece is in the picture."""
    half = PIECE + _extra(token) + 4
    return min(max(x, half), WIDTH - half)


def _stops(scale: Scale, y: float) -> Markup:
    return Markup("") if scale.high - scale.low > MOST_STOPS else _rail_stops(scale.low, scale.high, y)


@lru_cache(maxsize=256)
def _rail_stops(low: int, high: int, y: float) -> Markup:
    places = (_x(number, Scale(low, high, ())) for number in range(low, high + 1))
    return tag("path", class_="stops", d="".join(f"M{x:.1f} {y - 2:g}v4" for x in places))


@lru_cache(maxsize=256)
def _flag(number: int, has_words: bool) -> Markup:
    top = FOOT - _stair_height(1) - 44
    pole = tag("path", class_="pole", d=f"M{FINISH} {FOOT}V{top:g}")
    cloth = tag("path", class_="cloth", d=f"M{FINISH} {top:g}h48l-8 14l8 14h-48z")
    text = str(number) if number < 10_000 else "goal"
    return pole + cloth + (text_at(FINISH + 20, top + 19, text, "goal") if has_words else Markup(""))


@cache
def _chequers(x: float, top: float, height: float) -> Markup:
    size = 6
    rows = range(int(height // size))
    squares = "".join(f"M{x + size * (row % 2):g} {top + row * size:g}h{size}v{size}h-{size}z" for row in rows)
    return tag("path", class_="chequers", d=squares)


def _axis(scale: Scale, y: float, back: float = 0, labels: Sequence[float] = (), start: int = 0) -> Markup:
    """Draw the numbers at both ends, and a few round ones (powers of two apart) between them, `back` to the left.

    A number that a label would cover in part is left out; its element stays, so that drawings can be compared.
    """
    span, step = scale.high - scale.low, 1
    while span > MOST_TICKS * step:
        step *= 2
    between = range(scale.low + step, scale.high - step // 2, step)
    places = [(number, _x(number, scale) - back) for number in between if number < scale.high]
    covered = {number for number, x in places for label in labels if abs(x - label) < LABEL}
    ticks = join(text_at(x, y, "" if number in covered else number, "end") for number, x in places)
    return text_at(MARGIN, y, scale.low + start, "end from") + ticks + text_at(FINISH - back, y, scale.high, "end goal")


def _stair_axis(scale: Scale, most: int, labels: Sequence[float]) -> Markup:
    """Draw an axis below the middles of the stairs; the first number is that of the first stair."""
    per_stair, rest = divmod(scale.high - scale.low, _bar_count(scale, most))
    return _axis(scale, FOOT + 18, _bar_width(scale, most) / 2, labels, 0 if rest else per_stair)


def _fraction(at: int, scale: Scale) -> float:
    return (at - scale.low) / max(1, scale.high - scale.low)


def _x(at: int, scale: Scale) -> float:
    """Return the x of a number; everything that went too far is drawn behind the end."""
    fraction = _fraction(at, scale)
    return MARGIN + (FINISH - MARGIN) * fraction if fraction <= 1 else FINISH + 30


def _line_x(at: int, scale: Scale) -> float:
    length = WIDTH - 2 * MARGIN
    return MARGIN + length * (min(at, scale.high) - scale.low + 0.5) / (scale.high - scale.low + 1)


def _state(at: int, scale: Scale) -> str:
    return "under" if at < scale.high else "there" if at == scale.high else "over"
