"""People are told by mail or a webhook that it is their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "reach",
        sa.Column("guest", sa.String(24), primary_key=True),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("mail", sa.String(254)),
        sa.Column("confirmed", sa.Integer, nullable=False),
        sa.Column("hook", sa.String(500)),
        sa.Column("form", sa.String(8), nullable=False),
    )
    op.create_table(
        "notice",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("guest", sa.String(24), primary_key=True),
        sa.Column("sent", sa.Integer, nullable=False),
    )
