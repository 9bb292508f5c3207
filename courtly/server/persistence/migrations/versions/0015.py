"""A guest whose data were deleted never counts again."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table("deletion", sa.Column("digest", sa.String(32), primary_key=True))
