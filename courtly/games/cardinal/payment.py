"""The number of pieces that cards pay for, and the pieces that can be placed with them."""

# bits of what a player can place first in a country
A_CLOISTER, CLOISTER_AND_MORE, A_CARDINAL, CARDINAL_AND_MORE = 1, 2, 4, 8


def openings(s, seat, country):
    """Return the bits of what a seat can place first in a country: a cloister, a cardinal, and either with another
    piece after it. It has few branches, for speed."""
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
    """Return the number of pieces that a set pays for in a country of this colour."""
    return 2 if pair and (single or pair == colour + 1) else 1


def fewest(s, pair, single, colour):
    """Return the least number of pieces that must be placed. A pair in its own country can count as a joker, which pays
    for one."""
    if pieces(pair, single, colour) == 1 or s.underplace:
        return 1
    return 1 if single == 0 and s.joker_own_colour else 2


def fitting(s, pair, single, colour, can):
    """Return the bits of what a set with a pair can place first, out of `can`; 0 if the pair must not be a joker of its
    own colour."""
    if pair == single and not s.joker_own_colour:
        return 0
    if fewest(s, pair, single, colour) == 2:
        return can >> 1 & (A_CLOISTER | A_CARDINAL)
    return can & (A_CLOISTER | A_CARDINAL)
