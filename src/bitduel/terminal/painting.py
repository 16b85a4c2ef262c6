"""Painting: pictures, charts and reviews of matches as lines of styled text; no game is known here."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.text import Text

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.picture import PER_ROW, Cell, Chart, ChartCell, Mark, Picture, Row, Scale, Token
from bitduel.core.words import Names
from bitduel.terminal.text import PLAIN_WIDTH, display_width, fold, line_width, pad, truncate, truncate_apart

if TYPE_CHECKING:
    from bitduel.learning.review import MatchValue, Review, ReviewedMove
    from bitduel.learning.review_text import Remark

SEAT_STYLES = {1: "cyan", 2: "magenta", None: "bold"}
MAX_SCALE_WIDTH = 72
MAX_TITLE = 20
LAMPS_PER_LINE = 16
VALUE_SIGNS = {WIN: "W", LOSS: "L", DRAW: "="}
VALUE_STYLES = {WIN: "bold blue", LOSS: "yellow", DRAW: "dim"}
VALUE_LEGEND = {WIN: "the player to move wins", LOSS: "loses", DRAW: "draws"}
REVIEW_HALF, NARROW_REVIEW_HALF = 12, 7
"""Columns on either side of the middle of a review, and on a narrow screen."""
WIDE_REVIEW = 70


class Glyphs(NamedTuple):
    """The characters that pictures and reviews are made of."""

    on: str
    off: str
    done: str
    ahead: str
    token: str
    goal: str
    stay: str
    right: str
    left: str
    middle: str
    turning: str


UNICODE = Glyphs("●", "○", "━", "─", "◆", "⚑", stay="│", right="╰─╮", left="╭─╯", middle="┊", turning="◆")
ASCII = Glyphs("#", ".", "=", "-", "O", "|", stay="|", right="'-.", left=".-'", middle=":", turning="#")


def paint(picture: Picture, width: int, unicode: bool) -> list[Text]:
    """Return the lines of a picture, at most as wide as given."""
    glyphs = UNICODE if unicode else ASCII
    titles = [row.title for row in picture.rows]
    if picture.scale:
        titles += [token.title for token in picture.scale.tokens] + ["possible"] * (picture.scale.span is not None)
    margin = min(MAX_TITLE, max(8, 2 * width // 5), max(map(display_width, titles), default=0))
    lines = [line for row in picture.rows for line in _row(row, margin, width, glyphs)]
    if picture.scale:
        lines += _scale(picture.scale, margin, min(width, MAX_SCALE_WIDTH), glyphs)
    return lines


def _head(title: str, margin: int) -> str:
    return f"  {pad(truncate(title, margin), margin)}  "


def _row(row: Row, margin: int, width: int, glyphs: Glyphs) -> list[Text]:
    """Return lamps with their labels below them: all in a line, or the largest power of two that fits."""
    size = max(max(len(cell.label), len(cell.note)) for cell in row.cells)
    count, fitting = len(row.cells), (width - margin - 4) // (size + 1)
    if count > fitting:
        count = 1 << max(1, min(fitting, LAMPS_PER_LINE)).bit_length() - 1
    lines = []
    for start in range(0, len(row.cells), count):
        head = _head("" if start else row.title, margin)
        lines += _lamps(row.cells[start : start + count], head, SEAT_STYLES[row.seat], size, glyphs)
    return lines


def _lamps(cells: tuple[Cell, ...], head: str, style: str, size: int, glyphs: Glyphs) -> list[Text]:
    lamps = Text().append(head, style)
    for cell in cells:
        is_on = cell.mark is Mark.ON
        lamps.append(f"{glyphs.on if is_on else glyphs.off:>{size}} ", "bold yellow" if is_on else "dim")
    blank = " " * display_width(head)
    labels = Text(blank + "".join(f"{cell.label:>{size}} " for cell in cells))
    notes = Text(blank + "".join(f"{cell.note:>{size}} " for cell in cells), "dim")
    return [lamps, labels, notes] if any(cell.note for cell in cells) else [lamps, labels]


def _scale(scale: Scale, margin: int, width: int, glyphs: Glyphs) -> list[Text]:
    """Return a line for each token and for the span; its number is beside it, or below where that does not fit."""
    numbers = [Text(f"   {token.at}", "bold") for token in scale.tokens]
    if scale.span:
        low, high = scale.span
        numbers.append(Text(f"   {low}" if low == high else f"   {low} to {high}", "bold green"))
    widest = max(map(len, numbers)) - 3
    beyond = 2 * any(token.at > scale.high for token in scale.tokens)
    free = width - margin - len(str(scale.low)) - len(str(scale.high)) - 11 - beyond
    is_beside = free - widest >= 5
    length = free - widest if is_beside else max(3, free)
    lines = [_token(token, scale, margin, length, glyphs) for token in scale.tokens]
    if scale.span:
        lines.append(_span(scale.span, scale, margin, length, glyphs))
    if is_beside:
        end = max(line.cell_len for line in lines)
        for line in lines:
            line.pad_right(end - line.cell_len)
        return [line.append(number) for line, number in zip(lines, numbers, strict=True)]
    return [part for line, number in zip(lines, numbers, strict=True) for part in (line, Text(" " * margin) + number)]


def _token(token: Token, scale: Scale, margin: int, length: int, glyphs: Glyphs) -> Text:
    column = _scale_column(token.at, scale, length)
    style = SEAT_STYLES[token.seat]
    line = Text().append(f"{_head(token.title, margin)}{scale.low} ", style)
    is_beyond = scale.has_goal and token.at > scale.high
    line.append(glyphs.done * column + (glyphs.done if is_beyond else glyphs.token), style)
    line.append(glyphs.ahead * (length - column), "dim")
    line.append(f" {glyphs.goal if scale.has_goal else ' '}{scale.high}", "dim")
    return line.append(f" {glyphs.token}", style) if is_beyond else line


def _span(span: tuple[int, int], scale: Scale, margin: int, length: int, glyphs: Glyphs) -> Text:
    low, high = (_scale_column(end, scale, length) for end in span)
    line = Text().append(f"{_head('possible', margin)}{scale.low} ", "dim")
    line.append(" " * low).append(glyphs.done * (high - low + 1), "green").append(" " * (length - high))
    return line.append(f"  {scale.high}", "dim")


def _scale_column(at: int, scale: Scale, length: int) -> int:
    return round((min(at, scale.high) - scale.low) / max(1, scale.high - scale.low) * length)


def show_chart(chart: Chart) -> None:
    """Print a chart: coloured on a terminal, plain elsewhere."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = line_width()
    for part in fold(chart.title, width):
        console.print(part, style="bold")
    for line in _grid(chart, width) if chart.down else _strip(chart, width):
        console.print(line)
    for part in fold(_legend(chart), width):
        console.print(part, style="dim")


