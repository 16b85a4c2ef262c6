"""The errors of a store, and the sentence for each error of a database or the system."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from bitduel.core.errors import BitduelError, printable


class StoreError(BitduelError):
    """An operation on a store that failed."""

    status = 1


class AddressError(StoreError):
    """A text that is not the address of a database."""


class UnknownFileError(StoreError):
    """A database file that does not exist."""


class MissingGameError(StoreError):
    """A match of a game that is not installed."""


class UnknownMatchError(StoreError):
    """An id that belongs to no match, or a beginning that belongs to several."""


class PlyTakenError(StoreError):
    """A write to a match that another writer has changed meanwhile."""


class RoundTakenError(StoreError):
    """A round of a sitting that another writer has begun."""


class OverError(StoreError):
    """A change to a match whose result is recorded."""


class PausedError(StoreError):
    """A change of a match that is paused."""


class NoLongerError(StoreError):
    """An offer or a seat that is no longer valid."""


class LockedError(StoreError):
    """A database that another program has locked."""


class FullError(StoreError):
    """A full disk."""


class ReadOnlyError(StoreError):
    """A file or database that may not be read or written."""


class MovedError(StoreError):
    """A database file that was renamed, removed or replaced while it was open."""


class ClosedError(StoreError):
    """A database that this program has closed."""


class UnexpectedError(StoreError):
    """An unforeseen failure; whether the write was made is not known."""


class DamagedError(StoreError):
    """A damaged database file, or a match that cannot be replayed."""


class ForeignError(StoreError):
    """A database of another program."""


class NewerError(StoreError):
    """A database written by a newer version."""


class UnreachableError(StoreError):
    """A server that cannot be reached."""


FAILURES = (SQLAlchemyError, sqlite3.Error, OSError, ValueError)
"""The exceptions of databases; the store turns all of them into StoreErrors."""

_Kind = type[StoreError]

_SYSTEM: dict[int | None, tuple[_Kind, str]] = {
    errno.ENOSPC: (FullError, "cannot be written: the disk is full"),
    errno.EDQUOT: (FullError, "cannot be written: your share of the disk is full"),
    errno.EACCES: (ReadOnlyError, "can't be read or written: permission denied"),
    errno.EPERM: (ReadOnlyError, "can't be read or written: permission denied"),
    errno.EROFS: (ReadOnlyError, "cannot be written: it is on a read-only disk"),
}

_SQLITE: dict[int | None, tuple[_Kind, str]] = {
    sqlite3.SQLITE_BUSY: (LockedError, "is locked by another program; close that program and try again"),
    sqlite3.SQLITE_LOCKED: (LockedError, "is locked by another program; close that program and try again"),
    sqlite3.SQLITE_FULL: (FullError, "cannot be written: the disk is full"),
    sqlite3.SQLITE_IOERR: (FullError, "cannot be written: the disk reports an error, or has no room left"),
    sqlite3.SQLITE_READONLY: (ReadOnlyError, "cannot be written: the file or its folder is read-only"),
    sqlite3.SQLITE_PERM: (ReadOnlyError, "cannot be written: the file or its folder is read-only"),
    sqlite3.SQLITE_CANTOPEN: (ReadOnlyError, "cannot be opened: the file or its folder is missing or read-only"),
    sqlite3.SQLITE_CORRUPT: (DamagedError, "is damaged. Nothing in it was changed"),
    sqlite3.SQLITE_NOTADB: (DamagedError, "is damaged. Nothing in it was changed"),
}

_POSTGRES: dict[str | None, tuple[_Kind, str]] = {
    "53100": (FullError, "cannot be written: the disk is full"),
    "55P03": (LockedError, "is locked by another program; try again"),
    "25006": (ReadOnlyError, "cannot be written: it is read-only"),
    "42501": (ReadOnlyError, "doesn't allow this user to write"),
}

_DUPLICATES = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)

_TRANSIENT = ("08", "40", "57")
"""Classes of SQLSTATE after which a new attempt may succeed: connection, rollback, operator intervention."""


def explain(error: Exception, label: str) -> StoreError:
    """Return the StoreError for an error, with a sentence about the database."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    kind, predicate = _classify(error, cause or error)
    return kind(f"{label} {predicate}.")


def is_connection_lost(error: Exception) -> bool:
    """Return whether a server went away, so that the outcome of the transaction is unknown."""
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    state = _sqlstate(error.orig)
    is_transient = state is None or state.startswith(_TRANSIENT) or state == "53300"
    return error.connection_invalidated or (isinstance(error, OperationalError) and is_transient)


def is_duplicate(error: Exception) -> bool:
    """Return whether a row with the same key existed already."""
    cause = error.orig if isinstance(error, IntegrityError) else error
    return getattr(cause, "sqlite_errorcode", None) in _DUPLICATES or _sqlstate(cause) == "23505"


def _classify(error: Exception, cause: BaseException) -> tuple[_Kind, str]:
    if isinstance(cause, OSError):
        return _SYSTEM.get(cause.errno, (StoreError, f"cannot be used: {(cause.strerror or str(cause)).lower()}"))
    if isinstance(cause, UnicodeError):
        return StoreError, "can't save text that isn't Unicode"
    if isinstance(cause, ValueError):
        return DamagedError, "is damaged: some of it can't be read"
    if isinstance(cause, sqlite3.Error):
        primary = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return _SQLITE.get(primary, (DamagedError, f"cannot be used: {_first_line(cause)}"))
    if is_connection_lost(error):
        return UnreachableError, f"cannot be reached: {_first_line(cause)}"
    return _POSTGRES.get(_sqlstate(cause), (StoreError, f"cannot be used: {_first_line(cause)}"))


def _sqlstate(cause: BaseException | None) -> str | None:
    state: str | None = getattr(cause, "sqlstate", None)
    return state


def _first_line(cause: BaseException) -> str:
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return printable(lines[0].rstrip("."), 200)
