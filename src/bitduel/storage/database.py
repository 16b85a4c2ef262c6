"""An open database: transactions, retries after a lost connection, and errors as sentences."""

import os
import sqlite3
import time
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Insert, Select, Update, create_engine, event
from sqlalchemy.dialects import sqlite

from bitduel.core.errors import RequiredExtra
from bitduel.storage import sqlite_file
from bitduel.storage.address import Address
from bitduel.storage.errors import (
    FAILURES,
    ClosedError,
    MovedError,
    ReadOnlyError,
    StoreError,
    explain,
    is_connection_lost,
    is_duplicate,
)

T = TypeVar("T")

Work = Callable[[Connection, bool], T]
"""The work of a transaction; the flag is True after an attempt whose outcome is unknown."""

CLOSE_TIMEOUT = 3.0
"""Seconds for which closing waits for transactions of other threads."""


class ClashError(Exception):
    """A row with the same key exists already."""


class Database:
    """An open database that runs work in transactions; it raises only StoreErrors and ClashErrors."""

    def __init__(self, address: Address, patience: float) -> None:
        self.label = address.label
        self.patience = patience
        self._file: OpenFile | None = None
        self._running: set[object] = set()
        """A mark for each running transaction; not a lock, because no thread may ever wait for one."""
        self._idle: list[Connection] = []
        """Open connections to a file, outside of any transaction."""
        self._closed = False
        try:
            if address.path:
                if address.is_default:
                    sqlite_file.make_folder(address.path.parent)
                sqlite_file.prepare(address.path, address.label, patience)
                self._file = OpenFile(address.path, address.label)
                self._engine = _sqlite_engine(self._file, address, patience)
            else:
                self._engine = _postgres_engine(address, patience)
        except FAILURES as error:
            raise explain(error, self.label) from error
        self._reader = self._engine.execution_options(**_SNAPSHOT_OPTIONS.get(self._engine.name, {}))
        self._has_answered = False

    @property
    def has_notifications(self) -> bool:
        """Whether processes can notify each other through it."""
        return self._engine.name == "postgresql"

    @property
    def engine(self) -> Engine:
        """The engine, for connections outside the pool."""
        return self._engine

    def read(self, work: Work[T]) -> T:
        """Return the work's answer, from one snapshot of the database."""
        return self._run(self._reader, "BEGIN", work)

    def write(self, work: Work[T]) -> T:
        """Return the work's answer, once everything that it wrote is on disk."""
        return self._run(self._engine, "BEGIN IMMEDIATE", work)

    def explaining(self, operation: Callable[[], T]) -> T:
        """Run something else than a transaction, with its errors as StoreErrors."""
        try:
            return operation()
        except FAILURES as error:
            raise explain(error, self.label) from error

    def check_writable(self) -> None:
        """Raise a StoreError where later writes will fail, although one may still succeed."""
        if self._file:
            self._file.check_writable()

    def close(self) -> None:
        """Close all connections; SQLite then moves its log into the file. Later reads and writes raise ClosedError."""
        self._closed = True
        deadline = time.monotonic() + CLOSE_TIMEOUT
        while self._running and time.monotonic() < deadline:
            time.sleep(0.01)
        while self._idle:
            self._idle.pop().close()
        self._checkpoint_moved_file()
        self._engine.dispose()

    def _checkpoint_moved_file(self) -> None:
        """Move the log into its own file: SQLite leaves it, and it would damage another file in that place."""
        try:
            if self._file:
                self._file.check()
        except MovedError:
            with suppress(StoreError, *FAILURES), closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _run(self, engine: Engine, begin: str, work: Work[T]) -> T:
        """Run one transaction; raise an error unless what it wrote went into the right file."""
        mark = object()
        self._running.add(mark)
        pauses: Iterator[float] | None = None
        try:
            if self._closed:
                raise ClosedError(f"{self.label} has been closed.")
            if self._file:
                self._file.check()
            while True:
                try:
                    if self._file is None:
                        with engine.begin() as connection:
                            answer = work(connection, pauses is not None)
                    else:
                        answer = self._run_on_file(begin, work)
                    break
                except FAILURES as error:
                    pauses = pauses or _pauses(self.patience)
                    pause = self._pause_after(error, pauses)
                time.sleep(pause)
            self._has_answered = True
            if self._file and engine is self._engine:
                self._file.check()
            return answer
        finally:
            self._running.discard(mark)

    def _run_on_file(self, begin: str, work: Work[T]) -> T:
        """Run a transaction on a connection that stays open: taking one from a pool takes longer than a move."""
        connection = self._idle.pop() if self._idle else self._engine.connect()
        try:
            driver: Any = connection.connection.driver_connection
            driver.execute(begin)
            answer = work(connection, False)
            driver.commit()
        except BaseException:
            connection.close()  # which rolls back
            raise
        if connection.in_transaction():  # as SQLAlchemy sees it
            connection.commit()
        self._idle.append(connection)
        return answer

    def _pause_after(self, error: Exception, pauses: Iterator[float]) -> float:
        """Return the seconds until the next attempt; raise a ClashError or StoreError if there is none."""
        if is_duplicate(error):
            raise ClashError from error
        # A server that never answered is more likely misspelt than restarting.
        pause = next(pauses, None) if self._has_answered and is_connection_lost(error) else None
        if pause is None:
            raise explain(error, self.label) from error
        return pause


