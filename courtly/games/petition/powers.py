"""To Court the King: the powers of the characters in a turn.

A power that takes several dice consists of moves that take one die each. If the number of dice is free, `done` ends it.
"""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.games.petition.dice import dice_in_use, pick, roll
from courtly.games.petition.table import (
    ADDED,
    ADDER,
    ADDER_COUNT,
    ADDERS_AND_QUEEN,
    CHANGERS,
    KINDS,
    MOVES,
    THREE_SUMS,
    TWO_SUMS,
    Card,
    Phase,
)


def use(s, verb, x, y, z):
    if verb == MOVES.add:
        add(s, ADDER[x], ADDED[x])
    elif verb == MOVES.queen:
        add(s, Card.QUEEN, x)
    elif verb == MOVES.fool:
        re_roll(s, x)
    elif verb == MOVES.merchant:
        take(s, Card.MERCHANT, Phase.MERCHANT, x, x)
    elif verb == MOVES.maid:
        change(s, Card.MAID, x, x + y + 1)
    elif verb == MOVES.philosopher:
        shift(s, x, y, z + 1)
    elif verb == MOVES.astronomer:
        change(s, Card.ASTRONOMER, x, y)
    elif verb == MOVES.magician:
        change(s, Card.MAGICIAN, x, y)
    elif verb == MOVES.noblewoman:
        take(s, Card.NOBLEWOMAN, Phase.NOBLEWOMAN, x, x + 1)
    elif verb == MOVES.nobleman:
        take(s, Card.NOBLEMAN, Phase.NOBLEMAN, x, x + 2)
    elif verb == MOVES.alchemist:
        take(s, Card.ALCHEMIST, Phase.ALCHEMIST, x, x)
    elif verb == MOVES.turn:
        turn(s, x)
    elif verb == MOVES.done:
        done(s)


# --- powers that add dice ---------------------------------------------------------------------------------------------


def can_add(s):
    """Return True if the active player has an unused card that adds a die, and a die is left."""
    return (find_unused(s) & ADDERS_AND_QUEEN) > 0 and dice_in_use(s) < s.dice_limit


def add(s, card, face):
    """Add a die. Before the first roll it joins that roll, and its face does not count."""
    s.used[card] = 1
    if s.phase == Phase.BEFORE:
        s.rolling += 1
        if not s.final and not can_add(s):
            roll(s)
    else:
        s.active[face] += 1
        s.unrolled[face] += 1


def find_unused(s):
    """Return the bits of the active player's characters whose power is not used in this turn."""
    own = s.owns[s.seat]
    used = s.used
    unused = 0
    for card in range(KINDS):
        unused |= (own[card] > used[card]) << card
    return unused


def legal_adds(s, unused, moves, n):
    if not unused & ADDERS_AND_QUEEN:
        return n
    first = n
    for i in range(ADDER_COUNT):
        moves[n] = MOVES.add + i
        n += unused >> ADDER[i] & 1
    if unused >> Card.QUEEN & 1:
        for f in range(6):
            moves[n] = MOVES.queen + f
            n += 1
    return first if n > first and dice_in_use(s) >= s.dice_limit else n


# --- powers that change dice ------------------------------------------------------------------------------------------


def may_re_roll(s, face):
    """Return True if the fool may re-roll a die of this face: an active die that was rolled or, by the option
    `fool_rerolls`, an added one."""
    return s.active[face] > (0 if s.fool_rerolls else s.unrolled[face])


def re_roll(s, face):
    """Re-roll a die with the fool. This is not an ordinary roll: it neither requires nor resets the setting aside of a
    die."""
    s.used[Card.FOOL] = 1
    s.active[face] -= 1
    s.unrolled[face] = min(s.unrolled[face], s.active[face])
    s.rolling = 1
    s.pending = CHANCE


def change(s, card, face, to):
    s.used[card] = 1
    turn_one(s, face, to)


def turn_one(s, face, to):
    unrolled = pick(s, face)
    s.active[to] += 1
    s.unrolled[to] += unrolled


