"""The state of The King's New Town: lands, houses, dice, cards; the moves; and the component data as tuples."""

import json
from pathlib import Path

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.moves import Moves
from courtly.engine.state import StateBase, i8, i16, i32, places, seats
from courtly.games.newtown.components import (
    DATA,
    FOOTPRINTS,
    KING,
    NUMBERS,
    TUNED,
    Ground,
    cells_of,
    ground_of,
    lines_of,
    squares_of,
)

# --- names ------------------------------------------------------------------------------------------------------------

PLAYERS = 4
SEATS = seats(PLAYERS)
LANDS = (*map(str, NUMBERS), "king")  # rules use the index: land 3 is 0, the King's land 16
NUMBERED = LANDS[:KING]
WHICH = ("first", "second")  # house of a land
# the first and the second house of each land: land * 2, land * 2 + 1
HOUSES = tuple(f"{land}-{n}" for land in LANDS for n in (1, 2))
# p: with a penthouse
FORMS = (*(f"{footprint}x{floors}" for footprint in FOOTPRINTS for floors in (1, 2, 3)), "3x3x1p", "3x3x2p", "3x3x3p")
STAGES = 6  # the most stages of one house: new, twice wider, twice higher, a penthouse
SIZES = range(1, 7)  # of blocks
FACES = range(1, 7)
PARTS = range(1, 4)  # the smaller part of a split block
WHITE = ("first", "second", "third")
# sets of white dice: index + 1 is their bits
HANDFULS = ("first", "second", "first-second", "third", "first-third", "second-third", "all")
RESIDENTS = tuple(f"r{i:02}" for i in range(1, 17))
SPECIAL = RESIDENTS[14:]
NONE = -1  # no land, card, seat or house


PLACES = range(len(LANDS))  # of a layout
ROW = DATA["cards"]["row"]
MOST_FROM_DICE, FROM_TRIPLE, HIGH = DATA["dice"]["blocks"], DATA["dice"]["triple_blocks"], DATA["dice"]["high"]
SUPPLY = tuple(DATA["supply"]["blocks"])
ROOFS = tuple(DATA["houses"][f]["roofs"] for f in FOOTPRINTS)
TRACK = tuple(DATA["track"]["squares"])
TRACK_SQUARES = len(TRACK)
PENTHOUSE_CUBES = 4
PENTHOUSE = tuple(int(f.endswith("p")) for f in FORMS)
CUBES = tuple(int(f[0]) * int(f[2]) * int(f[4]) + PENTHOUSE_CUBES * PENTHOUSE[i] for i, f in enumerate(FORMS))

# --- upper bounds of counts -------------------------------------------------------------------------------------------

MOST_ROUNDS = 5  # the four of the box, and one extra round in the original rules
MOST_TURNS = MOST_ROUNDS * PLAYERS  # each player has one in a round
MOST_POOL = 6 * PLAYERS  # dice: three white and three coloured for each player
# These bounds exceed what occurs in play, but are not proved; the property tests check them.
MOST_GEMS = 40
MOST_BLOCKS = 100  # of one size, if the supply is unlimited
MOST_GAIN = 60  # points for one building from one source
MOST_POINTS = 400


class Ruleset(NamedInt):
    SIMPLE, ORIGINAL = range(2)


class Extension(NamedInt):
    """What an extension scores."""

    WHOLE, DIFFERENCE = range(2)


class Patterns(NamedInt):
    """The recipients of the points of the houses in a line or square."""

    OWNERS, BUILDER_OWN, BUILDER_ALL = range(3)


class Markers(NamedInt):
    """With two players: where the marker of the start player goes at the end of a round."""

    LAST, NEXT = range(2)  # the last empty square of the King's land, or the one behind the last marker


class Lands(NamedInt):
    """How the lands around the King's are laid: at random, or by the players in turn."""

    AT_RANDOM, IN_TURN = range(2)


class DicePhase(NamedInt):
    """How players decide in the dice phase: at the same time or in turn."""

    TOGETHER, IN_TURN = range(2)


