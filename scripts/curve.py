"""Line charts as standalone SVG: one line, two axes, a goal."""

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from markupsafe import Markup

from bitduel.rendering.svg import join, rounded, tag

WIDE, TALL = 640, 300
LEFT, RIGHT, TOP, FOOT = 76, 24, 50, 54
INK, QUIET, LINE, GOAL = "#22262c", "#5b6470", "#0072b2", "#b35c00"


class CurveAxis(NamedTuple):
    """An axis: its title, its ticks, and whether it is logarithmic."""

    title: str
    ticks: Sequence[float]
    logarithmic: bool = False

    def part(self, value: float) -> float:
        """Return the place of a value along the axis, from 0 to 1; values beyond are at its end."""
        scale = (lambda x: log10(max(x, 1e-300))) if self.logarithmic else float
        low, high = scale(self.ticks[0]), scale(self.ticks[-1])
        return min(1.0, max(0.0, (scale(value) - low) / (high - low)))


def curve_svg(
    title: str,
    points: Sequence[tuple[float, float]],
    across: CurveAxis,
    up: CurveAxis,
    goal: tuple[float, str] | None = None,
) -> str:
    """Return the points joined by a line; a goal is a dashed line with a label."""
    size = {"width": WIDE, "height": TALL, "viewBox": f"0 0 {WIDE} {TALL}"}
    pixels = [(_x(across, x), _y(up, y)) for x, y in points]
    line = tag("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in pixels), fill="none", stroke=LINE)
    dots = join(tag("circle", cx=rounded(x), cy=rounded(y), r=3, fill=LINE) for x, y in pixels)
    parts = [
        tag("title", title),
        tag("rect", width=WIDE, height=TALL, fill="#ffffff"),
        _text(LEFT, 28, title, 16, anchor="start"),
        *(_tick_up(up, value) for value in up.ticks),
        *(_text(_x(across, value), TALL - FOOT + 18, f"{value:,g}", 11, QUIET) for value in across.ticks),
        _text((LEFT + WIDE - RIGHT) / 2, TALL - 12, across.title, 12),
        _text(LEFT, TOP - 8, up.title, 12, anchor="start"),
        _goal(up, *goal) if goal else Markup(""),
        tag("g", line, dots, stroke_width=2),
    ]
    head = {"xmlns": "http://www.w3.org/2000/svg", "font_family": "system-ui, sans-serif", "role": "img"}
    return str(tag("svg", *parts, **head, **size)) + "\n"


def _x(axis: CurveAxis, value: float) -> float:
    return LEFT + axis.part(value) * (WIDE - LEFT - RIGHT)


def _y(axis: CurveAxis, value: float) -> float:
    return TALL - FOOT - axis.part(value) * (TALL - TOP - FOOT)


def _tick_up(axis: CurveAxis, value: float) -> Markup:
    y = _y(axis, value)
    grid = tag("path", d=f"M{LEFT} {y:.1f}H{WIDE - RIGHT}", stroke="#dfe3e8")
    return grid + _text(LEFT - 8, y + 4, f"{value:g}", 11, QUIET, "end")


def _goal(axis: CurveAxis, value: float, label: str) -> Markup:
    y = _y(axis, value)
    line = tag("path", d=f"M{LEFT} {y:.1f}H{WIDE - RIGHT}", stroke=GOAL, stroke_dasharray="5 4")
    return line + _text(LEFT + 6, y - 6, label, 12, GOAL, "start")


def _text(x: float, y: float, text: str, size: int, fill: str = INK, anchor: str = "middle") -> Markup:
    return tag("text", text, x=rounded(x), y=rounded(y), font_size=size, fill=fill, text_anchor=anchor)
