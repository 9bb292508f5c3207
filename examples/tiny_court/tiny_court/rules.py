"""Rules: each player is dealt one of three courtiers. An honour is offered, and all bid for it in secret at the same
time. The highest sum of courtier and bid wins it; equal sums win nothing. Every bid is paid."""

from courtly.engine.constants import CHANCE, EVERYONE, NOBODY, SPECTATOR
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.rng import draw_below, pick_weighted
from courtly.engine.state import StateBase, i8, seats

PLAYERS = 3  # the most seats
SEATS = seats(PLAYERS)
COINS = range(3)


class Courtier(NamedInt):
    PAGE, KNIGHT, LORD = range(3)  # worth 1, 2 and 3


class Honour(NamedInt):
    RING, CROWN = range(2)


class Phase(NamedInt):
    DEALING, OFFERING, BIDDING, OVER = range(4)


WORTH = (1, 3)
FREQUENCY = (2, 1)
COURTIERS = len(Courtier)
HONOURS = len(Honour)
BIDS = len(COINS)


class State(StateBase):
    players = i8(option=(2, 3))
    honours = i8(option=(1, 2))  # number of honours that are offered
    pending = i8()
    phase = i8(of=Phase)
    dealt = i8(most=3)  # courtiers dealt so far
    offered = i8(most=2)  # honours offered so far
    honour = i8(of=Honour)  # the honour that was offered last
    score = i8(SEATS, least=-4, most=6)
    shown = i8(SEATS, of=COINS, none=0)  # coins bid for the previous honour + 1
    courtier = i8(SEATS, of=Courtier, none=0, private=True)  # + 1
    bid = i8(SEATS, of=COINS, none=0, private=True)  # coins + 1
    rest = i8(Courtier, most=1, secret=True)  # courtiers that no player holds


MOVES = Moves(bid=dict(coins=COINS), chance=dict(deal=dict(courtier=Courtier), offer=dict(honour=Honour)))
VERB, X, Y, Z = MOVES.columns


def setup(s):
    for courtier in range(COURTIERS):
        s.rest[courtier] = 1
    s.phase = Phase.DEALING
    s.pending = CHANCE


def chance(s, moves, weights):
    n = 0
    if s.phase == Phase.OFFERING:
        for honour in range(HONOURS):
            moves[n] = MOVES.offer + honour
            weights[n] = FREQUENCY[honour]
            n += 1
        return n
    for courtier in range(COURTIERS):
        if s.rest[courtier]:
            moves[n] = MOVES.deal + courtier
            weights[n] = 1
            n += 1
    return n


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    for coins in range(BIDS):
        moves[coins] = MOVES.bid + coins
    return BIDS


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == MOVES.deal:
        s.rest[x] = 0
        s.courtier[s.dealt] = x + 1
        s.dealt += 1
        if s.dealt == s.players:
            s.phase = Phase.OFFERING
    elif verb == MOVES.offer:
        s.honour = x
        s.offered += 1
        s.phase = Phase.BIDDING
        s.pending = (1 << s.players) - 1
    else:
        s.bid[seat] = x + 1
        s.pending -= 1 << seat
        if s.pending == 0:
            settle(s)


def settle(s):
    """Show and pay the bids, and give the honour to the highest."""
    winner = highest(s)
    for seat in range(s.players):
        s.shown[seat] = s.bid[seat]
        s.score[seat] -= s.bid[seat] - 1
        s.bid[seat] = 0
    if winner != NOBODY:
        s.score[winner] += WORTH[s.honour]
    if s.offered == s.honours:
        s.phase = Phase.OVER
        return
    s.phase = Phase.OFFERING
    s.pending = CHANCE


def highest(s):
    best = NOBODY
    for seat in range(s.players):
        if best == NOBODY or s.courtier[seat] + s.bid[seat] > s.courtier[best] + s.bid[best]:
            best = seat
    for seat in range(s.players):
        if seat != best and s.courtier[seat] + s.bid[seat] == s.courtier[best] + s.bid[best]:
            return NOBODY
    return best


def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.score[seat]


# --- hidden information -----------------------------------------------------------------------------------------------


def audience(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.deal:
        return 1 << s.dealt
    return 1 << seat if verb == MOVES.bid else EVERYONE


def reveals(s, seat, move):
    """Return EVERYONE for the last bid, which shows all bids."""
    return EVERYONE if VERB[move] == MOVES.bid and s.pending == 1 << seat else 0


def determinize(s, seat, rng):
    for courtier in range(COURTIERS):
        s.rest[courtier] = 1
    if seat != SPECTATOR and seat < s.dealt:
        s.rest[s.courtier[seat] - 1] = 0
    for other in range(s.dealt):
        if other != seat:
            courtier = pick_weighted(rng, s.rest, COURTIERS)
            s.rest[courtier] = 0
            s.courtier[other] = courtier + 1
            s.bid[other] = draw_below(rng, BIDS) + 1 if has_bid(s, other) else 0


def has_bid(s, seat):
    return s.phase == Phase.BIDDING and not s.pending >> seat & 1
