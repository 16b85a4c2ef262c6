"""Which version a database has, and bringing an older one up to date."""

from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, Table, Text, inspect, select, text

from bitduel.storage.database import Database
from bitduel.storage.errors import DamagedError, ForeignError, NewerError
from bitduel.storage.schema import HEAD, VERSION_TABLE

if TYPE_CHECKING:
    from alembic.config import Config

_versions = Table(VERSION_TABLE, MetaData(), Column("version_num", Text))

_LOCK = 0x62_69_74_64_75_65_6C


def bring_up_to_date(database: Database) -> None:
    """Make or alter the tables where needed; a foreign or newer database is refused and left alone."""
    if database.read(lambda connection, _: _outdated(connection, database.label)):
        database.write(lambda connection, _: _migrate(connection, database.label))


def config() -> "Config":
    """What Alembic has to know, also for writing the next migration."""
    from alembic.config import Config

    found = Config()
    found.set_main_option("script_location", "bitduel.storage:migrations")
    found.set_main_option("file_template", "rev_%%(rev)s_%%(slug)s")
    return found


def _outdated(connection: Connection, label: str) -> bool:
    tables = inspect(connection).get_table_names()
    if not tables:
        return True
    if VERSION_TABLE not in tables:
        raise ForeignError(f"{label} belongs to another program; it was left as it is.")
    version = connection.execute(select(_versions.c.version_num)).scalar()
    if not isinstance(version, str) or not version:
        raise DamagedError(f"{label} is damaged: it has no version; it was left as it is.")
    if version > HEAD:
        raise NewerError(f"{label} was written by a newer version of bitduel; it was left as it is. Update bitduel.")
    return version != HEAD


def _migrate(connection: Connection, label: str) -> None:
    from alembic import command
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if _outdated(connection, label):
        settings = config()
        settings.attributes["connection"] = connection
        try:
            command.upgrade(settings, "head")
        except CommandError as error:
            raise DamagedError(f"{label} has a version that never was; it was left as it is.") from error
