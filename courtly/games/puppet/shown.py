"""The facts for the board that follow from a view. Seats, servants and buildings are numbered.

The state comes from a view: hidden numbers are 0.
"""

from courtly.games.puppet.cards import BUILDINGS, OURS, OWN, TUNED, Event, Good
from courtly.games.puppet.estate import owes
from courtly.games.puppet.rules import left_of, legal
from courtly.games.puppet.servants import card, lap
from courtly.games.puppet.table import COST, GOAL, HOUSES, KINDS, MOVES, POINTS, VERB, Fate, Mark, Naming, Phase, Place
from courtly.games.puppet.worlds import servants_in_use

PARTS = ("draft", "first", "second", "end")
WHOSE = {OURS: "ours", OWN: "own", TUNED: "tuned"}
ANYBODY = (MOVES.take, MOVES.buy, MOVES.end)  # moves that any servant's turn allows
COUNTED = ("points", "gold", "food", "soldier", "honour")


def facts(s, seat):
    acting = s.seat >= 0 and s.up[s.seat][lap(s)] > 0
    return {
        "parts": list(PARTS),
        "part": part(s),
        "cards": WHOSE[s.cards],  # the set of numbers
        "goal": GOAL[s.cards],
        "servants": servants_in_use(s),
        "card": card(s) if acting else None,
        "fate": s.fate[s.seat][lap(s)] if acting else Fate.NORMAL,
        "marks": [met(s, s.mark[kind], fate) for kind, fate in ((Mark.KILL, Fate.KILLED), (Mark.STEAL, Fate.STOLEN))],
        "pile": pile(s, seat),
        "built": [built(s, other) for other in range(s.players)],
        "owes": [[b for b in range(HOUSES) if owes(s, other, b)] for other in range(s.players)],
        "effect": effect(s, seat) if s.phase == Phase.ACTING and seat == s.seat else None,
        "left": None if seat is None else left_of(s, seat),
        "missing": None if seat is None else missing(s, seat),
        "holds": None if seat is None else [holds(s, seat, other) for other in range(s.players)],
        "ended": ended(s) if s.phase == Phase.OVER else None,
    }


def part(s):
    """Return the current part of the round."""
    if s.phase <= Phase.DRAFTING:
        return "draft"
    return "end" if s.seat < 0 else "second" if lap(s) else "first"


def met(s, mark, fate):
    """Return whether a mark has hit, can still hit, or is over."""
    target, servant = mark[Naming.TARGET], mark[Naming.SERVANT]
    if (servant + 1, fate) in zip(s.up[target], s.fate[target], strict=True):
        return "hit"
    return "over" if s.open[servant] or not s.facedown[target] else "open"


def pile(s, seat):
    """Return the events in the pile, each with its place, from 0, if this seat has seen it."""
    known = [] if seat is None else s.known[seat]
    left = [event for event in range(len(Event)) if event + 1 not in (s.newest, s.older)]
    return [[event, known.index(event + 1) if event + 1 in known else None] for event in left]


def built(s, seat):
    """Return the points of a seat's buildings; the rest of its points is honour."""
    return sum(POINTS[s.cards][building] for building in range(HOUSES) if s.place[building] == Place.OWNED + seat)


def effect(s, seat):
    """Return "open" if the servant's effect can be used, "used" if it was, and "gone" if it cannot be used."""
    if s.used and s.fate[seat][lap(s)] != Fate.STOLEN:
        return "used"
    return "open" if any(VERB[move] not in ANYBODY for move in MOVES.listed(legal, s, seat)) else "gone"


def missing(s, seat):
    """Return the goods that a seat lacks for each building of the row."""
    return {
        BUILDINGS[n - 1]: [max(0, COST[s.cards][n - 1][good] - s.goods[seat][good]) for good in range(len(Good))]
        for n in s.row
        if n
    }


def holds(s, me, other):
    """Return the servants that another seat can hold face down: by the deduction option, or else all that are not this
    seat's own."""
    if s.deduction:
        return [servant for servant in range(KINDS) if s.possible[me][other][servant]]
    mine = {servant for servant in range(KINDS) if s.down[me][servant]} | {s.centre[me] - 1}
    return [servant for servant in range(servants_in_use(s)) if servant not in mine]


def ended(s):
    """Return what distinguishes the winner from the second seat (points, less honour, or the order from the parent),
    and whether a seat has reached the goal."""
    ranks = sorted((-s.points[n], s.goods[n][Good.HONOUR], (n - s.parent) % s.players) for n in range(s.players))
    first, second = ranks[:2]
    tie = "honour-tie" if first[1] < second[1] else "clockwise-tie" if first[2] else "parent-tie"
    why = "most" if first[0] < second[0] else tie
    return {"why": why, "goal": int(-first[0] >= GOAL[s.cards])}


def counted(s, seat):
    """Return the numbers that players count, in the order of COUNTED; the most important one comes first."""
    return [s.points[seat], *s.goods[seat]]
