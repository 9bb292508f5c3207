"""The King's New Town: why a move is not legal."""

from courtly.engine.enums import NamedInt
from courtly.games.newtown.building import has_roof, old_roof, open_to, permitted, worked_on
from courtly.games.newtown.components import KING, Ground
from courtly.games.newtown.counting import beds_left, owns, welcome_at
from courtly.games.newtown.dice import is_triple, on_site
from courtly.games.newtown.original import lacks, occupied_by_other
from courtly.games.newtown.table import (
    GROUND,
    MOST_FROM_DICE,
    MOVES,
    NEEDS,
    NONE,
    PENTHOUSE,
    PLAIN,
    VERB,
    Colour,
    Phase,
    Ruleset,
    X,
    Y,
)


class Refusal(NamedInt):
    (
        GO_TOTAL,
        KING_DICE,
        DIE_USED,
        TWO_BLOCKS,
        SAME_SIZE,
        NO_BLOCK,
        NOT_TRIPLE,
        CARD_NONE,
        CARD_LATER,
        LAWN_BOUNDS,
        SIX_IS_MOST,
        LAND_FULL,
        NO_ROOF,
        NO_FIT,
        NOT_LARGER,
        NO_GEM,
        WORKED,
        PENTHOUSE_OWNER,
        PENTHOUSE_CLOSED,
        NO_HOUSE,
        NOT_YOURS,
        YOURS,
        BUILD_FIRST,
        NOT_IN_ROW,
        NO_BED,
        WRONG_GROUND,
        TOO_FAR,
        TAKEN_LAND,
        NO_PIPS,
        NOT_ON_TOTAL,
        TWO_PLAYERS,
        NO_SUCH_PART,
        NOT_IN_POOL,
        HAVE_THOSE,
        DIE_CHANGED,
        ROW_EMPTY,
        LODGED,
        ONE_CARD,
        ALREADY_THERE,
        LAWN_WAITS,
    ) = range(40)


def refusal(s, seat, move):
    verb = VERB[move]
    if s.phase == Phase.ACTING:
        return refusal_of_dice(s, seat, verb, X[move])
    if s.phase == Phase.PLACING:
        if verb == MOVES.go:
            return Refusal.KING_DICE if X[move] == KING else Refusal.GO_TOTAL
        return refusal_of_lawn(s, seat, X[move]) if verb == MOVES.lawn else NONE
    if s.phase == Phase.AIMING:
        return refusal_of_aiming(s, seat, verb)
    if s.phase == Phase.BUILDING:
        return refusal_of_building(s, seat, verb, X[move], Y[move])
    if s.phase == Phase.LODGING and verb == MOVES.lodge:
        return refusal_of_lodging(s, seat, X[move], Y[move])
    if (s.phase == Phase.TAKING and verb == MOVES.take) or (s.phase == Phase.WELCOMING and verb == MOVES.welcome):
        return Refusal.NOT_IN_ROW
    return refusal_of_original(s, seat, verb, X[move])


# --- dice and land cards ----------------------------------------------------------------------------------------------


def refusal_of_dice(s, seat, verb, x):
    if verb == MOVES.block:
        return refusal_of_block(s, seat, x)
    if verb == MOVES.gem or verb == MOVES.reroll:
        return Refusal.DIE_USED
    if verb == MOVES.take:
        return Refusal.DIE_USED if s.used[seat][Colour.BLACK] else Refusal.NOT_IN_ROW
    if verb == MOVES.triple:
        return Refusal.ROW_EMPTY if is_triple(s, seat) else Refusal.NOT_TRIPLE
    if verb == MOVES.plus:
        used = Refusal.DIE_USED if s.used[seat][x] else Refusal.SIX_IS_MOST
        return used if s.ready[seat][Ground.PAVED] else refusal_of_card(s, seat, Ground.PAVED)
    if verb == MOVES.swap:
        return Refusal.DIE_USED if s.ready[seat][Ground.BRICK] else refusal_of_card(s, seat, Ground.BRICK)
    if verb == MOVES.lawn:
        return refusal_of_lawn(s, seat, x)
    return refusal_of_mud(s, seat) if verb == MOVES.mud else NONE


def refusal_of_block(s, seat, die):
    if s.used[seat][die]:
        return Refusal.DIE_USED
    if s.sizes >> s.coloured[seat][die] - 1 & 1:
        return Refusal.SAME_SIZE
    return Refusal.TWO_BLOCKS if s.drawn == MOST_FROM_DICE else Refusal.NO_BLOCK


