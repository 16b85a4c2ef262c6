"""The tables as they are now; how they came to be is in the migrations."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

VERSION_TABLE = "bitduel_version"
HEAD = "0004"
"""The newest migration; stated here so that an up-to-date database is known without loading Alembic."""


Id = Text().with_variant(Text(collation="C"), "postgresql")
"""Compared letter by letter everywhere, so that a beginning of an id can be looked up."""

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
    CheckConstraint("first IN (1, 2)", "first"),
    CheckConstraint("winner IN (1, 2) AND reason IS NOT NULL OR winner IS NULL", "winner"),
    Index("ix_matches_sitting", "sitting", "round", unique=True),
    Index("ix_matches_started", "started"),
)
"""A row a match. `plies` is the count of its moves: every write to a match goes through this row and is thereby
in line. `backs` is how often moves were taken back: as many moves with another `backs` are another moment, and nothing
that was meant for the one happens at the other. `reason` is null until it is over. `deal` is the dealt secret in clear,
for it must survive a restart. `started` and `changed` are moments as `moments.py` writes them."""

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
"""A row a move: of two writers of one ply, the primary key lets one win."""


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
"""Who holds a seat over the network: `owner` is the hash of a browser's secret, `here` until when it counts as present,
`coach` whether the player agrees to have the coach in the match, `moved` how often the seat went to another browser.
`asks` is what the player has asked the other last: in which match, after how many moves and take-backs, and whether
the other has declined."""

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
"""The hash of the secret in a link that moves the seats of an owner to the browser that uses it, once."""

counts = Table(
    "counts",
    metadata,
    Column("who", Text, primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("times", Integer, nullable=False),
)
"""How often somebody, known by a hash, has done what is limited; the count begins anew after `until`."""
