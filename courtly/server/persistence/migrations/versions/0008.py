"""What became of finished games; people move to another device."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "result",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer),
    )
    op.create_index("seat_guest", "seat", ["guest"])
    op.add_column("guest", sa.Column("carried", sa.Integer, nullable=False, server_default="0"))
