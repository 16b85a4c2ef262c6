"""A review drawn downwards: a line that winds between the two players as the match changes hands."""

from rich.text import Text

from bitduel.core.words import Names
from bitduel.solve.remarks import remark, standing_text
from bitduel.solve.review import Review, Standing, Step

HALF = 12
"""Columns on either side of the middle."""

UNICODE = {"stay": "│", "right": "╰─╮", "left": "╭─╯", "middle": "┊", "mark": "◆"}
ASCII = {"stay": "|", "right": "'-.", "left": ".-'", "middle": ":", "mark": "#"}


def paint_review(review: Review, names: Names, unicode: bool) -> list[Text]:
    """The lines of a review: one for each move, the line of values in the middle."""
    glyphs = UNICODE if unicode else ASCII
    margin = max([len(_label(step, names)) for step in review.steps] + [5])
    at = _column(review.start)
    lines = [_heading(names, margin), _line("start", margin, at, at, glyphs, standing_text(review.start, names))]
    for step in review.steps:
        to = _column(step.after)
        line = _line(_label(step, names), margin, at, to, glyphs, standing_text(step.after, names), step.turning)
        lines += [line, *_remarks(step, names, margin)]
        at = to
    return lines


def _heading(names: Names, margin: int) -> Text:
    left, right = (name[:HALF] for name in names)
    return Text().append(f"  {'':<{margin}}  {left:<{HALF}} {right:>{HALF}}", "bold")


def _label(step: Step, names: Names) -> str:
    return f"{step.ply + 1}. {names[step.seat - 1]}: {step.move}"


def _column(standing: Standing) -> int:
    """Seat 1 is on the left, seat 2 on the right."""
    return HALF - round(standing.lean * HALF)


def _line(label: str, margin: int, at: int, to: int, glyphs: dict[str, str], said: str, turning: bool = False) -> Text:
    cells = [" "] * (2 * HALF + 1)
    cells[HALF] = glyphs["middle"]
    if at == to:
        cells[at] = glyphs["stay"]
    else:
        first, run, last = tuple(glyphs["right"] if at < to else glyphs["left"])
        low, high = min(at, to), max(at, to)
        cells[low : high + 1] = [first, *run * (high - low - 1), last]
    cells[to] = glyphs["mark"] if turning else cells[to]
    style = "cyan" if to < HALF else "magenta" if to > HALF else "dim"
    return Text().append(f"  {label:<{margin}}  ").append("".join(cells), style).append(f"  {said}")


def _remarks(step: Step, names: Names, margin: int) -> list[Text]:
    indent = " " * (margin + 4)
    lines = []
    if step.turning:
        lines.append(Text(f"{indent}<- {remark(step, names)}", "bold yellow"))
    if step.hindsight:
        lines.append(Text(f"{indent}   now we know: {step.hindsight}", "dim"))
    return lines
