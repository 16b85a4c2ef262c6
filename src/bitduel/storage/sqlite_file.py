"""The file of a SQLite database: made private, recognised by its header, and left alone if it is not ours."""

import os
import sqlite3
import stat
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from bitduel.storage.errors import DamagedError, ForeignError, MovedError, ReadOnlyError

OURS = int.from_bytes(b"bitd", "big")
"""SQLite's application id: at a fixed place in the file, so that a foreign file is never even opened."""

_MAGIC = b"SQLite format 3\0"
_HEADER = 100


class OpenFile:
    """The file of an open database: known by device and inode, so that another one in its place is noticed."""

    def __init__(self, path: Path, label: str) -> None:
        self._path = path
        self._label = label
        self._uri = f"{path.as_uri()}?mode=rw"
        # On an overlay of disks, as containers have, the first opening for writing makes it another file.
        sqlite3.connect(self._uri, uri=True).close()
        self._identity = _identity(path)

    def check(self) -> None:
        """Raise MovedError unless the path still leads to the file that was opened."""
        try:
            found: object = _identity(self._path)
        except OSError:
            found = None
        if found != self._identity:
            raise MovedError(
                f"{self._label} was renamed, removed or replaced while it was open. Put it back, or start again."
            )

    def check_writable(self) -> None:
        """Raise ReadOnlyError where a new connection could not write; one that is open may not notice."""
        self.check()
        if not (os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK)):
            raise ReadOnlyError(f"{self._label} cannot be written: the file or its folder is read-only.")

    def connect(self, patience: float) -> Any:
        """Open the file, and never make a new one in its place."""
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


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def prepare(path: Path, label: str, patience: float) -> None:
    """Make the file if there is none; refuse one that is not ours to use."""
    _create(path)
    if not stat.S_ISREG(path.stat().st_mode):
        raise ReadOnlyError(f"{label} is not a file.")
    if path.stat().st_size == 0:
        _begin(path, label, patience)
    recognise(path, label)
    if not _is_write_ahead(path):
        _finish(path, patience)


def make_folder(folder: Path) -> None:
    """Make the folder, and those it is in, for the user alone."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)


def _create(path: Path) -> None:
    """SQLite gives its side files the mode of the main one, so it is enough to make that one private."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return


def _begin(path: Path, label: str, patience: float) -> None:
    """Sign the file before it becomes a write-ahead one, so that the signature is in the main file."""
    if has_log(path):
        raise DamagedError(f"{label} is damaged: it is empty, but its write-ahead log is not.")
    _run(path, patience, f"PRAGMA application_id = {OURS}", "PRAGMA journal_mode = WAL")


def _finish(path: Path, patience: float) -> None:
    """Whoever began the file was interrupted before it became a write-ahead one."""
    _run(path, patience, "PRAGMA journal_mode = WAL")


def _run(path: Path, patience: float, *commands: str) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as connection:
                for command in commands:
                    connection.execute(command)
            return
        except sqlite3.OperationalError as error:
            # Two beginners at once: SQLite does not wait by itself while the journal mode changes.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def recognise(path: Path, label: str) -> None:
    """Raise ForeignError or DamagedError where the file is not a whole database of ours; only its header is read."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
        size = os.fstat(file.fileno()).st_size
    if not header.startswith(_MAGIC[: len(header)]):
        raise ForeignError(f"{label} is not a SQLite database; it was left as it is.")
    if len(header) < _HEADER:
        raise DamagedError(f"{label} is damaged: it is cut short; it was left as it is.")
    if int.from_bytes(header[68:72], "big") != OURS:
        raise ForeignError(f"{label} belongs to another program; it was left as it is.")
    if size % _page_size(header) and not has_log(path):
        raise DamagedError(f"{label} is damaged: it is cut short; it was left as it is.")


def _is_write_ahead(path: Path) -> bool:
    """Whether the header says so: the versions of format that are needed to write and to read."""
    with path.open("rb") as file:
        return file.read(20)[18:20] == b"\x02\x02"


def _page_size(header: bytes) -> int:
    size = int.from_bytes(header[16:18], "big")
    return 65536 if size <= 1 else size


def has_log(path: Path) -> bool:
    """Whether there is a write-ahead log with something in it."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
