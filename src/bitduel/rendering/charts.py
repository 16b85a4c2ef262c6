"""Charts as SVG, readable in print and without colour: who wins where, and who led in a match."""

from collections.abc import Callable, Iterator, Sequence, Set
from html import escape
from itertools import pairwise
from math import ceil

from markupsafe import Markup

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.phrases import evaluation_phrase
from bitduel.core.picture import PER_ROW, Chart, ChartCell
from bitduel.core.words import Names
from bitduel.rendering.svg import MARGIN, WIDTH, heading, join, rounded, tag, translate

FILL = {WIN: "#0072b2", LOSS: "#f0b429", DRAW: "#c9ced6"}
INK = {WIN: "#ffffff", LOSS: "#3b2a00", DRAW: "#22262c"}
SIGN = {WIN: "W", LOSS: "L", DRAW: "="}
LEGEND = {WIN: "the player to move wins", LOSS: "the player to move loses", DRAW: "a draw"}
EDGE, CELL, TOP, FOOT = 20, 34, 66, 46
PAGE_WIDTH, SMALLEST = 1100, 0.75
"""A map wider than a page is drawn smaller, as long as its cells can still be pressed."""
LEGIBLE = 12.5
"""The smallest height of numbers on a page, however much smaller a map is drawn."""
LETTER = 0.62
"""The width of a letter, as a part of its height."""

HISTORY_HEIGHT, MIDDLE, REACH = 200, 100, 78
MOST_POINTS = 120
"""In a longer match only turning points have a dot."""


def chart_svg(chart: Chart) -> str:
    """Draw a chart with title, axes and legend."""
    rows = chart.cells if chart.down else chart.wrapped()
    left = EDGE + (12 + 9 * max(map(len, chart.down)) + 18 if chart.down else 0)
    width = max(left + max(map(len, rows)) * CELL + EDGE, 2 * EDGE + 9 * len(chart.title), 470)
    top = TOP + (30 if chart.down else 0)
    height = top + len(rows) * CELL + FOOT
    parts = [_text(EDGE, 30, chart.title, size=17, anchor="start", weight="600")]
    parts += [_text(EDGE, 52, _subtitle(chart), size=12, anchor="start", fill="#5b6470")]
    parts += _axes(chart, left, top)
    for _, elements in _cells(rows, left, top, has_labels=not chart.down):
        parts += elements
    parts += _legend(chart, height)
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" role="img">'
    background = f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(chart.title)}</title>", background, *parts, "</svg>", ""])


def chart_map(
    chart: Chart, link: Callable[[ChartCell], str], name: Callable[[ChartCell], str], per_row: int = PER_ROW
) -> Markup:
    """Draw the cells of a chart for a page, each a link with a name; heading and legend are the page's."""
    rows = chart.cells if chart.down else chart.wrapped(per_row)
    longest = max(map(len, chart.down), default=0)
    scale = max(SMALLEST, min(1, PAGE_WIDTH / (9 * longest + len(chart.across) * CELL))) if chart.down else 1
    size = LEGIBLE / scale
    left, top = (round(14 + LETTER * size * longest), 24) if chart.down else (1, 1)
    width, height = left + max(map(len, rows)) * CELL, top + len(rows) * CELL
    parts = _axes(chart, left, top, size)
    for cell, elements in _cells(rows, left, top, has_labels=not chart.down):
        address = f'href="{escape(link(cell))}" aria-label="{escape(name(cell))}"'
        parts.append(f'<a class="{cell.evaluation.value or "chance"}" {address}>{"".join(elements)}</a>')
    box = f'width="{scale * width:.0f}" height="{scale * height:.0f}" viewBox="0 0 {width:g} {height:g}"'
    return Markup("\n".join([f'<svg class="map" {box} role="group">', *parts, "</svg>"]))


