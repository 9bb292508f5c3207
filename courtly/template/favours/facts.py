"""Facts for the board: the worth of the open cards of each seat, and the seats from which a rank drives cards away."""

from courtly.engine.facts import FactsBase, members, number
from favours.table import RANKS, SEATS, Rank


class Facts(FactsBase):
    worth = number(SEATS)
    drives = members(Rank)


def facts(s, seat, out, moves):
    for rank in range(RANKS):
        out.drives[rank] = 0
    for other in range(s.players):
        out.worth[other] = 0
        for rank in range(RANKS):
            out.worth[other] += (rank + 1) * s.given[other][rank]
            if other != seat and s.given[other][rank]:
                out.drives[rank] |= 1 << other
