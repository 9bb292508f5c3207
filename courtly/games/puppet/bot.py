"""The squire of Puppet Kingdom. It drafts servants by need, names servants by likelihood, and plays each turn as the
best sequence of actions.

Values are in tenths of a point: points, goods, the distance to buildings in the row, what own buildings will still
bring, the lead in soldiers, and taxes that cannot be paid.
"""

from typing import Any

from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.engine.rng import Row, draw_below
from courtly.engine.schemas import PositionView
from courtly.games.puppet import rules
from courtly.games.puppet.cards import Event, Good, Helped, Servant
from courtly.games.puppet.estate import can_pay, owes
from courtly.games.puppet.servants import can_receive, production
from courtly.games.puppet.table import (
    COST,
    DUE,
    GOAL,
    HELPS,
    HOUSES,
    KINDS,
    MOVES,
    POINTS,
    PRODUCES,
    VERB,
    Mark,
    Naming,
    Phase,
    X,
    Y,
)
from courtly.games.puppet.worlds import has_seen, servants_in_use

POINT = 10.0
GOOD = (3.4, 3.4, 3.2, 3.0, 2.6, 2.2, 1.8, 1.4, 1.0, 0.8)  # values of the first, the second … good of one kind
NEAR = 0.8  # the factor for each missing good on the value of a building
REACH = 0.4  # the value of a building that could be bought, relative to a bought one
LEAD = 2.6  # the value of the lead in soldiers, by the honour that a war would bring
UNPAID = 2.5  # the loss for each point of a building whose tax cannot be paid
ROUNDS = 0.8  # expected remaining rounds for each point that the leader lacks
KILL, STEAL = 8.0, 3.0  # the value of a hit in addition to the servant: the lost turn, and the surprise
TALENTS = {Servant.FOUNDATION: 1.5, Servant.GENERAL: 1.2, Servant.HERMIT: 1.5, Servant.REAPER: 4.6, Servant.IMP: 4.4}
FIRST = {
    Servant.REAPER: 20.0,
    Servant.IMP: 20.0,
    Servant.GENERAL: 1.0,
}  # a bonus for turning them up while others have two cards face down


def choose(game: Game, view: PositionView, rng: Row) -> int:
    """Return the id of a legal move."""
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if len(legal) == 1:
        return legal[0]
    return Evaluator(Position.from_view(game, view).state, seat, legal, rng).choose()


