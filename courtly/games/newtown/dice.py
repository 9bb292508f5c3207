"""The dice: throwing them, moving the craftsman, and using the coloured dice."""

from courtly.games.newtown.components import KING, Ground
from courtly.games.newtown.holdings import gain_block, give_block, give_land_card, in_stock, use_card
from courtly.games.newtown.table import (
    FROM_TRIPLE,
    HIGH,
    MOST_FROM_DICE,
    MOVES,
    NONE,
    ROW,
    Colour,
    DicePhase,
    Effect,
    Going,
    Lawn,
    Mud,
    Phase,
    Step,
)

ALL_DICE, ALL_WHITE = 0b111111, 0b111

# --- throwing ---------------------------------------------------------------------------------------------------------


def throw(s):
    """Throw all six dice of the next player in this round."""
    s.seat = (s.first + s.turn) % s.players
    for die in range(3):
        s.used[s.seat][die] = 0
    lift(s, ALL_DICE)
    if s.dice_phase == DicePhase.TOGETHER:
        s.turn += 1
    else:
        s.going = Going.ANEW


def lift(s, dice):
    """Put dice into the air. The white dice count once again, even those that are not thrown."""
    for die in range(3):
        s.times[s.seat][die] = 1
    s.falling = dice


def next_die(s):
    die = 0
    while not s.falling >> die & 1:
        die += 1
    return die


def fall(s, die, face):
    """Let a die come to rest. `face` is an index."""
    if die < 3:
        s.white[s.seat][die] = face + 1
    else:
        s.coloured[s.seat][die - 3] = face + 1
    s.falling -= 1 << die


# --- where the craftsman goes -----------------------------------------------------------------------------------------


def total(s, seat):
    """Return the sum of the white dice, each as often as it counts."""
    white = s.white[seat]
    times = s.times[seat]
    return white[0] * times[0] + white[1] * times[1] + white[2] * times[2]


def calls(a, b, c):
    """Return True if three white dice open the King's land: three equal ones, or a sequence."""
    if a == b:
        return b == c
    return b != c and a != c and max(a, b, c) - min(a, b, c) == 2


def king_calls(s, seat):
    """Return True if this player's white dice open the King's land; they must not be changed by cards."""
    white = s.white[seat]
    times = s.times[seat]
    return times[0] == 1 and times[1] == 1 and times[2] == 1 and calls(white[0], white[1], white[2])


def on_site(s, seat):
    """Return True if the craftsman stands on the land of the white dice."""
    land = s.craftsman[seat]
    return king_calls(s, seat) if land == KING else total(s, seat) == land + 3


def lawn_reaches(s, seat, die, way):
    """Return True if the total would still be the number of a land."""
    if s.times[seat][die] != 1:
        return False
    if way == Lawn.REMOVE:
        return total(s, seat) - s.white[seat][die] >= 3
    return total(s, seat) + s.white[seat][die] <= 18


def legal_lawn(s, seat, moves, n):
    if s.ready[seat][Ground.LAWN]:
        for die in range(3):
            for way in range(2):
                if lawn_reaches(s, seat, die, way):
                    moves[n] = MOVES.lawn + die * 2 + way
                    n += 1
    return n


def lawn_open(s, seat):
    if s.ready[seat][Ground.LAWN]:
        for die in range(3):
            if lawn_reaches(s, seat, die, Lawn.REMOVE) or lawn_reaches(s, seat, die, Lawn.DOUBLE):
                return True
    return False


def legal_placing(s, seat, moves):
    moves[0] = MOVES.go + total(s, seat) - 3
    n = 1
    if king_calls(s, seat):
        moves[1] = MOVES.go + KING
        n = 2
    return legal_lawn(s, seat, moves, n)


def go(s, seat, land):
    if s.going == Going.ANEW or s.craftsman[seat] != land:
        enter(s, seat, land)
    s.going = Going.NOWHERE
    if s.step == Step.THROWING:
        s.turn += 1


def enter(s, seat, land):
    """Move the craftsman to a land. A tree gives a block of the round's number."""
    if s.tree[land]:
        gain_block(s, seat, s.round - 1)
    s.craftsman[seat] = land


# --- simultaneous decisions -------------------------------------------------------------------------------------------


def begin_placement(s):
    """Begin the placement after all dice have been thrown: every craftsman goes to the land of its white dice; players
    whose dice open the King's land choose."""
    s.step = Step.PLACEMENT
    s.turn = 0
    s.seat = NONE
    s.phase = Phase.AIMING
    for seat in range(s.players):
        s.aim[seat] = total(s, seat) - 3
        if king_calls(s, seat):
            s.pending |= 1 << seat


def legal_aiming(s, seat, moves):
    """List the two lands. A lawn card must wait for the player's own turn."""
    moves[0] = MOVES.aim + total(s, seat) - 3
    moves[1] = MOVES.aim + KING
    return 2


def aim(s, seat, land):
    s.aim[seat] = land
    s.pending &= ~(1 << seat)


def arriving(s):
    """Return the seat whose craftsman is placed next."""
    return (s.first + s.turn) % s.players


def arrive(s, seat, land):
    """Place a craftsman. They are placed one after the other, because blocks can run out."""
    enter(s, seat, land)
    s.aim[seat] = NONE
    s.turn += 1


def waits(s, seat):
    """Return True if this seat's craftsman is still to be placed."""
    return (seat - s.first) % s.players >= s.turn


def has_aimed(s, seat):
    """Return True if this seat has chosen between two lands and waits for its placement."""
    return king_calls(s, seat) and not s.pending >> seat & 1


# --- uses of the coloured dice ----------------------------------------------------------------------------------------


