"""What can go wrong with a store, and the sentence for each error that a database or the system gives."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from bitduel.core.errors import BitduelError, shown


class StoreError(BitduelError):
    """Matches that cannot be kept or found."""

    status = 1


class AddressError(StoreError):
    """A text that does not say where a database is."""


class UnknownFileError(StoreError):
    """A database that is not there."""


class MissingGameError(StoreError):
    """A match of a game that is not installed."""


class UnknownMatchError(StoreError):
    """An id that belongs to no match, or a beginning that belongs to several."""


class PlyTakenError(StoreError):
    """Another writer was first: the match is not where the caller thinks it is."""


class RoundTakenError(StoreError):
    """Another writer has begun this round of the sitting."""


class OverError(StoreError):
    """A change to a match whose result is recorded."""


class NoLongerError(StoreError):
    """Something that was asked or offered, and does not stand any more."""


class LockedError(StoreError):
    """A database that another program does not let go of."""


class FullError(StoreError):
    """A disk without room."""


class ReadOnlyError(StoreError):
    """A place that may not be read or written."""


class MovedError(StoreError):
    """A database file that was renamed, removed or replaced while it was open."""


class ClosedError(StoreError):
    """A database that this program has closed."""


class UnexpectedError(StoreError):
    """A failure that nobody has foreseen; whether the write was made is not known."""


class DamagedError(StoreError):
    """A file that is no database any more, or a match that does not replay."""


class ForeignError(StoreError):
    """A database of another program."""


class NewerError(StoreError):
    """A database written by a newer version."""


class UnreachableError(StoreError):
    """A server that does not answer."""


FAILURES = (SQLAlchemyError, sqlite3.Error, OSError, ValueError)
"""All that a database lets out; nothing of it may pass the store's door."""

_Kind = type[StoreError]

_SYSTEM: dict[int | None, tuple[_Kind, str]] = {
    errno.ENOSPC: (FullError, "cannot be written: the disk is full"),
    errno.EDQUOT: (FullError, "cannot be written: your share of the disk is full"),
    errno.EACCES: (ReadOnlyError, "may not be read and written: permission denied"),
    errno.EPERM: (ReadOnlyError, "may not be read and written: permission denied"),
    errno.EROFS: (ReadOnlyError, "cannot be written: it is on a read-only disk"),
}

_SQLITE: dict[int | None, tuple[_Kind, str]] = {
    sqlite3.SQLITE_BUSY: (LockedError, "is locked by another program; close that and try again"),
    sqlite3.SQLITE_LOCKED: (LockedError, "is locked by another program; close that and try again"),
    sqlite3.SQLITE_FULL: (FullError, "cannot be written: the disk is full"),
    sqlite3.SQLITE_IOERR: (FullError, "cannot be written: the disk reports an error, or has no room left"),
    sqlite3.SQLITE_READONLY: (ReadOnlyError, "cannot be written: the file or its folder is read-only"),
    sqlite3.SQLITE_PERM: (ReadOnlyError, "cannot be written: the file or its folder is read-only"),
    sqlite3.SQLITE_CANTOPEN: (ReadOnlyError, "cannot be opened: the file or its folder is missing or read-only"),
    sqlite3.SQLITE_CORRUPT: (DamagedError, "is damaged; it was left as it is"),
    sqlite3.SQLITE_NOTADB: (DamagedError, "is damaged; it was left as it is"),
}

_POSTGRES: dict[str | None, tuple[_Kind, str]] = {
    "53100": (FullError, "cannot be written: the disk is full"),
    "55P03": (LockedError, "is locked by another program; try again"),
    "25006": (ReadOnlyError, "cannot be written: it is read-only"),
    "42501": (ReadOnlyError, "does not give this user the right to write"),
}

_DOUBLES = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)

_PASSING = ("08", "40", "57")
"""Classes of SQLSTATE that a new attempt may outlive: connection, rollback, operator intervention."""


def explain(error: Exception, label: str) -> StoreError:
    """The sentence for an error, about the database called so."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    kind, words = _meaning(error, cause or error)
    return kind(f"{label} {words}.")


def lost(error: Exception) -> bool:
    """Whether a server went away, so that the fate of what was under way is unknown."""
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    state = _sqlstate(error.orig)
    passing = state is None or state.startswith(_PASSING) or state == "53300"
    return error.connection_invalidated or (isinstance(error, OperationalError) and passing)


def clashes(error: Exception) -> bool:
    """Whether a row was there already."""
    if not isinstance(error, IntegrityError):
        return False
    return getattr(error.orig, "sqlite_errorcode", None) in _DOUBLES or _sqlstate(error.orig) == "23505"


def _meaning(error: Exception, cause: BaseException) -> tuple[_Kind, str]:
    if isinstance(cause, OSError):
        return _SYSTEM.get(cause.errno, (StoreError, f"cannot be used: {(cause.strerror or str(cause)).lower()}"))
    if isinstance(cause, UnicodeError):
        return StoreError, "cannot keep a text that is not Unicode"
    if isinstance(cause, ValueError):
        return DamagedError, "is damaged: it holds something that cannot be read"
    if isinstance(cause, sqlite3.Error):
        primary = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return _SQLITE.get(primary, (DamagedError, f"cannot be used: {_first_line(cause)}"))
    if lost(error):
        return UnreachableError, f"cannot be reached: {_first_line(cause)}"
    return _POSTGRES.get(_sqlstate(cause), (StoreError, f"cannot be used: {_first_line(cause)}"))


def _sqlstate(cause: BaseException | None) -> str | None:
    state: str | None = getattr(cause, "sqlstate", None)
    return state


def _first_line(cause: BaseException) -> str:
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return shown(lines[0].rstrip("."), 200)
