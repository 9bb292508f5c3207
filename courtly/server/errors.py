"""What can go wrong with a command, as people and programs are told: the message ids of the server, each with its
HTTP status."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.errors import CourtlyError
from courtly.engine.position import CommandRefusedError
from courtly.session import schemas

STATUS_BY_ID = {
    "error-malformed": 400,  # where, problem: what in the message cannot be read
    "error-name": 400,  # why: long, empty or characters
    "error-mail": 400,  # why: form, off (this server sends none) or silent
    "error-hook": 400,  # why: form, off or silent; status: what was answered there, 0: nothing
    "error-text": 400,  # why: long or empty
    "error-options": 400,  # why
    "error-record": 400,  # line: the first of a record that is wrong; why: in English
    "error-record-game": 400,  # game: a record's, which is not installed
    "error-record-version": 400,  # game, played, installed: a record was played by other rules
    "error-seats": 400,  # the seats asked for make no table
    "error-too-large": 413,  # limit: bytes
    "error-no-cookie": 401,  # ask for /api/me first
    "error-not-yours": 403,  # the seat belongs to somebody else
    "error-not-host": 403,
    "error-elsewhere": 403,  # the request comes from a page of another site
    "error-unknown-game": 404,
    "error-unknown-table": 404,
    "error-unknown-page": 404,
    "error-link-false": 404,  # it seats nobody: cut off, or too old
    "error-link-used": 404,  # it is good once; table?: where its seat is
    "error-link-mail": 404,  # it was cut off, or is too old
    "error-unknown-method": 405,
    "error-host": 421,  # host: a name that this server does not go by
    "error-unknown-seat": 409,
    "error-unknown-move": 409,  # move
    "error-unknown-bot": 409,
    "error-stale": 409,  # something happened that the sender had not seen
    "error-illegal": 409,  # move, reason?
    "error-unseen": 409,  # move: it may not be decided before what the move before it shows is seen
    "error-unforeseen": 409,  # move: what comes of it is not known before it is made
    "error-not-your-turn": 409,
    "error-no-undo": 409,
    "error-over": 409,
    "error-not-over": 409,
    "error-not-reviewed": 409,  # nobody has asked for the analysis of this game, or it is not made yet
    "error-no-machine-code": 409,  # it takes courtly[native]
    "error-not-started": 409,
    "error-started": 409,
    "error-seat-taken": 409,
    "error-number": 409,  # why: early (not all fingerprints are published) or other (not the number announced)
    "error-seated": 409,  # already sitting here
    "error-standin": 409,  # a bot plays this seat: take it back first
    "error-no-standin": 409,
    "error-not-away": 409,  # the seat's player is here
    "error-grace": 409,  # seconds: in which the seat's player, who has only just gone, may come back
    "error-no-help": 409,  # somebody who plays here has not said yes to it
    "error-no-advice": 409,  # nobody knows: thinking about it failed
    "error-quiet": 409,  # the host wants nothing said at this table
    "error-key": 409,  # an idempotency key used before for another command
    "error-damaged": 409,  # the stored game cannot be replayed
    "error-rules": 409,  # the game's rules have failed: the table stands still, its journal is kept
    "error-version": 409,  # played, installed: the game was begun under other rules
    "error-too-fast": 429,
    "error-too-many-tables": 429,
    "error-too-many-sockets": 429,
    "error-server": 500,
    "error-restart": 503,  # the server stops before the request is answered: it may have been done if all of it came
    "error-storage": 503,  # the disk refused: nothing was done
    "error-unsure": 503,  # the database was lost while it kept this: whether it did, a move's key will tell
}


class CommitUncertainError(CourtlyError, SQLAlchemyError):
    """The connection failed during COMMIT; the outcome is unknown."""


def storage_refusal(error: SQLAlchemyError) -> CommandRefusedError:
    """What whoever asked is told of it."""
    return CommandRefusedError("error-unsure" if isinstance(error, CommitUncertainError) else "error-storage")


def as_json(refused: CommandRefusedError) -> schemas.Refusal:
    return {"error": {"id": refused.id, "args": refused.args_}}


def as_message(refused: CommandRefusedError, key: str | None = None) -> schemas.ErrorMessage:
    """The same over a socket; `key`: of the command."""
    error = as_json(refused)["error"]
    return {"type": "error", "key": key, "error": error} if key else {"type": "error", "error": error}
