"""Rules: give a card openly, which drives all others of its rank that lie openly from court, or give it in secret."""

from courtly.engine.constants import CHANCE
from favours.refusals import refusal as refusal
from favours.table import COPIES, HAND, MOVES, RANKS, VERB, Phase, X, Y
from favours.table import Refusal as Refusal
from favours.table import State as State
from favours.worlds import audience as audience
from favours.worlds import determinize as determinize
from favours.worlds import reveals as reveals


def setup(s):
    for rank in range(RANKS):
        s.deck[rank] = COPIES
    s.left = RANKS * COPIES
    s.phase = Phase.DEALING
    s.pending = CHANCE


def chance(s, moves, weights):
    n = 0
    for rank in range(RANKS):
        if s.deck[rank]:
            moves[n] = (MOVES.deal if s.phase == Phase.DEALING else MOVES.draw) + s.seat * RANKS + rank
            weights[n] = s.deck[rank]
            n += 1
    return n


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    n = 0
    for rank in range(RANKS):
        if s.hand[seat][rank]:
            moves[n] = MOVES.give + rank
            n += 1
            if s.hidden[seat] < s.secrets:
                moves[n] = MOVES.hide + rank
                n += 1
    return n


def apply(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.deal or verb == MOVES.draw:
        take(s, Y[move])
        return
    rank = X[move]
    s.hand[seat][rank] -= 1
    s.size[seat] -= 1
    if verb == MOVES.give:
        drive_away(s, seat, rank)
        s.given[seat][rank] += 1
    else:
        s.secret[seat][rank] += 1
        s.hidden[seat] += 1
    if s.left:
        s.phase = Phase.DRAWING
        s.pending = CHANCE
    else:
        next_turn(s)


def take(s, rank):
    """Move the top card of the deck to the hand of the current seat."""
    s.deck[rank] -= 1
    s.left -= 1
    s.hand[s.seat][rank] += 1
    s.size[s.seat] += 1
    if s.phase == Phase.DRAWING:
        next_turn(s)
    elif s.size[s.seat] == HAND:
        s.seat = (s.seat + 1) % s.players
        if s.seat == 0:
            next_turn(s)


def drive_away(s, seat, rank):
    for other in range(s.players):
        if other != seat:
            s.gone[rank] += s.given[other][rank]
            s.given[other][rank] = 0


def next_turn(s):
    """Begin the turn of the next seat with a card, or end the game and show all secrets."""
    begun = s.phase != Phase.DEALING
    for k in range(s.players):
        seat = (s.seat + begun + k) % s.players
        if s.size[seat]:
            s.seat = seat
            s.phase = Phase.GIVING
            s.pending = 1 << seat
            return
    s.phase = Phase.OVER
    s.pending = 0
    for seat in range(s.players):
        s.hidden[seat] = 0
        for rank in range(RANKS):
            s.given[seat][rank] += s.secret[seat][rank]
            s.secret[seat][rank] = 0


def scores(s, out):
    for seat in range(s.players):
        out[seat] = 0
        for rank in range(RANKS):
            out[seat] += (rank + 1) * s.given[seat][rank]
