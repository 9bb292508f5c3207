"""The policy of Web of Power: it values what each piece brings at once in countries, alliances and chains, what may
still come, and what other seats lose or get; and it estimates the seats' placements at the beginning of a turn.

All values are in tenths of a point. The notes behind `out` are computed once for each decision: the gain of one and two
cloisters and of one and two cardinals in each country; the value of its best and second-best site for chains; the value
of each free site, or the group of the seat's own cloister on it; and the size of each group.
"""

from pathlib import Path

from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.stdlib.value_network import compute_placements, compute_strength, load_weights
from courtly.games.cardinal.map import (
    COUNTRY_OF,
    DEGREE,
    END,
    FIRST,
    NEAR,
    PACTS,
    PACTS_OF,
    PARTNERS,
    PLAYERS,
    TYPE_OF,
    padded,
)
from courtly.games.cardinal.payment import pieces
from courtly.games.cardinal.scoring import CLOISTERS
from courtly.games.cardinal.table import ALL_ALLIANCES, ALL_COUNTRIES, ALL_SITES, COLOURS, MOVES, VERB, Phase, X, Y, Z

ONE, TWO, CARDINAL, CARDINALS, BEST, NEXT, GROUP = range(0, 7 * ALL_COUNTRIES, ALL_COUNTRIES)
SIZE = GROUP + ALL_SITES  # groups are counted from 1
STACK = SIZE + CLOISTERS + 1
END_OF_NOTES = STACK + CLOISTERS + 1
BEFORE = padded([[there for there in NEAR[site] if 0 <= there < site] for site in range(ALL_SITES)])
EARLIER = tuple(sum(there >= 0 for there in row) for row in BEFORE)  # number of roads to sites with lower numbers
RIVALS = (0, 0, 8, 4, 3, 2)  # the weight of a point of another seat, in tenths, by the number of players
NEVER = -1000
CHAIN = (0, 0, 3, 12, *(10 * n for n in range(4, CLOISTERS + 1)))  # the value of a group of n cloisters
CARD = 4  # the cost of a spent card
PAIR = 6  # the additional cost of a pair
CHANGED = 5  # the value of a changed card
STEEPNESS = 12  # tenths of a point that double the weight of a move
# the share of an alliance's points that counts, by the number of missing cardinals
HOPE = (0, *(1024 * 5 // (36 * (2 + 3 * missing)) for missing in range(1, 8)))
ALLIES = padded([[sum(PARTNERS[pact]) - country for pact in PACTS_OF[country][:n]] for country, n in enumerate(PACTS)])
BITS = tuple(bin(mask).count("1") for mask in range(1 << PLAYERS))
A_LEADER = (0, *((leaders & -leaders).bit_length() - 1 for leaders in range(1, 1 << PLAYERS)))
LOWEST, HIGHEST = -40, 160
WEIGHT = tuple(max(1, round(64 * 2 ** (gain / STEEPNESS))) for gain in range(LOWEST, HIGHEST + 1))

TRAITS = 30
COUNTED = TRAITS + END_OF_NOTES  # offset of each seat's points, behind traits and notes
WEIGHTS = load_weights(Path(__file__).with_name("learned.json"), TRAITS)
SEARCH_SETTINGS = {"horizon": 16, "curiosity": 13_107, "whim": 0}


def priors(s, seat, moves, n, out):
    total = 0
    if END_OF_NOTES > POLICY_NOTES_LENGTH:
        return 0  # another board is too large for the notes
    if s.phase == Phase.CHOOSING:
        return weigh_turns(s, seat, moves, n, out)
    if s.phase == Phase.PLACING:
        join_groups(s, seat, out, n)
        weigh_country(s, seat, s.country, 0, out, n)
        for i in range(n):
            out[i] = weight(gain_of_piece(s, moves[i], out, n))
            total += out[i]
        return total
    return weigh_cards(s, seat, moves, n, out)


def weight(gain):
    return WEIGHT[min(max(gain, LOWEST), HIGHEST) - LOWEST]


# --- gains of pieces --------------------------------------------------------------------------------------------------


def weigh_hand(s, seat, out, at):
    """Compute the notes for the countries that this hand can reach, from this place in `out` on."""
    hand = s.hand[seat]
    pair = 0
    for colour in range(COLOURS):
        pair |= hand[colour] > 1
    join_groups(s, seat, out, at)
    for country in range(ALL_COUNTRIES):
        if pair or hand[TYPE_OF[country]]:
            weigh_country(s, seat, country, pair, out, at)


def weigh_country(s, seat, country, pair, out, at):
    """Compute the notes for a country. `pair`: a second piece is possible."""
    free = s.free[country]
    if free and s.cloisters_left[seat]:
        scorings = 2 - s.scored
        out[at + ONE + country] = cloisters_gain(s, seat, country, 1) * scorings
        if pair and free > 1 and s.top[country]:
            out[at + TWO + country] = cloisters_gain(s, seat, country, 2) * scorings
        best = 0
        after = 0
        for site in range(FIRST[country], END[country]):
            if s.owner[site] == 0:
                gain = site_gain(s, seat, site, out, at)
                out[at + GROUP + site] = gain
                after = max(after, min(gain, best))
                best = max(best, gain)
        out[at + BEST + country] = best
        out[at + NEXT + country] = after
    standing = s.standing[country]
    if s.cardinals_left[seat] and standing < max(s.top[country], pair * (s.cloisters[country][seat] + 1)):
        weigh_cardinals(s, seat, country, pair, out, at)


def cloisters_gain(s, seat, country, more):
    """Return what `more` cloisters in a country bring to this seat, minus what other seats get or lose."""
    cloisters = s.cloisters[country]
    mine = cloisters[seat] + more
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, cloisters[other])
    points = END[country] - FIRST[country] - s.free[country] + more
    lost = 0
    for other in range(s.players):
        theirs = cloisters[other]
        if other != seat and theirs:
            before = s.country_points[other][country]
            if theirs == most:
                lost += more if mine <= most else mine - before  # the leader scores all of them
            elif mine > theirs and (mine < most or mine - more <= theirs):
                lost += min(mine, before) - before
            if mine < theirs < points:
                points = theirs
    return 10 * (points - s.country_points[seat][country]) - RIVALS[s.players] * lost + (2 if mine == more else 0)


def weigh_cardinals(s, seat, country, pair, out, at):
    """Compute what one and two cardinals in a country bring to this seat in alliances, minus what other seats get or
    lose."""
    before = s.leaders[country]
    short = behind(s, seat, country)  # cardinals missing for a shared lead; one more gives the sole lead
    led = before >> seat & 1
    others = before & ~(1 << seat)
    rivals = RIVALS[s.players]
    standing = s.standing[country]
    time = time_left(s)
    one = 0
    two = 0
    for i in range(PACTS[country]):
        ally = ALLIES[country][i]
        there = s.leaders[ally]
        points = standing + s.standing[ally]
        mine = 10 * (there >> seat & 1)
        theirs = rivals * BITS[others & there]
        now = points * (mine * led - theirs)
        one += (points + 1) * (mine * (short <= 1) - theirs * (short >= 1)) - now
        two += (points + 2) * (mine * (short <= 2) - theirs * (short >= 2)) - now
        if mine == 0 and led == 0 and short <= 1 + pair:
            missing = lacking(s, seat, ally)
            one += hope(points + 1, missing, time) * (short <= 1)
            two += hope(points + 2, missing, time)
    out[at + CARDINAL + country] = one
    out[at + CARDINALS + country] = two


def behind(s, seat, country):
    """Return how many cardinals fewer than a leader this seat has in a country."""
    cardinals = s.cardinals[country]
    return cardinals[A_LEADER[s.leaders[country]]] - cardinals[seat]


def lacking(s, seat, country):
    """Return the number of cardinals that this seat needs for the lead in a country, at least 1; 0 if it cannot place
    that many."""
    missing = max(1, behind(s, seat, country))
    if missing >= s.cardinals_left[seat] or missing > max(s.top[country] - s.standing[country], s.free[country] > 0):
        return 0
    return missing


def hope(points, missing, time):
    """Return the value of an alliance led on one side, if the other side is open: a part of its points."""
    return (points + missing) * HOPE[missing] * time >> 10


def time_left(s):
    return 29 + s.deck_left + (0 if s.exhaustions else 36)


def join_groups(s, seat, out, at):
    """Number the groups of the seat's cloisters that roads join, and compute their sizes. The sites are listed at
    STACK. Returns the number of cloisters."""
    mark = seat + 1
    cloisters = 0
    for site in range(ALL_SITES):
        out[at + STACK + cloisters] = site  # written without a branch, which the processor could not predict
        cloisters += s.owner[site] == mark
    groups = 0
    for i in range(cloisters):
        site = out[at + STACK + i]
        group = 0
        for k in range(EARLIER[site]):
            there = BEFORE[site][k]
            if s.owner[there] == mark:
                other = out[at + GROUP + there]
                if group == 0:
                    group = other
                elif other != group:
                    out[at + SIZE + group] += out[at + SIZE + other]
                    for before in range(i):
                        if out[at + GROUP + out[at + STACK + before]] == other:
                            out[at + GROUP + out[at + STACK + before]] = group
        if group == 0:
            groups += 1
            group = groups
            out[at + SIZE + group] = 0
        out[at + GROUP + site] = group
        out[at + SIZE + group] += 1
    return cloisters


def site_gain(s, seat, site, out, at):
    """Return the value of a cloister on this site for chains: for own ones, and against those of other seats."""
    mark = seat + 1
    joined = 1
    gain = 0
    seen = 0
    for k in range(DEGREE[site]):
        there = NEAR[site][k]
        owner = s.owner[there]
        gain += 1 + (owner > 0)  # written without a branch, which the processor could not predict
        if owner == mark:
            gain -= 2
            group = out[at + GROUP + there]
            if seen >> group & 1 == 0:
                seen |= 1 << group
                joined += out[at + SIZE + group]
                gain -= CHAIN[out[at + SIZE + group]]
    return gain + CHAIN[joined]


# --- a turn -----------------------------------------------------------------------------------------------------------


def weigh_turns(s, seat, moves, n, out):
    """Weigh the turns: the first piece with the best second one, minus the cost of the cards. Values that several sites
    of a country share are computed once."""
    weigh_hand(s, seat, out, n)
    common = -1
    alone = also = best = after = 0
    total = 0
    for i in range(n):
        move = moves[i]
        if move < MOVES.cardinal:
            site = Z[move]
            country = COUNTRY_OF[site]
            if move - site + country != common:
                common = move - site + country
                alone = out[n + ONE + country] - cost(X[move], Y[move])
                also = NEVER
                if s.top[country] and pieces(X[move], Y[move], TYPE_OF[country]) == 2:
                    if s.free[country] > 1 and s.cloisters_left[seat] > 1:
                        also = alone + out[n + TWO + country] - out[n + ONE + country]
                        best = out[n + BEST + country]
                        after = out[n + NEXT + country]
                    if s.cardinals_left[seat] and s.standing[country] < max(
                        s.top[country], s.cloisters[country][seat] + 1
                    ):
                        alone += max(0, out[n + CARDINAL + country])
            first = out[n + GROUP + site]
            gain = first + max(alone, also + (after if first == best else best))
        elif move < MOVES.second_cloister:
            gain = gain_of_cardinal(s, seat, Z[move], X[move], Y[move], out, n)
        else:
            gain = CHANGED * ((X[move] > 0) + (Y[move] > 0) + (Z[move] > 0))
        out[i] = weight(gain)
        total += out[i]
    return total


def cost(pair, single):
    return (CARD if single else 0) + (2 * CARD + PAIR if pair else 0)


def gain_of_cardinal(s, seat, country, pair, single, out, at):
    gain = out[at + CARDINAL + country]
    more = 0
    if pieces(pair, single, TYPE_OF[country]) == 2:
        if s.cardinals_left[seat] > 1 and s.standing[country] + 1 < s.top[country]:
            more = max(more, out[at + CARDINALS + country] - gain)
        if s.free[country] and s.cloisters_left[seat]:
            more = max(more, out[at + ONE + country] + out[at + BEST + country])
    return gain + more - cost(pair, single)


def gain_of_piece(s, move, out, at):
    verb = VERB[move]
    if verb == MOVES.second_cloister:
        return out[at + GROUP + X[move]] + out[at + ONE + s.country]
    if verb == MOVES.second_cardinal:
        return out[at + CARDINAL + s.country]
    return 0


# --- refilling --------------------------------------------------------------------------------------------------------


def weigh_cards(s, seat, moves, n, out):
    """Weigh the cards: pairs have the highest weight, because they pay for two pieces or go anywhere."""
    total = 0
    for i in range(n):
        if moves[i] == MOVES.draw:
            out[i] = 6
        else:
            out[i] = 15 if s.hand[seat][X[moves[i]]] else 4
        total += out[i]
    return total


# --- expected placements at the beginning of a turn -------------------------------------------------------------------


def value(s, out):
    if s.phase != Phase.CHOOSING or MAX_SEATS * 2 + TRAITS + END_OF_NOTES > POLICY_NOTES_LENGTH:
        return 0
    noticed = MAX_SEATS * 2
    count_all(s, out, noticed + COUNTED)
    for seat in range(s.players):
        notice(s, seat, out, noticed)
        out[MAX_SEATS + seat] = compute_strength(WEIGHTS, out, noticed, TRAITS)
    compute_placements(out, s.players, MAX_SEATS)
    return 1


def traits(s, seat, out, at):
    """Write the traits of a seat's position at the beginning of a turn, from `at` on. Returns how many."""
    count_all(s, out, at + COUNTED)
    notice(s, seat, out, at)
    return TRAITS


def count_all(s, out, at):
    for seat in range(s.players):
        out[at + seat] = counted(s, seat)


def notice(s, seat, out, at):
    """Write the traits after the points of all seats have been computed."""
    for i in range(TRAITS):
        out[at + i] = 0
    most = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, out[at + COUNTED + other])
    points = out[at + COUNTED + seat]
    out[at] = points
    out[at + 1] = points - most
    out[at + 2] = s.score[seat]
    out[at + 3] = s.chain_points[seat]
    out[at + 4] = s.cloisters_left[seat]
    out[at + 5] = s.cardinals_left[seat]
    out[at + 6] = (seat - s.seat) % s.players
    out[at + 7] = s.scored
    out[at + 8] = s.deck_left + (0 if s.exhaustions else 36)
    out[at + 9] = s.exhaustions == 2
    out[at + 10] = s.players == 4
    out[at + 11] = s.players == 5
    for colour in range(COLOURS):
        out[at + 12] += s.hand[seat][colour] > 1
        out[at + 13] += s.hand[seat][colour] > 0
    place = (seat - s.start) % s.players
    out[at + 14] = place < (s.seat - s.start) % s.players  # had its turn in this round; scorings come between rounds
    out[at + 15] = place
    notice_countries(s, seat, out, at + 16)
    notice_chains(s, seat, out, at + 26)


