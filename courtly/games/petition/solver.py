"""To Court the King: the exact solution of a turn, computed backwards from its end, roll by roll and die by die.

The player at turn has dice set aside, active dice and unused powers. The solver computes the value of the turn for
every combination of these that can still occur. The values of final results are given. Before a roll, the value is the
mean over all rolls; at a choice, it is the maximum. Nothing is sampled. Everything is written into one row of numbers,
`notes`:

    notes[0]  the length of the row, set by the caller; the head; then tables of the sets of up to MOST dice: COUNT (how
              many dice show each face), UP and DOWN (the set with one die more or fewer of a face; -1: none), RESULT
              (the value of a turn that ends with these dice in addition to those set aside before); working space; and
              from TABLE on, for each set of powers that are still unused,
                - the value with the dice K kept since and B active, of which one must be kept before the next roll,
                - the value with K kept and all others about to be rolled, or only the dice that cards have added.

The solver lets the fool re-roll any active die. If the fool may only re-roll dice that were rolled, a turn has the same
value: a player can roll an added die in the ordinary way after keeping another one, and re-roll it then.

Sets of the same size are in the order of their counts, ones first, as `rank` computes it. Powers that turn dice are
computed one die at a time, so that a set of dice takes a few steps regardless of the number of ways to turn it.
"""

from itertools import accumulate
from math import comb

from courtly.games.petition.table import ADDED, ADDER, Card

MOST = 12  # the most dice that can be computed
SETS = tuple(comb(n + 5, 5) for n in range(MOST + 1))  # number of sets of n dice
FIRST = (0, *accumulate(SETS))  # index of the first set of n dice
ALL = FIRST[MOST + 1]
OF = tuple(tuple(comb(n + faces - 1, n) if faces else 0 for n in range(MOST + 1)) for faces in range(7))
# For n dice in total: the number of ways to have some kept and the rest active; the index of the first way with k kept.
PAIRS = tuple(comb(n + 11, 11) for n in range(MOST + 1))
PLACE = tuple(
    (0, *accumulate(SETS[k] * SETS[n - k] for k in range(n + 1))) + (0,) * (MOST - n) for n in range(MOST + 1)
)

BUILT, FREE, CARDS, LIMIT, ROLL = range(1, 6)  # the head: sizes that have tables, active dice, powers, the most dice
CARD, TALLY, PICK, PICK_MOST, BASE, KEPT, ASIDE, ACTIVE, AT_ONCE, CHANCES, CLAIM = (
    8,
    40,
    48,
    56,
    64,
    72,
    80,
    88,
    96,
    104,
    112,
)
COUNT = 144
UP = COUNT + 6 * ALL
DOWN = UP + 6 * ALL
RESULT = DOWN + 6 * ALL
MEAN = RESULT + ALL
BEST = MEAN + ALL
TABLE = BEST + ALL
NEVER = -(1 << 60)

ADDS = tuple(ADDED[ADDER.index(card)] if card in ADDER else -1 for card in range(len(Card)))  # the face that it adds
ADDING = tuple(int(card in ADDER or card == Card.QUEEN) for card in range(len(Card)))


# --- sets of dice -----------------------------------------------------------------------------------------------------


def rank(notes, at):
    """Return the index of the set of dice whose counts are at notes[at] and the following places."""
    left = 0
    for f in range(6):
        left += notes[at + f]
    number = FIRST[left]
    for f in range(5):
        for _ in range(notes[at + f]):
            number += OF[5 - f][left]
            left -= 1
    return number


def build(notes, most):
    """Build the tables of sets of up to `most` dice."""
    for size in range(notes[BUILT], most + 1):
        tell_counts(notes, size)
        if size:
            for i in range(FIRST[size - 1], FIRST[size]):
                link(notes, i)
        notes[BUILT] = size + 1


def tell_counts(notes, size):
    i = FIRST[size]
    for a in range(size + 1):
        for b in range(size - a + 1):
            for c in range(size - a - b + 1):
                for d in range(size - a - b - c + 1):
                    for e in range(size - a - b - c - d + 1):
                        notes[COUNT + 6 * i] = a
                        notes[COUNT + 6 * i + 1] = b
                        notes[COUNT + 6 * i + 2] = c
                        notes[COUNT + 6 * i + 3] = d
                        notes[COUNT + 6 * i + 4] = e
                        notes[COUNT + 6 * i + 5] = size - a - b - c - d - e
                        for f in range(6):
                            notes[DOWN + 6 * i + f] = -1
                        i += 1


