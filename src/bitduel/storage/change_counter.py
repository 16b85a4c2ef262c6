"""Whether a SQLite database has been written to since one last asked: cheap enough to ask twice a second."""

from typing import Any

from bitduel.storage.database import Database


class ChangeCounter:
    """A connection of its own that only looks at the counter which SQLite raises whenever another one writes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: Any = None
        self._last: int | None = None

    def any(self) -> bool:
        """Whether anything was written since the last time, by any process; also the first time."""
        version = self._database.guarded(self._version)
        stirred, self._last = version != self._last, version
        return stirred

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _version(self) -> int:
        if self._connection is None:
            raw = self._database.engine.raw_connection()
            self._connection = raw.driver_connection
            raw.detach()
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
