"""Web of Power: what lies on the table, and the names of all moves and events."""

from courtly.engine.moves import Moves, seats
from courtly.engine.names import Names
from courtly.engine.record import Record, i8, i16, i32
from courtly.games.cardinal.map import ALLIANCES, COUNT, COUNTRIES, OPEN, PLAYERS, SITES, TYPES
from courtly.games.cardinal.scoring import CLOISTERS, MEMORY

CARDINALS = 8  # of each player
COLOURS = len(TYPES)
ALL_COUNTRIES = len(COUNTRIES)
ALL_SITES = len(SITES)
ALL_ALLIANCES = len(ALLIANCES)
CARDS = ("none", *TYPES)  # in moves: no card, or one of a colour; the index is the colour + 1
HISTORY = 2 * sum(COUNT)  # every card of a deck is drawn once, every card laid once
BEST_FIRST = 64  # a point outweighs all pieces that can be left: these decide ties


class Phase(Names):
    (
        STARTING,  # the start player is being drawn
        DEALING,  # hands are being dealt
        CHOOSING,  # cards to play, with the first piece; or cards to discard
        PLACING,  # the second piece
        REFILLING,  # an open card or the deck
        DRAWING,  # a card is being drawn from the deck
        SHUFFLING,  # the deck has run out for the first time: the discards become the new one
        RUN_OUT,  # the deck has run out for the second time
        TURNING_UP,  # open cards are being filled up
        INTERIM,  # the scorings
        FINAL,
        OVER,
    ) = range(12)


class State(Record):
    """Hands and what each player drew are private, the deck is seen by nobody; all else is public."""

    players = i8(option=(3, 4, 5))
    discard_max = i8(option=(3, 1))  # cards that may be discarded in a turn
    joker_own_colour = i8(option=(1, 0))  # 1: a pair may stand for a card of its own colour
    underplace = i8(option=(0, 1))  # 1: fewer pieces may be placed than the cards pay for
    interim = i8(option=(0, 1))  # the interim scoring comes 0: at the start player's turn, 1: at once
    # 0: drawn; else the seat that begins, from 1, counted round a smaller table
    first_player = i8(option=(0, 1, 2, 3, 4, 5))

    pending = i8()
    phase = i8(of=Phase)
    start = i8()
    seat = i8()  # whose turn it is; NOBODY's before the first
    turn = i16()  # turns completed
    country = i8()  # where the second piece must go
    may_stop = i8()  # 1: or may be left out
    refilling = i8()  # the seat that is being dealt to or refills
    to_draw = i8()  # cards that are still to be drawn
    exhaustions = i8()  # how often the deck has run out
    scored = i8()  # scorings held: 1 the interim, 2 the final one

    owner = i8(SITES)  # seat + 1
    free = i8(COUNTRIES)  # sites without a cloister
    cloisters = i8(COUNTRIES, PLAYERS)
    cardinals = i8(COUNTRIES, PLAYERS)
    top = i8(COUNTRIES)  # most cloisters of one player: no more cardinals than this may stand here
    standing = i8(COUNTRIES)  # cardinals of all players
    leaders = i8(COUNTRIES)  # bits of the seats with most cardinals
    cloisters_left = i8(PLAYERS)
    cardinals_left = i8(PLAYERS)

    score = i16(PLAYERS)
    interim_points = i8(PLAYERS, COUNTRIES)  # what the interim scoring brought
    country_points = i8(PLAYERS, COUNTRIES)  # what a scoring would bring now, or what the final one brought
    alliance_points = i8(PLAYERS, ALLIANCES)
    chain_points = i8(PLAYERS)
    link = i8(SITES)  # for a cloister in a chain: 1 + the site its chain comes from, its own where it begins

    size = i8(PLAYERS)  # cards in each hand
    hand = i8(PLAYERS, TYPES, private=True)
    open = i8(OPEN)  # colour + 1 of each open card
    deck_left = i8()  # cards in the deck
    discards = i8(TYPES)
    shown = i8(PLAYERS, TYPES)  # cards of each hand that all saw taken, at least
    rest = i8(TYPES)  # cards that were in this deck and have not been seen since
    fresh = i8(PLAYERS)  # how many of these each player drew
    drawn = i8(PLAYERS, TYPES, private=True)  # and which
    old = i8(TYPES)  # cards of the first deck that were in hands at the reshuffle and have not been seen since
    old_left = i8(PLAYERS)  # how many of these each player had
    history = i16(HISTORY)  # cards laid that may have been either, and draws beside them: see knowledge.py
    events = i16()  # how many it holds
    deck = i8(TYPES, secret=True)

    before = i8(TYPES, scratch=True)  # the search for worlds: see knowledge.py
    old_held = i8(PLAYERS, scratch=True)
    fresh_held = i8(PLAYERS, scratch=True)
    past = i8(HISTORY, scratch=True)
    guess = i8(HISTORY, scratch=True)
    old_pool = i8(TYPES, scratch=True)
    fresh_pool = i8(TYPES, scratch=True)
    old_slots = i8(PLAYERS, scratch=True)
    fresh_slots = i8(PLAYERS, scratch=True)
    member = i8(CLOISTERS, scratch=True)  # the search for chains: see scoring.py
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
        begins=dict(player=seats(PLAYERS)),
        deal=dict(card=TYPES),
        drawn=dict(card=TYPES),
        turn_up=dict(card=TYPES),
        reshuffle={},
        run_out={},
        interim={},
        final={},
    ),
)
VERB, X, Y, Z = MOVES.tables