class Layout(NamedInt):
    PINWHEEL, CROSS = range(2)


class Phase(NamedInt):
    """The decision that the seat in `pending` has to make."""

    (
        PREPARING,  # none: during the set-up
        PLACING,  # where its craftsman goes
        ACTING,  # how to use its coloured dice
        REROLLING,  # which white dice to roll again
        TAKING,  # which land card to take
        BUILDING,  # whether and what to build
        LAYING,  # which block to lay next
        BONUS,  # whether to take the reward of a bonus square
        WELCOMING,  # which resident card to take
        LODGING,  # how residents are housed (only with the option `residents`)
        OVER,
        PLANTING,  # original rules: how many dice are thrown for the new tree's land
        DRAFTING,  # which die to take from the pool
        WALKING,  # where to walk with the green pips
        MANAGING,  # what to buy with the red pips
        VOTING,  # whether to play an extra round
        PICKING,  # which land to lay next (only if the players lay the lands)
        SETTLING,  # on which place
        AIMING,  # where its craftsman will be placed, at the same time as the others
    ) = range(19)


class Step(NamedInt):
    """The part of the game: laying the table; in each round, all throw, then each player uses the dice and builds; the
    final scoring. With simultaneous decisions, PLACEMENT comes in between: secret choices, then all craftsmen are
    placed."""

    (
        LAYING_OUT,
        THROWING,
        USING,
        CONSTRUCTION,
        COUNTING,
        ARRIVING,  # the original rules, from here on
        PREPARATION,
        DRAFT,
        WALK,
        MANAGEMENT,
        SECOND_WALK,
        VOTE,
        PLACEMENT,
    ) = range(13)


class Event(NamedInt):
    """The kind of the random event that is due."""

    TILE, LAND_CARD, RESIDENT, STARTER, DIE, GIFT, SOW, POOL, ARRIVAL = range(9)


class Source(NamedInt):
    """The sources of points. A building brings the first eight; the others are counted at the end."""

    BASE, LAND, TREE, SECOND, FIFTH, LARGEST, LINES, SQUARES, BLOCKS, CARDS, RESIDENTS, DICE, GEMS = range(13)


class Colour(NamedInt):
    """The coloured dice."""

    GREEN, RED, BLACK = range(3)


class Effect(NamedInt):
    """What a triple gives in addition to its blocks."""

    NOTHING, GEM, REROLL, CARD = range(4)


class Lawn(NamedInt):
    """What a lawn card does to a white die."""

    REMOVE, DOUBLE = range(2)


class Mud(NamedInt):
    """What a mud card does with a block of one cube."""

    GAIN, RETURN = range(2)


class Going(NamedInt):
    """Whether the craftsman must go to the land of the white dice, and whether even if he stands there already."""

    NOWHERE, ON, ANEW = range(3)


class Attic(NamedInt):
    """Whether a penthouse is built after the house, or now."""

    NONE, TO_COME, BEGUN = range(3)


class Welcome(NamedInt):
    """The source of a resident card that is due; from PLAYER on, a seat."""

    NOWHERE, ROW, PLAYER = range(3)


class Vote(NamedInt):
    NOT_YET, NO, YES = range(3)


DICE = (*WHITE, *Colour)
POOL = ("white", *Colour)
FROM_BUILDING = tuple(Source)[: Source.BLOCKS]


