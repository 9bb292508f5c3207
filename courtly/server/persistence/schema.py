"""The tables of the database. A change here needs a new file under migrations/versions."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

SETTINGS = Table(  # values of the server itself, such as the key that signs cookies
    "setting", metadata, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False)
)

GUESTS = Table(  # guests with a name, an identity link or a session epoch
    "guest",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("link_version", Integer, nullable=False, server_default="0"),  # number of the valid identity link; 0: none
    Column(
        "session_epoch", Integer, nullable=False, server_default="0"
    ),  # number of times that all browsers were signed out
)

DELETIONS = Table(  # guests whose data were deleted; their ids stay invalid
    "deletion",
    metadata,
    Column("digest", String(32), primary_key=True),  # of the guest's id, which itself is not stored
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
    Column("next_flag_at", BigInteger),  # time of the earliest flag, if the server stays open
    Column("chat_muted", Integer, nullable=False, server_default="0"),  # 1: the host has muted the chat
    Column(
        "counted", String(8), nullable=False, server_default="entries"
    ),  # how random events are numbered; see rng.py
    Column(
        "redraws", Integer, nullable=False, server_default="0"
    ),  # how often secret and numbers were replaced before the start
    Column(
        "revision", Integer, nullable=False, server_default="0"
    ),  # number of changes of seats or host; an optimistic lock
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
    Column("transfer_count", Integer, nullable=False),  # grows when the seat moves to another guest: see seating.py
    Column("help_consent", Integer, nullable=False, server_default="0"),  # 1: its player agrees to hints
    Column("colour", String(8)),  # preferred by its player
    Index("seat_guest_id", "guest_id"),
)

RESULTS = Table(  # results of finished games
    "result",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("place", Integer, nullable=False),  # 1: won, alone or tied
    Column("points", Integer),  # the points that players count; null: the game has none
)

JOURNAL = Table(  # the entries of all games; the primary key rejects a second entry for a ply
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

CLOCK_PAUSES = Table(  # periods in which clocks did not run
    "clock_pause",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE")),  # null: the server was closed
    Column("seat", Integer),  # a substitute played for its player
    Column("started_at", BigInteger, nullable=False),  # of the open server: its open note
    Column("ended_at", BigInteger),
    Index("clock_pause_table", "table_id"),
)

CHAT_MESSAGES = Table(  # what people say at a table
    "chat_message",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("from_spectator", Integer, primary_key=True),  # 1: sent by a spectator
    Column("sent_at", BigInteger, primary_key=True),
    Column("guest_id", String(24), nullable=False),
    Column("seat", Integer),
    Column("name", String(24), nullable=False),  # the sender's name at that time
    Column("canned_message", String(24)),
    Column("text", Text),
)

REVIEWS = Table(  # reviews of finished games
    "review",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("format_version", Integer, nullable=False),  # a review in another format is made again
    Column("body", Text, nullable=False),  # JSON
)

NOTIFICATION_SETTINGS = Table(  # how guests are notified of their turn
    "notification_setting",
    metadata,
    Column("guest_id", String(24), primary_key=True),
    Column("language", String(2), nullable=False),
    Column("email", String(254)),
    Column("email_confirmed", Integer, nullable=False),  # 1: the confirmation link was used
    Column("webhook_url", String(500)),
    Column("webhook_format", String(8), nullable=False),  # format of the messages to the webhook
    Column("webhook_disabled", Integer, nullable=False, server_default="0"),  # 1: switched off after too many failures
)

PENDING_NOTIFICATIONS = Table(  # notifications of guests who have not looked at the table since
    "pending_notification",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest_id", String(24), primary_key=True),
    Column("is_sent", Integer, nullable=False),  # 1: sent or given up; 0: being sent
)

NOT_COPIED = {"copied": False}  # not part of a backup, because the server creates the content itself

ASSET_VERSIONS = Table(  # versions of the browser's files
    "asset_version",
    metadata,
    Column("hash", String(16), primary_key=True),
    Column("added_at", BigInteger, nullable=False),
    info=NOT_COPIED,
)

ASSET_FILES = Table(  # the files of each version; see versions.py
    "asset_file",
    metadata,
    Column("hash", String(16), ForeignKey("asset_version.hash", ondelete="CASCADE"), primary_key=True),
    Column("path", String(200), primary_key=True),
    Column("type", String(64), nullable=False),
    Column("is_compressed", Integer, nullable=False),  # 1: `body` is in gzip
    Column("body", LargeBinary, nullable=False),
    info=NOT_COPIED,
)

IDEMPOTENCY_KEYS = Table(  # commands that were carried out, so that a repeated one has no effect
    "idempotency_key",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest_id", String(24), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("request_body", Text, nullable=False),
    Column("journal_length", Integer, nullable=False),  # length of the journal right after the command
)
