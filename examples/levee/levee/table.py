"""The state of the game, and its moves."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves, public_argument
from courtly.engine.state import StateBase, i8, seats

PLAYERS = 5  # the most seats
SEATS = seats(PLAYERS)
DICE = 5  # the most dice of a player
FACES = range(1, 7)
NUMBERS = range(1, DICE + 1)


class Honour(NamedInt):
    SLIPPERS, CANDLE, CURTAIN, BASIN, GLOVES, WIG, SHIRT, CLOAK, SWORD, CROWN = range(10)  # worth 1 to 10


class Phase(NamedInt):
    ROLLING, OFFERING, BIDDING, SHOWING, GRANTING, OVER = range(6)


class Refusal(NamedInt):
    TOO_FEW_DICE = 0


HONOURS = len(Honour)
SIDES = len(FACES)


class State(StateBase):
    players = i8(option=(2, 3, 4, 5))
    rounds = i8(option=(10, 6))  # number of honours that are offered
    dice = i8(option=(5, 4))  # dice of each player
    pending = i8()
    phase = i8(of=Phase)
    seat = i8(of=SEATS)  # the seat whose bid is shown next
    offered = i8(most=len(Honour))  # honours offered so far
    chest = i8(Honour, most=1)  # honours that have not been offered
    stake = i8(Honour, most=1)  # honours to bid for
    won = i8(SEATS, Honour, most=1)
    count = i8(SEATS, most=DICE)  # dice behind each screen
    due = i8(SEATS, most=DICE)  # dice that each player has still to roll
    number = i8(SEATS, most=DICE)  # number of dice in the bids shown last; 0 if declined
    pips = i8(SEATS, most=DICE * SIDES)  # pips of each of these dice
    winner = i8(of=SEATS, none=NOBODY)  # the seat that won with them
    behind = i8(SEATS, FACES, most=DICE, private=True)  # dice behind each screen
    bid = i8(SEATS, most=DICE, private=True)  # number of dice that are bid
    bid_face = i8(SEATS, of=FACES, private=True)


BID = dict(face=FACES, number=NUMBERS)
MOVES = Moves(
    bid=BID,
    decline={},
    hidden=dict(bid="decide", decline="decide"),  # other seats do not see whether a seat bids or declines
    chance=dict(
        roll=dict(player=public_argument(SEATS), face=FACES),
        offer=dict(honour=Honour),
        show=dict(player=SEATS, **BID),
        abstain=dict(player=SEATS),
        grant=dict(player=SEATS, total=range(1, DICE * SIDES + 1)),
        remain={},
    ),
)
VERB, X, Y, Z = MOVES.columns
