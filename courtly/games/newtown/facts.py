"""The facts for the board that follow from the public state. Lands, houses, forms, cards, dice and moves are numbered
by their index; sets of blocks by their key, see packing.py."""

from itertools import product

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.facts import FactsBase, Logged, number, record, up_to, word
from courtly.engine.state import places
from courtly.games.newtown.components import DATA, KING, Ground, cells_of
from courtly.games.newtown.counting import card_points
from courtly.games.newtown.dice import calls, given_by, king_calls, on_site, total
from courtly.games.newtown.facts_houses import Laying, Offer, describe_laying, list_offers
from courtly.games.newtown.holdings import usable
from courtly.games.newtown.original import legal_walking
from courtly.games.newtown.refusals import Refusal, refusal_of_block
from courtly.games.newtown.rules import next_starter
from courtly.games.newtown.table import (
    FACES,
    FORM_BASE,
    FORM_COUNT,
    FORMS,
    FROM_BUILDING,
    GROUND,
    HOUSE_COUNT,
    HOUSES,
    LAND_COUNT,
    LAND_POINTS,
    LANDS,
    LAST_SCORE,
    MOST_FROM_DICE,
    MOVES,
    NONE,
    NUMBERED,
    PERSONS,
    PLAYERS,
    POINTS,
    RESIDENT_COUNT,
    RESIDENTS,
    REWARD_IS_CARD,
    ROUNDS,
    SEATS,
    TRACK_SQUARES,
    VERB,
    WHICH,
    WHITE,
    Colour,
    Layout,
    Phase,
    Ruleset,
    Step,
    X,
)

COUNTED = ("points", "gems", "blocks")
PARTS = FROM_BUILDING
PART_COUNT = len(PARTS)
LOGGED = (
    Logged("score", ("points",)),
    Logged("gems", ("gems",), verbs=("gem", "build", "extend", "take_over", "triple")),
)
HANDFUL_COUNT = 7  # sets of white dice that can be rolled
HOUSES_ON_LAND = len(WHICH)
MOST_OFFERS = 2 * FORM_COUNT - 1  # each form as a new house, and larger ones than that of the only house on the land
MOST_GOALS = 2  # the land of the white total and the King's land
MOST_GAINS = LAST_SCORE + 2 * (PLAYERS - 1)  # of the builder, and of lines and squares for the other seats
KING_GROUND = len(Ground)

_CELLS = tuple(cells_of(name, DATA["layouts"][name]) for name in Layout)
GRID_ROWS, GRID_COLUMNS = (max(at[i] for cells in _CELLS for at in cells) + 1 for i in range(2))
# by layout, row and column
GRID = tuple(
    tuple(tuple(cells.get((row, column), NONE) for column in range(GRID_COLUMNS)) for row in range(GRID_ROWS))
    for cells in _CELLS
)


def _ways_to_lands(kept: tuple[int, ...]) -> tuple[int, ...]:
    """Return, for each land, the number of throws of the other white dice that lead to it."""
    ways = [0] * LAND_COUNT
    for throw in product(FACES, repeat=len(WHITE) - len(kept)):
        ways[sum(kept + throw) - 3] += 1
        ways[KING] += calls(*kept, *throw)
    return tuple(ways)


# by the faces of two white dice, 0: the die is thrown, as the third one is
WAYS = tuple(
    tuple(_ways_to_lands(tuple(face for face in (a, b) if face)) for b in range(len(FACES) + 1))
    for a in range(len(FACES) + 1)
)


class CardState(NamedInt):
    """Whether a land card can be used in this round, has been used in it, or can be used in later ones."""

    READY, USED, LATER = range(3)


class Reward(NamedInt):
    """The reward of a bonus square."""

    GEM, CARD = range(2)


class DieEffect(NamedInt):
    """What each coloured die can do instead of giving a block."""

    GEM, REROLL, TAKE = range(3)


class LandCard(FactsBase):
    """A land card."""

    points = number()  # at the end: for its owner, or else for this seat
    state = word(of=CardState)  # if it has an owner


class Gain(FactsBase):
    """Points that the latest building brought to a seat."""

    seat = number()
    source = word(of=FROM_BUILDING)
    points = number()


