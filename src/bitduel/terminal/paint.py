"""The terminal's one painter: a picture in, lines of styled text out; it knows no game."""

from typing import NamedTuple

from rich.text import Text

from bitduel.core.picture import Cell, Mark, Picture, Row, Scale, Token

SEAT_STYLES = {1: "cyan", 2: "magenta", None: "bold"}
WIDEST = 72


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
    margin = max((len(title) for title in _titles(picture)), default=0)
    lines = [line for row in picture.rows for line in _row(row, margin, glyphs)]
    if picture.scale:
        lines += _scale(picture.scale, margin, min(width, WIDEST), glyphs)
    return lines


def _titles(picture: Picture) -> list[str]:
    titles = [row.title for row in picture.rows]
    if picture.scale:
        titles += [token.title for token in picture.scale.tokens] + ["possible"] * (picture.scale.span is not None)
    return titles


def _row(row: Row, margin: int, glyphs: Glyphs) -> list[Text]:
    wide = max(len(cell.label) for cell in row.cells)
    line = Text().append(f"  {row.title:<{margin}}  ", SEAT_STYLES[row.whose])
    labels = Text(f"  {'':<{margin}}  ", "dim")
    for cell in row.cells:
        line.append(f"{_lamp(cell, glyphs):>{wide}} ", "bold yellow" if cell.mark is Mark.ON else "dim")
        labels.append(f"{cell.label:>{wide}} ")
    return [line, labels]


def _lamp(cell: Cell, glyphs: Glyphs) -> str:
    return glyphs.on if cell.mark is Mark.ON else glyphs.off


def _scale(scale: Scale, margin: int, width: int, glyphs: Glyphs) -> list[Text]:
    ends = len(str(scale.low)) + len(str(scale.high))
    room = max(10, width - margin - ends - len(str(scale.high)) - 12)
    lines = [_token(token, scale, margin, room, glyphs) for token in scale.tokens]
    if scale.span:
        lines.append(_span(scale.span, scale, margin, room, glyphs))
    return lines


def _token(token: Token, scale: Scale, margin: int, room: int, glyphs: Glyphs) -> Text:
    at = _column(token.at, scale, room)
    line = Text().append(f"  {token.title:<{margin}}  {scale.low} ", SEAT_STYLES[token.whose])
    line.append(glyphs.done * at + glyphs.token, SEAT_STYLES[token.whose])
    line.append(glyphs.ahead * (room - at), "dim")
    line.append(f" {glyphs.goal}{scale.high}", "dim")
    return line.append(f"   {token.at}", "bold")


def _span(span: tuple[int, int], scale: Scale, margin: int, room: int, glyphs: Glyphs) -> Text:
    low, high = (_column(end, scale, room) for end in span)
    line = Text().append(f"  {'possible':<{margin}}  {scale.low} ", "dim")
    line.append(" " * low).append(glyphs.done * (high - low + 1), "green").append(" " * (room - high))
    line.append(f"  {scale.high}", "dim")
    return line.append(f"   {span[0]}" if span[0] == span[1] else f"   {span[0]} to {span[1]}", "bold green")


def _column(at: int, scale: Scale, room: int) -> int:
    part = (min(at, scale.high) - scale.low) / max(1, scale.high - scale.low)
    return round(part * room)
