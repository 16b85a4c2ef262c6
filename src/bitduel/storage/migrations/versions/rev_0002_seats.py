"""Seats that are held over the network, and invitations to them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "seats",
        sa.Column("sitting", ID, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("taken", sa.BigInteger, nullable=False),
        sa.CheckConstraint("seat IN (1, 2)", "seat"),
    )
    op.create_index("ix_seats_owner", "seats", ["owner"])
    op.create_table(
        "invitations",
        sa.Column("sitting", ID, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
    )
