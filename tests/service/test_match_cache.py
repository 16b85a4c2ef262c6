"""What is remembered of matches: as the store has it, bounded, and what somebody got does not change."""

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.credentials import hashed, new_token
from bitduel.service.hub import Hub
from bitduel.service.match_service import MatchService
from bitduel.service.match_session import LateError, MatchCache, NotYourSeatError
from bitduel.storage import Store, UnknownMatchError
from bitduel.storage.seats import SeatTransfer
from web.fixtures import StoreMatch
from web.sites import LocalApp


@pytest.fixture
def reads(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that are read whole."""
    found: list[str] = []
    find = app.store.find

    def counted(match_id: str) -> object:
        found.append(match_id)
        return find(match_id)

    monkeypatch.setattr(app.store, "find", counted)
    return found


def test_a_match_is_read_once_and_then_only_glanced_at(
    app: LocalApp, store_match: StoreMatch, reads: list[str]
) -> None:
    seated, live = store_match(moves=("add",)), MatchCache(app.store)
    assert live.get(seated.id).match.moves == live.get(seated.id).match.moves == ["add"]
    assert reads == [seated.id]


def test_what_others_have_written_is_seen(app: LocalApp, store_match: StoreMatch, reads: list[str]) -> None:
    seated, live = store_match(), MatchCache(app.store)
    live.get(seated.id)
    app.store.add(seated.id, 0, "double")
    assert live.get(seated.id).match.moves == ["double"]
    app.store.take_back(seated.id, 0)
    assert live.get(seated.id).match.moves == []
    app.store.seats.rename(seated.id, 2, "Grace")
    assert live.get(seated.id).stored.names[1] == "Grace"
    assert len(reads) == 4


def test_what_happens_in_a_match_leaves_what_was_got_before_as_it_was(app: LocalApp, store_match: StoreMatch) -> None:
    seated, service = store_match(), app.service
    start, known = service.session(seated.id), service.cache.peek(seated.id)
    moved = service.move(seated.id, seated.owners[0], 0, "add")
    service.resign(seated.id, seated.owners[1])
    for before in (start, known):
        assert before
        assert (before.match.moves, before.stored.moves, before.match.outcome) == ([], (), None)
    assert (moved.match.moves, moved.match.outcome) == (["add"], None)


def test_what_a_program_answers_leaves_what_was_got_before_as_it_was(app: LocalApp) -> None:
    service, token = app.service, new_token()
    match_id = service.create(make("double"), "easy", "1", ("Ada", None), token)
    start = service.session(match_id)
    moved = service.move(match_id, hashed(token), 0, "add")
    assert (start.match.moves, len(moved.match.moves)) == ([], 2)
    assert moved.stored.moves == tuple(moved.match.moves)


def test_only_the_newest_are_remembered(app: LocalApp, store_match: StoreMatch, reads: list[str]) -> None:
    live = MatchCache(app.store, most=2)
    ids = [store_match().id for _ in range(3)]
    for match_id in (*ids, *ids[1:], ids[0]):
        live.get(match_id)
    assert reads == [*ids, ids[0]]
    assert live.peek(ids[1]) is None


@pytest.mark.parametrize("wrong", ["", "nothere", "a" * 40])
def test_a_match_is_found_by_its_whole_id_only(app: LocalApp, store_match: StoreMatch, wrong: str) -> None:
    live, seated = MatchCache(app.store), store_match()
    for match_id in (wrong, seated.id[:-1], seated.id[0], seated.id.upper(), f"{seated.id}x"):
        with pytest.raises(UnknownMatchError, match=r"^There is no such match\.$"):
            live.get(match_id)


def beside(app: LocalApp) -> MatchService:
    """A service of another process, which hears of nothing."""
    return MatchService(app.store, Hub())


def test_a_move_after_what_another_process_did_is_made_where_the_match_is_now(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated, there = store_match(), beside(app)
    app.service.move(seated.id, seated.owners[0], 0, "add")
    there.move(seated.id, seated.owners[1], 1, "double")
    assert app.service.move(seated.id, seated.owners[0], 2, "add").match.moves == ["add", "double", "add"]


def test_a_move_for_a_position_that_another_process_has_left_is_late(app: LocalApp, store_match: StoreMatch) -> None:
    seated, there = store_match(), beside(app)
    app.service.move(seated.id, seated.owners[0], 0, "add")
    there.session(seated.id)
    app.service.move(seated.id, seated.owners[1], 1, "add")
    with pytest.raises(LateError):
        there.move(seated.id, seated.owners[1], 1, "double")
    assert there.move(seated.id, seated.owners[1], 1, "add").match.moves == ["add", "add"]


def test_after_a_resignation_elsewhere_no_move_is_made(app: LocalApp, store_match: StoreMatch) -> None:
    seated, there = store_match(), beside(app)
    there.session(seated.id)
    app.service.resign(seated.id, seated.owners[1])
    with pytest.raises(LateError):
        there.move(seated.id, seated.owners[0], 0, "add")


def test_a_seat_that_went_elsewhere_moves_no_more_though_it_is_remembered_here(
    app: LocalApp, store_match: StoreMatch
) -> None:
    seated, there = store_match(), beside(app)
    there.session(seated.id)
    _seat_goes(app.store, seated.id, seated.owners[0], "somebody")
    with pytest.raises(NotYourSeatError):
        there.move(seated.id, seated.owners[0], 0, "add")
    assert there.move(seated.id, "somebody", 0, "add").match.moves == ["add"]


def _seat_goes(store: Store, sitting: str, old: str, new: str) -> None:
    store.seat_transfers.issue(sitting, SeatTransfer(old, 0, 10**18), "secret")
    assert store.seat_transfers.use(sitting, "secret", new)


def test_a_move_between_two_reads_costs_none(app: LocalApp, store_match: StoreMatch, reads: list[str]) -> None:
    seated = store_match()
    for ply in range(4):
        app.service.move(seated.id, seated.owners[ply % 2], ply, "add")
    assert reads == [seated.id]
    kept = app.store.get(seated.id)
    known = app.service.cache.peek(seated.id)
    assert known
    assert known.stored == kept
    assert known.match == kept.match() == Match(make("64"), 1, kept.deal, ["add"] * 4)
