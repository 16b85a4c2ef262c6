"""A chart as lines of styled text; letters say the same as the colours."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from bitduel.core.picture import Chart, Spot
from bitduel.core.worth import DRAW, LOSS, WIN

SIGNS = {WIN: "W", LOSS: "L", DRAW: "="}
STYLES = {WIN: "bold blue", LOSS: "yellow", DRAW: "dim"}
LEGEND = {WIN: "the player to move wins", LOSS: "loses", DRAW: "draws"}


def show_chart(chart: Chart) -> None:
    """Print a chart: coloured on a terminal, plain elsewhere."""
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(chart.title, style="bold")
    for line in paint_chart(chart):
        console.print(line)


def paint_chart(chart: Chart) -> list[Text]:
    """The lines of a chart, with its legend."""
    lines = _grid(chart) if chart.down else _strip(chart)
    return [*lines, _legend(chart)]


def _strip(chart: Chart) -> list[Text]:
    width = max(map(len, chart.across))
    lines = []
    for row in chart.wrapped():
        line = Text(" ")
        for spot in row:
            line.append(f" {spot.label if spot else '':>{width}}{_sign(spot)}", _style(spot))
        lines.append(line)
    return lines


def _grid(chart: Chart) -> list[Text]:
    margin = max(len(chart.down_title), *map(len, chart.down))
    cell = max(len(_sign(spot)) for row in chart.spots for spot in row) + 1
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


def _legend(chart: Chart) -> Text:
    shown = {spot.worth.value for row in chart.spots for spot in row if spot and spot.worth.value}
    if not shown:
        return Text("  (the probability that the first player wins)", "dim")
    said = "   ".join(f"{SIGNS[value]} {meaning}" for value, meaning in LEGEND.items() if value in shown)
    return Text(f"  ({said})", "dim")
