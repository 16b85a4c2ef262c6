"""Events through PostgreSQL: LISTEN and NOTIFY carry them to every process that shares the database."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, text

from bitduel.storage.database import Database, Work

CHANNEL = "bitduel"
PAUSE = 0.5
"""Seconds between two looks at whether to stop, and between two attempts to connect again."""


_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
T = TypeVar("T")


def telling(work: Work[T], news: str | None) -> Work[T]:
    """The same work, with something that all who listen hear of when it is committed, and only then."""
    if news is None:
        return work

    def told(connection: Connection, again: bool) -> T:
        answer = work(connection, again)
        connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": news})
        return answer

    return told


class Notifications:
    """Sends and hears short texts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def notify(self, channel: str, payload: str) -> None:
        """Send a text to all who listen."""
        values = {"channel": channel, "payload": payload}
        self._database.write(lambda c, _: c.execute(_NOTIFY, values))

    def listen(self, channel: str, stopped: Event, heard: Callable[[str], None], lost: Callable[[], None]) -> None:
        """Call `heard` for every text until stopped, and `lost` whenever some may have been missed."""
        while not stopped.is_set():
            with suppress(Exception):  # a server that restarts; the next attempt comes soon
                self._hear(channel, stopped, heard, lost)
            stopped.wait(PAUSE)

    def _hear(self, channel: str, stopped: Event, heard: Callable[[str], None], lost: Callable[[], None]) -> None:
        connection = _raw(self._database.engine)
        try:
            connection.autocommit = True
            connection.execute(f'LISTEN "{channel}"')
            lost()
            while not stopped.is_set():
                for notice in connection.notifies(timeout=PAUSE):
                    heard(notice.payload)
        finally:
            connection.close()


def _raw(engine: Engine) -> Any:
    """A connection of its own, outside the pool."""
    raw = engine.raw_connection()
    driver = raw.driver_connection
    raw.detach()
    return driver
