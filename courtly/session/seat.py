"""A seat of a table, as the server stores it."""

from __future__ import annotations

from dataclasses import dataclass

from courtly.session.schemas import Kind, SeatColor


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a table: its number, its occupant, and the settings of its player."""

    seat: int
    kind: Kind  # local: another player at the same device
    guest_id: str | None = None  # the guest who holds it
    name: str = ""
    bot: str | None = None
    substitute_bot: str | None = None  # the bot that plays while the player is away
    nonce: str = ""
    pledge: str | None = None  # SHA-256 of the nonce; "": not sent yet; None: the client sends none
    transfer_count: int = 0  # grows when the seat moves to another guest or is left; see seating.py
    help_consent: int = 0  # 1: its player agrees to help at this table
    colour: SeatColor | None = None  # the colour that its player prefers

    @property
    def playing_bot(self) -> str | None:
        """The bot that plays this seat now; None if a player does, or the seat is open."""
        return self.bot if self.kind == "bot" else self.substitute_bot

    @property
    def owes_number(self) -> bool:
        """True if the fingerprint of this seat's number, or the number itself, is still missing."""
        return self.pledge is not None and not (self.pledge and self.nonce)
