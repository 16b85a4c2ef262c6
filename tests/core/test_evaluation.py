"""How worths are compared."""

from itertools import pairwise

from bitduel.core.evaluation import (
    DRAW,
    LOSS,
    UNKNOWN_EVALUATION,
    WIN,
    Evaluation,
    MoveEvaluation,
    best_choices,
)
from bitduel.core.phrases import evaluation_phrase
from bitduel.learning.review import MatchValue
from bitduel.solver.move_values import choice_values

ORDER = [
    Evaluation(LOSS, 1),
    Evaluation(LOSS, 8),
    Evaluation(LOSS),
    Evaluation(DRAW),
    Evaluation(WIN),
    Evaluation(WIN, 9),
    Evaluation(WIN, 1),
]
"""From worst to best; of what is far away but nobody knows how far, a loss is welcome and a win is not."""


def no_slips() -> list[float]:
    return [0.0, 0.0]


def test_an_end_that_nobody_knows_the_distance_of_is_further_away_than_any_known_one() -> None:
    assert all(worse.rank < better.rank for worse, better in pairwise(ORDER))
    assert Evaluation(DRAW).rank == UNKNOWN_EVALUATION.rank


def test_players_order_them_alike() -> None:
    for worse, better in pairwise(ORDER):
        choices = [MoveEvaluation("a", worse), MoveEvaluation("b", better)]
        assert [choice.move for choice in best_choices(choices)] == ["b"]
        assert choice_values(choices, [False, False], no_slips).best().tolist() == [[False, True]]
        assert choice_values(choices[::-1], [False, False], no_slips).optimal_policy().tolist() == [[1, 0]]


def test_nobody_says_at_once_of_what_is_not_known() -> None:
    assert evaluation_phrase(Evaluation(WIN)) == "wins"
    assert evaluation_phrase(Evaluation(LOSS)) == "loses"
    assert 0 < MatchValue(Evaluation(WIN)).lead < MatchValue(Evaluation(WIN, 500)).lead
    assert MatchValue(Evaluation(LOSS)).lead < 0
