"""A game with only a die and a pile, and an option for each error that rules can make. The error happens from the fifth
turn on, in the line marked with its name. Tests make a package of this file (test_rules_errors.py).
"""

from courtly.engine.constants import CHANCE, EVERYONE
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8

SEATS = 2
TURNS = 6
STEPS = (1, 2, 3)


class Fault(NamedInt):
    (NONE, NO_MOVE, NO_EVENT, NO_WEIGHT, ABOVE, BELOW, TABLE, WIDE_ROW, WIDE, LOOP, BESIDE, LONG, NO_SEAT) = range(13)


class State(StateBase):
    players = i8(option=(SEATS,))
    fault = i8(option=tuple(range(13)))
    pending = i8()
    turn = i8()
    wide = i8()
    score = i8(SEATS)
    after = i8(SEATS)


MOVES = Moves(take=dict(n=range(1, 4)), chance=dict(roll=dict(n=range(1, 4))))
VERB, X, Y, Z = MOVES.columns


def setup(s):
    s.pending = CHANCE


def fault(s):
    return s.fault if s.turn >= 4 else Fault.NONE


def chance(s, moves, weights):  # NO_EVENT, NO_WEIGHT
    for n in range(3):
        moves[n] = MOVES.roll + n
        weights[n] = 0 if fault(s) == Fault.NO_WEIGHT else 1
    return 0 if fault(s) == Fault.NO_EVENT else 3


def legal(s, seat, moves):  # NO_MOVE
    if not s.pending >> seat & 1 or fault(s) == Fault.NO_MOVE:
        return 0
    if fault(s) == Fault.BESIDE:
        moves[20] = 1  # BESIDE
    for n in range(3):
        moves[n] = MOVES.take + n
    return 3


def apply(s, seat, move):  # NO_SEAT
    if VERB[move] == MOVES.roll:
        s.pending = 1 << (2 if fault(s) == Fault.NO_SEAT else s.turn % 2)
        return
    if fault(s) == Fault.ABOVE:
        s.score[seat + 2] += 1  # ABOVE
    if fault(s) == Fault.BELOW:
        s.after[seat - 2] += 1  # BELOW
    if fault(s) == Fault.TABLE:
        s.score[seat] += STEPS[seat + 3]  # TABLE
    if fault(s) == Fault.WIDE_ROW:
        s.score[seat] += 127  # WIDE_ROW
    if fault(s) == Fault.WIDE:
        s.wide = s.turn * 100  # WIDE
    while fault(s) == Fault.LOOP:
        s.wide = 1 - s.wide  # LOOP
    s.score[seat] += STEPS[X[move]]
    s.turn += fault(s) != Fault.LONG
    s.pending = CHANCE if s.turn < TURNS else 0


def audience(s, seat, move):
    return EVERYONE


def reveals(s, seat, move):
    return 0


def scores(s, out):
    for seat in range(SEATS):
        out[seat] = s.score[seat]


def determinize(s, seat, rng):
    s.wide = s.wide