class Facts(FactsBase):
    """The facts of The King's New Town."""

    dicing = number()  # the seat whose dice are in the middle; NOBODY: none
    unlaid = number(up_to(KING))
    grid = number(GRID_ROWS, GRID_COLUMNS)  # the places of the town, row by row
    starters = number(up_to(ROUNDS))  # of this and the later rounds
    base = number(FORMS)  # points of each form, which is also its number of beds
    resident_points = number(RESIDENTS)
    grounds = word(LANDS, of=(*Ground, "king"))
    land_points = number(LANDS)
    effects = word(Colour, of=DieEffect)
    free = number(LANDS)  # places for another house on each land
    spending = number()  # 1 if pips matter in this turn
    ways = number(LANDS)  # of all throws of three dice, those that lead to each land
    order = number(places(PLAYERS))
    rewards = word(TRACK_SQUARES, of=Reward)
    cubes = number(SEATS)
    gained = record(Gain, up_to(MOST_GAINS))
    persons = number(HOUSES)
    homeless = number(up_to(RESIDENT_COUNT))
    from_building = number(SEATS)  # points
    cards = record(LandCard, NUMBERED)
    total = number()  # of the white dice in the middle
    king = number()  # 1: they open the King's land
    goals = number(up_to(MOST_GOALS))  # original rules: the lands on which the player at turn may build
    steps = number(up_to(LAND_COUNT), 2)  # original rules: the lands within reach, with the green pips for each
    laying = record(Laying)
    # for a seat that has to decide
    offers = record(Offer, up_to(MOST_OFFERS))
    away = number()  # original rules: 1: the craftsman is not on the land of the white dice
    odds = number(up_to(HANDFUL_COUNT), LANDS)  # the throws that lead to each land, by the white dice thrown
    gives = number(Colour)  # gems, rerolls, land cards
    left = number()  # blocks that can still be taken from dice
    why = word(Colour, of=Refusal)  # why a coloured die gives no block
    lawn = number(WHITE, 2)  # the total without each white die, and with it doubled
    plus = number(Colour)  # the coloured dice plus one


def facts(s, seat, out, moves):
    out.dicing = whose_dice(s, seat)
    describe_components(s, out)
    describe_town(s, out)
    list_order(s, out)
    list_starters(s, out)
    list_gained(s, out)
    describe_holdings(s, out)
    for card in range(KING):
        describe_land_card(s, card, s.seat if seat == NOBODY else seat, out.cards[card])
    out.spending = is_spending(s)
    describe_white_dice(s, out.dicing, out)
    if s.phase == Phase.WALKING:
        list_steps(s, out, moves)
    if s.phase == Phase.LAYING:
        describe_laying(s, s.seat, out.laying)
    if seat != NOBODY and s.pending >> seat & 1:
        describe_choices(s, seat, out, moves)


def whose_dice(s, seat):
    """Return the seat whose dice are in the middle; during simultaneous choices, the seat of the viewer."""
    if s.step != Step.PLACEMENT:
        return s.seat
    return s.first if seat == NOBODY else seat


# --- what is constant in a game ---------------------------------------------------------------------------------------


def describe_components(s, out):
    for row in range(GRID_ROWS):
        for column in range(GRID_COLUMNS):
            if GRID[s.map][row][column] != NONE:
                out.grid[row][column] = GRID[s.map][row][column]
    for form in range(FORM_COUNT):
        out.base[form] = FORM_BASE[s.tables][form]
    for resident in range(RESIDENT_COUNT):
        out.resident_points[resident] = POINTS[s.tables][resident]
    for land in range(LAND_COUNT):
        out.grounds[land] = KING_GROUND if land == KING else GROUND[land]
        out.land_points[land] = LAND_POINTS[land]
        out.ways[land] = WAYS[0][0][land]
    for die in range(3):
        out.effects[die] = die
    for square in range(TRACK_SQUARES):
        has_card = REWARD_IS_CARD[square] and s.ruleset == Ruleset.SIMPLE
        out.rewards[square] = Reward.CARD if has_card else Reward.GEM


# --- the town and the holdings ----------------------------------------------------------------------------------------


def describe_town(s, out):
    """Describe the lands that are to be laid, the free places for houses, and the persons in them at the end."""
    unlaid = 0
    for land in range(LAND_COUNT):
        out.free[land] = HOUSES_ON_LAND - s.houses[land]
        if s.place[land] == NONE and land != s.picked:
            out.unlaid[unlaid] = land
            unlaid += 1
    for house in range(HOUSE_COUNT):
        out.persons[house] = 0
    homeless = 0
    for resident in range(RESIDENT_COUNT):
        if s.home[resident] != NONE:
            out.persons[s.home[resident]] += PERSONS[resident]
        elif s.resident_owner[resident] != NONE and s.phase == Phase.OVER:
            out.homeless[homeless] = resident
            homeless += 1


def list_order(s, out):
    """List the seats in the order of this round."""
    for i in range(s.players):
        out.order[i] = s.order[i] if s.ruleset == Ruleset.ORIGINAL else (max(s.first, 0) + i) % s.players


def list_starters(s, out):
    """List the start players of this and the later rounds."""
    if s.ruleset == Ruleset.ORIGINAL or s.round == 0 or s.round > ROUNDS:
        return
    first = s.first
    now = s.round
    out.starters[0] = first
    for i in range(1, ROUNDS - now + 1):
        s.round = now + i
        s.first = next_starter(s)
        out.starters[i] = s.first
    s.first = first
    s.round = now


