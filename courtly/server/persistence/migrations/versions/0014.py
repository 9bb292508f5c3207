"""Clients publish fingerprints of their random numbers before the numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("seat", sa.Column("pledge", sa.String(64)))
    op.add_column("game_table", sa.Column("redraws", sa.Integer, nullable=False, server_default="0"))
