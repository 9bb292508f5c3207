"""Draws are numbered by random events; games that have begun keep to the places in the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("game_table", sa.Column("counted", sa.String(8), nullable=False, server_default="entries"))
