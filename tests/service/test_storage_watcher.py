"""What other programs write into a SQLite store reaches those who watch."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.service.hub import StorageWatcher
from bitduel.storage import StoreError, open_store
from web.fixtures import StoreMatch
from web.sites import Events, LocalApp, SeatedMatch, Server


@pytest.fixture
def lookout(app: LocalApp, monkeypatch: pytest.MonkeyPatch) -> StorageWatcher:
    """One that writes down whom it tells."""
    found = StorageWatcher(app.store, app.service.hub, app.service.cache)
    monkeypatch.setattr(found.hub, "publish", told.append)
    told.clear()
    return found


told: list[str] = []


def watched(lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    monkeypatch.setattr(lookout.hub, "subscribers", {each: set() for each in ids})


def test_only_what_was_written_elsewhere_is_told_and_only_once(
    app: LocalApp, store_match: StoreMatch, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = store_match(), store_match()
    watched(lookout, monkeypatch, one.id, two.id)
    lookout.check()
    assert sorted(told) == sorted((one.id, two.id))  # nobody knows yet what those who watch have heard
    told.clear()
    app.service.move(two.id, two.owners[0], 0, "add")
    told.clear()  # that a player has come is told too
    lookout.check()
    assert told == []
    with open_store(str(app.store._database.engine.url)) as elsewhere:
        elsewhere.add(one.id, 0, "add")
    lookout.check()
    lookout.check()
    assert told == [one.id]


def test_what_was_written_elsewhere_is_told_although_somebody_has_looked_at_it_here(
    app: LocalApp, store_match: StoreMatch, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = store_match()
    app.service.session(seated.id)
    watched(lookout, monkeypatch, seated.id)
    lookout.check()
    told.clear()
    with open_store(str(app.store._database.engine.url)) as elsewhere:
        elsewhere.add(seated.id, 0, "add")
    app.service.session(seated.id)
    lookout.check()
    assert told == [seated.id]


def test_what_could_not_be_looked_at_is_looked_at_again(
    app: LocalApp, store_match: StoreMatch, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = store_match()
    watched(lookout, monkeypatch, seated.id)
    with monkeypatch.context() as patch:
        patch.setattr(app.store, "tokens", _fails)
        with pytest.raises(StoreError):
            lookout.check()
    lookout.check()
    assert told == [seated.id]


def _fails(_ids: list[str]) -> dict[str, str]:
    raise StoreError("It does not answer.")


def test_where_nobody_writes_nothing_is_read(
    app: LocalApp, store_match: StoreMatch, lookout: StorageWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = store_match()
    watched(lookout, monkeypatch, seated.id)
    lookout.check()
    monkeypatch.setattr(app.store, "tokens", pytest.fail)
    lookout.check()
    watched(lookout, monkeypatch)
    app.store.add(seated.id, 0, "add")
    lookout.check()


def test_a_move_made_by_another_process_is_heard_on_a_stream(serving: Callable[..., Server], tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/x.db"
    with open_store(db) as store:
        seated = SeatedMatch(store, Match(make("64"), 1))
        server = serving(db)
        with server.client(seated.tokens[0]) as ada, Events(ada, f"/api/v1/matches/{seated.id}/events") as events:
            assert events.next() == ("changed", "0 open 2 1")
            store.add(seated.id, 0, "add")
            assert events.until(1)
