"""Puppet Kingdom: goods, the row, buildings and their taxes."""

from courtly.games.puppet.cards import Good
from courtly.games.puppet.table import COST, DUE, HELPED_COUNT, HELPS, HOUSES, POINTS, TAXED, UNTAXED, Place, Plan


def in_turn(s, k):
    """The k-th seat from the parent, clockwise."""
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
    """A building comes to a seat (1) or leaves it (-1)."""
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
    """Of the row's places the first that holds the one (building + 1, 0 where it is empty) holds the other now."""
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
    """Is there a building to turn up, if need be after the discard pile was shuffled?"""
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
    """After all that this seat has decided to pay?"""
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
    """The place of the next tax to be collected, in turn order and that of the buildings; beyond the last if there
    is none."""
    i = s.cursor
    while i < s.players * HOUSES:
        if owes(s, in_turn(s, i // HOUSES), i % HOUSES):
            return i
        i += 1
    return i
