"""What is measured of a game: pounds, and the cards that came to each seat."""

from courtly.engine.moves import Moves
from courtly.games.necklace.cards import KINDS, PLAYERS, Card
from courtly.games.necklace.table import Story

OWNED = Moves(card=dict(card=Card))


def points(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def owned(s, seat, out):
    """Hands are empty of what was of use in the end: these are the cards that came to it for all to see, bought above
    all."""
    for card in range(KINDS):
        out[OWNED.card + card] = 0
    for i in range(s.told):
        if s.story[i] // KINDS == Story.COME * PLAYERS + seat:
            out[OWNED.card + s.story[i] % KINDS] += 1
