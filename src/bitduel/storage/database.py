"""A database that is open: transactions, patience with locks and lost servers, and errors as sentences."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event

from bitduel.core.extras import extra
from bitduel.storage import sqlite_file
from bitduel.storage.address import Address
from bitduel.storage.errors import FAILURES, ClosedError, MovedError, StoreError, clashes, explain, lost

T = TypeVar("T")

Work = Callable[[Connection, bool], T]
"""What is done in a transaction; the flag says that an attempt came before, whose fate is unknown."""


CLOSING = 3.0
"""Seconds that closing waits for transactions under way in other threads."""


class ClashError(Exception):
    """A row with the same key was there already."""


class Database:
    """Runs work in transactions; what it lets out is a StoreError or a ClashError."""

    def __init__(self, address: Address, patience: float) -> None:
        self.label = address.label
        self.patience = patience
        self._file: sqlite_file.OpenFile | None = None
        self._running: set[object] = set()
        """A mark for each transaction under way; no lock, for nothing may ever be left waiting for one."""
        self._closed = False
        try:
            if address.path:
                self._file = _prepared(address.path, address, patience)
                self._engine = _sqlite(self._file, address, patience)
            else:
                self._engine = _postgres(address, patience)
        except FAILURES as error:
            raise explain(error, self.label) from error
        self._reader = self._engine.execution_options(**_SNAPSHOT.get(self._engine.name, {}))
        self._sqlite = self._engine.name == "sqlite"
        self._waits = False

    @property
    def carries_events(self) -> bool:
        """Whether processes can tell each other something through it."""
        return self._engine.name == "postgresql"

    @property
    def engine(self) -> Engine:
        """For what needs a connection of its own."""
        return self._engine

    def read(self, work: Work[T]) -> T:
        """The work's answer, from one unchanging state of the database."""
        return self._run(self._reader, "BEGIN", work)

    def write(self, work: Work[T]) -> T:
        """The work's answer, once all that it wrote is safely on disk."""
        return self._run(self._engine, "BEGIN IMMEDIATE", work)

    def guarded(self, work: Callable[[], T]) -> T:
        """Something else than a transaction, with its errors as sentences too."""
        try:
            return work()
        except FAILURES as error:
            raise explain(error, self.label) from error

    def check_writable(self) -> None:
        """Raise a StoreError where writing cannot go on for long, although a write may still succeed."""
        if self._file:
            self._file.check_writable()

    def close(self) -> None:
        """Let go of all connections; SQLite then puts its log into the file. Nothing is read or written any more."""
        self._closed = True
        deadline = time.monotonic() + CLOSING
        while self._running and time.monotonic() < deadline:
            time.sleep(0.01)
        self._empty_log_of_a_moved_file()
        self._engine.dispose()

    def _empty_log_of_a_moved_file(self) -> None:
        """Put the log into the file it belongs to: SQLite leaves it, and it would spoil another file in that place."""
        try:
            if self._file:
                self._file.check()
        except MovedError:
            with suppress(StoreError, *FAILURES), closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _run(self, engine: Engine, begin: str, work: Work[T]) -> T:
        """One transaction more; what it wrote went into the right file, or that is an error."""
        mark = object()
        self._running.add(mark)
        try:
            if self._closed:
                raise ClosedError(f"{self.label} has been closed.")
            if self._file:
                self._file.check()
            answer = self._attempts(engine, begin, work)
            if self._file and engine is self._engine:
                self._file.check()
            return answer
        finally:
            self._running.discard(mark)

    def _attempts(self, engine: Engine, begin: str, work: Work[T]) -> T:
        pauses: Iterator[float] | None = None
        while True:
            try:
                with engine.begin() as connection:
                    if self._sqlite:
                        _driver(connection).execute(begin)
                    answer = work(connection, pauses is not None)
                self._waits = True
                return answer
            except FAILURES as error:
                pauses = pauses or _pauses(self.patience)
                if clashes(error):
                    raise ClashError from error
                # A server that never answered is more likely misspelt than restarting.
                pause = next(pauses, None) if self._waits and lost(error) else None
                if pause is None:
                    raise explain(error, self.label) from error
            time.sleep(pause)


_SNAPSHOT = {"postgresql": {"isolation_level": "REPEATABLE READ"}}


def _pauses(patience: float) -> Iterator[float]:
    """Short waits that grow, until patience is at an end."""
    deadline = time.monotonic() + patience
    pause = 0.02
    while time.monotonic() + pause < deadline:
        yield pause
        pause = min(2 * pause, 0.5)


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


def _prepared(path: Path, address: Address, patience: float) -> sqlite_file.OpenFile:
    if address.ours:
        sqlite_file.make_folder(path.parent)
    sqlite_file.prepare(path, address.label, patience)
    return sqlite_file.OpenFile(path, address.label)


def _sqlite(file: sqlite_file.OpenFile, address: Address, patience: float) -> Engine:
    engine = create_engine(address.url, creator=lambda: file.connect(patience))

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")

    return engine


def _postgres(address: Address, patience: float) -> Engine:
    milliseconds = max(1, int(patience * 1000))
    defaults = {"connect_timeout": str(max(2, int(patience / 2))), "tcp_user_timeout": str(milliseconds)}
    url = address.url.set(query={**defaults, **address.url.query})
    with extra("postgresql", "PostgreSQL"):
        engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        connection.autocommit = True
        connection.execute("SELECT set_config('lock_timeout', %s, false)", [f"{milliseconds}ms"])
        connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        connection.autocommit = False

    return engine
