"""What the board tells beside the cards: what lies openly is worth, and whom a rank would drive away."""

from favours.table import RANKS


def facts(s, seat):
    seats = range(s.players)
    return {
        "worth": [sum((rank + 1) * s.given[n][rank] for rank in range(RANKS)) for n in seats],
        "drives": [[n for n in seats if n != seat and s.given[n][rank]] for rank in range(RANKS)],
    }
