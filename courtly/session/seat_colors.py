"""The colours of the seats: what people wish for, and who has which when two wish for the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from courtly.server.persistence.repository import Seat
from courtly.session.schemas import Colour

COLOURS: tuple[Colour, ...] = get_args(Colour)  # each the usual one of its seat


def colours(seats: Sequence[Seat]) -> list[Colour]:
    """Each seat's: what its player wishes for, the first of those who wish for the same; then the usual one where that
    is left; then what is left."""
    given: dict[int, Colour] = {}
    for seat in seats:
        if seat.colour is not None and seat.colour not in given.values():
            given[seat.seat] = seat.colour
    for seat in seats:
        if seat.seat not in given and COLOURS[seat.seat] not in given.values():
            given[seat.seat] = COLOURS[seat.seat]
    left = [colour for colour in COLOURS if colour not in given.values()]
    return [given.get(seat.seat) or left.pop(0) for seat in seats]
