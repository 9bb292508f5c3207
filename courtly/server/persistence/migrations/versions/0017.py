"""The tables of the first release. Revisions before it belong to versions that were never released."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "asset_version",
        sa.Column("hash", sa.String(16), primary_key=True),
        sa.Column("added_at", sa.BigInteger, nullable=False),
    )
    op.create_table("deletion", sa.Column("digest", sa.String(32), primary_key=True))
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("is_private", sa.Integer, nullable=False),
        sa.Column("host", sa.String(24), nullable=False),
        sa.Column("dice_secret", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("rematch_id", sa.String(12)),
        sa.Column("clock", sa.String(64)),
        sa.Column("next_flag_at", sa.BigInteger),
        sa.Column("chat_muted", sa.Integer, nullable=False, server_default="0"),
        sa.Column("counted", sa.String(8), nullable=False, server_default="entries"),
        sa.Column("redraws", sa.Integer, nullable=False, server_default="0"),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("game_table_ended_at", "game_table", ["ended_at"])
    op.create_index("game_table_next_flag_at", "game_table", ["next_flag_at"])
    op.create_table(
        "guest",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("link_version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("session_epoch", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "notification_setting",
        sa.Column("guest_id", sa.String(24), primary_key=True),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("email_confirmed", sa.Integer, nullable=False),
        sa.Column("webhook_url", sa.String(500)),
        sa.Column("webhook_format", sa.String(8), nullable=False),
        sa.Column("webhook_disabled", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_table(
        "setting", sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.create_table(
        "asset_file",
        sa.Column("hash", sa.String(16), sa.ForeignKey("asset_version.hash", ondelete="CASCADE"), primary_key=True),
        sa.Column("path", sa.String(200), primary_key=True),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("is_compressed", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "chat_message",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("from_spectator", sa.Integer, primary_key=True),
        sa.Column("sent_at", sa.BigInteger, primary_key=True),
        sa.Column("guest_id", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("canned_message", sa.String(24)),
        sa.Column("text", sa.Text),
    )
    op.create_table(
        "clock_pause",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE")),
        sa.Column("seat", sa.Integer),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
    )
    op.create_index("clock_pause_table", "clock_pause", ["table_id"])
    op.create_table(
        "idempotency_key",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("guest_id", sa.String(24), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("request_body", sa.Text, nullable=False),
        sa.Column("journal_length", sa.Integer, nullable=False),
    )
    op.create_table(
        "journal",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Integer, nullable=False),
        sa.Column("played_at", sa.BigInteger, nullable=False),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("undone_count", sa.Integer, nullable=False),
    )
    op.create_table(
        "pending_notification",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("guest_id", sa.String(24), primary_key=True),
        sa.Column("is_sent", sa.Integer, nullable=False),
    )
    op.create_table(
        "result",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer),
    )
    op.create_table(
        "review",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("format_version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "seat",
        sa.Column("table_id", sa.String(12), sa.ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("guest_id", sa.String(24)),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("bot", sa.String(24)),
        sa.Column("substitute_bot", sa.String(24)),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("pledge", sa.String(64)),
        sa.Column("transfer_count", sa.Integer, nullable=False),
        sa.Column("help_consent", sa.Integer, nullable=False, server_default="0"),
        sa.Column("colour", sa.String(8)),
    )
    op.create_index("seat_guest_id", "seat", ["guest_id"])
