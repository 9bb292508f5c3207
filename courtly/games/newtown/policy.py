"""The policy for the simple rules of The King's New Town: what a move promises, in hundredths of a point, given the
blocks in hand and the houses, without playing it.

The value of a land to a player is that of the best house for which the volumes of the blocks in hand suffice. Whether
the blocks fit is not checked, because nearly all do.
"""

from math import exp
from pathlib import Path

from courtly.engine.constants import MAX_SEATS
from courtly.engine.stdlib.value_network import compute_placements, compute_strength, load_weights
from courtly.games.newtown.building import survey, volumes
from courtly.games.newtown.components import KING
from courtly.games.newtown.dice import ALL_DICE, calls, total
from courtly.games.newtown.table import (
    BONUS_TREE,
    CUBES,
    FIRST_SPECIAL,
    FOOT,
    FORM_BASE,
    GROUND,
    KING_GEMS,
    LAND_POINTS,
    LIVES_ON,
    MOST_FROM_DICE,
    MOVES,
    NEEDS,
    NONE,
    PATTERN_BITS,
    PATTERN_COUNT,
    PATTERN_PLACES,
    PENTHOUSE,
    PENTHOUSE_CUBES,
    PERSONS,
    PLAIN,
    PLAIN_COUNT,
    POINTS,
    RESIDENT_COUNT,
    ROUNDS,
    ROW,
    TRACK,
    TRACK_SQUARES,
    VERB,
    Colour,
    Extension,
    Lawn,
    Mud,
    Patterns,
    Phase,
    Ruleset,
    Source,
    Step,
    X,
    Y,
)

POINT = 100
CUBE = (0, 35, 50, 60)  # the value of a cube in hand, by remaining rounds
GEM = (100, 140, 150, 160)
HOPE = (-100, 60, 120, 160)  # the value of a land card whose land is empty
ELSEWHERE = (100, 140, 170, 200)  # the value of a land card whose land has only houses of others
USE = 50  # the value of using a land card, for each round
UNHOUSED = (-100, 20, 50, 70)  # the value of a resident's point without a bed, by remaining rounds
NEWCOMER = 150  # the value of an unknown resident card
TAKE_OVER = 100  # the loss of the house and the resident to another player
AGAINST = 40  # the weight of another player's point
NOTHING = -1000  # no house can be built
GROUND_USUAL = 150  # the points of an unknown land
WARMTH = 60  # a move that is worth this much less has a weight lower by a factor e
SHARES = tuple(round(2000 * exp(-i / 8)) for i in range(61))
LEAST = len(SHARES) - 1
WAYS = tuple(
    tuple(sum(a + b + c == t for a in range(*r[0]) for b in range(*r[1]) for c in range(*r[2])) for t in range(19))
    for r in (((0, 1),) * 3, ((1, 7), (0, 1), (0, 1)), ((1, 7), (1, 7), (0, 1)), ((1, 7),) * 3)
)  # number of throws with each sum, by the number of dice
THROWS = (1, 6, 36, 216)
THROWN = (1, 1, 2, 1, 2, 2, 3)  # number of dice in each handful

TRAITS = 48
WEIGHTS = load_weights(Path(__file__).with_name("learned.json"), TRAITS)
SEARCH_SETTINGS = {"horizon": 0, "pull": 16_384}  # the value function is more accurate than the priors


def priors(s, seat, moves, n, out):
    if s.ruleset == Ruleset.ORIGINAL:
        return 0
    if s.phase == Phase.ACTING:
        weigh_acts(s, seat, moves, n, out)
    elif s.phase == Phase.BUILDING:
        weigh_building(s, seat, moves, n, out)
    elif s.phase == Phase.LAYING:
        for i in range(n):
            out[i] = -(60 if s.round == ROUNDS else 15) * X[moves[i]]
    elif s.phase == Phase.REROLLING:
        weigh_rolls(s, seat, moves, n, out)
    elif s.phase == Phase.PLACING or s.phase == Phase.AIMING:
        weigh_going(s, seat, moves, n, out)
    elif s.phase == Phase.WELCOMING:
        weigh_residents(s, seat, moves, n, out)
    elif s.phase == Phase.LODGING:
        for i in range(n):
            out[i] = POINT * POINTS[s.tables][X[moves[i]]] if VERB[moves[i]] == MOVES.lodge else 0
    else:  # taking a land card, or the reward of a bonus square
        for i in range(n):
            out[i] = 0
            if VERB[moves[i]] == MOVES.take:
                out[i] = worth_of_card(s, seat, X[moves[i]])
            elif VERB[moves[i]] == MOVES.accept:
                out[i] = GEM[rounds_left(s)]
    return shared(out, n)


