"""How a match stood after every move, as SVG: a line that winds between the two players."""

from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from bitduel.core.words import Names
from bitduel.rendering.svg import EDGE, WIDE, heading, join, rounded, shifted, tag
from bitduel.solver.review import MatchValue, Review

TALL, MIDDLE, REACH = 200, 100, 78
MOST_POINTS = 120
"""In a longer match only turning points have a dot."""


def review_svg(review: Review, names: Names, ply: int | None = None) -> Markup:
    """How the match stood after every move: up is the first seat's, down the second's; turning points are marked."""
    standings = [review.start, *(step.after for step in review.steps)]
    gap = (WIDE - 2 * EDGE) / max(1, len(standings) - 1)
    places = [(EDGE + gap * at, MIDDLE - REACH * standing.lean) for at, standing in enumerate(standings)]
    turning = {step.ply + 1 for step in review.steps if step.turning}
    turning |= {len(review.steps)} if review.concessions else set()
    shown = turning | {ply} if len(places) > MOST_POINTS else set(range(len(places)))
    points = join(_point(at, x, y, at in turning, at == ply) for at, (x, y) in enumerate(places) if at in shown)
    now = _now(places[ply][0]) if ply is not None and 0 <= ply < len(places) else Markup("")
    columns = join(_column(at, x, gap) for at, (x, _) in enumerate(places))
    title = tag("title", _history(review, names, turning))
    parts = [title, *_sides(names), now, _areas(places), points, columns]
    return tag("svg", *parts, class_="picture history", viewBox=f"0 0 {WIDE} {TALL}", role="img")


def _history(review: Review, names: Names, turning: set[int]) -> str:
    last = review.steps[-1].after if review.steps else review.start
    ends = f"{_leader(review.start, names)} at the start, {_leader(last, names)} at the end"
    marked = f"Turning points: {', '.join(map(str, sorted(turning)))}." if turning else "No turning points."
    return f"The match move by move: {ends}. {marked}"


def _leader(standing: MatchValue, names: Names) -> str:
    return "even" if not standing.lean else f"{names[0 if standing.lean > 0 else 1]} ahead"


def _sides(names: Names) -> list[Markup]:
    top = tag("rect", class_="side", x=0, y=0, width=WIDE, height=MIDDLE)
    bottom = tag("rect", class_="side", x=0, y=MIDDLE, width=WIDE, height=MIDDLE)
    return [
        tag("g", top, heading(names[0], 1, 18), class_="seat-1"),
        tag("g", bottom, heading(names[1], 2, TALL - 8), class_="seat-2"),
        tag("path", class_="middle", d=f"M0 {MIDDLE}H{WIDE}"),
    ]


def _areas(places: Sequence[tuple[float, float]]) -> Markup:
    """The line, with what lies between it and the middle."""
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    pieces = join(_area(*left, *right) for left, right in pairwise(places))
    return pieces + tag("path", class_="line", d=f"M{line}")


def _area(x: float, y: float, to_x: float, to_y: float) -> Markup:
    """One piece under the line; cut in two where the line crosses the middle."""
    if (y - MIDDLE) * (to_y - MIDDLE) < 0:
        cross = x + (to_x - x) * (MIDDLE - y) / (to_y - y)
        return _area(x, y, cross, MIDDLE) + _area(cross, MIDDLE, to_x, to_y)
    seat = 1 if y + to_y < 2 * MIDDLE else 2
    d = f"M{x:.1f} {MIDDLE}V{y:.1f}L{to_x:.1f} {to_y:.1f}V{MIDDLE}z"
    return tag("path", class_=f"area seat-{seat}", d=d)


def _point(at: int, x: float, y: float, turning: bool, now: bool) -> Markup:
    dot = tag("path", class_="dot", d="M0 -8L8 0L0 8L-8 0z") if turning else tag("circle", class_="dot", r=3)
    kind = "point" + " turning" * turning + " now" * now
    return tag("g", dot, class_=kind, id=f"point-{at}", transform=shifted(x, y))


def _now(x: float) -> Markup:
    return tag("path", class_="cursor", d=f"M{x:.1f} 0V{TALL}")


def _column(at: int, x: float, gap: float) -> Markup:
    """Where a click means this ply."""
    return tag("rect", class_="column", data_ply=at, x=rounded(x - gap / 2), y=0, width=rounded(gap), height=TALL)
