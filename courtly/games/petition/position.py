"""Positions of To Court the King, completed from a few named fields."""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.games.petition.table import COPIES, KINDS, Card, Phase


def complete(s, given):
    """Fill in the fields that follow from those that a scenario or a lesson names."""
    if not given:
        return
    if s.phase == Phase.STARTING:
        s.phase = Phase.ACTING
    if "seat" not in given:
        s.seat = s.start
    s.pending = 0 if s.phase == Phase.OVER else CHANCE if s.rolling and s.phase != Phase.BEFORE else 1 << s.seat
    if given & {"active", "aside", "taken"} and "rolling" not in given:
        s.rolling = 0
        s.pending = 1 << s.seat
    for holder, card in ((s.king, Card.KING), (s.queen, Card.QUEEN)):
        if holder != NOBODY:
            s.owns[holder][card] = 1
    if s.queen != NOBODY and "took" not in given:
        s.took = s.results[s.queen]
    if "supply" not in given:
        for card in range(KINDS):
            s.supply[card] = COPIES[s.players][card] - sum(row[card] for row in s.owns)
        s.supply[Card.CHARLATAN] = 0
        s.supply[Card.FOOL] = (
            s.players if not s.fools else s.supply[Card.FOOL] - sum(row[Card.CHARLATAN] for row in s.owns)
        )