def counted(s, seat):
    """Return the points of a seat if all remaining scorings happened now."""
    points = 0
    for country in range(ALL_COUNTRIES):
        points += s.country_points[seat][country]
    points = points * (2 - s.scored) + s.score[seat] + s.chain_points[seat]
    for alliance in range(ALL_ALLIANCES):
        points += s.alliance_points[seat][alliance]
    return points


def notice_countries(s, seat, out, at):
    """Write the countries where the seat has the most cloisters, alone or shared, and by how much; the free sites there
    and where it has fewer; the countries that it leads with cardinals, alone or shared; the alliances led on both sides
    and on one side, and what these may bring."""
    me = 1 << seat
    for country in range(ALL_COUNTRIES):
        mine = s.cloisters[country][seat]
        most = 0
        for other in range(s.players):
            if other != seat:
                most = max(most, s.cloisters[country][other])
        if mine > most:
            out[at] += 1
            out[at + 1] += mine - most
            out[at + 2] += s.free[country]
        elif mine and mine == most:
            out[at + 3] += 1
            out[at + 4] += s.free[country]
        else:
            out[at + 5] += mine > 0
        out[at + 6] += s.leaders[country] == me
        out[at + 7] += s.leaders[country] & me > 0
    for alliance in range(ALL_ALLIANCES):
        a = PARTNERS[alliance][0]
        b = PARTNERS[alliance][1]
        led = (s.leaders[a] & me > 0) + (s.leaders[b] & me > 0)
        out[at + 8] += led == 2
        if led == 1:
            missing = lacking(s, seat, b if s.leaders[a] & me else a)
            out[at + 9] += hope(s.standing[a] + s.standing[b], missing, time_left(s))


def notice_chains(s, seat, out, at):
    """Write the number of cloisters in groups of two, of three and of more, and the number of free sites beside groups
    of three."""
    notes = at + 4
    for i in range(join_groups(s, seat, out, notes)):
        site = out[notes + STACK + i]
        size = out[notes + SIZE + out[notes + GROUP + site]]
        if size > 1:
            out[at + min(size, 4) - 2] += 1
        if size == 3:
            for k in range(DEGREE[site]):
                out[at + 3] += s.owner[NEAR[site][k]] == 0
