"""A review drawn downwards: a line that winds between the two players as the match changes hands."""

import sys

from rich.text import Text

from bitduel.core.words import Names
from bitduel.solver.remarks import Remark, conceded, remarks, standing_text, viewpoint
from bitduel.solver.review import MatchValue, Review, ReviewedMove
from bitduel.terminal.text import PAPER, cut, cut_apart, fold, padded, wide

HALF, NARROW = 12, 7
"""Columns on either side of the middle, and where there is little room."""

ROOMY = 70

UNICODE = {"stay": "│", "right": "╰─╮", "left": "╭─╯", "middle": "┊", "mark": "◆"}
ASCII = {"stay": "|", "right": "'-.", "left": ".-'", "middle": ":", "mark": "#"}


def paint_review(review: Review, names: Names, unicode: bool, width: int = PAPER, you: int | None = None) -> list[Text]:
    """The lines of a review: one for each move, the line of values in the middle, what it says beside or below it."""
    glyphs = UNICODE if unicode else ASCII
    half = HALF if width >= ROOMY else NARROW
    margin = min(max([wide(_label(step, names)) for step in review.steps] + [5]), width - 2 * half - 5)
    how = viewpoint(review)
    lines = [Text(part, "dim") for part in (*fold(how, width), "")] if how else []
    lines.append(_heading(names, margin, half))
    at = _column(review.start, half)
    said = standing_text(review.start, names, seat=review.steps[0].seat if review.steps else None)
    lines += _line("start", margin, (at, at), half, glyphs, said, width)
    for step, said_of_it in zip(review.steps, remarks(review, names, you), strict=True):
        to = _column(step.after, half)
        last = step is review.steps[-1]
        said = standing_text(step.after, names, last, step.seat)
        lines += _line(_label(step, names, margin), margin, (at, to), half, glyphs, said, width, step.turning)
        lines += _below(step, said_of_it, margin, width)
        at = to
    ended = conceded(review, names, you)
    return lines + [
        Text(part, "bold yellow") for said in ended for part in fold(f"  {glyphs['mark']} {said}", width, 4)
    ]


def _heading(names: Names, margin: int, half: int) -> Text:
    left, right = cut_apart(*names, half)
    return Text().append(f"  {'':<{margin}}  {padded(left, half)} {' ' * (half - wide(right))}{right}", "bold")


def _label(step: ReviewedMove, names: Names, room: int = sys.maxsize) -> str:
    """Whose move it was, and the move; where there is little room the name is shortened, never the move."""
    begin, end = f"{step.ply + 1}. ", f": {step.move}"
    return begin + cut_apart(*names, max(2, room - wide(begin + end)))[step.seat - 1] + end


def _column(standing: MatchValue, half: int) -> int:
    """Seat 1 is on the left, seat 2 on the right."""
    return half - round(standing.lean * half)


def _line(
    label: str,
    margin: int,
    way: tuple[int, int],
    half: int,
    glyphs: dict[str, str],
    said: str,
    width: int,
    turning: bool = False,
) -> list[Text]:
    to = way[1]
    style = "cyan" if to < half else "magenta" if to > half else "dim"
    line = Text().append(f"  {padded(cut(label, margin), margin)}  ").append(_drawn(way, half, glyphs, turning), style)
    if margin + 2 * half + 7 + wide(said) <= width:
        return [line.append(f"  {said}")]
    return [line, *(Text(part) for part in fold(f"      {said}", width))]


def _drawn(way: tuple[int, int], half: int, glyphs: dict[str, str], turning: bool) -> str:
    at, to = way
    cells = [" "] * (2 * half + 1)
    cells[half] = glyphs["middle"]
    if at == to:
        cells[at] = glyphs["stay"]
    else:
        first, run, last = tuple(glyphs["right"] if at < to else glyphs["left"])
        low, high = min(at, to), max(at, to)
        cells[low : high + 1] = [first, *run * (high - low - 1), last]
    cells[to] = glyphs["mark"] if turning else cells[to]
    return "".join(cells)


def _below(step: ReviewedMove, remark: Remark, margin: int, width: int) -> list[Text]:
    indent = " " * (margin + 4 if width >= ROOMY else 6)
    lines = []
    if remark.luck:
        lines += [Text(part, "cyan") for part in fold(f"{indent}   {remark.luck}", width, 2)]
    if remark.better:
        lines += [Text(part, "bold yellow") for part in fold(f"{indent}<- {remark.better}", width, 3)]
    if remark.longer:
        lines += [Text(part, "yellow") for part in fold(f"{indent}   {remark.longer}", width, 2)]
    if step.hindsight:
        lines += [Text(part, "dim") for part in fold(f"{indent}   now we know: {step.hindsight}", width, 2)]
    return lines
