"""Questions between players, presence and tickets: each change in one transaction, on both kinds of database."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from bitduel.core.endings import AGREED_DRAW, RESIGNATION, Outcome
from bitduel.storage import NoLongerError, OverError, PlyTakenError, Store
from bitduel.storage.offers import stands, still_away
from bitduel.storage.seat_transfer import Ticket
from bitduel.storage.seats import Offer
from bitduel.storage.timestamps import now
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
    said = store.asking.ask(sat, 1, "ada", question, over=False)
    assert (said[1].asked, said[2].asked) == (question, None)
    store.asking.decline(sat, 1, question)
    store.asking.decline(sat, 1, question)
    assert store.seats.holders(sat)[1].asked == question._replace(declined=True)
    store.asking.withdraw(sat, 1, question)
    assert store.seats.holders(sat)[1].asked is None
    with pytest.raises(NoLongerError):
        store.asking.decline(sat, 1, question)


def test_nothing_is_asked_at_another_moment_by_another_owner_or_after_the_end(store: Store, sat: str) -> None:
    for wrong in (Offer("draw", sat, 1, 0), Offer("draw", sat, 2, 1)):
        with pytest.raises(PlyTakenError):
            store.asking.ask(sat, 1, "ada", wrong, over=False)
    with pytest.raises(NoLongerError):
        store.asking.ask(sat, 1, "eve", Offer("draw", sat, 2, 0), over=False)
    with pytest.raises(OverError):
        store.asking.ask(sat, 1, "ada", Offer("rematch", sat, 2, 0), over=True)
    store.end(sat, Outcome(1, RESIGNATION))
    with pytest.raises(OverError):
        store.asking.ask(sat, 1, "ada", Offer("draw", sat, 2, 0), over=False)
    store.asking.ask(sat, 1, "ada", Offer("rematch", sat, 2, 0), over=True)


def test_what_both_have_asked_is_done_with_the_second_question(store: Store, sat: str) -> None:
    question, heard = Offer("draw", sat, 2, 0), []

    def agreed(said: dict[int, Any]) -> Any:
        both = all(held.asked == question for held in said.values())
        heard.append(both)
        return settle(sat, DRAWN, MatchMoment(2, 0)) if both else None

    store.asking.ask(sat, 1, "ada", question, over=False, agreed=agreed)
    assert store.find(sat).outcome is None
    store.asking.ask(sat, 2, "ben", question, over=False, agreed=agreed)
    assert store.find(sat).outcome == DRAWN
    assert heard == [False, True]


def test_what_is_settled_needs_the_moment_and_the_question(store: Store, sat: str) -> None:
    question = Offer("draw", sat, 2, 0)
    guard = stands(sat, 1, question)
    with pytest.raises(NoLongerError):
        store.settle(sat, DRAWN, MatchMoment(2, 0), guard)
    store.asking.ask(sat, 1, "ada", question, over=False)
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
    store.asking.ask(sat, 1, "ada", Offer("take-back", sat, 2, 0), over=False)
    guard = stands(sat, 1, Offer("take-back", sat, 2, 0))
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
    store.seats.seen([(sat, "ada"), (sat, "ben")], 100)
    store.seats.seen([(sat, "ada")], 50)
    assert [held.here for held in store.seats.holders(sat).values()] == [100, 100]
    store.seats.gone([(sat, "ben"), ("nothing", "ben")], 70)
    assert [held.here for held in store.seats.holders(sat).values()] == [100, 70]
    with pytest.raises(NoLongerError):
        store.settle(sat, DRAWN, MatchMoment(2, 0), still_away(sat, 2, 69))
    store.seats.seen([], 100)


def test_those_whose_time_ran_out_are_found_among_those_who_are_watched(store: Store, sat: str) -> None:
    moment = now()
    store.seats.seen([(sat, "ada")], moment + 100)
    found = store.seats.turned
    assert found([sat], moment + 50, moment + 99, 10**12) == []
    assert found([sat], moment + 50, moment + 100, 10**12) == [sat]
    assert found([sat], moment + 100, moment + 200, 10**12) == []
    assert found([sat], moment + 1050, moment + 1100, 1000) == [sat]
    assert found(["other"], moment + 50, moment + 100, 10**12) == []


def test_the_coach_is_agreed_to_seat_by_seat(store: Store, sat: str) -> None:
    store.seats.agree(sat, "ada", True)
    assert [held.coach for held in store.seats.holders(sat).values()] == [True, False]
    store.seats.agree(sat, "ada", False)
    assert not store.seats.holders(sat)[1].coach


def test_a_ticket_is_used_once_and_in_time(store: Store, sat: str) -> None:
    ticket = Ticket("ada", 1, now() + 10**9)
    store.tickets.issue(sat, ticket, "old")
    store.tickets.issue(sat, ticket, "hash")
    assert store.tickets.find(sat, "old") is None
    assert store.tickets.find(sat, "hash") == store.tickets.of(sat, "ada") == ticket
    assert not store.tickets.use(sat, "hash", "ben"), "ben has a seat"
    with ThreadPoolExecutor(4) as pool:
        used = list(pool.map(lambda name: store.tickets.use(sat, "hash", name), "wxyz"))
    assert sum(used) == 1
    held = store.seats.holders(sat)
    assert (held[1].owner, held[1].moved, held[2].owner) == ("wxyz"[used.index(True)], 1, "ben")
    store.tickets.issue(sat, Ticket("ben", 1, now()), "late")
    assert store.tickets.find(sat, "late") is None
    assert not store.tickets.use(sat, "late", "eve")
