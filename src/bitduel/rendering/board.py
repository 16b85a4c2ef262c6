"""Pictures of positions: as SVG to look at, and as boards of a page, with a button for each move."""

from collections.abc import Sequence
from functools import cache, lru_cache

from markupsafe import Markup

from bitduel.core.match import Match
from bitduel.core.picture import Cell, Mark, MoveTarget, Picture, Row, Scale
from bitduel.core.words import PLAYERS
from bitduel.rendering import svg
from bitduel.rendering.scale import scale_part, scale_trail
from bitduel.rendering.svg import BoardChoice, BoardChoices, Part, join, rounded, tag, text_at, translate

LAMPS_PER_LINE = 8
LARGEST_LAMP = 64
BITS_PER_LINE = 6
"""Bits of a line on a page, so that each is large enough for a thumb on a phone."""
MOVE_FORM = "move-form"
"""The id of the form on the page to which the buttons belong."""
BADGES = {"win": "✓", "loss": "✗", "draw": "="}


def picture_svg(picture: Picture) -> Markup:
    """Draw a picture, with its caption for those who do not see it."""
    parts = _parts(picture, has_words=True)
    title = tag("title", picture.caption)
    return tag("svg", title, _drawing(parts), class_="picture", viewBox=_view_box(parts), role="img")


def miniature_svg(picture: Picture) -> Markup:
    """Draw a small picture without words, as an ornament."""
    parts = _parts(picture, has_words=False)
    hidden = {"aria_hidden": "true", "focusable": "false"}
    return tag("svg", _drawing(parts), class_="picture miniature", viewBox=_view_box(parts), **hidden)


def board_html(picture: Picture, choices: BoardChoices | None = None, you: int | None = None) -> Markup:
    """Draw a picture as part of a page; with choices as the board that moves are made on.

    The row of `you` is the last, nearest to the reader; what is known is above it, what can be done below.
    """
    return _board(picture, choices, you, buttons=choices)


def marked_board_html(picture: Picture, choices: BoardChoices, you: int | None = None) -> Markup:
    """Draw a picture to look at, with marks where the moves lead."""
    return _board(picture, choices, you, buttons=None)


def _board(picture: Picture, choices: BoardChoices | None, you: int | None, buttons: BoardChoices | None) -> Markup:
    rows = sorted(picture.rows, key=lambda row: you is not None and row.seat == you)
    parts = [tag("div", *(_lamps(row, buttons, you) for row in rows), class_="drawing rows")] if rows else []
    if picture.scale:
        parts.insert(0 if picture.scale.span else len(parts), _scale_svg(picture, picture.scale, choices, you))
        if buttons and not picture.scale.span:
            parts.append(_keys(picture.scale, buttons))
    role = {"role": "group" if buttons else "img", "aria_label": picture.caption}
    return tag("div", *parts, class_="picture" if buttons is None else "picture playable", **role)


@lru_cache(maxsize=1024)
def public_board_html(picture: Picture, choices: tuple[BoardChoice, ...] | None, you: int | None) -> Markup:
    """Draw a board that everybody may see, and cache it: timing reveals only that somebody has seen it."""
    return board_html(picture, None if choices is None else {choice.move: choice for choice in choices}, you)


def match_svg(match: Match) -> str:
    """Draw the position of a match as a spectator may see it, in a picture that needs no page."""
    return svg.standalone(picture_svg(match.game.picture(match.view(None), PLAYERS)))


def _parts(picture: Picture, has_words: bool) -> list[Part]:
    parts = [_row(row, has_words) for row in picture.rows]
    return [*parts, scale_part(picture.scale, has_words)] if picture.scale else parts


def _drawing(parts: Sequence[Part]) -> Markup:
    drawn = join(tag("g", part.svg, transform=translate(0, top)) for part, top in _stacked(parts))
    return tag("g", drawn, class_="drawing")


def _view_box(parts: Sequence[Part]) -> str:
    return f"0 0 {svg.WIDTH} {sum(part.height for part in parts) or 1:g}"


def _stacked(parts: Sequence[Part]) -> list[tuple[Part, float]]:
    return [(part, sum(above.height for above in parts[:number])) for number, part in enumerate(parts)]


