"""Matches and their moves."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "matches",
        sa.Column("id", ID, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("player_1", sa.Text, nullable=False),
        sa.Column("player_2", sa.Text, nullable=False),
        sa.Column("name_1", sa.Text, nullable=False),
        sa.Column("name_2", sa.Text, nullable=False),
        sa.Column("folded_1", sa.Text, nullable=False),
        sa.Column("folded_2", sa.Text, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("deal", sa.Text, nullable=False),
        sa.Column("sitting", ID, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("reason", sa.Text),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.CheckConstraint("first IN (1, 2)", "first"),
        sa.CheckConstraint("winner IN (1, 2) AND reason IS NOT NULL OR winner IS NULL", "winner"),
    )
    op.create_index("ix_matches_sitting", "matches", ["sitting", "round"], unique=True)
    op.create_index("ix_matches_started", "matches", ["started"])
    op.create_table(
        "moves",
        sa.Column("match_id", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.CheckConstraint("ply >= 0", "ply"),
        sqlite_with_rowid=False,
    )
