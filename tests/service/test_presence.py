"""Who is here, who is away, and when a match that was left can be claimed."""

from collections.abc import Iterator
from typing import Any

import pytest

from bitduel.core.outcomes import ABANDONED, Outcome
from bitduel.service import presence
from bitduel.service.credentials import hashed
from bitduel.service.match_session import LateError
from bitduel.service.offers import OfferService
from bitduel.service.presence import LIVE, PLAYING_FOR, PRESENT_FOR, SLOW
from bitduel.storage.schema import SECOND
from bitduel.storage.writes import MatchMoment
from bitduel.web.offer_pages import offers_panel
from web.fixtures import StoreMatch
from web.players import LIT, Clock, SeatPlayers, alone
from web.sites import LocalApp


@pytest.fixture
def clock(app: LocalApp) -> Iterator[Clock]:
    usual, made = app.service.presence.clock, Clock()
    app.service.presence.clock = made
    yield made
    app.service.presence.clock = usual


def test_a_match_that_the_other_left_is_claimed_after_five_minutes_and_not_before(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, clock: Clock
) -> None:
    for win, winner in ((True, 1), (False, None)):
        two = sit(moves=LIT)
        app.service.visit(two.id, two.ben)
        clock.pass_by(PRESENT_FOR + LIVE - SECOND)
        with pytest.raises(LateError, match="hasn't been away"):
            offers.claim(two.id, two.ada, win, two.now)
        clock.pass_by(2 * SECOND)
        with pytest.raises(LateError):
            offers.claim(two.id, two.ada, win, MatchMoment(2, 0))
        offers.claim(two.id, two.ada, win, two.now)
        assert two.outcome == Outcome(winner, ABANDONED)


def test_whoever_looks_in_is_here_and_keeps_the_match(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, clock: Clock
) -> None:
    two = sit(moves=LIT)
    app.service.visit(two.id, two.ben)
    clock.pass_by(PRESENT_FOR + LIVE + SECOND)
    before = two.session
    assert app.service.presence.has_left(before, 2)
    app.browser().get(f"/matches/{two.id}")
    assert app.service.presence.has_left(two.session, 2), "a spectator is not the player"
    app.service.visit(two.id, two.ben)
    with pytest.raises(LateError):
        offers.claim(two.id, two.ada, True, two.now)


