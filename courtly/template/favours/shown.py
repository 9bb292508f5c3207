"""Facts for the board: the worth of the open cards of each seat, and the seats from which a rank drives cards away."""

from favours.table import RANKS


def facts(s, seat):
    seats = range(s.players)
    return {
        "worth": [sum((rank + 1) * s.given[n][rank] for rank in range(RANKS)) for n in seats],
        "drives": [[n for n in seats if n != seat and s.given[n][rank]] for rank in range(RANKS)],
    }