def unused(s, seat):
    """Return how many coloured dice are unused."""
    used = s.used[seat]
    return 3 - used[0] - used[1] - used[2]


def is_triple(s, seat):
    dice = s.coloured[seat]
    return dice[0] == dice[1] and dice[1] == dice[2] and unused(s, seat) == 3


def block_open(s, seat, die):
    size = s.coloured[seat][die] - 1
    return not s.used[seat][die] and s.drawn < MOST_FROM_DICE and not s.sizes >> size & 1 and in_stock(s, size)


def legal_acting(s, seat, moves):
    used = s.used[seat]
    moves[0] = MOVES.finish
    n = 1
    for die in range(3):
        if block_open(s, seat, die):
            moves[n] = MOVES.block + die
            n += 1
    if not used[Colour.GREEN]:
        moves[n] = MOVES.gem
        n += 1
    if not used[Colour.RED]:
        moves[n] = MOVES.reroll
        n += 1
    if not used[Colour.BLACK]:
        n = legal_taking(s, moves, n)
    if is_triple(s, seat):
        for effect in range(4 if s.land_shown else 3):
            moves[n] = MOVES.triple + effect
            n += 1
    return legal_cards(s, seat, moves, n)


def legal_taking(s, moves, n):
    for i in range(ROW):
        if s.land_row[i] != NONE:
            moves[n] = MOVES.take + s.land_row[i]
            n += 1
    return n


def legal_cards(s, seat, moves, n):
    """List the uses of land cards while coloured dice are unused."""
    ready = s.ready[seat]
    used = s.used[seat]
    if ready[Ground.PAVED]:
        for die in range(3):
            if not used[die] and s.coloured[seat][die] < 6:
                moves[n] = MOVES.plus + die
                n += 1
    if ready[Ground.BRICK] and not used[Colour.GREEN] and not used[Colour.BLACK]:
        moves[n] = MOVES.swap
        n += 1
    n = legal_mud(s, seat, moves, n)
    return legal_lawn(s, seat, moves, n)


def legal_mud(s, seat, moves, n):
    if s.ready[seat][Ground.MUD]:
        if in_stock(s, 0):
            moves[n] = MOVES.mud + Mud.GAIN
            n += 1
        if s.blocks[seat][0]:
            moves[n] = MOVES.mud + Mud.RETURN
            n += 1
    return n


def legal_rerolling(moves):
    for dice in range(7):
        moves[dice] = MOVES.roll + dice
    moves[7] = MOVES.stop
    return 8


# --- using dice and land cards ----------------------------------------------------------------------------------------


def use_dice(s, seat, verb, x, y):
    if verb == MOVES.go:
        go(s, seat, x)
    elif verb == MOVES.lawn:
        use_card(s, seat, Ground.LAWN)
        s.times[seat][x] = 0 if y == Lawn.REMOVE else 2
        s.going = max(s.going, Going.ON)
    elif verb == MOVES.block:
        take_block(s, seat, x)
    elif verb == MOVES.gem:
        use_die(s, seat, Colour.GREEN)
    elif verb == MOVES.reroll:
        use_die(s, seat, Colour.RED)
    elif verb == MOVES.take:
        take_card(s, seat, x)
    elif verb == MOVES.triple:
        triple(s, seat, x)
    elif verb == MOVES.plus:
        use_card(s, seat, Ground.PAVED)
        s.coloured[seat][x] += 1
    elif verb == MOVES.swap:
        swap(s, seat)
    elif verb == MOVES.mud:
        use_mud(s, seat, x)
    else:
        s.step = Step.CONSTRUCTION


def given_by(face):
    """Return the number of gems from the green die, or of land cards from the black one."""
    return 2 if face == HIGH else 1


def give(s, seat, effect, face):
    """Give what a coloured die, or three equal ones, bring in addition to blocks."""
    if effect == Effect.GEM:
        s.gems[seat] += given_by(face)
    elif effect == Effect.REROLL:
        s.rerolls = face
        s.rolled = 0
    elif effect == Effect.CARD:
        s.takes = given_by(face)


def use_die(s, seat, die):
    """Use a die for its effect: effects are in the order of the dice."""
    s.used[seat][die] = 1
    give(s, seat, die + 1, s.coloured[seat][die])


def take_block(s, seat, die):
    size = s.coloured[seat][die] - 1
    s.used[seat][die] = 1
    s.sizes |= 1 << size
    s.drawn += 1
    gain_block(s, seat, size)


def take_card(s, seat, card):
    """Take a land card: with the black die, with a triple, or as the reward of a bonus square."""
    give_land_card(s, seat, card)
    if s.phase == Phase.BONUS:
        s.offered[seat] += 1
    else:
        if s.phase == Phase.ACTING:
            use_die(s, seat, Colour.BLACK)
        s.takes -= 1


def triple(s, seat, effect):
    face = s.coloured[seat][0]
    for die in range(3):
        s.used[seat][die] = 1
    for _ in range(FROM_TRIPLE):
        gain_block(s, seat, face - 1)
    give(s, seat, effect, face)


def swap(s, seat):
    use_card(s, seat, Ground.BRICK)
    green = s.coloured[seat][Colour.GREEN]
    s.coloured[seat][Colour.GREEN] = s.coloured[seat][Colour.BLACK]
    s.coloured[seat][Colour.BLACK] = green


def use_mud(s, seat, way):
    use_card(s, seat, Ground.MUD)
    if way == Mud.GAIN:
        gain_block(s, seat, 0)
    else:
        give_block(s, seat, 0)


def roll_again(s, dice):
    s.rerolls -= 1
    s.rolled = 1
    lift(s, dice)
    s.going = Going.ON
