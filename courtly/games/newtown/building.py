"""Building: which blocks fit, what may be built, laying the blocks, and the points at once."""

from courtly.games.newtown.components import KING
from courtly.games.newtown.dice import legal_mud, on_site
from courtly.games.newtown.holdings import ask, earn, gain_block, give_block, in_stock
from courtly.games.newtown.table import (
    AWKWARD,
    AWKWARD_COUNT,
    AWKWARD_FIRST,
    BONUS_FIFTH,
    BONUS_LARGEST,
    BONUS_LINES,
    BONUS_SECOND,
    BONUS_SQUARES,
    BONUS_TREE,
    CUBES,
    FOOT,
    FORM_BASE,
    FORM_COUNT,
    FOURS,
    FOURS_COUNT,
    KING_GEMS,
    LAND_POINTS,
    LARGEST_SIZE,
    LAST_SCORE,
    MOVES,
    NEEDS,
    NONE,
    PATTERN_BITS,
    PATTERN_COUNT,
    PATTERN_IS_SQUARE,
    PATTERN_PLACES,
    PENTHOUSE,
    PENTHOUSE_CUBES,
    PLAIN,
    TRACK,
    TRACK_SQUARES,
    Attic,
    Colour,
    Extension,
    Patterns,
    Phase,
    Ruleset,
    Source,
    Welcome,
)

# --- which blocks fit -------------------------------------------------------------------------------------------------


def volumes(s, seat):
    """Return the bits of all volumes, up to 31 cubes, that subsets of a player's blocks have."""
    blocks = s.blocks[seat]
    bits = 1
    for size in range(1, 7):
        for _ in range(blocks[size - 1]):
            bits |= bits << size
        bits &= 0xFFFFFFFF
    return bits


def hand_key(s, seat):
    """Return the blocks in hand as a key, with at most 31 of each size, which is enough for the largest house."""
    blocks = s.blocks[seat]
    key = 0
    for size in range(6):
        key += min(blocks[size], 31) << 5 * size
    return key


def awkward(before, plain, key):
    """Return True if this is one of the few multisets that have the right volume but do not fit."""
    first = AWKWARD_FIRST[before][plain]
    end = first + AWKWARD_COUNT[before][plain]
    while first < end and AWKWARD[first] != key:
        first += 1
    return first < end


def filling(hand, top, room, laid, before, plain, attic):
    """Return the key of the blocks of this hand, with sizes up to index `top`, that complete the house after the laid
    blocks; NONE if there are none. Larger blocks come first. If an attic is to come, four cubes must be left for it."""
    if attic != Attic.TO_COME:
        return first_filling(hand, top, room, laid, before, plain)
    best = NONE
    for i in range(FOURS_COUNT):
        if holds(hand, FOURS[i]):
            best = max(best, first_filling(hand - FOURS[i], top, room, laid, before, plain))
    return best


def first_filling(hand, top, room, laid, before, plain):
    """Try all multisets in descending order of their keys, and return the first that fits; NONE if none does."""
    taken = 0
    size = top
    while True:
        while room and size >= 0:
            n = hand >> 5 * size & 31
            if n * (size + 1) > room:  # a division would cost more than all the rest
                n = room // (size + 1)
            taken += n << 5 * size
            room -= n * (size + 1)
            size -= 1
        if room == 0 and not awkward(before, plain, laid + taken):
            return taken
        room += taken & 31  # remove all blocks of one cube, and the smallest of the others
        taken -= taken & 31
        size = 1
        while size <= top and taken >> 5 * size & 31 == 0:
            size += 1
        if size > top:
            return NONE
        taken -= 1 << 5 * size
        room += size + 1
        size -= 1


def holds(hand, four):
    """Return True if these blocks, together four cubes, are in the hand. Both are keys."""
    for size in range(4):
        if hand >> 5 * size & 31 < four >> 5 * size & 31:
            return False
    return True


