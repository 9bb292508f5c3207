"""Puppet Kingdom: what a seat knows about hidden servants and events, and worlds in which the rest is dealt again.

Every servant of a draft has one place: chosen first or second by a seat, in the centre, or not dealt. A seat passes two
cards, of which the left neighbour chooses one and lays the other in the centre. So nine places (six with two players)
describe a whole draft.
"""

from courtly.engine.constants import NOBODY, SPECTATOR
from courtly.engine.rng import draw_below, pick_weighted
from courtly.engine.stdlib.hidden_hands import draw_card
from courtly.games.puppet.estate import can_pay, owes
from courtly.games.puppet.table import DEALT, DEPTH, HOUSES, KINDS, Phase, Plan

FIRST, SECOND, CENTRE = range(3)


def servants_in_use(s):
    return KINDS if s.princess else KINDS - 1


def in_pile(s, event):
    return 1 if s.newest != event + 1 and s.older != event + 1 else 0


def put_away(s, seat):
    """Remove all servants that are the secret of a seat."""
    s.centre[seat] = 0
    for servant in range(KINDS):
        s.hand[seat][servant] = 0
        s.down[seat][servant] = 0
        s.passed[seat][servant] = 0
        s.received[seat][servant] = 0


# --- the deduction option ---------------------------------------------------------------------------------------------


def deduce(s):
    """Compute, for every seat, what each other seat can hold face down as far as this seat can tell."""
    for me in range(s.players):
        left = (me + 1) % s.players
        for other in range(s.players):
            for servant in range(KINDS):
                s.possible[me][other][servant] = 0
            if other != me and s.facedown[other] and all_picked(s):
                consider(s, me, other, other == left)


def all_picked(s):
    for seat in range(s.players):
        if s.picked[seat] < 2:
            return False
    return True


def consider(s, me, other, is_left):
    """Mark what another seat can hold. The second servant of the left neighbour is one of the two passed cards; all
    other places hold cards that were never seen."""
    knows_first = False
    knows_second = False
    for i in range(2):
        servant = s.up[other][i] - 1
        if servant >= 0 and is_left:
            if s.passed[me][servant]:
                knows_second = True
            else:
                knows_first = True
    for servant in range(servants_in_use(s)):
        if not s.open[servant]:
            if is_left and s.passed[me][servant]:
                can = not knows_second
            else:
                can = not knows_first and not has_seen(s, me, servant)
            s.possible[me][other][servant] = 1 if can else 0


def has_seen(s, me, servant):
    return s.hand[me][servant] or s.down[me][servant] or s.passed[me][servant] or s.received[me][servant]


# --- worlds -----------------------------------------------------------------------------------------------------------


def determinize(s, seat, rng):
    """Deal again everything that a seat (SPECTATOR for spectators) cannot see, consistent with what it knows."""
    guess_events(s, seat, rng)
    guess_plans(s, seat, rng)
    if s.phase == Phase.STARTING or s.dealt == 0 and s.phase != Phase.DEALING:
        return
    for servant in range(KINDS):
        s.spare[servant] = 1 if servant < servants_in_use(s) and not s.open[servant] else 0
    if seat != SPECTATOR:
        for servant in range(KINDS):
            if has_seen(s, seat, servant):
                s.spare[servant] = 0
    if s.phase == Phase.DEALING:
        guess_hands(s, seat, rng)
    else:
        guess_draft(s, seat, rng)
    for servant in range(KINDS):
        s.deck[servant] = s.spare[servant]
    if s.deduction:
        deduce(s)  # the deductions of each seat depend on what it has seen


def guess_hands(s, seat, rng):
    """Guess the hands while the cards are being dealt."""
    for other in range(s.players):
        if other != seat:
            for servant in range(KINDS):
                s.hand[other][servant] = 0
            for _ in range(max(0, min(DEALT, s.dealt - DEALT * other))):
                s.hand[other][draw_card(rng, s.spare, KINDS)] = 1


def guess_draft(s, seat, rng):
    for other in range(s.players):
        for i in range(3):
            s.slot[other][i] = 0
    if seat != SPECTATOR:
        place_own(s, seat, rng)
    for other in range(s.players):
        place_open(s, other, rng)
    for other in range(s.players):
        for i in range(3):
            if s.slot[other][i] == 0:
                s.slot[other][i] = draw_card(rng, s.spare, KINDS) + 1
    for other in range(s.players):
        if other != seat:
            write(s, other)


def place_own(s, seat, rng):
    """Fill in the places of cards that a seat has had in its hand: the three dealt to it, and the two received."""
    left = (seat + 1) % s.players
    if s.picked[seat] == 0:
        place_two(s, s.hand[seat], left, NOBODY)
        for servant in range(KINDS):
            if s.hand[seat][servant] and s.slot[left][SECOND] != servant + 1 and s.slot[left][CENTRE] != servant + 1:
                s.slot[seat][FIRST] = servant + 1
        return
    place_two(s, s.passed[seat], left, chosen_of_passed(s, seat, left, rng))
    for servant in range(KINDS):
        if (s.down[seat][servant] or is_up(s, seat, servant)) and not s.received[seat][servant]:
            s.slot[seat][FIRST] = servant + 1
    if s.picked[seat] == 2:
        for servant in range(KINDS):
            if s.received[seat][servant] and s.centre[seat] != servant + 1:
                s.slot[seat][SECOND] = servant + 1
        s.slot[seat][CENTRE] = s.centre[seat]
    else:
        place_two(s, s.received[seat], seat, NOBODY)


