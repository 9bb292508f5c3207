"""Puppet Kingdom: goods, the row, and buildings with their taxes."""

from courtly.games.puppet.cards import Good
from courtly.games.puppet.table import COST, DUE, HELPED_COUNT, HELPS, HOUSES, POINTS, TAXED, UNTAXED, Place, Plan


def in_turn(s, k):
    """Return the k-th seat from the parent, clockwise."""
    return (s.parent + k) % s.players


def earn(s, seat, good, amount):
    s.goods[seat][good] += amount
    if good == Good.HONOUR:
        s.points[seat] += amount


def can_afford(s, seat, building):
    cost = COST[s.cards][building]
    own = s.goods[seat]
    return own[0] >= cost[0] and own[1] >= cost[1] and own[2] >= cost[2] and own[3] >= cost[3]


def add_building(s, seat, building, sign):
    """Update a seat's numbers for a building that it gets (sign 1) or loses (sign -1)."""
    s.points[seat] += sign * POINTS[s.cards][building]
    for i in range(HELPED_COUNT):
        s.helped[seat][i] += sign * HELPS[s.cards][building][i]
    s.untaxed[seat] += sign * UNTAXED[s.cards][building]


def buy(s, seat, building):
    for good in range(4):
        earn(s, seat, good, -COST[s.cards][building][good])
    change_row(s, building + 1, 0)
    s.place[building] = Place.OWNED + seat
    add_building(s, seat, building, 1)
    s.bought = 1


def change_row(s, old, new):
    """Replace the first `old` in the row by `new` (building + 1, or 0 for an empty place)."""
    for i in range(s.players):
        if s.row[i] == old:
            s.row[i] = new
            return


def count_at(s, where):
    n = 0
    for building in range(HOUSES):
        if s.place[building] == where:
            n += 1
    return n


def restock(s):
    """Return True if there is a building to turn up; shuffle the discards into the pile if it is empty."""
    if count_at(s, Place.PILE):
        return True
    found = False
    for building in range(HOUSES):
        if s.place[building] == Place.DISCARDED:
            s.place[building] = Place.PILE
            found = True
    return found


def owes(s, seat, building):
    return s.place[building] == Place.OWNED + seat and TAXED[s.cards][building] and not s.untaxed[seat]


def undecided(s, seat):
    n = 0
    for building in range(HOUSES):
        if owes(s, seat, building) and s.plan[seat][building] == 0:
            n += 1
    return n


def can_pay(s, seat, building):
    """Return True if this seat can pay the tax in addition to everything that it has decided to pay."""
    for good in range(4):
        due = DUE[s.cards][building][good]
        if due:
            for other in range(HOUSES):
                if s.plan[seat][other] == Plan.PAY:
                    due += DUE[s.cards][other][good]
            if due > s.goods[seat][good]:
                return False
    return True


def next_due(s):
    """Return the index of the next tax to collect, in turn order and then in the order of the buildings; an index
    beyond the last if there is none."""
    i = s.cursor
    while i < s.players * HOUSES:
        if owes(s, in_turn(s, i // HOUSES), i % HOUSES):
            return i
        i += 1
    return i
