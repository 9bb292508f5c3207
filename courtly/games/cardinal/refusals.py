"""The reasons why a move is not legal."""

from courtly.engine.enums import NamedInt
from courtly.games.cardinal.map import COUNTRY_OF, TYPE_OF
from courtly.games.cardinal.payment import fewest
from courtly.games.cardinal.table import COLOURS, MOVES, VERB, Phase, X, Y, Z


class Refusal(NamedInt):
    (
        PLACE_SECOND,
        REFILL_FIRST,
        CHOOSE_FIRST,
        NOT_IN_HAND,
        NO_SET,
        OWN_COLOUR,
        WRONG_COLOUR,
        SAME_COUNTRY,
        SITE_TAKEN,
        NO_CLOISTERS,
        NO_CARDINALS,
        EMPTY_COUNTRY,
        SEAL_FULL,
        NO_SECOND,
        MUST_PLACE,
        DISCARD_ONE,
        NOT_OPEN,
        NO_DECK,
    ) = range(18)


def refusal(s, seat, move):
    verb = VERB[move]
    if s.phase == Phase.PLACING:
        if verb == MOVES.second_cloister:
            return Refusal.SAME_COUNTRY if COUNTRY_OF[X[move]] != s.country else refuse_cloister(s, seat, X[move])
        if verb == MOVES.second_cardinal:
            return Refusal.SAME_COUNTRY if X[move] != s.country else refuse_cardinal(s, seat, X[move])
        return Refusal.MUST_PLACE if verb == MOVES.done else Refusal.PLACE_SECOND
    if s.phase == Phase.REFILLING:
        if verb == MOVES.take:
            return Refusal.NOT_OPEN
        return Refusal.NO_DECK if verb == MOVES.draw else Refusal.REFILL_FIRST
    if verb == MOVES.cloister:
        return refuse_play(s, seat, X[move], Y[move], COUNTRY_OF[Z[move]], refuse_cloister(s, seat, Z[move]))
    if verb == MOVES.cardinal:
        return refuse_play(s, seat, X[move], Y[move], Z[move], refuse_cardinal(s, seat, Z[move]))
    if verb == MOVES.discard:
        return refuse_discard(s, seat, X[move], Y[move], Z[move])
    return Refusal.CHOOSE_FIRST


def refuse_cloister(s, seat, site):
    if s.owner[site]:
        return Refusal.SITE_TAKEN
    return Refusal.NO_CLOISTERS if s.cloisters_left[seat] == 0 else -1


def refuse_cardinal(s, seat, country):
    if s.top[country] == 0:
        return Refusal.EMPTY_COUNTRY
    if s.standing[country] >= s.top[country]:
        return Refusal.SEAL_FULL
    return Refusal.NO_CARDINALS if s.cardinals_left[seat] == 0 else -1


def refuse_play(s, seat, pair, single, country, piece):
    """Return why a set of cards cannot be played in a country. `piece`: why the piece itself cannot be placed, or
    -1."""
    colour = TYPE_OF[country]
    if pair == 0 and single == 0:
        return Refusal.NO_SET
    if lacks(s, seat, pair, pair, single):
        return Refusal.NOT_IN_HAND
    if single and single != colour + 1:
        return Refusal.WRONG_COLOUR
    if pair == single and not s.joker_own_colour:
        return Refusal.OWN_COLOUR
    if piece >= 0:
        return piece
    if fewest(s, pair, single, colour) == 2:
        return Refusal.NO_SECOND if s.top[country] else Refusal.EMPTY_COUNTRY
    return -1


def refuse_discard(s, seat, first, second, third):
    if lacks(s, seat, first, second, third):
        return Refusal.NOT_IN_HAND
    if second and s.discard_max == 1:
        return Refusal.DISCARD_ONE
    return Refusal.NO_SET


def lacks(s, seat, first, second, third):
    """Return True if the hand does not hold all of these cards (colours + 1, 0 for none)."""
    for card in range(1, COLOURS + 1):
        if s.hand[seat][card - 1] < (first == card) + (second == card) + (third == card):
            return True
    return False
