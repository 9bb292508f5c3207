"""Building: what fits, what may be built where, laying the blocks, and the points at once."""

from courtly.games.newtown.dice import king_calls, legal_mud, mud_refusal, total
from courtly.games.newtown.table import *
from courtly.games.newtown.table import ask, earn, gain_block, give_block, in_stock

LARGEST_SIZE = 5  # index of the size-6 block
DIFFERENCE = 1  # extension_scoring
OWNERS, BUILDER_OWN, BUILDER_ALL = range(3)  # pattern_bonus

# --- what fits --------------------------------------------------------------------------------------------------------


def volumes(s, seat):
    """Bits of all volumes that some of a player's blocks have together, up to 31 cubes."""
    blocks = s.blocks[seat]
    bits = 1
    for size in range(1, 7):
        for _ in range(blocks[size - 1]):
            bits |= bits << size
        bits &= 0xFFFFFFFF
    return bits


def awkward(before, plain, key):
    """Is this one of the few multisets that have the right volume but do not fit?"""
    first = AWKWARD_FIRST[before][plain]
    end = first + AWKWARD_COUNT[before][plain]
    while first < end and AWKWARD[first] != key:
        first += 1
    return first < end


def completes(s, seat, top, less, room, key, before, plain, attic):
    """Can blocks of sizes up to index `top` fill the room that is left, after those of `key`? The block of index `less`
    is laid already but still counted in hand (NONE: there is no such block). `attic` 1: blocks for a penthouse have to
    be left over."""
    blocks = s.blocks[seat]
    n1 = blocks[0] - (less == 0)
    n2 = blocks[1] - (less == 1) if top >= 1 else 0
    n3 = blocks[2] - (less == 2) if top >= 2 else 0
    n4 = blocks[3] - (less == 3) if top >= 3 else 0
    n5 = blocks[4] - (less == 4) if top >= 4 else 0
    n6 = blocks[5] - (less == 5) if top >= 5 else 0
    for a6 in range(min(n6, room // 6), -1, -1):
        r6 = room - a6 * 6
        for a5 in range(min(n5, r6 // 5), -1, -1):
            r5 = r6 - a5 * 5
            for a4 in range(min(n4, r5 // 4), -1, -1):
                r4 = r5 - a4 * 4
                for a3 in range(min(n3, r4 // 3), -1, -1):
                    r3 = r4 - a3 * 3
                    if r3 > n1 + 2 * n2:
                        break
                    for a2 in range(min(n2, r3 // 2), -1, -1):
                        a1 = r3 - a2 * 2
                        if a1 > n1:
                            break
                        laid = key + a1 + (a2 << 5) + (a3 << 10) + (a4 << 15) + (a5 << 20) + (a6 << 25)
                        if not awkward(before, plain, laid) and (
                            attic != 1 or spares_four(s, seat, less, a1, a2, a3, a4)
                        ):
                            return True
    return False


def spares_four(s, seat, less, a1, a2, a3, a4):
    """Do blocks of together four cubes remain when these are gone?"""
    blocks = s.blocks[seat]
    n1 = blocks[0] - a1 - (less == 0)
    n2 = blocks[1] - a2 - (less == 1)
    n3 = blocks[2] - a3 - (less == 2)
    return blocks[3] - a4 - (less == 3) > 0 or (n3 > 0 and n1 > 0) or n2 > 1 or (n2 > 0 and n1 > 1) or n1 > 3


def fits(s, seat, before, form, bits):
    """Do blocks in hand build this form on what stands there (0: nothing, else 1 + a form)? `bits`: volumes(s,
    seat)."""
    plain = PLAIN[form]
    attic = PENTHOUSE[form]
    room = NEEDS[before][plain]
    if room == 0 and (attic == 0 or before != plain + 1):
        return False
    if not bits >> room + attic * PENTHOUSE_CUBES & 1:
        return False
    if attic == 0 and AWKWARD_COUNT[before][plain] == 0:
        return True
    return completes(s, seat, LARGEST_SIZE, NONE, room, 0, before, plain, attic)


# --- what may be built ------------------------------------------------------------------------------------------------


def here(s, seat, slot):
    """The number of the first or second house on the craftsman's land."""
    return s.craftsman[seat] * 2 + slot


def roof_for_new(s, seat, form):
    roofs = s.roofs[seat]
    return roofs[FOOT[form]] > 0 and (not PENTHOUSE[form] or roofs[0] > 0)


def roof_for_extension(s, seat, house, form):
    """The old roof goes back to its owner first. A penthouse needs one of the smallest roofs besides."""
    roofs = s.roofs[seat]
    old = FOOT[s.form[house]]
    new = FOOT[form]
    own = s.owner[house] == seat
    if not (own and old == new) and roofs[new] == 0:
        return False
    return not PENTHOUSE[form] or roofs[0] > 0 or (own and old == 0)


def may_extend(s, seat, house):
    """May this player work on this house at all now?"""
    if PENTHOUSE[s.form[house]] or (s.once_per_turn and s.worked[house] == s.turns):
        return False
    return s.owner[house] == seat or s.gems[seat] > 0


def permitted(s, seat, form):
    """Original rules: a house costs as many black pips as the number of its standard, on the land of the white total
    only."""
    return s.ruleset == SIMPLE or (s.pips[BLACK] > FOOT[form] and on_site(s, seat))


def on_site(s, seat):
    """Does the craftsman stand where the white dice say?"""
    land = s.craftsman[seat]
    return king_calls(s, seat) if land == KING else total(s, seat) == land + 3


def open_to(s, seat):
    """Original rules: two different players build on the King's land."""
    return s.ruleset == SIMPLE or s.craftsman[seat] != KING or s.houses[KING] == 0 or s.owner[KING * 2] != seat


def can_build(s, seat, form, bits):
    return (
        roof_for_new(s, seat, form) and permitted(s, seat, form) and open_to(s, seat) and fits(s, seat, 0, form, bits)
    )


def can_extend(s, seat, house, form, bits):
    """Only the owner may add a penthouse."""
    if PENTHOUSE[form] and s.owner[house] != seat:
        return False
    return (
        fits(s, seat, s.form[house] + 1, form, bits)
        and permitted(s, seat, form)
        and roof_for_extension(s, seat, house, form)
    )


def legal_building(s, seat, moves):
    land = s.craftsman[seat]
    bits = volumes(s, seat)
    moves[0] = END
    n = 1
    if s.houses[land] < 2 and bits >> 4:
        for form in range(FORM_COUNT):
            if can_build(s, seat, form, bits):
                moves[n] = BUILD + form
                n += 1
    if bits >> 2:
        for slot in range(s.houses[land]):
            house = land * 2 + slot
            if may_extend(s, seat, house):
                verb = EXTEND if s.owner[house] == seat else TAKE_OVER
                for form in range(s.form[house] + 1, FORM_COUNT):
                    if can_extend(s, seat, house, form, bits):
                        moves[n] = verb + slot * FORM_COUNT + form
                        n += 1
    if s.ruleset == ORIGINAL:
        return legal_carving(s, seat, moves, n)
    if s.built and s.gems[seat]:
        moves[n] = MOVE
        n += 1
    return legal_mud(s, seat, moves, n)


def legal_carving(s, seat, moves, n):
    """Original rules: splitting a block or joining two costs a black pip."""
    blocks = s.blocks[seat]
    if s.pips[BLACK]:
        for size in range(2, 7):
            for part in range(1, size // 2 + 1):
                rest = size - part
                if blocks[size - 1] and in_stock(s, part - 1) and in_stock(s, rest - 1):
                    moves[n] = SPLIT + (size - 1) * 3 + part - 1
                    n += 1
                if blocks[part - 1] and blocks[rest - 1] > (part == rest) and in_stock(s, size - 1):
                    moves[n] = JOIN + (size - 1) * 3 + part - 1
                    n += 1
    return n


def split(s, seat, size, part):
    """Sizes as indexes. The supply gives the parts for the whole."""
    s.pips[BLACK] -= 1
    give_block(s, seat, size)
    gain_block(s, seat, part)
    gain_block(s, seat, size - part - 1)


def join(s, seat, size, part):
    s.pips[BLACK] -= 1
    give_block(s, seat, part)
    give_block(s, seat, size - part - 1)
    gain_block(s, seat, size)


# --- laying the blocks ------------------------------------------------------------------------------------------------


def start_house(s, seat, form):
    plan(s, here(s, seat, s.houses[s.craftsman[seat]]), 0, form)


def start_extension(s, seat, slot, form):
    house = here(s, seat, slot)
    plan(s, house, s.form[house] + 1, form)


def plan(s, house, before, form):
    s.house = house
    s.before = before
    s.plan = form
    s.laid = 0
    s.top = LARGEST_SIZE
    s.attic = PENTHOUSE[form]
    s.room = NEEDS[before][PLAIN[form]]
    if s.ruleset == ORIGINAL:
        s.pips[BLACK] -= FOOT[form] + 1
    if s.room == 0:
        begin_penthouse(s)


def begin_penthouse(s):
    s.laid = 0
    s.top = LARGEST_SIZE
    s.room = PENTHOUSE_CUBES
    s.attic = 2


def can_lay(s, seat, size):
    """Blocks are laid in falling sizes, and only so that the rest can be completed."""
    if size > s.top or size >= s.room or s.blocks[seat][size] == 0:
        return False
    before = s.before
    plain = PLAIN[s.plan]
    if s.attic == 2:
        before = 0
        plain = 0
    return completes(s, seat, size, size, s.room - size - 1, s.laid + (1 << 5 * size), before, plain, s.attic)


def legal_laying(s, seat, moves):
    n = 0
    for size in range(LARGEST_SIZE, -1, -1):
        if can_lay(s, seat, size):
            moves[n] = LAY + size
            n += 1
    return n


def lay_or_ask(s):
    """Where only one block can come next it is laid at once."""
    seat = s.seat
    options = 0
    only = 0
    for size in range(LARGEST_SIZE, -1, -1):
        if can_lay(s, seat, size):
            options += 1
            only = size
    if options > 1:
        ask(s, LAYING, seat)
    else:
        lay(s, seat, only)


def lay(s, seat, size):
    s.blocks[seat][size] -= 1
    s.laid += 1 << 5 * size
    s.top = size
    s.room -= size + 1
    if s.room == 0:
        if s.attic == 1:
            note_walls(s, PLAIN[s.plan])
            begin_penthouse(s)
        else:
            note_walls(s, s.plan)
            finish_house(s, seat)


def note_walls(s, form):
    """What was laid stays to be seen."""
    house = s.house
    stage = s.stages[house]
    s.wall_form[house][stage] = form
    s.walls[house][stage] = s.laid
    s.stages[house] = stage + 1


# --- a house stands ---------------------------------------------------------------------------------------------------


def finish_house(s, seat):
    for who in range(s.players):
        for source in range(LAST_SCORE):
            s.latest[who][source] = 0
    s.built = 1
    s.taken_from = 0
    s.handed = 0
    if s.before:
        extended(s, seat)
    else:
        survey(s, seat)
        raised(s, seat)
    for who in range(s.players):
        while s.passed[who] < TRACK_SQUARES and s.score[who] >= TRACK[s.passed[who]]:
            s.passed[who] += 1
    if CUBES[s.plan] > s.largest:
        s.largest = CUBES[s.plan]
    s.form[s.house] = s.plan
    s.worked[s.house] = s.turns


def score(s, seat, source, points):
    if points:
        s.latest[seat][source] = points
        earn(s, seat, source, points)


def score_always(s, seat, base):
    """What new houses and extensions have in common."""
    score(s, seat, BASE, base)
    if CUBES[s.plan] > s.largest:
        score(s, seat, LARGEST, BONUS_LARGEST)


def raised(s, seat):
    """A new house."""
    house = s.house
    land = house // 2
    score_always(s, seat, FORM_BASE[s.plan])
    score(s, seat, LAND, s.site[LAND])
    score(s, seat, TREE, s.site[TREE])
    score(s, seat, SECOND, s.site[SECOND])
    score(s, seat, FIFTH, s.site[FIFTH])
    for who in range(s.players):
        score(s, who, LINES, s.gain[who][0])
        score(s, who, SQUARES, s.gain[who][1])
    if s.site[FIFTH]:
        s.fifth[seat] = 1
    if land == KING:
        s.gems[seat] += KING_GEMS[s.houses[land]]
    s.raised_last += 1
    s.raised[house] = s.raised_last
    s.owner[house] = seat
    s.owned[seat] += 1
    s.houses[land] += 1
    s.occupied |= 1 << s.place[land]
    s.roofs[seat][FOOT[s.plan]] -= 1
    if PENTHOUSE[s.plan]:
        s.roofs[seat][0] -= 1
    s.welcome = 1


def extended(s, seat):
    """An extension; of another's house: a take-over, paid with a gem and rewarded with one of that player's resident
    cards."""
    house = s.house
    old = s.before - 1
    before = s.owner[house]
    if s.extension_scoring == DIFFERENCE:
        score_always(s, seat, FORM_BASE[s.plan] - FORM_BASE[old])
    else:
        score_always(s, seat, FORM_BASE[s.plan])
        score(s, seat, LAND, LAND_POINTS[house // 2])
    s.roofs[before][FOOT[old]] += 1
    s.roofs[seat][FOOT[s.plan]] -= 1
    if PENTHOUSE[s.plan]:
        s.roofs[seat][0] -= 1
    if before != seat:
        s.gems[seat] -= 1
        s.gems[before] += 1
        s.owned[before] -= 1
        s.owned[seat] += 1
        s.owner[house] = seat
        s.taken_from = 1 + before
        s.welcome = 2 + before


def survey(s, seat):
    """What a new house where the craftsman stands would bring besides its base points and perhaps being the largest."""
    land = s.craftsman[seat]
    houses = s.houses[land]
    s.site[LAND] = LAND_POINTS[land]
    s.site[TREE] = BONUS_TREE * s.tree[land]
    s.site[SECOND] = BONUS_SECOND if houses == 1 else 0
    s.site[FIFTH] = BONUS_FIFTH if s.owned[seat] == 4 and not s.fifth[seat] else 0
    for who in range(s.players):
        s.gain[who][0] = 0
        s.gain[who][1] = 0
    if houses == 0:
        for k in range(PATTERN_COUNT[s.map]):
            bits = PATTERN_BITS[s.map][k]
            if bits >> s.place[land] & 1 and (s.occupied | 1 << s.place[land]) & bits == bits:
                complete(s, seat, land, k)
    s.site[LINES] = s.gain[seat][0]
    s.site[SQUARES] = s.gain[seat][1]


def complete(s, seat, land, k):
    """A new house on this land fills a line or square: every house in it gives a point."""
    kind = PATTERN_IS_SQUARE[s.map][k]
    points = BONUS_SQUARES if kind else BONUS_LINES
    for i in range(4):
        other = s.land_at[PATTERN_PLACES[s.map][k][i]]
        if other == land:
            s.gain[seat][kind] += points
        for house in range(other * 2, other * 2 + s.houses[other]):
            if s.pattern_bonus == OWNERS:
                s.gain[s.owner[house]][kind] += points
            elif s.pattern_bonus == BUILDER_ALL or s.owner[house] == seat:
                s.gain[seat][kind] += points


# --- reasons ----------------------------------------------------------------------------------------------------------


def refusal_building(s, seat, move):
    verb = VERB[move]
    if verb == BUILD:
        if s.houses[s.craftsman[seat]] == 2:
            return LAND_FULL
        if not open_to(s, seat):
            return TWO_PLAYERS
        if not permitted(s, seat, X[move]):
            return NO_PIPS if on_site(s, seat) else NOT_ON_TOTAL
        return NO_FIT if roof_for_new(s, seat, X[move]) else NO_ROOF
    if verb == EXTEND or verb == TAKE_OVER:
        return extension_refusal(s, seat, verb, X[move], Y[move])
    if s.ruleset == ORIGINAL:
        return carving_refusal(s, X[move], Y[move]) if verb == SPLIT or verb == JOIN else NONE
    if verb == MOVE:
        return NO_GEM if s.built else BUILD_FIRST
    return mud_refusal(s, seat) if verb == USE_MUD else NONE


def carving_refusal(s, size, part):
    """Sizes as indexes."""
    if (part + 1) * 2 > size + 1:
        return NO_SUCH_PART
    return NO_BLOCK if s.pips[BLACK] else NO_PIPS


def extension_refusal(s, seat, verb, slot, form):
    house = here(s, seat, slot)
    if slot >= s.houses[house // 2]:
        return NO_HOUSE
    own = s.owner[house] == seat
    if own != (verb == EXTEND):
        return YOURS if own else NOT_YOURS
    if PENTHOUSE[s.form[house]]:
        return PENTHOUSE_CLOSED
    if PENTHOUSE[form] and not own:
        return PENTHOUSE_OWNER
    if s.once_per_turn and s.worked[house] == s.turns:
        return WORKED
    if not own and s.gems[seat] == 0:
        return NO_GEM
    before = s.form[house] + 1
    if NEEDS[before][PLAIN[form]] == 0 and (not PENTHOUSE[form] or before != PLAIN[form] + 1):
        return NOT_LARGER
    if not permitted(s, seat, form):
        return NO_PIPS if on_site(s, seat) else NOT_ON_TOTAL
    return NO_FIT if roof_for_extension(s, seat, house, form) else NO_ROOF
