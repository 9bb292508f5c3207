"""Message ids of the errors that the server reports to clients, each with its HTTP status."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.errors import CourtlyError
from courtly.engine.position import CommandRefusedError
from courtly.session import schemas

STATUS_BY_ID = {
    # The comments name the arguments of each message. They also say what the id alone does not.
    "error-malformed": 400,  # where: the part of the message that is invalid; problem: why it is
    "error-name": 400,  # why: long, empty or characters
    "error-mail": 400,  # why: form, off (this server sends no mail) or silent
    "error-webhook": 400,  # why: form, off or silent; status: the HTTP status of the hook's answer, 0: no answer
    "error-text": 400,  # why: long or empty
    "error-options": 400,  # why
    "error-record": 400,  # line: number of the record's first invalid line; why: the reason, in English
    "error-record-game": 400,  # game: the game of the record, which is not installed
    "error-record-version": 400,  # game; played, installed: the two versions of its rules
    "error-seats": 400,  # the requested seats do not fit the game
    "error-too-large": 413,  # limit: bytes
    "error-no-cookie": 401,  # the client must request /api/me first
    "error-not-yours": 403,  # the seat belongs to another guest
    "error-not-host": 403,
    "error-elsewhere": 403,  # the request comes from a page of another site
    "error-unknown-game": 404,
    "error-unknown-table": 404,
    "error-unknown-page": 404,
    "error-link-false": 404,  # the link is incomplete or has expired
    "error-link-used": 404,  # the link works once and was used; table?: id of the seat's table
    "error-link-mail": 404,  # the link of a mail is incomplete or has expired
    "error-unknown-method": 405,
    "error-host": 421,  # host: a name that this server does not answer to
    "error-unknown-seat": 409,
    "error-unknown-move": 409,  # move
    "error-unknown-bot": 409,
    "error-stale": 409,  # the position has changed since the state that the client had seen
    "error-illegal": 409,  # move, reason?
    "error-unseen": 409,  # move: the player must first see what the move before it reveals
    "error-unforeseen": 409,  # move: its outcome cannot be known before it is made
    "error-not-your-turn": 409,
    "error-no-undo": 409,
    "error-over": 409,
    "error-not-over": 409,
    "error-not-reviewed": 409,  # no review of this game was requested, or it is not ready
    "error-no-machine-code": 409,  # needs courtly[native]
    "error-not-started": 409,
    "error-started": 409,
    "error-seat-taken": 409,
    "error-number": 409,  # why: early (pledges are missing) or other (the number does not match the pledge)
    "error-seated": 409,  # the guest already has a seat at this table
    "error-substitute": 409,  # a substitute plays this seat; its player must take it back first
    "error-no-substitute": 409,
    "error-not-away": 409,  # the seat's player is connected
    "error-grace": 409,  # seconds: time left for the seat's player to come back
    "error-no-help": 409,  # a player has not agreed to hints
    "error-no-advice": 409,  # the search for a hint failed
    "error-chat-muted": 409,  # the host has muted the chat
    "error-key": 409,  # the idempotency key was used for another command
    "error-damaged": 409,  # the stored game cannot be replayed
    "error-rules": 409,  # the game's rules failed; the table is stopped and its journal kept
    "error-version": 409,  # played, installed: versions of the rules when the game began and now
    "error-too-fast": 429,
    "error-too-many-tables": 429,
    "error-too-many-sockets": 429,
    "error-server": 500,
    "error-uncompiled": 500,  # game: cannot be played in browsers; the log says why
    "error-restart": 503,  # the server stopped before it answered; a complete request may have been carried out
    "error-storage": 503,  # the database refused the write; nothing was done
    "error-unsure": 503,  # the connection failed during COMMIT; a move sent again with its key shows the outcome
}


class CommitUncertainError(CourtlyError, SQLAlchemyError):
    """The connection failed during COMMIT; the outcome is unknown."""


def storage_refusal(error: SQLAlchemyError) -> CommandRefusedError:
    """Return the refusal that reports a database error to the client."""
    return CommandRefusedError("error-unsure" if isinstance(error, CommitUncertainError) else "error-storage")


def as_json(refused: CommandRefusedError) -> schemas.Refusal:
    """Return the body of an HTTP response that reports a refusal."""
    return {"error": {"id": refused.id, "args": refused.args_}}


def as_message(refused: CommandRefusedError, key: str | None = None) -> schemas.ErrorMessage:
    """Return the WebSocket message that reports a refusal. `key` is the idempotency key of the refused command."""
    error = as_json(refused)["error"]
    return {"type": "error", "key": key, "error": error} if key else {"type": "error", "error": error}