def fits(s, seat, before, form, bits):
    """Return True if blocks in hand build this form on what stands there (0: nothing, else 1 + a form). `bits`:
    volumes(s, seat)."""
    plain = PLAIN[form]
    attic = PENTHOUSE[form]  # with the values of Attic
    room = NEEDS[before][plain]
    if room == 0 and (attic == 0 or before != plain + 1):
        return False
    if not bits >> room + attic * PENTHOUSE_CUBES & 1:
        return False
    if attic == 0 and AWKWARD_COUNT[before][plain] == 0:
        return True
    return filling(hand_key(s, seat), LARGEST_SIZE, room, 0, before, plain, attic) != NONE


# --- what may be built ------------------------------------------------------------------------------------------------


def has_roof(s, seat, form, old):
    """Return True if there is a roof for this form, and for a penthouse also one of the smallest. `old`: the roof that
    returns to this player first; NONE if none does."""
    roofs = s.roofs[seat]
    new = FOOT[form]
    return roofs[new] + (old == new) > 0 and (not PENTHOUSE[form] or roofs[0] + (old == 0) > 0)


def old_roof(s, seat, house):
    return FOOT[s.form[house]] if s.owner[house] == seat else NONE


def worked_on(s, house):
    """Return True if the option `once_per_turn` forbids further work on this house in this turn."""
    return s.once_per_turn and s.worked[house] == s.turns


def may_extend(s, seat, house):
    """Return True if this player may work on this house now."""
    return not PENTHOUSE[s.form[house]] and not worked_on(s, house) and (s.owner[house] == seat or s.gems[seat] > 0)


def permitted(s, seat, form):
    """Original rules: return True if the player has as many black pips as the number of the standard requires, and
    stands on the land of the white total."""
    return s.ruleset == Ruleset.SIMPLE or (s.pips[Colour.BLACK] > FOOT[form] and on_site(s, seat))


def open_to(s, seat):
    """Original rules: return False if the player already has a house on the King's land, which needs two different
    owners."""
    return s.ruleset == Ruleset.SIMPLE or s.craftsman[seat] != KING or s.houses[KING] == 0 or s.owner[KING * 2] != seat


def can_build(s, seat, form, bits):
    return (
        has_roof(s, seat, form, NONE) and permitted(s, seat, form) and open_to(s, seat) and fits(s, seat, 0, form, bits)
    )


def can_extend(s, seat, house, form, bits):
    """Return True if the player can extend a house to this form. Only the owner may add a penthouse."""
    return (
        (not PENTHOUSE[form] or s.owner[house] == seat)
        and fits(s, seat, s.form[house] + 1, form, bits)
        and permitted(s, seat, form)
        and has_roof(s, seat, form, old_roof(s, seat, house))
    )


def legal_building(s, seat, moves):
    land = s.craftsman[seat]
    bits = volumes(s, seat)
    moves[0] = MOVES.end
    n = 1
    if s.houses[land] < 2 and bits >> 4:
        for form in range(FORM_COUNT):
            if can_build(s, seat, form, bits):
                moves[n] = MOVES.build + form
                n += 1
    if bits >> 2:
        for slot in range(s.houses[land]):
            house = land * 2 + slot
            if may_extend(s, seat, house):
                verb = MOVES.extend if s.owner[house] == seat else MOVES.take_over
                for form in range(s.form[house] + 1, FORM_COUNT):
                    if can_extend(s, seat, house, form, bits):
                        moves[n] = verb + slot * FORM_COUNT + form
                        n += 1
    if s.ruleset == Ruleset.ORIGINAL:
        return legal_carving(s, seat, moves, n)
    if s.built and s.gems[seat]:
        moves[n] = MOVES.move
        n += 1
    return legal_mud(s, seat, moves, n)


