"""The assignment of colours to seats, by preference and seat order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from courtly.session.schemas import SeatColor
from courtly.session.seat import Seat

SEAT_COLORS: tuple[SeatColor, ...] = get_args(SeatColor)  # the default colours, by seat


def assign_colors(seats: Sequence[Seat]) -> list[SeatColor]:
    """Return each seat's colour: the preferred one, for the first seat that prefers it; else its default colour if that
    is free; else one that is left."""
    colors: dict[int, SeatColor] = {}
    for seat in seats:
        if seat.colour is not None and seat.colour not in colors.values():
            colors[seat.seat] = seat.colour
    for seat in seats:
        if seat.seat not in colors and SEAT_COLORS[seat.seat] not in colors.values():
            colors[seat.seat] = SEAT_COLORS[seat.seat]
    left = [colour for colour in SEAT_COLORS if colour not in colors.values()]
    return [colors.get(seat.seat) or left.pop(0) for seat in seats]
