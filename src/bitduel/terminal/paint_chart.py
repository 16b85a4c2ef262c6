"""A chart as lines of styled text; letters say the same as the colours."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.picture import PER_ROW, Chart, Spot
from bitduel.terminal.text import PAPER, columns, fold

SIGNS = {WIN: "W", LOSS: "L", DRAW: "="}
ENDLESS = 10_000
"""A file is as wide as it takes."""

STYLES = {WIN: "bold blue", LOSS: "yellow", DRAW: "dim"}
LEGEND = {WIN: "the player to move wins", LOSS: "loses", DRAW: "draws"}


def show_chart(chart: Chart) -> None:
    """Print a chart: coloured on a terminal, plain elsewhere."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = columns() if sys.stdout.isatty() else ENDLESS
    for part in fold(chart.title, width):
        console.print(part, style="bold")
    for line in paint_chart(chart, width):
        console.print(line)


def paint_chart(chart: Chart, width: int = PAPER) -> list[Text]:
    """The lines of a chart, as wide as there is room for, with its legend."""
    lines = _grid(chart, width) if chart.down else _strip(chart, width)
    return [*lines, *_legend(chart, width)]


def _strip(chart: Chart, room: int) -> list[Text]:
    width = max(map(len, chart.across))
    cell = 1 + width + max(len(_sign(spot)) for spot in chart.spots[0])
    per_row = PER_ROW
    while per_row > 1 and 1 + per_row * cell > room:
        per_row //= 2
    lines = []
    for row in chart.wrapped(per_row):
        line = Text(" ")
        for spot in row:
            line.append(f" {spot.label if spot else '':>{width}}{_sign(spot)}", _style(spot))
        lines.append(line)
    return lines


def _grid(chart: Chart, room: int) -> list[Text]:
    """The grid in as many parts, one below the other, as it takes."""
    margin = max(len(chart.down_title), *map(len, chart.down))
    cell = max(len(_sign(spot)) for row in chart.spots for spot in row) + 1
    each = max(1, (room - margin - 3) // cell)
    return [
        line for at in range(0, len(chart.across), each) for line in _part(_cut(chart, at, at + each), margin, cell)
    ]


def _cut(chart: Chart, begin: int, end: int) -> Chart:
    rows = tuple(row[begin:end] for row in chart.spots)
    return chart._replace(across=chart.across[begin:end], spots=rows)


def _part(chart: Chart, margin: int, cell: int) -> list[Text]:
    lines = [Text(f"  {'':<{margin}}  {chart.across_title}", "bold"), *_header(chart.across, margin, cell)]
    lines[-1] = Text(f"  {chart.down_title:<{margin}}", "bold").append(lines[-1].plain[margin + 2 :], "dim")
    for label, row in zip(chart.down, chart.spots, strict=True):
        line = Text().append(f"  {label:>{margin}} ", "dim")
        for spot in row:
            line.append(f"{_sign(spot):>{cell}}", _style(spot))
        lines.append(line)
    return lines


def _header(labels: Sequence[str], margin: int, cell: int) -> list[Text]:
    """Labels that are wider than a cell stand upright, a character a line."""
    height = max(map(len, labels))
    if height < cell:
        return [Text(f"  {'':<{margin}} " + "".join(f"{label:>{cell}}" for label in labels), "dim")]
    upright = [label.rjust(height) for label in labels]
    rows = ("".join(f"{label[i]:>{cell}}" for label in upright) for i in range(height))
    return [Text(f"  {'':<{margin}} {row}", "dim") for row in rows]


def _sign(spot: Spot | None) -> str:
    if spot is None:
        return " "
    if spot.worth.win_probability is not None:
        return f":{spot.worth.win_probability:.3f}"
    return SIGNS[spot.worth.value or DRAW]


def _style(spot: Spot | None) -> str:
    return STYLES[spot.worth.value] if spot and spot.worth.value else ""


def _legend(chart: Chart, width: int) -> list[Text]:
    return [Text(part, "dim") for part in fold(_meaning(chart), width)]


def _meaning(chart: Chart) -> str:
    shown = {spot.worth.value for row in chart.spots for spot in row if spot and spot.worth.value}
    if not shown:
        return "  (the probability that the first player wins)"
    said = "   ".join(f"{SIGNS[value]} {meaning}" for value, meaning in LEGEND.items() if value in shown)
    return f"  ({said})"
