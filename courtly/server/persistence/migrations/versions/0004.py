"""Clocks at tables."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("game_table", sa.Column("clock", sa.String(64)))
    op.add_column("game_table", sa.Column("falls", sa.BigInteger))
    op.create_index("game_table_falls", "game_table", ["falls"])
    op.create_table(
        "still",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE")),
        sa.Column("seat", sa.Integer),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("still_table", "still", ["table_id"])
