"""The facts for the board that follow from a view. Seats, countries, sites and cards are numbered.

The state comes from a view: hidden numbers are 0.
"""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.facts import NOTHING, FactsBase, Logged, keyed, members, number, record, up_to, word
from courtly.games.cardinal.map import ALLIANCES, COUNTRIES, HAND, PARTNERS, PLAYERS, SITES, TYPE_OF, TYPES
from courtly.games.cardinal.payment import fitting, openings, pieces
from courtly.games.cardinal.scoring import CLOISTERS, SHORTEST
from courtly.games.cardinal.table import ALL_ALLIANCES, ALL_COUNTRIES, ALL_SITES, COLOURS, SEATS, Phase

COUNTED = ("points_now", "cards")
PARTS = ("countries", "alliances", "chains")
LOGGED = (Logged("score", ("points",)),)
CHAINS = CLOISTERS // SHORTEST  # the most chains of a seat
SETS = HAND + 2  # the most sets of a hand: single cards, a pair, and a pair with a single card


class Scoring(NamedInt):
    """The scorings."""

    INTERIM, FINAL = range(2)


class Alliance(FactsBase):
    """What an alliance is worth now, and the seats that get it."""

    worth = number()
    leaders = members()


class Facts(FactsBase):
    """The facts of Web of Power."""

    now = number(SEATS)  # the points after a final scoring now; at the end, the points
    due = word(of=Scoring)  # the scoring that is due when the turn next reaches the start player
    leads = members(COUNTRIES)
    full = number(COUNTRIES)  # 1: there is no room for another cardinal
    allied = record(Alliance, ALLIANCES)
    chains = number(SEATS, up_to(CHAINS), up_to(CLOISTERS))  # each as its sites in order along the roads
    tied = number(up_to(PLAYERS), 2)  # at the end, seats with another's points, and the pieces left that break the tie
    sets = number(up_to(SETS), 2)  # of the hand, each as a pair and a single card: the colour + 1; 0: none
    dear = number(keyed(TYPES), up_to(ALL_COUNTRIES))  # where a pair would place one piece, and a single card could too
    next = number(SITES, scratch=True)  # the site behind one in its chain


def facts(s, seat, out, moves):
    for other in range(s.players):
        out.now[other] = points_now(s, other)
    if s.phase != Phase.OVER:
        find_due_scoring(s, out)
    for country in range(ALL_COUNTRIES):
        out.leads[country] = s.leaders[country]
        out.full[country] = 1 if s.standing[country] >= s.top[country] else 0
    for i in range(ALL_ALLIANCES):
        a = PARTNERS[i][0]
        b = PARTNERS[i][1]
        out.allied[i].worth = s.standing[a] + s.standing[b]
        out.allied[i].leaders = s.leaders[a] & s.leaders[b]
    list_chains(s, out)
    if s.phase == Phase.OVER:
        list_tied(s, out)
    if seat != NOBODY and s.phase == Phase.CHOOSING and s.pending == 1 << seat:
        list_sets(s.hand[seat], out)
        list_dear(s, seat, out)


# --- points -----------------------------------------------------------------------------------------------------------


def points_now(s, seat):
    """Return the points that a seat would have after a final scoring now; at the end, its points."""
    points = s.score[seat]
    if s.scored < 2:
        points += s.chain_points[seat]
        for country in range(ALL_COUNTRIES):
            points += s.country_points[seat][country]
        for alliance in range(ALL_ALLIANCES):
            points += s.alliance_points[seat][alliance]
    return points


def find_due_scoring(s, out):
    if s.exhaustions == 2:
        out.due = Scoring.FINAL
    elif s.exhaustions and not s.scored:
        out.due = Scoring.INTERIM


def list_tied(s, out):
    n = 0
    for seat in range(s.players):
        equals = 0
        for other in range(s.players):
            equals += s.score[other] == s.score[seat]
        if equals > 1:
            out.tied[n][0] = seat
            out.tied[n][1] = s.cloisters_left[seat] + s.cardinals_left[seat]
            n += 1


def list_chains(s, out):
    for site in range(ALL_SITES):
        before = s.link[site] - 1
        if before >= 0 and before != site:
            out.next[before] = site
    for seat in range(s.players):
        n = 0
        for site in range(ALL_SITES):
            if s.owner[site] == seat + 1 and s.link[site] == site + 1:
                length = 0
                here = site
                while here != NOTHING:
                    out.chains[seat][n][length] = here
                    length += 1
                    here = out.next[here]
                n += 1


# --- cards ------------------------------------------------------------------------------------------------------------


def list_sets(hand, out):
    n = 0
    for a in range(COLOURS):
        if hand[a]:
            n = add_set(out, n, 0, a + 1)
        if hand[a] > 1:
            n = add_set(out, n, a + 1, 0)
            for b in range(COLOURS):
                if hand[b] > 2 * (a == b):
                    n = add_set(out, n, a + 1, b + 1)


def add_set(out, n, pair, single):
    out.sets[n][0] = pair
    out.sets[n][1] = single
    return n + 1


def list_dear(s, seat, out):
    """List the countries where a pair would place one piece that a single card of the hand could place too."""
    for pair in range(COLOURS):
        n = 0
        for country in range(ALL_COUNTRIES if s.hand[seat][pair] > 1 else 0):
            colour = TYPE_OF[country]
            one = pieces(pair + 1, 0, colour) == 1 or s.top[country] == 0
            if one and s.hand[seat][colour] and fitting(s, pair + 1, 0, colour, openings(s, seat, country)):
                out.dear[pair][n] = country
                n += 1


def counted(s, seat, out):
    """Write the numbers that players count, in the order of COUNTED and PARTS; the most important one comes first.

    Points are those of a scoring now, because moves bring points only later.
    """
    out[0] = points_now(s, seat)
    out[1] = s.size[seat]
    out[2] = 0
    out[3] = 0
    for country in range(ALL_COUNTRIES):
        out[2] += s.country_points[seat][country]
    for alliance in range(ALL_ALLIANCES):
        out[3] += s.alliance_points[seat][alliance]
    out[4] = s.chain_points[seat]
