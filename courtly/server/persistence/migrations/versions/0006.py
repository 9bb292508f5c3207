"""What people say at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("game_table", sa.Column("quiet", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "saying",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("gallery", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, primary_key=True),
        sa.Column("guest", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("courtesy", sa.String(24)),
        sa.Column("text", sa.Text),
    )
