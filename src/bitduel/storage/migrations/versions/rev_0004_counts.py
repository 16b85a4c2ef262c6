"""Counts of limited actions, for all server processes together."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make one table."""
    op.create_table(
        "counts",
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
    )
