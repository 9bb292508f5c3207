"""Why a move is not legal now."""

from courtly.games.cardinal.map import COUNTRY_OF, TYPE_OF
from courtly.games.cardinal.payment import fewest
from courtly.games.cardinal.table import *

REFUSALS = (
    "place-second",
    "refill-first",
    "choose-first",
    "not-in-hand",
    "no-set",
    "own-colour",
    "wrong-colour",
    "same-country",
    "site-taken",
    "no-cloisters",
    "no-cardinals",
    "empty-country",
    "seal-full",
    "no-second",
    "must-place",
    "discard-one",
    "not-open",
    "no-deck",
)
(
    R_PLACE_SECOND,
    R_REFILL,
    R_CHOOSE,
    R_NOT_IN_HAND,
    R_NO_SET,
    R_OWN_COLOUR,
    R_WRONG_COLOUR,
    R_SAME_COUNTRY,
    R_SITE_TAKEN,
    R_NO_CLOISTERS,
    R_NO_CARDINALS,
    R_EMPTY_COUNTRY,
    R_SEAL_FULL,
    R_NO_SECOND,
    R_MUST_PLACE,
    R_DISCARD_ONE,
    R_NOT_OPEN,
    R_NO_DECK,
) = range(len(REFUSALS))


def refusal(s, seat, move):
    verb = VERB[move]
    if s.phase == PLACING:
        if verb == SECOND_CLOISTER:
            return R_SAME_COUNTRY if COUNTRY_OF[X[move]] != s.country else refuse_cloister(s, seat, X[move])
        if verb == SECOND_CARDINAL:
            return R_SAME_COUNTRY if X[move] != s.country else refuse_cardinal(s, seat, X[move])
        return R_MUST_PLACE if verb == DONE else R_PLACE_SECOND
    if s.phase == REFILLING:
        return R_NOT_OPEN if verb == TAKE else R_NO_DECK if verb == DRAW else R_REFILL
    if verb == CLOISTER:
        return refuse_play(s, seat, X[move], Y[move], COUNTRY_OF[Z[move]], refuse_cloister(s, seat, Z[move]))
    if verb == CARDINAL:
        return refuse_play(s, seat, X[move], Y[move], Z[move], refuse_cardinal(s, seat, Z[move]))
    if verb == DISCARD:
        return refuse_discard(s, seat, X[move], Y[move], Z[move])
    return R_CHOOSE


def refuse_cloister(s, seat, site):
    if s.owner[site]:
        return R_SITE_TAKEN
    return R_NO_CLOISTERS if s.cloisters_left[seat] == 0 else -1


def refuse_cardinal(s, seat, country):
    if s.top[country] == 0:
        return R_EMPTY_COUNTRY
    if s.standing[country] >= s.top[country]:
        return R_SEAL_FULL
    return R_NO_CARDINALS if s.cardinals_left[seat] == 0 else -1


def refuse_play(s, seat, pair, single, country, piece):
    """`piece`: why the piece itself may not be placed, or -1."""
    colour = TYPE_OF[country]
    if pair == 0 and single == 0:
        return R_NO_SET
    if lacks(s, seat, pair, pair, single):
        return R_NOT_IN_HAND
    if single and single != colour + 1:
        return R_WRONG_COLOUR
    if pair == single and not s.joker_own_colour:
        return R_OWN_COLOUR
    if piece >= 0:
        return piece
    if fewest(s, pair, single, colour) == 2:
        return R_NO_SECOND if s.top[country] else R_EMPTY_COUNTRY
    return -1


def refuse_discard(s, seat, first, second, third):
    if lacks(s, seat, first, second, third):
        return R_NOT_IN_HAND
    if second and s.discard_max == 1:
        return R_DISCARD_ONE
    return R_NO_SET


def lacks(s, seat, first, second, third):
    """Are these cards (colours + 1, 0 for none) more than the hand holds?"""
    for card in range(1, COLOURS + 1):
        if s.hand[seat][card - 1] < (first == card) + (second == card) + (third == card):
            return True
    return False
