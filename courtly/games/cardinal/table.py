"""Web of Power: the state, the moves and the random events."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8, i16, i32, seats
from courtly.games.cardinal.map import ALLIANCES, COUNT, COUNTRIES, END, FIRST, HAND, OPEN, PLAYERS, SITES, TYPES
from courtly.games.cardinal.scoring import CLOISTERS, MEMORY

CARDINALS = 8  # of each player
COLOURS = len(TYPES)
ALL_COUNTRIES = len(COUNTRIES)
ALL_SITES = len(SITES)
ALL_ALLIANCES = len(ALLIANCES)
CARDS = ("none", *TYPES)  # in moves: no card, or one of a colour; the index is the colour + 1
HISTORY = 2 * sum(COUNT)  # every card of a deck is drawn once and laid once
ROOM = max(end - first for first, end in zip(FIRST, END, strict=True))  # the most sites in a country
SEATS = seats(PLAYERS)
# two scorings of countries, alliances, a chain
MOST_POINTS = 2 * ALL_SITES + 2 * ROOM * ALL_ALLIANCES + CLOISTERS
BEST_FIRST = 64  # the factor of a point, which outweighs all pieces left; these break ties


class Phase(NamedInt):
    (
        STARTING,  # drawing the start player
        DEALING,  # dealing hands
        CHOOSING,  # choosing cards to play, with the first piece; or cards to discard
        PLACING,  # placing the second piece
        REFILLING,  # choosing an open card or the deck
        DRAWING,  # drawing a card from the deck
        SHUFFLING,  # the deck has run out for the first time: the discards become the new deck
        RUN_OUT,  # the deck has run out for the second time
        TURNING_UP,  # filling the open cards
        INTERIM,  # the scorings
        FINAL,
        OVER,
    ) = range(12)


class State(StateBase):
    """The state of the game. Hands and the cards that each player drew are private, the deck is secret, all else is
    public."""

    players = i8(option=(3, 4, 5))
    discard_max = i8(option=(3, 1))  # cards that can be discarded in a turn
    joker_own_colour = i8(option=(1, 0))  # 1: a pair can stand for a card of its own colour
    underplace = i8(option=(0, 1))  # 1: a player can place fewer pieces than the cards pay for
    interim = i8(option=(0, 1))  # the interim scoring comes: 0: at the start player's turn; 1: at once
    # 0: drawn; else the seat that begins, from 1, modulo the number of players
    first_player = i8(option=(0, 1, 2, 3, 4, 5))

    pending = i8()
    phase = i8(of=Phase)
    start = i8(of=SEATS)
    seat = i8(of=SEATS, none=NOBODY)  # the seat at turn; NOBODY before the first turn
    turn = i16(most=HISTORY)  # turns completed
    country = i8(of=COUNTRIES)  # the country for the second piece
    may_stop = i8(most=1)  # 1: the second piece is optional
    refilling = i8(of=SEATS)  # the seat that is being dealt to or refills
    to_draw = i8(most=HAND)  # cards that are still to be drawn
    exhaustions = i8(most=2)  # how often the deck has run out
    scored = i8(most=2)  # scorings held: 1 the interim, 2 the final one

    owner = i8(SITES, of=SEATS, none=0)
    free = i8(COUNTRIES, most=ROOM)  # sites without a cloister
    cloisters = i8(COUNTRIES, SEATS, most=ROOM)
    cardinals = i8(COUNTRIES, SEATS, most=ROOM)
    top = i8(COUNTRIES, most=ROOM)  # most cloisters of one player, which is the limit for all cardinals there
    standing = i8(COUNTRIES, most=ROOM)  # cardinals of all players
    leaders = i8(COUNTRIES, bits=SEATS)  # bits of the seats with the most cardinals
    cloisters_left = i8(SEATS, most=CLOISTERS)
    cardinals_left = i8(SEATS, most=CARDINALS)

    score = i16(SEATS, most=MOST_POINTS)
    interim_points = i8(SEATS, COUNTRIES, most=ROOM)  # points from the interim scoring
    country_points = i8(SEATS, COUNTRIES, most=ROOM)  # points of a scoring now, or of the final one
    alliance_points = i8(SEATS, ALLIANCES, most=2 * ROOM)
    chain_points = i8(SEATS, most=CLOISTERS)
    link = i8(SITES, of=SITES, none=0)  # for each site in a chain: the site before it; itself at the beginning

    size = i8(SEATS, most=HAND)  # cards in each hand
    hand = i8(SEATS, TYPES, most=HAND, private=True)
    open = i8(OPEN, of=TYPES, none=0)  # the colour of each open card
    deck_left = i8(most=sum(COUNT))  # cards in the deck
    discards = i8(TYPES, most=max(COUNT))
    shown = i8(SEATS, TYPES, most=HAND)  # lower bound for the cards of each hand, from open cards that were taken
    rest = i8(TYPES, most=max(COUNT))  # cards of this deck that have not been seen since
    fresh = i8(SEATS, most=sum(COUNT))  # how many of these each player drew
    drawn = i8(SEATS, TYPES, most=max(COUNT), private=True)  # the colours of these
    old = i8(TYPES, most=max(COUNT))  # cards in hands at the reshuffle that have not been seen since
    old_left = i8(SEATS, most=HAND)  # how many of these each player had
    history = i16(HISTORY, key=True)  # laid cards that may come from either deck, and draws in between: see worlds.py
    events = i16(most=HISTORY)  # number of entries in it
    deck = i8(TYPES, most=max(COUNT), secret=True)

    before = i8(TYPES, scratch=True)  # used by the search for worlds: see worlds.py
    old_held = i8(SEATS, scratch=True)
    fresh_held = i8(SEATS, scratch=True)
    past = i8(HISTORY, scratch=True)
    guess = i8(HISTORY, scratch=True)
    old_pool = i8(TYPES, scratch=True)
    fresh_pool = i8(TYPES, scratch=True)
    old_slots = i8(SEATS, scratch=True)
    fresh_slots = i8(SEATS, scratch=True)
    member = i8(CLOISTERS, scratch=True)  # used by the search for chains: see scoring.py
    number = i8(SITES, scratch=True)
    near = i32(CLOISTERS, scratch=True)
    best = i8(CLOISTERS, scratch=True)
    came = i8(CLOISTERS, scratch=True)
    seen = i32(MEMORY, scratch=True)
    steps = i32(2 * CLOISTERS, scratch=True)
    used = i32(2 * CLOISTERS, scratch=True)
    spare = i32(2 * CLOISTERS, scratch=True)
    lost = i8(2 * CLOISTERS, scratch=True)
    root = i8(2 * CLOISTERS, scratch=True)
    first = i8(2 * CLOISTERS, scratch=True)
    tip = i8(2 * CLOISTERS, scratch=True)
    length = i8(2 * CLOISTERS, scratch=True)


MOVES = Moves(
    cloister=dict(pair=CARDS, single=CARDS, site=SITES),
    cardinal=dict(pair=CARDS, single=CARDS, country=COUNTRIES),
    second_cloister=dict(site=SITES),
    second_cardinal=dict(country=COUNTRIES),
    done={},
    discard=dict(first=CARDS, second=CARDS, third=CARDS),
    take=dict(card=TYPES),
    draw={},
    chance=dict(
        begins=dict(player=SEATS),
        deal=dict(card=TYPES),
        drawn=dict(card=TYPES),
        turn_up=dict(card=TYPES),
        reshuffle={},
        run_out={},
        interim={},
        final={},
    ),
)
VERB, X, Y, Z = MOVES.columns
