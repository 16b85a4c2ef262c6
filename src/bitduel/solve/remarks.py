"""A review in words."""

from bitduel.core.advice import either, moves
from bitduel.core.words import Names
from bitduel.solve.review import Review, Standing, Step


def standing_text(standing: Standing, names: Names) -> str:
    """Who stands to win, in words."""
    if standing.chance is not None:
        return f"{names[0]} wins with probability {standing.chance:.3f}"
    if standing.winner is None:
        return "a draw"
    name = names[standing.winner - 1]
    if standing.plies == 0:
        return f"{name} has won"
    return f"{name} wins{moves(standing.plies)}"


def remark(step: Step, names: Names) -> str:
    """What the player could have done instead, and what for."""
    who, better = names[step.seat - 1], either(step.better)
    if step.before.chance is not None:
        return f"{better} was better: {_own(step.before, step.seat):.3f} instead of {_own(step.after, step.seat):.3f}"
    could = "won" if step.before.winner == step.seat else "drawn"
    return f"{who} could still have {could} here, by {better}"


def last_chances(review: Review) -> set[int]:
    """The plies of the moves that gave away what their player never had again."""
    last = {(step.seat, step.before.winner == step.seat): step.ply for step in review.steps if step.turning}
    return set(last.values())


def _own(standing: Standing, seat: int) -> float:
    chance = standing.chance or 0.0
    return chance if seat == 1 else 1 - chance
