"""Points, intervals, play and luck: by hand, against SciPy, and by what must not change."""

from math import isclose
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from arena.made import pair, row, simulated
from bitduel.arena.luck import luck
from bitduel.arena.measures import Measured, cross_table, faults_ended, measure
from bitduel.arena.rows import Row
from bitduel.arena.sure import rate
from bitduel.arena.tally import MOST_WAITING, Tally, tally


def by_name(rows: list[Row]) -> dict[str, Measured]:
    return {each.player: each for each in measure(tally(rows))}


@given(st.integers(1, 500), st.data())
def test_wilson_is_as_scipy_has_it(trials: int, data: st.DataObject) -> None:
    won = data.draw(st.integers(0, trials))
    low, high = binomtest(won, trials).proportion_ci(method="wilson")
    found = rate(won, trials)
    assert found is not None
    assert isclose(found.low, low, abs_tol=1e-9)
    assert isclose(found.high, high, abs_tol=1e-9)


def test_one_match_by_hand() -> None:
    ada, ben = by_name([row()])["ada"], by_name([row()])["ben"]
    assert ada.standing.all == (1, 0, 0)
    assert ben.standing.second == (0, 0, 1)
    assert ada.play.moves == 2
    assert ben.play.moves == 1
    assert ada.play.regret
    assert ada.play.regret.value == 0
    assert ben.play.regret
    assert ben.play.regret.value == 1
    assert ben.play.blunders
    assert ben.play.blunders.value == 1
    assert ada.play.kept
    assert ada.play.kept.value == 1
    assert ben.play.kept is None
    assert ada.play.seconds == 0.25
    assert ada.play.tokens is None


def test_tokens_count_only_where_they_are_known() -> None:
    rows = [row(id="1", tokens=[30, None]), row(id="2", round=1)]
    assert by_name(rows)["ada"].play.tokens == 15
    assert by_name(rows)["ben"].play.tokens is None


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
    assert faults_ended(tally(rows)) == 1


def test_playing_against_oneself_brings_no_points_but_tells_of_the_play() -> None:
    found = by_name(pair("ada", "ada", 0, 1, 2))
    assert found["ada"].standing.score is None
    assert found["ada"].play.games == 4


def test_pairs_that_went_alike_make_the_score_surer_than_matches_apart() -> None:
    alike = [each for r in range(50) for each in pair("ada", "ben", r, 1, 1)]
    rng = Random(3)
    apart = [each for r in range(50) for each in pair("ada", "ben", r, rng.choice([1, 2]), rng.choice([1, 2]))]
    widths = []
    for rows in (alike, apart):
        score = by_name(rows)["ada"].standing.score
        assert score
        widths.append(score.high - score.low)
    assert widths[0] < widths[1] / 2


def test_who_won_everything_still_has_an_interval() -> None:
    score = by_name([each for r in range(10) for each in pair("ada", "ben", r, 1, 2)])["ada"].standing.score
    assert score
    assert score.high == 1
    assert 0.6 < score.low < 0.8


def test_pairs_are_found_in_any_order_and_waiting_is_bounded() -> None:
    rows = list(simulated({"ada": 0.5, "ben": 0.0, "cem": -0.5}, 20))
    shuffled = rows.copy()
    Random(1).shuffle(shuffled)
    assert tally(rows).pairs == tally(shuffled).pairs
    counted = Tally()
    for r in range(MOST_WAITING + 10):
        counted.add(rows[0]._replace(round=r))
    assert sum(len(book.waiting[False]) for book in counted.books.values()) == 10


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
    assert sum(each.standing.all.points for each in measure(tally(rows))) == len(rows)
    table = cross_table(tally(rows))
    for (one, two), record in table.items():
        assert record == table[two, one][::-1]


def test_mirrored_matches_make_everybody_even() -> None:
    rows = list(simulated({"ada": 1.0, "ben": 0.0}, 10))
    mirrored = [
        each._replace(id=f"{each.id}m", round=each.round + 100, seats=each.seats[::-1], swapped=each.swapped)
        for each in rows
    ]
    for each in measure(tally([*rows, *mirrored])):
        assert each.standing.score
        assert each.standing.score.value == 0.5


def lucky(rounds: int, skill: float, share: float, seed: int = 1) -> list[Row]:
    """Single matches in which a deal makes seat 1's chances better or worse."""
    rng = Random(seed)
    found = []
    for r in range(rounds):
        deal = rng.choice([-0.4, 0.4])
        winner = 1 if rng.random() < 0.5 + skill + share * deal else 2
        found.append(row(id=str(r), round=r, winner=winner, luck=deal, deal="x", held=None))
    return found


def test_luck_is_taken_out_and_the_interval_gets_smaller() -> None:
    ada, ben = luck(tally(lucky(4000, 0.05, 1.0)), row().title)
    assert ada.player == "ada"
    assert ada.adjusted.low < 0.55 < ada.adjusted.high
    assert ada.adjusted.high - ada.adjusted.low < 0.9 * (ada.score.high - ada.score.low)
    assert 0.55 < ada.explained < 0.72
    assert 0.9 < ada.share < 1.1
    assert isclose(ada.adjusted.value + ben.adjusted.value, 1)
    assert isclose(ada.luck, -ben.luck)


def test_luck_that_nobody_uses_explains_nothing() -> None:
    ada, _ = luck(tally(lucky(4000, 0.05, 0.0)), row().title)
    assert ada.explained < 0.01
    assert abs(ada.adjusted.value - ada.score.value) < 0.01


def test_a_game_without_deals_has_no_luck() -> None:
    assert luck(tally([row()]), row().title) == []


def test_the_interval_of_regret_holds_the_truth_about_95_times_in_100() -> None:
    rng, plain, inside = Random(1), row(), 0
    for _ in range(200):
        counted = Tally()
        for r in range(60):
            decisions = rng.randrange(1, 6)
            lost = sum(rng.random() < 0.3 for _ in range(decisions))
            counted.add(plain._replace(round=r, decisions=[decisions, 0], blunders=[lost, 0], regret=[lost, 0]))
        regret = measure(counted.close())[0].play.regret
        assert regret
        inside += regret.low < 0.3 < regret.high
    assert 0.90 < inside / 200 < 0.995
