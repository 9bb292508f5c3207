"""Cookies of a guest can be revoked: those of an earlier era are good no more."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("guest", sa.Column("era", sa.Integer, nullable=False, server_default="0"))