class State(StateBase):
    """The state of the game. All is public except choices in the dice phase; decks have no order."""

    players = i8(option=(2, 3, 4))
    ruleset = i8(option=(0, 1), of=Ruleset)  # the original rules are in original.py
    # an extension scores: 0: the whole house and the land again; 1: the increase of its base points
    extension_scoring = i8(option=(0, 1), of=Extension)
    # lines and squares pay: the builder for all houses, each house's owner, or the builder for own houses
    pattern_bonus = i8(option=(2, 0, 1), of=Patterns)
    pattern_again = i8(option=(0, 1))  # 1: a line or square pays again for each further new house on its lands
    one_card_per_house = i8(option=(0, 1))  # 1: a house admits at most one resident card
    finite_supply = i8(option=(0, 1))  # 1: blocks can run out
    residents = i8(option=(0, 1))  # 0: residents are housed in the best way; 1: their owner decides
    once_per_turn = i8(option=(0, 1))  # 1: a house is built or extended at most once in a player's turn
    markers = i8(option=(0, 1), of=Markers)  # the start player of the third round with two players
    dice_phase = i8(option=(0, 1), of=DicePhase)
    lands = i8(option=(0, 1), of=Lands)  # how they are laid
    move_in = i8(option=(1, 0))  # original rules: 0: no residents move in at the end
    map = i8(option=(0, 1), of=Layout)  # the layout of the lands
    tables = i8(option=(0, 1))  # points of houses and residents: 0: components.toml; 1: tuned.toml

    pending = i8()
    phase = i8(of=Phase)
    event = i8(of=Event)  # the random event that is due, if pending is CHANCE
    step = i8(of=Step)
    round = i8(most=MOST_ROUNDS)  # counted from 1; 0: during the set-up
    first = i8(of=SEATS, none=NOBODY)  # the seat that starts this round
    turn = i8(most=MOST_POOL)  # turns completed in this part
    turns = i8(most=MOST_TURNS)  # turns begun in the whole game
    seat = i8(of=SEATS, none=NOBODY)  # the seat at turn

    place = i8(LANDS, of=PLACES, none=NONE)  # the place of each land in the layout; NONE: not yet
    land_at = i8(len(LANDS), of=LANDS, none=NONE)  # the land at each place
    picked = i8(of=NUMBERED, none=NONE)  # the land that a player is about to lay
    tree = i8(LANDS, most=1)
    houses = i8(LANDS, most=len(WHICH))  # 0, 1 or 2
    occupied = i32(bits=PLACES)  # bits of the places with a house
    owner = i8(HOUSES, of=SEATS)  # of houses that stand (`raised` is not 0); the same holds for `form`
    form = i8(HOUSES, of=FORMS)
    raised = i8(HOUSES, most=len(HOUSES))  # the rank of the house in the order of building, from 1
    worked = i8(HOUSES, most=MOST_TURNS)  # `turns` when it was last built or extended
    stages = i8(HOUSES, most=STAGES)  # number of stages, with a penthouse as its own stage
    wall_form = i8(HOUSES, STAGES, of=FORMS)  # its form after each stage
    walls = i32(HOUSES, STAGES, key=True)  # the blocks laid in each stage: a key, see packing.py
    raised_last = i8(most=len(HOUSES))
    largest = i8(most=max(CUBES))  # cubes of the largest house

    craftsman = i8(SEATS, of=LANDS, none=NONE)  # the land on which he stands
    # the land of his placement, chosen in the dice phase; NONE: he has been placed
    aim = i8(SEATS, of=LANDS, none=NONE, private=True)
    score = i16(SEATS, least=-MOST_POINTS, most=MOST_POINTS)
    earned = i16(SEATS, Source, least=-MOST_POINTS, most=MOST_POINTS)  # the score by source
    latest = i8(SEATS, FROM_BUILDING, most=MOST_GAIN)  # points of the latest building
    passed = i8(SEATS, most=TRACK_SQUARES)  # bonus squares reached
    offered = i8(SEATS, most=TRACK_SQUARES)  # bonus squares decided on
    gems = i8(SEATS, most=MOST_GEMS)
    blocks = i8(SEATS, SIZES, most=MOST_BLOCKS)
    supply = i8(SIZES, most=max(SUPPLY))
    roofs = i8(SEATS, FOOTPRINTS, most=max(ROOFS))
    owned = i8(SEATS, most=len(HOUSES))  # number of houses
    fifth = i8(SEATS, most=1)  # 1: has had the bonus for a fifth house

    white = i8(SEATS, WHITE, most=len(FACES))
    times = i8(SEATS, WHITE, most=2)  # how often the die counts: 0, 1 or 2
    coloured = i8(SEATS, Colour, most=len(FACES))
    used = i8(SEATS, Colour, most=1)  # 1: the die has been used this round
    falling = i8(bits=DICE)  # bits of the dice in the air
    going = i8(of=Going)
    rerolls = i8(most=MOST_GEMS)  # rerolls left
    rolled = i8(most=1)  # 1: the white dice have been rolled again
    sizes = i8(bits=SIZES)  # bits of the sizes taken from dice this turn
    drawn = i8(most=MOST_FROM_DICE)  # blocks taken from dice this turn
    takes = i8(most=2)  # land cards still to be taken
    built = i8(most=1)  # 1: the player has built this turn
    welcome = i8(of=Welcome, then=SEATS)  # the source of a resident card that is due
    taken_from = i8(of=SEATS, none=0)  # 1 + the seat that lost the latest building; 0: it was no take-over
    handed = i8(of=RESIDENTS, none=0)  # 1 + the resident card that changed hands with it

    house = i8(of=HOUSES)  # the house being built, or built last; undefined before the first
    plan = i8(of=FORMS)  # its planned form
    before = i8(of=FORMS, none=0)  # 0: it is new; else 1 + its present form
    room = i8(most=max(CUBES))  # cubes still to be filled
    laid = i32(key=True)  # the key of the blocks laid so far
    top = i8(of=SIZES)  # index of the largest size that may follow: blocks come in descending sizes
    attic = i8(of=Attic)

    land_row = i8(ROW, of=NUMBERED, none=NONE)  # face-up land cards; NONE: an empty space
    land_deck = i8(NUMBERED, most=1)  # 1: still in the deck
    land_left = i8(most=len(NUMBERED))  # cards in the deck
    land_shown = i8(most=ROW)  # cards in the row
    land_owner = i8(NUMBERED, of=SEATS, none=NOBODY)
    land_gained = i8(NUMBERED, most=MOST_ROUNDS)  # the round in which it was taken
    land_used = i8(NUMBERED, most=MOST_ROUNDS)  # the round in which it was last used
    ready = i8(SEATS, Ground, most=len(NUMBERED))  # land cards that can be used now
    resident_row = i8(ROW, of=RESIDENTS, none=NONE)
    resident_deck = i8(RESIDENTS, most=1)
    resident_left = i8(most=len(RESIDENTS))
    resident_shown = i8(most=ROW)
    resident_owner = i8(RESIDENTS, of=SEATS, none=NOBODY)
    home = i8(RESIDENTS, of=HOUSES, none=NONE)  # the house they live in at the end
    gift = i8(SPECIAL, least=-len(FACES), most=len(FACES))  # the die of a special card, with its sign; 0: none
    gifts = i8(most=len(SPECIAL))  # special cards scored
    counting = i8(most=1)  # 1: the final scoring has begun

    order = i8(places(PLAYERS), of=SEATS)  # original rules: the seats in this round's order
    arrived = i8(SEATS, most=MOST_TURNS)  # when the craftsman came to the King's land; 0: he is elsewhere
    sowing = i8(most=4)  # dice still to fall for the new tree
    sown = i8(most=4 * len(FACES))  # their sum so far
    pool = i8(POOL, FACES, most=MOST_POOL)  # dice to be drafted, by colour and face
    filling = i8(most=MOST_POOL)  # dice of the pool still to fall
    pips = i8(Colour, most=MOST_POOL)  # of the player at turn, not yet spent
    votes = i8(SEATS, of=Vote)

    site = i8(FROM_BUILDING, scratch=True)  # what a new house would bring, without base and largest: see `survey`
    gain = i8(SEATS, 2, scratch=True)  # what it would bring for lines and squares, to each player
    distance = i8(LANDS, scratch=True)  # for walking
    own_cards = i8(len(RESIDENTS), scratch=True)  # for housing the residents of one player, see counting.py
    own_houses = i8(8, scratch=True)
    beds = i8(8, scratch=True)
    choice = i8(len(RESIDENTS) + 1, scratch=True)
    best_choice = i8(len(RESIDENTS) + 1, scratch=True)
    worth = i16(len(RESIDENTS) + 1, scratch=True)
    hope = i16(len(RESIDENTS) + 1, scratch=True)


