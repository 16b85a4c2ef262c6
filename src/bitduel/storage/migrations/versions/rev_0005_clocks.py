"""Clocks of matches, the time at which a server last kept them, and the people who look for an opponent."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add to what is known of matches, and make two tables."""
    op.add_column("matches", sa.Column("clock", sa.Text))
    op.add_column("matches", sa.Column("clock_seconds", sa.Integer))
    op.add_column("matches", sa.Column("left_1", sa.BigInteger))
    op.add_column("matches", sa.Column("left_2", sa.BigInteger))
    op.add_column("matches", sa.Column("running", sa.Integer))
    op.add_column("matches", sa.Column("flag", sa.BigInteger))
    op.add_column("matches", sa.Column("seen", sa.Integer, nullable=False, server_default="0"))
    is_set = sa.text("flag IS NOT NULL")
    op.create_index("ix_matches_flag", "matches", ["flag"], sqlite_where=is_set, postgresql_where=is_set)
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lobby",
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("game", sa.Text),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("here", sa.BigInteger, nullable=False),
        sa.Column("match_id", ID),
    )
