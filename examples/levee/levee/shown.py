"""Facts for the board: the worth of each seat's honours, and the results of the bids shown last."""

from levee.rules import equalled, total
from levee.table import HONOURS, Phase


def facts(s, seat):
    seats = range(s.players)
    return {
        "worth": [sum((honour + 1) * s.won[n][honour] for honour in range(HONOURS)) for n in seats],
        "totals": [total(s, n) if is_shown(s, n) else None for n in seats],
        "equalled": [n for n in seats if s.number[n] and equalled(s, n)],
    }


def is_shown(s, seat):
    """Return whether a bid of this seat is shown: one for the present honour, or for the previous one until all have
    bid."""
    if s.phase == Phase.SHOWING:
        return seat < s.seat
    return s.offered > (s.phase == Phase.BIDDING)
