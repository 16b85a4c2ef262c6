"""What other programs write into a SQLite store reaches those who watch."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.storage import StoreError, open_store
from bitduel.web.storage_watcher import StorageWatcher
from web.conftest import Hold
from web.houses import Events, Held, House, Server


@pytest.fixture
def lookout(house: House, monkeypatch: pytest.MonkeyPatch) -> StorageWatcher:
    """One that writes down whom it tells."""
    found = StorageWatcher(house.store, house.desk.hub, house.desk.live)
    monkeypatch.setattr(found.hub, "publish", told.append)
    told.clear()
    return found


told: list[str] = []


def watched(lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    monkeypatch.setattr(lookout.hub, "watched", lambda: list(ids))


def test_only_what_was_written_elsewhere_is_told_and_only_once(
    house: House, hold: Hold, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = hold(), hold()
    watched(lookout, monkeypatch, one.id, two.id)
    lookout.look()
    assert sorted(told) == sorted((one.id, two.id))  # nobody knows yet what those who watch have heard
    told.clear()
    house.desk.move(two.id, two.owners[0], 0, "add")
    told.clear()  # that a player has come is told too
    lookout.look()
    assert told == []
    with open_store(str(house.store._database.engine.url)) as elsewhere:
        elsewhere.add(one.id, 0, "add")
    lookout.look()
    lookout.look()
    assert told == [one.id]


def test_what_was_written_elsewhere_is_told_although_somebody_has_looked_at_it_here(
    house: House, hold: Hold, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold()
    house.desk.seating(held.id)
    watched(lookout, monkeypatch, held.id)
    lookout.look()
    told.clear()
    with open_store(str(house.store._database.engine.url)) as elsewhere:
        elsewhere.add(held.id, 0, "add")
    house.desk.seating(held.id)
    lookout.look()
    assert told == [held.id]


def test_what_could_not_be_looked_at_is_looked_at_again(
    house: House, hold: Hold, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold()
    watched(lookout, monkeypatch, held.id)
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "tokens", _fails)
        with pytest.raises(StoreError):
            lookout.look()
    lookout.look()
    assert told == [held.id]


def _fails(_ids: list[str]) -> dict[str, str]:
    raise StoreError("It does not answer.")


def test_where_nobody_writes_nothing_is_read(
    house: House, hold: Hold, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hold()
    watched(lookout, monkeypatch, held.id)
    lookout.look()
    monkeypatch.setattr(house.store, "tokens", pytest.fail)
    lookout.look()
    watched(lookout, monkeypatch)
    house.store.add(held.id, 0, "add")
    lookout.look()


def test_a_move_made_by_another_process_is_heard_on_a_stream(serving: Callable[..., Server], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/x.db"
    with open_store(db) as store:
        held = Held(store, Match(make("64"), 1))
        server = serving(db)
        with server.client(held.tokens[0]) as ada, Events(ada, f"/api/v1/matches/{held.id}/events") as events:
            assert events.next() == ("changed", "0 open 2 1")
            store.add(held.id, 0, "add")
            assert events.until(1)