MOVES = Moves(
    go=dict(land=LANDS),
    lawn=dict(die=WHITE, way=Lawn),
    block=dict(die=Colour),
    gem={},
    reroll={},
    take=dict(card=NUMBERED),
    triple=dict(effect=Effect),
    plus=dict(die=Colour),
    swap={},
    mud=dict(way=Mud),
    finish={},
    roll=dict(dice=HANDFULS),
    stop={},
    build=dict(form=FORMS),
    extend=dict(which=WHICH, form=FORMS),
    take_over=dict(which=WHICH, form=FORMS),
    lay=dict(size=SIZES),
    move={},
    end={},
    welcome=dict(resident=RESIDENTS),
    inherit=dict(resident=RESIDENTS),
    accept={},
    decline={},
    lodge=dict(resident=RESIDENTS, house=HOUSES),
    close={},
    plant=dict(number=range(2, 5)),
    draft=dict(colour=POOL, face=FACES),
    walk=dict(land=LANDS),
    stay={},
    buy=dict(size=SIZES),
    again=dict(die=WHITE),
    split=dict(size=SIZES, part=PARTS),
    join=dict(size=SIZES, part=PARTS),
    vote=dict(more=tuple(Vote)[Vote.NO :]),
    pick=dict(land=NUMBERED),
    settle=dict(place=range(1, len(NUMBERED) + 1)),
    aim=dict(land=LANDS),
    chance=dict(
        tile=dict(land=NUMBERED),
        starter=dict(player=SEATS),
        land_card=dict(card=NUMBERED),
        resident=dict(resident=RESIDENTS),
        die=dict(die=DICE, face=FACES),
        gift=dict(resident=SPECIAL, face=FACES),
        sow=dict(face=FACES),
        pool=dict(colour=POOL, face=FACES),
        arrive=dict(player=SEATS, land=LANDS),
    ),
)
VERB, X, Y, Z = MOVES.columns

