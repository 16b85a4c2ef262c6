"""Coordination of processes that share a database: notifications, the change counter, and counts of limited use."""

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from threading import Event
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, bindparam, case, delete, select, text
from sqlalchemy.dialects import postgresql, sqlite

from bitduel.storage.database import Database, Work
from bitduel.storage.schema import SECOND, counts, now

CHANNEL = "bitduel"
PAUSE = 0.5
"""Seconds between two checks whether to stop, and between two attempts to connect again."""

_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
_COUNT = select(counts.c.times).where(counts.c.who == bindparam("key"), counts.c.until > bindparam("now"))
_DELETE_EXPIRED = delete(counts).where(counts.c.until <= bindparam("now"))
_INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}

T = TypeVar("T")


class Notifications:
    """Short texts between processes, through LISTEN and NOTIFY of PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def notify(self, channel: str, payload: str) -> None:
        """Send a text to all listeners."""
        values = {"channel": channel, "payload": payload}
        self._database.write(lambda connection, _: connection.execute(_NOTIFY, values))

    def listen(self, channel: str, stopped: Event, on_text: Callable[[str], None], on_gap: Callable[[], None]) -> None:
        """Call `on_text` for every text until stopped, and `on_gap` whenever some may have been missed."""
        while not stopped.is_set():
            with suppress(Exception), closing(_detached_connection(self._database.engine)) as connection:
                connection.autocommit = True
                connection.execute(f'LISTEN "{channel}"')
                on_gap()
                while not stopped.is_set():
                    for notification in connection.notifies(timeout=PAUSE):
                        on_text(notification.payload)
            stopped.wait(PAUSE)  # the server may be restarting


def with_notification(work: Work[T], payload: str) -> Work[T]:
    """Return the same work with a text that all listeners get when it is committed, and only then."""

    def notifying_work(connection: Connection, again: bool) -> T:
        answer = work(connection, again)
        connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})
        return answer

    return notifying_work


def notify_listeners(connection: Connection, payloads: Sequence[str]) -> list[str]:
    """Send texts that all listeners get when the transaction is committed, if there are any; return the texts."""
    if connection.dialect.name == "postgresql":
        for payload in payloads:
            connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})
    return list(payloads)


class ChangeCounter:
    """The counter that SQLite increases with every write, read cheaply over a connection of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Any = None
        self._last: int | None = None

    def has_changed(self) -> bool:
        """Return whether any process has written since the last call; True for the first."""
        version = self._database.explaining(self._version)
        changed, self._last = version != self._last, version
        return changed

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _version(self) -> int:
        if self._connection is None:
            self._connection = _detached_connection(self._database.engine)
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])


def _detached_connection(engine: Engine) -> Any:
    """Return a connection of the driver that is not in the pool."""
    raw = engine.raw_connection()
    driver = raw.driver_connection
    raw.detach()
    return driver


class UsageCounts:
    """Counts that expire, one for all processes; only a hash of the counted key is stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: str, seconds: float) -> int:
        """Count once more, and return the count; a new one expires after the given seconds."""
        return self._database.write(count_use(key, seconds))

    def get(self, key: str) -> int:
        """Return the count."""
        values = {"key": _hash(key), "now": now()}
        return self._database.read(lambda connection, _: int(connection.execute(_COUNT, values).scalar() or 0))

    def delete_expired(self) -> None:
        """Delete the counts that have expired."""
        self._database.write(lambda connection, _: connection.execute(_DELETE_EXPIRED, {"now": now()}))


def count_use(key: str, seconds: float) -> Work[int]:
    """Return the work that counts once more."""
    moment = now()
    values = {"who": _hash(key), "until": moment + int(seconds * SECOND), "times": 1}

    def work(connection: Connection, _again: bool) -> int:
        insert = _INSERTS[connection.dialect.name](counts).values(values)
        is_running = counts.c.until > moment
        updated = {
            "times": case((is_running, counts.c.times + 1), else_=1),
            "until": case((is_running, counts.c.until), else_=insert.excluded.until),
        }
        upsert = insert.on_conflict_do_update(index_elements=["who"], set_=updated).returning(counts.c.times)
        return int(connection.execute(upsert).scalar_one())

    return work


def _hash(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()
