"""How often somebody has done something lately: one count for all processes that share the store."""

from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, case, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from bitduel.storage.database import Database, Work
from bitduel.storage.schema import counts
from bitduel.storage.timestamps import now

SECOND = 1_000_000
"""As the store counts: in microseconds."""
_TIMES = select(counts.c.times).where(counts.c.who == bindparam("key"), counts.c.until > bindparam("now"))
_SWEEP = delete(counts).where(counts.c.until <= bindparam("now"))
_INSERTS: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class Counts:
    """Counts that begin anew when their time is over; of whoever is counted only a hash is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, who: str, seconds: float) -> int:
        """Count once more, and say how often that makes since the count began; it lasts so long."""
        return self._database.write(counting(who, seconds))

    def times(self, who: str) -> int:
        """How often it has been, without counting."""
        values = {"key": _hashed(who), "now": now()}
        return self._database.read(lambda connection, _: int(connection.execute(_TIMES, values).scalar() or 0))

    def sweep(self) -> None:
        """Forget the counts whose time is over."""
        self._database.write(lambda connection, _: connection.execute(_SWEEP, {"now": now()}))


def counting(who: str, seconds: float) -> Work[int]:
    """Count once more."""
    moment = now()
    values = {"who": _hashed(who), "until": moment + int(seconds * SECOND), "times": 1}

    def work(connection: Connection, _again: bool) -> int:
        wanted = _INSERTS[connection.dialect.name](counts).values(values)
        goes_on = counts.c.until > moment
        both = {
            "times": case((goes_on, counts.c.times + 1), else_=1),
            "until": case((goes_on, counts.c.until), else_=wanted.excluded.until),
        }
        counted = wanted.on_conflict_do_update(index_elements=["who"], set_=both).returning(counts.c.times)
        return int(connection.execute(counted).scalar_one())

    return work


def _hashed(who: str) -> str:
    return sha256(who.encode("utf-8", "replace")).hexdigest()
