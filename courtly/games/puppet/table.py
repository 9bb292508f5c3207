"""Puppet Kingdom: the state and the moves."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8, i16, places, seats
from courtly.games.puppet import cards
from courtly.games.puppet.cards import BUILDINGS, Event, Good, Helped, Servant

SETS = cards.sets()
# the numbers by option value; without an owner's file, those of this project replace it
CARDS = tuple(SETS.get(whose, SETS[cards.OURS]) for whose in (cards.OURS, cards.OWN, cards.TUNED))

PLAYERS = 3
SEATS = seats(PLAYERS)
KINDS = len(Servant)
HOUSES = len(BUILDINGS)
BASICS = tuple(Good)[: Good.HONOUR]
PAIRS = ("gold-gold", "food-food", "soldier-soldier", "gold-food", "gold-soldier", "food-soldier")
ONE, OTHER = (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)  # the two goods of each pair
AMOUNTS = range(1, cards.MAX_GAIN + 1)
DEALT = 3  # cards for each player
MOST_ROUNDS = 100  # so that every game ends: good players need 8 to 13
MOST_HELP = cards.MAX_GAIN
MOST_GOODS = MOST_ROUNDS * cards.MAX_GAIN  # the most of one kind that a seat can have
DEPTH = len(Event)  # places in the event pile, from the top


class Mark(NamedInt):
    KILL, STEAL = range(2)


class Naming(NamedInt):
    """The seat that names, the target, and the named servant."""

    BY, TARGET, SERVANT = range(3)


class Place(NamedInt):
    """The place of a building; from OWNED on, it belongs to a seat."""

    PILE, DISCARDED, ROW, OWNED = range(4)


class Fate(NamedInt):
    """The fate of a servant that was turned up."""

    NORMAL, KILLED, STOLEN = range(3)


class Plan(NamedInt):
    """The decision of an owner about a tax."""

    OPEN, PAY, FORGO = range(3)


class Phase(NamedInt):
    """The phases; those marked * wait for a random event."""

    (
        STARTING,  # * drawing the first parent
        OPENING,  # * drawing the first buildings of the row
        DEALING,  # * dealing three servants to each seat
        DRAFTING,  # all seats choose at the same time
        REVEALING,  # the seat at turn turns up a servant
        TELLING,  # * the event that tells whether a mark has hit
        STEALING,  # the owner of the Imp takes the effect, or declines
        ACTING,  # effect, basic good, building, in any order
        PEEKING,  # * the Hermit's look at the top event
        PUTTING,  # the Hermit puts it back
        TURNING_UP,  # * the Foundation turns up a building
        DRAWING,  # * the event of the round
        REWARDING,  # * its rewards, one seat after the other
        TAXING,  # owners decide at the same time which taxes they pay
        COLLECTING,  # * their decisions, one building after the other
        REFILLING,  # * filling the row
        OVER,
    ) = range(17)


class State(StateBase):
    """The state of the game."""

    players = i8(option=(2, 3))
    princess = i8(option=(1, 0))  # 1: the Princess is among the servants
    general_reorders = i8(option=(0, 1))  # 1: the second lap begins with the parent at that time
    grimoire_doubles = i8(option=(0, 1))  # 1: the Grimoire doubles what the Alchemist brings, instead of adding to it
    deduction = i8(option=(0, 1))  # 1: the table shows each player which servants the others can still hold
    cards = i8(option=tuple(SETS))  # the set of numbers: 0: components.toml; 1: COURTLY_PUPPET_CARDS; 2: tuned.toml
    round_limit = i8(option=(0, 30, 60))  # rounds after which the game ends at the latest; 0: MOST_ROUNDS

    pending = i8()
    phase = i8(of=Phase)
    round = i16(most=MOST_ROUNDS)  # counted from 1
    parent = i8(of=SEATS, none=NOBODY)  # the holder of the marker; NOBODY at first
    first = i8(of=SEATS)  # the seat that began this lap
    turn = i8(most=2 * PLAYERS)  # turns completed in this round
    seat = i8(of=SEATS, none=NOBODY)  # the seat at turn
    actor = i8(of=SEATS, none=NOBODY)  # the seat that decides: the seat at turn, or the thief of its effect
    used = i8(most=1)  # 1: action (a), the effect, is done or stolen
    took = i8(most=1)  # 1: action (b), taking a basic good, is done
    bought = i8(most=1)  # 1: action (c), buying a building, is done

    goods = i16(SEATS, Good, most=MOST_GOODS)
    points = i16(SEATS, most=MOST_GOODS)  # honour and the points of buildings
    place = i8(BUILDINGS, of=Place, then=SEATS)
    row = i8(places(PLAYERS), of=BUILDINGS, none=0)  # the building in each place of the row
    helped = i8(SEATS, Helped, most=MOST_HELP)  # what a seat's buildings add
    untaxed = i8(SEATS, most=1)  # 1: owes no tax

    newest = i8(of=Event, none=0)  # in force
    older = i8(of=Event, none=0)  # lies open below it
    history = i8(8, of=Event, none=0)  # events of the last rounds, newest first
    order = i8(DEPTH, of=Event, none=0, secret=True)  # from the top of the pile, where a seat has seen it
    known = i8(SEATS, DEPTH, of=Event, none=0, private=True)  # the part of `order` that a seat has seen
    looked = i8(SEATS, DEPTH, most=1)  # 1: this seat has seen the event in this place of the pile

    dealt = i8(most=DEALT * PLAYERS)  # cards dealt this round
    picked = i8(SEATS, most=2)  # servants chosen in the draft
    facedown = i8(SEATS, most=2)  # number of cards face down
    open = i8(Servant, most=1)  # 1: lies face up before a seat
    up = i8(SEATS, 2, of=Servant, none=0)  # in the order in which they were turned up
    fate = i8(SEATS, 2, of=Fate)  # the fate of each
    last = i8(SEATS, 2, of=Servant, none=0)  # of the previous round, shown during the draft
    last_fate = i8(SEATS, 2, of=Fate)
    # the naming seat, the target and the servant; BY is NOBODY without a mark
    mark = i8(Mark, Naming, each=(i8(of=SEATS, none=NOBODY), i8(of=SEATS), i8(of=Servant)))
    deck = i8(Servant, most=1, secret=True)  # not dealt
    hand = i8(SEATS, Servant, most=1, private=True)  # what a seat chooses from
    down = i8(SEATS, Servant, most=1, private=True)  # face down before the seat
    passed = i8(SEATS, Servant, most=1, private=True)  # the two cards that it passed to the left
    received = i8(SEATS, Servant, most=1, private=True)  # the two cards that it got from the right
    centre = i8(SEATS, of=Servant, none=0, private=True)  # the card that it laid in the centre
    # with the deduction option: what other seats can still hold face down
    possible = i8(SEATS, SEATS, Servant, most=1, private=True)

    plan = i8(SEATS, BUILDINGS, of=Plan, private=True)  # the owner's decision about each tax
    cursor = i8(most=PLAYERS * HOUSES)  # the next reward or tax, in turn order from the parent

    slot = i8(SEATS, 3, scratch=True)  # servant + 1: chosen first, chosen second, laid in the centre
    spare = i8(Servant, scratch=True)


MOVES = Moves(
    keep=dict(servant=Servant),
    reveal=dict(servant=Servant),
    gain=dict(good=BASICS, amount=AMOUNTS),
    kill=dict(target=SEATS, servant=Servant),
    steal=dict(target=SEATS, servant=Servant),
    offer=dict(goods=PAIRS),
    clear=dict(building=BUILDINGS, refill=2),
    lead={},
    look={},
    put=dict(where=("top", "bottom")),
    rob=dict(good=Good),
    decline={},
    take=dict(good=BASICS),
    buy=dict(building=BUILDINGS),
    end={},
    pay=dict(building=BUILDINGS),
    forgo=dict(building=BUILDINGS),
    hidden=dict(pay="decide", forgo="decide"),
    chance=dict(
        parent=dict(player=SEATS),
        build=dict(building=BUILDINGS),
        deal=dict(servant=Servant),
        event=dict(event=Event),
        peek=dict(event=Event),
        killed=dict(player=SEATS, servant=Servant),
        stolen=dict(thief=SEATS, player=SEATS, servant=Servant),
        missed=dict(player=SEATS),
        reward=dict(player=SEATS, good=Good, amount=AMOUNTS),
        paid=dict(player=SEATS, building=BUILDINGS),
        lost=dict(player=SEATS, building=BUILDINGS),
        nothing={},
    ),
)
VERB, X, Y, Z = MOVES.columns

# --- numbers from the card files, by file -----------------------------------------------------------------------------

GOAL = tuple(data["game"]["goal"] for data in CARDS)
COST = tuple(cards.amounts(data, "cost") for data in CARDS)
DUE = tuple(cards.amounts(data, "tax") for data in CARDS)
TAXED = tuple(tuple(int(any(tax)) for tax in table) for table in DUE)
POINTS = tuple(tuple(data["buildings"][name]["points"] for name in BUILDINGS) for data in CARDS)
HELPS = tuple(
    tuple(tuple(cards.bonus(data, name, helped) for helped in Helped) for name in BUILDINGS) for data in CARDS
)
UNTAXED = tuple(tuple(cards.untaxed(data, name) for name in BUILDINGS) for data in CARDS)
BRINGS = tuple(tuple(cards.base(data, name) for name in Helped) for data in CARDS)
GRIMOIRE_ADDS = tuple(cards.base(data, "grimoire") for data in CARDS)
ELEPHANT_BRINGS = tuple(cards.base(data, "elephant") for data in CARDS)
PRODUCES = (Good.GOLD, Good.SOLDIER, Good.FOOD)  # what Alchemist, Smith and Cook bring

HELPED_COUNT, PAIR_COUNT, AMOUNT_COUNT = len(Helped), len(PAIRS), len(AMOUNTS)

COMPONENTS = SETS[cards.OURS] | {"own": SETS.get(cards.OWN), "tuned": SETS[cards.TUNED]}
