"""Versions of the database: known without Alembic, reached through it, all or nothing."""

import subprocess
import sys
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from bitduel.storage import Store, open_store
from bitduel.storage.address import find_address
from bitduel.storage.database import Database
from bitduel.storage.errors import ForeignError, NewerError
from bitduel.storage.schema import HEAD, VERSION_TABLE, alembic_config, metadata


def tables(url: str) -> list[str]:
    database = Database(find_address(url), 1)
    found = database.read(lambda connection, _: sorted(inspect(connection).get_table_names()))
    database.close()
    return found


def execute(url: str, statement: str) -> None:
    database = Database(find_address(url), 1)
    database.write(lambda connection, _: connection.execute(text(statement)))
    database.close()


def test_the_newest_migration_is_the_one_the_schema_names() -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    assert scripts.get_heads() == [HEAD]
    numbers = [script.revision for script in scripts.walk_revisions()]
    assert numbers == [f"{number:04}" for number in range(len(numbers), 0, -1)]


def test_the_migrations_lead_to_the_tables_of_the_schema(store: Store) -> None:
    def differences(connection: Connection, _: bool) -> Any:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        return compare_metadata(context, metadata)

    assert store._database.read(differences) == []


def test_an_up_to_date_database_is_opened_without_alembic(sqlite_url: str) -> None:
    open_store(sqlite_url).close()
    program = (
        "import sys; from bitduel.storage import open_store;"
        f"open_store({sqlite_url!r}).close(); sys.exit('alembic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_migration_that_fails_leaves_nothing_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", fail)
    with pytest.raises(RuntimeError):
        open_store(url)
    assert tables(url) == []
    monkeypatch.undo()
    open_store(url).close()
    created = [
        "activities",
        "bitduel_version",
        "class_answers",
        "class_boards",
        "class_teachers",
        "classes",
        "counts",
        "heartbeats",
        "invitations",
        "lobby",
        "matches",
        "moves",
        "pupils",
        "seats",
        "tickets",
    ]
    assert tables(url) == created


def test_a_postgresql_database_of_another_program_is_refused_and_left_alone(postgres_url: str) -> None:
    execute(postgres_url, "CREATE TABLE matches (id integer)")
    with pytest.raises(ForeignError, match="belongs to another program"):
        open_store(postgres_url)
    assert tables(postgres_url) == ["matches"]


def test_a_postgresql_database_of_a_newer_version_is_refused(postgres_url: str) -> None:
    open_store(postgres_url).close()
    execute(postgres_url, "UPDATE bitduel_version SET version_num = '9999'")
    with pytest.raises(NewerError, match="newer version of bitduel"):
        open_store(postgres_url)
