"""Offers between the players of a sitting, and links that move a seat to another browser."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add to what is known of matches and seats, and make one table."""
    op.add_column("matches", sa.Column("backs", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("here", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("coach", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("moved", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("asks", sa.Text))
    op.add_column("seats", sa.Column("asks_in", ID))
    op.add_column("seats", sa.Column("asks_at", sa.Integer))
    op.add_column("seats", sa.Column("asks_after", sa.Integer))
    op.add_column("seats", sa.Column("declined", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "tickets",
        sa.Column("sitting", ID, primary_key=True),
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
