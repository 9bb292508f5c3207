"""Rules: an honour is offered, and all bid for it in secret with dice of one face. Equal bids do not count."""

from courtly.engine.constants import CHANCE, NOBODY
from levee.refusals import refusal as refusal
from levee.table import DICE, HONOURS, MOVES, SIDES, VERB, Phase, X, Y
from levee.table import Refusal as Refusal
from levee.table import State as State
from levee.worlds import audience as audience
from levee.worlds import determinize as determinize
from levee.worlds import reveals as reveals


def setup(s):
    for honour in range(HONOURS):
        s.chest[honour] = 1
    for seat in range(s.players):
        s.due[seat] = s.dice
    s.winner = NOBODY
    s.phase = Phase.ROLLING
    s.pending = CHANCE


def chance(s, moves, weights):
    n = 0
    if s.phase == Phase.ROLLING:
        seat = roller(s)
        for face in range(SIDES):
            moves[n] = MOVES.roll + seat * SIDES + face
            weights[n] = 1
            n += 1
    elif s.phase == Phase.OFFERING:
        for honour in range(HONOURS):
            if s.chest[honour]:
                moves[n] = MOVES.offer + honour
                weights[n] = 1
                n += 1
    else:
        moves[0] = result(s)
        weights[0] = 1
        n = 1
    return n


def roller(s):
    """Return the first seat that has dice to roll, or NOBODY."""
    for seat in range(s.players):
        if s.due[seat]:
            return seat
    return NOBODY


def result(s):
    """Return the event that follows the bids: they are shown one after another, then the honour is granted."""
    if s.phase == Phase.SHOWING:
        if s.bid[s.seat]:
            return MOVES.show + (s.seat * SIDES + s.bid_face[s.seat]) * DICE + s.bid[s.seat] - 1
        return MOVES.abstain + s.seat
    seat = highest(s)
    if seat == NOBODY:
        return MOVES.remain
    return MOVES.grant + seat * DICE * SIDES + total(s, seat) - 1


def total(s, seat):
    return s.number[seat] * s.pips[seat]


def highest(s):
    """Return the seat with the highest bid that no other seat equals, or NOBODY."""
    best = NOBODY
    for seat in range(s.players):
        if s.number[seat] and not equalled(s, seat):
            if best == NOBODY or total(s, seat) > total(s, best):
                best = seat
    return best


def equalled(s, seat):
    for other in range(s.players):
        if other != seat and total(s, other) == total(s, seat):
            return 1
    return 0


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    n = 0
    for face in range(SIDES):
        for number in range(s.behind[seat][face]):
            moves[n] = MOVES.bid + face * DICE + number
            n += 1
    moves[n] = MOVES.decline
    return n + 1


def apply(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.roll:
        roll(s, X[move], Y[move])
    elif verb == MOVES.offer:
        offer(s, X[move])
    elif verb == MOVES.show or verb == MOVES.abstain:
        show(s)
    elif verb == MOVES.grant or verb == MOVES.remain:
        grant(s, highest(s))
    else:
        if verb == MOVES.bid:
            s.bid_face[seat] = X[move]
            s.bid[seat] = Y[move] + 1
        decided(s, seat)


def roll(s, seat, face):
    s.due[seat] -= 1
    s.count[seat] += 1
    s.behind[seat][face] += 1
    if roller(s) == NOBODY:
        s.phase = Phase.OFFERING


def offer(s, honour):
    s.chest[honour] = 0
    s.stake[honour] = 1
    s.offered += 1
    s.phase = Phase.BIDDING
    s.pending = (1 << s.players) - 1


def decided(s, seat):
    s.pending &= ~(1 << seat)
    if s.pending == 0:
        for other in range(s.players):
            s.number[other] = 0
            s.pips[other] = 0
        s.winner = NOBODY
        s.seat = 0
        s.phase = Phase.SHOWING
        s.pending = CHANCE


def show(s):
    """Move the dice of a bid from behind the screen to the table."""
    seat = s.seat
    if s.bid[seat]:
        s.number[seat] = s.bid[seat]
        s.pips[seat] = s.bid_face[seat] + 1
        s.behind[seat][s.bid_face[seat]] -= s.bid[seat]
        s.count[seat] -= s.bid[seat]
        s.bid[seat] = 0
        s.bid_face[seat] = 0
    s.seat = (s.seat + 1) % s.players
    if s.seat == 0:
        s.phase = Phase.GRANTING


def grant(s, winner):
    """Give the honour to the winner, or let it remain. Losers roll the dice of their bid again; a seat that declined
    rolls one spent die."""
    s.winner = winner
    for honour in range(HONOURS):
        if s.stake[honour] and winner != NOBODY:
            s.stake[honour] = 0
            s.won[winner][honour] = 1
    if s.offered == s.rounds:
        s.phase = Phase.OVER
        s.pending = 0
        return
    for seat in range(s.players):
        if s.number[seat] == 0:
            s.due[seat] = 1 if s.count[seat] < s.dice else 0
        elif seat != winner:
            s.due[seat] = s.number[seat]
    s.phase = Phase.OFFERING if roller(s) == NOBODY else Phase.ROLLING


def scores(s, out):
    for seat in range(s.players):
        out[seat] = 0
        for honour in range(HONOURS):
            out[seat] += (honour + 1) * s.won[seat][honour]
