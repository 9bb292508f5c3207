"""Measures of a game: pounds, and the cards that each seat received publicly."""

from courtly.engine.moves import Moves
from courtly.games.necklace.cards import KINDS, PLAYERS, Card
from courtly.games.necklace.table import Story

OWNED = Moves(card=dict(card=Card))


def points(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


def owned(s, seat, out):
    """Write how many of each card this seat received publicly, mainly by purchase. Final hands say little, because
    useful cards have been played."""
    for card in range(KINDS):
        out[OWNED.card + card] = 0
    for i in range(s.told):
        if s.story[i] // KINDS == Story.COME * PLAYERS + seat:
            out[OWNED.card + s.story[i] % KINDS] += 1