def shared(out, n):
    """Convert the values of the moves into weights. Returns their sum."""
    best = out[0]
    for i in range(1, n):
        best = max(best, out[i])
    all_ = 0
    for i in range(n):
        out[i] = SHARES[min((best - out[i]) * 8 // WARMTH, LEAST)]
        all_ += out[i]
    return all_


def rounds_left(s):
    return max(0, min(3, ROUNDS - s.round))


# --- what can be built ------------------------------------------------------------------------------------------------


def price(s, seat):
    """Return the cost of a laid cube; in the last round, how much it saves (negative)."""
    left = rounds_left(s)
    if left:
        return CUBE[left]
    count = 0
    cubes = 0
    for size in range(6):
        count += s.blocks[seat][size]
        cubes += s.blocks[seat][size] * (size + 1)
    return -POINT * count // cubes if cubes else -30


def grows_on(s):
    """Return True if every further work on a house in the same turn scores the whole house again."""
    return not s.once_per_turn and s.extension_scoring == Extension.WHOLE


def best_new(s, seat, bits, cost, ground):
    """Return the value of the best new house from these volumes, without that of its land; below 0 if there is none.
    `ground`: what the land brings each time that the house is extended."""
    again = grows_on(s)
    best = NOTHING
    for form in range(PLAIN_COUNT):
        s.hope[form] = NOTHING
        if bits >> CUBES[form] & 1 and s.roofs[seat][FOOT[form]]:
            gain = POINT * (FORM_BASE[s.tables][form] + (CUBES[form] > s.largest))
            s.hope[form] = gain - cost * CUBES[form]
            if again:
                s.hope[form] = max(s.hope[form], grown(s, 0, form, bits, cost) + gain + ground)
            best = max(best, s.hope[form])
    return best


def grown(s, first, form, bits, cost):
    """Return the value of the best smaller form, from `first` on (by `s.hope`), that these volumes extend to this
    one."""
    best = NOTHING
    for before in range(first, form):
        needs = NEEDS[before + 1][form]
        if needs and needs < 32 and bits >> needs & 1 and s.hope[before] > NOTHING:
            best = max(best, s.hope[before] - cost * needs)
    return best


def best_work(s, seat, house, bits, cost):
    """Return the value of the best work on a house that stands."""
    form = s.form[house]
    if PENTHOUSE[form] or s.worked[house] == s.turns and s.once_per_turn:
        return NOTHING
    mine = s.owner[house] == seat
    if not mine and s.gems[seat] == 0:
        return NOTHING
    ground = POINT * LAND_POINTS[house // 2]
    gained = ground
    again = grows_on(s)
    if s.extension_scoring == Extension.DIFFERENCE:
        gained = -POINT * FORM_BASE[s.tables][form]
    if not mine:
        gained += TAKE_OVER - GEM[rounds_left(s)]
    best = NOTHING
    for new in range(form + 1, PLAIN_COUNT):
        s.hope[new] = NOTHING
        needs = NEEDS[form + 1][new]
        if needs and needs < 32 and bits >> needs & 1 and s.roofs[seat][FOOT[new]] + (mine and FOOT[form] == FOOT[new]):
            gain = POINT * (FORM_BASE[s.tables][new] + (CUBES[new] > s.largest))
            s.hope[new] = gain - cost * needs
            if again:
                s.hope[new] = max(s.hope[new], grown(s, form + 1, new, bits, cost) + gain + ground)
            best = max(best, s.hope[new])
    return best + gained


def site(s, seat, land):
    """Return what a new house on this land brings in addition to its base points."""
    v = POINT * (LAND_POINTS[land] + BONUS_TREE * s.tree[land] + s.houses[land] + patterns(s, seat, land))
    if s.resident_shown:
        v += NEWCOMER
    if land == KING:
        v += GEM[rounds_left(s)] * KING_GEMS[s.houses[land]]
    elif s.land_owner[land] == seat:
        v += 3 * POINT - HOPE[rounds_left(s)]
    return v


def patterns(s, seat, land):
    """Return the points for the lines and squares that a new house on this land completes."""
    points = 0
    place = s.place[land]
    if s.houses[land] == 0 or s.pattern_again:
        town = s.occupied | 1 << place
        for k in range(PATTERN_COUNT[s.map]):
            bits = PATTERN_BITS[s.map][k]
            if bits >> place & 1 and town & bits == bits:
                points += 1
                for i in range(4):
                    other = s.land_at[PATTERN_PLACES[s.map][k][i]]
                    if s.pattern_bonus == Patterns.BUILDER_ALL:
                        points += s.houses[other]
                    else:
                        for house in range(other * 2, other * 2 + s.houses[other]):
                            points += s.owner[house] == seat
    return points


def worth_of_land(s, seat, land, bits, new, cost):
    """Return the value of the best building on a land; 0 if nothing can be built. `new`: best_new of the same
    volumes."""
    best = 0
    if s.houses[land] < 2 and new > NOTHING:
        best = max(best, new + site(s, seat, land))
    for house in range(land * 2, land * 2 + s.houses[land]):
        best = max(best, best_work(s, seat, house, bits, cost))
    return best


def worth_here(s, seat, land, bits, cost):
    new = best_new(s, seat, bits, cost, POINT * LAND_POINTS[land]) if s.houses[land] < 2 else NOTHING
    return worth_of_land(s, seat, land, bits, new, cost)


def with_block(bits, size):
    return (bits | bits << size) & 0xFFFFFFFF


def weigh_lands(s, seat, bits, cost, out, at):
    """Write the value of each land, from `at` on. The block of a tree counts if the craftsman comes from another
    land."""
    new = best_new(s, seat, bits, cost, GROUND_USUAL)
    more = with_block(bits, s.round)
    bigger = best_new(s, seat, more, cost, GROUND_USUAL)
    for land in range(KING + 1):
        if s.tree[land] and land != s.craftsman[seat]:
            out[at + land] = worth_of_land(s, seat, land, more, bigger, cost) + CUBE[rounds_left(s)] * s.round
        else:
            out[at + land] = worth_of_land(s, seat, land, bits, new, cost)


def hoped(lands, at, dice, rest, floor):
    """Return the expected value of throwing this many dice if the others show `rest`, and `floor` is the least that the
    player accepts."""
    all_ = 0
    for sum_ in range(dice, 6 * dice + 1):
        land = rest + sum_ - 3
        if 0 <= land < KING:
            all_ += WAYS[dice][sum_] * max(floor, lands[at + land])
    return all_ // THROWS[dice]


# --- moves ------------------------------------------------------------------------------------------------------------


def worth_of_card(s, seat, card):
    left = rounds_left(s)
    v = USE * left
    if s.houses[card] == 0:
        return v + HOPE[left]
    for house in range(card * 2, card * 2 + s.houses[card]):
        if s.owner[house] == seat:
            return v + 3 * POINT
    return v + ELSEWHERE[left]


def free_dice(s, seat, out, at):
    """Write the different sizes of blocks that the coloured dice still offer, largest first, from `at` on. Returns how
    many."""
    n = 0
    for size in range(6, 0, -1):
        found = 0
        for die in range(3):
            if not s.used[seat][die] and s.coloured[seat][die] == size and not s.sizes >> size - 1 & 1:
                found = 1
        if found and s.drawn + n < MOST_FROM_DICE:
            out[at + n] = size
            n += 1
    return n


def weigh_acts(s, seat, moves, n, out):
    left = rounds_left(s)
    land = s.craftsman[seat]
    cost = price(s, seat)
    bits = volumes(s, seat)
    here = worth_here(s, seat, land, bits, cost)
    dice = s.coloured[seat]
    lands = n  # the notes follow the n results
    sizes = n + KING + 1
    for i in range(n):
        verb = VERB[moves[i]]
        x = X[moves[i]]
        v = 0
        if verb == MOVES.block:
            size = dice[x]
            one = with_block(bits, size)
            v = worth_here(s, seat, land, one, cost) - here
            if s.drawn + 1 < MOST_FROM_DICE:
                for other in range(3):
                    if not s.used[seat][other] and dice[other] != size and not s.sizes >> dice[other] - 1 & 1:
                        v = max(v, worth_here(s, seat, land, with_block(one, dice[other]), cost) - here - 60)
            v += CUBE[left] * size if left else -60
        elif verb == MOVES.gem:
            v = GEM[left] * (2 if dice[Colour.GREEN] == 6 else 1)
        elif verb == MOVES.reroll:
            full = bits
            for k in range(free_dice(s, seat, out, sizes)):
                full = with_block(full, out[sizes + k])
            weigh_lands(s, seat, full, cost, out, lands)
            stay = worth_here(s, seat, land, full, cost)
            v = stay
            for _ in range(dice[Colour.RED]):
                v = max(v, hoped(out, lands, 3, 0, v))
            v -= stay
        elif verb == MOVES.take:
            v = worth_of_card(s, seat, x) * (3 if dice[Colour.BLACK] == 6 else 2) // 2
            if x == land and here > 0:
                v += 150
        elif verb == MOVES.triple:
            v = (CUBE[left] * 3 * dice[0] if left else 0) + GEM[left] * (x > 0)
        elif verb == MOVES.lawn:
            other = total(s, seat) + (s.white[seat][x] if Y[moves[i]] == Lawn.DOUBLE else -s.white[seat][x]) - 3
            v = worth_here(s, seat, other, bits, cost) - here
        elif verb == MOVES.mud:
            v = worth_of_mud(s, seat, x, land, bits, here, cost)
        elif verb == MOVES.finish:
            v = -50
        out[i] = v


def worth_of_mud(s, seat, way, land, bits, here, cost):
    if way == Mud.RETURN:
        return 60 if s.round == ROUNDS else -60
    return worth_here(s, seat, land, with_block(bits, 1), cost) - here + (30 if s.round < ROUNDS else -60)


def weigh_building(s, seat, moves, n, out):
    cost = price(s, seat)
    land = s.craftsman[seat]
    survey(s, seat)
    fixed = POINT * s.site[Source.FIFTH]
    again = grows_on(s)
    rest = n + KING + 1  # where the remaining blocks are noted
    if s.houses[land] < 2:
        fixed += site(s, seat, land) - (NEWCOMER if s.resident_shown else 0)
    for other in range(s.players):
        if other != seat:
            fixed -= AGAINST * (s.gain[other][0] + s.gain[other][1])
    for i in range(n):
        verb = VERB[moves[i]]
        if verb == MOVES.build:
            form = X[moves[i]]
            v = fixed + POINT * (FORM_BASE[s.tables][form] + (CUBES[form] > s.largest)) - cost * CUBES[form]
            v += newcomer(s, land, FORM_BASE[s.tables][form])
            if again:
                v += further(s, seat, form, CUBES[form], cost, out, rest)
        elif verb == MOVES.extend or verb == MOVES.take_over:
            house = land * 2 + X[moves[i]]
            form = Y[moves[i]]
            needs = NEEDS[s.form[house] + 1][PLAIN[form]] + PENTHOUSE_CUBES * PENTHOUSE[form]
            v = POINT * (FORM_BASE[s.tables][form] + (CUBES[form] > s.largest)) - cost * needs
            if s.extension_scoring == Extension.DIFFERENCE:
                v -= POINT * FORM_BASE[s.tables][s.form[house]]
            else:
                v += POINT * LAND_POINTS[land]
            if verb == MOVES.take_over:
                v += TAKE_OVER - GEM[rounds_left(s)]
            if again:
                v += further(s, seat, form, needs, cost, out, rest)
        elif verb == MOVES.move:
            bits = volumes(s, seat)
            v = 0
            if bits >> 3:
                weigh_lands(s, seat, bits, cost, out, n)
                v = hoped(out, n, 3, 0, 0)
            v -= GEM[rounds_left(s)]
        elif verb == MOVES.mud:
            bits = volumes(s, seat)
            v = worth_of_mud(s, seat, X[moves[i]], land, bits, worth_here(s, seat, land, bits, cost), cost)
        else:
            v = 0
        out[i] = v


def further(s, seat, form, cubes, cost, out, at):
    """Return the value of further work on this house with the blocks that remain after it takes this many cubes, in the
    smallest possible steps. `out` from `at` on: the remaining blocks."""
    if PENTHOUSE[form]:
        return 0
    for size in range(6):
        out[at + size] = s.blocks[seat][size]
    spend(out, at, cubes)
    ground = POINT * LAND_POINTS[s.craftsman[seat]]
    largest = max(s.largest, CUBES[form])
    worth = 0
    while True:
        bits = volumes_left(out, at)
        least = 32
        found = NONE
        for new in range(form + 1, PLAIN_COUNT):
            needs = NEEDS[form + 1][new]
            if needs and needs < least and bits >> needs & 1:
                if s.roofs[seat][FOOT[new]] or FOOT[form] == FOOT[new]:
                    least = needs
                    found = new
        if found == NONE:
            return worth
        gain = POINT * (FORM_BASE[s.tables][found] + (CUBES[found] > largest)) + ground - cost * least
        if gain <= 0:
            return worth
        worth += gain
        spend(out, at, least)
        form = found
        largest = max(largest, CUBES[form])


def volumes_left(out, at):
    """Return the bits of the volumes, up to 31 cubes, of the noted blocks."""
    bits = 1
    for size in range(1, 7):
        for _ in range(out[at + size - 1]):
            bits |= bits << size
        bits &= 0xFFFFFFFF
    return bits


def spend(out, at, cubes):
    """Remove blocks with this many cubes, large ones first, from the noted blocks."""
    size = 6
    while cubes > 0 and size > 0:
        if size <= cubes and out[at + size - 1]:
            out[at + size - 1] -= 1
            if volumes_left(out, at) >> cubes - size & 1:
                cubes -= size
                continue
            out[at + size - 1] += 1
        size -= 1


def newcomer(s, land, beds):
    """Return the value of the best resident of the row for a new house with this many beds."""
    if s.resident_shown == 0:
        return 0
    best = -POINT
    for i in range(ROW):
        card = s.resident_row[i]
        if card != NONE and PERSONS[card] <= beds and (land == KING or LIVES_ON[card][GROUND[land]]):
            best = max(best, POINT * POINTS[s.tables][card])
    return max(best, UNHOUSED[rounds_left(s)])


def weigh_rolls(s, seat, moves, n, out):
    cost = price(s, seat)
    bits = volumes(s, seat)
    lands = n
    sizes = n + KING + 1
    for k in range(free_dice(s, seat, out, sizes)):
        bits = with_block(bits, out[sizes + k])
    weigh_lands(s, seat, bits, cost, out, lands)
    white = s.white[seat]
    stay = out[lands + s.craftsman[seat]]
    if s.rolled:
        stay = out[lands + white[0] + white[1] + white[2] - 3]
        if calls(white[0], white[1], white[2]):
            stay = max(stay, out[lands + KING])
    floor = 0
    for _ in range(min(2, s.rerolls - 1)):
        floor = max(floor, hoped(out, lands, 3, 0, floor))
    for i in range(n):
        if VERB[moves[i]] == MOVES.stop:
            out[i] = stay
        else:
            rest = 0
            for die in range(3):
                if not X[moves[i]] + 1 >> die & 1:
                    rest += white[die]
            out[i] = hoped(out, lands, THROWN[X[moves[i]]], rest, floor)


def weigh_going(s, seat, moves, n, out):
    """Write the values of the moves before the coloured dice are used, or on the way to build."""
    cost = price(s, seat)
    bits = volumes(s, seat)
    blocks = 0
    if s.step == Step.THROWING or s.step == Step.PLACEMENT or s.step == Step.USING:
        for size in range(6, 0, -1):
            for die in range(3):
                if blocks < MOST_FROM_DICE and s.coloured[seat][die] == size and not s.used[seat][die]:
                    bits = with_block(bits, size)
                    blocks += 1
    left = rounds_left(s)
    for i in range(n):
        v = -5
        land = X[moves[i]]
        if VERB[moves[i]] == MOVES.lawn:
            v = -60
            land = (
                total(s, seat)
                + (s.white[seat][X[moves[i]]] if Y[moves[i]] == Lawn.DOUBLE else -s.white[seat][X[moves[i]]])
                - 3
            )
        if s.tree[land]:
            v += worth_here(s, seat, land, with_block(bits, s.round), cost) + CUBE[left] * s.round
        else:
            v += worth_here(s, seat, land, bits, cost)
        out[i] = v


def weigh_residents(s, seat, moves, n, out):
    """Write the values of residents, by the beds that the player has for them."""
    beds = 0
    for land in range(KING + 1):
        for house in range(land * 2, land * 2 + s.houses[land]):
            if s.owner[house] == seat:
                beds += FORM_BASE[s.tables][s.form[house]]
    for card in range(RESIDENT_COUNT):
        if s.resident_owner[card] == seat:
            beds -= PERSONS[card]
    for i in range(n):
        card = X[moves[i]]
        fits = 0
        if PERSONS[card] <= beds:
            for land in range(KING + 1):
                if s.houses[land] and (land == KING or LIVES_ON[card][GROUND[land]]):
                    for house in range(land * 2, land * 2 + s.houses[land]):
                        if s.owner[house] == seat and FORM_BASE[s.tables][s.form[house]] >= PERSONS[card]:
                            fits = 1
        out[i] = POINTS[s.tables][card] * (POINT if fits else UNHOUSED[rounds_left(s)])


# --- expected placements at the beginning of a round ------------------------------------------------------------------


def value(s, out):
    if s.ruleset == Ruleset.ORIGINAL or not is_dawn(s):
        return 0
    noticed = MAX_SEATS * 2
    for seat in range(s.players):
        n = traits(s, seat, out, noticed)
        out[MAX_SEATS + seat] = compute_strength(WEIGHTS, out, noticed, n)
    compute_placements(out, s.players, MAX_SEATS)
    return 1


def is_dawn(s):
    """Return True if the first dice of a round after the first are about to be thrown."""
    return s.round > 1 and s.step == Step.THROWING and s.falling == ALL_DICE and s.seat == s.first


def traits(s, seat, out, at):
    """Write the traits of a seat's position at the beginning of a round, from `at` on. Returns how many."""
    for i in range(TRAITS):
        out[at + i] = 0
    out[at] = s.score[seat]
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, s.score[other])
    out[at + 1] = s.score[seat] - most
    out[at + s.round] = 1  # rounds 2 to 4
    out[at + 5] = s.players - 2
    out[at + 6] = (seat - s.first) % s.players
    out[at + 7] = s.gems[seat]
    cubes = 0
    count = 0
    for size in range(6):
        out[at + 8 + size] = s.blocks[seat][size]
        count += s.blocks[seat][size]
        cubes += s.blocks[seat][size] * (size + 1)
    out[at + 14] = count
    out[at + 15] = cubes
    for foot in range(4):
        out[at + 16 + foot] = s.roofs[seat][foot]
    out[at + 20] = s.owned[seat]
    out[at + 21] = s.owned[seat] == 4 and not s.fifth[seat]
    if s.passed[seat] < TRACK_SQUARES:
        out[at + 22] = TRACK[s.passed[seat]] - s.score[seat]
    notice_cards(s, seat, out, at + 23)
    notice_town(s, seat, out, at + 30)
    return TRAITS


def notice_cards(s, seat, out, at):
    """Write the number of land cards by ground; then of those whose land has an own house, a house of others, no
    house."""
    for card in range(KING):
        if s.land_owner[card] == seat:
            out[at + GROUND[card]] += 1
            mine = 0
            for house in range(card * 2, card * 2 + s.houses[card]):
                mine |= s.owner[house] == seat
            if mine:
                out[at + 4] += 1
            else:
                out[at + (5 if s.houses[card] else 6)] += 1


def notice_town(s, seat, out, at):
    """Write the number of beds by ground and on the King's land, those that residents take, and the residents' points
    with and without a bed; what own and others' houses would score again, by the probability that white dice lead
    there; the size of the largest house, and the lands still free."""
    for land in range(KING + 1):
        ground = GROUND[land] if land < KING else 4
        often = WAYS[3][land + 3] if land < KING else 12
        for house in range(land * 2, land * 2 + s.houses[land]):
            form = s.form[house]
            more = 0 if PENTHOUSE[form] else often * (FORM_BASE[s.tables][form] + LAND_POINTS[land] + 3)
            if s.owner[house] == seat:
                out[at + ground] += FORM_BASE[s.tables][form]
                out[at + 12] += more
                out[at + 14] = max(out[at + 14], CUBES[form])
            else:
                out[at + 13] += more
        if s.houses[land] < 2:
            out[at + 16] += often * (LAND_POINTS[land] + s.tree[land] + s.houses[land] + 2)
            out[at + 17] += often
    out[at + 12] //= 16
    out[at + 13] //= 16
    out[at + 15] = out[at + 14] == s.largest
    out[at + 16] //= 16
    out[at + 17] //= 16
    for card in range(RESIDENT_COUNT - 1, -1, -1):
        if s.resident_owner[card] == seat:
            house = 0  # a ground where they have a bed, and the most room
            for ground in range(1, 5):
                if (ground == 4 or LIVES_ON[card][ground]) and out[at + ground] > out[at + house]:
                    house = ground
            if out[at + house] >= PERSONS[card] and (house == 4 or LIVES_ON[card][house]):
                out[at + house] -= PERSONS[card]
                out[at + 5] += POINTS[s.tables][card]
                out[at + 6] += card >= FIRST_SPECIAL and house == 4
            else:
                out[at + 7] += POINTS[s.tables][card]
                out[at + 8] += 1
                out[at + 9] += PERSONS[card]
    for ground in range(5):
        out[at + 10] += out[at + ground]
        out[at + 11] = max(out[at + 11], out[at + ground])
