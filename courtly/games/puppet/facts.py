"""The facts for the board that follow from a view. Seats, servants and buildings are numbered.

The state comes from a view: hidden numbers are 0.
"""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.facts import FactsBase, Logged, keyed, number, record, up_to, word
from courtly.games.puppet.cards import BUILDINGS, Event, Good
from courtly.games.puppet.estate import owes
from courtly.games.puppet.rules import left_of, legal
from courtly.games.puppet.servants import card, lap
from courtly.games.puppet.table import (
    COST,
    DEPTH,
    GOAL,
    HOUSES,
    KINDS,
    MOVES,
    POINTS,
    SEATS,
    VERB,
    Fate,
    Mark,
    Naming,
    Phase,
    Place,
)
from courtly.games.puppet.worlds import in_pile, servants_in_use

COUNTED = ("points", "gold", "food", "soldier", "honour")
PARTS = ("honour", "buildings")
LOGGED = (Logged("points", ("points",)), Logged("goods", COUNTED[1:], verbs=("buy", "rob", "paid")))
MARK_FATES = (Fate.KILLED, Fate.STOLEN)  # by kind of mark
EVENT_COUNT = len(Event)
MARK_COUNT = len(Mark)
GOOD_COUNT = len(Good)


class Part(NamedInt):
    """The parts of a round."""

    DRAFT, FIRST, SECOND, END = range(4)


PART_COUNT = len(Part)


class MarkState(NamedInt):
    """Whether a mark can still hit."""

    OPEN, HIT, OVER = range(3)


class Effect(NamedInt):
    """Whether the effect of the servant at turn can be used, was used, or cannot be used."""

    OPEN, USED, GONE = range(3)


class Reason(NamedInt):
    """What distinguishes the winner from the second seat."""

    MOST, HONOUR_TIE, PARENT_TIE, CLOCKWISE_TIE = range(4)


class Ended(FactsBase):
    """The end of the game."""

    why = word(of=Reason)
    goal = number()  # 1: a seat has reached it


class Facts(FactsBase):
    """The facts of Puppet Kingdom."""

    parts = word(Part, of=Part)
    part = word(of=Part)
    cards = word(of=("ours", "own", "tuned"))  # the set of numbers
    goal = number()
    servants = number()
    card = number()  # the servant at turn
    fate = number()
    marks = word(Mark, of=MarkState)
    pile = number(up_to(EVENT_COUNT), 2)  # each event in the pile, and its place, from 0, if this seat knows it
    built = number(SEATS)  # the points of a seat's buildings; the rest of its points is honour
    owes = number(SEATS, up_to(HOUSES))
    effect = word(of=Effect)
    left = number()  # the left neighbour
    missing = number(keyed(BUILDINGS), Good)  # the goods that a seat lacks for each building of the row
    holds = number(SEATS, up_to(KINDS))  # the servants that each seat can hold face down
    ended = record(Ended)


def facts(s, seat, out, moves):
    for part in range(PART_COUNT):
        out.parts[part] = part
    out.part = part_of_round(s)
    out.cards = s.cards
    out.goal = GOAL[s.cards]
    out.servants = servants_in_use(s)
    out.fate = Fate.NORMAL
    if s.seat >= 0 and s.up[s.seat][lap(s)] > 0:
        out.card = card(s)
        out.fate = s.fate[s.seat][lap(s)]
    for kind in range(MARK_COUNT):
        out.marks[kind] = mark_state(s, s.mark[kind][Naming.TARGET], s.mark[kind][Naming.SERVANT], MARK_FATES[kind])
    list_pile(s, seat, out)
    for other in range(s.players):
        out.built[other] = 0
        n = 0
        for building in range(HOUSES):
            if s.place[building] == Place.OWNED + other:
                out.built[other] += POINTS[s.cards][building]
            if owes(s, other, building):
                out.owes[other][n] = building
                n += 1
    if seat == s.seat and seat != NOBODY and s.phase == Phase.ACTING:
        out.effect = effect_of_servant(s, seat, moves)
    if seat != NOBODY:
        out.left = left_of(s, seat)
        list_missing(s, seat, out)
        list_holds(s, seat, out)
    if s.phase == Phase.OVER:
        out.ended.why = reason_of_victory(s)
        out.ended.goal = 1 if s.points[place_at(s, 0)] >= GOAL[s.cards] else 0


