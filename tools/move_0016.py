"""Rename the tables and columns of a database that a version before the first release made.

    python tools/move_0016.py sqlite:///path/to/courtly.db
    python tools/move_0016.py postgresql+psycopg://user@host/name

Stop every server process first. Everything happens in one transaction: either all is renamed, or nothing changes. The
form before is 0016, which the last version before the new names makes by itself.
"""

from __future__ import annotations

import sys

from sqlalchemy import create_engine, inspect, text

BEFORE, AFTER = "0016", "0017"
TABLES = {
    "edition": "asset_version",
    "file": "asset_file",
    "notice": "pending_notification",
    "reach": "notification_setting",
    "saying": "chat_message",
    "still": "clock_pause",
    "submission": "idempotency_key",
}
COLUMNS = {
    "asset_file": {"packed": "is_compressed"},
    "asset_version": {"since": "added_at"},
    "chat_message": {"at": "sent_at", "courtesy": "canned_message", "gallery": "from_spectator", "guest": "guest_id"},
    "clock_pause": {"since": "started_at", "until": "ended_at"},
    "game_table": {
        "created": "created_at",
        "ended": "ended_at",
        "falls": "next_flag_at",
        "next": "rematch_id",
        "private": "is_private",
        "quiet": "chat_muted",
        "secret": "dice_secret",
        "started": "started_at",
    },
    "guest": {"era": "session_epoch", "link": "link_version"},
    "idempotency_key": {"command": "request_body", "guest": "guest_id", "length": "journal_length"},
    "journal": {"at": "played_at", "undo": "undone_count"},
    "notification_setting": {
        "confirmed": "email_confirmed",
        "form": "webhook_format",
        "guest": "guest_id",
        "hook": "webhook_url",
        "mail": "email",
        "silent": "webhook_disabled",
    },
    "pending_notification": {"guest": "guest_id", "sent": "is_sent"},
    "review": {"form": "format_version", "text": "body"},
    "seat": {"carried": "transfer_count", "guest": "guest_id", "help": "help_consent", "standin": "substitute_bot"},
}
INDEXES = {  # index -> its successor, with table and column
    "game_table_ended": ("game_table_ended_at", "game_table", "ended_at"),
    "game_table_falls": ("game_table_next_flag_at", "game_table", "next_flag_at"),
    "seat_guest": ("seat_guest_id", "seat", "guest_id"),
    "still_table": ("clock_pause_table", "clock_pause", "table_id"),
}


def move_database(url: str) -> None:
    """Give a database of form 0016 the names of form 0017.

    Args:
        url: Its address, as SQLAlchemy writes it.

    Raises:
        ValueError: The database is empty or has another form; it was not changed.
    """
    engine = create_engine(url, hide_parameters=True, isolation_level=None)
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                raise ValueError(f"expected a database of form {BEFORE}, found none of Courtly's")
        with engine.begin() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(text("BEGIN EXCLUSIVE"))  # sqlite3 itself would commit before each ALTER
            version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            if version != BEFORE:
                raise ValueError(f"expected a database of form {BEFORE}, found {version}")
            for before, after in TABLES.items():
                connection.execute(text(f"ALTER TABLE {before} RENAME TO {after}"))
            for table, columns in COLUMNS.items():
                for before, after in columns.items():
                    connection.execute(text(f'ALTER TABLE {table} RENAME COLUMN "{before}" TO {after}'))
            for before, (after, table, column) in INDEXES.items():
                connection.execute(text(f"DROP INDEX {before}"))
                connection.execute(text(f"CREATE INDEX {after} ON {table} ({column})"))
            connection.execute(text("UPDATE alembic_version SET version_num = :form"), {"form": AFTER})
    finally:
        engine.dispose()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        move_database(sys.argv[1])
    except ValueError as error:
        sys.exit(f"{error}. Nothing was changed.")
    print(f"The database has the form {AFTER}.")
