"""The final scoring: blocks, land cards, residents and their special dice, gems."""

from courtly.games.newtown.components import KING
from courtly.games.newtown.holdings import ask, earn, happen
from courtly.games.newtown.table import (
    CARD_EMPTY,
    CARD_OTHERS,
    CARD_OWN,
    END_BLOCK,
    END_GEM,
    END_NO_BLOCKS,
    FIRST_SPECIAL,
    FORM_BASE,
    GROUND,
    HOUSE_COUNT,
    LIVES_ON,
    MOVES,
    NONE,
    PERSONS,
    POINTS,
    RESIDENT_COUNT,
    Event,
    Phase,
    Ruleset,
    Source,
)

EXPECTED_DIE = 7  # the expected die of a special card, doubled: 3.5 points
MANY = 32  # the factor of a point, which outweighs any number of housed cards

# --- blocks, land cards -----------------------------------------------------------------------------------------------


def count_blocks(s, seat):
    left = 0
    for size in range(6):
        left += s.blocks[seat][size]
    earn(s, seat, Source.BLOCKS, END_BLOCK * left if left else END_NO_BLOCKS)


def count_land_cards(s, seat):
    for card in range(KING):
        if s.land_owner[card] == seat:
            earn(s, seat, Source.CARDS, card_points(s, seat, card))


def card_points(s, seat, card):
    if s.houses[card] == 0:
        return CARD_EMPTY
    return CARD_OWN if owns(s, seat, card * 2) or owns(s, seat, card * 2 + 1) else CARD_OTHERS


