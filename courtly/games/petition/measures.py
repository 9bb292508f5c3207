"""Measures of a game: each seat's result in the last round, and its characters."""

from courtly.engine.moves import Moves
from courtly.games.petition.table import KINDS, Card, Group

OWNED = Moves(character=dict(card=Card))


def points(s, out):
    """Write the size of each seat's best group of equal dice and its face, as two digits."""
    for seat in range(s.players):
        out[seat] = 10 * s.results[seat][Group.COUNT] + s.results[seat][Group.FACE]


def owned(s, seat, out):
    for card in range(KINDS):
        out[OWNED.character + card] = s.owns[seat][card]
