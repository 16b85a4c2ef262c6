"""How matches in a store are found again, on each kind of database."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import cycle
from typing import Any

import pytest

from bitduel.core.errors import UnknownNameError
from bitduel.core.outcomes import RESIGNATION, Outcome
from bitduel.storage import RoundTakenError, Store, StoredMatch, StoreError, UnknownMatchError, schema

Begin = Callable[..., str]


def test_ids_are_short_and_typeable(store: Store, begin: Begin) -> None:
    match_id = begin(store)
    assert 6 <= len(match_id) <= 8
    assert set(match_id) <= set(schema.ID_ALPHABET)
    assert not set("01ilo") & set(schema.ID_ALPHABET)


def test_an_id_that_is_taken_is_drawn_again(store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["bbbbbbb", "bbbbbbb", "bbbbbbb", "ccccccc"])
    monkeypatch.setattr("bitduel.storage.writes.new_id", lambda: next(drawn))
    assert [begin(store), begin(store)] == ["bbbbbbb", "ccccccc"]


def test_running_out_of_ids_is_said(store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitduel.storage.writes.new_id", lambda: "bbbbbbb")
    begin(store)
    with pytest.raises(StoreError, match="no free id"):
        begin(store, sitting="ccccccc")


def test_a_unique_beginning_of_an_id_is_enough(store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["bcd3333", "bcd2222", "xyz2222"])
    monkeypatch.setattr("bitduel.storage.writes.new_id", lambda: next(drawn))
    for _ in range(3):
        begin(store)
    found = {prefix: store.get(prefix).id for prefix in ("x", " XYZ ", "bcd2", "bcd3333")}
    assert found == {"x": "xyz2222", " XYZ ": "xyz2222", "bcd2": "bcd2222", "bcd3333": "bcd3333"}
    with pytest.raises(UnknownMatchError, match=r"Several matches begin with 'b': bcd2222, bcd3333\."):
        store.get("b")


def test_an_exact_id_is_found_among_many_longer_ones(
    store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["bc", *(f"bc{letter}" for letter in schema.ID_ALPHABET[:9])])
    monkeypatch.setattr("bitduel.storage.writes.new_id", lambda: next(drawn))
    for _ in range(10):
        begin(store)
    assert store.get("bc").id == "bc"
    with pytest.raises(UnknownMatchError, match="and others"):
        store.get("b")


def test_an_id_that_belongs_to_no_match_is_said_to_be_unknown(store: Store, begin: Begin) -> None:
    begin(store)
    for text in ("", " ", "%", "_", "b%", "é", "zzzzzzzz", "b\0", "b'; --", "\udcff", "b" * 500):
        with pytest.raises(UnknownMatchError, match=r"There is no match|is not the id") as caught:
            store.get(text)
        assert str(caught.value).isprintable()
        assert caught.value.status == 1


def history(store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Five matches, a day apart, the oldest first."""
    days = cycle(schema.to_ticks(datetime(2026, 1, day, 9, tzinfo=UTC)) for day in range(1, 6))
    monkeypatch.setattr("bitduel.storage.stored_match.now", lambda: next(days))
    kinds = [
        begin(store, "64", ("Ada", "Ben")),
        begin(store, "31", ("ÖDÖN", "Ada")),
        begin(store, "64", ("Ben", "Cleo")),
        begin(store, "bits", ("Ben", "Straße")),
        begin(store, "64", ("ada", "Dan")),
    ]
    monkeypatch.setattr("bitduel.storage.writes.now", lambda: schema.to_ticks(datetime(2026, 2, 1, tzinfo=UTC)))
    store.end(kinds[0], Outcome(1, RESIGNATION))
    store.end(kinds[1], Outcome(2, RESIGNATION))
    store.end(kinds[2], Outcome(None, "repetition"))
    return kinds


DAY = {day: datetime(2026, 1, day, 9, tzinfo=UTC) for day in range(1, 6)}


