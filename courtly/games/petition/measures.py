"""What is measured of a game: the last group of each seat, and the characters that it has won over."""

from courtly.engine.moves import Moves
from courtly.games.petition.table import KINDS, Card, Group

OWNED = Moves(character=dict(card=Card))


def points(s, out):
    """The size of the best group of equal dice and its face, as two digits."""
    for seat in range(s.players):
        out[seat] = 10 * s.results[seat][Group.COUNT] + s.results[seat][Group.FACE]


def owned(s, seat, out):
    for card in range(KINDS):
        out[OWNED.character + card] = s.owns[seat][card]