def link(notes, i):
    """Link a set to those that have one more die."""
    for f in range(6):
        notes[COUNT + 6 * i + f] += 1
        more = rank(notes, COUNT + 6 * i)
        notes[COUNT + 6 * i + f] -= 1
        notes[UP + 6 * i + f] = more
        notes[DOWN + 6 * more + f] = i


# --- the places of the values -----------------------------------------------------------------------------------------


def dice_of(notes, unused):
    """Return the number of dice if these powers are still unused."""
    n = notes[FREE]
    for i in range(notes[CARDS]):
        n += ADDING[notes[CARD + i]] & ~(unused >> i) & 1
    return n


def lay_out(notes):
    """Compute where the values of each set of powers begin. Returns the total length."""
    at = TABLE + (1 << notes[CARDS])
    for unused in range(1 << notes[CARDS]):
        dice = dice_of(notes, unused)
        if TABLE + unused < notes[0]:
            notes[TABLE + unused] = at
        if dice <= notes[LIMIT]:
            at += PAIRS[dice] + FIRST[dice + 1]
    return at


def row_of(notes, unused, dice, kept, some):
    """Return where the values begin with the set `some` of `kept` dice kept: one value for each set of the other
    dice."""
    return notes[TABLE + unused] + PLACE[dice][kept] + (some - FIRST[kept]) * SETS[dice - kept]


def rolled(notes, unused, dice, some):
    """Return the place of the value with these dice kept and all others about to be rolled."""
    return notes[TABLE + unused] + PAIRS[dice] + some


# --- from the end of the turn -----------------------------------------------------------------------------------------


def work_out(notes):
    """Compute all values. The head and the results must be set, and `lay_out` called."""
    for unused in range(1 << notes[CARDS]):
        dice = dice_of(notes, unused)
        if dice <= notes[LIMIT]:
            for kept in range(dice, -1, -1):
                for some in range(FIRST[kept], FIRST[kept + 1]):
                    choose(notes, unused, dice, kept, some)


def choose(notes, unused, dice, kept, some):
    """Compute, with these dice kept, the value of the best choice for each set of the other dice; then the value of
    rolling all of them."""
    here = row_of(notes, unused, dice, kept, some)
    if kept == dice:
        notes[here] = notes[RESULT + some]
    else:
        keep_one(notes, unused, dice, kept, some, here)
    for i in range(notes[CARDS]):
        if unused >> i & 1:
            card = notes[CARD + i]
            other = unused & ~(1 << i)
            if ADDING[card]:
                if dice < notes[LIMIT]:
                    add_one(notes, other, dice, kept, some, here, card)
            elif kept < dice:
                turn(notes, card, row_of(notes, other, dice, kept, some), here, dice - kept, some)
    best = notes[here]
    if kept < dice:
        means(notes, here, dice - kept)
        best = notes[MEAN]
        notes[ROLL] = best
    for i in range(notes[CARDS]):
        if unused >> i & ADDING[notes[CARD + i]] and dice < notes[LIMIT]:
            best = max(best, notes[rolled(notes, unused & ~(1 << i), dice + 1, some)])
    notes[rolled(notes, unused, dice, some)] = best


def keep_one(notes, unused, dice, kept, some, here):
    active = dice - kept
    for f in range(6):
        more = notes[UP + 6 * some + f]
        notes[BASE + f] = row_of(notes, unused, dice, kept + 1, more) - FIRST[active - 1]
        notes[KEPT + f] = notes[rolled(notes, unused, dice, more)]
    for i in range(SETS[active]):
        best = NEVER
        down = DOWN + 6 * (FIRST[active] + i)
        for f in range(6):
            less = notes[down + f]
            if less >= 0:
                best = max(best, notes[KEPT + f], notes[notes[BASE + f] + less])
        notes[here + i] = best


def add_one(notes, other, dice, kept, some, here, card):
    active = dice - kept
    there = row_of(notes, other, dice + 1, kept, some) - FIRST[active + 1]
    least = notes[rolled(notes, other, dice + 1, some)] if active == 0 else NEVER  # one was kept since the last roll
    for i in range(SETS[active]):
        up = UP + 6 * (FIRST[active] + i)
        best = max(least, notes[here + i])
        if card == Card.QUEEN:
            for f in range(6):
                best = max(best, notes[there + notes[up + f]])
        else:
            best = max(best, notes[there + notes[up + ADDS[card]]])
        notes[here + i] = best


