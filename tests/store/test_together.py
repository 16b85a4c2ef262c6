"""Writes that share a commit: each has its own answer, and nobody's trouble is another's."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Connection, text

from bitduel.core.match import Match
from bitduel.games import make
from bitduel.store import PlyTakenError, Store, StoreError
from bitduel.store.together import MOST, Together


class Gate:
    """Work that keeps the writer busy until it is opened, so that what comes meanwhile has to wait together."""

    def __init__(self) -> None:
        self.entered, self.opened = Event(), Event()

    def work(self, _connection: Connection, _again: bool) -> str:
        self.entered.set()
        assert self.opened.wait(30)
        return "through"


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
    store.gather()
    assert isinstance(store._moves, Together)
    gate = Gate()
    first = store._moves.submit(gate.work)
    assert gate.entered.wait(30)
    commits.clear()
    with ThreadPoolExecutor(len(ids)) as pool:
        answers = [pool.submit(store.add, match_id, 0, "add") for match_id in ids]
        while store._moves._queue.qsize() < len(ids):
            pass
        gate.opened.set()
        tokens = {answer.result().token for answer in answers}
    assert first.result() == "through"
    assert len(tokens) == len(ids)
    assert len(commits) == 1
    assert all(store.get(match_id).moves == ("add",) for match_id in ids)


def test_a_refusal_is_its_own_only(store: Store) -> None:
    one, two = begun(store), begun(store)
    store.gather()
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
    store.gather()
    assert isinstance(store._moves, Together)
    gate = Gate()
    store._moves.submit(gate.work)
    assert gate.entered.wait(30)

    def broken(connection: Connection, _again: bool) -> None:
        connection.execute(text("SELECT nothing FROM nowhere"))

    trouble = store._moves.submit(broken)
    with ThreadPoolExecutor(1) as pool:
        fine = pool.submit(store.add, match_id, 0, "add")
        while store._moves._queue.qsize() < 2:
            pass
        gate.opened.set()
        fine.result()
    with pytest.raises(StoreError):
        trouble.result()
    assert store.get(match_id).moves == ("add",)


def test_closing_finishes_what_was_asked_for(store: Store) -> None:
    store.gather()
    together = store._moves
    assert isinstance(together, Together)
    gate = Gate()
    answers = [together.submit(gate.work) for _ in range(MOST + 3)]
    gate.opened.set()
    together.close()
    assert [answer.result(0) for answer in answers] == ["through"] * (MOST + 3)
    together.close()


def test_a_seat_that_has_gone_makes_no_move(store: Store) -> None:
    match_id = begun(store)
    store.seats.claim(match_id, 1, "ada")
    for by in ((1, "ben"), (2, "ada")):
        with pytest.raises(PlyTakenError):
            store.add(match_id, 0, "add", None, 0, by)
    store.add(match_id, 0, "add", None, 0, (1, "ada"))
    assert store.get(match_id).moves == ("add",)
