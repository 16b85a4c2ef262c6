"""How worths are compared."""

from itertools import pairwise

from bitduel.core.advice import told
from bitduel.core.judge import Judged, best
from bitduel.core.worth import DRAW, LOSS, UNSEEN_WORTH, WIN, Worth
from bitduel.solve.outlook import glimpse
from bitduel.solve.review import Standing

ORDER = [Worth(LOSS, 1), Worth(LOSS, 8), Worth(LOSS), Worth(DRAW), Worth(WIN), Worth(WIN, 9), Worth(WIN, 1)]
"""From worst to best; of what is far away but nobody knows how far, a loss is welcome and a win is not."""


def no_slips() -> list[float]:
    return [0.0, 0.0]


def test_an_end_that_nobody_knows_the_distance_of_is_further_away_than_any_known_one() -> None:
    assert all(worse.rank < better.rank for worse, better in pairwise(ORDER))
    assert Worth(DRAW).rank == UNSEEN_WORTH.rank


def test_players_order_them_alike() -> None:
    for worse, better in pairwise(ORDER):
        choices = [Judged("a", worse), Judged("b", better)]
        assert [choice.move for choice in best(choices)] == ["b"]
        assert glimpse(choices, [False, False], no_slips).best().tolist() == [[False, True]]
        assert glimpse(choices[::-1], [False, False], no_slips).perfect().tolist() == [[1, 0]]


def test_nobody_says_at_once_of_what_is_not_known() -> None:
    assert told(Worth(WIN)) == "wins"
    assert told(Worth(LOSS)) == "loses"
    assert 0 < Standing(Worth(WIN)).lean < Standing(Worth(WIN, 500)).lean
    assert Standing(Worth(LOSS)).lean < 0