class Evaluator:
    """A decision of one seat. The state holds what that seat sees; hidden numbers are 0."""

    def __init__(self, s: Any, me: int, legal: list[int], rng: Row):
        self.s, self.me, self.legal, self.rng = s, me, legal, rng
        self.cards = s.cards
        self.others = [seat for seat in range(s.players) if seat != me]
        self.against = 1.0 if s.players == 2 else 0.45
        self.seen: dict[tuple[Any, ...], float] = {}

    def choose(self) -> int:
        phase = self.s.phase
        if phase == Phase.DRAFTING:
            return self.best(lambda move: self.talent(self.me, X[move]) + draw_below(self.rng, 100) / 90)
        if phase == Phase.REVEALING:
            return self.best(
                lambda move: self.talent(self.me, X[move]) + FIRST.get(X[move], 0.0) * (self.s.turn < self.s.players)
            )
        if phase == Phase.PUTTING:
            return MOVES.put + (self.welcome(self.s.known[self.me][0] - 1) < 0)
        if phase == Phase.TAXING:
            return self.tax()
        return self.act()

    def best(self, value: Any) -> int:
        return max(self.legal, key=lambda move: (value(move), -move))

    # --- values of positions ------------------------------------------------------------------------------------------

    def value(self, s: Any) -> float:
        leader = max(self.worth(s, seat) for seat in self.others)
        total = sum(self.worth(s, seat) for seat in self.others)
        return self.worth(s, self.me) - (total * self.against * 0.6 + leader * self.against * 0.4)

    def worth(self, s: Any, seat: int) -> float:
        own, points = s.goods[seat], s.points[seat]
        soldiers = max(row[Good.SOLDIER] for n, row in enumerate(s.goods[: s.players]) if n != seat)
        left = max(0, GOAL[self.cards] - max(s.points[: s.players])) * ROUNDS
        v = POINT * points + sum(sum(GOOD[:n]) + max(0, n - len(GOOD)) * 0.5 for n in own[:3])
        v += self.reach(s, own) + left * (
            0.9 * sum(s.helped[seat][:3]) + 2.0 * s.helped[seat][Helped.WAR] + 0.6 * s.helped[seat][Helped.CONSCRIPTION]
        )
        if own[Good.SOLDIER] and own[Good.SOLDIER] >= soldiers:
            v += LEAD * (1 + s.helped[seat][Helped.WAR])
        v -= sum(UNPAID * POINTS[self.cards][b] for b in range(HOUSES) if owes(s, seat, b) and not can_pay(s, seat, b))
        if points >= GOAL[self.cards]:
            v += 2 * POINT if points > max(s.points[n] for n in range(s.players) if n != seat) else -POINT
        return v

    def reach(self, s: Any, own: list[int]) -> float:
        """Return the value of the two nearest buildings of the row."""
        found = [0.0, 0.0]
        for n in s.row[: s.players]:
            if n:
                cost = COST[self.cards][n - 1]
                missing = sum(max(0, c - o) for c, o in zip(cost, own, strict=True))
                found.append(
                    (POINT * POINTS[self.cards][n - 1] + 4 * sum(HELPS[self.cards][n - 1])) * REACH * NEAR**missing
                )
        found.sort()
        return found[-1] + 0.4 * found[-2]

    # --- servants -----------------------------------------------------------------------------------------------------

    def talent(self, seat: int, servant: int) -> float:
        """Return what a servant's effect would bring to a seat now."""
        s = self.s
        own = s.goods[seat]
        if servant <= Servant.COOK:
            good, amount = PRODUCES[servant], production(s, seat, servant)
            return sum((*GOOD, *[0.5] * 99)[own[good] : own[good] + amount]) + 0.6 * self.wanted(seat, good) * amount
        if servant == Servant.ELEPHANT:
            return 5.5 if sum(own[:3]) > 3 else 3.5 if sum(own[:3]) else 1.0
        if servant == Servant.PRINCESS:
            rich = s.goods[max(s.parent, 0)]
            return 0.3 if seat == s.parent else 11.0 if rich[Good.HONOUR] else 4.5 if any(rich) else 2.0
        return TALENTS[servant]

    def wanted(self, seat: int, good: int) -> int:
        """Return how many buildings of the row need more of a good than this seat has."""
        return sum(COST[self.cards][n - 1][good] > self.s.goods[seat][good] for n in self.s.row[: self.s.players] if n)

    def welcome(self, event: int) -> float:
        """Return a number above 0 if an event is good for this seat."""
        s, me = self.s, self.me
        if event == Event.WAR:
            most = max(row[Good.SOLDIER] for row in s.goods[: s.players])
            return 1.0 if s.goods[me][Good.SOLDIER] == most > 0 else -1.0
        if event == Event.TAX:
            due = [sum(owes(s, seat, b) for b in range(HOUSES)) for seat in range(s.players)]
            return sum(due) / s.players - due[me] - 0.1
        if event == Event.CONSCRIPTION:
            return s.helped[me][Helped.CONSCRIPTION] + 0.1
        return 0.1

    def tax(self) -> int:
        """Return the decision about the most valuable building: forgo it if its tax costs more than it is worth."""
        s, me = self.s, self.me

        def gain(b: int) -> float:
            return POINT * POINTS[self.cards][b] + 5 * sum(HELPS[self.cards][b]) - 3 * sum(DUE[self.cards][b])

        best = max((b for b in range(HOUSES) if owes(s, me, b) and not s.plan[me][b]), key=gain)
        return MOVES.pay + best if gain(best) > 0 and MOVES.pay + best in self.legal else MOVES.forgo + best

    # --- a turn -------------------------------------------------------------------------------------------------------

    def act(self) -> int:
        """Return the first step of the best sequence of actions; the end, or no effect, if nothing is better."""
        stop = MOVES.end if MOVES.end in self.legal else MOVES.decline
        best, chosen = self.value(self.s), stop
        for move in self.legal:
            if move != stop:
                value = self.after(self.s, move)
                if value > best + 1e-9:
                    best, chosen = value, move
        return chosen

    def after(self, s: Any, move: int) -> float:
        """Return the value of the turn that begins with this move."""
        verb = VERB[move]
        flat = 0.0
        s = s.copy()
        if verb in (MOVES.kill, MOVES.steal):
            flat = self.hope(verb, X[move], Y[move])
        elif verb == MOVES.look:
            flat = TALENTS[Servant.HERMIT]
        elif verb == MOVES.clear:
            flat = self.clearing(X[move], Y[move])
        if flat or verb in (MOVES.look, MOVES.clear):
            s.used = 1
        else:
            rules.apply(s, self.me, move)
        return flat + self.rest(s)

    def rest(self, s: Any) -> float:
        """Return the value of the best continuation of this turn."""
        if s.phase != Phase.ACTING or s.seat != self.me:
            return self.value(s)
        key = (s.used, s.took, s.bought, *s.goods[self.me], *s.points[: s.players], s.parent)
        if key not in self.seen:
            moves = MOVES.listed(rules.legal, s, self.me)
            follow = [m for m in moves if VERB[m] in (MOVES.take, MOVES.buy, MOVES.gain, MOVES.offer, MOVES.rob)]
            self.seen[key] = max([self.value(s), *(self.after(s, m) for m in follow)])
        return self.seen[key]

    def clearing(self, building: int, refill: int) -> float:
        """Return the value of removing a building: high if others are near to it, low if this seat is."""
        s = self.s

        def near(seat: int) -> float:
            missing = sum(max(0, c - o) for c, o in zip(COST[self.cards][building], s.goods[seat], strict=True))
            return POINT * POINTS[self.cards][building] * REACH * NEAR**missing

        return self.against * max(map(near, self.others)) - near(self.me) + 0.5 * refill

    # --- naming servants ----------------------------------------------------------------------------------------------

    def hope(self, verb: int, target: int, servant: int) -> float:
        """Return the expected value of naming: the likelihood that the target holds the servant, times the value of a
        hit."""
        s = self.s
        chance = self.likely(target, servant)
        lead = 1.0 + 0.1 * (s.points[target] - max(s.points[n] for n in self.others))
        if verb == MOVES.kill:
            robbed = s.mark[Mark.STEAL]
            if robbed[Naming.BY] == self.me and robbed[Naming.TARGET] == target and robbed[Naming.SERVANT] == servant:
                return 0.0
            return chance * self.against * (KILL + self.talent(target, servant)) * lead
        mine = self.talent(self.me, servant) if can_receive(s, self.me, servant) else 0.0
        return chance * (STEAL + mine + self.against * self.talent(target, servant)) * lead

    def likely(self, target: int, servant: int) -> float:
        """Return the likelihood that a servant lies face down before a seat: the left neighbour has chosen one of the
        two cards passed to it; all other cards are unseen."""
        s, me = self.s, self.me
        from_me = target == (me + 1) % s.players
        passed = [c for c in range(KINDS) if s.passed[me][c]] if from_me else []
        shown = [c - 1 for c in s.up[target] if c]
        if servant in passed:
            return 0.0 if any(c in shown for c in passed) else self.share(target, servant, passed)
        places = s.facedown[target] - (from_me and not any(c in shown for c in passed))
        unseen = [c for c in range(servants_in_use(s)) if not s.open[c] and not has_seen(s, me, c)]
        return min(1.0, places * self.share(target, servant, unseen)) if servant in unseen else 0.0

    def share(self, target: int, servant: int, among: list[int]) -> float:
        """Return the weight of a servant among others: better servants are chosen more often."""
        return (2 + self.talent(target, servant)) / sum(2 + self.talent(target, c) for c in among)