# --- numbers of the box -----------------------------------------------------------------------------------------------

INTO_KINGS_LAND, KING_NUMBER, TREE_TOKENS = (DATA["original"][n] for n in ("into_kings_land", "king_number", "trees"))
ROUNDS = DATA["rounds"]["count"]
LAST_SCORE = len(FROM_BUILDING)
LAND_COUNT, HOUSE_COUNT, FORM_COUNT = len(LANDS), len(HOUSES), len(FORMS)
LARGEST_SIZE = len(SIZES) - 1  # as an index
GROUND = (*ground_of(DATA), NONE)  # of each land
LAND_POINTS = (*(DATA["grounds"][Ground[g]]["points"] for g in ground_of(DATA)), DATA["king"]["points"])
# 1: cards of this ground can be used when they are gained
AT_ONCE = tuple(int(DATA["grounds"][g]["from"] == "now") for g in Ground)
KING_GEMS = tuple(DATA["king"]["gems"])
BONUS_TREE, BONUS_SECOND, BONUS_FIFTH, BONUS_LARGEST, BONUS_LINES, BONUS_SQUARES = (
    DATA["bonuses"][b] for b in ("tree", "second", "fifth", "largest", "lines", "squares")
)
REWARD_IS_CARD = tuple(int(r == "card") for r in DATA["track"]["rewards"])
END_BLOCK, END_NO_BLOCKS, CARD_OWN, CARD_OTHERS, CARD_EMPTY, END_GEM = (
    DATA["end"][e] for e in ("block", "no_blocks", "card_own", "card_others", "card_empty", "gem")
)

