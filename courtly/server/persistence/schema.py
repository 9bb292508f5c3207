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
    Column("link", Integer, nullable=False, server_default="0"),  # the one that makes another browser theirs; 0: none
    Column("era", Integer, nullable=False, server_default="0"),  # how often all other browsers were signed out
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
    Column("private", Integer, nullable=False),
    Column("host", String(24), nullable=False),
    Column("secret", String(64), nullable=False),  # hexadecimal; shown when the game is over
    Column("created", BigInteger, nullable=False),  # times are milliseconds since 1970
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("next", String(12)),  # the rematch
    Column("clock", String(64)),  # JSON; null: none
    Column("falls", BigInteger),  # when the first flag falls, if the house stays open
    Column("quiet", Integer, nullable=False, server_default="0"),  # 1: the host wants nothing said
    Column("counted", String(8), nullable=False, server_default="entries"),  # what numbers the draws; see rng.py
    Column("redraws", Integer, nullable=False, server_default="0"),  # secret and numbers replaced before the start
    Column("revision", Integer, nullable=False, server_default="0"),  # how often who sits there was changed: the lock
    Index("game_table_ended", "ended"),
    Index("game_table_falls", "falls"),
)

SEATS = Table(
    "seat",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, person, local, bot
    Column("guest", String(24)),
    Column("name", String(24), nullable=False),
    Column("bot", String(24)),
    Column("standin", String(24)),
    Column("nonce", String(64), nullable=False),
    Column("pledge", String(64)),  # SHA-256 of the nonce; "": not sent yet; null: the client sends none
    Column("carried", Integer, nullable=False),  # how often a link took the seat to another device
    Column("help", Integer, nullable=False, server_default="0"),  # 1: its player says yes to help at this table
    Column("colour", String(8)),  # that its player wishes for
    Index("seat_guest", "guest"),
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
    Column("at", BigInteger, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("undo", Integer, nullable=False),
)

CLOCK_PAUSES = Table(  # when no time ran
    "still",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE")),  # null: the house was closed
    Column("seat", Integer),  # a bot played for its player
    Column("since", BigInteger, nullable=False),  # of the house while it is open: when a process last said so
    Column("until", BigInteger),
    Index("still_table", "table_id"),
)

CHAT_MESSAGES = Table(  # what people say at a table
    "saying",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("gallery", Integer, primary_key=True),  # 1: by somebody who looked on
    Column("at", BigInteger, primary_key=True),
    Column("guest", String(24), nullable=False),
    Column("seat", Integer),
    Column("name", String(24), nullable=False),  # as it was then
    Column("courtesy", String(24)),
    Column("text", Text),
)

REVIEWS = Table(  # finished games, analysed
    "review",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("form", Integer, nullable=False),  # of its shapes: of another form, it is made anew
    Column("text", Text, nullable=False),  # JSON
)

NOTIFICATION_SETTINGS = Table(  # how people want to be told that it is their turn
    "reach",
    metadata,
    Column("guest", String(24), primary_key=True),
    Column("language", String(2), nullable=False),
    Column("mail", String(254)),
    Column("confirmed", Integer, nullable=False),  # 1: whoever reads mail there has said yes
    Column("hook", String(500)),
    Column("form", String(8), nullable=False),  # of what is sent to the hook
    Column("silent", Integer, nullable=False, server_default="0"),  # 1: the hook is switched off, it failed too often
)

PENDING_NOTIFICATIONS = Table(  # messages to people who have not looked at that table since
    "notice",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest", String(24), primary_key=True),
    Column("sent", Integer, nullable=False),  # 1, or given up; 0: it is on its way
)

NOT_COPIED = {"copied": False}  # made anew wherever the house is: no part of a backup

ASSET_VERSIONS = Table(  # versions of the browser's files
    "edition",
    metadata,
    Column("hash", String(16), primary_key=True),
    Column("since", BigInteger, nullable=False),
    info=NOT_COPIED,
)

ASSET_FILES = Table(  # of each of them; see versions.py
    "file",
    metadata,
    Column("hash", String(16), ForeignKey("edition.hash", ondelete="CASCADE"), primary_key=True),
    Column("path", String(200), primary_key=True),
    Column("type", String(64), nullable=False),
    Column("packed", Integer, nullable=False),  # 1: the body is compressed
    Column("body", LargeBinary, nullable=False),
    info=NOT_COPIED,
)

IDEMPOTENCY_KEYS = Table(  # commands carried out, so that one sent twice is done once
    "submission",
    metadata,
    Column("table_id", String(12), ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True),
    Column("guest", String(24), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("command", Text, nullable=False),
    Column("length", Integer, nullable=False),  # of the journal right after it
)