def list_gained(s, out):
    n = 0
    for seat in range(s.players):
        for source in range(LAST_SCORE):
            if s.latest[seat][source]:
                out.gained[n].seat = seat
                out.gained[n].source = source
                out.gained[n].points = s.latest[seat][source]
                n += 1


def describe_holdings(s, out):
    """Describe each seat's blocks, in cubes, and its points from buildings."""
    for seat in range(s.players):
        out.cubes[seat] = 0
        for size in range(6):
            out.cubes[seat] += s.blocks[seat][size] * (size + 1)
        out.from_building[seat] = 0
        for source in range(LAST_SCORE):
            out.from_building[seat] += s.earned[seat][source]


def describe_land_card(s, card, seat, out):
    """Describe the value of a land card at the end, to its owner or else to this seat; and, if it is owned, whether it
    can be used."""
    owner = s.land_owner[card]
    out.points = card_points(s, seat if owner == NONE else owner, card)
    if owner != NONE:
        if usable(s, card):
            out.state = CardState.READY
        else:
            out.state = CardState.USED if s.land_used[card] == s.round else CardState.LATER


def is_spending(s):
    """Return 1 if pips matter in this turn, else 0."""
    spends = (
        s.phase == Phase.WALKING or s.phase == Phase.MANAGING or s.phase == Phase.BUILDING or s.phase == Phase.LAYING
    )
    return 1 if s.ruleset == Ruleset.ORIGINAL and spends else 0


# --- where the craftsman goes -----------------------------------------------------------------------------------------


def describe_white_dice(s, seat, out):
    """Describe where the white dice of this seat lead."""
    out.total = 0
    out.king = 0
    if seat == NOBODY:
        return
    out.total = total(s, seat)
    if s.white[seat][0] and s.white[seat][1] and s.white[seat][2]:
        if king_calls(s, seat):
            out.king = 1
        if s.ruleset == Ruleset.ORIGINAL:
            out.goals[0] = out.total - 3
            if out.king:
                out.goals[1] = KING


def list_steps(s, out, moves):
    n = 0
    for i in range(legal_walking(s, s.seat, moves)):
        if VERB[moves[i]] == MOVES.walk:
            land = X[moves[i]]
            out.steps[n][0] = land
            out.steps[n][1] = s.distance[land]
            n += 1


# --- choices ----------------------------------------------------------------------------------------------------------


def describe_choices(s, seat, out, moves):
    """Describe what the seat that has to decide may do."""
    if s.phase == Phase.REROLLING:
        list_odds(s, seat, out)
    elif s.phase == Phase.PLACING:
        describe_card_uses(s, seat, out)
    elif s.phase == Phase.ACTING:
        describe_dice_uses(s, seat, out)
        describe_card_uses(s, seat, out)
    elif s.phase == Phase.BUILDING:
        out.away = 1 if s.ruleset == Ruleset.ORIGINAL and not on_site(s, seat) else 0
        describe_card_uses(s, seat, out)
        for land in range(LAND_COUNT):
            out.odds[0][land] = WAYS[0][0][land]
        list_offers(s, seat, out, moves)  # last, because it changes what is being built


def list_odds(s, seat, out):
    """List the throws that lead to each land, for each set of white dice that may be thrown."""
    for dice in range(1, HANDFUL_COUNT + 1):
        a = 0
        b = 0
        for die in range(3):
            if not dice >> die & 1:
                b = a
                a = s.white[seat][die]
        for land in range(LAND_COUNT):
            out.odds[dice - 1][land] = WAYS[a][b][land]


def describe_dice_uses(s, seat, out):
    """Describe what each coloured die gives instead of a block, and why it gives no block."""
    out.gives[Colour.GREEN] = given_by(s.coloured[seat][Colour.GREEN])
    out.gives[Colour.RED] = s.coloured[seat][Colour.RED]
    out.gives[Colour.BLACK] = given_by(s.coloured[seat][Colour.BLACK])
    out.left = MOST_FROM_DICE - s.drawn
    for die in range(3):
        out.why[die] = refusal_of_block(s, seat, die)


def describe_card_uses(s, seat, out):
    """Describe what land cards can do with the dice."""
    now = total(s, seat)
    for die in range(3):
        out.lawn[die][0] = now - s.white[seat][die]
        out.lawn[die][1] = now + s.white[seat][die]
        out.plus[die] = s.coloured[seat][die] + 1


def counted(s, seat, out):
    out[0] = s.score[seat]
    out[1] = s.gems[seat]
    out[2] = 0
    for size in range(6):
        out[2] += s.blocks[seat][size]
    for source in range(PART_COUNT):
        out[3 + source] = s.earned[seat][source]
