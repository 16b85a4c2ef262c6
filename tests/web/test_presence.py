"""Who is here, who is away, and when a match that was left can be claimed."""

from collections.abc import Iterator
from typing import Any

import pytest

from bitduel.core.endings import ABANDONED, Outcome
from bitduel.service import presence
from bitduel.service.match_service import hashed
from bitduel.service.match_session import LateError
from bitduel.service.presence import HERE_FOR, LIVE, PLAYING_FOR, SECOND, SLOW
from bitduel.storage.writes import MatchMoment
from bitduel.web.offers import OfferService
from bitduel.web.offers_page import table_page
from web.conftest import Hold
from web.houses import House
from web.tables import LIT, Clock, Sit, alone


@pytest.fixture
def clock(house: House) -> Iterator[Clock]:
    usual, made = house.desk.presence.clock, Clock()
    house.desk.presence.clock = made
    yield made
    house.desk.presence.clock = usual


def test_a_match_that_the_other_left_is_claimed_after_five_minutes_and_not_before(
    house: House, table: OfferService, sit: Sit, clock: Clock
) -> None:
    for win, winner in ((True, 1), (False, None)):
        two = sit(moves=LIT)
        house.desk.look(two.id, two.ben)
        clock.pass_by(HERE_FOR + LIVE - SECOND)
        with pytest.raises(LateError, match="not been away"):
            table.claim(two.id, two.ada, win, two.now)
        clock.pass_by(2 * SECOND)
        with pytest.raises(LateError):
            table.claim(two.id, two.ada, win, MatchMoment(2, 0))
        table.claim(two.id, two.ada, win, two.now)
        assert two.outcome == Outcome(winner, ABANDONED)


def test_whoever_looks_in_is_here_and_keeps_the_match(
    house: House, table: OfferService, sit: Sit, clock: Clock
) -> None:
    two = sit(moves=LIT)
    house.desk.look(two.id, two.ben)
    clock.pass_by(HERE_FOR + LIVE + SECOND)
    before = two.seating
    assert house.desk.presence.left_for_long(before, 2)
    house.browser().get(f"/matches/{two.id}")
    assert house.desk.presence.left_for_long(two.seating, 2), "a spectator is not the player"
    house.desk.look(two.id, two.ben)
    with pytest.raises(LateError):
        table.claim(two.id, two.ada, True, two.now)