def place_two(s, cards, seat, chosen):
    """Put two cards into a seat's second choice and its centre: the chosen one, or the first of them, is the second
    choice. Does nothing if there are no cards."""
    n = 0
    for servant in range(KINDS):
        if cards[servant] and n < 2:
            s.slot[seat][SECOND + n] = servant + 1
            n += 1
    if n and chosen != NOBODY and s.slot[seat][CENTRE] == chosen + 1:
        s.slot[seat][CENTRE] = s.slot[seat][SECOND]
        s.slot[seat][SECOND] = chosen + 1


def chosen_of_passed(s, seat, left, rng):
    """Return which of the passed cards the left neighbour chose: the one that it has turned up, or a guess."""
    for servant in range(KINDS):
        if s.passed[seat][servant] and is_up(s, left, servant):
            return servant
    return pick_weighted(rng, s.passed[seat], KINDS)


def is_up(s, seat, servant):
    return s.up[seat][0] == servant + 1 or s.up[seat][1] == servant + 1


def place_open(s, seat, rng):
    """Fill in a servant that was turned up as first or second choice; only the seat that passed it knows which."""
    for i in range(2):
        card = s.up[seat][i]
        if card and s.slot[seat][FIRST] != card and s.slot[seat][SECOND] != card:
            where = draw_below(rng, 2)
            if s.slot[seat][where]:
                where = 1 - where
            s.slot[seat][where] = card


def write(s, seat):
    """Write a seat's private cards, as far as the draft has progressed."""
    left = (seat + 1) % s.players
    right = (seat - 1) % s.players
    put_away(s, seat)
    first, second, centre = s.slot[seat][FIRST] - 1, s.slot[seat][SECOND] - 1, s.slot[seat][CENTRE] - 1
    gift, other_gift = s.slot[left][SECOND] - 1, s.slot[left][CENTRE] - 1
    if s.picked[seat] == 0:
        s.hand[seat][first] = 1
        s.hand[seat][gift] = 1
        s.hand[seat][other_gift] = 1
        return
    s.passed[seat][gift] = 1
    s.passed[seat][other_gift] = 1
    lay_down(s, seat, first)
    if s.picked[right]:
        s.received[seat][second] = 1
        s.received[seat][centre] = 1
    if s.picked[seat] == 2:
        lay_down(s, seat, second)
        s.centre[seat] = centre + 1
    elif s.picked[right]:
        s.hand[seat][second] = 1
        s.hand[seat][centre] = 1


def lay_down(s, seat, servant):
    if not s.open[servant]:
        s.down[seat][servant] = 1


def guess_events(s, seat, rng):
    """Deal the events of the pile again, except those that this seat has seen. Which places each seat has seen is
    public."""
    left = 0
    for event in range(DEPTH):
        left |= in_pile(s, event) << event
    for i in range(DEPTH):
        s.order[i] = s.known[seat][i] if seat != SPECTATOR else 0
        if s.order[i]:
            left &= ~(1 << (s.order[i] - 1))
    for i in range(DEPTH):
        seen = 0
        for other in range(s.players):
            seen |= s.looked[other][i]
        if seen and not s.order[i]:
            event = draw_bit(left, rng)
            left &= ~(1 << event)
            s.order[i] = event + 1
        for other in range(s.players):
            s.known[other][i] = s.order[i] if s.looked[other][i] else 0


def draw_bit(bits, rng):
    n = 0
    for i in range(DEPTH):
        n += bits >> i & 1
    k = draw_below(rng, n)
    for i in range(DEPTH):
        if bits >> i & 1:
            if k == 0:
                return i
            k -= 1
    return 0


def guess_plans(s, seat, rng):
    """Guess the decisions about taxes. Other seats that are still deciding have decided nothing; those that are done
    have decided at random."""
    if s.phase != Phase.TAXING and s.phase != Phase.COLLECTING:
        return
    for other in range(s.players):
        if other != seat:
            for building in range(HOUSES):
                s.plan[other][building] = 0
            if s.phase == Phase.COLLECTING or not s.pending >> other & 1:
                guess_plan(s, other, rng)


def guess_plan(s, seat, rng):
    """Decide the taxes of a seat at random, one at a time; a tax is only paid if the goods are sufficient."""
    start = max(0, s.cursor - ((seat - s.parent) % s.players) * HOUSES) if s.phase == Phase.COLLECTING else 0
    n = decide_nth(s, seat, start, NOBODY)
    while n:
        decide_nth(s, seat, start, draw_below(rng, n))
        n = decide_nth(s, seat, start, NOBODY)


def decide_nth(s, seat, start, nth):
    """Make the decision with index `nth` of those open to an owner (NOBODY for none). Returns the number of decisions
    counted."""
    n = 0
    for building in range(start, HOUSES):
        if owes(s, seat, building) and s.plan[seat][building] == 0:
            for how in range(Plan.PAY, Plan.FORGO + 1):
                if how == Plan.FORGO or can_pay(s, seat, building):
                    if n == nth:
                        s.plan[seat][building] = how
                        return n
                    n += 1
    return n
