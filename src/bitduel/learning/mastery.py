"""Mastery of a game: one whole match of the standard game against perfect play, from the seat that shows it.

Where the game can be won from there, it is won. Where it cannot, it is played to its end without a slip, and a draw is
not made in a few moves.
"""

from typing import Any

from bitduel.core.evaluation import LOSS, WIN, Evaluation, best_choices
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.outcomes import can_be_claimed
from bitduel.learning.review import review
from bitduel.solver.evaluators import evaluator_for

EVEN = 0.5
FEWEST_MOVES = 8
"""The moves of one's own that a drawn match needs to count: in some games a match can be drawn at the first turn."""
DRAW_RULE = "A draw counts only if you made at least eight moves."


def _at_start(game: Game[Any]) -> Evaluation:
    match = Match(game, deal=game.any_deal())
    return best_choices(evaluator_for(game).choices(match.view(1)))[0].evaluation


def should_start(game: Game[Any]) -> bool:
    """Return whether whoever wants to master a game should move first; who can only draw moves second, to hold it."""
    evaluation = _at_start(game)
    if evaluation.win_probability is not None:
        return evaluation.win_probability >= EVEN
    return evaluation.value == WIN


def can_be_won(game: Game[Any]) -> bool:
    """Return whether the better seat of a game wins against perfect play."""
    return _at_start(game).value in (WIN, LOSS)


def mastery_task(game: Game[Any]) -> str:
    """Say what the match is about."""
    seat = "first" if should_start(game) else "second"
    if can_be_won(game):
        return f"Play a whole match against perfect play. You go {seat}, and from there you can win. Win it."
    goal = "Luck may decide it. What counts is" if game.has_chance else "Nobody can force a win here. What counts is"
    rule = "" if game.has_chance else f" {DRAW_RULE}"
    return f"Play a whole match against perfect play. You go {seat}. {goal} that you make no mistake.{rule}"


def is_fought_out(match: Match, seat: int) -> bool:
    """Return whether a finished match was won by somebody, or drawn after enough moves of a seat."""
    own = sum(match.seat_at(ply) == seat and move != PASS for ply, move in enumerate(match.moves))
    return match.outcome is not None and (match.outcome.winner is not None or own >= FEWEST_MOVES)


def shows_mastery(match: Match, seat: int) -> bool:
    """Return whether a finished match against perfect play shows that a seat has mastered the game."""
    game, outcome = match.game, match.outcome
    if outcome is None or can_be_claimed(outcome) or game.open_options != type(game)().open_options:
        return False
    if (match.first == seat) != should_start(game):
        return False
    if can_be_won(game):
        return outcome.winner == seat
    return is_fought_out(match, seat) and not any(step.turning for step in review(match).steps if step.seat == seat)
