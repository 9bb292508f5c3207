"""The policy of Puppet Kingdom: what a move promises to a seat, in hundredths of a point, given what the seat sees; and
the placement that each seat can expect at the beginning of a round."""

from math import exp
from pathlib import Path

from courtly.engine.constants import MAX_SEATS
from courtly.engine.stdlib.value_network import compute_placements, compute_strength, load_weights
from courtly.games.puppet.cards import Event, Good, Helped, Servant
from courtly.games.puppet.estate import owes
from courtly.games.puppet.servants import can_receive, production
from courtly.games.puppet.table import (
    COST,
    DUE,
    GOAL,
    HELPED_COUNT,
    HELPS,
    HOUSES,
    KINDS,
    MOVES,
    ONE,
    OTHER,
    POINTS,
    PRODUCES,
    VERB,
    Mark,
    Naming,
    Phase,
    Place,
    X,
    Y,
)
from courtly.games.puppet.worlds import has_seen, in_pile, servants_in_use

POINT = 100
GOOD = (34, 34, 32, 30, 26, 22, 18, 14, 10, 8, 5)  # values of the first, the second … good of one kind
WANTED = 6  # in addition for each building of the row that needs more of it
TALENT = (0, 0, 0, 46, 0, 15, 12, 15, 44, 0)  # values that do not depend on the state
FIRST = (0, 0, 0, 200, 0, 0, 10, 0, 200, 0)  # a bonus for turning them up while others have two cards face down
KILL, STEAL = 80, 30  # the value of a hit in addition to the servant: the lost turn, and the surprise
SHARES = tuple(round(2000 * exp(-i / 8)) for i in range(61))
LEAST = len(SHARES) - 1
# A move that is worth this many hundredths less has a weight lower by a factor e; TASTE is for servants in hand.
WARMTH, TASTE = 40, 25

SURELY_NOT = 119
KEPT = tuple(round(1000 * exp(-missed / 40)) for missed in range(SURELY_NOT + 1))

TRAITS = 52
WEIGHTS = load_weights(Path(__file__).with_name("learned.json"), TRAITS)
# The rewards are placements alone, because the values of the policy are.
SEARCH_SETTINGS = {"horizon": 0, "place": 65_536, "pull": 20_000, "doubts": 8}


