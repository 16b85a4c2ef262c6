"""How a number falls or rises, as an SVG picture that stands alone: one line, two scales, a mark to reach."""

from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from markupsafe import Markup

from bitduel.rendering.svg import join, rounded, tag

WIDE, TALL = 640, 300
LEFT, RIGHT, TOP, FOOT = 76, 24, 50, 54
INK, QUIET, LINE, GOAL = "#22262c", "#5b6470", "#0072b2", "#b35c00"


class CurveAxis(NamedTuple):
    """What is measured along a side, and where it is marked; a logarithmic one shows what is small as well."""

    title: str
    ticks: Sequence[float]
    logarithmic: bool = False

    def part(self, value: float) -> float:
        """How far along the axis a value is, from 0 to 1; what lies beyond is at the end."""
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
    """The points joined by a line; a goal is a line of its own with what it means."""
    size = {"width": WIDE, "height": TALL, "viewBox": f"0 0 {WIDE} {TALL}"}
    places = [(_x(across, x), _y(up, y)) for x, y in points]
    line = tag("path", d="M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places), fill="none", stroke=LINE)
    dots = join(tag("circle", cx=rounded(x), cy=rounded(y), r=3, fill=LINE) for x, y in places)
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


def _goal(axis: CurveAxis, value: float, said: str) -> Markup:
    y = _y(axis, value)
    line = tag("path", d=f"M{LEFT} {y:.1f}H{WIDE - RIGHT}", stroke=GOAL, stroke_dasharray="5 4")
    return line + _text(LEFT + 6, y - 6, said, 12, GOAL, "start")


def _text(x: float, y: float, said: str, size: int, fill: str = INK, anchor: str = "middle") -> Markup:
    return tag("text", said, x=rounded(x), y=rounded(y), font_size=size, fill=fill, text_anchor=anchor)
