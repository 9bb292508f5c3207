"""The log on standard error.

A reader of the log may also be a player, so the log contains no secrets of games: exceptions are written without their
messages. Text from clients cannot forge an entry or control a terminal: invisible characters are escaped.
"""

from __future__ import annotations

import json
import logging
import math
import sqlite3
import time
from contextvars import ContextVar
from datetime import UTC, datetime

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.safe_traceback import format_traceback
from courtly.visible import escape_invisible

LOG_LEVELS = ("debug", "info", "warning", "error")
REQUEST_ID: ContextVar[str] = ContextVar("request", default="")  # id of the request that the current task works for


def configure_logging(level: str, as_json: bool, requests: bool = False) -> None:
    """Set up logging to standard error.

    Other libraries log warnings and errors only: their lower levels include data of requests, such as cookies.

    Args:
        level: One of LOG_LEVELS; applies to Courtly's own entries.
        as_json: Write each entry as a JSON object on one line.
        requests: Log each request.

    Raises:
        ValueError: `level` is not one of LOG_LEVELS.
    """
    if level not in LOG_LEVELS:
        raise ValueError(f"log level {level!r}: expected one of {', '.join(LOG_LEVELS)}")
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    handler.addFilter(RepeatFilter())
    logging.basicConfig(handlers=[handler], level=logging.ERROR if level == "error" else logging.WARNING, force=True)
    logging.getLogger("courtly").setLevel(level.upper())
    logging.getLogger("courtly.requests").setLevel("INFO" if requests else "WARNING")
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # its warnings concern invalid requests only


# SQLSTATE classes whose messages contain no stored values: see "PostgreSQL Error Codes" in its documentation
SHOWN_SQLSTATE_CLASSES = ("08", "0A", "23", "25", "28", "3D", "40", "42", "53", "54", "55", "57", "58")


def database_reason(error: SQLAlchemyError) -> str:
    """Return the kind of a database error and the first line of its message, without statements and their values."""
    kind, reason = type(error).__name__, driver_reason(getattr(error, "orig", None))
    return kind if reason in ("", kind) else f"{kind}: {reason}"


def driver_reason(error: BaseException | None) -> str:
    """Return the first line of a database driver's message, or the kind of error if it may contain stored values.

    An example of a message with a stored value is `Could not decode to UTF-8 column 'text' with text '…'`.
    """
    state = getattr(error, "sqlstate", None)
    if isinstance(error, sqlite3.Error):
        is_safe = hasattr(error, "sqlite_errorcode")  # absent: the error comes from Python's module, not from SQLite
    else:
        is_safe = state is None or state[:2] in SHOWN_SQLSTATE_CLASSES
    if is_safe:
        return str(error or "").partition("\n")[0]
    return f"{type(error).__name__} ({state})" if state else type(error).__name__


class RepeatFilter(logging.Filter):
    """A filter that drops a repeated warning or error for a minute, so that a lasting failure does not fill the disk.

    The next entry that is written says how many were dropped.
    """

    WITHIN = 60.0  # seconds
    KNOWN = 1000  # remembered messages

    def __init__(self) -> None:
        super().__init__()
        # message -> time it was written, and number of dropped repeats
        self._repeats: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        message, now = f"{record.name}: {record.getMessage()}", time.monotonic()
        last_logged, left_out = self._repeats.get(message, (-math.inf, 0))
        if now - last_logged < self.WITHIN:
            self._repeats[message] = last_logged, left_out + 1
            return False
        self._repeats.pop(message, None)
        self._repeats[message] = now, 0  # moves to the end: the first entry is the oldest
        if len(self._repeats) > self.KNOWN:
            del self._repeats[next(iter(self._repeats))]
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (and {left_out} times before)", ()
        return True


class TextFormatter(logging.Formatter):
    """Entries such as `2026-05-01T18:30:12.345Z WARNING courtly.server: …`, followed by the traceback, if any."""

    def format(self, record: logging.LogRecord) -> str:
        entry = log_entry(record)
        line = "{time} {level} {logger}: {message}".format(**entry)
        return f"{line}\n{entry['trace']}" if "trace" in entry else line


class JsonFormatter(logging.Formatter):
    """Entries as JSON objects, each on one line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(log_entry(record), ensure_ascii=False)


def log_entry(record: logging.LogRecord) -> dict[str, str]:
    """Return an entry's time, level, logger and message, with `request` and `trace` if they exist.

    The message has one line.
    """
    timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    entry = {"time": timestamp, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
    if request := REQUEST_ID.get():
        entry["request"] = request
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        entry["message"] = entry["message"].partition("\n")[0]  # asyncio adds the exception's message below
        entry["trace"] = escape_invisible(format_traceback(error))
    entry["message"] = escape_invisible(entry["message"].rstrip("\n"), allowed="")
    return entry