def refusal_of_lawn(s, seat, die):
    if not s.ready[seat][Ground.LAWN]:
        return refusal_of_card(s, seat, Ground.LAWN)
    return Refusal.LAWN_BOUNDS if s.times[seat][die] == 1 else Refusal.DIE_CHANGED


def refusal_of_aiming(s, seat, verb):
    if verb == MOVES.aim:
        return Refusal.GO_TOTAL
    if verb != MOVES.lawn:
        return NONE
    return Refusal.LAWN_WAITS if s.ready[seat][Ground.LAWN] else refusal_of_card(s, seat, Ground.LAWN)


def refusal_of_mud(s, seat):
    return Refusal.NO_BLOCK if s.ready[seat][Ground.MUD] else refusal_of_card(s, seat, Ground.MUD)


def refusal_of_card(s, seat, ground):
    """Return why there is no land card of this ground to use."""
    for card in range(KING):
        if s.land_owner[card] == seat and GROUND[card] == ground:
            return Refusal.CARD_LATER
    return Refusal.CARD_NONE


# --- building ---------------------------------------------------------------------------------------------------------


def refusal_of_building(s, seat, verb, x, y):
    if verb == MOVES.build:
        if s.houses[s.craftsman[seat]] == 2:
            return Refusal.LAND_FULL
        if not open_to(s, seat):
            return Refusal.TWO_PLAYERS
        return refusal_of_form(s, seat, x, NONE)
    if verb == MOVES.extend or verb == MOVES.take_over:
        return refusal_of_extension(s, seat, verb, s.craftsman[seat] * 2 + x, y)
    if s.ruleset == Ruleset.ORIGINAL:
        return refusal_of_carving(s, x, y) if verb == MOVES.split or verb == MOVES.join else NONE
    if verb == MOVES.move:
        return Refusal.NO_GEM if s.built else Refusal.BUILD_FIRST
    return refusal_of_mud(s, seat) if verb == MOVES.mud else NONE


def refusal_of_form(s, seat, form, old):
    if not permitted(s, seat, form):
        return Refusal.NO_PIPS if on_site(s, seat) else Refusal.NOT_ON_TOTAL
    return Refusal.NO_FIT if has_roof(s, seat, form, old) else Refusal.NO_ROOF


def refusal_of_extension(s, seat, verb, house, form):
    if house % 2 >= s.houses[house // 2]:
        return Refusal.NO_HOUSE
    own = s.owner[house] == seat
    if own != (verb == MOVES.extend):
        return Refusal.YOURS if own else Refusal.NOT_YOURS
    if PENTHOUSE[s.form[house]]:
        return Refusal.PENTHOUSE_CLOSED
    if PENTHOUSE[form] and not own:
        return Refusal.PENTHOUSE_OWNER
    if worked_on(s, house):
        return Refusal.WORKED
    if not own and s.gems[seat] == 0:
        return Refusal.NO_GEM
    before = s.form[house] + 1
    if NEEDS[before][PLAIN[form]] == 0 and (not PENTHOUSE[form] or before != PLAIN[form] + 1):
        return Refusal.NOT_LARGER
    return refusal_of_form(s, seat, form, old_roof(s, seat, house))


def refusal_of_carving(s, size, part):
    """Return why a block cannot be split. Sizes are indexes."""
    if (part + 1) * 2 > size + 1:
        return Refusal.NO_SUCH_PART
    return Refusal.NO_BLOCK if s.pips[Colour.BLACK] else Refusal.NO_PIPS


# --- the end, the original rules --------------------------------------------------------------------------------------


def refusal_of_lodging(s, seat, resident, house):
    if s.resident_owner[resident] != seat or not owns(s, seat, house):
        return NONE
    if s.home[resident] != NONE:
        return Refusal.LODGED
    if not welcome_at(resident, house):
        return Refusal.WRONG_GROUND
    return Refusal.ONE_CARD if s.one_card_per_house and beds_left(s, house) == 0 else Refusal.NO_BED


def refusal_of_original(s, seat, verb, x):
    if s.phase == Phase.WALKING and verb == MOVES.walk:
        if s.craftsman[seat] == x:
            return Refusal.ALREADY_THERE
        return Refusal.TAKEN_LAND if occupied_by_other(s, seat, x) else Refusal.TOO_FAR
    if s.phase == Phase.MANAGING and (verb == MOVES.buy or verb == MOVES.again):
        dear = s.pips[Colour.RED] == 0 or verb == MOVES.again or x >= s.pips[Colour.RED]
        return Refusal.NO_PIPS if dear else Refusal.NO_BLOCK
    if s.phase == Phase.DRAFTING and verb == MOVES.draft:
        return Refusal.NOT_IN_POOL if lacks(s, seat, x) else Refusal.HAVE_THOSE
    return NONE
