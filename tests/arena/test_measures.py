"""Points, intervals, play and luck: by hand, against SciPy, and by what must not change."""

from math import isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.synthetic_rows import pair, row, simulated
from bitduel.arena.game_record import GameRecord
from bitduel.arena.intervals import estimate_share, quantile, wilson
from bitduel.arena.measures import PlayerMeasures, cross_table, luck_shares, measure
from bitduel.arena.tally import CLUSTERS, Result, RunTally

BY_FAULT = Result.WON_BY_FAULT, Result.LOST_BY_FAULT


def by_name(rows: list[GameRecord]) -> dict[str, PlayerMeasures]:
    return {each.player: each for each in measure(RunTally(rows))}


@given(st.integers(1, 500), st.data())
def test_wilson_is_as_scipy_has_it(trials: int, data: st.DataObject) -> None:
    from scipy.stats import binomtest  # slow to import, so only by the worker that runs this

    won = data.draw(st.integers(0, trials))
    low, high = binomtest(won, trials).proportion_ci(method="wilson")
    found = wilson(won / trials, trials)
    assert isclose(found.ends[0], low, abs_tol=1e-9)
    assert isclose(found.ends[1], high, abs_tol=1e-9)


@given(st.integers(1, 3000), st.floats(0.5, 0.9999))
def test_student_s_quantile_is_as_scipy_has_it(freedom: int, sure: float) -> None:
    from scipy.stats import t as student

    exact = student.ppf((1 + sure) / 2, min(freedom, 2000))
    assert isclose(quantile(freedom, sure), exact, rel_tol=1e-6)


def test_a_single_cluster_has_no_interval_and_none_has_no_value() -> None:
    assert estimate_share([[(1, 2)]]) == (0.5, None, None)
    assert estimate_share([[], [(0, 0)]]) is None


def test_strata_of_few_clusters_are_pooled_and_others_are_not() -> None:
    """Two pairings that differ: with one round the difference widens the interval, with many it does not."""
    one, many = (estimate_share([[(2, 2)] * n, [(0, 2)] * n]) for n in (1, 50))
    assert one is not None
    assert many is not None
    assert one.ends == (0.0, 1.0) or one.ends[1] - one.ends[0] > 0.9
    assert many.ends[1] - many.ends[0] < 0.1


def test_a_player_of_one_round_has_no_interval_where_all_share_a_deal() -> None:
    rows = pair("ada", "ben", 0, 1, 2, deal="x") + pair("ada", "cem", 0, 1, 1, deal="x")
    ada = by_name(rows)["ada"]
    assert ada.standing.score
    assert ada.standing.score.is_open
    assert ada.play.regret_per_decision
    assert ada.play.regret_per_decision.is_open
    plain = by_name(pair("ada", "ben", 0, 1, 2) + pair("ada", "cem", 0, 1, 1))["ada"]
    assert plain.standing.score
    assert not plain.standing.score.is_open


def test_one_long_match_does_not_set_a_player_s_regret() -> None:
    short = [row(id=str(n), round=n, regret=[0.0, 0], decisions=[2, 0], blunders=[0, 0]) for n in range(9)]
    long = row(id="long", round=9, regret=[900.0, 0], decisions=[1000, 0], blunders=[900, 0])
    play = by_name([*short, long])["ada"].play
    assert play.regret_per_decision
    assert isclose(play.regret_per_decision.value, 0.09)
    assert play.blunder_rate
    assert isclose(play.blunder_rate.value, 0.09)
    assert isclose(play.pooled.regret_per_decision or 0, 900 / 1018)
    assert isclose(play.pooled.blunder_rate or 0, 900 / 1018)


def test_a_match_without_a_decision_says_nothing_of_regret() -> None:
    rows = [row(id="1", regret=[0, 0.5], decisions=[0, 1]), row(id="2", round=1, regret=[0, 0.0], decisions=[0, 1],
            blunders=[0, 0])]  # fmt: skip
    found = by_name(rows)
    assert found["ada"].play.regret_per_decision is None
    assert found["ben"].play.regret_per_decision
    assert found["ben"].play.regret_per_decision.value == 0.25