def _row(row: Row, has_words: bool) -> Part:
    """Draw a panel of lamps, eight to a line."""
    size, places, height = _placed(row, 40 if has_words else 14, has_words)
    panel = tag("rect", class_="panel", x=1, y=1, width=svg.WIDTH - 2, height=height - 2, rx=14)
    name = svg.heading(row.title, row.seat, 24) if has_words else Markup("")
    drawn = join(_lamp(cell, size, at, has_words) for cell, at in places)
    return Part(tag("g", panel, name, drawn, class_=svg.seat_class("row", row.seat)), height + 10)


def _placed(row: Row, top: float, has_words: bool) -> tuple[float, list[tuple[Cell, str]], float]:
    """Return the size of a lamp, every cell with its place, and the height of all of them."""
    size = min(LARGEST_LAMP, (svg.WIDTH - 2 * svg.MARGIN) / min(LAMPS_PER_LINE, len(row.cells) or 1))
    lines = [row.cells[i : i + LAMPS_PER_LINE] for i in range(0, len(row.cells), LAMPS_PER_LINE)]
    has_notes = has_words and any(cell.note for cell in row.cells)
    line_height = size + (30 if has_notes else 16 if has_words else 4)
    left = (svg.WIDTH - size * max(map(len, lines), default=0)) / 2
    places = [
        (cell, translate(left + (x + 0.5) * size, top + y * line_height + size / 2))
        for y, line in enumerate(lines)
        for x, cell in enumerate(line)
    ]
    return size, places, top + len(lines) * line_height + 4


def _lamp(cell: Cell, size: float, at: str, has_words: bool) -> Markup:
    """Draw a lamp: full with rays if it is on, an empty ring if it is off, the digit in both."""
    words = f"{cell.label} safe" if cell.is_safe else cell.label
    label = text_at(0, size / 2 + 11, words, "label") if has_words else Markup("")
    note = text_at(0, size / 2 + 24, cell.note, "note") if has_words and cell.note else Markup("")
    css_class = "lamp on" if cell.mark is Mark.ON else "lamp off"
    return tag("g", _bulb(cell.text, size * 0.31), label, note, class_=css_class, transform=at)


def _bulb(text: str, radius: float) -> Markup:
    rays = tag("path", class_="rays", d=_rays(radius * 1.16, radius * 1.4))
    bulb = tag("circle", class_="bulb", r=rounded(radius))
    return rays + bulb + text_at(0, radius * 0.36, text, "digit", font_size=rounded(radius))


def _scale_svg(picture: Picture, scale: Scale, choices: BoardChoices | None, you: int | None) -> Markup:
    if you:
        tokens = [token._replace(title="You") if token.seat == you else token for token in scale.tokens]
        scale = scale._replace(tokens=tuple(tokens))
    made = [(cell.label, int(cell.makes)) for row in picture.rows for cell in row.cells if cell.makes]
    part = scale_part(scale, True, choices, made)
    trail = tag("g", scale_trail(scale), class_="trail-marks")
    content = trail + tag("g", part.svg, class_="drawing") + tag("g", part.landings, class_="landings")
    hidden = {"aria_hidden": "true", "focusable": "false"}
    return tag("svg", content, class_="scale", viewBox=f"0 0 {svg.WIDTH} {part.height:g}", **hidden)