def shift(s, giver, receiver, pips):
    s.used[Card.PHILOSOPHER] = 1
    given = pick(s, giver)
    received = pick(s, receiver)
    s.active[giver - pips] += 1
    s.unrolled[giver - pips] += given
    s.active[receiver + pips] += 1
    s.unrolled[receiver + pips] += received


def take(s, card, phase, face, to):
    """Take one more die for the power in use. A raised die shows its new face at once."""
    s.used[card] = 1
    s.phase = phase
    unrolled = pick(s, face)
    s.taken[to] += 1
    s.unrolled_taken[to] += unrolled


def done(s):
    """End a power: the merchant's dice are rolled, those of the noblewoman and the nobleman become active again."""
    roll_them = s.phase == Phase.MERCHANT
    s.phase = Phase.ACTING
    for f in range(6):
        if roll_them:
            s.rolling += s.taken[f]
        else:
            s.active[f] += s.taken[f]
            s.unrolled[f] += s.unrolled_taken[f]
        s.taken[f] = 0
        s.unrolled_taken[f] = 0
    if roll_them:
        s.pending = CHANCE


def legal_powers(s, unused, faces, moves, n):
    """List the powers for active dice; there is at least one active die."""
    if not unused & CHANGERS:
        return n
    if unused >> Card.FOOL & 1:
        for f in range(6):
            moves[n] = MOVES.fool + f
            n += may_re_roll(s, f)
    if unused >> Card.MERCHANT & 1:
        n = list_faces(faces, 5, moves, n, MOVES.merchant)
    if unused >> Card.NOBLEWOMAN & 1:
        n = list_faces(faces, 4, moves, n, MOVES.noblewoman)
    if unused >> Card.NOBLEMAN & 1:
        n = list_faces(faces, 3, moves, n, MOVES.nobleman)
    if unused >> Card.MAID & 1:
        n = legal_raises(faces, moves, n)
    if unused >> Card.PHILOSOPHER & 1:
        n = legal_shifts(s, faces, moves, n)
    if unused >> Card.ASTRONOMER & 1:
        n = legal_copies(s, faces, moves, n)
    if unused >> Card.MAGICIAN & 1:
        n = legal_changes(faces, moves, n)
    if unused >> Card.ALCHEMIST & 1:
        n = legal_takes(s, faces, moves, n)
    return n


def find_faces(s):
    """Return the bits of the faces that active dice show."""
    faces = 0
    for f in range(6):
        faces |= (s.active[f] > 0) << f
    return faces


def list_faces(faces, highest, moves, n, verb):
    """List a move for each face, up to the highest one."""
    for f in range(highest + 1):
        moves[n] = verb + f
        n += faces >> f & 1
    return n


def legal_raises(faces, moves, n):
    for f in range(5):
        if faces >> f & 1:
            for plus in range(min(3, 5 - f)):
                moves[n] = MOVES.maid + f * 3 + plus
                n += 1
    return n


def legal_shifts(s, faces, moves, n):
    """List the moves of the philosopher, without those that only swap two faces."""
    for giver in range(1, 6):
        if faces >> giver & 1:
            receivers = faces if s.active[giver] > 1 else faces & ~(1 << giver)
            for receiver in range(5):
                if receivers >> receiver & 1:
                    for pips in range(1, min(giver, 5 - receiver) + 1):
                        if pips != giver - receiver:
                            moves[n] = MOVES.philosopher + (giver * 6 + receiver) * 5 + pips - 1
                            n += 1
    return n


def legal_copies(s, faces, moves, n):
    for to in range(6):
        if s.aside[to]:
            for f in range(6):
                moves[n] = MOVES.astronomer + f * 6 + to
                n += (faces >> f & 1) & (f != to)
    return n


def legal_changes(faces, moves, n):
    for f in range(6):
        if faces >> f & 1:
            for to in range(6):
                if f != to:
                    moves[n] = MOVES.magician + f * 6 + to
                    n += 1
    return n