def priors(s, seat, moves, n, out):
    warmth = WARMTH
    if s.phase == Phase.DRAFTING or s.phase == Phase.REVEALING:
        warmth = TASTE
        first = s.phase == Phase.REVEALING and s.turn < s.players
        for i in range(n):
            out[i] = talent(s, seat, X[moves[i]]) + (FIRST[X[moves[i]]] if first else 0)
    elif s.phase == Phase.TAXING:
        for i in range(n):
            out[i] = worth_of_house(s, X[moves[i]]) if VERB[moves[i]] == MOVES.pay else 0
    elif s.phase == Phase.PUTTING:
        good = welcome(s, seat, s.known[seat][0] - 1)
        for i in range(n):
            out[i] = good if X[moves[i]] == 0 else 0
    else:
        weigh_acts(s, seat, moves, n, out)
    best = out[0]
    for i in range(1, n):
        best = max(best, out[i])
    all_ = 0
    for i in range(n):
        out[i] = SHARES[min((best - out[i]) * 8 // warmth, LEAST)]
        all_ += out[i]
    return all_


# --- values -----------------------------------------------------------------------------------------------------------


def next_good(s, seat, good):
    """Return the value of one more of a good."""
    if good == Good.HONOUR:
        return POINT
    own = s.goods[seat][good]
    v = GOOD[min(own, 10)]
    for i in range(s.players):
        if s.row[i] and COST[s.cards][s.row[i] - 1][good] > own:
            v += WANTED
    return v


def talent(s, seat, servant):
    """Return what a servant's effect would bring to a seat now."""
    if servant <= Servant.COOK:
        return production(s, seat, servant) * next_good(s, seat, PRODUCES[servant])
    if servant == Servant.ELEPHANT:
        own = s.goods[seat][0] + s.goods[seat][1] + s.goods[seat][2]
        return 55 if own > 3 else 35 if own else 10
    if servant == Servant.PRINCESS:
        if seat == s.parent or s.parent < 0:
            return 3
        rich = s.goods[s.parent]
        return 110 if rich[Good.HONOUR] else 45 if rich[0] + rich[1] + rich[2] else 20
    return TALENT[servant]


def worth_of_house(s, building):
    v = POINT * POINTS[s.cards][building]
    for k in range(HELPED_COUNT):
        v += 50 * HELPS[s.cards][building][k]
    for good in range(4):
        v -= 30 * DUE[s.cards][building][good]
    return v


def belief(s, seat):
    """Return the likelihood of the other seats' choices: they keep better servants more often. `slot` has the cards
    that each could choose from."""
    likely = 1000
    for other in range(s.players):
        left = (other + 1) % s.players
        if other != seat and s.picked[other] > 0:
            likely = likely * kept(s, other, s.slot[other][0], s.slot[left][1], s.slot[left][2]) // 1000
        if other != seat and s.picked[other] > 1:
            likely = likely * kept(s, other, s.slot[other][1], s.slot[other][2], s.slot[other][2]) // 1000
    return likely


def kept(s, seat, chosen, other, another):
    """Return how likely a seat keeps a servant instead of these others (all + 1), in thousandths, relative to the best
    choice."""
    missed = max(talent(s, seat, other - 1), talent(s, seat, another - 1)) - talent(s, seat, chosen - 1)
    return KEPT[min(max(missed, 0), SURELY_NOT)]


def welcome(s, seat, event):
    """Return a number above 0 if an event is good for this seat."""
    if event == Event.WAR:
        most = 0
        for other in range(s.players):
            if other != seat:
                most = max(most, s.goods[other][Good.SOLDIER])
        own = s.goods[seat][Good.SOLDIER]
        return 60 if own and own >= most else -60
    if event == Event.TAX:
        v = -5
        for building in range(HOUSES):
            for other in range(s.players):
                if owes(s, other, building):
                    v += -30 if other == seat else 30 // (s.players - 1)
        return v
    return 5


# --- a turn -----------------------------------------------------------------------------------------------------------


def weigh_acts(s, seat, moves, n, out):
    for i in range(n):
        verb = VERB[moves[i]]
        x = X[moves[i]]
        v = 0
        if verb == MOVES.take:
            v = 100 + next_good(s, seat, x)
        elif verb == MOVES.gain:
            v = 200
        elif verb == MOVES.buy:
            v = worth_of_house(s, x) + 60
            for good in range(3):
                v -= 20 * COST[s.cards][x][good]
            v -= POINT * COST[s.cards][x][Good.HONOUR]
        elif verb == MOVES.kill or verb == MOVES.steal:
            v = 100 + hope(s, seat, verb, x, Y[moves[i]])
        elif verb == MOVES.rob:
            v = 100 + next_good(s, seat, x)
        elif verb == MOVES.offer:
            v = POINT + 60 - next_good(s, seat, ONE[x]) - next_good(s, seat, OTHER[x])
        elif verb == MOVES.clear:
            v = clearing(s, seat, x) + 5 * Y[moves[i]]
        elif verb == MOVES.lead:
            v = 40
        elif verb == MOVES.look:
            v = 60
        elif verb == MOVES.end:
            v = 0 if s.took else -150
        out[i] = v


def clearing(s, seat, building):
    """Return the value of removing a building: high if others are near to it, low if this seat is."""
    mine = missing(s, seat, building)
    theirs = 9
    for other in range(s.players):
        if other != seat:
            theirs = min(theirs, missing(s, other, building))
    return POINTS[s.cards][building] * 8 * (min(mine, 9) - theirs)


def missing(s, seat, building):
    """Return the number of goods that a seat lacks for a building."""
    n = 0
    for good in range(4):
        n += max(0, COST[s.cards][building][good] - s.goods[seat][good])
    return n


def hope(s, seat, verb, target, servant):
    """Return the expected value of naming: the likelihood that the target holds the servant, times the value of a
    hit."""
    likely = likelihood(s, seat, target, servant)
    gift = talent(s, target, servant)
    if verb == MOVES.kill:
        robbed = s.mark[Mark.STEAL]
        if robbed[Naming.BY] == seat and robbed[Naming.TARGET] == target and robbed[Naming.SERVANT] == servant:
            return 0
        return likely * (KILL + gift) // 100
    mine = talent(s, seat, servant) if can_receive(s, seat, servant) else 0
    return likely * (STEAL + mine + gift) // 100


def likelihood(s, seat, target, servant):
    """Return the likelihood, in hundredths, that a servant lies face down before a seat. The left neighbour has chosen
    one of the two cards passed to it; all other cards are unseen. Better servants are chosen more often."""
    knows_second = 0
    from_me = target == (seat + 1) % s.players
    if from_me:
        for i in range(2):
            if s.up[target][i] and s.passed[seat][s.up[target][i] - 1]:
                knows_second = 1
    if from_me and s.passed[seat][servant]:
        if knows_second:
            return 0
        all_ = 0
        for other in range(KINDS):
            if s.passed[seat][other]:
                all_ += 20 + talent(s, target, other)
        return 100 * (20 + talent(s, target, servant)) // max(1, all_)
    if s.open[servant] or has_seen(s, seat, servant):
        return 0
    places = s.facedown[target] - (1 if from_me and not knows_second else 0)
    all_ = 0
    for other in range(servants_in_use(s)):
        if not s.open[other] and not has_seen(s, seat, other):
            all_ += 20 + talent(s, target, other)
    return min(100, 100 * places * (20 + talent(s, target, servant)) // max(1, all_))


# --- expected placements at the beginning of a round ------------------------------------------------------------------


def value(s, out):
    if s.phase != Phase.DEALING or s.dealt:
        return 0
    noticed = MAX_SEATS * 2
    for seat in range(s.players):
        n = traits(s, seat, out, noticed)
        out[MAX_SEATS + seat] = compute_strength(WEIGHTS, out, noticed, n)
    compute_placements(out, s.players, MAX_SEATS)
    return 1


def traits(s, seat, out, at):
    """Write the traits of a seat's position at the beginning of a round, from `at` on. Returns how many."""
    for i in range(TRAITS):
        out[at + i] = 0
    most = 0
    soldiers = 0
    riches = 0
    for other in range(s.players):
        if other != seat:
            most = max(most, s.points[other])
            soldiers = max(soldiers, s.goods[other][Good.SOLDIER])
            for good in range(3):
                riches += s.goods[other][good]
    own = s.goods[seat]
    goal = GOAL[s.cards]
    out[at] = s.points[seat]
    out[at + 1] = s.points[seat] - most
    out[at + 2] = max(0, s.points[seat] - goal + 3)
    out[at + 3] = max(0, most - goal + 3)
    for good in range(4):
        out[at + 4 + good] = own[good]
    for good in range(3):
        out[at + 8 + good] = max(0, own[good] - 5)
    out[at + 11] = own[0] + own[1] + own[2]
    out[at + 12] = riches // (s.players - 1)
    out[at + 13] = own[Good.SOLDIER] > soldiers
    out[at + 14] = own[Good.SOLDIER] == soldiers
    out[at + 15] = max(-4, min(4, own[Good.SOLDIER] - soldiers))
    for k in range(HELPED_COUNT):
        out[at + 16 + k] = s.helped[seat][k]
    out[at + 21] = s.untaxed[seat]
    out[at + 22] = s.parent == seat
    out[at + 23] = (seat - s.parent) % s.players
    out[at + 24] = s.players == 3
    out[at + 25] = in_pile(s, Event.WAR)
    out[at + 26] = in_pile(s, Event.TAX)
    out[at + 27] = in_pile(s, Event.CONSCRIPTION)
    out[at + 28] = s.newest == Event.GRIMOIRE + 1
    out[at + 29] = in_pile(s, Event.WAR) * (own[Good.SOLDIER] >= max(1, soldiers)) * (1 + s.helped[seat][Helped.WAR])
    notice_taxes(s, seat, out, at + 30)
    notice_row(s, seat, out, at + 40)
    out[at + 51] = max(0, goal - max(most, s.points[seat]))
    return TRAITS


def notice_taxes(s, seat, out, at):
    """Write the number of taxed buildings, the tax due in each good, the part of it that cannot be paid, and the points
    of these buildings; then the points of other seats' taxed buildings."""
    for building in range(HOUSES):
        where = s.place[building]
        if where == Place.OWNED + seat:
            out[at + 9] += 1
        if owes(s, seat, building):
            out[at] += 1
            for good in range(3):
                out[at + 1 + good] += DUE[s.cards][building][good]
            out[at + 7] += POINTS[s.cards][building]
        elif where >= Place.OWNED and owes(s, where - Place.OWNED, building):
            out[at + 8] += POINTS[s.cards][building]
    for good in range(3):
        out[at + 4 + good] = max(0, out[at + 1 + good] - s.goods[seat][good])


def notice_row(s, seat, out, at):
    """Write the traits of the row for this seat: the highest points by number of missing goods, the distance of other
    seats from that building, and the distance to the nearest building."""
    nearest = 20
    for i in range(s.players):
        if s.row[i]:
            building = s.row[i] - 1
            lacks = missing(s, seat, building)
            points = POINTS[s.cards][building]
            nearest = min(nearest, lacks)
            if lacks == 0:
                out[at] = max(out[at], points)
                out[at + 1] += points
            if lacks <= 1:
                out[at + 2] = max(out[at + 2], points)
            if lacks <= 3:
                out[at + 3] = max(out[at + 3], points)
                out[at + 4] += points
            if lacks <= 6:
                out[at + 5] = max(out[at + 5], points)
            theirs = 20
            for other in range(s.players):
                if other != seat:
                    theirs = min(theirs, missing(s, other, building))
            out[at + 6] = max(out[at + 6], points * max(0, 8 - lacks))
            out[at + 7] = max(out[at + 7], points * max(0, 8 - theirs))
            out[at + 8] += theirs < lacks
    out[at + 9] = nearest
    out[at + 10] = nearest == 0