@pytest.mark.parametrize("fault", [None, "no end after 10000 plies"])
def test_a_match_that_was_abandoned_is_a_draw_and_no_fault(fault: str | None) -> None:
    """Also in rows of older runs, which called it a fault."""
    rows = [*pair("ada", "ben", 0, 1, 1), row(round=1, winner=None, reason="abandoned", fault=fault)]
    ada = by_name(rows)["ada"]
    assert ada.standing.all == ada.without_faults.all == (1, 1, 1)
    assert ada.standing.abandoned == 1
    assert ada.play.faults == {}
    assert [RunTally(rows).count(*results) for results in (BY_FAULT, [Result.ABANDONED])] == [0, 1]


def test_one_match_by_hand() -> None:
    ada, ben = by_name([row()])["ada"], by_name([row()])["ben"]
    assert ada.standing.all == (1, 0, 0)
    assert ben.standing.second == (0, 0, 1)
    assert ada.play.moves == 2
    assert ben.play.moves == 1
    assert ada.play.regret_per_decision
    assert ada.play.regret_per_decision.value == 0
    assert ben.play.regret_per_decision
    assert ben.play.regret_per_decision.value == 1
    assert ben.play.blunder_rate
    assert ben.play.blunder_rate.value == 1
    assert ada.play.won_positions_kept
    assert ada.play.won_positions_kept.value == 1
    assert ben.play.won_positions_kept is None
    assert ada.play.seconds_per_move == 0.25
    assert ada.play.tokens_per_move is None


def test_tokens_count_only_where_they_are_known() -> None:
    rows = [row(id="1", tokens=[30, None]), row(id="2", round=1)]
    assert by_name(rows)["ada"].play.tokens_per_move == 15
    assert by_name(rows)["ben"].play.tokens_per_move is None


def test_faults_are_losses_and_are_also_left_out() -> None:
    rows = [
        *pair("ada", "ben", 0, 1, 1),
        row(round=1, fault="no answer", reason="time", faults=[{"slow": 3}, {"unreadable": 2}]),
    ]
    ben = by_name(rows)["ben"]
    assert ben.standing.all == (1, 0, 2)
    assert ben.without_faults.all == (1, 0, 1)
    assert ben.play.faults == {"time": 1, "unreadable": 2}
    assert by_name(rows)["ada"].play.faults == {"slow": 3}
    assert RunTally(rows).count(*BY_FAULT) == 1


def test_playing_against_oneself_brings_no_points_but_tells_of_the_play() -> None:
    found = by_name(pair("ada", "ada", 0, 1, 2))
    assert found["ada"].standing.score is None
    assert found["ada"].play.moves


def test_pairs_that_went_alike_make_the_score_surer_than_matches_apart() -> None:
    alike = [each for r in range(50) for each in pair("ada", "ben", r, 1, 1)]
    rng = Random(3)
    apart = [each for r in range(50) for each in pair("ada", "ben", r, rng.choice([1, 2]), rng.choice([1, 2]))]
    widths = []
    for rows in (alike, apart):
        score = by_name(rows)["ada"].standing.score
        assert score
        widths.append(score.ends[1] - score.ends[0])
    assert widths[0] < widths[1] / 2


def test_who_won_everything_still_has_an_interval() -> None:
    score = by_name([each for r in range(10) for each in pair("ada", "ben", r, 1, 2)])["ada"].standing.score
    assert score
    assert score.ends[1] == 1
    assert 0.6 < score.ends[0] < 0.8


def test_matches_may_come_in_any_order_and_what_is_kept_is_bounded() -> None:
    rows = list(simulated({"ada": 0.5, "ben": 0.0, "cem": -0.5}, 20))
    shuffled = rows.copy()
    Random(1).shuffle(shuffled)
    before, after = by_name(rows), by_name(shuffled)
    for name, each in before.items():
        assert (each.standing.first, each.standing.second) == (after[name].standing.first, after[name].standing.second)
        for one, two in (
            (each.standing.score, after[name].standing.score),
            (each.play.regret_per_decision, after[name].play.regret_per_decision),
        ):
            assert one is not None
            assert two is not None
            assert all(isclose(mine, theirs) for mine, theirs in zip(one.ends, two.ends, strict=True))
    counted = RunTally()
    for r in range(10 * CLUSTERS):
        counted.add(rows[0]._replace(round=r))
    assert [len(book.cells) for book in counted.pairs.values()] == [CLUSTERS]


