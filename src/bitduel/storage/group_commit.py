"""Group commit: writes of many threads share one transaction, so that the disk is waited for once for all of them."""

import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, TypeVar

from sqlalchemy import Connection

from bitduel.storage.database import ClashError, Database, Work
from bitduel.storage.errors import StoreError, UnexpectedError

T = TypeVar("T")
MAX_BATCH = 64
"""The largest number of writes in one commit; the first of them must not wait for long."""
CHECK_INTERVAL = 0.2
"""Seconds after which a waiting thread checks whether the thread that commits has failed."""
UNKNOWN = "Saving failed. The last change may or may not have been saved."
log = logging.getLogger("bitduel.storage")


@dataclass(eq=False, slots=True)
class _Request:
    """A write that waits for its commit."""

    work: Work[Any]
    is_taken: bool = False
    """Whether a thread has begun to commit it; if that thread fails, the outcome is unknown."""
    is_done: bool = False
    result: Any = None
    error: Exception | None = None
    changed: Event = field(default_factory=Event)
    """Set when it is done, or when its own thread may commit."""


class GroupCommit:
    """Commits of many threads, one at a time: a thread that finds none running commits all that wait.

    Work that is refused must raise before it writes anything. Any other error undoes the whole commit, and then every
    write is made alone, so that one failing write does not fail the others. If the thread that commits fails itself,
    those whose writes it had taken get an UnexpectedError, and the next thread goes on.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: deque[_Request] = deque()
        self._committing = Lock()

    def write(self, work: Work[T]) -> T:
        """Return the work's answer once all that it wrote is on disk; raise UnexpectedError if that is unknown."""
        request = _Request(work)
        self._queue.append(request)
        while not request.is_done:
            if self._committing.acquire(blocking=False):
                is_lost = request.is_taken and not request.is_done
                try:
                    if not is_lost:
                        self._commit()
                except Exception as error:
                    log.error("the writer failed: %s", type(error).__name__)
                finally:
                    self._committing.release()
                with suppress(IndexError):  # a thread that came meanwhile did not get the lock, and waits
                    self._queue[0].changed.set()
                if is_lost:  # by the thread that had taken it
                    raise UnexpectedError(UNKNOWN)
            else:
                request.changed.wait(CHECK_INTERVAL)
                request.changed.clear()
        if request.error:
            raise request.error
        result: T = request.result
        return result

    def close(self) -> None:
        """Commit the writes that still wait."""
        with self._committing:
            while self._queue:
                self._commit()

    def _commit(self) -> None:
        batch: list[_Request] = []
        while self._queue and len(batch) < MAX_BATCH:
            self._queue[0].is_taken = True
            batch.append(self._queue.popleft())
        is_committed = len(batch) > 1 and self._commit_together(batch)
        for request in batch:
            if not is_committed:
                self._commit_alone(request, is_repeated=len(batch) > 1)
            request.is_done = True
            request.changed.set()

    def _commit_together(self, batch: list[_Request]) -> bool:
        """Return whether several writes were made as one; if not, each must be tried alone."""

        def work(connection: Connection, again: bool) -> None:
            for request in batch:
                try:
                    request.result, request.error = request.work(connection, again), None
                except StoreError as error:
                    request.error = error

        try:
            self._database.write(work)
        except (StoreError, ClashError):
            return False
        except Exception as error:
            log.error("a common commit failed: %s", type(error).__name__)
            return False
        return True

    def _commit_alone(self, request: _Request, is_repeated: bool) -> None:
        """Make one write, which looks for its own traces first if it may have been made with others."""
        work = _repeated(request.work) if is_repeated else request.work
        try:
            request.result, request.error = self._database.write(work), None
        except (StoreError, ClashError) as error:
            request.error = error
        except Exception as error:
            log.error("a write failed: %s", type(error).__name__)
            request.error = UnexpectedError(UNKNOWN)


def _repeated(work: Work[Any]) -> Work[Any]:
    return lambda connection, _: work(connection, True)
