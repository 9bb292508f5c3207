"""The dice: throwing them, where the craftsman goes, and what the coloured dice give."""

from courtly.games.newtown.table import *
from courtly.games.newtown.table import gain_block, give_block, give_land_card, in_stock, use_card

ALL_DICE, ALL_WHITE = 0b111111, 0b111
REMOVE, DOUBLE = range(2)
GAIN, RETURN = range(2)
NO_EFFECT, EFFECT_GEM, EFFECT_REROLL, EFFECT_CARD = range(4)

# --- throwing ---------------------------------------------------------------------------------------------------------


def throw(s):
    """All six dice of the next player in this round."""
    s.seat = (s.first + s.turn) % s.players
    for i in range(3):
        s.used[s.seat][i] = 0
    lift(s, ALL_DICE)
    s.going = 2


def lift(s, dice):
    """Dice into the air; the white dice count once again, whether they fly or not."""
    for i in range(3):
        s.times[s.seat][i] = 1
    s.falling = dice


def next_die(s):
    die = 0
    while not s.falling >> die & 1:
        die += 1
    return die


def fall(s, die, face):
    """A die comes to rest. `face` is an index."""
    if die < 3:
        s.white[s.seat][die] = face + 1
    else:
        s.coloured[s.seat][die - 3] = face + 1
    s.falling -= 1 << die


# --- where to go ------------------------------------------------------------------------------------------------------


def total(s, seat):
    """The white dice, each as often as it counts."""
    white = s.white[seat]
    times = s.times[seat]
    return white[0] * times[0] + white[1] * times[1] + white[2] * times[2]


def king_calls(s, seat):
    """Three white dice alike or in sequence, none of them changed."""
    a = s.white[seat][0]
    b = s.white[seat][1]
    c = s.white[seat][2]
    if s.times[seat][0] != 1 or s.times[seat][1] != 1 or s.times[seat][2] != 1:
        return False
    if a == b:
        return b == c
    return b != c and a != c and max(a, b, c) - min(a, b, c) == 2


def lawn_reaches(s, seat, die, way):
    """Would the total still be the number of a land?"""
    if s.times[seat][die] != 1:
        return False
    if way == REMOVE:
        return total(s, seat) - s.white[seat][die] >= 3
    return total(s, seat) + s.white[seat][die] <= 18


def legal_lawn(s, seat, moves, n):
    if s.ready[seat][LAWN]:
        for die in range(3):
            for way in range(2):
                if lawn_reaches(s, seat, die, way):
                    moves[n] = USE_LAWN + die * 2 + way
                    n += 1
    return n


def lawn_open(s, seat):
    if s.ready[seat][LAWN]:
        for die in range(3):
            if lawn_reaches(s, seat, die, REMOVE) or lawn_reaches(s, seat, die, DOUBLE):
                return True
    return False


def legal_placing(s, seat, moves):
    moves[0] = GO + total(s, seat) - 3
    n = 1
    if king_calls(s, seat):
        moves[1] = GO + KING
        n = 2
    return legal_lawn(s, seat, moves, n)


def go(s, seat, land):
    """Whoever enters a land with a tree gets a block of the round's number."""
    if (s.going == 2 or s.craftsman[seat] != land) and s.tree[land]:
        gain_block(s, seat, s.round - 1)
    s.craftsman[seat] = land
    s.going = 0
    if s.step == THROWING:
        s.turn += 1


def use_lawn(s, seat, die, way):
    use_card(s, seat, LAWN)
    s.times[seat][die] = 0 if way == REMOVE else 2
    s.going = max(s.going, 1)


# --- using the coloured dice ------------------------------------------------------------------------------------------


def is_triple(s, seat):
    dice = s.coloured[seat]
    used = s.used[seat]
    return dice[0] == dice[1] and dice[1] == dice[2] and not used[0] and not used[1] and not used[2]


def block_open(s, seat, die):
    size = s.coloured[seat][die] - 1
    return not s.used[seat][die] and s.drawn < MOST_FROM_DICE and not s.sizes >> size & 1 and in_stock(s, size)


def legal_acting(s, seat, moves):
    used = s.used[seat]
    moves[0] = FINISH
    n = 1
    for die in range(3):
        if block_open(s, seat, die):
            moves[n] = BLOCK + die
            n += 1
    if not used[GREEN]:
        moves[n] = GEM
        n += 1
    if not used[RED]:
        moves[n] = REROLL
        n += 1
    if not used[BLACK]:
        n = legal_taking(s, moves, n)
    if is_triple(s, seat):
        for effect in range(4 if s.land_shown else 3):
            moves[n] = TRIPLE + effect
            n += 1
    return legal_cards(s, seat, moves, n)


def legal_taking(s, moves, n):
    for i in range(ROW):
        if s.land_row[i] != NONE:
            moves[n] = TAKE + s.land_row[i]
            n += 1
    return n


