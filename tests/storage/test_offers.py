"""Questions between players, presence and tickets: each change in one transaction, on both kinds of database."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from bitduel.core.outcomes import AGREED_DRAW, RESIGNATION, Outcome
from bitduel.storage import NoLongerError, OverError, PlyTakenError, Store
from bitduel.storage.schema import now
from bitduel.storage.seats import Offer, SeatTransfer, absence_guard, offer_guard
from bitduel.storage.writes import MatchMoment, settle

DRAWN = Outcome(None, AGREED_DRAW)


@pytest.fixture
def sat(store: Store, begin: Any) -> str:
    """A match with two moves and both seats held."""
    match: str = begin(store)
    for ply in range(2):
        store.add(match, ply, "add")
    for seat, owner in ((1, "ada"), (2, "ben")):
        store.seats.claim(match, seat, owner)
    return match


def test_a_question_is_asked_declined_and_withdrawn(store: Store, sat: str) -> None:
    question = Offer("draw", sat, 2, 0)
    said = store.offers.make(sat, 1, "ada", question, over=False)
    assert (said[1].offer, said[2].offer) == (question, None)
    store.offers.decline(sat, 1, question)
    store.offers.decline(sat, 1, question)
    assert store.seats.holders(sat)[1].offer == question._replace(declined=True)
    store.offers.withdraw(sat, 1, question)
    assert store.seats.holders(sat)[1].offer is None
    with pytest.raises(NoLongerError):
        store.offers.decline(sat, 1, question)


def test_nothing_is_asked_at_another_moment_by_another_owner_or_after_the_end(store: Store, sat: str) -> None:
    for wrong in (Offer("draw", sat, 1, 0), Offer("draw", sat, 2, 1)):
        with pytest.raises(PlyTakenError):
            store.offers.make(sat, 1, "ada", wrong, over=False)
    with pytest.raises(NoLongerError):
        store.offers.make(sat, 1, "eve", Offer("draw", sat, 2, 0), over=False)
    with pytest.raises(OverError):
        store.offers.make(sat, 1, "ada", Offer("rematch", sat, 2, 0), over=True)
    store.end(sat, Outcome(1, RESIGNATION))
    with pytest.raises(OverError):
        store.offers.make(sat, 1, "ada", Offer("draw", sat, 2, 0), over=False)
    store.offers.make(sat, 1, "ada", Offer("rematch", sat, 2, 0), over=True)


def test_what_both_have_asked_is_done_with_the_second_question(store: Store, sat: str) -> None:
    question, heard = Offer("draw", sat, 2, 0), []

    def agreed(said: dict[int, Any]) -> Any:
        both = all(held.offer == question for held in said.values())
        heard.append(both)
        return settle(sat, DRAWN, MatchMoment(2, 0)) if both else None

    store.offers.make(sat, 1, "ada", question, over=False, on_agreement=agreed)
    assert store.find(sat).outcome is None
    store.offers.make(sat, 2, "ben", question, over=False, on_agreement=agreed)
    assert store.find(sat).outcome == DRAWN
    assert heard == [False, True]


def test_what_is_settled_needs_the_moment_and_the_question(store: Store, sat: str) -> None:
    question = Offer("draw", sat, 2, 0)
    guard = offer_guard(sat, 1, question)
    with pytest.raises(NoLongerError):
        store.settle(sat, DRAWN, MatchMoment(2, 0), guard)
    store.offers.make(sat, 1, "ada", question, over=False)
    for wrong in (MatchMoment(1, 0), MatchMoment(2, 1), MatchMoment(3, 0)):
        with pytest.raises(PlyTakenError):
            store.settle(sat, DRAWN, wrong, guard)
    store.settle(sat, DRAWN, MatchMoment(2, 0), guard)
    with pytest.raises(OverError):
        store.settle(sat, DRAWN, MatchMoment(2, 0), guard)
    assert store.get(sat).outcome == DRAWN


def test_a_take_back_makes_another_moment_of_as_many_moves(store: Store, sat: str) -> None:
    store.take_back(sat, 1, 2, 0)
    assert (store.get(sat).moves, store.get(sat).backs) == (("add",), 1)
    with pytest.raises(PlyTakenError):
        store.add(sat, 1, "double", None, 0)
    store.add(sat, 1, "double", None, 1)
    with pytest.raises(PlyTakenError):
        store.take_back(sat, 1, 2, 0)
    with pytest.raises(PlyTakenError):
        store.settle(sat, DRAWN, MatchMoment(2, 0))
    assert store.get(sat).moves == ("add", "double")


def test_of_many_who_settle_one_moment_exactly_one_does(store: Store, sat: str) -> None:
    store.offers.make(sat, 1, "ada", Offer("take-back", sat, 2, 0), over=False)
    guard = offer_guard(sat, 1, Offer("take-back", sat, 2, 0))
    works: list[Any] = [
        lambda: store.add(sat, 2, "add", None, 0),
        lambda: store.take_back(sat, 0, 2, 0, guard),
        lambda: store.settle(sat, DRAWN, MatchMoment(2, 0)),
        lambda: store.take_back(sat, 1, 2, 0),
    ]
    gate = Barrier(len(works))

    def run(work: Any) -> bool:
        gate.wait(30)
        try:
            work()
        except (PlyTakenError, OverError):
            return False
        return True

    with ThreadPoolExecutor(len(works)) as pool:
        assert sum(pool.map(run, works)) == 1
    kept = store.get(sat)
    kept.match()


def test_presence_only_grows_until_somebody_is_gone(store: Store, sat: str) -> None:
    store.seats.mark_present([(sat, "ada"), (sat, "ben")], 100)
    store.seats.mark_present([(sat, "ada")], 50)
    assert [held.present_until for held in store.seats.holders(sat).values()] == [100, 100]
    store.seats.mark_absent([(sat, "ben"), ("nothing", "ben")], 70)
    assert [held.present_until for held in store.seats.holders(sat).values()] == [100, 70]
    with pytest.raises(NoLongerError):
        store.settle(sat, DRAWN, MatchMoment(2, 0), absence_guard(sat, 2, 69))
    store.seats.mark_present([], 100)


def test_those_whose_time_ran_out_are_found_among_those_who_are_watched(store: Store, sat: str) -> None:
    moment = now()
    store.seats.mark_present([(sat, "ada")], moment + 100)
    found = store.seats.presence_changes
    assert found([sat], moment + 50, moment + 99, 10**12) == []
    assert found([sat], moment + 50, moment + 100, 10**12) == [sat]
    assert found([sat], moment + 100, moment + 200, 10**12) == []
    assert found([sat], moment + 1050, moment + 1100, 1000) == [sat]
    assert found(["other"], moment + 50, moment + 100, 10**12) == []


def test_the_coach_is_agreed_to_seat_by_seat(store: Store, sat: str) -> None:
    store.seats.set_coach(sat, "ada", True)
    assert [held.coach for held in store.seats.holders(sat).values()] == [True, False]
    store.seats.set_coach(sat, "ada", False)
    assert not store.seats.holders(sat)[1].coach


def test_a_ticket_is_used_once_and_in_time(store: Store, sat: str) -> None:
    ticket = SeatTransfer("ada", 1, now() + 10**9)
    store.seat_transfers.issue(sat, ticket, "old")
    store.seat_transfers.issue(sat, ticket, "hash")
    assert store.seat_transfers.find_by_secret(sat, "old") is None
    assert store.seat_transfers.find_by_secret(sat, "hash") == store.seat_transfers.find_by_owner(sat, "ada") == ticket
    assert not store.seat_transfers.use(sat, "hash", "ben"), "ben has a seat"
    with ThreadPoolExecutor(4) as pool:
        used = list(pool.map(lambda name: store.seat_transfers.use(sat, "hash", name), "wxyz"))
    assert sum(used) == 1
    held = store.seats.holders(sat)
    assert (held[1].owner, held[1].moved, held[2].owner) == ("wxyz"[used.index(True)], 1, "ben")
    store.seat_transfers.issue(sat, SeatTransfer("ben", 1, now()), "late")
    assert store.seat_transfers.find_by_secret(sat, "late") is None
    assert not store.seat_transfers.use(sat, "late", "eve")
