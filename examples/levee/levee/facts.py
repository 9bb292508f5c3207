"""Facts for the board: the worth of each seat's honours, and the results of the bids shown last."""

from courtly.engine.facts import FactsBase, number, up_to
from levee.rules import equalled, total
from levee.table import HONOURS, PLAYERS, SEATS, Phase


class Facts(FactsBase):
    worth = number(SEATS)
    totals = number(SEATS)  # of the bids that are shown
    equalled = number(up_to(PLAYERS))  # the seats whose bids are equal to another


def facts(s, seat, out, moves):
    n = 0
    for other in range(s.players):
        out.worth[other] = 0
        for honour in range(HONOURS):
            out.worth[other] += (honour + 1) * s.won[other][honour]
        if is_shown(s, other):
            out.totals[other] = total(s, other)
        if s.number[other] and equalled(s, other):
            out.equalled[n] = other
            n += 1


def is_shown(s, seat):
    """Return whether a bid of this seat is shown: one for the present honour, or for the previous one until all have
    bid."""
    if s.phase == Phase.SHOWING:
        return seat < s.seat
    return s.offered > (s.phase == Phase.BIDDING)
