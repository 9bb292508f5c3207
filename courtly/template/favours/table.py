"""What lies on the table."""

from courtly.engine.moves import Moves, seats, told
from courtly.engine.names import Names
from courtly.engine.record import Record, i8

PLAYERS = 4  # the most seats
HAND = 3
COPIES = 3  # of each rank


class Rank(Names):
    PAGE, MAID, COOK, KNIGHT, PRIEST, DUCHESS, HEIR = range(7)


class Phase(Names):
    DEALING, GIVING, DRAWING, OVER = range(4)


class Refusal(Names):
    NOT_IN_HAND, NO_SECRETS = range(2)


RANKS = len(Rank)


class State(Record):
    players = i8(option=(2, 3, 4))
    secrets = i8(option=(2, 1, 0))  # how many cards each may give in secret
    pending = i8()
    phase = i8(of=Phase)
    seat = i8()  # whose turn it is, or who is dealt a card
    left = i8()  # cards in the deck
    size = i8(PLAYERS)  # cards in each hand
    hidden = i8(PLAYERS)  # cards that each has given in secret
    given = i8(PLAYERS, Rank)  # cards that lie openly before each
    gone = i8(Rank)  # cards that were driven from court
    hand = i8(PLAYERS, Rank, private=True)
    secret = i8(PLAYERS, Rank, private=True)  # what each has given in secret
    deck = i8(Rank, secret=True)
    pool = i8(Rank, scratch=True)  # what a seat has not seen


MOVES = Moves(
    give=dict(rank=Rank),
    hide=dict(rank=Rank),
    chance=dict(  # everybody is told who, and that player alone which
        deal=dict(player=told(seats(PLAYERS)), rank=Rank), draw=dict(player=told(seats(PLAYERS)), rank=Rank)
    ),
)
VERB, X, Y, Z = MOVES.tables