def test_who_comes_back_in_the_very_moment_of_the_claim_keeps_the_match(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = sit(moves=LIT)
    app.service.visit(two.id, two.ben)
    clock.pass_by(PRESENT_FOR + LIVE + SECOND)
    settle = app.store.settle

    def too_late(*values: Any) -> None:
        app.service.visit(two.id, two.ben)
        settle(*values)

    monkeypatch.setattr(app.store, "settle", too_late)
    with pytest.raises(LateError, match="is back"):
        offers.claim(two.id, two.ada, True, two.now)
    assert two.outcome is None


def test_ones_own_turn_is_no_reason_to_claim(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, clock: Clock
) -> None:
    two = sit(moves=LIT[:2])
    app.service.visit(two.id, two.ben)
    clock.pass_by(PRESENT_FOR + LIVE + SECOND)
    with pytest.raises(LateError):
        offers.claim(two.id, two.ada, True, two.now)


def test_who_had_not_been_here_when_the_turn_came_has_a_day(
    app: LocalApp, offers: OfferService, sit: SeatPlayers, clock: Clock
) -> None:
    two = sit(moves=LIT)
    clock.pass_by(LIVE * 3)
    with pytest.raises(LateError):
        offers.claim(two.id, two.ada, True, two.now)
    clock.pass_by(SLOW)
    offers.claim(two.id, two.ada, True, two.now)
    assert two.outcome == Outcome(1, ABANDONED)


def test_a_page_that_listens_is_present_until_it_is_closed(app: LocalApp, sit: SeatPlayers, clock: Clock) -> None:
    two, presence = sit(), app.service.presence
    with presence.connected(two.session, two.ada):
        for _ in range(5):
            presence.tick()
            assert presence.is_present(two.session, 1)
            clock.pass_by(PRESENT_FOR - SECOND)
        presence.tick()
        with presence.connected(two.session, two.ada):
            pass
        presence.tick()
        assert presence.is_present(two.session, 1), "another page of the same player is still open"
    presence.tick()
    assert not presence.is_present(two.session, 1)
    assert not presence._connected
    assert not presence.is_present(two.session, 2)


def test_signs_are_written_rarely(
    app: LocalApp, sit: SeatPlayers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = sit()
    written: list[object] = []
    seen = app.store.seats.mark_present

    def write(those: list[tuple[str, str]], until: int) -> None:
        written.append(until)
        seen(those, until)

    monkeypatch.setattr(app.store.seats, "mark_present", write)
    for _ in range(20):
        app.service.visit(two.id, two.ada)
        clock.pass_by(SECOND)
    assert len(written) == 1
    clock.pass_by(PRESENT_FOR)
    app.service.visit(two.id, two.ada)
    assert len(written) == 2


def test_nobody_is_told_to_be_here_but_people_across_the_table(app: LocalApp, sit: SeatPlayers) -> None:
    two = sit()
    app.service.visit(two.id, two.ada)

    def signs(owner: str | None) -> object:
        return offers_panel(app.service, two.session, two.session.seats(owner), [two.session.stored]).presence

    assert [signs(owner) for owner in (two.ada, two.ben, None)] == [[None, "away"], ["here", None], ["here", "away"]]
    for opponent in ("random", "here"):
        one = alone(app, opponent)
        app.service.visit(one.id, one.ada)
        page = offers_panel(app.service, one.session, (), [one.session.stored])
        assert page.presence == [None, None]


def test_those_who_watch_are_woken_when_somebody_is_gone_and_when_the_match_can_be_claimed(
    app: LocalApp, sit: SeatPlayers, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    two, presence = sit(moves=LIT), app.service.presence
    woken: list[str] = []
    monkeypatch.setitem(app.service.hub.subscribers, two.id, set())
    monkeypatch.setattr(app.service.hub, "wake", woken.append)
    presence.tick()
    app.service.visit(two.id, two.ben)
    woken.clear()
    clock.pass_by(PRESENT_FOR // 2)
    presence.tick()
    assert woken == []
    clock.pass_by(PRESENT_FOR)
    presence.tick()
    assert woken == [two.id]
    clock.pass_by(LIVE)
    presence.tick()
    assert woken == [two.id, two.id]


def test_who_was_seen_on_a_seat_of_a_match_that_goes_on_is_playing(
    app: LocalApp, store_match: StoreMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [1000.0]
    monkeypatch.setattr(presence, "monotonic", lambda: moment[0])
    seated, over = store_match(), store_match(options={"target": 4}, moves=("double", "double"))
    ada, ben, carl = hashed(seated.tokens[0]), hashed(seated.tokens[1]), hashed(over.tokens[0])
    app.service.visit(seated.id, ada)
    app.service.visit(over.id, carl)
    app.service.visit(seated.id, carl)
    found = app.service.presence
    assert [found.is_playing(owner) for owner in (ada, ben, carl, "")] == [True, False, False, False]
    moment[0] += PLAYING_FOR - 1
    assert found.is_playing(ada)
    moment[0] += 1
    assert not found.is_playing(ada)


def test_of_too_many_who_play_the_one_who_came_first_is_forgotten(
    app: LocalApp, store_match: StoreMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MOST_PLAYING", 1)
    seated = store_match()
    ada, ben = (hashed(token) for token in seated.tokens)
    for owner in (ada, ben):
        app.service.visit(seated.id, owner)
    assert [app.service.presence.is_playing(owner) for owner in (ada, ben)] == [False, True]


def test_a_seat_that_is_not_remembered_is_looked_up_and_strangers_only_so_often(
    app: LocalApp, store_match: StoreMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "monotonic", lambda: 1000.0)
    monkeypatch.setattr(presence, "LOOK_UPS", 3)
    found = presence.Presence(app.store, app.service.hub)
    seated, over = store_match(), store_match(options={"target": 4}, moves=("double", "double"))
    ada, carl = hashed(seated.tokens[0]), hashed(over.tokens[0])
    assert [found.find_playing(owner) for owner in (ada, carl, carl, "x")] == [True, False, False, False]
    assert found.is_playing(ada)
    assert not found.find_playing(hashed(seated.tokens[1]))  # too many look-ups in this second
    monkeypatch.setattr(presence, "monotonic", lambda: 1001.0)
    assert found.find_playing(hashed(seated.tokens[1]))


def test_whoever_takes_a_seat_is_playing_at_once(app: LocalApp) -> None:
    who, friend = app.browser(), app.browser()
    made = who.post("/api/v1/matches", json={"game": "64"}).json()
    path = f"/api/v1/matches/{made['match']['id']}/seat"
    joined = friend.post(path, json={"invitation": made["invitation"]}).json()
    assert all(app.service.presence.is_playing(hashed(each["token"])) for each in (made, joined))
