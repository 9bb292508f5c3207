"""Counting at the end: blocks, land cards, residents and their special dice, gems."""

from courtly.games.newtown.table import *
from courtly.games.newtown.table import earn

HOUSE_COUNT = len(HOUSES)
EXPECTED_DIE = 7  # a special card's die, doubled: three and a half points
MANY = 32  # a point outweighs any number of cards housed

# --- blocks, land cards, gems -----------------------------------------------------------------------------------------


def count_blocks(s, seat):
    left = 0
    for size in range(6):
        left += s.blocks[seat][size]
    earn(s, seat, BLOCKS, END_BLOCK * left if left else END_NO_BLOCKS)


def count_land_cards(s, seat):
    for card in range(KING):
        if s.land_owner[card] == seat:
            earn(s, seat, CARDS, card_points(s, seat, card))


def card_points(s, seat, card):
    if s.houses[card] == 0:
        return CARD_EMPTY
    for house in range(card * 2, card * 2 + s.houses[card]):
        if s.owner[house] == seat:
            return CARD_OWN
    return CARD_OTHERS


def count_gems(s):
    for seat in range(s.players):
        earn(s, seat, GEMS, END_GEM * s.gems[seat])


# --- residents --------------------------------------------------------------------------------------------------------


def welcome_at(resident, house):
    """May this card live there, as far as the ground goes? On the King's land everybody may."""
    land = house // 2
    return land == KING or LIVES_ON[resident][GROUND[land]] > 0


def worth(resident, house):
    """What a card is worth in a house (or in NONE) with its special die, for comparing: doubled points, and then the
    number of cards."""
    points = 2 * POINTS[resident]
    if house == NONE:
        return -MANY * (points + (EXPECTED_DIE if resident >= FIRST_SPECIAL else 0))
    if resident >= FIRST_SPECIAL and house // 2 == KING:
        points += EXPECTED_DIE
    return MANY * points + 1


def collect_houses(s, seat):
    """This player's houses in the order of building, and the beds in each. Returns how many."""
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
        s.beds[i] = FORM_BASE[s.form[s.own_houses[i]]]
    return n


def collect_cards(s, seat, houses):
    """This player's resident cards, and the most that each of them and those after it can be worth. Returns how
    many."""
    n = 0
    for resident in range(RESIDENT_COUNT):
        if s.resident_owner[resident] == seat:
            s.own_cards[n] = resident
            n += 1
    s.hope[n] = 0
    for i in range(n - 1, -1, -1):
        best = worth(s.own_cards[i], NONE)
        for k in range(houses):
            if s.beds[k] >= PERSONS[s.own_cards[i]] and welcome_at(s.own_cards[i], s.own_houses[k]):
                best = max(best, worth(s.own_cards[i], s.own_houses[k]))
        s.hope[i] = s.hope[i + 1] + best
    return n


def next_choice(s, card, start, houses):
    """The first house from `start` on that has beds for this card; `houses` stands for none."""
    for k in range(start, houses):
        if s.beds[k] >= PERSONS[card] and welcome_at(card, s.own_houses[k]):
            return k
    return max(start, houses)


def sleep(s, i, houses, beds):
    """Put the i-th card to bed (or, with `beds` 1 instead of -1, get it up). A house of one card has no bed left."""
    k = s.choice[i]
    if k < houses:
        if s.one_card_per_house:
            s.beds[k] = 0 if beds < 0 else FORM_BASE[s.form[s.own_houses[k]]]
        else:
            s.beds[k] += beds * PERSONS[s.own_cards[i]]


def house_residents(s, seat):
    """The best way to house a player's residents; of equal ones the one with most cards, then the first in the order
    of cards and houses."""
    houses = collect_houses(s, seat)
    cards = collect_cards(s, seat, houses)
    best = -MANY * 1000
    at = 0
    s.worth[0] = 0
    s.choice[0] = NONE
    while at >= 0:
        if at == cards:
            best = s.worth[at]  # only better ways come this far
            for i in range(cards):
                s.best_choice[i] = s.choice[i]
            at -= 1
        else:
            if s.choice[at] != NONE:
                sleep(s, at, houses, 1)
            s.choice[at] = next_choice(s, s.own_cards[at], s.choice[at] + 1, houses)
            if s.choice[at] > houses:
                at -= 1
            else:
                home = s.own_houses[s.choice[at]] if s.choice[at] < houses else NONE
                s.worth[at + 1] = s.worth[at] + worth(s.own_cards[at], home)
                sleep(s, at, houses, -1)
                if s.worth[at + 1] + s.hope[at + 1] > best:
                    at += 1
                    s.choice[at] = NONE
    for i in range(cards):
        if s.best_choice[i] < houses:
            s.home[s.own_cards[i]] = s.own_houses[s.best_choice[i]]


def beds_left(s, house):
    beds = FORM_BASE[s.form[house]]
    for resident in range(RESIDENT_COUNT):
        if s.home[resident] == house:
            beds -= beds if s.one_card_per_house else PERSONS[resident]
    return beds


def takes_in(s, seat, house, resident, beds):
    """May this player's card move into this house of the same player, in which so many beds are left?"""
    return (
        s.resident_owner[resident] == seat
        and s.home[resident] == NONE
        and PERSONS[resident] <= beds
        and welcome_at(resident, house)
    )


def owns(s, seat, house):
    return house % 2 < s.houses[house // 2] and s.owner[house] == seat


def can_lodge(s, seat):
    """Is there anything to decide?"""
    for house in range(HOUSE_COUNT):
        if owns(s, seat, house):
            beds = beds_left(s, house)
            for resident in range(RESIDENT_COUNT):
                if takes_in(s, seat, house, resident, beds):
                    return True
    return False


def legal_lodging(s, seat, moves):
    moves[0] = CLOSE
    n = 1
    for house in range(HOUSE_COUNT):
        if owns(s, seat, house):
            beds = beds_left(s, house)
            for resident in range(RESIDENT_COUNT):
                if takes_in(s, seat, house, resident, beds):
                    moves[n] = LODGE + resident * HOUSE_COUNT + house
                    n += 1
    return n


def refusal_lodging(s, seat, move):
    resident = X[move]
    house = Y[move]
    if VERB[move] != LODGE or s.resident_owner[resident] != seat or not owns(s, seat, house):
        return NONE
    if s.home[resident] != NONE:
        return LODGED
    if not welcome_at(resident, house):
        return WRONG_GROUND
    return ONE_CARD if s.one_card_per_house and beds_left(s, house) == 0 else NO_BED


def count_residents(s, seat):
    for resident in range(RESIDENT_COUNT):
        if s.resident_owner[resident] == seat:
            earn(s, seat, AT_HOME, POINTS[resident] if s.home[resident] != NONE else -POINTS[resident])


def gift_sign(s, special):
    """The die of a special card: gained on the King's land, lost without a house."""
    resident = FIRST_SPECIAL + special
    if s.resident_owner[resident] < 0:
        return 0
    if s.home[resident] == NONE:
        return -1
    return 1 if s.home[resident] // 2 == KING else 0


def give_gift(s, special, face):
    s.gift[special] = gift_sign(s, special) * (face + 1)
    earn(s, s.resident_owner[FIRST_SPECIAL + special], GIFTS, s.gift[special])
    s.gifts = special + 1