def _strip(chart: Chart, width: int) -> list[Text]:
    label_width = max(map(len, chart.across))
    cell_width = 1 + label_width + max(len(_sign(cell)) for cell in chart.cells[0])
    per_row = PER_ROW
    while per_row > 1 and 1 + per_row * cell_width > width:
        per_row //= 2
    lines = []
    for row in chart.wrapped(per_row):
        line = Text(" ")
        for cell in row:
            line.append(f" {cell.label if cell else '':>{label_width}}{_sign(cell)}", _cell_style(cell))
        lines.append(line)
    return lines


def _grid(chart: Chart, width: int) -> list[Text]:
    """Return a grid, in several parts below each other where it is too wide."""
    margin = max(len(chart.down_title), *map(len, chart.down))
    cell_width = max(len(_sign(cell)) for row in chart.cells for cell in row) + 1
    count = max(1, (width - margin - 3) // cell_width)
    lines = []
    for start in range(0, len(chart.across), count):
        part = slice(start, start + count)
        lines.append(Text(f"  {'':<{margin}}  {chart.across_title}", "bold"))
        *above, last = _grid_header(chart.across[part], cell_width)
        lines += [Text(f"  {'':<{margin}} {row}", "dim") for row in above]
        lines.append(Text(f"  {chart.down_title:<{margin}}", "bold").append(f" {last}", "dim"))
        for label, row in zip(chart.down, chart.cells, strict=True):
            line = Text().append(f"  {label:>{margin}} ", "dim")
            for cell in row[part]:
                line.append(f"{_sign(cell):>{cell_width}}", _cell_style(cell))
            lines.append(line)
    return lines


def _grid_header(labels: Sequence[str], cell_width: int) -> list[str]:
    """Return the labels in a line, or upright where they are wider than a cell."""
    height = max(map(len, labels))
    if height < cell_width:
        return ["".join(f"{label:>{cell_width}}" for label in labels)]
    return ["".join(f"{label.rjust(height)[i]:>{cell_width}}" for label in labels) for i in range(height)]


def _sign(cell: ChartCell | None) -> str:
    if cell is None:
        return " "
    if cell.evaluation.win_probability is not None:
        return f" {cell.evaluation.win_probability:.0%}"
    return VALUE_SIGNS[cell.evaluation.value or DRAW]


def _cell_style(cell: ChartCell | None) -> str:
    return VALUE_STYLES[cell.evaluation.value] if cell and cell.evaluation.value else ""


def _legend(chart: Chart) -> str:
    values = {cell.evaluation.value for row in chart.cells for cell in row if cell and cell.evaluation.value}
    if not values:
        return "  (how often the first player wins)"
    meanings = (f"{VALUE_SIGNS[value]} {meaning}" for value, meaning in VALUE_LEGEND.items() if value in values)
    return f"  ({'   '.join(meanings)})"


def paint_review(
    review: "Review", names: Names, unicode: bool, width: int = PLAIN_WIDTH, you: int | None = None
) -> list[Text]:
    """Return a review drawn downwards: a line that winds between the two players as the match changes hands."""
    from bitduel.learning.review_text import concession_lines, evaluation_text, remarks, viewpoint

    painter = _ReviewPainter(review, names, unicode, width)
    explanation = viewpoint(review)
    lines = [Text(part, "dim") for part in (*fold(explanation, width), "")] if explanation else []
    lines.append(painter.heading())
    column = painter.column(review.start)
    text = evaluation_text(review.start, names, seat=review.steps[0].seat if review.steps else None)
    lines += painter.move("start", column, column, text)
    for step, remark in zip(review.steps, remarks(review, names, you), strict=True):
        text = evaluation_text(step.after, names, step is review.steps[-1], step.seat)
        before, column = column, painter.column(step.after)
        lines += painter.move(painter.label(step, painter.margin), before, column, text, step.turning)
        lines += painter.remarks(step, remark)
    for sentence in concession_lines(review, names, you):
        lines += [Text(part, "bold yellow") for part in fold(f"  {painter.glyphs.turning} {sentence}", width, 4)]
    return lines


class _ReviewPainter:
    """The lines of one review; seat 1 is on the left, seat 2 on the right."""

    def __init__(self, review: "Review", names: Names, unicode: bool, width: int) -> None:
        self.names = names
        self.width = width
        self.glyphs = UNICODE if unicode else ASCII
        self.half = REVIEW_HALF if width >= WIDE_REVIEW else NARROW_REVIEW_HALF
        longest = max([display_width(self.label(step)) for step in review.steps] + [5])
        self.margin = min(longest, width - 2 * self.half - 5)

    def heading(self) -> Text:
        left, right = truncate_apart(*self.names, self.half)
        between = " " * (self.half - display_width(right))
        return Text().append(f"  {'':<{self.margin}}  {pad(left, self.half)} {between}{right}", "bold")

    def label(self, step: "ReviewedMove", width: int = sys.maxsize) -> str:
        """Return whose move it was and the move; if there is little room the name is truncated."""
        start, end = f"{step.ply + 1}. ", f": {step.move}"
        return start + truncate_apart(*self.names, max(2, width - display_width(start + end)))[step.seat - 1] + end

    def column(self, value: "MatchValue") -> int:
        return self.half - round(value.lead * self.half)

    def move(self, label: str, before: int, after: int, text: str, is_turning: bool = False) -> list[Text]:
        style = "cyan" if after < self.half else "magenta" if after > self.half else "dim"
        line = Text().append(f"  {pad(truncate(label, self.margin), self.margin)}  ")
        line.append(self._winding(before, after, is_turning), style)
        if self.margin + 2 * self.half + 7 + display_width(text) <= self.width:
            return [line.append(f"  {text}")]
        return [line, *(Text(part) for part in fold(f"      {text}", self.width))]

    def _winding(self, before: int, after: int, is_turning: bool) -> str:
        cells = [" "] * (2 * self.half + 1)
        cells[self.half] = self.glyphs.middle
        if before == after:
            cells[after] = self.glyphs.stay
        else:
            first, run, last = tuple(self.glyphs.right if before < after else self.glyphs.left)
            low, high = min(before, after), max(before, after)
            cells[low : high + 1] = [first, *run * (high - low - 1), last]
        cells[after] = self.glyphs.turning if is_turning else cells[after]
        return "".join(cells)

    def remarks(self, step: "ReviewedMove", remark: "Remark") -> list[Text]:
        indent = " " * (self.margin + 4 if self.width >= WIDE_REVIEW else 6)
        hindsight = step.hindsight and f"now we know: {step.hindsight}"
        sentences = [
            (remark.luck, "  ", "cyan", 2),
            (remark.better, "<-", "bold yellow", 3),
            (remark.why, "  ", "", 2),
            (remark.longer, "  ", "yellow", 2),
            (hindsight, "  ", "dim", 2),
        ]
        return [
            Text(part, style)
            for sentence, sign, style, hang in sentences
            if sentence
            for part in fold(f"{indent}{sign} {sentence}", self.width, hang)
        ]
