"""How dice meet the requirements of the characters."""

from courtly.engine.enums import NamedInt
from courtly.games.petition.table import NEEDS, PARITY, RUNS

EXAMPLES = (4, 2, 5)  # indexes of example faces, for groups without any die
MOST_SETS = 3  # pairs


class Kind(NamedInt):
    """The kinds of requirements. Groups are equal dice; full houses are groups, too."""

    NOTHING, SUM, STRAIGHT, PARITY, GROUPS = range(5)


def _kind(need):
    if not need or "king" in need:
        return Kind.NOTHING
    if "sum" in need:
        return Kind.SUM
    if "straight" in need:
        return Kind.STRAIGHT
    return Kind.PARITY if "all" in need else Kind.GROUPS


def _sizes(need):
    """Return the sizes of the required groups, 0 for no more of them."""
    if "full_house" in need:
        sizes = [3, 2]
    elif "of_a_kind" in need:
        sizes = [need["of_a_kind"]]
    else:
        sizes = [2] * need.get("pairs", 0) or [3] * need.get("triples", 0)
    return (*sizes, *[0] * (MOST_SETS - len(sizes)))


# By character: the kind, a sum, the bits of the faces of each possible run, those of matching faces, and groups.
KINDS_OF_NEEDS = tuple(_kind(need) for _, need in NEEDS)
SUMS = tuple(need.get("sum", 0) for _, need in NEEDS)
RUNS_OF_NEEDS = tuple((*RUNS.get(need.get("straight"), (0, 0)), 0)[:2] for _, need in NEEDS)
MATCHING = tuple(PARITY.get(need.get("all"), 0) for _, need in NEEDS)
GROUPS = tuple(_sizes(need) for _, need in NEEDS)


def show_need(card, dice, left, need):
    """Show how these dice meet the requirement of a character. `left`: working space for six numbers."""
    kind = KINDS_OF_NEEDS[card]
    if kind == Kind.SUM:
        total = 0
        for f in range(6):
            total += dice[f] * (f + 1)
        need.part = min(100, 100 * total // SUMS[card])
    elif kind == Kind.STRAIGHT:
        show_run(card, dice, need.sets[0])
    elif kind == Kind.PARITY:
        show_matching(MATCHING[card], dice, need.sets[0])
    elif kind == Kind.GROUPS:
        for f in range(6):
            left[f] = dice[f]
        for n in range(MOST_SETS):
            if GROUPS[card][n]:
                show_group(GROUPS[card][n], EXAMPLES[n], left, need.sets[n])


def show_run(card, dice, places):
    """Show the places of the run that needs the fewest dice."""
    faces = 0
    for f in range(6):
        faces |= (dice[f] > 0) << f
    run = RUNS_OF_NEEDS[card][0]
    if count_bits(RUNS_OF_NEEDS[card][1] & faces) > count_bits(run & faces):
        run = RUNS_OF_NEEDS[card][1]
    n = 0
    for f in range(6):
        if run >> f & 1:
            places[n] = f + 1 if dice[f] else -(f + 1)
            n += 1


def count_bits(faces):
    n = 0
    for f in range(6):
        n += faces >> f & 1
    return n


def show_matching(right, dice, places):
    """Show all dice on the table, filled if their face matches; without dice, the matching faces."""
    n = 0
    for f in range(6):
        for _ in range(dice[f]):
            places[n] = f + 1 if right >> f & 1 else -(f + 1)
            n += 1
    if n == 0:
        for f in range(6):
            if right >> f & 1:
                places[n] = -(f + 1)
                n += 1


def show_group(size, example, left, places):
    """Fill a group: with the face of the most remaining dice, and among equals the highest."""
    there = 0
    face = example
    for f in range(6):
        if left[f] and min(left[f], size) >= there:
            there = min(left[f], size)
            face = f
    left[face] -= there
    for i in range(size):
        places[i] = face + 1 if i < there else -(face + 1)
