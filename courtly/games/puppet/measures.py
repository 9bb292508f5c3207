"""Measures of a game: points, and the buildings that each seat owns."""

from courtly.engine.moves import Moves
from courtly.games.puppet.cards import BUILDINGS
from courtly.games.puppet.table import HOUSES, Place

OWNED = Moves(building=dict(building=BUILDINGS))


def points(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat]


def owned(s, seat, out):
    for building in range(HOUSES):
        out[OWNED.building + building] = 1 if s.place[building] == Place.OWNED + seat else 0


def starter(s):
    """Return the parent, who acts first after the simultaneous draft."""
    return s.parent
