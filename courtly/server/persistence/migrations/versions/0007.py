"""People wish for a colour."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("seat", sa.Column("colour", sa.String(8)))
