"""The state of the game, and its moves."""

from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves, public_argument
from courtly.engine.state import StateBase, i8, seats

PLAYERS = 4  # the most seats
SEATS = seats(PLAYERS)
HAND = 3
COPIES = 3  # of each rank


class Rank(NamedInt):
    PAGE, MAID, COOK, KNIGHT, PRIEST, DUCHESS, HEIR = range(7)


class Phase(NamedInt):
    DEALING, GIVING, DRAWING, OVER = range(4)


class Refusal(NamedInt):
    NOT_IN_HAND, NO_SECRETS = range(2)


RANKS = len(Rank)


class State(StateBase):
    players = i8(option=(2, 3, 4))
    secrets = i8(option=(2, 1, 0))  # cards that each player may give in secret
    pending = i8()
    phase = i8(of=Phase)
    seat = i8(of=SEATS)  # the seat whose turn it is, or that is dealt a card
    left = i8(most=RANKS * COPIES)  # cards in the deck
    size = i8(SEATS, most=HAND + 1)  # cards in each hand
    hidden = i8(SEATS, most=2)  # cards that each player has given in secret
    given = i8(SEATS, Rank, most=COPIES)  # cards that lie openly before each player
    gone = i8(Rank, most=COPIES)  # cards that were driven from court
    hand = i8(SEATS, Rank, most=COPIES, private=True)
    secret = i8(SEATS, Rank, most=COPIES, private=True)  # cards that each player has given in secret
    deck = i8(Rank, most=COPIES, secret=True)
    pool = i8(Rank, scratch=True)  # cards that a seat has not seen


MOVES = Moves(
    give=dict(rank=Rank),
    hide=dict(rank=Rank),
    chance=dict(  # all see the player, and only that player sees the rank
        deal=dict(player=public_argument(SEATS), rank=Rank), draw=dict(player=public_argument(SEATS), rank=Rank)
    ),
)
VERB, X, Y, Z = MOVES.columns
