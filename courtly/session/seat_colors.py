"""The colours of the seats: what people wish for, and who has which when two wish for the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from courtly.session.schemas import SeatColor
from courtly.session.seat import Seat

SEAT_COLORS: tuple[SeatColor, ...] = get_args(SeatColor)  # each the usual one of its seat


def assign_colors(seats: Sequence[Seat]) -> list[SeatColor]:
    """Each seat's: what its player wishes for, the first of those who wish for the same; then the usual one where that
    is left; then what is left."""
    given: dict[int, SeatColor] = {}
    for seat in seats:
        if seat.colour is not None and seat.colour not in given.values():
            given[seat.seat] = seat.colour
    for seat in seats:
        if seat.seat not in given and SEAT_COLORS[seat.seat] not in given.values():
            given[seat.seat] = SEAT_COLORS[seat.seat]
    left = [colour for colour in SEAT_COLORS if colour not in given.values()]
    return [given.get(seat.seat) or left.pop(0) for seat in seats]
