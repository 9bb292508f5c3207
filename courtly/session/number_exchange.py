"""The exchange of random numbers before the first move: first all fingerprints, then all numbers.

A table publishes the SHA-256 of its secret, each client the SHA-256 of its number. Clients send their numbers once
every seat is taken and every fingerprint is published, and the game begins with the last number. If a seat changes
after a number was sent, the secret and all numbers are void: new ones are drawn, and `redraws` counts this for all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from courtly.session.schemas import Status
from courtly.session.seat import Seat

NUMBER_TIMEOUT_S = 15.0  # from the first number until the seats with missing numbers are opened


def fingerprint(number: str) -> str:
    """Return the SHA-256 of a number, both in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(number)).hexdigest()


def is_pledged(seats: Iterable[Seat]) -> bool:
    """Return True if all seats are taken and no fingerprint is missing: numbers may be sent."""
    return all(seat.kind != "open" and seat.pledge != "" for seat in seats)


def is_complete(seats: Iterable[Seat]) -> bool:
    """Return True if all seats are taken and no number is missing: the game begins."""
    return all(seat.kind != "open" and not seat.owes_number for seat in seats)


def is_open(status: Status, seats: Sequence[Seat]) -> bool:
    """Return True if some numbers were sent and others are missing."""
    return status == "waiting" and any(_is_sent(seat) for seat in seats) and not is_complete(seats)


def is_void(before: Iterable[Seat], after: Iterable[Seat]) -> bool:
    """Return True if a seat changes hands, or its fingerprint changes, after a number was sent."""
    later_seats = [(seat.kind, seat.guest_id, seat.pledge) for seat in after]
    before = list(before)
    return any(map(_is_sent, before)) and [(seat.kind, seat.guest_id, seat.pledge) for seat in before] != later_seats


def without_numbers(seats: Iterable[Seat]) -> list[Seat]:
    """Return the seats without the fingerprints and numbers that clients have sent."""
    return [seat if seat.pledge is None else replace(seat, pledge="", nonce="") for seat in seats]


def _is_sent(seat: Seat) -> bool:
    return bool(seat.pledge and seat.nonce)
