"""Measures of a game: the points of a scoring now, and the pieces of each seat by country."""

from courtly.engine.moves import Moves
from courtly.games.cardinal.map import COUNTRIES
from courtly.games.cardinal.table import ALL_ALLIANCES, ALL_COUNTRIES

OWNED = Moves(cloister=dict(country=COUNTRIES), cardinal=dict(country=COUNTRIES))


def points(s, out):
    """Write the points as if the final scoring happened now."""
    for seat in range(s.players):
        out[seat] = s.score[seat]
        if s.scored < 2:
            out[seat] += s.chain_points[seat]
            for country in range(ALL_COUNTRIES):
                out[seat] += s.country_points[seat][country]
            for alliance in range(ALL_ALLIANCES):
                out[seat] += s.alliance_points[seat][alliance]


def owned(s, seat, out):
    for country in range(ALL_COUNTRIES):
        out[OWNED.cloister + country] = s.cloisters[country][seat]
        out[OWNED.cardinal + country] = s.cardinals[country][seat]
