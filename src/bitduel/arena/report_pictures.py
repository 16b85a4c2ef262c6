"""The pictures of a report as SVG: strengths with their intervals, and bars; numbers stand beside every mark."""

from collections.abc import Sequence

from markupsafe import Markup

from bitduel.arena.intervals import Estimate
from bitduel.arena.strength import Strength
from bitduel.core.errors import shown
from bitduel.rendering.svg import join, rounded, shifted, tag, write

WIDE, ROW, NAME, RIGHT = 300, 40, 16, 14
LONGEST = 28


def strength_svg(players: Sequence[Strength], title: str) -> Markup:
    """Everybody's strength as a dot on a line as long as its interval, above one scale."""
    low = min(0.0, *(each.points.ends[0] for each in players))
    high = max(0.0, *(each.points.ends[1] for each in players))
    middle = _across(0, low, high)
    tall = ROW * len(players) + 24
    ticks = "".join(f"M{middle} {ROW * at + 21}v14" for at in range(len(players)))
    grid = tag("path", class_="zero", d=ticks)
    rows = join(tag("g", _strength(each, low, high), transform=shifted(0, ROW * at)) for at, each in enumerate(players))
    mean = write(float(middle), tall - 6, "0", "tick", text_anchor="middle")
    said = "; ".join(f"{shown(each.player)}: {_signed(each.points)}" for each in players)
    return _document(tall, f"{title}. {said}.", grid + rows + mean)


def _strength(each: Strength, low: float, high: float) -> Markup:
    left, right = (_across(at, low, high) for at in each.points.ends)
    dot = _across(each.points.value, low, high)
    line = Markup("")
    if not each.points.is_open:
        line = tag("path", class_="reach", d=f"M{left} 28H{right}M{left} 24V32M{right} 24V32")
    mark = tag("circle", class_="dot", cx=dot, cy=28, r=5)
    name = write(0, NAME, shown(each.player, LONGEST), "who")
    value = write(WIDE, NAME, f"{each.points.value:+.0f}", "value", text_anchor="end")
    return name + value + line + mark


def _signed(points: Estimate) -> str:
    return f"{points.value:+.0f}" if points.is_open else "{:+.0f}, from {:+.0f} to {:+.0f}".format(*points)


def _across(at: float, low: float, high: float) -> str:
    return rounded(RIGHT + (WIDE - 2 * RIGHT) * (at - low) / ((high - low) or 1))


def bars_svg(bars: Sequence[tuple[str, Estimate]], title: str, most: float) -> Markup:
    """A bar for everybody, with the interval as a thin line over it and the number beside the name."""
    rows = join(tag("g", _bar(*bar, most), transform=shifted(0, ROW * at)) for at, bar in enumerate(bars))
    said = "; ".join(f"{shown(name)}: {estimate.value:.3f}" for name, estimate in bars)
    return _document(ROW * len(bars), f"{title}. {said}.", rows)


def _bar(name: str, estimate: Estimate, most: float) -> Markup:
    low, high = estimate.ends
    ends = [rounded((WIDE - 2) * min(1, at / (most or 1))) for at in (low, estimate.value, high)]
    groove = tag("rect", class_="groove", x=0, y=22, width=WIDE, height=10, rx=3)
    bar = tag("rect", class_="bar", x=0, y=22, width=ends[1], height=10, rx=3)
    line = tag("path", class_="reach", d=f"M{ends[0]} 27H{ends[2]}") if high > low else Markup("")
    value = write(WIDE, NAME, f"{estimate.value:.3f}", "value", text_anchor="end")
    return write(0, NAME, shown(name, LONGEST), "who") + value + groove + bar + line


def _document(tall: float, said: str, drawn: Markup) -> Markup:
    box = f"0 0 {WIDE} {rounded(tall)}"
    return tag("svg", tag("title", said), drawn, class_="plot", viewBox=box, role="img")