names = st.permutations(["ada", "ben", "cem"])


@given(st.integers(0, 1000), names)
def test_swapping_names_swaps_what_is_measured_and_nothing_else(seed: int, order: list[str]) -> None:
    rows = list(simulated({"ada": 0.7, "ben": 0.0, "cem": -0.4}, 4, seed=seed))
    called = dict(zip(["ada", "ben", "cem"], order, strict=True))
    renamed = [each._replace(seats=[called[name] for name in each.seats]) for each in rows]
    before, after = by_name(rows), by_name(renamed)
    for old, new in called.items():
        assert after[new]._replace(player=old) == before[old]


@given(st.integers(0, 1000))
def test_the_points_of_all_are_as_many_as_the_matches(seed: int) -> None:
    rows = list(simulated({"ada": 0.7, "ben": 0.0, "cem": -0.4}, 3, seed=seed))
    assert sum(each.standing.all.points for each in measure(RunTally(rows))) == len(rows)
    table = cross_table(RunTally(rows))
    for (one, two), record in table.items():
        assert record == table[two, one][::-1]


def test_mirrored_matches_make_everybody_even() -> None:
    rows = list(simulated({"ada": 1.0, "ben": 0.0}, 10))
    mirrored = [
        each._replace(id=f"{each.id}m", round=each.round + 100, seats=each.seats[::-1], swapped=each.swapped)
        for each in rows
    ]
    for each in measure(RunTally([*rows, *mirrored])):
        assert each.standing.score
        assert each.standing.score.value == 0.5


def lucky(rounds: int, skill: float, share: float, seed: int = 1) -> list[GameRecord]:
    """Single matches in which a deal makes seat 1's chances better or worse."""
    rng = Random(seed)
    found = []
    for r in range(rounds):
        deal = rng.choice([-0.4, 0.4])
        winner = 1 if rng.random() < 0.5 + skill + share * deal else 2
        found.append(row(id=str(r), round=r, winner=winner, luck=deal, deal="x", held=None))
    return found


def test_luck_is_taken_out_and_the_interval_gets_smaller() -> None:
    ada, ben = luck_shares(RunTally(lucky(4000, 0.05, 1.0)), row().title)
    assert ada.player == "ada"
    assert ada.adjusted.ends[0] < 0.55 < ada.adjusted.ends[1]
    assert ada.adjusted.ends[1] - ada.adjusted.ends[0] < 0.9 * (ada.score.ends[1] - ada.score.ends[0])
    assert ada.explained is not None
    assert 0.55 < ada.explained < 0.72
    assert 0.9 < ada.share < 1.1
    assert isclose(ada.adjusted.value + ben.adjusted.value, 1)
    assert isclose(ada.luck, -ben.luck)


def test_luck_that_nobody_uses_explains_nothing() -> None:
    ada, _ = luck_shares(RunTally(lucky(4000, 0.05, 0.0)), row().title)
    assert ada.explained is not None
    assert ada.explained < 0.01
    assert abs(ada.adjusted.value - ada.score.value) < 0.01


@pytest.mark.parametrize(("rounds", "tells"), [(1, False), (40, True)])
def test_one_round_does_not_tell_what_the_deals_explain(rounds: int, tells: bool) -> None:
    found = luck_shares(RunTally(lucky(rounds, 0.05, 1.0)), row().title)
    assert [each.explained is not None for each in found] == [tells] * 2


def test_a_game_without_deals_has_no_luck() -> None:
    assert luck_shares(RunTally([row()]), row().title) == []


@pytest.mark.thorough
def test_the_interval_of_regret_holds_the_truth_about_95_times_in_100() -> None:
    rng, plain, inside = Random(1), row(), 0
    for _ in range(200):
        counted = RunTally()
        for r in range(60):
            decisions = rng.randrange(1, 6)
            lost = sum(rng.random() < 0.3 for _ in range(decisions))
            counted.add(plain._replace(round=r, decisions=[decisions, 0], blunders=[lost, 0], regret=[lost, 0]))
        regret = measure(counted)[0].play.regret_per_decision
        assert regret
        inside += regret.ends[0] < 0.3 < regret.ends[1]
    assert 0.90 < inside / 200 < 0.995
