"""What cards pay for, and what could be placed with them."""

# what a player could place first in a country: bits
A_CLOISTER, CLOISTER_AND_MORE, A_CARDINAL, CARDINAL_AND_MORE = 1, 2, 4, 8


def openings(s, seat, country):
    """What could be placed first in a country: a cloister, a cardinal, and either with another piece to follow. Few
    branches, for speed."""
    top = s.top[country]
    free = s.free[country]
    cloisters = s.cloisters_left[seat]
    cloister = (cloisters > 0) & (free > 0)
    if top == 0:
        return cloister * A_CLOISTER
    cardinals = s.cardinals_left[seat]
    standing = s.standing[country]
    cardinal = (cardinals > 0) & (standing < top)
    raised = (cardinals > 0) & (standing <= s.cloisters[country][seat])
    more = cloister & (cardinal | raised | (cloisters > 1) & (free > 1))
    after = cardinal & (cloister | (cardinals > 1) & (standing + 1 < top))
    return cloister * A_CLOISTER | more * CLOISTER_AND_MORE | cardinal * A_CARDINAL | after * CARDINAL_AND_MORE


def pieces(pair, single, colour):
    """How many pieces a set pays for in a country of this colour."""
    return 2 if pair and (single or pair == colour + 1) else 1


def fewest(s, pair, single, colour):
    """How many of them must be placed. A pair in its own country may be a joker and pay for one."""
    if pieces(pair, single, colour) == 1 or s.underplace:
        return 1
    return 1 if single == 0 and s.joker_own_colour else 2


def fitting(s, pair, single, colour, can):
    """What a set with a pair can place first, of what could be placed; 0 where the pair may not be a joker of its
    own colour."""
    if pair == single and not s.joker_own_colour:
        return 0
    if fewest(s, pair, single, colour) == 2:
        return can >> 1 & (A_CLOISTER | A_CARDINAL)
    return can & (A_CLOISTER | A_CARDINAL)
