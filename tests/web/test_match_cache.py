"""What is remembered of matches: as the store has it, bounded, and nobody can change it from outside."""

import pytest

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.service.hub import Hub
from bitduel.service.match_cache import MatchCache
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError, NotYourSeatError
from bitduel.storage import Store, UnknownMatchError
from bitduel.storage.seat_transfer import Ticket
from web.conftest import Hold
from web.houses import House


@pytest.fixture
def reads(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that are read whole."""
    found: list[str] = []
    find = house.store.find

    def counted(match_id: str) -> object:
        found.append(match_id)
        return find(match_id)

    monkeypatch.setattr(house.store, "find", counted)
    return found


def test_a_match_is_read_once_and_then_only_glanced_at(house: House, hold: Hold, reads: list[str]) -> None:
    held, live = hold(moves=("add",)), MatchCache(house.store)
    assert live.get(held.id).match.moves == live.get(held.id).match.moves == ["add"]
    assert reads == [held.id]


def test_what_others_have_written_is_seen(house: House, hold: Hold, reads: list[str]) -> None:
    held, live = hold(), MatchCache(house.store)
    live.get(held.id)
    house.store.add(held.id, 0, "double")
    assert live.get(held.id).match.moves == ["double"]
    house.store.take_back(held.id, 0)
    assert live.get(held.id).match.moves == []
    house.store.seats.rename(held.id, 2, "Grace")
    assert live.get(held.id).kept.names[1] == "Grace"
    assert len(reads) == 4


def test_whoever_gets_a_match_has_it_alone(house: House, hold: Hold) -> None:
    held, live = hold(), MatchCache(house.store)
    live.get(held.id).match.play("add")
    assert live.get(held.id).match.moves == []
    known = live.known(held.id)
    assert known
    known.match.play("add")
    assert live.get(held.id).match.moves == []


def test_only_the_newest_are_remembered(house: House, hold: Hold, reads: list[str]) -> None:
    live = MatchCache(house.store, most=2)
    ids = [hold().id for _ in range(3)]
    for match_id in (*ids, *ids[1:], ids[0]):
        live.get(match_id)
    assert reads == [*ids, ids[0]]
    assert live.known(ids[1]) is None


@pytest.mark.parametrize("wrong", ["", "nothere", "a" * 40])
def test_a_match_is_found_by_its_whole_id_only(house: House, hold: Hold, wrong: str) -> None:
    live, held = MatchCache(house.store), hold()
    for match_id in (wrong, held.id[:-1], held.id[0], held.id.upper(), f"{held.id}x"):
        with pytest.raises(UnknownMatchError, match=r"^There is no such match\.$"):
            live.get(match_id)


def beside(house: House) -> MatchService:
    """A desk of another process, which hears of nothing."""
    return MatchService(house.store, Hub())


def test_a_move_after_what_another_process_did_is_made_where_the_match_is_now(house: House, hold: Hold) -> None:
    held, there = hold(), beside(house)
    house.desk.move(held.id, held.owners[0], 0, "add")
    there.move(held.id, held.owners[1], 1, "double")
    assert house.desk.move(held.id, held.owners[0], 2, "add").match.moves == ["add", "double", "add"]


def test_a_move_for_a_position_that_another_process_has_left_is_late(house: House, hold: Hold) -> None:
    held, there = hold(), beside(house)
    house.desk.move(held.id, held.owners[0], 0, "add")
    there.seating(held.id)
    house.desk.move(held.id, held.owners[1], 1, "add")
    with pytest.raises(LateError):
        there.move(held.id, held.owners[1], 1, "double")
    assert there.move(held.id, held.owners[1], 1, "add").match.moves == ["add", "add"]


def test_after_a_resignation_elsewhere_no_move_is_made(house: House, hold: Hold) -> None:
    held, there = hold(), beside(house)
    there.seating(held.id)
    house.desk.resign(held.id, held.owners[1])
    with pytest.raises(LateError):
        there.move(held.id, held.owners[0], 0, "add")


def test_a_seat_that_went_elsewhere_moves_no_more_though_it_is_remembered_here(house: House, hold: Hold) -> None:
    held, there = hold(), beside(house)
    there.seating(held.id)
    _seat_goes(house.store, held.id, held.owners[0], "somebody")
    with pytest.raises(NotYourSeatError):
        there.move(held.id, held.owners[0], 0, "add")
    assert there.move(held.id, "somebody", 0, "add").match.moves == ["add"]


def _seat_goes(store: Store, sitting: str, old: str, new: str) -> None:
    store.tickets.issue(sitting, Ticket(old, 0, 10**18), "secret")
    assert store.tickets.use(sitting, "secret", new)


def test_a_move_between_two_reads_costs_none(house: House, hold: Hold, reads: list[str]) -> None:
    held = hold()
    for ply in range(4):
        house.desk.move(held.id, held.owners[ply % 2], ply, "add")
    assert reads == [held.id]
    kept = house.store.get(held.id)
    known = house.desk.live.known(held.id)
    assert known
    assert known.kept == kept
    assert known.match == kept.match() == Match(make("64"), 1, kept.deal, ["add"] * 4)
