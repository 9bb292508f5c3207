"""Checks of observations in numbers (courtly.adapters.observation). Each function raises AssertionError if a check
fails."""

from __future__ import annotations

import numpy as np

from courtly.adapters.observation import Encoder
from courtly.engine.position import Position
from courtly.testing.checks.properties import other_world
from courtly.testing.failure_location import PropertyFailedError


def check_number_names(encoder: Encoder) -> None:
    """Check that every number has a unique name."""
    for names, size in ((encoder.names, encoder.size), (encoder.raw_names, encoder.raw_size)):
        assert len(names) == len(set(names)) == size
    assert len(encoder.raw_least) == len(encoder.raw_most) == encoder.raw_size


def check_numbers_keep_secrets(encoder: Encoder, position: Position, seat: int, number: int) -> bool:
    """Check that observations are the same in another world that the seat cannot tell from this one, and within their
    bounds. Return whether the worlds differ."""
    world = other_world(position, seat, number)
    scaled, raw = encoder.encode(position.state, seat), encoder.raw(position.state, seat)
    for names, numbers, other_numbers in (
        (encoder.names, scaled, encoder.encode(world.state, seat)),
        (encoder.raw_names, raw, encoder.raw(world.state, seat)),
    ):
        if differing := [name for name, a, b in zip(names, numbers, other_numbers, strict=True) if a != b]:
            raise PropertyFailedError(
                position.rules.determinize, f"{differing} reveal to seat {seat} what it cannot see"
            )
    out_of_range = [name for name, x in zip(encoder.names, scaled, strict=True) if abs(x) > 1]
    out_of_range += [
        encoder.raw_names[index] for index in np.flatnonzero((raw < encoder.raw_least) | (raw > encoder.raw_most))
    ]
    if out_of_range:
        raise PropertyFailedError(position.rules.apply, f"{out_of_range} exceed their declared bounds")
    return world.state != position.state
