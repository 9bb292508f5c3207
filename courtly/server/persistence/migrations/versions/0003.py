"""Players say whether they want help at their table."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("seat", sa.Column("help", sa.Integer, nullable=False, server_default="0"))