def part_of_round(s):
    """Return the current part of the round."""
    if s.phase <= Phase.DRAFTING:
        return Part.DRAFT
    if s.seat < 0:
        return Part.END
    return Part.SECOND if lap(s) else Part.FIRST


def mark_state(s, target, servant, fate):
    """Return whether a mark has hit, can still hit, or is over."""
    for i in range(2):
        if s.up[target][i] == servant + 1 and s.fate[target][i] == fate:
            return MarkState.HIT
    return MarkState.OVER if s.open[servant] or not s.facedown[target] else MarkState.OPEN


def list_pile(s, seat, out):
    n = 0
    for event in range(EVENT_COUNT):
        if in_pile(s, event):
            out.pile[n][0] = event
            if seat != NOBODY:
                for i in range(DEPTH - 1, -1, -1):
                    if s.known[seat][i] == event + 1:
                        out.pile[n][1] = i
            n += 1


def effect_of_servant(s, seat, moves):
    """Return whether the servant's effect can be used, was used, or cannot be used."""
    if s.used and s.fate[seat][lap(s)] != Fate.STOLEN:
        return Effect.USED
    for i in range(legal(s, seat, moves)):
        verb = VERB[moves[i]]
        if verb != MOVES.take and verb != MOVES.buy and verb != MOVES.end:  # which any servant's turn allows
            return Effect.OPEN
    return Effect.GONE


def list_missing(s, seat, out):
    for i in range(s.players):
        if s.row[i]:
            building = s.row[i] - 1
            for good in range(GOOD_COUNT):
                out.missing[building][good] = max(0, COST[s.cards][building][good] - s.goods[seat][good])


def list_holds(s, me, out):
    """List what each seat can hold: by the deduction option, or else all that are not this seat's own."""
    for other in range(s.players):
        n = 0
        for servant in range(KINDS):
            if s.deduction:
                can = s.possible[me][other][servant]
            else:
                can = servant < servants_in_use(s) and not s.down[me][servant] and s.centre[me] != servant + 1
            if can:
                out.holds[other][n] = servant
                n += 1


def is_before(s, seat, other):
    """Return True if a seat is placed before another: by points, less honour, and the order from the parent."""
    if s.points[seat] != s.points[other]:
        return s.points[seat] > s.points[other]
    if s.goods[seat][Good.HONOUR] != s.goods[other][Good.HONOUR]:
        return s.goods[seat][Good.HONOUR] < s.goods[other][Good.HONOUR]
    return (seat - s.parent) % s.players < (other - s.parent) % s.players


def place_at(s, place):
    """Return the seat at a place, from 0."""
    seat = 0
    while seats_before(s, seat) != place:
        seat += 1
    return seat


def seats_before(s, seat):
    """Return how many seats are placed before this one."""
    n = 0
    for other in range(s.players):
        n += is_before(s, other, seat)
    return n


def reason_of_victory(s):
    """Return what distinguishes the winner from the second seat."""
    first = place_at(s, 0)
    second = place_at(s, 1)
    if s.points[first] > s.points[second]:
        return Reason.MOST
    if s.goods[first][Good.HONOUR] < s.goods[second][Good.HONOUR]:
        return Reason.HONOUR_TIE
    return Reason.CLOCKWISE_TIE if first != s.parent else Reason.PARENT_TIE


def counted(s, seat, out):
    out[0] = s.points[seat]
    for good in range(GOOD_COUNT):
        out[1 + good] = s.goods[seat][good]
    honour = s.goods[seat][Good.HONOUR]
    out[1 + GOOD_COUNT] = honour
    out[2 + GOOD_COUNT] = s.points[seat] - honour
