"""Strengths: known ones are found again within their intervals, and what cannot be known is said."""

from math import isclose, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.synthetic_rows import pair, row, simulated
from bitduel.arena.game_record import GameRecord
from bitduel.arena.strength import SCALE, Strengths, _Model, fit_strengths
from bitduel.arena.tally import RunTally

TRUE = {"ada": 1.0, "ben": 0.3, "cem": -0.2, "dan": -1.1}


def found(rows: list[GameRecord], faults_count: bool = True) -> Strengths:
    return fit_strengths(RunTally(rows).clusters(), faults_count)


def points(rows: list[GameRecord]) -> dict[str, float]:
    return {each.player: each.points.value for each in found(rows).players}


def test_known_strengths_seats_and_draws_are_found_again() -> None:
    model = found(list(simulated(TRUE, 300, first=0.4, drawn=-0.5, seed=2)))
    assert [each.player for each in model.players] == list(TRUE)
    for each in model.players:
        assert each.points.ends[0] < SCALE * TRUE[each.player] < each.points.ends[1]
        assert each.points.ends[1] - each.points.ends[0] < 70
    ((first),) = model.first_seat.values()
    assert first.ends[0] < SCALE * 0.4 < first.ends[1]
    (draws,) = model.draws.values()
    assert abs(draws - np.exp(-0.5) / (2 + np.exp(-0.5))) < 0.03


def test_the_intervals_hold_the_truth_about_95_times_in_100() -> None:
    inside = total = 0
    for seed in range(60):
        for each in found(list(simulated(TRUE, 15, seed=seed))).players:
            inside += each.points.ends[0] < SCALE * TRUE[each.player] < each.points.ends[1]
            total += 1
    assert 0.90 < inside / total < 0.995


@pytest.mark.thorough
def test_a_lead_holds_the_truth_whoever_is_found_to_be_the_strongest() -> None:
    inside = 0
    for seed in range(60):
        model = found(list(simulated(TRUE, 30, seed=seed)))
        assert model.lead[model.players[0].player] == (0, 0, 0)
        lead = model.lead["dan"]
        inside += lead.ends[0] < SCALE * (TRUE["ada"] - TRUE["dan"]) < lead.ends[1]
    assert inside >= 57


def test_pairs_that_share_their_luck_widen_the_interval() -> None:
    """Where one player wins both matches of a pair, twenty matches tell as much as ten."""
    rng = Random(4)
    rows, apart = [], []
    for r in range(200):
        ada_wins = rng.random() < 0.5
        rows += pair("ada", "ben", r, 1 if ada_wins else 2, 2 if ada_wins else 1)
        apart += pair("ada", "ben", r, rng.choice([1, 2]), rng.choice([1, 2]))
    widths = [
        each.points.ends[1] - each.points.ends[0] for model in (found(rows), found(apart)) for each in model.players[:1]
    ]
    assert 1.3 < widths[0] / widths[1] < 1.5


def test_the_slope_and_the_bend_are_those_of_the_likelihood() -> None:
    model = _Model(RunTally(simulated(TRUE, 5)).clusters(), faults_count=True)
    rng = np.random.default_rng(1)
    at, step = rng.normal(size=model.size), 1e-5
    for place in range(model.size):
        aside = np.zeros(model.size)
        aside[place] = step
        up = (model.log_likelihood(at + aside) - model.log_likelihood(at - aside)) / (2 * step)
        assert isclose(up, model.gradient(at)[place], rel_tol=1e-4, abs_tol=1e-4)
        bend = -(model.gradient(at + aside) - model.gradient(at - aside)) / (2 * step)
        assert np.allclose(bend, model.information(at)[place], rtol=1e-4, atol=1e-4)
    assert np.abs(model.gradient(model.fit())).max() < 1e-6


def test_who_won_everything_is_finite_noted_and_the_stronger_the_more_was_won() -> None:
    few, many = (found([g for r in range(n) for g in pair("ada", "ben", r, 1, 2)]) for n in (10, 500))
    for model in (few, many):
        best, worst = model.players
        assert (best.player, best.note, worst.note) == ("ada", "won everything", "lost everything")
        assert best.points.value == -worst.points.value > 0
        assert best.points.ends[0] > 0
    assert few.players[0].points.value < many.players[0].points.value < SCALE * log(1e6)


def test_nothing_but_draws_and_nothing_but_first_seats_stay_finite() -> None:
    for winner in (None, 1):
        model = found([g for r in range(50) for g in pair("ada", "ben", r, winner, winner)])
        assert [round(each.points.value, 6) for each in model.players] == [0, 0]
        assert all(np.isfinite(each.points.ends).all() for each in model.players)


def test_groups_that_never_met_are_said_and_compared_within() -> None:
    rows = [g for r in range(20) for g in [*pair("ada", "ben", r, 1, 1), *pair("cem", "dan", r, 1, 2)]]
    model = found(rows)
    assert model.groups == 2
    for group in (1, 2):
        assert isclose(sum(each.points.value for each in model.players if each.group == group), 0, abs_tol=1e-9)


def test_faults_can_be_left_out() -> None:
    rows = [g for r in range(20) for g in pair("ada", "ben", r, 1, 1)]
    late = {"fault": "late", "reason": "time", "seats": ["ben", "ada"], "winner": 2}
    faults = [row(id=f"f{r}", round=100 + r, **late) for r in range(20)]
    with_faults, without = found(rows + faults), found(rows + faults, faults_count=False)
    assert with_faults.players[0].points.value > 30
    assert isclose(without.players[0].points.value, 0, abs_tol=1e-6)


def test_nobody_and_oneself() -> None:
    assert found([]).players == ()
    (alone,) = found(pair("ada", "ada", 0, 1, 1)).players
    assert isclose(alone.points.value, 0, abs_tol=1e-9)


@given(st.integers(0, 500), st.permutations(list(TRUE)))
def test_renaming_renames_the_strengths(seed: int, order: list[str]) -> None:
    rows = list(simulated(TRUE, 3, seed=seed))
    called = dict(zip(TRUE, order, strict=True))
    before = points(rows)
    after = points([each._replace(seats=[called[name] for name in each.seats]) for each in rows])
    assert all(isclose(after[called[name]], before[name], abs_tol=1e-4) for name in TRUE)


@given(st.integers(0, 500))
def test_with_every_match_mirrored_all_are_even(seed: int) -> None:
    rows = list(simulated({"ada": 1.0, "ben": 0.0}, 5, seed=seed))
    mirrored = [each._replace(id=f"{each.id}m", round=each.round + 100, seats=each.seats[::-1]) for each in rows]
    assert all(abs(value) < 1e-6 for value in points(rows + mirrored).values())