RESIDENT_COUNT = len(RESIDENTS)
PEOPLE = tuple(DATA["residents"][r] for r in RESIDENTS)
PERSONS = tuple(p["persons"] for p in PEOPLE)
POINTS = tuple(tuple(data["residents"][r]["points"] for r in RESIDENTS) for data in (DATA, TUNED))
LIVES_ON = tuple(tuple(int(g in p["grounds"]) for g in Ground) for p in PEOPLE)
FIRST_SPECIAL = RESIDENT_COUNT - len(SPECIAL)

# --- forms ------------------------------------------------------------------------------------------------------------

PLAIN_COUNT = 12  # forms without a penthouse come first
PLAIN = tuple(FORMS.index(f.rstrip("p")) for f in FORMS)  # the form without its penthouse
FOOT = tuple(FOOTPRINTS.index(f[:3]) for f in FORMS)
FORM_BASE = tuple(
    tuple(
        data["houses"][f[:3]]["base"][int(f[4]) - 1] + data["houses"]["penthouse"] * PENTHOUSE[i]
        for i, f in enumerate(FORMS)
    )
    for data in (DATA, TUNED)
)


def _key(words: str) -> int:
    return sum(1 << 5 * (int(size) - 1) for size in words.split("+"))


# By the previous state (0: nothing, else 1 + its form) and the plain form to build: the cubes needed (0: impossible),
# the first index in AWKWARD of the multisets that do not fit, and their number.
_TABLES = json.loads(Path(__file__).with_name("packing.json").read_text("utf-8"))
_BEFORE = ("", *(f"{f}>" for f in FORMS[:PLAIN_COUNT]))
_AWKWARD = [_key(words) for listed in _TABLES.values() for words in listed]
_LENGTHS = {name: len(listed) for name, listed in _TABLES.items()}
_STARTS = {name: sum(list(_LENGTHS.values())[:i]) for i, name in enumerate(_LENGTHS)}
NEEDS = tuple(
    tuple(CUBES[f] - (CUBES[b - 1] if b else 0) if before + FORMS[f] in _TABLES else 0 for f in range(PLAIN_COUNT))
    for b, before in enumerate(_BEFORE)
)
AWKWARD_FIRST = tuple(tuple(_STARTS.get(before + FORMS[f], 0) for f in range(PLAIN_COUNT)) for before in _BEFORE)
AWKWARD_COUNT = tuple(tuple(_LENGTHS.get(before + FORMS[f], 0) for f in range(PLAIN_COUNT)) for before in _BEFORE)
AWKWARD = tuple(_AWKWARD)
FOURS = tuple(_key(words) for words in ("4", "3+1", "2+2", "2+1+1", "1+1+1+1"))  # ways to build a penthouse
FOURS_COUNT = len(FOURS)

# --- layouts ----------------------------------------------------------------------------------------------------------

_LAYOUTS = tuple(cells_of(name, DATA["layouts"][name]) for name in Layout)
_PATTERNS = tuple([(0, p) for p in lines_of(cells)] + [(1, p) for p in squares_of(cells)] for cells in _LAYOUTS)
PATTERN_COUNT = tuple(len(patterns) for patterns in _PATTERNS)
_PADDED = tuple(patterns + [(0, (0, 0, 0, 0))] * (max(PATTERN_COUNT) - len(patterns)) for patterns in _PATTERNS)
PATTERN_PLACES = tuple(tuple(places for _, places in patterns) for patterns in _PADDED)
PATTERN_BITS = tuple(tuple(sum(1 << p for p in places) for _, places in patterns) for patterns in _PADDED)


def _near(cells: dict[tuple[int, int], int], at: tuple[int, int]) -> tuple[int, ...]:
    """Return the four neighbouring places of a place; where there is no land, the place itself."""
    r, c = at
    return tuple(cells.get(other, cells[at]) for other in ((r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c)))


# by layout and place
NEAR = tuple(tuple(_near(cells, at) for at in sorted(cells, key=lambda at: cells[at])) for cells in _LAYOUTS)
PATTERN_IS_SQUARE = tuple(tuple(kind for kind, _ in patterns) for patterns in _PADDED)
