"""Models that validate request bodies and WebSocket messages from clients; see docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, TypeAdapter, model_validator

from courtly.engine.constants import MAX_SEATS
from courtly.session.schemas import CannedMessage, SeatColor

Nonce = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,32}$")]
Pledge = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]  # SHA-256 of a number
Number = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")]
ShortText = Annotated[str, StringConstraints(max_length=64)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Seq = Annotated[int, Field(ge=0, le=1 << 31)]
MoveList = Annotated[list[Annotated[int, Field(ge=0, le=1 << 31)]], Field(min_length=1, max_length=100)]


class RequestModel(BaseModel):
    """The base of all models. Unknown fields, and numbers given as text, are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SetName(RequestModel):
    name: Annotated[str, StringConstraints(max_length=20_000)]


class SetNotifications(RequestModel):
    """Notification settings of the caller; null turns a channel off."""

    language: Literal["en", "ja"]
    email: Annotated[str, StringConstraints(max_length=1000)] | None = None
    webhook: Annotated[str, StringConstraints(max_length=1000)] | None = None
    webhook_format: Literal["json", "discord", "slack", "ntfy"] = "json"


class NewSeat(RequestModel):
    """A seat of a new table: the caller's (`me`), open, a bot's, or another player's on the same device (`local`)."""

    kind: Literal["me", "open", "bot", "local"]
    name: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    bot: ShortText | None = None


class LiveClock(RequestModel):
    """A clock with minutes for each player, and free seconds for each decision."""

    minutes: Annotated[int, Field(ge=1, le=180)]
    seconds: Annotated[int, Field(ge=10, le=300)]  # at least 10, since clients delay answers: see response-masking.js


class DaysClock(RequestModel):
    """A clock with days for each turn."""

    days: Annotated[int, Field(ge=1, le=14)]


def _clock_kind(clock: object) -> str:
    return "days" if isinstance(clock, dict) and "days" in clock else "live"


Clock = Annotated[
    Annotated[LiveClock, Tag("live")] | Annotated[DaysClock, Tag("days")], Discriminator(_clock_kind)
]  # the discriminator makes validation errors refer to the intended kind of clock


class NewTable(RequestModel):
    game: ShortText
    players: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    preset: ShortText | None = None
    options: Annotated[dict[ShortText, int], Field(max_length=64)] | None = None
    private: bool = False
    colour: SeatColor | None = None
    nonce: Nonce | None = None
    pledge: Pledge | None = None
    help_consent: bool = False
    clock: Clock | None = None
    seats: Annotated[list[NewSeat], Field(max_length=MAX_SEATS)]


class Sit(RequestModel):
    seat: SeatNumber | None = None
    nonce: Nonce = ""
    pledge: Pledge | None = None
    colour: SeatColor | None = None


class GiveNumber(RequestModel):
    """The pledge of the caller's random number or, once all pledges are published, the number."""

    seat: SeatNumber
    pledge: Pledge | None = None
    nonce: Number | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> GiveNumber:
        if (self.pledge is None) == (self.nonce is None):
            raise ValueError("expected either pledge or nonce")
        return self


class Rematch(RequestModel):
    pledge: Pledge | None = None


class SetColor(RequestModel):
    """The caller's preferred colour."""

    colour: SeatColor


class Leave(RequestModel):
    seat: SeatNumber | None = None


class SetSeat(RequestModel):
    seat: SeatNumber
    kind: Literal["bot", "open"]
    bot: ShortText | None = None


class SeatRequest(RequestModel):
    seat: SeatNumber


class ReclaimSeat(RequestModel):
    """The token that the server returned together with a seat link."""

    reclaim_token: str = Field(max_length=500)


class SetHelpConsent(RequestModel):
    """Whether the caller agrees to hints at this table."""

    help_consent: bool


class PostChat(RequestModel):
    """A chat message: either free text or a canned message."""

    text: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    canned_message: CannedMessage | None = None


class SetChatMuted(RequestModel):
    """Whether the host mutes the chat of this table."""

    chat_muted: bool


class HintRequest(RequestModel):
    """A request for each seat's probability of winning and, with `hints`, for good moves."""

    seat: SeatNumber
    seq: Seq
    hints: bool = True


class MakeMoves(RequestModel):
    seat: SeatNumber
    seq: Seq
    moves: MoveList


class UndoMoves(RequestModel):
    seat: SeatNumber
    seq: Seq


class HelloMessage(RequestModel):
    """The first message of a client.

    `since` is the number of the first cue wanted for each seat ("null": spectators), `page` the hash of the page's
    files, and `hidden` whether the page is in the background.
    """

    type: Literal["hello"]
    since: Annotated[dict[ShortText, Seq], Field(max_length=64)] = {}
    page: ShortText | None = None
    hidden: bool = False


class PlayMessage(MakeMoves):
    type: Literal["play"]
    key: Key


class PreviewMessage(MakeMoves):
    """A request for the view after these moves, without making them."""

    type: Literal["preview"]
    key: Key


class UndoMessage(UndoMoves):
    type: Literal["undo"]
    key: Key


class ResyncMessage(RequestModel):
    """A request for all views, with all cues."""

    type: Literal["resync"]


class HiddenMessage(RequestModel):
    """A message that the page went to the background or came back."""

    type: Literal["hidden"]
    hidden: bool


class PingMessage(RequestModel):
    """A check of the connection. The server answers with a pong."""

    type: Literal["ping"]


ClientMessage = HelloMessage | PlayMessage | UndoMessage | PreviewMessage | ResyncMessage | HiddenMessage | PingMessage
TaggedClientMessage = Annotated[ClientMessage, Field(discriminator="type")]
CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(TaggedClientMessage)


def malformed_arguments(errors: list[Any]) -> dict[str, str]:
    """Return the first of pydantic's errors as arguments of `error-malformed`: the place and the kind of problem."""
    first = errors[0]
    return {"where": ".".join(str(part)[:40] for part in first["loc"])[:120], "problem": str(first["type"])}
