"""A fault at every statement of the common commit: everybody is answered, and what was answered is so."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import Connection

import bitduel.storage.database
import bitduel.storage.group_commit
from bitduel.core.match import Match
from bitduel.games.registry import make
from bitduel.storage import PlyTakenError, Store, StoreError, open_store
from bitduel.storage.errors import UnexpectedError
from bitduel.storage.group_commit import GroupCommit

WATCHED = {bitduel.storage.group_commit.__file__, bitduel.storage.database.__file__}
WRITERS = 3
PATIENT = 30.0


class InjectedError(RuntimeError):
    """What no code expects."""


class Fault:
    """Fails once in whichever thread commits, at a statement given by its number, once it is armed.

    GroupCommit.write is left out: it only queues, takes the lock and waits.
    """

    def __init__(self, number: int) -> None:
        self.left = number
        self.armed = Event()
        self.place: tuple[str, int] | None = None

    def trace(self, frame: FrameType, event: str, _argument: object) -> "Callable[..., Any] | None":
        if frame.f_code.co_filename not in WATCHED or frame.f_code is GroupCommit.write.__code__:
            return None
        if event == "line" and self.armed.is_set():
            self.left -= 1
            if self.left == 0:
                self.place = frame.f_code.co_name, frame.f_lineno
                raise InjectedError
        return self.trace


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('faults')}/matches.db") as opened:
        yield opened


def begun(store: Store) -> str:
    return store.begin(Match(make("64")), ("human", "human"), ("Ada", "Ben"))


def spoil(_connection: Connection, _again: bool) -> None:
    raise InjectedError


def run_with(store: Store, fault: Fault, spoilt: bool) -> tuple[list[str], list["Future[Any]"]]:
    """Some writes in one commit, and what each is answered; the fault is armed just before they are taken."""
    together = GroupCommit(store._database)
    ids = [begun(store) for _ in range(WRITERS)]
    entered, opened = Event(), Event()

    def gate(_connection: Connection, _again: bool) -> None:
        entered.set()
        assert opened.wait(PATIENT)
        fault.armed.set()

    store._moves = together
    threading.settrace(fault.trace)
    with ThreadPoolExecutor(WRITERS + 2) as pool:
        answers: list[Future[Any]] = [pool.submit(together.write, gate)]
        assert entered.wait(PATIENT)
        answers += [pool.submit(together.write, spoil)] if spoilt else []
        answers += [pool.submit(store.add, match_id, 0, "add") for match_id in ids]
        while len(together._queue) < WRITERS + spoilt:
            pass
        threading.settrace(None)
        opened.set()
        for answer in answers:
            answer.exception(PATIENT)
        fault.armed.clear()
    return ids, answers[-WRITERS:]


ALWAYS = {"_commit", "_commit_together", "work", "write", "_run", "_run_on_file"}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    ("spoilt", "reached"), [(False, ALWAYS), (True, {*ALWAYS, "_commit_alone", "_repeated", "<lambda>"})]
)
def test_whatever_fails_everybody_is_answered_and_nothing_is_lost_or_half_there(
    store: Store, spoilt: bool, reached: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bitduel.storage.group_commit, "CHECK_INTERVAL", 0.002)
    number, places, troubled = 0, set(), 0
    while True:
        number += 1
        fault = Fault(number)
        ids, answers = run_with(store, fault, spoilt)
        for match_id, answer in zip(ids, answers, strict=True):
            error, kept = answer.exception(), store.find(match_id)  # which checks moves against their count
            assert error is None or isinstance(error, StoreError), (fault.place, error)
            assert kept.moves in ((), ("add",))
            assert error is not None or kept.moves == ("add",), fault.place
            troubled += error is not None
        after = begun(store)
        store.add(after, 0, "add")
        assert store.find(after).moves == ("add",), "the next write goes through"
        store._moves.close()
        if fault.place is None:
            break
        places.add(fault.place)
    assert reached <= {name for name, _ in places}
    assert len(places) > 40
    assert troubled > 10


def test_a_move_that_was_kept_before_the_writer_failed_is_recognised(store: Store) -> None:
    store._moves = GroupCommit(store._database)
    match_id = begun(store)
    write = store._database.write

    def lost(work: Any) -> Any:
        write(work)
        raise InjectedError

    store._database.write = lost  # type: ignore[method-assign]
    try:
        with pytest.raises(UnexpectedError, match="may or may not have been saved"):
            store.add(match_id, 0, "add")
    finally:
        store._database.write = write  # type: ignore[method-assign]
    assert store.find(match_id).moves == ("add",)
    with pytest.raises(PlyTakenError):
        store.add(match_id, 0, "add")
    store._moves.close()


def test_an_unexpected_error_is_told_in_the_log_by_its_kind_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_connection: Connection, _again: bool) -> None:
        raise InjectedError("a name, a secret")

    with open_store(f"sqlite:///{tmp_path}/matches.db") as store:
        store.share_commits()
        with pytest.raises(UnexpectedError):
            store._moves.write(broken)
    assert "a write failed: InjectedError" in caplog.text
    assert "secret" not in caplog.text
