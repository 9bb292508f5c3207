"""Finished games, analysed."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("form", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