FILTERS: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [4, 3, 2, 1, 0]),
    ({"limit": 2}, [4, 3]),
    ({"limit": 0}, []),
    ({"game": "binary-race-64"}, [4, 2, 0]),
    ({"player": "ADA"}, [4, 1, 0]),
    ({"player": "ödön"}, [1]),
    ({"player": "STRASSE"}, [3]),
    ({"player": "A%"}, []),
    ({"result": "open"}, [4, 3]),
    ({"result": "1"}, [0]),
    ({"result": "2"}, [1]),
    ({"result": "draw"}, [2]),
    ({"since": DAY[2], "until": DAY[4]}, [2, 1]),
    ({"since": DAY[5] + timedelta(microseconds=1)}, []),
    ({"since": DAY[5].astimezone()}, [4]),
    ({"game": "binary-race-64", "player": "ben", "result": "draw", "limit": 1}, [2]),
]


def test_a_history_is_filtered_and_newest_first(store: Store, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = history(store, begin, monkeypatch)
    for conditions, expected in FILTERS:
        assert [found.id for found in store.matches(**conditions)] == [kept[i] for i in expected], conditions


def test_a_result_that_there_is_not_is_refused(store: Store) -> None:
    with pytest.raises(UnknownNameError, match=r"There is no result 'won'.*open, 1, 2, draw"):
        store.matches(result="won")


def test_the_open_match_played_last_is_the_one_to_resume(store: Store, begin: Begin) -> None:
    assert store.unfinished() is None
    older, newer = begin(store), begin(store)
    assert _id(store.unfinished()) == newer
    store.add(older, 0, "add")
    assert _id(store.unfinished()) == older
    store.end(older, Outcome(1, RESIGNATION))
    assert _id(store.unfinished()) == newer
    store.end(newer, Outcome(1, RESIGNATION))
    assert store.unfinished() is None


def test_a_match_whose_seats_are_taken_is_left_to_those_who_have_them(store: Store, begin: Begin) -> None:
    own, others = begin(store), begin(store)
    store.seats.claim(others, 2, "somebody")
    assert _id(store.unfinished()) == own
    store.end(own, Outcome(1, RESIGNATION))
    assert store.unfinished() is None


def test_a_sitting_with_a_round_to_come_can_be_resumed_between_rounds(store: Store, begin: Begin) -> None:
    first = begin(store, rounds=2)
    store.end(first, Outcome(1, RESIGNATION))
    assert _id(store.unfinished()) == first
    second = begin(store, sitting=first, round=2, rounds=2)
    assert _id(store.unfinished()) == second
    store.end(second, Outcome(2, RESIGNATION))
    assert store.unfinished() is None


def _id(kept: StoredMatch | None) -> str | None:
    return kept.id if kept else None


def test_a_sitting_lists_its_rounds_in_order(store: Store, begin: Begin) -> None:
    first = begin(store, rounds=3)
    begin(store)
    third = begin(store, sitting=first, round=3, rounds=3)
    second = begin(store, sitting=first, round=2, rounds=3)
    assert [(kept.id, kept.round) for kept in store.sitting(first)] == [(first, 1), (second, 2), (third, 3)]
    assert store.sitting("2222222") == []


def test_a_round_is_begun_once(store: Store, begin: Begin) -> None:
    first = begin(store, rounds=2)
    begin(store, sitting=first, round=2, rounds=2)
    with pytest.raises(RoundTakenError, match="Round 2 of this match has already begun elsewhere"):
        begin(store, sitting=first, round=2, rounds=2)
    assert len(store.matches()) == 2


def test_of_a_day_without_an_hour_the_whole_day_counts(store: Store, begin: Begin) -> None:
    """Wherever the clock of the machine stands: the day is compared with that of the bounds, here."""
    match_id = begin(store, started=schema.day_only(date(2026, 1, 3)))
    assert not store.get(match_id).has_hour
    assert store.get(match_id).changed == store.get(match_id).started
    day = {number: datetime(2026, 1, number).astimezone() for number in (2, 3, 4)}
    bounded: list[tuple[dict[str, Any], list[str]]] = [
        ({"since": day[3], "until": day[4]}, [match_id]),
        ({"since": day[4]}, []),
        ({"until": day[3]}, []),
        ({"since": day[2], "until": day[3]}, []),
    ]
    for bounds, expected in bounded:
        assert [found.id for found in store.matches(**bounds)] == expected
