"""The address of a database: a URL, the environment, or the user's data folder."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bitduel.core.errors import printable
from bitduel.storage.errors import AddressError

VARIABLE = "BITDUEL_DB"

FORMS = "sqlite:////path/to/file.db or postgresql://user@host/database"


@dataclass(frozen=True)
class Address:
    """The address of a database; the label is safe to show, the URL may hold a password."""

    label: str
    url: URL = field(repr=False)
    path: Path | None = None
    is_default: bool = False
    """Whether it is in our own data folder, which may be created."""


def find_address(url: str | None) -> Address:
    """Return the address in a URL or in BITDUEL_DB, or that in the user's data folder."""
    given = url or os.environ.get(VARIABLE)
    if not given:
        return _file(_default_path(), is_default=True)
    try:
        parsed = make_url(given)
    except (ArgumentError, ValueError):
        raise AddressError(f"This is not the URL of a database. Write {FORMS}.") from None
    if parsed.drivername in ("sqlite", "sqlite+pysqlite"):
        return _sqlite(parsed)
    if parsed.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return _postgres(parsed)
    raise AddressError(f"bitduel can't use '{printable(parsed.drivername)}' as a database. Write {FORMS}.")


def _default_path() -> Path:
    from platformdirs import user_data_path

    return user_data_path("bitduel", appauthor=False) / "matches.db"


def _sqlite(url: URL) -> Address:
    if not url.database or url.database == ":memory:" or url.host or url.query:
        raise AddressError("A SQLite URL can only name a file, as in sqlite:////path/to/file.db.")
    if "\0" in url.database:
        raise AddressError("A file name can't contain null bytes.")
    return _file(Path(url.database).absolute(), is_default=False)


def _file(path: Path, is_default: bool) -> Address:
    label = f"The database {printable(str(path), 200)}"
    return Address(label, URL.create("sqlite", database=str(path)), path, is_default)


def _postgres(url: URL) -> Address:
    host = url.host or url.query.get("host") or "this computer"
    if "@" in str(host) or "@" in (url.database or ""):
        raise AddressError("In a database URL, write an @ in a name or password as %40.")
    name = f"'{printable(url.database)}' " if url.database else ""
    label = f"The PostgreSQL database {name}on {printable(str(host), 80)}"
    return Address(label, url.set(drivername="postgresql+psycopg"))
