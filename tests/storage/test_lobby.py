"""The queue of people who look for an opponent: each is paired once, with somebody else who is there."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitduel.core.match import Match
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.games.registry import make
from bitduel.storage import Store, open_store
from bitduel.storage.clocks import MOVE, ClockSettings
from bitduel.storage.lobby import PRESENT_FOR, REMEMBERED_FOR, LobbyFullError
from bitduel.storage.stored_match import new_row
from fake_time import FakeTime


def row(game: str | None) -> dict[str, Any]:
    """The row of a match on a clock."""
    match = Match(make(game or "64"))
    return new_row(match, ("human", "human"), ("Blue Seven", "Red One"), clock=ClockSettings(MOVE, 30))


def enter(store: Store, owner: str, game: str | None = None) -> str | None:
    return store.lobby.enter(owner, game, row).match_id


def test_two_who_come_are_paired_in_one_match_with_a_seat_each(store: Store) -> None:
    assert enter(store, "ada") is None
    match_id = enter(store, "ben")
    assert match_id
    found = store.lobby.find("ada")
    assert found
    assert found.match_id == match_id
    assert store.seats.owners(match_id) == {1: "ada", 2: "ben"}
    assert store.get(match_id).names == ("Blue Seven", "Red One")
    assert store.get(match_id).clock


def test_nobody_is_paired_with_themselves(store: Store) -> None:
    for _ in range(3):
        assert enter(store, "ada") is None
    assert store.matches() == []


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("double", "double", "double-or-nothing"),
        ("double", None, "double-or-nothing"),
        (None, "double", "double-or-nothing"),
        (None, None, "binary-race-64"),
        ("double", "31", None),
    ],
)
def test_people_meet_in_the_same_game_or_in_any(
    store: Store, first: str | None, second: str | None, game: str | None
) -> None:
    slugs = [make(name).slug if name else None for name in (first, second)]
    enter(store, "ada", slugs[0])
    found = enter(store, "ben", slugs[1])
    assert (store.get(found).game if found else None) == game


def test_who_has_waited_longest_is_first_and_keeps_the_place_while_asking(store: Store, time: FakeTime) -> None:
    for owner, game in (("ada", "binary-race-64"), ("ben", "binary-race-31"), ("ada", "binary-race-64")):
        time.now += 1
        enter(store, owner, game)
    found = enter(store, "cyd")
    assert found
    assert "ada" in store.seats.owners(found).values()


def test_who_is_not_there_any_more_is_not_paired_but_keeps_the_place_for_a_while(store: Store, time: FakeTime) -> None:
    enter(store, "ada")
    before = store.lobby.find("ada")
    time.now += PRESENT_FOR
    assert enter(store, "ben", "binary-race-31") is None
    assert store.lobby.find("ada") == before, "as after a restart"
    found = enter(store, "ada")
    assert found
    assert store.seats.owners(found) == {1: "ben", 2: "ada"}
    time.now += REMEMBERED_FOR + PRESENT_FOR + 1
    enter(store, "cyd")
    assert store.lobby.find("ada") is None


def test_who_was_paired_stays_in_that_match_until_it_is_over(store: Store) -> None:
    enter(store, "ada")
    match_id = enter(store, "ben")
    assert match_id
    assert enter(store, "cyd") is None
    assert enter(store, "ada") == match_id
    store.end(match_id, Outcome(1, RESIGNATION))
    again = enter(store, "ada")
    assert again not in (None, match_id)
    assert store.seats.owners(again or "") == {1: "cyd", 2: "ada"}


def test_who_leaves_is_not_paired(store: Store) -> None:
    enter(store, "ada")
    store.lobby.leave("ada")
    store.lobby.leave("nobody")
    assert enter(store, "ben") is None


def test_the_queue_is_bounded_and_those_in_it_are_served(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.storage.lobby.MOST_WAITING", 2)
    enter(store, "ada", "binary-race-64")
    enter(store, "ben", "binary-race-31")
    with pytest.raises(LobbyFullError, match="Too many people"):
        enter(store, "cyd", "binary-battle")
    assert enter(store, "ada", "binary-race-64") is None


def test_an_id_that_is_taken_is_tried_again_and_pairs_nobody_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = (f"id{number // 2}" for number in count())
    monkeypatch.setattr("bitduel.storage.lobby.new_id", lambda: next(ids))
    for owner in ("ada", "ben", "cyd", "dan"):
        enter(store, owner)
    assert len(store.matches()) == 2


def test_of_many_who_come_at_once_each_is_paired_exactly_once(url: str) -> None:
    people = [f"person {number}" for number in range(12)]
    with ExitStack() as stack, ThreadPoolExecutor(len(people)) as pool:
        stores = [stack.enter_context(open_store(url)) for _ in range(3)]
        for done in [pool.submit(enter, stores[number % 3], who) for number, who in enumerate(people)]:
            done.result()
        matches = stores[0].matches()
        held = Counter(owner for match in matches for owner in stores[0].seats.owners(match.id).values())
        assert held == Counter(people)
        for who in people:
            found = stores[0].lobby.find(who)
            assert found
            assert who in stores[0].seats.owners(found.match_id or "").values()


GAMES = st.sampled_from([None, "binary-race-64", "binary-race-31"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("enter"), st.integers(0, 4), GAMES),
        st.tuples(st.just("leave"), st.integers(0, 4), st.none()),
        st.tuples(st.just("wait"), st.sampled_from([1, PRESENT_FOR - 1, PRESENT_FOR]), st.none()),
        st.tuples(st.just("end"), st.integers(0, 4), st.none()),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("lobby")
    with open_store(f"sqlite:///{folder}/x.db") as opened:
        yield opened


@settings(max_examples=30, deadline=None)
@given(steps=STEPS)
def test_whatever_people_do_a_match_has_two_of_them_and_nobody_waits_beside_somebody_fitting(
    shared: Store, steps: list[tuple[str, int, str | None]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        time = FakeTime(patch)
        for number in range(5):
            shared.lobby.leave(f"person {number}")
        for step, number, game in steps:
            owner = f"person {number}"
            if step == "wait":
                time.now += number
            elif step == "leave":
                shared.lobby.leave(owner)
            elif step == "enter":
                enter(shared, owner, game)
            elif (found := shared.lobby.find(owner)) and found.match_id:
                shared.end(found.match_id, Outcome(1, RESIGNATION))
        entries = [entry for number in range(5) if (entry := shared.lobby.find(f"person {number}"))]
        for entry in entries:
            if entry.match_id:
                assert len(set(shared.seats.owners(entry.match_id).values())) == 2
        waiting = [entry.game for entry in entries if not entry.match_id and entry.present_until > time.now]
        assert len(waiting) == len(set(waiting))
        assert None not in waiting or len(waiting) == 1
