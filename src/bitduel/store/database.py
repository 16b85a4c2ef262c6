"""A database that is open: transactions, patience with locks and lost servers, and errors as sentences."""

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event

from bitduel.core.extras import extra
from bitduel.store import sqlite_file
from bitduel.store.address import Address
from bitduel.store.errors import FAILURES, clashes, explain, lost

T = TypeVar("T")

Work = Callable[[Connection, bool], T]
"""What is done in a transaction; the flag says that an attempt came before, whose fate is unknown."""


class ClashError(Exception):
    """A row with the same key was there already."""


class Database:
    """Runs work in transactions; what it lets out is a StoreError or a ClashError."""

    def __init__(self, address: Address, patience: float) -> None:
        self.label = address.label
        self.patience = patience
        try:
            self._engine = _sqlite(address, patience) if address.path else _postgres(address, patience)
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

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    def _run(self, engine: Engine, begin: str, work: Work[T]) -> T:
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


def _sqlite(address: Address, patience: float) -> Engine:
    assert address.path
    if address.ours:
        sqlite_file.make_folder(address.path.parent)
    sqlite_file.prepare(address.path, address.label, patience)
    engine = create_engine(address.url, connect_args={"timeout": patience, "isolation_level": None})

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
