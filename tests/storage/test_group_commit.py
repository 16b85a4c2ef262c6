"""Writes that share a commit: each has its own answer, and nobody's trouble is another's."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, text

from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import PlyTakenError, Store, StoreError
from bitduel.storage.group_commit import MAX_BATCH, GroupCommit


class Gate:
    """Work that keeps the writer busy until it is opened, so that what comes meanwhile has to wait together."""

    def __init__(self) -> None:
        self.entered, self.opened = Event(), Event()

    def work(self, _connection: Connection, _again: bool) -> str:
        self.entered.set()
        assert self.opened.wait(30)
        return "through"


def wait_for(store: Store, count: int) -> None:
    """Until so many writes wait in line."""
    assert isinstance(store._moves, GroupCommit)
    deadline = time.monotonic() + 30
    while len(store._moves._queue) < count:
        assert time.monotonic() < deadline, "not so many writes came in line"


def begun(store: Store) -> str:
    return store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))


@pytest.fixture
def commits(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for every commit that the store makes."""
    made: list[int] = []
    write = store._database.write

    def counted(work: Any) -> Any:
        made.append(1)
        return write(work)

    monkeypatch.setattr(store._database, "write", counted)
    return made


def test_what_waits_together_is_committed_together(store: Store, commits: list[int]) -> None:
    ids = [begun(store) for _ in range(9)]
    store.share_commits()
    gate = Gate()
    with ThreadPoolExecutor(len(ids) + 1) as pool:
        first = pool.submit(store._moves.write, gate.work)
        assert gate.entered.wait(30)
        commits.clear()
        answers = [pool.submit(store.add, match_id, 0, "add") for match_id in ids]
        wait_for(store, len(ids))
        gate.opened.set()
        tokens = {answer.result().token for answer in answers}
    assert first.result() == "through"
    assert len(tokens) == len(ids)
    assert len(commits) == 1
    assert all(store.get(match_id).moves == ("add",) for match_id in ids)


def test_a_refusal_is_its_own_only(store: Store) -> None:
    one, two = begun(store), begun(store)
    store.share_commits()
    store.add(one, 0, "add")
    with ThreadPoolExecutor(8) as pool:
        late = [pool.submit(store.add, one, 0, "double") for _ in range(4)]
        fine = pool.submit(store.add, two, 0, "double")
        for each in late:
            with pytest.raises(PlyTakenError):
                each.result()
        fine.result()
    assert store.get(one).moves == ("add",)
    assert store.get(two).moves == ("double",)


def test_what_breaks_a_commit_breaks_only_itself(store: Store) -> None:
    match_id = begun(store)
    store.share_commits()
    gate = Gate()

    def broken(connection: Connection, _again: bool) -> None:
        connection.execute(text("SELECT nothing FROM nowhere"))

    with ThreadPoolExecutor(3) as pool:
        pool.submit(store._moves.write, gate.work)
        assert gate.entered.wait(30)
        trouble = pool.submit(store._moves.write, broken)
        fine = pool.submit(store.add, match_id, 0, "add")
        wait_for(store, 2)
        gate.opened.set()
        fine.result()
    with pytest.raises(StoreError):
        trouble.result()
    assert store.get(match_id).moves == ("add",)


def test_closing_finishes_what_was_asked_for(store: Store) -> None:
    store.share_commits()
    together = store._moves
    assert isinstance(together, GroupCommit)
    gate = Gate()
    with ThreadPoolExecutor(MAX_BATCH + 3) as pool:
        answers = [pool.submit(together.write, gate.work)]
        assert gate.entered.wait(30)
        answers += [pool.submit(together.write, gate.work) for _ in range(MAX_BATCH + 2)]
        wait_for(store, MAX_BATCH + 2)
        gate.opened.set()
        together.close()
        assert [answer.result(30) for answer in answers] == ["through"] * (MAX_BATCH + 3)
    together.close()


def test_a_seat_that_has_gone_makes_no_move(store: Store) -> None:
    match_id = begun(store)
    store.seats.claim(match_id, 1, "ada")
    for by in ((1, "ben"), (2, "ada")):
        with pytest.raises(PlyTakenError):
            store.add(match_id, 0, "add", None, 0, by)
    store.add(match_id, 0, "add", None, 0, (1, "ada"))
    assert store.get(match_id).moves == ("add",)
