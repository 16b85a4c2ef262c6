"""What the solver knows of a pupil: won positions kept, mistakes and decisions in a finished match."""

import json
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.game import PASS
from bitduel.core.match import SEATS, Match
from bitduel.learning.review import Review, review
from bitduel.service.new_match import check_size


class Insight(NamedTuple):
    """The moves of one seat, measured: `kept` of `met` won positions were still won after its move."""

    kept: int
    met: int
    mistakes: int
    decisions: int


def insight_text(match: Match) -> str:
    """Return the insight into each seat of a finished match as JSON; without values where nobody can know them."""
    try:
        check_size(match.game)
        reviewed = review(match)
    except BitduelError:
        return "{}"
    return json.dumps({str(seat): insight(reviewed, seat)._asdict() for seat in SEATS})


def insight(reviewed: Review, seat: int) -> Insight:
    """Return the insight into a seat; in a game of chance there are no won positions."""
    steps = [step for step in reviewed.steps if step.seat == seat and step.move != PASS]
    met = [step for step in steps if step.before.winner == seat]
    conceded = sum(each.seat == seat == each.before.winner for each in reviewed.concessions)
    return Insight(
        kept=sum(step.after.winner == seat for step in met),
        met=len(met) + conceded,
        mistakes=sum(step.turning for step in steps) + sum(each.seat == seat for each in reviewed.concessions),
        decisions=len(steps),
    )
