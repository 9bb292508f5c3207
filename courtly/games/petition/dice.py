"""To Court the King: the values and counts of dice."""

from courtly.engine.constants import CHANCE
from courtly.engine.stdlib.common import enter_phase
from courtly.games.petition.table import BY_FACES, BY_FULL_HOUSE, BY_MOST, BY_PAIRS, BY_SUM, BY_TRIPLES, Phase


def earned(active, aside):
    """Return the bits of the characters whose requirement all these dice meet together. Fool and charlatan are not
    included, because they need no dice."""
    most = 0
    pairs = 0
    triples = 0
    total = 0
    faces = 0
    groups_of_2 = 0
    groups_of_3 = 0
    for f in range(6):
        n = active[f] + aside[f]
        faces |= (n > 0) << f
        total += n * (f + 1)
        pairs += n >> 1
        triples += n // 3
        groups_of_2 += n > 1
        groups_of_3 += n > 2
        most = max(most, n)
    bits = BY_MOST[most] | BY_PAIRS[pairs] | BY_TRIPLES[triples] | BY_SUM[total] | BY_FACES[faces]
    if most > 4 or (groups_of_3 and groups_of_2 > 1):
        bits |= BY_FULL_HOUSE
    return bits


def best_face(dice):
    """Return the index of the face of the best group: the largest one, and among equals the highest face."""
    best = 5
    for f in range(4, -1, -1):
        if dice[f] > dice[best]:
            best = f
    return best


def beats(count, face, other_count, other_face):
    return count > other_count or (count == other_count and face > other_face)


def count_active(s):
    """Return the number of active dice."""
    a = s.active
    return a[0] + a[1] + a[2] + a[3] + a[4] + a[5]


def pick(s, face):
    """Remove an active die of a face; if possible one that was not rolled. This favours the player, because the fool
    may re-roll only rolled dice. Returns 1 if the removed die was not rolled."""
    unrolled = s.unrolled[face] > 0
    s.active[face] -= 1
    s.unrolled[face] -= unrolled
    return unrolled


def dice_in_use(s):
    n = s.rolling
    for f in range(6):
        n += s.active[f] + s.aside[f] + s.taken[f]
    return n


def roll(s):
    """Pick up all active dice for the next roll; none may stay. The dice of the first roll are already in the hand."""
    for f in range(6):
        s.rolling += s.active[f]
        s.active[f] = 0
        s.unrolled[f] = 0
    s.kept = 0
    enter_phase(s, Phase.ACTING, CHANCE)
