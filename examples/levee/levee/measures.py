"""Measures for the laboratory: the honours that each seat has won."""

from courtly.engine.moves import Moves
from levee.table import HONOURS, Honour

OWNED = Moves(honour=dict(honour=Honour))


def owned(s, seat, out):
    for honour in range(HONOURS):
        out[OWNED.honour + honour] = s.won[seat][honour]
