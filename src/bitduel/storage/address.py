"""Where a database is: a URL, the environment, or the user's data folder."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bitduel.core.errors import shown
from bitduel.storage.errors import AddressError

VARIABLE = "BITDUEL_DB"

FORMS = "sqlite:////path/to/file.db or postgresql://user@host/database"


@dataclass(frozen=True)
class Address:
    """One database; the label is safe to show, the URL may hold a password."""

    label: str
    url: URL = field(repr=False)
    path: Path | None = None
    ours: bool = False
    """Whether the folder is our own choice, so that we may make it."""


def find_address(url: str | None) -> Address:
    """The database meant by a URL, or by BITDUEL_DB, or the one in the user's data folder."""
    given = url or os.environ.get(VARIABLE)
    if not given:
        return _file(_default_path(), ours=True)
    try:
        parsed = make_url(given)
    except (ArgumentError, ValueError):
        raise AddressError(f"This is not the URL of a database. Write {FORMS}.") from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parsed)
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return _postgres(parsed)
    raise AddressError(f"'{shown(parsed.drivername)}' is no database that bitduel knows. Write {FORMS}.")


def _default_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("bitduel", appauthor=False) / "matches.db"


def _sqlite(url: URL) -> Address:
    if not url.database or url.database == ":memory:" or url.host or url.query:
        raise AddressError("A SQLite URL names a file and nothing else, as in sqlite:////path/to/file.db.")
    if "\0" in url.database:
        raise AddressError("The name of a file has no zero bytes.")
    return _file(Path(url.database).absolute(), ours=False)


def _file(path: Path, ours: bool) -> Address:
    label = f"The database {shown(str(path), 200)}"
    return Address(label, URL.create("sqlite", database=str(path)), path, ours)


def _postgres(url: URL) -> Address:
    host = url.host or url.query.get("host") or "this computer"
    if "@" in str(host) or "@" in (url.database or ""):
        raise AddressError("In the URL of a database an @ inside a name or password is written %40.")
    place = f"'{shown(url.database)}' " if url.database else ""
    label = f"The PostgreSQL database {place}on {shown(str(host), 80)}"
    return Address(label, url.set(drivername="postgresql+psycopg"))
