"""The browser's files of the last versions are kept for servers of another."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "edition", sa.Column("hash", sa.String(16), primary_key=True), sa.Column("since", sa.BigInteger, nullable=False)
    )
    op.create_table(
        "file",
        sa.Column("hash", sa.String(16), sa.ForeignKey("edition.hash", ondelete="CASCADE"), primary_key=True),
        sa.Column("path", sa.String(200), primary_key=True),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("packed", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