class PreparedStatement:
    """A statement that is compiled once for each kind of database; SQLite's driver runs it without SQLAlchemy.

    A move is two such statements, and SQLAlchemy would take longer over them than SQLite.
    """

    def __init__(self, statement: Insert | Update | Select[Any]) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}
        columns = statement.selected_columns.keys() if isinstance(statement, Select) else []
        self._row: Any = _row_type(columns)

    def run(self, connection: Connection, values: dict[str, Any]) -> Any:
        """Execute the statement and return its cursor."""
        dialect = connection.dialect
        if dialect.name not in self._texts:
            named = sqlite.dialect(paramstyle="named") if dialect.name == "sqlite" else dialect
            self._texts[dialect.name] = str(self._statement.compile(dialect=named))
        if dialect.name == "sqlite":
            driver: Any = connection.connection.driver_connection
            return driver.execute(self._texts["sqlite"], values)
        return connection.exec_driver_sql(self._texts[dialect.name], values)

    def rows(self, connection: Connection, values: dict[str, Any]) -> list[Any]:
        """Return the selected rows as named tuples."""
        return [self._row._make(row) for row in self.run(connection, values).fetchall()]


def _row_type(columns: Iterable[str]) -> Any:
    return namedtuple("Row", columns)


class OpenFile:
    """The file of an open database, known by device and inode, so that another one in its place is noticed."""

    def __init__(self, path: Path, label: str) -> None:
        self._path = path
        self._label = label
        self._uri = f"{path.as_uri()}?mode=rw"
        # On an overlay of disks, as containers have, the first opening for writing makes it another file.
        sqlite3.connect(self._uri, uri=True).close()
        status = path.stat()
        self._identity = status.st_dev, status.st_ino

    def check(self) -> None:
        """Raise MovedError unless the path still leads to the file that was opened."""
        try:
            status = self._path.stat()
            is_same = (status.st_dev, status.st_ino) == self._identity
        except OSError:
            is_same = False
        if not is_same:
            raise MovedError(
                f"{self._label} was renamed, removed or replaced while it was open. Put it back, or start again."
            )

    def check_writable(self) -> None:
        """Raise ReadOnlyError where a new connection could not write; one that is open may not notice."""
        self.check()
        if not (os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK)):
            raise ReadOnlyError(f"{self._label} cannot be written: the file or its folder is read-only.")

    def connect(self, patience: float) -> Any:
        """Open the file, and never create a new one in its place."""
        self.check()
        connection = sqlite3.connect(
            self._uri,
            uri=True,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            self.check()
        except MovedError:
            connection.close()
            raise
        return connection


_SNAPSHOT_OPTIONS = {"postgresql": {"isolation_level": "REPEATABLE READ"}}


def _pauses(patience: float) -> Iterator[float]:
    """Return growing pauses, until patience is at an end."""
    deadline = time.monotonic() + patience
    pause = 0.02
    while time.monotonic() + pause < deadline:
        yield pause
        pause = min(2 * pause, 0.5)


def _sqlite_engine(file: OpenFile, address: Address, patience: float) -> Engine:
    engine = create_engine(address.url, creator=lambda: file.connect(patience))

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")

    return engine


def _postgres_engine(address: Address, patience: float) -> Engine:
    milliseconds = max(1, int(patience * 1000))
    defaults = {"connect_timeout": str(max(2, int(patience / 2))), "tcp_user_timeout": str(milliseconds)}
    url = address.url.set(query={**defaults, **address.url.query})
    with RequiredExtra("postgresql", "PostgreSQL"):
        engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.autocommit = True
        connection.execute("SELECT set_config('lock_timeout', %s, false)", [f"{milliseconds}ms"])
        connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        connection.autocommit = False

    return engine
