"""The measures: points by the worth of things, and the things."""

from courtly.engine.moves import Moves
from known_values.rules import BONUS, PLAYERS, WORTH

OWNED = Moves(cup={}, jewel={}, ring={})


def points(s, out):
    for seat in range(PLAYERS):
        out[seat] = BONUS[seat] + s.luck[seat]
        out[seat] += WORTH[0] * s.cups[seat] + WORTH[1] * s.jewels[seat] + WORTH[2] * s.rings[seat]


def owned(s, seat, out):
    out[OWNED.cup] = s.cups[seat]
    out[OWNED.jewel] = s.jewels[seat]
    out[OWNED.ring] = s.rings[seat]
