"""What is sent to the server, checked at the door. What it answers is described in docs/protocol.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag, TypeAdapter, model_validator

from courtly.engine.game import MAX_SEATS
from courtly.session.schemas import Colour, Courtesy

Nonce = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){0,32}$")]
Pledge = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]  # SHA-256 of a number
Number = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2}){16,32}$")]
Key = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")]
Word = Annotated[str, StringConstraints(max_length=64)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
Seq = Annotated[int, Field(ge=0, le=1 << 31)]
MoveList = Annotated[list[Annotated[int, Field(ge=0, le=1 << 31)]], Field(min_length=1, max_length=100)]


class Message(BaseModel):
    """Nothing unknown, and no number given as text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Name(Message):
    name: Annotated[str, StringConstraints(max_length=20_000)]


class ReachWish(Message):
    """How I want to be told that it is my turn; null: not in this way."""

    language: Literal["en", "ja"]
    mail: Annotated[str, StringConstraints(max_length=1000)] | None = None
    hook: Annotated[str, StringConstraints(max_length=1000)] | None = None
    form: Literal["json", "discord", "slack", "ntfy"] = "json"


class SeatWish(Message):
    """A seat of a new table: mine, open, a bot's, or another person's at the same device."""

    kind: Literal["me", "open", "bot", "local"]
    name: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    bot: Word | None = None


class LiveClock(Message):
    """Minutes for each player, and seconds of every decision that cost nothing."""

    minutes: Annotated[int, Field(ge=1, le=180)]
    seconds: Annotated[int, Field(ge=10, le=300)]  # no fewer: an answer waits, see response-masking.js


class DaysClock(Message):
    """Days for a turn."""

    days: Annotated[int, Field(ge=1, le=14)]


def _kind(clock: object) -> str:
    return "days" if isinstance(clock, dict) and "days" in clock else "live"


Clock = Annotated[
    Annotated[LiveClock, Tag("live")] | Annotated[DaysClock, Tag("days")], Discriminator(_kind)
]  # so that what is wrong is told of the one that was meant


class NewTable(Message):
    game: Word
    players: Annotated[int, Field(ge=1, le=MAX_SEATS)]
    preset: Word | None = None
    options: Annotated[dict[Word, int], Field(max_length=64)] | None = None
    private: bool = False
    colour: Colour | None = None
    nonce: Nonce | None = None
    pledge: Pledge | None = None
    help: bool = False
    clock: Clock | None = None
    seats: Annotated[list[SeatWish], Field(max_length=MAX_SEATS)]


class Sit(Message):
    seat: SeatNumber | None = None
    nonce: Nonce = ""
    pledge: Pledge | None = None
    colour: Colour | None = None


class GiveNumber(Message):
    """The fingerprint of my random number or, once all fingerprints are published, the number."""

    seat: SeatNumber
    pledge: Pledge | None = None
    nonce: Number | None = None

    @model_validator(mode="after")
    def _is_one_of_both(self) -> GiveNumber:
        if (self.pledge is None) == (self.nonce is None):
            raise ValueError("expected either pledge or nonce")
        return self


class Rematch(Message):
    pledge: Pledge | None = None


class Paint(Message):
    """The colour that I wish for."""

    colour: Colour


class Leave(Message):
    seat: SeatNumber | None = None


class SetSeat(Message):
    seat: SeatNumber
    kind: Literal["bot", "open"]
    bot: Word | None = None


class OneSeat(Message):
    seat: SeatNumber


class Recall(Message):
    """`recall`: the token that was given with a link."""

    recall: str = Field(max_length=500)


class Consent(Message):
    """Do I want help at this table?"""

    yes: bool


class Say(Message):
    """Words of one's own, or a courtesy."""

    text: Annotated[str, StringConstraints(max_length=20_000)] | None = None
    courtesy: Courtesy | None = None


class Hush(Message):
    """As host: shall nobody say anything at this table?"""

    quiet: bool


class Wonder(Message):
    """Who is likely to win, and, if `hints`, what is good to do?"""

    seat: SeatNumber
    seq: Seq
    hints: bool = True


class MakeMoves(Message):
    seat: SeatNumber
    seq: Seq
    moves: MoveList


class TakeBack(Message):
    seat: SeatNumber
    seq: Seq


class Hello(Message):
    """The first message: for each seat (or "null", the spectators) the number of the first cue wanted; the hash of
    the page's files. `hidden`: the page is not in sight."""

    type: Literal["hello"]
    since: Annotated[dict[Word, Seq], Field(max_length=64)] = {}
    page: Word | None = None
    hidden: bool = False


class Play(MakeMoves):
    type: Literal["play"]
    key: Key


class Foresee(MakeMoves):
    """What would I see, had I made these moves?"""

    type: Literal["foresee"]
    key: Key


class Undo(TakeBack):
    type: Literal["undo"]
    key: Key


class Resync(Message):
    """All views anew, with all cues."""

    type: Literal["resync"]


class Hidden(Message):
    """Is the page out of sight now?"""

    type: Literal["hidden"]
    hidden: bool


class Ping(Message):
    """Is the connection still alive? Answered by a pong."""

    type: Literal["ping"]


AnyMessage = Hello | Play | Undo | Foresee | Resync | Hidden | Ping
FromClient = Annotated[AnyMessage, Field(discriminator="type")]
FROM_CLIENT: TypeAdapter[AnyMessage] = TypeAdapter(FromClient)


def where_wrong(errors: list[Any]) -> dict[str, str]:
    """The first of pydantic's complaints as arguments of `error-malformed`: the place, and the kind of problem."""
    first = errors[0]
    return {"where": ".".join(str(part)[:40] for part in first["loc"])[:120], "problem": str(first["type"])}
