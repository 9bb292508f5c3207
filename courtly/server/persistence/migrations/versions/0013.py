"""A webhook that fails too often is switched off."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("reach", sa.Column("silent", sa.Integer, nullable=False, server_default="0"))
