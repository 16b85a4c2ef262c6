"""The law of the track against the table, at every length and every finish."""

from dataclasses import replace

import numpy as np
import pytest

from bitduel.core.match import Match
from bitduel.games.binary_race_31 import BinaryRace31
from bitduel.games.binary_race_31.rules import TrackEvaluator, moves_needed
from bitduel.solver.evaluators import TableEvaluator, evaluator_for

FINISHES = ["sample", "any", "exact"]


def check(length: int, finish: str) -> None:
    game = BinaryRace31(length=length, finish=finish)
    law, table = TrackEvaluator(game), TableEvaluator(game).solution
    start = Match(game).view(1)
    for index in np.flatnonzero(table.table.verdict == 0).tolist():
        position = table.table.position_at(index)
        assert law.evaluate(position) == table.evaluation_at(index), position
        choices = table.choices(index)
        view = replace(start, board=game.observe(position, True, False), legal=tuple(choice.move for choice in choices))
        assert law.choices(view) == choices, position


@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("length", [*range(1, 36), 47, 48, 49])
def test_the_law_agrees_with_the_table_everywhere(length: int, finish: str) -> None:
    check(length, finish)


@pytest.mark.slow
@pytest.mark.parametrize("finish", FINISHES)
@pytest.mark.parametrize("length", range(36, 130))
def test_the_law_agrees_with_the_table_everywhere_on_longer_tracks(length: int, finish: str) -> None:
    check(length, finish)


def test_the_fewest_moves_are_what_trying_them_all_finds() -> None:
    passing, exact = [0], [0]
    for left in range(1, 2000):
        passing.append(1 + min(passing[max(left - move, 0)] for move in (1, 2, 4, 8, 16)))
        exact.append(1 + min(exact[left - move] for move in (1, 2, 4, 8, 16) if move <= left))
    assert passing == [moves_needed(left, exact=False) for left in range(2000)]
    assert exact == [moves_needed(left, exact=True) for left in range(2000)]


def test_a_long_track_is_judged_by_its_law_and_played_out_as_it_says() -> None:
    game = BinaryRace31(length=3000, finish="exact")
    evaluator = evaluator_for(game)
    assert isinstance(evaluator, TrackEvaluator)
    assert evaluator.depth == 2 * moves_needed(3000, exact=True)
    match = Match(game)
    while match.to_move:
        match.play(min(evaluator.policy(match.view(match.to_move))))
    assert match.outcome
    assert match.outcome.winner == 1
    assert match.ply == 2 * moves_needed(3000, exact=True) - 1