def _subtitle(chart: Chart) -> str:
    if chart.down:
        return f"across: {chart.across_title}; down: {chart.down_title}"
    return f"by {chart.across_title}, {chart.across[0]} to {chart.across[-1]}"


def _axes(chart: Chart, left: int, top: int, size: float = 12) -> list[str]:
    """Draw the labels of both axes; across only as many as have room."""
    if not chart.down:
        return []
    every = ceil((max(map(len, chart.across)) * LETTER * size + 4) / CELL)
    shown = list(enumerate(chart.across))[::every]
    across = [_text(left + (x + 0.5) * CELL, top - 8, label, size=size) for x, label in shown]
    down = [_text(left - 10, top + (y + 0.5) * CELL + 4, t, size=size, anchor="end") for y, t in enumerate(chart.down)]
    return [*across, *down]


def _cells(
    rows: Sequence[Sequence[ChartCell | None]], left: float, top: float, has_labels: bool
) -> Iterator[tuple[ChartCell, list[str]]]:
    """Yield the cells that are there, each with its elements."""
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell is not None:
                yield cell, _cell(cell, left + x * CELL, top + y * CELL, has_labels)


def _cell(cell: ChartCell, x: float, y: float, has_label: bool) -> list[str]:
    fill, ink, sign = _look(cell)
    rect = f'<rect x="{x:g}" y="{y:g}" width="{CELL - 2}" height="{CELL - 2}" rx="5" fill="{fill}">'
    box = f"{rect}<title>{escape(_tooltip(cell))}</title></rect>"
    middle = x + CELL / 2 - 1
    if not has_label:
        return [box, _text(middle, y + 21, sign, size=14 if len(sign) < 4 else 11, fill=ink, weight="700")]
    label = _text(
        middle, y + 15, cell.label, size=14 if len(cell.label) < 4 else 12 if len(cell.label) < 5 else 8, fill=ink
    )
    return [box, label, _text(middle, y + 28, sign, size=13 if len(sign) < 4 else 11, fill=ink, weight="700")]


def _look(cell: ChartCell) -> tuple[str, str, str]:
    """Return the fill, ink and sign of a cell."""
    chance = cell.evaluation.win_probability
    if chance is not None:
        return _shade(chance), "#ffffff" if chance > 0.95 else "#0b0d10", f"{100 * chance:.0f}%"
    value = cell.evaluation.value or DRAW
    return FILL[value], INK[value], SIGN[value]


def _shade(probability: float) -> str:
    """Return a colour from amber (the first player loses) over white to blue (wins)."""
    amber, white, blue = (0xF0, 0xB4, 0x29), (0xFF, 0xFF, 0xFF), (0x00, 0x72, 0xB2)
    low, high, part = (amber, white, probability * 2) if probability < 0.5 else (white, blue, probability * 2 - 1)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))


def _tooltip(cell: ChartCell) -> str:
    chance = cell.evaluation.win_probability
    if chance is not None:
        return f"{cell.label}: {100 * chance:.3g}%"
    return f"{cell.label}: {evaluation_phrase(cell.evaluation)}"


def _legend(chart: Chart, height: int) -> list[str]:
    values = {cell.evaluation.value for row in chart.cells for cell in row if cell and cell.evaluation.value}
    y = height - 20
    if not values:
        return [_text(EDGE, y, "the first player's chance of winning", size=12, anchor="start")]
    parts, x = [], float(EDGE)
    for value in (WIN, LOSS, DRAW):
        if value in values:
            parts.append(f'<rect x="{x:g}" y="{y - 12}" width="16" height="16" rx="3" fill="{FILL[value]}"/>')
            parts.append(_text(x + 8, y, SIGN[value], size=11, fill=INK[value], weight="700"))
            parts.append(_text(x + 22, y, LEGEND[value], size=12, anchor="start"))
            x += 40 + 6.4 * len(LEGEND[value])
    return parts


