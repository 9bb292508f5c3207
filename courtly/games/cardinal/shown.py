"""The facts for the board that follow from a view. Seats, countries, sites and cards are numbered.

The state comes from a view: hidden numbers are 0.
"""

from courtly.games.cardinal.bot import sets
from courtly.games.cardinal.map import COUNTRY_OF, PARTNERS, TYPE_OF
from courtly.games.cardinal.payment import pieces
from courtly.games.cardinal.rules import legal
from courtly.games.cardinal.table import ALL_SITES, COLOURS, MOVES, VERB, Phase, X, Y, Z

COUNTED = ("points", "cards")


def facts(s, seat):
    choosing = seat is not None and s.phase == Phase.CHOOSING and s.pending == 1 << seat
    return {
        "now": [scored_now(s, other) for other in range(s.players)],
        "due": due(s),
        "leads": [seats(s, bits) for bits in s.leaders],
        "full": [int(here >= top) for here, top in zip(s.standing, s.top, strict=True)],  # of cardinals
        "allied": [[s.standing[a] + s.standing[b], seats(s, s.leaders[a] & s.leaders[b])] for a, b in PARTNERS],
        "chains": [chains(s, other) for other in range(s.players)],
        "tied": tied(s) if s.phase == Phase.OVER else [],
        "sets": [list(cards) for cards in sets(s.hand[seat])] if choosing else [],
        "dear": dear(s, seat) if choosing else [],
    }


def seats(s, bits):
    return [seat for seat in range(s.players) if bits >> seat & 1]


# --- points -----------------------------------------------------------------------------------------------------------


def scored_now(s, seat):
    """Return the points that a seat would have after a final scoring now; at the end, its points."""
    if s.scored == 2:
        return s.score[seat]
    return s.score[seat] + sum(s.country_points[seat]) + sum(s.alliance_points[seat]) + s.chain_points[seat]


def due(s):
    """Return the scoring that is due when the turn next reaches the start player; None if none is due."""
    if s.phase == Phase.OVER or not s.exhaustions:
        return None
    return "final" if s.exhaustions == 2 else None if s.scored else "interim"


def tied(s):
    """Return the seats that share the most points, with the pieces left that break the tie."""
    best = [seat for seat in range(s.players) if s.score[seat] == max(s.score[: s.players])]
    return [[seat, s.cloisters_left[seat] + s.cardinals_left[seat]] for seat in best] if len(best) > 1 else []


def chains(s, seat):
    """Return a seat's chains, each as its sites in order along the roads."""
    roads: dict[int, list[int]] = {site: [] for site in range(ALL_SITES) if s.owner[site] == seat + 1 and s.link[site]}
    for site in roads:
        before = s.link[site] - 1
        if before != site:
            roads[site].append(before)
            roads[before].append(site)
    found = []
    seen = set()
    for end in roads:
        if end not in seen and len(roads[end]) < 2:
            chain = [end]
            seen.add(end)
            while ahead := [site for site in roads[chain[-1]] if site not in seen]:
                chain.append(ahead[0])
                seen.add(ahead[0])
            found.append(chain)
    return found


# --- cards ------------------------------------------------------------------------------------------------------------


def dear(s, seat):
    """Return, for a pair of each colour, the countries where it would place one piece that a single card of the hand
    could place too."""
    found: list[set[int]] = [set() for _ in range(COLOURS)]
    plays = [m for m in MOVES.listed(legal, s, seat) if VERB[m] in (MOVES.cloister, MOVES.cardinal)]
    alone = {(VERB[m], Z[m]) for m in plays if X[m] == 0}
    for m in plays:
        if X[m] and Y[m] == 0 and (VERB[m], Z[m]) in alone:
            country = COUNTRY_OF[Z[m]] if VERB[m] == MOVES.cloister else Z[m]
            if pieces(X[m], 0, TYPE_OF[country]) == 1 or s.top[country] == 0:
                found[X[m] - 1].add(country)
    return [sorted(countries) for countries in found]


def counted(s, seat):
    """Return the numbers that players count, in the order of COUNTED; the most important one comes first."""
    return [s.score[seat], s.size[seat]]
