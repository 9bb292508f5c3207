"""What the server writes to standard error: one entry after another, each with its time and level.

Who reads the log may sit at a table, so it tells no more than where something went wrong: exceptions are written
without their messages. Text from outside can neither begin an entry nor control a terminal: what is invisible is
written as an escape.
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
REQUEST_ID: ContextVar[str] = ContextVar("request", default="")  # the id of the request that led to what is done now


def configure_logging(level: str, as_json: bool, requests: bool = False) -> None:
    """From now on, every request if they are wanted. Other libraries write warnings and errors alone: below that they
    would write down what people send, cookies and all.

    ValueError says which levels there are.
    """
    if level not in LOG_LEVELS:
        raise ValueError(f"the log's level is {level!r}, which is none of {', '.join(LOG_LEVELS)}")
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    handler.addFilter(RepeatFilter())
    logging.basicConfig(handlers=[handler], level=logging.ERROR if level == "error" else logging.WARNING, force=True)
    logging.getLogger("courtly").setLevel(level.upper())
    logging.getLogger("courtly.requests").setLevel("INFO" if requests else "WARNING")
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # its warnings are about what others send


# classes of SQLSTATE whose messages hold no stored values: see "PostgreSQL Error Codes" of its documentation
SHOWN_SQLSTATE_CLASSES = ("08", "0A", "23", "25", "28", "3D", "40", "42", "53", "54", "55", "57", "58")


def database_reason(error: SQLAlchemyError) -> str:
    """What the database says is wrong. Statements, their values and the lines below, which repeat those values, are
    left out."""
    kind, said = type(error).__name__, driver_reason(getattr(error, "orig", None))
    return kind if said in ("", kind) else f"{kind}: {said}"


def driver_reason(error: BaseException | None) -> str:
    """Return the first line of what a database driver says, or the kind of error where it may hold stored values, such
    as `Could not decode to UTF-8 column 'text' with text '…'`."""
    state = getattr(error, "sqlstate", None)
    if isinstance(error, sqlite3.Error):
        told = hasattr(error, "sqlite_errorcode")  # else it comes from Python's module, not from SQLite
    else:
        told = state is None or state[:2] in SHOWN_SQLSTATE_CLASSES
    if told:
        return str(error or "").partition("\n")[0]
    return f"{type(error).__name__} ({state})" if state else type(error).__name__


class RepeatFilter(logging.Filter):
    """A warning or an error is not written again within a minute, or whatever goes on failing would fill the disk: the
    next one says how often it was."""

    WITHIN = 60.0  # seconds
    KNOWN = 1000  # that are remembered

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, tuple[float, int]] = {}  # what -> when it was written, and how often it was not

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        what, now = f"{record.name}: {record.getMessage()}", time.monotonic()
        then, left_out = self._said.get(what, (-math.inf, 0))
        if now - then < self.WITHIN:
            self._said[what] = then, left_out + 1
            return False
        self._said.pop(what, None)
        self._said[what] = now, 0  # at the end
        if len(self._said) > self.KNOWN:
            del self._said[next(iter(self._said))]
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (and {left_out} times before)", ()
        return True


class TextFormatter(logging.Formatter):
    """2026-05-01T18:30:12.345Z WARNING courtly.server: …, and below it where an exception came from."""

    def format(self, record: logging.LogRecord) -> str:
        said = log_entry(record)
        line = "{time} {level} {logger}: {message}".format(**said)
        return f"{line}\n{said['trace']}" if "trace" in said else line


class JsonFormatter(logging.Formatter):
    """An object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(log_entry(record), ensure_ascii=False)


def log_entry(record: logging.LogRecord) -> dict[str, str]:
    """`request` where one led to it, `format_traceback` where an exception is told. The message is one line."""
    written = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    said = {"time": written, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
    if request := REQUEST_ID.get():
        said["request"] = request
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        said["message"] = said["message"].partition("\n")[0]  # asyncio writes the exception's own message below
        said["trace"] = escape_invisible(format_traceback(error))
    said["message"] = escape_invisible(said["message"].rstrip("\n"), kept="")
    return said