def test_who_comes_back_in_the_very_moment_of_the_claim_keeps_the_match(
    house: House, table: OfferService, sit: Sit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = sit(moves=LIT)
    house.desk.look(two.id, two.ben)
    clock.pass_by(HERE_FOR + LIVE + SECOND)
    settle = house.store.settle

    def too_late(*values: Any) -> None:
        house.desk.look(two.id, two.ben)
        settle(*values)

    monkeypatch.setattr(house.store, "settle", too_late)
    with pytest.raises(LateError, match="here again"):
        table.claim(two.id, two.ada, True, two.now)
    assert two.outcome is None


def test_ones_own_turn_is_no_reason_to_claim(house: House, table: OfferService, sit: Sit, clock: Clock) -> None:
    two = sit(moves=LIT[:2])
    house.desk.look(two.id, two.ben)
    clock.pass_by(HERE_FOR + LIVE + SECOND)
    with pytest.raises(LateError):
        table.claim(two.id, two.ada, True, two.now)


def test_who_had_not_been_here_when_the_turn_came_has_a_day(
    house: House, table: OfferService, sit: Sit, clock: Clock
) -> None:
    two = sit(moves=LIT)
    clock.pass_by(LIVE * 3)
    with pytest.raises(LateError):
        table.claim(two.id, two.ada, True, two.now)
    clock.pass_by(SLOW)
    table.claim(two.id, two.ada, True, two.now)
    assert two.outcome == Outcome(1, ABANDONED)


def test_a_page_that_listens_is_present_until_it_is_closed(house: House, sit: Sit, clock: Clock) -> None:
    two, presence = sit(), house.desk.presence
    with presence.listening(two.seating, two.ada):
        for _ in range(5):
            presence.tick()
            assert presence.is_here(two.seating, 1)
            clock.pass_by(HERE_FOR - SECOND)
        presence.tick()
        with presence.listening(two.seating, two.ada):
            pass
        presence.tick()
        assert presence.is_here(two.seating, 1), "another page of the same player is still open"
    presence.tick()
    assert not presence.is_here(two.seating, 1)
    assert not presence._listening
    assert not presence.is_here(two.seating, 2)


def test_signs_are_written_rarely(house: House, sit: Sit, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    two = sit()
    written: list[object] = []
    seen = house.store.seats.seen

    def write(those: list[tuple[str, str]], until: int) -> None:
        written.append(until)
        seen(those, until)

    monkeypatch.setattr(house.store.seats, "seen", write)
    for _ in range(20):
        house.desk.look(two.id, two.ada)
        clock.pass_by(SECOND)
    assert len(written) == 1
    clock.pass_by(HERE_FOR)
    house.desk.look(two.id, two.ada)
    assert len(written) == 2


def test_nobody_is_told_to_be_here_but_people_across_the_table(house: House, sit: Sit) -> None:
    two = sit()
    house.desk.look(two.id, two.ada)

    def signs(owner: str | None) -> object:
        return table_page(house.desk.presence, two.seating, owner, [two.seating.kept]).presence

    assert [signs(owner) for owner in (two.ada, two.ben, None)] == [(None, "away"), ("here", None), ("here", "away")]
    for opponent in ("random", "here"):
        one = alone(house, opponent)
        house.desk.look(one.id, one.ada)
        page = table_page(house.desk.presence, one.seating, None, [one.seating.kept])
        assert page.presence == (None, None)


def test_those_who_watch_are_woken_when_somebody_is_gone_and_when_the_match_can_be_claimed(
    house: House, sit: Sit, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two, presence = sit(moves=LIT), house.desk.presence
    woken: list[str] = []
    monkeypatch.setattr(house.desk.hub, "watched", lambda: [two.id])
    monkeypatch.setattr(house.desk.hub, "wake", woken.append)
    presence.tick()
    house.desk.look(two.id, two.ben)
    woken.clear()
    clock.pass_by(HERE_FOR // 2)
    presence.tick()
    assert woken == []
    clock.pass_by(HERE_FOR)
    presence.tick()
    assert woken == [two.id]
    clock.pass_by(LIVE)
    presence.tick()
    assert woken == [two.id, two.id]


def test_who_was_seen_on_a_seat_of_a_match_that_goes_on_is_playing(
    house: House, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [1000.0]
    monkeypatch.setattr(presence, "monotonic", lambda: moment[0])
    held, over = hold(), hold(options={"target": 4}, moves=("double", "double"))
    ada, ben, carl = hashed(held.tokens[0]), hashed(held.tokens[1]), hashed(over.tokens[0])
    house.desk.look(held.id, ada)
    house.desk.look(over.id, carl)
    house.desk.look(held.id, carl)
    found = house.desk.presence
    assert [found.is_playing(owner) for owner in (ada, ben, carl, "")] == [True, False, False, False]
    moment[0] += PLAYING_FOR - 1
    assert found.is_playing(ada)
    moment[0] += 1
    assert not found.is_playing(ada)


def test_of_too_many_who_play_the_one_who_came_first_is_forgotten(
    house: House, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MOST_PLAYING", 1)
    held = hold()
    ada, ben = (hashed(token) for token in held.tokens)
    for owner in (ada, ben):
        house.desk.look(held.id, owner)
    assert [house.desk.presence.is_playing(owner) for owner in (ada, ben)] == [False, True]


def test_a_seat_that_is_not_remembered_is_looked_up_and_strangers_only_so_often(
    house: House, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "monotonic", lambda: 1000.0)
    monkeypatch.setattr(presence, "LOOK_UPS", 3)
    found = presence.Presence(house.store, house.desk.hub)
    held, over = hold(), hold(options={"target": 4}, moves=("double", "double"))
    ada, carl = hashed(held.tokens[0]), hashed(over.tokens[0])
    assert [found.find_playing(owner) for owner in (ada, carl, carl, "x")] == [True, False, False, False]
    assert found.is_playing(ada)
    assert not found.find_playing(hashed(held.tokens[1]))  # too many look-ups in this second
    monkeypatch.setattr(presence, "monotonic", lambda: 1001.0)
    assert found.find_playing(hashed(held.tokens[1]))


def test_whoever_takes_a_seat_is_playing_at_once(house: House) -> None:
    who, friend = house.browser(), house.browser()
    made = who.post("/api/v1/matches", json={"game": "64"}).json()
    path = f"/api/v1/matches/{made['match']['id']}/seat"
    joined = friend.post(path, json={"invitation": made["invitation"]}).json()
    assert all(house.desk.presence.is_playing(hashed(each["token"])) for each in (made, joined))
