"""Classes: pupils, activities, boards and answers; and matches that are paused."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make six tables, and let matches be paused."""
    op.add_column("matches", sa.Column("paused", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "classes",
        sa.Column("code", ID, primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("locked", sa.Integer, nullable=False),
        sa.Column("approval", sa.Integer, nullable=False),
        sa.Column("paused", sa.BigInteger),
        sa.Column("activity", sa.Integer, nullable=False),
        sa.Column("pupils", sa.Integer, nullable=False),
        sa.Column("is_local", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_classes_expires", "classes", ["expires"])
    op.create_table(
        "class_teachers",
        sa.Column("code", ID, primary_key=True),
        sa.Column("owner", sa.Text, primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_class_teachers_owner", "class_teachers", ["owner"])
    op.create_table(
        "pupils",
        sa.Column("code", ID, primary_key=True),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("pin", sa.Text),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("approved", sa.Integer, nullable=False),
        sa.Column("removed", sa.Integer, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("here", sa.BigInteger, nullable=False),
        sa.Column("link", sa.Text),
        sa.Column("link_until", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_pupils_owner", "pupils", ["owner"])
    op.create_table(
        "activities",
        sa.Column("code", ID, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger),
        sa.Column("finished", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "class_boards",
        sa.Column("code", ID, primary_key=True),
        sa.Column("activity", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("pupil_1", sa.Integer),
        sa.Column("pupil_2", sa.Integer),
        sa.Column("level", sa.Text),
        sa.Column("match_id", ID),
        sa.Column("over", sa.BigInteger),
        sa.Column("winner", sa.Integer),
        sa.Column("reason", sa.Text),
        sa.Column("insight", sa.Text),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_class_boards_match_id", "class_boards", ["match_id"], unique=True)
    op.create_index("ix_class_boards_open", "class_boards", ["code", "over"])
    op.create_table(
        "class_answers",
        sa.Column("code", ID, primary_key=True),
        sa.Column("activity", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("pupil", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("item", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("result", sa.Text),
        sqlite_with_rowid=False,
    )
