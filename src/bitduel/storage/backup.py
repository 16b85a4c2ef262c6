"""A copy of a SQLite database in one file: consistent while others write, and there only when it is whole."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple

from bitduel.core.errors import shown
from bitduel.storage import sqlite_file
from bitduel.storage.address import find_address
from bitduel.storage.errors import (
    FAILURES,
    DamagedError,
    FullError,
    ReadOnlyError,
    StoreError,
    UnknownFileError,
    explain,
)

STEP = 1024
"""Pages that are copied between two looks at the progress: 4 MiB."""
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database that is in use."""

Progress = Callable[[int, int], None]
"""Called with the pages that are still to copy, and all."""


class Backup(NamedTuple):
    """What was copied."""

    matches: int
    size: int


def back_up(url: str | None, target: Path, replace: bool, progress: Progress) -> Backup:
    """Copy the database at a URL into a file; raises StoreError, and then no file is made or changed."""
    address = find_address(url)
    if address.path is None:
        raise StoreError(
            f"{address.label} is backed up by PostgreSQL's own program: pg_dump --format=custom --file=FILE URL."
        )
    label = f"The backup {shown(str(target), 200)}"
    if not address.path.exists():
        raise UnknownFileError(f"{address.label} does not exist, so there is nothing to back up.")
    _check_target(address.path, target, label, replace)
    try:
        sqlite_file.recognise(address.path, address.label)
    except OSError as error:
        raise explain(error, address.label) from error
    try:
        return _copied(address.path, address.label, target, replace, progress)
    except FileExistsError:
        raise _exists(label) from None
    except FAILURES as error:
        # The one is written and the other read, so what fails in writing is about the backup.
        found = explain(error, label)
        about_backup = isinstance(error, OSError) or isinstance(found, FullError | ReadOnlyError)
        raise found if about_backup else explain(error, address.label) from error


def _check_target(source: Path, target: Path, label: str, replace: bool) -> None:
    if not target.parent.is_dir():
        raise StoreError(f"{label} would be in a folder that does not exist.")
    if target.is_dir():
        raise StoreError(f"{label} would be a folder's name; name a file.")
    if target.exists() and target.samefile(source):
        raise StoreError(f"{label} would be the database itself; name another file.")
    if target.exists() and not target.is_file():
        raise StoreError(f"{label} is not an ordinary file; name another file.")
    whole = {target.name.removesuffix(end) for end in BESIDE if target.name.endswith(end)}
    if any((target.parent / name).exists() for name in whole):
        raise StoreError(f"{label} would belong to a database; name another file.")
    if any(target.with_name(target.name + end).exists() for end in BESIDE):
        raise StoreError(f"{label} would replace a database that is in use; name another file.")
    if (target.exists() or target.is_symlink()) and not replace:
        raise _exists(label)


def _exists(label: str) -> StoreError:
    return StoreError(f"{label} exists already; --force replaces it.")


def _copied(source: Path, label: str, target: Path, replace: bool, progress: Progress) -> Backup:
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    os.close(handle)
    draft = Path(name)
    try:
        with closing(_opened(source)) as original, closing(sqlite3.connect(draft, isolation_level=None)) as copy:
            matches = _copy(original, copy, progress)
            if copy.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise DamagedError(f"{label} is damaged, so it was not backed up.")
        size = draft.stat().st_size
        _flush(draft)
        _put_in_place(draft, target, replace)
    finally:
        for left in (draft, *(draft.with_name(draft.name + end) for end in BESIDE)):
            left.unlink(missing_ok=True)
    return Backup(matches, size)


def _opened(source: Path) -> sqlite3.Connection:
    """The database, whoever writes to it; without a log it can be read even where nothing can be written."""
    ways = ("mode=rw",) if sqlite_file.has_log(source) else ("mode=rw", "mode=ro&immutable=1")
    for way in ways:
        connection = sqlite3.connect(f"{source.as_uri()}?{way}", uri=True, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            connection.close()
            if way == ways[-1]:
                raise
        else:
            return connection
    raise AssertionError("the last way returns or raises")


def _copy(original: sqlite3.Connection, copy: sqlite3.Connection, progress: Progress) -> int:
    """Copy one moment of the database: a transaction holds it, so that writers need not wait and nothing restarts."""
    original.execute("BEGIN")
    (matches,) = original.execute("SELECT count(*) FROM matches").fetchone()
    copy.execute("PRAGMA journal_mode = OFF")
    original.backup(copy, pages=STEP, progress=lambda _status, left, total: progress(left, total))
    return int(matches)


def _flush(path: Path) -> None:
    """Wait until the disk has what was written; a folder can be flushed only on some systems."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _put_in_place(draft: Path, target: Path, replace: bool) -> None:
    """Give the finished file its name; FileExistsError where another was made meanwhile and is not to be replaced."""
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
