"""Writes of many threads that share one commit, so that the disk is waited for once for all of them."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection

from bitduel.store.database import ClashError, Database, Work
from bitduel.store.errors import StoreError

T = TypeVar("T")
MOST = 64
"""So many writes go into one commit at most; the first of them must not wait for long."""


class Writer(Protocol):
    """Where writes go."""

    def write(self, work: Work[T]) -> T:
        """The work's answer, once all that it wrote is safely on disk."""


class _Wanted(NamedTuple):
    work: Work[Any]
    answer: Future[Any]


class Together:
    """A thread that takes all writes that wait and commits them as one.

    Work that is refused must say so before it writes anything. Whatever else goes wrong undoes the whole commit, and
    then every write is made alone, so that nobody's trouble becomes another's.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: SimpleQueue[_Wanted | None] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None

    def write(self, work: Work[T]) -> T:
        """The work's answer, once all that it wrote is safely on disk."""
        return self.submit(work).result()

    def submit(self, work: Work[T]) -> "Future[T]":
        """The same, for somebody who does not wait here."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._serve, daemon=True, name="bitduel-writer")
                self._thread.start()
        wanted = _Wanted(work, Future())
        self._queue.put(wanted)
        return wanted.answer

    def close(self) -> None:
        """Finish what was asked for, and end."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread:
            self._queue.put(None)
            thread.join()

    def _serve(self) -> None:
        while (first := self._queue.get()) is not None:
            batch = [first]
            ends = False
            while len(batch) < MOST and not self._queue.empty():
                more = self._queue.get()
                if more is None:
                    ends = True
                    break
                batch.append(more)
            self._commit(batch)
            if ends:
                return

    def _commit(self, batch: list[_Wanted]) -> None:
        if len(batch) > 1:
            with suppress(StoreError, ClashError):
                for wanted, say in zip(batch, self._database.write(_all(batch)), strict=True):
                    say(wanted.answer)
                return
        for wanted in batch:
            _alone(self._database, wanted)


Say = Callable[["Future[Any]"], None]
"""Tells whoever waits what came of it."""


def _all(batch: list[_Wanted]) -> Work[list[Say]]:
    def work(connection: Connection, again: bool) -> list[Say]:
        return [_one(wanted.work, connection, again) for wanted in batch]

    return work


def _one(work: Work[Any], connection: Connection, again: bool) -> Say:
    try:
        answer = work(connection, again)
    except StoreError as refused:
        error = refused
        return lambda future: future.set_exception(error)
    return lambda future: future.set_result(answer)


def _alone(database: Database, wanted: _Wanted) -> None:
    try:
        wanted.answer.set_result(database.write(wanted.work))
    except BaseException as error:  # whoever waits must hear of it, whatever it is
        wanted.answer.set_exception(error)