def means(notes, at, size):
    """Compute the mean values of sets of `size` dice if some dice lie and the others are rolled, for all sets of dice
    that lie."""
    for i in range(SETS[size]):
        notes[MEAN + FIRST[size] + i] = notes[at + i]
    for i in range(FIRST[size] - 1, -1, -1):
        up = UP + 6 * i
        mean = 0
        for f in range(6):
            mean += notes[MEAN + notes[up + f]]
        notes[MEAN + i] = mean // 6


# --- powers -----------------------------------------------------------------------------------------------------------


def turn(notes, card, there, here, size, some):
    """Apply a power to sets of `size` dice. Their values are at `here`, those without the power at `there`."""
    if card == Card.MERCHANT:
        roll_any(notes, there, here, size)
    elif card == Card.NOBLEWOMAN:
        raise_any(notes, there, here, size, 1)
    elif card == Card.NOBLEMAN:
        raise_any(notes, there, here, size, 2)
    elif card == Card.PHILOSOPHER or card == Card.ALCHEMIST:
        if size > 1:
            shift_two(notes, there, here, size)
        if card == Card.ALCHEMIST and size > 2:
            shift_three(notes, there, here, size)
    else:
        change_one(notes, card, there - FIRST[size], here - FIRST[size], size, some)


def change_one(notes, card, there, here, size, some):
    for i in range(FIRST[size - 1], FIRST[size]):
        up = UP + 6 * i
        best = NEVER
        if card == Card.FOOL:
            best = 0
            for f in range(6):
                best += notes[there + notes[up + f]]
            best = best // 6
        elif card == Card.MAGICIAN:
            for f in range(6):
                best = max(best, notes[there + notes[up + f]])
        elif card == Card.ASTRONOMER:
            for f in range(6):
                if notes[ASIDE + f] + notes[COUNT + 6 * some + f]:
                    best = max(best, notes[there + notes[up + f]])
        for f in range(6):
            at = here + notes[up + f]
            if card == Card.MAID:
                best = NEVER
                for more in range(f + 1, min(f + 4, 6)):
                    best = max(best, notes[there + notes[up + more]])
            notes[at] = max(notes[at], best)


def shift_two(notes, there, here, size):
    """Change two dice to other faces with the same sum."""
    for i in range(FIRST[size - 2], FIRST[size - 1]):
        for total in range(1, 10):
            best = NEVER
            for low in range(max(0, total - 5), total // 2 + 1):
                best = max(best, notes[there + two(notes, i, low, total - low) - FIRST[size]])
            for low in range(max(0, total - 5), total // 2 + 1):
                at = here + two(notes, i, low, total - low) - FIRST[size]
                notes[at] = max(notes[at], best)


def shift_three(notes, there, here, size):
    for i in range(FIRST[size - 3], FIRST[size - 2]):
        for total in range(1, 15):
            best = NEVER
            for write in range(2):
                for low in range(max(0, total - 10), total // 3 + 1):
                    for middle in range(max(low, total - low - 5), (total - low) // 2 + 1):
                        more = notes[UP + 6 * two(notes, i, low, middle) + total - low - middle] - FIRST[size]
                        if write:
                            notes[here + more] = max(notes[here + more], best)
                        else:
                            best = max(best, notes[there + more])


def two(notes, some, one, other):
    return notes[UP + 6 * notes[UP + 6 * some + one] + other]


def raise_any(notes, there, here, size, by):
    """Raise any number of dice. Those with the highest face come first, so that no die is raised twice."""
    for i in range(SETS[size]):
        notes[BEST + FIRST[size] + i] = notes[there + i]
    for f in range(6 - by):
        for i in range(FIRST[size], FIRST[size + 1]):
            less = notes[DOWN + 6 * i + f]
            if less >= 0:
                notes[BEST + i] = max(notes[BEST + i], notes[BEST + notes[UP + 6 * less + f + by]])
    for i in range(SETS[size]):
        notes[here + i] = max(notes[here + i], notes[BEST + FIRST[size] + i])


def roll_any(notes, there, here, size):
    """Roll any number of dice again."""
    means(notes, there, size)
    for i in range(FIRST[size]):
        best = notes[MEAN + i]
        for f in range(6):
            less = notes[DOWN + 6 * i + f]
            if less >= 0:
                best = max(best, notes[BEST + less])
        notes[BEST + i] = best
    for i in range(SETS[size]):
        down = DOWN + 6 * (FIRST[size] + i)
        best = notes[here + i]
        for f in range(6):
            if notes[down + f] >= 0:
                best = max(best, notes[BEST + notes[down + f]])
        notes[here + i] = best
