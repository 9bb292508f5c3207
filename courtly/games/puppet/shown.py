"""What follows by the rules from what an audience sees, for the board: seats, servants and buildings by their numbers.

The state is made of a view: what the audience cannot see is 0.
"""

from courtly.games.puppet.cards import BUILDINGS, OURS, OWN, TUNED, Event, Good
from courtly.games.puppet.estate import owes
from courtly.games.puppet.rules import left_of, legal
from courtly.games.puppet.servants import card, lap
from courtly.games.puppet.table import COST, GOAL, HOUSES, KINDS, MOVES, POINTS, VERB, Fate, Mark, Naming, Phase, Place
from courtly.games.puppet.worlds import servants_in_use

PARTS = ("draft", "first", "second", "end")
WHOSE = {OURS: "ours", OWN: "own", TUNED: "tuned"}
ANYBODY = (MOVES.take, MOVES.buy, MOVES.end)  # what a turn brings whatever the servant is
COUNTED = ("points", "gold", "food", "soldier", "honour")


def facts(s, seat):
    acting = s.seat >= 0 and s.up[s.seat][lap(s)] > 0
    return {
        "parts": list(PARTS),
        "part": part(s),
        "cards": WHOSE[s.cards],  # whose numbers
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
    """Which part of the round it is."""
    if s.phase <= Phase.DRAFTING:
        return "draft"
    return "end" if s.seat < 0 else "second" if lap(s) else "first"


def met(s, mark, fate):
    """Has a mark hit, may it still, or is it over?"""
    target, servant = mark[Naming.TARGET], mark[Naming.SERVANT]
    if (servant + 1, fate) in zip(s.up[target], s.fate[target], strict=True):
        return "hit"
    return "over" if s.open[servant] or not s.facedown[target] else "open"


def pile(s, seat):
    """The events that are still in the pile, and where this seat has seen them lie, from 0."""
    known = [] if seat is None else s.known[seat]
    left = [event for event in range(len(Event)) if event + 1 not in (s.newest, s.older)]
    return [[event, known.index(event + 1) if event + 1 in known else None] for event in left]


def built(s, seat):
    """The points of a seat's buildings; all others are its honour."""
    return sum(POINTS[s.cards][building] for building in range(HOUSES) if s.place[building] == Place.OWNED + seat)


def effect(s, seat):
    """Can the effect of the servant be used, was it, or has somebody or something else seen to it that it cannot?"""
    if s.used and s.fate[seat][lap(s)] != Fate.STOLEN:
        return "used"
    return "open" if any(VERB[move] not in ANYBODY for move in MOVES.listed(legal, s, seat)) else "gone"


def missing(s, seat):
    """The goods that a seat lacks to buy what stands in the row."""
    return {
        BUILDINGS[n - 1]: [max(0, COST[s.cards][n - 1][good] - s.goods[seat][good]) for good in range(len(Good))]
        for n in s.row
        if n
    }


def holds(s, me, other):
    """The servants that another seat can hold face down, by what is worked out for this one, or else by its own
    cards."""
    if s.deduction:
        return [servant for servant in range(KINDS) if s.possible[me][other][servant]]
    mine = {servant for servant in range(KINDS) if s.down[me][servant]} | {s.centre[me] - 1}
    return [servant for servant in range(servants_in_use(s)) if servant not in mine]


def ended(s):
    """By what the winner comes before the next: points, fewer honour, or who comes first from the parent; and whether
    anybody has reached the goal."""
    ranks = sorted((-s.points[n], s.goods[n][Good.HONOUR], (n - s.parent) % s.players) for n in range(s.players))
    first, second = ranks[:2]
    tie = "honour-tie" if first[1] < second[1] else "clockwise-tie" if first[2] else "parent-tie"
    why = "most" if first[0] < second[0] else tie
    return {"why": why, "goal": int(-first[0] >= GOAL[s.cards])}


def counted(s, seat):
    """What a player counts, in the order of COUNTED; the first is what it is all about."""
    return [s.points[seat], *s.goods[seat]]
