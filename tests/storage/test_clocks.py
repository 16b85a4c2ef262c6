"""Clocks, by themselves and in the store: what is decided is decided once, and time without a server does not count."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.outcomes import AGREED_DRAW, CALLED_OFF, RESIGNATION, TIME, Outcome
from bitduel.storage import OverError, Store, open_store
from bitduel.storage import writes as changes
from bitduel.storage.clocks import BEAT, GAP, MATCH, MOVE, Clock, ClockSettings, seat_after
from bitduel.storage.schema import SECOND
from bitduel.storage.stored_match import new_row
from bitduel.storage.writes import MatchMoment
from fake_time import FakeTime

HALF_MINUTE, FIVE_MINUTES = ClockSettings(MOVE, 30), ClockSettings(MATCH, 300)


@pytest.fixture
def start(store: Store, begin: Any, time: FakeTime) -> Callable[..., str]:
    """Begin a match whose clock runs for seat 1."""

    def started(clock: ClockSettings = HALF_MINUTE) -> str:
        match_id: str = begin(store, clock=clock)
        for seat in (1, 2):
            assert store.seats.claim(match_id, seat, f"owner {seat}")
            assert store.clocks.see(match_id, seat) == [match_id]
        return match_id

    return started


def left(store: Store, match_id: str, time: FakeTime) -> list[float]:
    clock = store.get(match_id).clock
    assert clock
    return [ticks / SECOND for ticks in clock.remaining(time())]


def test_a_clock_is_stored_with_its_match_and_others_have_none(store: Store, begin: Any, time: FakeTime) -> None:
    timed, other = begin(store, clock=FIVE_MINUTES), begin(store)
    assert store.get(other).clock is None
    clock = store.find(timed).clock
    assert clock
    assert clock.settings == FIVE_MINUTES
    assert (clock.left, clock.running, clock.flag) == ((300 * SECOND, 300 * SECOND), None, None)
    assert store.clocks.deadlines() == []
    assert store.clocks.see(other, 1) == []


def test_it_starts_when_both_have_seen_the_match_and_passes_with_every_move(
    store: Store, begin: Any, time: FakeTime
) -> None:
    match_id = begin(store, clock=FIVE_MINUTES)
    token = store.get(match_id).token
    store.clocks.see(match_id, 2)
    time.pass_by(1000)
    assert left(store, match_id, time) == [300, 300]
    store.clocks.see(match_id, 1)
    assert store.get(match_id).token != token, "a reader notices that it has changed"
    time.pass_by(20)
    written = store.add(match_id, 0, "add")
    assert written.clock == store.get(match_id).clock
    time.pass_by(7)
    assert left(store, match_id, time) == [280, 293]
    assert store.clocks.deadlines() == [(match_id, time() + 293 * SECOND)]
    assert store.clocks.see(match_id, 1) == []


def test_a_move_shows_that_its_player_has_seen_the_match(store: Store, begin: Any, time: FakeTime) -> None:
    match_id = begin(store, clock=HALF_MINUTE)
    store.add(match_id, 0, "add")
    assert store.clocks.deadlines() == []
    time.pass_by(100)
    store.clocks.see(match_id, 2)
    assert store.clocks.deadlines() == [(match_id, time() + 30 * SECOND)]


def test_a_move_after_the_flag_changes_nothing_and_the_flag_falls_once(
    store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    match_id = start()
    store.clocks.beat()
    time.pass_by(9)
    assert store.clocks.end_if_up(match_id) == []
    for _ in range(7):
        time.pass_by(3)
        store.clocks.beat()
    with pytest.raises(OverError, match="is up"):
        store.add(match_id, 0, "add", backs=0, by=(1, "owner 1"))
    with pytest.raises(OverError, match="is up"):
        store.take_back(match_id, 0)
    with pytest.raises(OverError, match="is up"):
        store.settle(match_id, Outcome(None, AGREED_DRAW), MatchMoment(0, 0))
    assert store.get(match_id).moves == ()
    assert store.get(match_id).outcome is None
    assert store.clocks.end_if_up(match_id) == [match_id]
    assert store.clocks.end_if_up(match_id) == []
    assert store.get(match_id).outcome == Outcome(2, TIME)
    assert left(store, match_id, time) == [0, 30]
    assert store.clocks.deadlines() == []
    with pytest.raises(OverError):
        store.add(match_id, 0, "add")


def test_a_match_to_which_somebody_does_not_come_is_called_off(store: Store, begin: Any, time: FakeTime) -> None:
    row = new_row(
        store.get(begin(store)).match(),
        ("human", "human"),
        ("Ada", "Ben"),
        clock=HALF_MINUTE,
        come_until=time() + SECOND,
    )
    row |= {"id": "late", "sitting": "late", "round": 1, "rounds": 1}
    store._database.write(changes.begin(row, ()))
    store.clocks.see("late", 1)
    assert store.clocks.end_if_up("late") == []
    time.pass_by(1)
    assert store.clocks.see("late", 2) == [], "too late"
    assert store.clocks.end_if_up("late") == ["late"]
    assert store.get("late").outcome == Outcome(None, CALLED_OFF)


@pytest.mark.parametrize("clock", [HALF_MINUTE, FIVE_MINUTES])
def test_a_take_back_gives_no_time_back(
    store: Store, start: Callable[..., str], time: FakeTime, clock: ClockSettings
) -> None:
    match_id = start(clock)
    time.pass_by(5)
    store.add(match_id, 0, "add")
    time.pass_by(4)
    store.take_back(match_id, 0)
    running = store.get(match_id).clock
    assert running
    assert running.running == 1
    assert left(store, match_id, time) == ([30, 30] if clock == HALF_MINUTE else [295, 296])


def test_the_clock_stops_with_the_match_however_it_ends(
    store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    resigned, agreed, won = start(FIVE_MINUTES), start(FIVE_MINUTES), start(FIVE_MINUTES)
    time.pass_by(8)
    store.end(resigned, Outcome(2, RESIGNATION))
    store.settle(agreed, Outcome(None, AGREED_DRAW), MatchMoment(0, 0))
    store.add(won, 0, "double", Outcome(1, "reached 64"))
    time.pass_by(1000)
    assert store.clocks.deadlines() == []
    for match_id in (resigned, agreed, won):
        assert left(store, match_id, time) == [292, 300]
        assert store.clocks.end_if_up(match_id) == []


def test_time_without_a_server_is_given_back_once_and_before_a_flag_falls(
    store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    match_id = start()
    time.pass_by(4)
    assert store.clocks.beat() == []
    time.pass_by(3600)
    with pytest.raises(OverError):
        store.add(match_id, 0, "add")
    assert store.clocks.end_if_up(match_id) == [match_id]
    assert store.get(match_id).outcome is None
    assert left(store, match_id, time) == [26, 30]
    assert store.clocks.beat() == []
    store.add(match_id, 0, "add")


def test_a_server_that_is_killed_before_its_first_heartbeat_takes_no_time_either(
    store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    match_id = start()
    time.pass_by(3600)
    assert store.clocks.beat() == [match_id]
    assert left(store, match_id, time) == [30, 30]


def test_the_time_before_the_start_is_not_given_back(store: Store, begin: Any, time: FakeTime) -> None:
    match_id = begin(store, clock=HALF_MINUTE)
    time.pass_by(3600)
    for seat in (1, 2):
        store.clocks.see(match_id, seat)
    time.pass_by(1)
    assert store.clocks.beat() == []
    assert left(store, match_id, time) == [29, 30]


def test_a_clock_that_starts_after_a_quiet_day_gets_no_time_as_a_gift(
    store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    store.clocks.beat()
    time.pass_by(86_400)
    match_id = start()
    time.pass_by((GAP - 1) / SECOND)
    assert store.clocks.beat() == []
    time.pass_by(BEAT / SECOND)
    assert store.clocks.beat() == []
    assert left(store, match_id, time) == [17.000001, 30]


def test_of_a_move_and_a_flag_at_the_same_moment_exactly_one_counts(
    url: str, store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    with open_store(url) as other, ThreadPoolExecutor(2) as pool:
        for _ in range(8):
            match_id, both = start(ClockSettings(MOVE, 5)), Barrier(2)
            time.pass_by(4.9)
            work = changes.add(match_id, 0, "add", None)
            time.pass_by(0.1)

            def move(both: Barrier = both, work: Any = work) -> bool:
                both.wait()
                try:
                    store._database.write(work)
                except OverError:
                    return False
                return True

            def fall(both: Barrier = both, match_id: str = match_id) -> bool:
                both.wait()
                return match_id in other.clocks.end_if_up(match_id)

            moved, fell = pool.submit(move), pool.submit(fall)
            assert moved.result() != fell.result()
            stored = store.get(match_id)
            assert (stored.moves, stored.outcome) == ((("add",), None) if moved.result() else ((), Outcome(2, TIME)))


def test_of_many_who_let_a_flag_fall_one_does(
    url: str, store: Store, start: Callable[..., str], time: FakeTime
) -> None:
    match_id = start(ClockSettings(MOVE, 5))
    time.pass_by(5)
    with open_store(url) as other, ThreadPoolExecutor(6) as pool:
        fell = [pool.submit(each.clocks.end_if_up, match_id) for each in (store, other) * 3]
        assert sorted(one.result() for one in fell) == [[], [], [], [], [], [match_id]]


TURNS = st.lists(st.integers(0, 20 * SECOND), max_size=12)


def ready(kind: str, seconds: int, first: int = 1) -> Clock:
    """A clock that both have seen at time 0."""
    clock = Clock(kind, seconds, (seconds * SECOND, seconds * SECOND))
    return clock.see(1, first, 0).see(2, first, 0)


def test_a_clock_starts_with_the_second_who_sees_the_match_and_for_the_player_to_move() -> None:
    new = Clock(MOVE, 30, (30 * SECOND, 30 * SECOND))
    once = new.see(2, 1, 5)
    assert (once.running, once.flag, once.has_seen(2), once.has_seen(1)) == (None, None, True, False)
    assert once.see(2, 1, 6) == once
    assert once.see(1, 1, 7)[3:] == (1, 7 + 30 * SECOND, 3)


def test_a_turn_that_passes_before_the_start_takes_no_time() -> None:
    new = Clock(MATCH, 60, (60 * SECOND, 60 * SECOND))
    assert new.pass_turn(2, 10**9) == new


@given(TURNS, st.sampled_from([1, 2]))
def test_each_player_has_the_time_of_the_match_less_the_turns_of_their_own(turns: list[int], first: int) -> None:
    seconds = 10_000
    clock, moment, used = ready(MATCH, seconds, first), 0, {1: 0, 2: 0}
    for ply, ticks in enumerate(turns):
        seat = seat_after(first, ply)
        assert clock.running == seat
        moment += ticks
        used[seat] += ticks
        clock = clock.pass_turn(3 - seat, moment)
    assert clock.remaining(moment) == tuple(seconds * SECOND - used[seat] for seat in (1, 2))


@given(TURNS, st.integers(0, 29 * SECOND))
def test_with_time_for_each_move_every_turn_begins_with_all_of_it(turns: list[int], more: int) -> None:
    clock, moment = ready(MOVE, 30), 0
    for ticks in turns:
        moment += ticks
        clock = clock.pass_turn(3 - (clock.running or 0), moment)
    left = {clock.running: 30 * SECOND - more, 3 - (clock.running or 0): 30 * SECOND}
    assert clock.remaining(moment + more) == (left[1], left[2])
    assert clock.is_up(moment + 30 * SECOND)
    assert not clock.is_up(moment + 30 * SECOND - 1)


@given(st.sampled_from([MOVE, MATCH]), st.integers(0, 40 * SECOND))
def test_a_stopped_clock_keeps_what_is_left_and_never_less_than_nothing(kind: str, ticks: int) -> None:
    stopped = ready(kind, 30).stop(ticks)
    assert stopped.left == (max(0, 30 * SECOND - ticks), 30 * SECOND)
    assert (stopped.running, stopped.flag) == (None, None)
    assert stopped.remaining(10**12) == stopped.left


def test_whose_time_is_up_has_lost_and_a_match_to_which_somebody_did_not_come_does_not_count() -> None:
    assert ready(MOVE, 30, 2).outcome() == Outcome(1, TIME)
    assert Clock(MOVE, 30, (0, 0), flag=5).outcome() == Outcome(None, CALLED_OFF)
