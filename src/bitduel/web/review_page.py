"""The page of a review as typed data."""

from typing import NamedTuple

from markupsafe import Markup

from bitduel.paint.review import review_svg
from bitduel.solve.remarks import remark, standing_text
from bitduel.solve.review import Review
from bitduel.web import show
from bitduel.web.desk import Seating


class StepLine(NamedTuple):
    """One move in the list beside the graph."""

    ply: int
    label: str
    turning: bool
    url: str
    said: str


class ReviewPage(NamedTuple):
    """All that the page of a review shows, at one of its moves."""

    board: Markup
    caption: str
    svg: Markup
    ply: int
    last: int
    line: str
    better: str | None
    hindsight: str | None
    steps: list[StepLine]
    first_url: str
    prev_url: str | None
    next_url: str | None
    last_url: str


def review_page(seating: Seating, found: Review, ply: int) -> ReviewPage:
    """A review after so many moves."""
    names, match, last = seating.kept.names, seating.match, len(found.steps)
    step = found.steps[ply - 1] if ply else None
    here = f"/matches/{seating.kept.id}/review?ply="
    said = f"{names[step.seat - 1]}: {step.move}. {standing_text(step.after, names)}." if step else "The start."
    return ReviewPage(
        **show.board(match.game, match.hindsight(ply), names),
        svg=review_svg(found, names, ply),
        ply=ply,
        last=last,
        line=said,
        better=remark(step, names) if step and step.turning else None,
        hindsight=step.hindsight or None if step else None,
        steps=[
            StepLine(
                ply=each.ply + 1,
                label=f"{names[each.seat - 1]}: {each.move}",
                turning=each.turning,
                url=f"{here}{each.ply + 1}",
                said=remark(each, names) if each.turning else "",
            )
            for each in found.steps
        ],
        first_url=f"{here}0",
        prev_url=f"{here}{ply - 1}" if ply else None,
        next_url=f"{here}{ply + 1}" if ply < last else None,
        last_url=f"{here}{last}",
    )
