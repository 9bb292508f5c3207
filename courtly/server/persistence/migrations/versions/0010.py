"""Of each table it is counted how often its seats were changed."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("game_table", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