def legal_carving(s, seat, moves, n):
    """Original rules: list the moves that split a block or join two, which cost a black pip."""
    blocks = s.blocks[seat]
    if s.pips[Colour.BLACK]:
        for size in range(2, 7):
            for part in range(1, size // 2 + 1):
                rest = size - part
                if blocks[size - 1] and in_stock(s, part - 1) and in_stock(s, rest - 1):
                    moves[n] = MOVES.split + (size - 1) * 3 + part - 1
                    n += 1
                if blocks[part - 1] and blocks[rest - 1] > (part == rest) and in_stock(s, size - 1):
                    moves[n] = MOVES.join + (size - 1) * 3 + part - 1
                    n += 1
    return n


def split(s, seat, size, part):
    """Replace a block by two parts from the supply. Sizes are indexes."""
    s.pips[Colour.BLACK] -= 1
    give_block(s, seat, size)
    gain_block(s, seat, part)
    gain_block(s, seat, size - part - 1)


def join(s, seat, size, part):
    s.pips[Colour.BLACK] -= 1
    give_block(s, seat, part)
    give_block(s, seat, size - part - 1)
    gain_block(s, seat, size)


# --- laying the blocks ------------------------------------------------------------------------------------------------


def start(s, seat, slot, form):
    """Begin to build on house `slot` of the craftsman's land: an extension if it stands, else a new house."""
    land = s.craftsman[seat]
    s.house = land * 2 + slot
    s.before = s.form[s.house] + 1 if slot < s.houses[land] else 0
    s.plan = form
    s.attic = PENTHOUSE[form]
    s.room = NEEDS[s.before][PLAIN[form]]
    s.laid = 0
    s.top = LARGEST_SIZE
    if s.ruleset == Ruleset.ORIGINAL:
        s.pips[Colour.BLACK] -= FOOT[form] + 1
    if s.room == 0:
        begin_penthouse(s)


def begin_penthouse(s):
    s.laid = 0
    s.top = LARGEST_SIZE
    s.room = PENTHOUSE_CUBES
    s.attic = Attic.BEGUN


def can_lay(s, seat, size):
    """Return True if a block of this size can be laid: blocks come in descending sizes, and the rest must be
    possible."""
    if size > s.top or size >= s.room or s.blocks[seat][size] == 0:
        return False
    one = 1 << 5 * size
    return rest(s, hand_key(s, seat) - one, size, s.room - size - 1, s.laid + one) != NONE


def rest(s, hand, top, room, laid):
    """Return the key of the blocks that complete the house or its penthouse after those laid: see `filling`."""
    if s.attic == Attic.BEGUN:
        return filling(hand, top, room, laid, 0, 0, Attic.NONE)
    return filling(hand, top, room, laid, s.before, PLAIN[s.plan], s.attic)


def legal_laying(s, seat, moves):
    n = 0
    for size in range(LARGEST_SIZE, -1, -1):
        if can_lay(s, seat, size):
            moves[n] = MOVES.lay + size
            n += 1
    return n


def lay_or_ask(s):
    """Ask for the next block; if only one size is possible, lay it at once."""
    options = 0
    only = 0
    for size in range(LARGEST_SIZE, -1, -1):
        if can_lay(s, s.seat, size):
            options += 1
            only = size
    if options > 1:
        ask(s, Phase.LAYING, s.seat)
    else:
        lay(s, s.seat, only)


def lay(s, seat, size):
    s.blocks[seat][size] -= 1
    s.laid += 1 << 5 * size
    s.top = size
    s.room -= size + 1
    if s.room == 0:
        if s.attic == Attic.TO_COME:
            note_walls(s, PLAIN[s.plan])
            begin_penthouse(s)
        else:
            note_walls(s, s.plan)
            finish_house(s, seat)


def note_walls(s, form):
    """Store the blocks of this stage, which the board shows."""
    house = s.house
    stage = s.stages[house]
    s.wall_form[house][stage] = form
    s.walls[house][stage] = s.laid
    s.stages[house] = stage + 1


# --- completion -------------------------------------------------------------------------------------------------------


def finish_house(s, seat):
    """Complete the house. The points come first, because they depend on the previous state of the town."""
    reckon(s, seat)
    for who in range(s.players):
        for source in range(LAST_SCORE):
            earn(s, who, source, s.latest[who][source])
        while s.passed[who] < TRACK_SQUARES and s.score[who] >= TRACK[s.passed[who]]:
            s.passed[who] += 1
    s.built = 1
    s.taken_from = 0
    s.handed = 0
    if s.before:
        extended(s, seat, s.owner[s.house])
    else:
        raised(s, seat, s.house // 2)
    s.owner[s.house] = seat
    s.form[s.house] = s.plan
    s.worked[s.house] = s.turns
    s.largest = max(s.largest, CUBES[s.plan])
    s.roofs[seat][FOOT[s.plan]] -= 1
    s.roofs[seat][0] -= PENTHOUSE[s.plan]


def reckon(s, seat):
    """Write to `latest` the points that the planned house brings to each player."""
    for who in range(s.players):
        for source in range(LAST_SCORE):
            s.latest[who][source] = 0
    s.latest[seat][Source.BASE] = FORM_BASE[s.tables][s.plan]
    if CUBES[s.plan] > s.largest:
        s.latest[seat][Source.LARGEST] = BONUS_LARGEST
    if s.before == 0:
        survey(s, seat)
        for source in range(Source.LAND, Source.LARGEST):
            s.latest[seat][source] = s.site[source]
        for who in range(s.players):
            s.latest[who][Source.LINES] = s.gain[who][0]
            s.latest[who][Source.SQUARES] = s.gain[who][1]
    elif s.extension_scoring == Extension.DIFFERENCE:
        s.latest[seat][Source.BASE] -= FORM_BASE[s.tables][s.before - 1]
    else:
        s.latest[seat][Source.LAND] = LAND_POINTS[s.house // 2]


def gems_on(s, land):
    """Return the gems that the next house on this land brings."""
    return KING_GEMS[s.houses[land]] if land == KING else 0


def raised(s, seat, land):
    """Record a new house."""
    s.gems[seat] += gems_on(s, land)
    if s.site[Source.FIFTH]:
        s.fifth[seat] = 1
    s.raised_last += 1
    s.raised[s.house] = s.raised_last
    s.owned[seat] += 1
    s.houses[land] += 1
    s.occupied |= 1 << s.place[land]
    s.welcome = Welcome.ROW


def extended(s, seat, before):
    """Record an extension. An extension of another player's house is a take-over: it costs a gem, which goes to that
    player, and brings one of that player's resident cards."""
    s.roofs[before][FOOT[s.form[s.house]]] += 1
    if before != seat:
        s.gems[seat] -= 1
        s.gems[before] += 1
        s.owned[before] -= 1
        s.owned[seat] += 1
        s.taken_from = 1 + before
        s.welcome = Welcome.PLAYER + before


def survey(s, seat):
    """Write to `site` and `gain` what a new house on the craftsman's land would bring, without its base points and the
    bonus for the largest."""
    land = s.craftsman[seat]
    houses = s.houses[land]
    s.site[Source.LAND] = LAND_POINTS[land]
    s.site[Source.TREE] = BONUS_TREE * s.tree[land]
    s.site[Source.SECOND] = BONUS_SECOND if houses == 1 else 0
    s.site[Source.FIFTH] = BONUS_FIFTH if s.owned[seat] == 4 and not s.fifth[seat] else 0
    for who in range(s.players):
        s.gain[who][0] = 0
        s.gain[who][1] = 0
    if houses == 0 or s.pattern_again:
        for k in range(PATTERN_COUNT[s.map]):
            bits = PATTERN_BITS[s.map][k]
            if bits >> s.place[land] & 1 and (s.occupied | 1 << s.place[land]) & bits == bits:
                complete(s, seat, land, k)
    s.site[Source.LINES] = s.gain[seat][0]
    s.site[Source.SQUARES] = s.gain[seat][1]


def complete(s, seat, land, k):
    """Add the points for a line or square that a new house on this land completes: one for each house in it."""
    kind = PATTERN_IS_SQUARE[s.map][k]
    points = BONUS_SQUARES if kind else BONUS_LINES
    s.gain[seat][kind] += points
    for i in range(4):
        other = s.land_at[PATTERN_PLACES[s.map][k][i]]
        for house in range(other * 2, other * 2 + s.houses[other]):
            if s.pattern_bonus == Patterns.OWNERS:
                s.gain[s.owner[house]][kind] += points
            elif s.pattern_bonus == Patterns.BUILDER_ALL or s.owner[house] == seat:
                s.gain[seat][kind] += points
