"""Descriptions of the levels in one game, as their promises and their policies there have it."""

from functools import lru_cache
from typing import Any

import numpy as np

from bitduel.core.game import Game, Verdict
from bitduel.core.phrases import percentage
from bitduel.players.evaluating_players import LEVELS, erring_policy, named_level
from bitduel.players.spec import EASY, HARD, KINDS, MEDIUM
from bitduel.solver.evaluators import TableEvaluator, depth_limited_evaluator

WITH_HIDDEN_INFORMATION = {
    EASY: "takes a win in one move once it is certain; often guesses badly",
    MEDIUM: "takes a win in one move once it is certain; guesses better",
    HARD: "finds a certain win in two of its moves; guesses well",
}
"""Nobody can stop the other there, so a promise can only be about wins that no secret left can prevent."""


@lru_cache(maxsize=256)
def level_about(game: Game[Any], name: str) -> str:
    """Return a few words about a built-in player in a game."""
    if name not in LEVELS:
        return KINDS[name].about
    if not game.has_perfect_information:
        return WITH_HIDDEN_INFORMATION[name]
    if game.longest_forced_win == 1:
        share = overlooked_threats(game, name)
        rate = "may overlook a threat" if share is None else f"overlooks a threat {percentage(share)} of the time"
        return f"takes a win in one move; {rate}"
    evaluator = depth_limited_evaluator(game)
    if isinstance(evaluator, TableEvaluator) and evaluator.depth < LEVELS[name].foresight:
        return f"{KINDS[name].about}, which is perfect play here"
    return KINDS[name].about


def overlooked_threats(game: Game[Any], name: str) -> float | None:
    """Return how often a level allows a win in one that it could stop: the mean over all positions with a threat.

    None where there are too many positions to look at, 0 where there is no threat.
    """
    evaluator = depth_limited_evaluator(game)
    if not isinstance(evaluator, TableEvaluator):
        return None
    values = evaluator.move_values(np.flatnonzero(evaluator.solution.table.verdict == Verdict.OPEN))
    fatal = values.legal & (values.sign < 0) & (values.plies <= 2)
    can_stop = fatal.any(axis=1) & (values.legal & ~fatal).any(axis=1)
    if not can_stop.any():
        return 0.0
    policy = erring_policy(values, named_level(game, name))
    return float((policy * fatal).sum(axis=1)[can_stop].mean())
