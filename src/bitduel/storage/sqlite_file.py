"""The file of a SQLite database: created for the user alone, recognised by its header, and backed up."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

from bitduel.core.errors import printable
from bitduel.storage.address import find_address
from bitduel.storage.errors import (
    FAILURES,
    DamagedError,
    ForeignError,
    FullError,
    ReadOnlyError,
    StoreError,
    UnknownFileError,
    explain,
)

APPLICATION_ID = int.from_bytes(b"bitd", "big")
"""SQLite's application id: at a fixed place in the file, so that a foreign file is never even opened."""
SIDE_FILES = ("-wal", "-shm", "-journal")
"""The suffixes of the files that SQLite has beside a database that is in use."""
PAGES_PER_STEP = 1024
"""Pages that are copied between two reports of the progress: 4 MiB."""

_MAGIC = b"SQLite format 3\0"
_HEADER_LENGTH = 100


def prepare(path: Path, label: str, patience: float) -> None:
    """Create the file if there is none; raise a StoreError if it is not ours to use."""
    # SQLite gives its side files the mode of the main one, so it is enough to make that one private.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    if not stat.S_ISREG(path.stat().st_mode):
        raise ReadOnlyError(f"{label} is not a file.")
    if path.stat().st_size == 0:
        if has_log(path):
            raise DamagedError(f"{label} is damaged: it is empty, but its write-ahead log is not.")
        # The id is written before the file gets a write-ahead log, so that it is in the main file.
        _execute(path, patience, f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA journal_mode = WAL")
    check_header(path, label)
    if not _is_write_ahead(path):  # its creation was interrupted
        _execute(path, patience, "PRAGMA journal_mode = WAL")


def make_folder(folder: Path) -> None:
    """Create the folder, and those it is in, for the user alone."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def check_header(path: Path, label: str) -> None:
    """Raise ForeignError or DamagedError where the file is not a whole database of ours; only its header is read."""
    with path.open("rb") as file:
        header = file.read(_HEADER_LENGTH)
        size = os.fstat(file.fileno()).st_size
    if not header.startswith(_MAGIC[: len(header)]):
        raise ForeignError(f"{label} is not a SQLite database. Nothing in it was changed.")
    if len(header) < _HEADER_LENGTH:
        raise DamagedError(f"{label} is damaged: part of it is missing. Nothing in it was changed.")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ForeignError(f"{label} belongs to another program. Nothing in it was changed.")
    page_size = int.from_bytes(header[16:18], "big")
    if size % (65536 if page_size <= 1 else page_size) and not has_log(path):
        raise DamagedError(f"{label} is damaged: part of it is missing. Nothing in it was changed.")


def has_log(path: Path) -> bool:
    """Return whether there is a write-ahead log with something in it."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _is_write_ahead(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(20)[18:20] == b"\x02\x02"  # the versions of the format that are needed to write and to read


def _execute(path: Path, patience: float, *commands: str) -> None:
    deadline = time.monotonic() + patience
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=patience, isolation_level=None)) as connection:
                for command in commands:
                    connection.execute(command)
            return
        except sqlite3.OperationalError as error:
            # Two creators at once: SQLite does not wait by itself while the journal mode changes.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


Progress = Callable[[int, int], None]
"""A function that is called with the number of pages still to copy, and of all pages."""


class Backup(NamedTuple):
    """The number of matches in a backup, and its size in bytes."""

    matches: int
    size: int


def back_up(url: str | None, target: Path, replace: bool, progress: Progress) -> Backup:
    """Copy the database at a URL into a file, consistently while others write.

    Raise StoreError if that fails; then no file is made or changed.
    """
    address = find_address(url)
    if address.path is None:
        raise StoreError(
            f"{address.label} is backed up by PostgreSQL's own program: pg_dump --format=custom --file=FILE URL."
        )
    label = f"The backup {printable(str(target), 200)}"
    if not address.path.exists():
        raise UnknownFileError(f"{address.label} does not exist, so there is nothing to back up.")
    _check_target(address.path, target, label, replace)
    try:
        check_header(address.path, address.label)
    except OSError as error:
        raise explain(error, address.label) from error
    try:
        return _write_backup(address.path, address.label, target, replace, progress)
    except FileExistsError:
        raise _exists(label) from None
    except FAILURES as error:
        # The backup is written and the database only read, so errors in writing are about the backup.
        explained = explain(error, label)
        is_about_backup = isinstance(error, OSError) or isinstance(explained, FullError | ReadOnlyError)
        raise explained if is_about_backup else explain(error, address.label) from error


def _check_target(source: Path, target: Path, label: str, replace: bool) -> None:
    if not target.parent.is_dir():
        raise StoreError(f"{label} can't be written to a folder that doesn't exist.")
    if target.is_dir():
        raise StoreError(f"{label} is the name of a folder. Name a file instead.")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{label} can't be the database itself. Name another file.")
    if target.exists() and not target.is_file():
        raise StoreError(f"{label} is not an ordinary file. Name another file.")
    main_files = {target.name.removesuffix(suffix) for suffix in SIDE_FILES if target.name.endswith(suffix)}
    if any((target.parent / name).exists() for name in main_files):
        raise StoreError(f"{label} is the name of a file that belongs to a database. Name another file.")
    if any(target.with_name(target.name + suffix).exists() for suffix in SIDE_FILES):
        raise StoreError(f"{label} can't replace a database that is in use. Name another file.")
    if (target.exists() or target.is_symlink()) and not replace:
        raise _exists(label)


def _exists(label: str) -> StoreError:
    return StoreError(f"{label} already exists. Use --force to replace it.")


def _write_backup(source: Path, label: str, target: Path, replace: bool, progress: Progress) -> Backup:
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(handle)
    draft = Path(name)
    try:
        with closing(_open_source(source)) as original, closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            matches = _copy(original, copy, progress)
            if copy.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise DamagedError(f"{label} is damaged, so it was not backed up.")
        size = draft.stat().st_size
        _flush(draft)
        _move_into_place(draft, target, replace)
    finally:
        for left in (draft, *(draft.with_name(draft.name + suffix) for suffix in SIDE_FILES)):
            left.unlink(missing_ok=True)
    return Backup(matches, size)


def _open_source(source: Path) -> sqlite3.Connection:
    """Open the database while others write to it; without a log it can be read even on a read-only disk."""
    modes = ("mode=rw",) if has_log(source) else ("mode=rw", "mode=ro&immutable=1")
    for mode in modes:
        connection = sqlite3.connect(f"{source.as_uri()}?{mode}", uri=True, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            connection.close()
            if mode == modes[-1]:
                raise
        else:
            return connection
    raise AssertionError("the last mode returns or raises")


def _copy(original: sqlite3.Connection, copy: sqlite3.Connection, progress: Progress) -> int:
    """Copy the database in one transaction, so that writers need not wait and nothing restarts."""
    original.execute("BEGIN")
    (matches,) = original.execute("SELECT count(*) FROM matches").fetchone()
    copy.execute("PRAGMA journal_mode = OFF")
    original.backup(copy, pages=PAGES_PER_STEP, progress=lambda _status, left, total: progress(left, total))
    return int(matches)


def _flush(path: Path) -> None:
    """Wait until a file or folder is on disk; a folder can be flushed only on some systems."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _move_into_place(draft: Path, target: Path, replace: bool) -> None:
    """Give the finished file its name; raise FileExistsError if another was made meanwhile and must stay."""
    if replace:
        draft.replace(target)
    else:
        try:
            target.hardlink_to(draft)
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            if target.exists():
                raise FileExistsError from None
            draft.rename(target)
    with suppress(OSError):
        _flush(target.parent)