def legal_cards(s, seat, moves, n):
    """Land cards while the coloured dice are used."""
    ready = s.ready[seat]
    used = s.used[seat]
    if ready[PAVED]:
        for die in range(3):
            if not used[die] and s.coloured[seat][die] < 6:
                moves[n] = PLUS + die
                n += 1
    if ready[BRICK] and not used[GREEN] and not used[BLACK]:
        moves[n] = SWAP
        n += 1
    n = legal_mud(s, seat, moves, n)
    return legal_lawn(s, seat, moves, n)


def legal_mud(s, seat, moves, n):
    if s.ready[seat][MUD]:
        if in_stock(s, 0):
            moves[n] = USE_MUD + GAIN
            n += 1
        if s.blocks[seat][0]:
            moves[n] = USE_MUD + RETURN
            n += 1
    return n


def legal_rerolling(moves):
    for dice in range(7):
        moves[dice] = ROLL + dice
    moves[7] = STOP
    return 8


def all_used(s, seat):
    return s.used[seat][0] and s.used[seat][1] and s.used[seat][2]


def take_block(s, seat, die):
    size = s.coloured[seat][die] - 1
    s.used[seat][die] = 1
    s.sizes |= 1 << size
    s.drawn += 1
    gain_block(s, seat, size)


def given_by(face):
    """Gems from the green die, land cards from the black one."""
    return 2 if face == HIGH else 1


def take_gems(s, seat, face):
    s.gems[seat] += given_by(face)


def use_black(s, seat):
    """The black die begins to give land cards."""
    s.used[seat][BLACK] = 1
    s.takes = given_by(s.coloured[seat][BLACK])


def take_card(s, seat, card):
    give_land_card(s, seat, card)
    s.takes -= 1


def begin_rerolls(s, face):
    s.rerolls = face
    s.rolled = 0


def roll_again(s, dice):
    s.rerolls -= 1
    s.rolled = 1
    lift(s, dice)
    s.going = 1


def triple(s, seat, effect):
    face = s.coloured[seat][0]
    for die in range(3):
        s.used[seat][die] = 1
    for _ in range(FROM_TRIPLE):
        gain_block(s, seat, face - 1)
    if effect == EFFECT_GEM:
        take_gems(s, seat, face)
    elif effect == EFFECT_REROLL:
        begin_rerolls(s, face)
    elif effect == EFFECT_CARD:
        s.takes = given_by(face)


def swap(s, seat):
    use_card(s, seat, BRICK)
    green = s.coloured[seat][GREEN]
    s.coloured[seat][GREEN] = s.coloured[seat][BLACK]
    s.coloured[seat][BLACK] = green


def plus(s, seat, die):
    use_card(s, seat, PAVED)
    s.coloured[seat][die] += 1


def use_mud(s, seat, way):
    use_card(s, seat, MUD)
    if way == GAIN:
        gain_block(s, seat, 0)
    else:
        give_block(s, seat, 0)


# --- reasons ----------------------------------------------------------------------------------------------------------


def refusal_going(s, seat, move):
    if VERB[move] == USE_LAWN:
        return lawn_refusal(s, seat, X[move])
    if VERB[move] == GO:
        return KING_DICE if X[move] == KING else GO_TOTAL
    return NONE


def lawn_refusal(s, seat, die):
    if not s.ready[seat][LAWN]:
        return card_refusal(s, seat, LAWN)
    return LAWN_BOUNDS if s.times[seat][die] == 1 else DIE_CHANGED


def card_refusal(s, seat, ground):
    """Why there is no land card of this ground to use."""
    for card in range(KING):
        if s.land_owner[card] == seat and GROUND[card] == ground:
            return CARD_LATER
    return CARD_NONE


def refusal_acting(s, seat, move):
    verb = VERB[move]
    if verb == BLOCK:
        return block_refusal(s, seat, X[move])
    if verb == GEM:
        return DIE_USED
    if verb == REROLL:
        return DIE_USED
    if verb == TAKE:
        return DIE_USED if s.used[seat][BLACK] else NOT_IN_ROW
    if verb == TRIPLE:
        return ROW_EMPTY if is_triple(s, seat) else NOT_TRIPLE
    if verb == PLUS:
        if not s.ready[seat][PAVED]:
            return card_refusal(s, seat, PAVED)
        return DIE_USED if s.used[seat][X[move]] else SIX_IS_MOST
    if verb == SWAP:
        return DIE_USED if s.ready[seat][BRICK] else card_refusal(s, seat, BRICK)
    if verb == USE_LAWN:
        return lawn_refusal(s, seat, X[move])
    return mud_refusal(s, seat) if verb == USE_MUD else NONE


def mud_refusal(s, seat):
    return NO_BLOCK if s.ready[seat][MUD] else card_refusal(s, seat, MUD)


def block_refusal(s, seat, die):
    if s.used[seat][die]:
        return DIE_USED
    if s.sizes >> s.coloured[seat][die] - 1 & 1:
        return SAME_SIZE
    return TWO_BLOCKS if s.drawn == MOST_FROM_DICE else NO_BLOCK