def legal_steps(s, moves):
    """List the moves during a power: one more die, or its end."""
    if s.phase == Phase.MERCHANT:
        moves[0] = MOVES.done
        return list_faces(find_faces(s), 5, moves, 1, MOVES.merchant)
    if s.phase == Phase.NOBLEWOMAN:
        moves[0] = MOVES.done
        return list_faces(find_faces(s), 4, moves, 1, MOVES.noblewoman)
    if s.phase == Phase.NOBLEMAN:
        moves[0] = MOVES.done
        return list_faces(find_faces(s), 3, moves, 1, MOVES.nobleman)
    n = 0
    if s.phase == Phase.ALCHEMIST:
        n = legal_takes(s, find_faces(s), moves, 0) if dice_and_sum(s.taken) & 15 < 3 else 0
    if s.phase == Phase.TURNING or can_start_turning(s):
        for f in range(6):
            if can_turn(s, f):
                moves[n] = MOVES.turn + f
                n += 1
    return n


# --- the alchemist: dice and faces ------------------------------------------------------------------------------------


def turn(s, face):
    """Give one die of the alchemist its new face. With the last one, the dice become active again."""
    s.phase = Phase.TURNING
    s.turned[face] += 1
    s.last_turned = face
    left = 0
    for f in range(6):
        left += s.taken[f] - s.turned[f]
    if left == 0:
        unrolled = 0
        for f in range(6):
            unrolled += s.unrolled_taken[f]
            s.unrolled_taken[f] = 0
        for f in range(5, -1, -1):  # dice that were not rolled get the highest new faces
            s.active[f] += s.turned[f]
            s.unrolled[f] += min(s.turned[f], unrolled)
            unrolled -= min(s.turned[f], unrolled)
            s.taken[f] = 0
            s.turned[f] = 0
        s.last_turned = 0
        s.phase = Phase.ACTING


def dice_and_sum(dice):
    """Return the number of these at most three dice and their sum, as `count + 16 * sum`."""
    n = 0
    for f in range(6):
        n += dice[f] * (1 + 16 * (f + 1))
    return n


def can_take(s, faces, face, packed):
    """Return True if the alchemist may take this die too: the taken dice, or these with further ones, can then show
    other faces.

    `faces`: the bits of the faces that active dice show. `packed`: number and sum of the taken dice.
    """
    if not faces >> face & 1:
        return False
    count = (packed & 15) + 1
    total = (packed >> 4) + face + 1
    if count == 3:
        return (THREE_SUMS >> total & 1) > 0
    if count == 2 and TWO_SUMS >> total & 1:
        return True
    others = faces if s.active[face] > 1 else faces & ~(1 << face)
    if count == 2:
        return (others << total + 1 & THREE_SUMS) > 0
    if others << total + 1 & TWO_SUMS:
        return True
    for second in range(6):
        if others >> second & 1:
            left = others if s.active[second] > (2 if second == face else 1) else others & ~(1 << second)
            if left << total + second + 2 & THREE_SUMS:
                return True
    return False


def can_turn(s, face):
    """Return True if the next die can get this face: in ascending order, with the right sum, and different from the
    taken dice in the end."""
    packed = dice_and_sum(s.taken)
    given = dice_and_sum(s.turned)
    left = (packed & 15) - (given & 15) - 1
    rest = (packed >> 4) - (given >> 4) - face - 1
    if face < s.last_turned:
        return False
    if left == 0:
        return rest == 0 and differs(s, face, NOBODY, NOBODY)
    if left == 1:
        return face < rest <= 6 and differs(s, face, rest - 1, NOBODY)
    for second in range(face, 6):
        third = rest - second - 2  # the index of the remaining face
        if second <= third < 6 and differs(s, face, second, third):
            return True
    return False


def differs(s, a, b, c):
    """Return True if the faces given so far and these (NOBODY for none) differ from the dice that were taken."""
    for f in range(6):
        if s.taken[f] != s.turned[f] + (1 if f == a else 0) + (1 if f == b else 0) + (1 if f == c else 0):
            return True
    return False


def can_start_turning(s):
    count = dice_and_sum(s.taken) & 15
    total = dice_and_sum(s.taken) >> 4
    return (count == 2 and TWO_SUMS >> total & 1 > 0) or (count == 3 and THREE_SUMS >> total & 1 > 0)


def legal_takes(s, faces, moves, n):
    packed = dice_and_sum(s.taken)
    for f in range(6):
        if can_take(s, faces, f, packed):
            moves[n] = MOVES.alchemist + f
            n += 1
    return n
