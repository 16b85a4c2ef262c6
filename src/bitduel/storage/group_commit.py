"""Writes of many threads that share one commit, so that the disk is waited for once for all of them."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection

from bitduel.storage.database import ClashError, Database, Work
from bitduel.storage.errors import StoreError, UnexpectedError

T = TypeVar("T")
MOST = 64
"""So many writes go into one commit at most; the first of them must not wait for long."""
LOOK = 0.2
"""Seconds between two looks at whether the thread that is to answer is still there."""
UNKNOWN = "The writer has failed; whether the last change was kept is not known."
log = logging.getLogger("bitduel.storage")


class Writer(Protocol):
    """Where writes go."""

    def write(self, work: Work[T]) -> T:
        """The work's answer, once all that it wrote is safely on disk."""


class _Wanted:
    """A write that waits for its commit."""

    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.answer: Future[Any] = Future()
        self.is_taken = False
        """Whether the thread has begun with it, so that nobody knows what became of it should the thread fail."""


class _NotTakenError(Exception):
    """The thread ended before it had begun with a write."""


class GroupCommit:
    """A thread that takes all writes that wait and commits them as one.

    Work that is refused must say so before it writes anything. Whatever else goes wrong undoes the whole commit, and
    then every write is made alone, so that nobody's trouble becomes another's. Should the thread itself fail, those who
    wait for it notice: each gets an UnexpectedError, and the next write starts another thread.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._committer: _Committer | None = None

    def write(self, work: Work[T]) -> T:
        """The work's answer, once all that it wrote is safely on disk; raises UnexpectedError where that is unknown."""
        while True:
            with self._lock:
                if self._committer is None or not self._committer.is_alive():
                    self._committer = _Committer(self._database)
                    self._committer.start()
                committer = self._committer
            with suppress(_NotTakenError):
                return committer.write(work)

    def close(self) -> None:
        """Finish what was asked for, and end."""
        with self._lock:
            committer, self._committer = self._committer, None
        if committer:
            committer.stop()


class _Committer(Thread):
    """One thread with its queue; whoever waits for it looks after it."""

    def __init__(self, database: Database) -> None:
        super().__init__(daemon=True, name="bitduel-writer")
        self._database = database
        self._queue: SimpleQueue[_Wanted | None] = SimpleQueue()

    def write(self, work: Work[T]) -> T:
        """Have the work done, and wait for its answer for as long as there is a thread to give one."""
        wanted = _Wanted(work)
        self._queue.put(wanted)
        while True:
            is_alive = self.is_alive()
            try:
                answer: T = wanted.answer.result(LOOK if is_alive else 0)
            except TimeoutError:  # of waiting; what the work raises is never one
                if not is_alive and not wanted.is_taken:
                    raise _NotTakenError from None
                if not is_alive:
                    raise UnexpectedError(UNKNOWN) from None
            else:
                return answer

    def stop(self) -> None:
        """Finish what was asked for, and end."""
        self._queue.put(None)
        self.join()

    def run(self) -> None:
        """Commit until stopped, or until something fails that nobody has foreseen."""
        try:
            while batch := self._next():
                self._commit(batch)
        except BaseException as error:  # whoever waits sees that this thread has ended
            log.error("the writer failed: %s", type(error).__name__)

    def _next(self) -> list[_Wanted]:
        """All that waits, as far as it fits; empty at the end."""
        batch: list[_Wanted] = []
        while (not batch or not self._queue.empty()) and len(batch) < MOST:
            wanted = self._queue.get()
            if wanted is None:
                if batch:
                    self._queue.put(None)
                break
            wanted.is_taken = True
            batch.append(wanted)
        return batch

    def _commit(self, batch: list[_Wanted]) -> None:
        answers = self._committed(batch) if len(batch) > 1 else None
        if answers is None:
            for wanted in batch:
                _do_alone(self._database, wanted, again=len(batch) > 1)
            return
        for wanted, answer in zip(batch, answers, strict=True):
            answer(wanted.answer)

    def _committed(self, batch: list[_Wanted]) -> "list[Answer] | None":
        """What each is answered, with one commit for all; None where each must be tried alone."""
        try:
            return self._database.write(_all(batch))
        except (StoreError, ClashError):
            return None
        except Exception as error:
            log.error("a common commit failed: %s", type(error).__name__)
            return None


Answer = Callable[["Future[Any]"], None]
"""Tells whoever waits what came of it."""


def _all(batch: list[_Wanted]) -> Work[list[Answer]]:
    def work(connection: Connection, again: bool) -> list[Answer]:
        return [_one(wanted.work, connection, again) for wanted in batch]

    return work


def _one(work: Work[Any], connection: Connection, again: bool) -> Answer:
    try:
        answer = work(connection, again)
    except StoreError as refused:
        error = refused
        return lambda future: future.set_exception(error)
    return lambda future: future.set_result(answer)


def _do_alone(database: Database, wanted: _Wanted, again: bool) -> None:
    """Make one write; `again` says that it may have been made with others already, so that it is looked for first."""
    try:
        answer = database.write(lambda connection, once_more: wanted.work(connection, again or once_more))
    except (StoreError, ClashError) as error:
        wanted.answer.set_exception(error)
    except BaseException as error:  # whoever waits must hear of it, whatever it is
        log.error("a write failed: %s", type(error).__name__)
        wanted.answer.set_exception(UnexpectedError(UNKNOWN))
    else:
        wanted.answer.set_result(answer)