def _text(
    x: float, y: float, text: str, size: float, anchor: str = "middle", fill: str = "#22262c", weight: str = "400"
) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size:g}" font-weight="{weight}" fill="{fill}"'
    return f"<text {place}>{escape(text)}</text>"


def history_svg(leads: Sequence[float], turning: Set[int], names: Names, ply: int | None = None) -> Markup:
    """Draw who leads at each ply, from 1 (seat 1, up) to -1 (seat 2, down), with the turning points marked."""
    gap = (WIDTH - 2 * MARGIN) / max(1, len(leads) - 1)
    points = [(MARGIN + gap * at, MIDDLE - REACH * lead) for at, lead in enumerate(leads)]
    shown = turning | {ply} if len(points) > MOST_POINTS else set(range(len(points)))
    dots = join(_dot(at, x, y, at in turning, at == ply) for at, (x, y) in enumerate(points) if at in shown)
    cursor = Markup("")
    if ply is not None and 0 <= ply < len(points):
        cursor = tag("path", class_="cursor", d=f"M{points[ply][0]:.1f} 0V{HISTORY_HEIGHT}")
    columns = join(_click_column(at, x, gap) for at, (x, _) in enumerate(points))
    title = tag("title", _caption(leads, turning, names))
    parts = [title, *_sides(names), cursor, _areas(points), dots, columns]
    return tag("svg", *parts, class_="picture history", viewBox=f"0 0 {WIDTH} {HISTORY_HEIGHT}", role="img")


def _caption(leads: Sequence[float], turning: Set[int], names: Names) -> str:
    start, end = ("even" if not lead else f"{names[0 if lead > 0 else 1]} ahead" for lead in (leads[0], leads[-1]))
    marked = f"Turning points: {', '.join(map(str, sorted(turning)))}." if turning else "No turning points."
    return f"The match move by move: {start} at the start, {end} at the end. {marked}"


def _sides(names: Names) -> list[Markup]:
    top, bottom = (tag("rect", class_="side", x=0, y=y, width=WIDTH, height=MIDDLE) for y in (0, MIDDLE))
    return [
        tag("g", top, heading(names[0], 1, 18), class_="seat-1"),
        tag("g", bottom, heading(names[1], 2, HISTORY_HEIGHT - 8), class_="seat-2"),
        tag("path", class_="middle", d=f"M0 {MIDDLE}H{WIDTH}"),
    ]


def _areas(points: Sequence[tuple[float, float]]) -> Markup:
    """Draw the line, and the areas between it and the middle."""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    areas = join(_area(*left, *right) for left, right in pairwise(points))
    return areas + tag("path", class_="line", d=f"M{line}")


def _area(x: float, y: float, to_x: float, to_y: float) -> Markup:
    """Draw the area under one piece of the line, in two parts if the line crosses the middle."""
    if (y - MIDDLE) * (to_y - MIDDLE) < 0:
        cross = x + (to_x - x) * (MIDDLE - y) / (to_y - y)
        return _area(x, y, cross, MIDDLE) + _area(cross, MIDDLE, to_x, to_y)
    seat = 1 if y + to_y < 2 * MIDDLE else 2
    d = f"M{x:.1f} {MIDDLE}V{y:.1f}L{to_x:.1f} {to_y:.1f}V{MIDDLE}z"
    return tag("path", class_=f"area seat-{seat}", d=d)


def _dot(at: int, x: float, y: float, is_turning: bool, is_current: bool) -> Markup:
    dot = tag("path", class_="dot", d="M0 -8L8 0L0 8L-8 0z") if is_turning else tag("circle", class_="dot", r=3)
    css_class = "point" + " turning" * is_turning + " now" * is_current
    return tag("g", dot, class_=css_class, id=f"point-{at}", transform=translate(x, y))


def _click_column(at: int, x: float, gap: float) -> Markup:
    size = {"width": rounded(gap), "height": HISTORY_HEIGHT}
    return tag("rect", class_="column", data_ply=at, x=rounded(x - gap / 2), y=0, **size)
