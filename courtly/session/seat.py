"""A seat of a table, as the server keeps it and clients are told of it."""

from __future__ import annotations

from dataclasses import dataclass

from courtly.session.schemas import Kind, SeatColor


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a table: its number, what sits there, and what its player agreed to."""

    seat: int
    kind: Kind  # local: another person at the same device
    guest: str | None = None  # who holds it
    name: str = ""
    bot: str | None = None
    standin: str | None = None  # the bot that plays while the person is away
    nonce: str = ""
    pledge: str | None = None  # SHA-256 of the nonce; "": not sent yet; None: the client sends none
    carried: int = 0  # how often a link took the seat to another device
    help: int = 0  # 1: its player says yes to help at this table
    colour: SeatColor | None = None  # that its player wishes for

    @property
    def player(self) -> str | None:
        """The bot that plays this seat now; None: a person does, or nobody."""
        return self.bot if self.kind == "bot" else self.standin

    @property
    def owes(self) -> bool:
        """True if the fingerprint of this seat's number, or the number, has not been sent yet."""
        return self.pledge is not None and not (self.pledge and self.nonce)
