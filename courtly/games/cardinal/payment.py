"""What cards pay for, and what could be placed with them."""

# what a player could place first in a country: bits
A_CLOISTER, CLOISTER_AND_MORE, A_CARDINAL, CARDINAL_AND_MORE = 1, 2, 4, 8


def openings(s, seat, country):
    """What could be placed first in a country: a cloister, a cardinal, and either with another piece to follow."""
    can = 0
    top = s.top[country]
    cloister = s.cloisters_left[seat] and s.free[country]
    cardinals = s.cardinals_left[seat]
    standing = s.standing[country]
    if cloister:
        can = A_CLOISTER
        if top and s.cloisters_left[seat] > 1 and s.free[country] > 1:
            can = A_CLOISTER | CLOISTER_AND_MORE
        elif top and cardinals and standing < max(top, s.cloisters[country][seat] + 1):
            can = A_CLOISTER | CLOISTER_AND_MORE
    if cardinals and standing < top:
        can |= A_CARDINAL
        if cloister or (cardinals > 1 and standing + 1 < top):
            can |= CARDINAL_AND_MORE
    return can


def pieces(pair, single, colour):
    """How many pieces a set pays for in a country of this colour."""
    return 2 if pair and (single or pair == colour + 1) else 1


def fewest(s, pair, single, colour):
    """How many of them must be placed. A pair in its own country may be a joker and pay for one."""
    if pieces(pair, single, colour) == 1 or s.underplace:
        return 1
    return 1 if single == 0 and s.joker_own_colour else 2


def fitting(s, pair, single, colour, can):
    """What a set with a pair can place first, of what could be placed; 0 where the pair may not be a joker of its own colour."""
    if pair == single and not s.joker_own_colour:
        return 0
    if fewest(s, pair, single, colour) == 2:
        return can >> 1 & (A_CLOISTER | A_CARDINAL)
    return can & (A_CLOISTER | A_CARDINAL)