def _lamps(row: Row, choices: BoardChoices | None, you: int | None) -> Markup:
    """Return a row of lamps below the name of its owner; those that can be switched are buttons."""
    name = tag("bdi", "You" if you and row.seat == you else row.title)
    owner = tag("p", svg.seat_mark(row.seat), name, _lit_count(row), class_="owner")
    lines = -(-len(row.cells) // BITS_PER_LINE) or 1
    bits = join(_bit(cell, choices) for cell in row.cells)
    grid = tag("div", bits, class_=f"bits per-{-(-len(row.cells) // lines)}")
    return tag("div", owner, grid, class_=svg.seat_class("lamps", row.seat))


def _lit_count(row: Row) -> Markup:
    """Return how much of a row is lit, where a full row wins: where lamps can be safe."""
    if not any(cell.is_safe is not None for cell in row.cells):
        return Markup("")
    lit = sum(cell.mark is Mark.ON for cell in row.cells)
    css_class = "lit-count near" if lit == len(row.cells) - 1 else "lit-count"
    return tag("span", f"{lit} of {len(row.cells)} lit", class_=css_class)


def _bit(cell: Cell, choices: BoardChoices | None) -> Markup:
    """Return a lamp with what pressing it does; the same elements in every state, so that changes can be seen."""
    is_on, choice = cell.mark is Mark.ON, choices.get(cell.move) if choices and cell.move else None
    digits = text_at(0, 5, cell.text, "digit") + text_at(0, 5, "0" if is_on else "1", "digit switched")
    hidden = {"aria_hidden": "true", "focusable": "false"}
    lamp = tag("svg", _glow(), digits, class_="lamp on" if is_on else "lamp off", viewBox="-24 -24 48 48", **hidden)
    verb = cell.label if not choice or cell.makes else choice.label.lower()
    safety = [_lock(), tag("span", f"{verb} safe" if cell.is_safe else verb)] if cell.is_safe is not None else [verb]
    words = [tag("span", *safety, class_="verb")]
    if cell.note and choices is None:
        words += [tag("span", cell.note, class_="effect")]
    elif cell.note:
        sign = ("\u2212" if is_on else "+") if choice else ""
        words += [tag("span", sign, cell.note, class_="effect")]
        words += [tag("span", "makes ", tag("b", cell.makes), class_="makes")]
    css_class = "bit safe" if cell.is_safe else "bit"
    if choices is None:
        return tag("span", lamp, *words, class_=css_class)
    label = f"{cell.label}: {cell.text}{', safe' if cell.is_safe else ''}"
    return _button(css_class, choice or BoardChoice("", label, "", is_legal=False), lamp, *words)


@cache
def _glow() -> Markup:
    """Return the rays and the bulb of a lamp."""
    return tag("path", class_="rays", d=_rays(17, 22)) + tag("circle", class_="bulb", r=14)


@cache
def _lock() -> Markup:
    """Return a small lock, for a lamp that cannot be switched off."""
    bow = tag("path", class_="bow", d="M4 7V4.5a3 3 0 0 1 6 0V7")
    body = tag("rect", class_="body", x=2, y=6.5, width=10, height=7, rx=1.5)
    return tag("svg", bow, body, class_="lock", viewBox="0 0 14 14", aria_hidden="true", focusable="false")


def _keys(scale: Scale, choices: BoardChoices) -> Markup:
    """Return the keys below a scale: one for each move, always in the same place."""
    places = {target.move: target for target in scale.targets}
    keys = [_key(choice, places.get(choice.move)) for choice in choices.values()]
    return tag("div", *keys, class_=f"keys per-{len(keys)}")


def _key(choice: BoardChoice, target: MoveTarget | None) -> Markup:
    verb = "" if choice.label == choice.symbol.lstrip("+") else choice.label.lower()
    leads = "to " if target and target.seat else "makes "
    content = [tag("span", choice.symbol or choice.label, class_="symbol")]
    content += [tag("span", leads, tag("b", target.at), class_="makes") if target else tag("span", class_="makes")]
    content += [tag("span", verb, class_="verb")] if verb else []
    return _button("key", choice, *content)


def _button(css_class: str, choice: BoardChoice, *content: Markup) -> Markup:
    """Return a button of the move form, labelled in words for those who do not see it; disabled where it is illegal."""
    key = tag("kbd", choice.key, aria_hidden="true")
    classes = f"{css_class} best" if choice.is_best else css_class
    if not choice.is_legal:
        label = choice.label if not choice.move else f"{choice.label}: {choice.leads or 'not now'}"
        return tag("button", *content, key, class_=classes, disabled="disabled", aria_label=label)
    names = {"name": "move", "value": choice.move, "form": MOVE_FORM}
    keys = {"data_key": choice.key, "aria_keyshortcuts": choice.key} if choice.key else {}
    label = f"{choice.label}: {choice.leads}"
    return tag("button", *content, key, _badge(choice), class_=classes, aria_label=label, **names, **keys)


def _badge(choice: BoardChoice) -> Markup:
    if not choice.evaluation:
        return Markup("")
    sign = BADGES.get(choice.evaluation, choice.evaluation)
    return tag("span", sign, class_=f"badge {choice.evaluation}", aria_hidden="true")


@cache
def _rays(near: float, far: float) -> str:
    slant = 0.7071
    rays = [(1, 0), (slant, slant), (0, 1), (-slant, slant), (-1, 0), (-slant, -slant), (0, -1), (slant, -slant)]
    return "".join(f"M{x * near:.1f} {y * near:.1f}L{x * far:.1f} {y * far:.1f}" for x, y in rays)
