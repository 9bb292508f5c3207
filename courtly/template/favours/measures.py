"""Measures for the laboratory: the cards that each seat has at court in the end."""

from courtly.engine.moves import Moves
from favours.table import RANKS, Rank

OWNED = Moves(card=dict(rank=Rank))


def owned(s, seat, out):
    for rank in range(RANKS):
        out[OWNED.card + rank] = s.given[seat][rank]
