"""The clock of a match, by itself: whose time passes, and how much is left."""

from hypothesis import given
from hypothesis import strategies as st

from bitduel.core.outcomes import CALLED_OFF, TIME, Outcome
from bitduel.storage.clocks import MATCH, MOVE, Clock, seat_after
from bitduel.storage.schema import SECOND

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
