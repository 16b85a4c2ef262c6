"""A chart as an SVG picture made to be looked at: on a screen, in print, and by the colour-blind."""

from collections.abc import Callable
from html import escape

from markupsafe import Markup

from bitduel.core.evaluation import DRAW, LOSS, WIN
from bitduel.core.picture import PER_ROW, Chart, Spot

FILL = {WIN: "#0072b2", LOSS: "#f0b429", DRAW: "#c9ced6"}
INK = {WIN: "#ffffff", LOSS: "#3b2a00", DRAW: "#22262c"}
SIGN = {WIN: "W", LOSS: "L", DRAW: "="}
LEGEND = {WIN: "the player to move wins", LOSS: "the player to move loses", DRAW: "a draw"}
MARGIN, CELL, TOP, FOOT = 20, 34, 66, 46
ROOM, SMALLEST = 1040, 0.75
"""A map that is wider than a page is drawn smaller, as long as its cells can still be pressed."""


def chart_svg(chart: Chart) -> str:
    """The whole picture as text."""
    rows = chart.spots if chart.down else chart.wrapped()
    wide = max(map(len, rows))
    left = MARGIN + (12 + 9 * max(map(len, chart.down)) + 18 if chart.down else 0)
    width = max(left + wide * CELL + MARGIN, 2 * MARGIN + 9 * len(chart.title), 470)
    height = TOP + (30 if chart.down else 0) + len(rows) * CELL + FOOT
    top = TOP + (30 if chart.down else 0)
    parts = [_text(MARGIN, 30, chart.title, size=17, anchor="start", weight="600")]
    parts += [_text(MARGIN, 52, _subtitle(chart), size=12, anchor="start", fill="#5b6470")]
    if chart.down:
        parts += _axes(chart, left, top)
    for y, row in enumerate(rows):
        for x, spot in enumerate(row):
            if spot is not None:
                parts += _cell(spot, left + x * CELL, top + y * CELL, labelled=not chart.down)
    parts += _legend(chart, height)
    return _document(width, height, chart.title, parts)


def chart_map(chart: Chart, link: Callable[[Spot], str], name: Callable[[Spot], str], per_row: int = PER_ROW) -> Markup:
    """The same cells for a page, each a link with a name; heading and legend are the page's, and so are its colours."""
    rows = chart.spots if chart.down else chart.wrapped(per_row)
    left, top = (12 + 9 * max(map(len, chart.down)), 24) if chart.down else (1, 1)
    width, height = left + max(map(len, rows)) * CELL, top + len(rows) * CELL
    parts = _axes(chart, left, top) if chart.down else []
    for y, row in enumerate(rows):
        for x, spot in enumerate(row):
            if spot is not None:
                cell = "".join(_cell(spot, left + x * CELL, top + y * CELL, labelled=not chart.down))
                kind = spot.worth.value or "chance"
                address = f'href="{escape(link(spot))}" aria-label="{escape(name(spot))}"'
                parts.append(f'<a class="{kind}" {address}>{cell}</a>')
    part = max(SMALLEST, min(1, ROOM / width))
    size = f'width="{part * width:.0f}" height="{part * height:.0f}" viewBox="0 0 {width:g} {height:g}"'
    return Markup("\n".join([f'<svg class="map" {size} role="group">', *parts, "</svg>"]))


def _subtitle(chart: Chart) -> str:
    if chart.down:
        return f"across: {chart.across_title}; down: {chart.down_title}"
    return f"by {chart.across_title}, {chart.across[0]} to {chart.across[-1]}"


def _axes(chart: Chart, left: int, top: int) -> list[str]:
    size = 11 if max(map(len, chart.across)) <= 4 else 9
    across = [_text(left + (x + 0.5) * CELL, top - 8, label, size=size) for x, label in enumerate(chart.across)]
    down = [_text(left - 10, top + (y + 0.5) * CELL + 4, t, size=11, anchor="end") for y, t in enumerate(chart.down)]
    return [*across, *down]


def _cell(spot: Spot, x: float, y: float, labelled: bool) -> list[str]:
    fill, ink, sign = _look(spot)
    box = f'<rect x="{x:g}" y="{y:g}" width="{CELL - 2}" height="{CELL - 2}" rx="5" fill="{fill}">'
    parts = [f"{box}<title>{escape(_tooltip(spot))}</title></rect>"]
    middle = x + CELL / 2 - 1
    if labelled:
        parts.append(_text(middle, y + 14, spot.label, size=11 if len(spot.label) < 5 else 8, fill=ink))
        parts.append(_text(middle, y + 27, sign, size=11, fill=ink, weight="700"))
    else:
        parts.append(_text(middle, y + 20, sign, size=12, fill=ink, weight="700"))
    return parts


def _look(spot: Spot) -> tuple[str, str, str]:
    chance = spot.worth.win_probability
    if chance is not None:
        return _shade(chance), _ink(chance), f"{chance:.2f}".removeprefix("0")
    value = spot.worth.value or DRAW
    return FILL[value], INK[value], SIGN[value]


def _shade(probability: float) -> str:
    """From amber (the first player loses) over white to blue (wins)."""
    ends = (0xF0, 0xB4, 0x29), (0xFF, 0xFF, 0xFF), (0x00, 0x72, 0xB2)
    low, high, part = (ends[0], ends[1], probability * 2) if probability < 0.5 else (*ends[1:], probability * 2 - 1)
    mixed = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _ink(probability: float) -> str:
    return "#ffffff" if probability > 0.95 else "#0b0d10"


def _tooltip(spot: Spot) -> str:
    value, plies, chance = spot.worth
    if chance is not None:
        return f"{spot.label}: {chance:.6f}"
    return f"{spot.label}: {value}" + (f" in {plies} plies" if plies is not None else "")


def _legend(chart: Chart, height: int) -> list[str]:
    shown = {spot.worth.value for row in chart.spots for spot in row if spot and spot.worth.value}
    y = height - 20
    if not shown:
        return [_text(MARGIN, y, "the probability that the first player wins", size=12, anchor="start")]
    parts, x = [], float(MARGIN)
    for value in (WIN, LOSS, DRAW):
        if value in shown:
            parts.append(f'<rect x="{x:g}" y="{y - 12}" width="16" height="16" rx="3" fill="{FILL[value]}"/>')
            parts.append(_text(x + 8, y, SIGN[value], size=11, fill=INK[value], weight="700"))
            parts.append(_text(x + 22, y, LEGEND[value], size=12, anchor="start"))
            x += 40 + 6.4 * len(LEGEND[value])
    return parts


def _text(
    x: float, y: float, text: str, size: int, anchor: str = "middle", fill: str = "#22262c", weight: str = "400"
) -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{fill}"'
    return f"<text {place}>{escape(text)}</text>"


def _document(width: float, height: float, title: str, parts: list[str]) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" role="img">'
    background = f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", background, *parts, "</svg>", ""])
