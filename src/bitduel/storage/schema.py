"""The tables, the formats of ids and timestamps in them, and the migration of older databases."""

import secrets
from datetime import UTC, date, datetime, timedelta
from time import time_ns
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    inspect,
    select,
    text,
)

from bitduel.storage.database import Database
from bitduel.storage.errors import DamagedError, ForeignError, NewerError

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "bitduel_version"
HEAD = "0006"
"""The newest migration; stated here so that an up-to-date database is recognised without loading Alembic."""
ID_ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"
"""The characters of ids: no letter looks like a digit, and without vowels no id is a word."""
ID_LENGTH = 7
GIVEN = "given"
"""The token of a move that a match began with; any other is the token of the write that added the move."""
SECOND = 1_000_000
"""A second in ticks: timestamps are whole microseconds since 1970, in UTC."""
_DAY = 24 * 60 * 60 * SECOND
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)

Id = Text().with_variant(Text(collation="C"), "postgresql")
"""A text that every database compares letter by letter, so that the beginning of an id can be looked up."""

metadata = MetaData(
    naming_convention={"ix": "ix_%(column_0_label)s", "ck": "ck_%(table_name)s_%(constraint_name)s"},
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("player_1", Text, nullable=False),
    Column("player_2", Text, nullable=False),
    Column("name_1", Text, nullable=False),
    Column("name_2", Text, nullable=False),
    Column("folded_1", Text, nullable=False),
    Column("folded_2", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("deal", Text, nullable=False),
    Column("sitting", Id, nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("winner", Integer),
    Column("reason", Text),
    Column("started", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("token", Text, nullable=False),
    Column("backs", Integer, nullable=False, server_default="0"),
    Column("clock", Text),
    Column("clock_seconds", Integer),
    Column("left_1", BigInteger),
    Column("left_2", BigInteger),
    Column("running", Integer),
    Column("flag", BigInteger),
    Column("seen", Integer, nullable=False, server_default="0"),
    Column("paused", Integer, nullable=False, server_default="0"),
    CheckConstraint("first IN (1, 2)", "first"),
    CheckConstraint("winner IN (1, 2) AND reason IS NOT NULL OR winner IS NULL", "winner"),
    Index("ix_matches_sitting", "sitting", "round", unique=True),
    Index("ix_matches_started", "started"),
    Index(
        "ix_matches_flag",
        "flag",
        sqlite_where=text("flag IS NOT NULL"),
        postgresql_where=text("flag IS NOT NULL"),
    ),
)
"""One row per match. `plies` counts its moves: every write to a match updates this row, so that writes are serialised.
`backs` counts how often moves were taken back: the same number of moves with another `backs` is another moment, and
a write that is meant for one does not happen at the other. `reason` is null until the match is over. `deal` is the
dealt secret in clear, for it must survive a restart. `started` and `changed` are timestamps. `clock` is null, or
what `clock_seconds` are for: a move or the match; `left_1` and `left_2` are the ticks that each seat has when its
clock starts, `running` the seat whose clock runs, `flag` the timestamp at which its time is up, and `seen` has a
bit for each seat whose holder has seen the match since both are taken. A `flag` while no clock runs is the time to
come. While a match is `paused` nobody can move, and `running` names the seat whose clock goes on later."""

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("move", Text, nullable=False),
    Column("token", Text, nullable=False),
    CheckConstraint("ply >= 0", "ply"),
    sqlite_with_rowid=False,
)
"""One row per move; the primary key refuses the second of two writers of a ply."""

seats = Table(
    "seats",
    metadata,
    Column("sitting", Id, primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("owner", Text, nullable=False),
    Column("taken", BigInteger, nullable=False),
    Column("here", BigInteger, nullable=False, server_default="0"),
    Column("coach", Integer, nullable=False, server_default="0"),
    Column("moved", Integer, nullable=False, server_default="0"),
    Column("asks", Text),
    Column("asks_in", Id),
    Column("asks_at", Integer),
    Column("asks_after", Integer),
    Column("declined", Integer, nullable=False, server_default="0"),
    CheckConstraint("seat IN (1, 2)", "seat"),
    Index("ix_seats_owner", "owner"),
)
"""One row per seat that is held over the network: `owner` is the hash of a browser's secret, `here` the time until
which it counts as present, `coach` whether the player agrees to the coach (against a program: the last round in which
the player asked it), `moved` how often the seat went to another browser. `asks` is the player's last offer to the
other: in which match, after how many moves and take-backs, and whether it was declined."""

invitations = Table(
    "invitations",
    metadata,
    Column("sitting", Id, primary_key=True),
    Column("secret", Text, nullable=False),
)
"""The hash of the secret in the link that invites to a sitting's free seat."""

tickets = Table(
    "tickets",
    metadata,
    Column("sitting", Id, primary_key=True),
    Column("owner", Text, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)
"""The hash of the secret in a link that moves the seats of an owner, once, to the browser that uses it."""

counts = Table(
    "counts",
    metadata,
    Column("who", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("times", Integer, nullable=False),
)
"""The number of uses of something limited by somebody, known by a hash; a new count begins after `until`."""

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
)
"""The timestamp of the last work of any server: time without any does not count."""

lobby = Table(
    "lobby",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("game", Text),
    Column("since", BigInteger, nullable=False),
    Column("here", BigInteger, nullable=False),
    Column("match_id", Id),
)
"""One row per person who looks for an opponent: `owner` is the hash of a browser's secret, `game` the slug of the game
or null for any, `since` the place in the queue, `here` the time until which the person counts as present,
`match_id` the match that was found."""

classes = Table(
    "classes",
    metadata,
    Column("code", Id, primary_key=True),
    Column("title", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("locked", Integer, nullable=False),
    Column("approval", Integer, nullable=False),
    Column("paused", BigInteger),
    Column("activity", Integer, nullable=False),
    Column("pupils", Integer, nullable=False),
    Column("is_local", Integer, nullable=False),
    Index("ix_classes_expires", "expires"),
    sqlite_with_rowid=False,
)
"""One row per class. `version` counts its changes: every row of a class that changes gets the new number. `paused` is
the time since which everything stands still, `activity` the number of the newest activity or 0, `pupils` how many
there have been, `is_local` whether the command on this machine created it."""

class_teachers = Table(
    "class_teachers",
    metadata,
    Column("code", Id, primary_key=True),
    Column("owner", Text, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Index("ix_class_teachers_owner", "owner"),
    sqlite_with_rowid=False,
)
"""The hashes of the secrets of a class's teachers: that of the link, and those of the browsers that opened it."""

pupils = Table(
    "pupils",
    metadata,
    Column("code", Id, primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("changed", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("pin", Text),
    Column("failures", Integer, nullable=False),
    Column("owner", Text),
    Column("approved", Integer, nullable=False),
    Column("removed", Integer, nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("here", BigInteger, nullable=False),
    Column("link", Text),
    Column("link_until", BigInteger),
    Index("ix_pupils_owner", "owner"),
    sqlite_with_rowid=False,
)
"""One row per pupil. `owner` and `pin` are hashes, null for a name that nobody has taken yet; `failures` counts wrong
PINs, `here` is the time until which the pupil counts as present; `link` is the hash of the secret of a link that hands
the place to another device."""

activities = Table(
    "activities",
    metadata,
    Column("code", Id, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ends", BigInteger),
    Column("finished", BigInteger),
    sqlite_with_rowid=False,
)
"""One row per activity of a class: `settings` is JSON, `round` the round or the puzzle that is open, `ends` when the
time of an arena or a puzzle is up."""

class_boards = Table(
    "class_boards",
    metadata,
    Column("code", Id, primary_key=True),
    Column("activity", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("changed", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("pupil_1", Integer),
    Column("pupil_2", Integer),
    Column("level", Text),
    Column("match_id", Id),
    Column("over", BigInteger),
    Column("winner", Integer),
    Column("reason", Text),
    Column("insight", Text),
    Index("ix_class_boards_match_id", "match_id", unique=True),
    Index("ix_class_boards_open", "code", "over"),
    sqlite_with_rowid=False,
)
"""One row per match of a class, or bye: the primary key refuses the second of two who begin one. `pupil_1` is the pupil
on seat 1, who moves first; `level` that of the computer; `over` when it ended; `insight` what the solver says of each
seat, as JSON."""

class_answers = Table(
    "class_answers",
    metadata,
    Column("code", Id, primary_key=True),
    Column("activity", Integer, primary_key=True, autoincrement=False),
    Column("pupil", Integer, primary_key=True, autoincrement=False),
    Column("item", Integer, primary_key=True, autoincrement=False),
    Column("changed", Integer, nullable=False),
    Column("events", Text, nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("result", Text),
    sqlite_with_rowid=False,
)
"""One row per puzzle or step of a lesson that a pupil has tried: the answers so far, how many were wrong, and the
result once it is done: first, later or failed."""


def new_id() -> str:
    """Return a random id; the caller checks that it is free."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def fold_name(name: str) -> str:
    """Return a name as it is compared: SQL folds case in some alphabets only, so it is done here."""
    return normalize("NFKC", name.strip()).casefold()


def now() -> int:
    """Return the current time in ticks."""
    return time_ns() // 1000


def to_ticks(moment: datetime) -> int:
    """Return a moment in ticks; one without a time zone is local time."""
    return (moment.astimezone(UTC) - _EPOCH) // _TICK


def from_ticks(ticks: int) -> datetime:
    """Return a moment in UTC."""
    return _EPOCH + ticks * _TICK


def day_only(day: date) -> datetime:
    """Return the moment that represents a day without an hour: midnight in UTC, when no match can start."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def since_midnight(ticks: Any) -> Any:
    """Return the ticks since midnight in UTC, of a number or a column; 0 stands for a day without an hour."""
    return ticks % _DAY


_versions = Table(VERSION_TABLE, MetaData(), Column("version_num", Text))
_MIGRATION_LOCK = 0x62_69_74_64_75_65_6C


def migrate(database: Database) -> None:
    """Create or alter the tables if needed; raise a StoreError for a foreign or newer database, and leave it."""
    if database.read(lambda connection, _: _is_outdated(connection, database.label)):
        database.write(lambda connection, _: _upgrade(connection, database.label))


def alembic_config() -> "Config":
    """Return the configuration of Alembic, also for writing the next migration."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "bitduel.storage:migrations")
    config.set_main_option("file_template", "rev_%%(rev)s_%%(slug)s")
    return config


def _is_outdated(connection: Connection, label: str) -> bool:
    tables = inspect(connection).get_table_names()
    if not tables:
        return True
    if VERSION_TABLE not in tables:
        raise ForeignError(f"{label} belongs to another program. Nothing in it was changed.")
    version = connection.execute(select(_versions.c.version_num)).scalar()
    if not isinstance(version, str) or not version:
        raise DamagedError(f"{label} is damaged: it has no version. Nothing in it was changed.")
    if version > HEAD:
        raise NewerError(
            f"{label} was written by a newer version of bitduel. Nothing in it was changed. Update bitduel."
        )
    return version != HEAD


def _upgrade(connection: Connection, label: str) -> None:
    from alembic import command
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    if _is_outdated(connection, label):
        config = alembic_config()
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise DamagedError(f"{label} has an unknown version. Nothing in it was changed.") from error
