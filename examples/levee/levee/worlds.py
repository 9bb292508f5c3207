"""Hidden information: which seats see a move, and worlds that a seat cannot tell apart."""

from courtly.engine.constants import EVERYONE, NOBODY
from courtly.engine.rng import draw_below
from levee.table import MOVES, SIDES, VERB, Phase, X


def audience(s, seat, move):
    """Return the seat that rolls, or bids; EVERYONE for other events."""
    if seat != NOBODY:
        return 1 << seat
    return 1 << X[move] if VERB[move] == MOVES.roll else EVERYONE


def reveals(s, seat, move):
    """Return 0: events show the bids completely."""
    return 0


def determinize(s, seat, rng):
    for other in range(s.players):
        if other != seat:
            for face in range(SIDES):
                s.behind[other][face] = 0
            for _ in range(s.count[other]):
                s.behind[other][draw_below(rng, SIDES)] += 1
            s.bid[other] = 0
            s.bid_face[other] = 0
            if has_decided(s, other):
                bid_any(s, other, draw_below(rng, s.count[other] + 1))


def has_decided(s, seat):
    """Return whether this seat has decided, but its decision is not shown yet."""
    if s.phase == Phase.SHOWING:
        return s.seat <= seat
    return s.phase == Phase.BIDDING and not s.pending >> seat & 1


def bid_any(s, seat, choice):
    """Set the bid of this number, of which there is one for each die; a larger number declines."""
    for face in range(SIDES):
        if choice < s.behind[seat][face]:
            s.bid_face[seat] = face
            s.bid[seat] = choice + 1
            return
        choice -= s.behind[seat][face]
