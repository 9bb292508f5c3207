"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "setting", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.create_table(
        "guest", sa.Column("id", sa.String(24), primary_key=True), sa.Column("name", sa.String(24), nullable=False)
    )
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("private", sa.Integer, nullable=False),
        sa.Column("host", sa.String(24), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("started", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("next", sa.String(12)),
    )
    op.create_index("game_table_ended", "game_table", ["ended"])

    def table_id() -> sa.Column[str]:
        return sa.Column(
            "table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True
        )

    op.create_table(
        "seat",
        table_id(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("guest", sa.String(24)),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("bot", sa.String(24)),
        sa.Column("standin", sa.String(24)),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("carried", sa.Integer, nullable=False),
    )
    op.create_table(
        "journal",
        table_id(),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("undo", sa.Integer, nullable=False),
    )
    op.create_table(
        "submission",
        table_id(),
        sa.Column("guest", sa.String(24), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