def owns(s, seat, house):
    return house % 2 < s.houses[house // 2] and s.owner[house] == seat


# --- the best housing of residents ------------------------------------------------------------------------------------


def welcome_at(resident, house):
    """Return True if this card may live in this house by its ground. The King's land admits all."""
    land = house // 2
    return land == KING or LIVES_ON[resident][GROUND[land]] > 0


def worth(s, resident, house):
    """Return the value of a card in a house (or in NONE) with its special die, for comparisons: doubled points, then
    the number of cards."""
    points = 2 * POINTS[s.tables][resident]
    die = EXPECTED_DIE if resident >= FIRST_SPECIAL else 0
    if house == NONE:
        return -MANY * (points + die)
    return MANY * (points + (die if house // 2 == KING else 0)) + 1


def collect_houses(s, seat):
    """Collect this player's houses, in the order of building, and the beds in each. Returns how many."""
    n = 0
    for house in range(HOUSE_COUNT):
        if owns(s, seat, house):
            at = n
            while at > 0 and s.raised[s.own_houses[at - 1]] > s.raised[house]:
                s.own_houses[at] = s.own_houses[at - 1]
                at -= 1
            s.own_houses[at] = house
            n += 1
    for i in range(n):
        s.beds[i] = FORM_BASE[s.tables][s.form[s.own_houses[i]]]
    return n


def collect_cards(s, seat, houses):
    """Collect this player's resident cards, and for each the most that it and those after it can be worth. Returns how
    many."""
    n = 0
    for resident in range(RESIDENT_COUNT):
        if s.resident_owner[resident] == seat:
            s.own_cards[n] = resident
            n += 1
    s.hope[n] = 0
    for i in range(n - 1, -1, -1):
        best = worth(s, s.own_cards[i], NONE)
        for k in range(houses):
            if has_room(s, i, k):
                best = max(best, worth(s, s.own_cards[i], s.own_houses[k]))
        s.hope[i] = s.hope[i + 1] + best
    return n


def has_room(s, i, k):
    """Return True if the i-th card may move into the k-th house."""
    return s.beds[k] >= PERSONS[s.own_cards[i]] and welcome_at(s.own_cards[i], s.own_houses[k])


def sleep(s, i, houses, beds):
    """Take beds for the i-th card (`beds` -1) or release them (`beds` 1). By the option `one_card_per_house`, it takes
    all beds."""
    k = s.choice[i]
    if k < houses:
        if s.one_card_per_house:
            s.beds[k] = 0 if beds < 0 else FORM_BASE[s.tables][s.form[s.own_houses[k]]]
        else:
            s.beds[k] += beds * PERSONS[s.own_cards[i]]


def move_on(s, i, houses):
    """Move the i-th card to the next house that admits it; after the last one to none, which `houses` stands for.
    Returns 0 when all have been tried."""
    if s.choice[i] != NONE:
        sleep(s, i, houses, 1)
    k = s.choice[i] + 1
    while k < houses and not has_room(s, i, k):
        k += 1
    s.choice[i] = k
    if k > houses:
        return 0
    sleep(s, i, houses, -1)
    s.worth[i + 1] = s.worth[i] + worth(s, s.own_cards[i], s.own_houses[k] if k < houses else NONE)
    return 1


def house_residents(s, seat):
    """Find the best housing of a player's residents. Among equals, the one with the most cards wins, then the first in
    the order of cards and houses."""
    houses = collect_houses(s, seat)
    cards = collect_cards(s, seat, houses)
    best = -MANY * 1000
    at = 0
    s.worth[0] = 0
    s.choice[0] = NONE
    while at >= 0:
        if at == cards:
            best = s.worth[at]  # the bound below admits only better ways
            for i in range(cards):
                s.best_choice[i] = s.choice[i]
            at -= 1
        elif move_on(s, at, houses) == 0:
            at -= 1
        elif s.worth[at + 1] + s.hope[at + 1] > best:
            at += 1
            s.choice[at] = NONE
    for i in range(cards):
        if s.best_choice[i] < houses:
            s.home[s.own_cards[i]] = s.own_houses[s.best_choice[i]]


# --- housing by the players -------------------------------------------------------------------------------------------


def beds_left(s, house):
    beds = FORM_BASE[s.tables][s.form[house]]
    for resident in range(RESIDENT_COUNT):
        if s.home[resident] == house:
            beds -= beds if s.one_card_per_house else PERSONS[resident]
    return beds


def may_lodge(s, seat, resident, house):
    return (
        owns(s, seat, house)
        and s.resident_owner[resident] == seat
        and s.home[resident] == NONE
        and welcome_at(resident, house)
        and PERSONS[resident] <= beds_left(s, house)
    )


def can_lodge(s, seat):
    """Return True if the player can house a card."""
    for house in range(HOUSE_COUNT):
        for resident in range(RESIDENT_COUNT):
            if may_lodge(s, seat, resident, house):
                return True
    return False


def legal_lodging(s, seat, moves):
    moves[0] = MOVES.close
    n = 1
    for house in range(HOUSE_COUNT):
        for resident in range(RESIDENT_COUNT):
            if may_lodge(s, seat, resident, house):
                moves[n] = MOVES.lodge + resident * HOUSE_COUNT + house
                n += 1
    return n


# --- residents and their dice -----------------------------------------------------------------------------------------


def count_residents(s, seat):
    for resident in range(RESIDENT_COUNT):
        if s.resident_owner[resident] == seat:
            points = POINTS[s.tables][resident]
            earn(s, seat, Source.RESIDENTS, points if s.home[resident] != NONE else -points)


def gift_sign(s, special):
    """Return the sign of a special card's die: 1 (gained) on the King's land, -1 (lost) without a house, else 0."""
    resident = FIRST_SPECIAL + special
    if s.resident_owner[resident] < 0:
        return 0
    if s.home[resident] == NONE:
        return -1
    return 1 if s.home[resident] // 2 == KING else 0


def give_gift(s, special, face):
    s.gift[special] = gift_sign(s, special) * (face + 1)
    earn(s, s.resident_owner[FIRST_SPECIAL + special], Source.DICE, s.gift[special])
    s.gifts = special + 1


# --- the course of the scoring ----------------------------------------------------------------------------------------


def begin_counting(s):
    s.counting = 1
    for seat in range(s.players):
        count_blocks(s, seat)
        if s.ruleset == Ruleset.SIMPLE:
            count_land_cards(s, seat)
        if s.residents == 0 and moving_in(s):
            house_residents(s, seat)


def moving_in(s):
    return s.ruleset == Ruleset.SIMPLE or s.move_in


def count(s):
    """Score blocks and land cards; house the residents, one player after the other; then the special dice, and gems."""
    if s.counting == 0:
        begin_counting(s)
    while moving_in(s) and s.turn < s.players:
        s.seat = (s.first + s.turn) % s.players
        if s.residents and can_lodge(s, s.seat):
            ask(s, Phase.LODGING, s.seat)
            return
        close(s)
    while moving_in(s) and s.gifts < 2:
        if gift_sign(s, s.gifts):
            happen(s, Event.GIFT)
            return
        s.gifts += 1
    for seat in range(s.players):
        earn(s, seat, Source.GEMS, END_GEM * s.gems[seat])
    s.seat = NONE
    s.phase = Phase.OVER


def close(s):
    count_residents(s, s.seat)
    s.turn += 1
