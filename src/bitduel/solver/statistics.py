"""How well somebody plays: how often a won position was kept."""

from itertools import pairwise
from typing import NamedTuple

from bitduel.core.errors import BitduelError
from bitduel.core.evaluation import WIN
from bitduel.core.evaluator import best
from bitduel.core.match import Match
from bitduel.solver.evaluators import evaluator_for
from bitduel.solver.review import concessions


class WonPositions(NamedTuple):
    """Positions that were won for a player to move, or given up by one, and how many still were won after it."""

    held: int
    met: int


def won_positions(match: Match, seat: int) -> WonPositions | None:
    """How often a seat held a won position; None where that cannot be told."""
    if match.game.chance:
        return None
    try:
        judge = evaluator_for(match.game)
    except BitduelError:
        return None
    held = met = 0
    for before, after in pairwise(match.walk()):
        if before.next_seat != seat:
            continue
        choices = {choice.move: choice for choice in judge.choices(before.view(seat))}
        if best(list(choices.values()))[0].worth.value == WIN:
            met += 1
            held += choices[after.moves[-1]].worth.value == WIN
    met += any(each.seat == seat == each.before.winner for each in concessions(match, (), judge))
    return WonPositions(held, met)
