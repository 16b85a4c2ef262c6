"""The terminal's one painter: a picture in, lines of styled text out; it knows no game."""

from typing import NamedTuple

from rich.text import Text

from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token
from bitduel.terminal.text import cut, padded, wide

SEAT_STYLES = {1: "cyan", 2: "magenta", None: "bold"}
WIDEST = 72
LONGEST_TITLE = 20
PER_LINE = 16


class Glyphs(NamedTuple):
    """The signs a picture is made of."""

    on: str
    off: str
    done: str
    ahead: str
    token: str
    goal: str


UNICODE = Glyphs(on="●", off="○", done="━", ahead="─", token="◆", goal="⚑")
ASCII = Glyphs(on="#", off=".", done="=", ahead="-", token="O", goal="|")


def paint(picture: Picture, width: int, unicode: bool) -> list[Text]:
    """The lines of a picture, at most so many columns wide."""
    glyphs = UNICODE if unicode else ASCII
    longest = min(LONGEST_TITLE, max(8, width // 3))
    margin = min(longest, max((wide(title) for title in _titles(picture)), default=0))
    lines = [line for row in picture.rows for line in _row(row, margin, width, glyphs)]
    if picture.scale:
        lines += _scale(picture.scale, margin, min(width, WIDEST), glyphs)
    return lines


def _titles(picture: Picture) -> list[str]:
    titles = [row.title for row in picture.rows]
    if picture.scale:
        titles += [token.title for token in picture.scale.tokens] + ["possible"] * (picture.scale.span is not None)
    return titles


def _head(title: str, margin: int) -> str:
    return f"  {padded(cut(title, margin), margin)}  "


def _row(row: Row, margin: int, width: int, glyphs: Glyphs) -> list[Text]:
    """Lamps with their labels below them, as many to a line as fit."""
    size = max(max(len(cell.label), len(cell.note)) for cell in row.cells)
    count = _per_line((width - margin - 4) // (size + 1), len(row.cells))
    parts = [row.cells[i : i + count] for i in range(0, len(row.cells), count)]
    titles = [row.title, *[""] * (len(parts) - 1)]
    return [
        line
        for title, cells in zip(titles, parts, strict=True)
        for line in _lamps(cells, _head(title, margin), SEAT_STYLES[row.whose], size, glyphs)
    ]


def _per_line(room: int, cells: int) -> int:
    """All of them, or the largest power of two that fits."""
    if cells <= room:
        return cells
    return max(1, 1 << max(1, min(room, PER_LINE)).bit_length() - 1)


def _lamps(cells: tuple[Cell, ...], head: str, style: str, size: int, glyphs: Glyphs) -> list[Text]:
    lamps = Text().append(head, style)
    for cell in cells:
        on = cell.mark is Mark.ON
        lamps.append(f"{glyphs.on if on else glyphs.off:>{size}} ", "bold yellow" if on else "dim")
    blank = " " * wide(head)
    labels = Text(blank + "".join(f"{cell.label:>{size}} " for cell in cells))
    notes = Text(blank + "".join(f"{cell.note:>{size}} " for cell in cells), "dim")
    return [lamps, labels, notes] if any(cell.note for cell in cells) else [lamps, labels]


def _scale(scale: Scale, margin: int, width: int, glyphs: Glyphs) -> list[Text]:
    """A line for each token and for what is possible; what it says is beside it, or below where that does not fit."""
    said = [str(token.at) for token in scale.tokens] + ([_told(scale.span)] if scale.span else [])
    beyond = 2 * any(token.at > scale.high for token in scale.tokens)
    left = width - margin - len(str(scale.low)) - len(str(scale.high)) - 11 - beyond
    beside = left - max(map(len, said)) >= 5
    room = left - max(map(len, said)) if beside else max(3, left)
    lines = [_token(token, scale, margin, room, glyphs) for token in scale.tokens]
    if scale.span:
        lines.append(_span(scale.span, scale, margin, room, glyphs))
    styles = ["bold"] * len(scale.tokens) + ["bold green"]
    told = [Text(f"   {text}", style) for text, style in zip(said, styles, strict=False)]
    if beside:
        return [line.append(text) for line, text in zip(lines, told, strict=True)]
    return [part for pair in zip(lines, [Text(" " * margin) + text for text in told], strict=True) for part in pair]


def _token(token: Token, scale: Scale, margin: int, room: int, glyphs: Glyphs) -> Text:
    at = _column(token.at, scale, room)
    style = SEAT_STYLES[token.whose]
    line = Text().append(f"{_head(token.title, margin)}{scale.low} ", style)
    beyond = scale.goal and token.at > scale.high
    line.append(glyphs.done * at + (glyphs.done if beyond else glyphs.token), style)
    line.append(glyphs.ahead * (room - at), "dim")
    line.append(f" {glyphs.goal if scale.goal else ' '}{scale.high}", "dim")
    return line.append(f" {glyphs.token}", style) if beyond else line


def _span(span: tuple[int, int], scale: Scale, margin: int, room: int, glyphs: Glyphs) -> Text:
    low, high = (_column(end, scale, room) for end in span)
    line = Text().append(f"{_head('possible', margin)}{scale.low} ", "dim")
    line.append(" " * low).append(glyphs.done * (high - low + 1), "green").append(" " * (room - high))
    return line.append(f"  {scale.high}", "dim")


def _told(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"


def _column(at: int, scale: Scale, room: int) -> int:
    part = (min(at, scale.high) - scale.low) / max(1, scale.high - scale.low)
    return round(part * room)
