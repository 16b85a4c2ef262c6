"""How worths are compared."""

from itertools import pairwise

from bitduel.core.evaluation import DRAW, LOSS, UNSEEN_WORTH, WIN, Evaluation
from bitduel.core.evaluator import MoveEvaluation, best
from bitduel.core.hints import told
from bitduel.solver.move_values import glimpse
from bitduel.solver.review import MatchValue

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
    assert Evaluation(DRAW).rank == UNSEEN_WORTH.rank


def test_players_order_them_alike() -> None:
    for worse, better in pairwise(ORDER):
        choices = [MoveEvaluation("a", worse), MoveEvaluation("b", better)]
        assert [choice.move for choice in best(choices)] == ["b"]
        assert glimpse(choices, [False, False], no_slips).best().tolist() == [[False, True]]
        assert glimpse(choices[::-1], [False, False], no_slips).perfect().tolist() == [[1, 0]]


def test_nobody_says_at_once_of_what_is_not_known() -> None:
    assert told(Evaluation(WIN)) == "wins"
    assert told(Evaluation(LOSS)) == "loses"
    assert 0 < MatchValue(Evaluation(WIN)).lean < MatchValue(Evaluation(WIN, 500)).lean
    assert MatchValue(Evaluation(LOSS)).lean < 0
