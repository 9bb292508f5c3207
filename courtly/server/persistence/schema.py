"""The tables of the database. A change here needs a new file under migrations/versions."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

SETTINGS = Table(  # what the server itself must remember: the key that signs cookies
    "setting", metadata, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False)
)

GUESTS = Table(  # people who have given a name, or were to be on another device
    "guest",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column(
        "link_version", Integer, nullable=False, server_default="0"
    ),  # the one that makes another browser theirs; 0: none
    Column(
        "session_epoch", Integer, nullable=False, server_default="0"
    ),  # how often all other browsers were signed out
)

DELETIONS = Table(  # guests whose data were deleted: their ids never count again
    "deletion",
    metadata,
    Column("digest", String(32), primary_key=True),  # of the id, which itself stands nowhere any more
)

TABLES = Table(
    "game_table",
    metadata,
    Column("id", String(12), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("is_private", Integer, nullable=False),
    Column("host", String(24), nullable=False),
    Column("dice_secret", String(64), nullable=False),  # hexadecimal; shown when the game is over
    Column("created_at", BigInteger, nullable=False),  # times are milliseconds since 1970
    Column("started_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("rematch_id", String(12)),  # the rematch
    Column("clock", String(64)),  # JSON; null: none
    Column("next_flag_at", BigInteger),  # when the first flag falls, if the house stays open
    Column("chat_muted", Integer, nullable=False, server_default="0"),  # 1: the host wants nothing said
    Column("counted", String(8), nullable=False, server_default="entries"),  # what numbers the draws; see rng.py
    Column("redraws", Integer, nullable=False, server_default="0"),  # secret and numbers replaced before the start
    Column("revision", Integer, nullable=False, server_default="0"),  # how often who sits there was changed: the lock
    Index("game_table_ended_at", "ended_at"),
    Index("game_table_next_flag_at", "next_flag_at"),
)

SEATS = Table(
    "seat",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, person, local, bot
    Column("guest_id", String(24)),
    Column("name", String(24), nullable=False),
    Column("bot", String(24)),
    Column("substitute_bot", String(24)),
    Column("nonce", String(64), nullable=False),
    Column("pledge", String(64)),  # SHA-256 of the nonce; "": not sent yet; null: the client sends none
    Column("transfer_count", Integer, nullable=False),  # how often a link took the seat to another device
    Column("help_consent", Integer, nullable=False, server_default="0"),  # 1: its player says yes to help at this table
    Column("colour", String(8)),  # that its player wishes for
    Index("seat_guest_id", "guest_id"),
)

RESULTS = Table(  # of finished games
    "result",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("place", Integer, nullable=False),  # 1: won, alone or with others
    Column("points", Integer),  # what players count; null where the game does not say
)

JOURNAL = Table(  # the truth: (table, ply) is the lock
    "journal",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("move", Integer, nullable=False),
    Column("played_at", BigInteger, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("undone_count", Integer, nullable=False),
)

CLOCK_PAUSES = Table(  # when no time ran
    "clock_pause",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE")),  # null: the house was closed
    Column("seat", Integer),  # a bot played for its player
    Column("started_at", BigInteger, nullable=False),  # of the house while it is open: when a process last said so
    Column("ended_at", BigInteger),
    Index("clock_pause_table", "table_id"),
)

CHAT_MESSAGES = Table(  # what people say at a table
    "chat_message",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("from_spectator", Integer, primary_key=True),  # 1: by somebody who looked on
    Column("sent_at", BigInteger, primary_key=True),
    Column("guest_id", String(24), nullable=False),
    Column("seat", Integer),
    Column("name", String(24), nullable=False),  # as it was then
    Column("canned_message", String(24)),
    Column("text", Text),
)

REVIEWS = Table(  # finished games, analysed
    "review",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("format_version", Integer, nullable=False),  # of its shapes: of another form, it is made anew
    Column("body", Text, nullable=False),  # JSON
)

NOTIFICATION_SETTINGS = Table(  # how people want to be told that it is their turn
    "notification_setting",
    metadata,
    Column("guest_id", String(24), primary_key=True),
    Column("language", String(2), nullable=False),
    Column("email", String(254)),
    Column("email_confirmed", Integer, nullable=False),  # 1: whoever reads mail there has said yes
    Column("webhook_url", String(500)),
    Column("webhook_format", String(8), nullable=False),  # of what is sent to the hook
    Column(
        "webhook_disabled", Integer, nullable=False, server_default="0"
    ),  # 1: the hook is switched off, it failed too often
)

PENDING_NOTIFICATIONS = Table(  # messages to people who have not looked at that table since
    "pending_notification",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest_id", String(24), primary_key=True),
    Column("is_sent", Integer, nullable=False),  # 1, or given up; 0: it is on its way
)

NOT_COPIED = {"copied": False}  # made anew wherever the house is: no part of a backup

ASSET_VERSIONS = Table(  # versions of the browser's files
    "asset_version",
    metadata,
    Column("hash", String(16), primary_key=True),
    Column("added_at", BigInteger, nullable=False),
    info=NOT_COPIED,
)

ASSET_FILES = Table(  # of each of them; see versions.py
    "asset_file",
    metadata,
    Column("hash", String(16), ForeignKey("asset_version.hash", ondelete="CASCADE"), primary_key=True),
    Column("path", String(200), primary_key=True),
    Column("type", String(64), nullable=False),
    Column("is_compressed", Integer, nullable=False),  # 1: the body is compressed
    Column("body", LargeBinary, nullable=False),
    info=NOT_COPIED,
)

IDEMPOTENCY_KEYS = Table(  # commands carried out, so that one sent twice is done once
    "idempotency_key",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest_id", String(24), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("request_body", Text, nullable=False),
    Column("journal_length", Integer, nullable=False),  # of the journal right after it
)
