"""A game with known answers: the worth of each thing and each seat's probability to win.

Each seat is dealt some cups, later seats more, and a jewel may come with each cup. The seat takes a ring or leaves it,
and luck adds points. Then a seat is crowned at random, whatever the points.
"""

from courtly.engine.constants import CHANCE, EVERYONE
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8

PLAYERS = 3
CUPS = 4  # maximum
LUCK = 9
CROWNS = (40, 35, 25)  # percent, by seat
BONUS = (0, 4, 8)  # points by seat
WORTH = (3, 0, 5)  # of a cup, a jewel, a ring: jewels come with cups and are worth nothing


class Phase(NamedInt):
    CUPS, JEWELS, RING, LUCK, CROWN, OVER = range(6)


class State(StateBase):
    players = i8(option=(PLAYERS,))
    pending = i8()
    phase = i8(of=Phase)
    seat = i8()
    cups = i8(PLAYERS)
    jewels = i8(PLAYERS)
    rings = i8(PLAYERS)
    luck = i8(PLAYERS)
    crowned = i8(PLAYERS)


MOVES = Moves(
    leave={},
    take={},
    chance=dict(cups=dict(n=CUPS), jewels=dict(more=3), luck=dict(points=LUCK), crown=dict(place=PLAYERS)),
)
VERB, X, Y, Z = MOVES.columns


def setup(s):
    s.phase = Phase.CUPS
    s.pending = CHANCE


def chance(s, moves, weights):
    if s.phase == Phase.CUPS:
        for n in range(CUPS):
            moves[n] = MOVES.cups + n
            weights[n] = 1 + n * s.seat
        return CUPS
    if s.phase == Phase.JEWELS:
        for more in range(3):
            moves[more] = MOVES.jewels + more
            weights[more] = 3 - more
        return 3
    if s.phase == Phase.LUCK:
        for n in range(LUCK):
            moves[n] = MOVES.luck + n
            weights[n] = 1
        return LUCK
    for seat in range(PLAYERS):
        moves[seat] = MOVES.crown + seat
        weights[seat] = CROWNS[seat]
    return PLAYERS


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    moves[0] = MOVES.leave
    moves[1] = MOVES.take
    return 2


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == MOVES.cups:
        s.cups[s.seat] = x
        s.phase = Phase.JEWELS
    elif verb == MOVES.jewels:
        s.jewels[s.seat] = s.cups[s.seat] + x
        s.phase = Phase.RING
        s.pending = 1 << s.seat
    elif verb == MOVES.luck:
        s.luck[s.seat] = x
        s.seat += 1
        s.phase = Phase.CUPS if s.seat < PLAYERS else Phase.CROWN
    elif verb == MOVES.crown:
        s.crowned[x] = 1
        s.phase = Phase.OVER
        s.pending = 0
    else:
        s.rings[seat] = 1 if verb == MOVES.take else 0
        s.phase = Phase.LUCK
        s.pending = CHANCE


def audience(s, seat, move):
    return EVERYONE


def reveals(s, seat, move):
    return 0


def scores(s, out):
    for seat in range(PLAYERS):
        out[seat] = s.crowned[seat]


def determinize(s, seat, rng):
    pass
