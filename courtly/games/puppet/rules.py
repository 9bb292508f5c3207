"""Puppet Kingdom (Hayato Kisaragi, 2012; the edition of Princess Wonder): the rules, in the order of the rulebook.

The piles have no order: a card is drawn when it is turned up. Only an event that a Hermit has seen has a fixed place in
its pile. The effects of a card are events with a single outcome (killed, stolen, reward, paid …), so that the log
contains them.
"""

from courtly.engine.constants import CHANCE, EVERYONE, NOBODY, SILENT
from courtly.engine.stdlib.common import append_nonempty, enter_phase
from courtly.games.puppet.cards import Event, Good, Helped
from courtly.games.puppet.estate import (
    add_building,
    buy,
    can_afford,
    can_pay,
    change_row,
    count_at,
    earn,
    in_turn,
    next_due,
    owes,
    restock,
    undecided,
)
from courtly.games.puppet.refusals import Refusal, refusal
from courtly.games.puppet.servants import (
    act,
    can_receive,
    card,
    clear,
    finish_effect,
    lap,
    legal_effect,
    name,
    offer,
    peek,
    put,
    rob,
)
from courtly.games.puppet.table import (
    AMOUNT_COUNT,
    BRINGS,
    COMPONENTS,
    DEALT,
    DEPTH,
    DUE,
    GOAL,
    HOUSES,
    KINDS,
    MOST_ROUNDS,
    MOVES,
    VERB,
    Fate,
    Mark,
    Naming,
    Phase,
    Place,
    Plan,
    State,
    X,
    Y,
    Z,
)
from courtly.games.puppet.worlds import deduce, determinize, in_pile, put_away, servants_in_use

__all__ = ["COMPONENTS", "MOVES", "Refusal", "State", "determinize", "refusal"]  # defined in other modules

# --- set-up -----------------------------------------------------------------------------------------------------------


def setup(s):
    s.parent = NOBODY
    s.seat = NOBODY
    s.actor = NOBODY
    for k in range(2):
        s.mark[k][Naming.BY] = NOBODY
    enter_phase(s, Phase.STARTING, CHANCE)


def left_of(s, seat):
    return (seat + 1) % s.players


def right_of(s, seat):
    return (seat - 1) % s.players


# --- the draft --------------------------------------------------------------------------------------------------------


def begin_round(s):
    s.round += 1
    for seat in range(s.players):
        s.picked[seat] = 0
        s.facedown[seat] = 0
        put_away(s, seat)
        for i in range(2):
            s.last[seat][i] = s.up[seat][i]
            s.last_fate[seat][i] = s.fate[seat][i]
            s.up[seat][i] = 0
            s.fate[seat][i] = Fate.NORMAL
    for k in range(2):
        s.mark[k][Naming.BY] = NOBODY
        s.mark[k][Naming.TARGET] = 0
        s.mark[k][Naming.SERVANT] = 0
    for servant in range(KINDS):
        s.open[servant] = 0
        s.deck[servant] = 1 if servant < servants_in_use(s) else 0
    if s.deduction:
        deduce(s)
    s.seat = NOBODY
    s.actor = NOBODY
    s.dealt = 0
    enter_phase(s, Phase.DEALING, CHANCE)


def deal(s, servant):
    s.deck[servant] = 0
    s.hand[s.dealt // DEALT][servant] = 1
    s.dealt += 1
    if s.dealt == DEALT * s.players:
        enter_phase(s, Phase.DRAFTING, (1 << s.players) - 1)


def keep(s, seat, servant):
    """Keep a servant. A seat can make its second choice as soon as it and its right neighbour have made their first,
    without waiting for other seats."""
    hand = s.hand[seat]
    hand[servant] = 0
    s.down[seat][servant] = 1
    s.facedown[seat] += 1
    s.picked[seat] += 1
    s.pending -= 1 << seat
    if s.picked[seat] == 1:
        for c in range(KINDS):
            s.passed[seat][c] = hand[c]
            hand[c] = 0
        for other in range(s.players):
            if receivers(s, seat) >> other & 1:
                receive(s, other)
    else:
        for c in range(KINDS):
            if hand[c]:
                s.centre[seat] = c + 1
                hand[c] = 0
    if s.pending == 0:
        begin_main(s)


def receivers(s, seat):
    """Return the bits of the seats that receive two cards after this seat's first choice: those for which both
    neighbours have chosen."""
    left = left_of(s, seat)
    return (s.picked[left] > 0) << left | (s.picked[right_of(s, seat)] > 0) << seat


def receive(s, seat):
    """Give this seat the two cards of its right neighbour."""
    gift = s.passed[right_of(s, seat)]
    for c in range(KINDS):
        s.received[seat][c] = gift[c]
        s.hand[seat][c] = gift[c]
    s.pending |= 1 << seat


# --- the main part ----------------------------------------------------------------------------------------------------


def begin_main(s):
    s.first = s.parent
    s.turn = 0
    if s.deduction:
        deduce(s)
    begin_turn(s)


def begin_turn(s):
    if s.turn == 2 * s.players:
        begin_end(s)
        return
    if s.turn == s.players and s.general_reorders:
        s.first = s.parent
    s.seat = (s.first + s.turn) % s.players
    s.actor = s.seat
    s.used = 0
    s.took = 0
    s.bought = 0
    enter_phase(s, Phase.REVEALING, 1 << s.seat)


def end_turn(s):
    s.turn += 1
    begin_turn(s)


def is_target(s, kind):
    """Return True if a mark of this kind names the seat at turn and a servant that was face down until now."""
    mark = s.mark[kind]
    servant = mark[Naming.SERVANT]
    return mark[Naming.BY] != NOBODY and mark[Naming.TARGET] == s.seat and (servant == card(s) or not s.open[servant])


def is_hit(s, kind):
    return is_target(s, kind) and s.mark[kind][Naming.SERVANT] == card(s)


def reveal(s, servant):
    s.down[s.seat][servant] = 0
    s.facedown[s.seat] -= 1
    s.up[s.seat][lap(s)] = servant + 1
    s.open[servant] = 1
    if s.deduction:
        deduce(s)
    if is_target(s, Mark.KILL) or is_target(s, Mark.STEAL):
        enter_phase(s, Phase.TELLING, CHANCE)
    else:
        act(s)


def told_fate(s):
    """Return the event for a servant that was named, or whose owner was."""
    if is_hit(s, Mark.KILL):
        return MOVES.killed + s.seat * KINDS + card(s)
    if is_hit(s, Mark.STEAL):
        return MOVES.stolen + (s.mark[Mark.STEAL][Naming.BY] * 3 + s.seat) * KINDS + card(s)
    return MOVES.missed + s.seat


def meet_fate(s, verb):
    if verb == MOVES.killed:
        s.fate[s.seat][lap(s)] = Fate.KILLED
        end_turn(s)
        return
    act(s)
    if verb == MOVES.stolen:
        s.fate[s.seat][lap(s)] = Fate.STOLEN
        s.used = 1
        if can_receive(s, s.mark[Mark.STEAL][Naming.BY], card(s)):
            s.actor = s.mark[Mark.STEAL][Naming.BY]
            enter_phase(s, Phase.STEALING, 1 << s.actor)


def turn_up(s, building):
    change_row(s, 0, building + 1)
    s.place[building] = Place.ROW
    if s.phase == Phase.TURNING_UP:
        finish_effect(s)
    else:
        refill(s)


def refill(s):
    """Fill the row; then end the round or the set-up."""
    if s.phase != Phase.OPENING:
        s.phase = Phase.REFILLING
    if count_at(s, Place.ROW) < s.players and restock(s):
        s.pending = CHANCE
    elif s.phase == Phase.OPENING:
        begin_round(s)
    else:
        end_round(s)


# --- the end part -----------------------------------------------------------------------------------------------------


def begin_end(s):
    s.seat = NOBODY
    s.actor = NOBODY
    enter_phase(s, Phase.DRAWING, CHANCE)


def draw(s, event):
    """Draw an event. If three events are open, the two older ones return to the pile, which is shuffled: its order
    becomes unknown to all seats."""
    for i in range(7, 0, -1):
        s.history[i] = s.history[i - 1]
    s.history[0] = event + 1
    shuffled = s.older != 0
    drop_top(s.order, shuffled)
    for seat in range(s.players):
        drop_top(s.known[seat], shuffled)
        drop_top(s.looked[seat], shuffled)
    s.older = 0 if shuffled else s.newest
    s.newest = event + 1
    s.cursor = 0
    if event == Event.GRIMOIRE:
        refill(s)
    elif event == Event.TAX:
        begin_tax(s)
    else:
        enter_phase(s, Phase.REWARDING, CHANCE)


def drop_top(pile, all_of_it):
    for i in range(DEPTH):
        pile[i] = 0 if all_of_it or i == DEPTH - 1 else pile[i + 1]


def most_soldiers(s):
    most = 0
    for seat in range(s.players):
        most = max(most, s.goods[seat][Good.SOLDIER])
    return most


def is_rewarded(s, seat):
    if s.newest == Event.WAR + 1:
        return s.goods[seat][Good.SOLDIER] == max(1, most_soldiers(s))
    return s.newest == Event.CONSCRIPTION + 1


def next_rewarded(s):
    """Return the next index in turn order with a reward; the number of players if there is none."""
    k = s.cursor
    while k < s.players and not is_rewarded(s, in_turn(s, k)):
        k += 1
    return k


def told_reward(s):
    k = next_rewarded(s)
    if k == s.players:
        return MOVES.nothing
    seat = in_turn(s, k)
    war = s.newest == Event.WAR + 1
    good = Good.HONOUR if war else Good.SOLDIER
    event = Helped.WAR if war else Helped.CONSCRIPTION
    return MOVES.reward + (seat * 4 + good) * AMOUNT_COUNT + BRINGS[s.cards][event] + s.helped[seat][event] - 1


def reward(s, seat, good, amount):
    s.cursor = next_rewarded(s) + 1
    earn(s, seat, good, amount)
    if next_rewarded(s) == s.players:
        refill(s)


def end_round(s):
    """End the round. The parent marker stays: only the General moves it."""
    over = s.round == (s.round_limit or MOST_ROUNDS)
    for seat in range(s.players):
        if s.points[seat] >= GOAL[s.cards]:
            over = True
    if over:
        enter_phase(s, Phase.OVER, 0)
    else:
        begin_round(s)


def scores(s, out):
    """Write the scores as decimal digits: points, 9999 - honour, 3 - place. Among equal points, fewer honour wins, then
    the first seat clockwise from the parent."""
    for seat in range(s.players):
        place = (seat - s.parent) % s.players
        out[seat] = (s.points[seat] * 10000 + 9999 - s.goods[seat][Good.HONOUR]) * 10 + 3 - place


# --- tax --------------------------------------------------------------------------------------------------------------


def begin_tax(s):
    owners = 0
    for seat in range(s.players):
        owners |= (undecided(s, seat) > 0) << seat
    if owners:
        enter_phase(s, Phase.TAXING, owners)
    else:
        enter_phase(s, Phase.REWARDING, CHANCE)  # it has an event without a reward


def decide(s, seat, building, how):
    s.plan[seat][building] = how
    if not undecided(s, seat):
        s.pending -= 1 << seat
        if s.pending == 0:
            enter_phase(s, Phase.COLLECTING, CHANCE)


def told_tax(s):
    i = next_due(s)
    seat = in_turn(s, i // HOUSES)
    building = i % HOUSES
    return (MOVES.paid if s.plan[seat][building] == Plan.PAY else MOVES.lost) + seat * HOUSES + building


def collect(s, seat, building, paid):
    s.cursor = next_due(s) + 1
    s.plan[seat][building] = 0
    if paid:
        for good in range(4):
            earn(s, seat, good, -DUE[s.cards][building][good])
    else:
        s.place[building] = Place.DISCARDED
        add_building(s, seat, building, -1)
    if next_due(s) == s.players * HOUSES:
        refill(s)


# --- random events ----------------------------------------------------------------------------------------------------


def chance(s, moves, weights):
    """List the possible events, all with the same probability."""
    n = outcomes(s, moves)
    for i in range(n):
        weights[i] = 1
    return n


def outcomes(s, moves):
    n = 0
    if s.phase == Phase.DEALING:
        n = append_nonempty(s.deck, KINDS, MOVES.deal, moves, 0)
    elif s.phase == Phase.STARTING:
        while n < s.players:
            moves[n] = MOVES.parent + n
            n += 1
    elif s.phase == Phase.OPENING or s.phase == Phase.TURNING_UP or s.phase == Phase.REFILLING:
        for building in range(HOUSES):
            if s.place[building] == Place.PILE:
                moves[n] = MOVES.build + building
                n += 1
    elif s.phase == Phase.DRAWING or s.phase == Phase.PEEKING:
        n = top_events(s, moves)
    else:
        moves[0] = told(s)
        n = 1
    return n


def top_events(s, moves):
    """List the events that can be on top of the pile: the one that a seat has seen there, or any that no seat has seen
    elsewhere in it."""
    verb = MOVES.event if s.phase == Phase.DRAWING else MOVES.peek
    n = 0
    for event in range(DEPTH):
        may = in_pile(s, event)
        if s.order[0] and s.order[0] != event + 1:
            may = 0
        for i in range(1, DEPTH):
            if s.order[i] == event + 1:
                may = 0
        if may:
            moves[n] = verb + event
            n += 1
    return n


def told(s):
    """Return the event for an outcome that is certain."""
    if s.phase == Phase.TELLING:
        return told_fate(s)
    if s.phase == Phase.REWARDING:
        return told_reward(s)
    return told_tax(s)


# --- legal moves ------------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.ACTING:
        return legal_acts(s, seat, moves)
    if s.phase == Phase.REVEALING:
        return append_nonempty(s.down[seat], KINDS, MOVES.reveal, moves, 0)
    if s.phase == Phase.DRAFTING:
        return append_nonempty(s.hand[seat], KINDS, MOVES.keep, moves, 0)
    if s.phase == Phase.STEALING:
        moves[0] = MOVES.decline
        return legal_effect(s, seat, card(s), moves, 1)
    if s.phase == Phase.PUTTING:
        moves[0] = MOVES.put
        moves[1] = MOVES.put + 1
        return 2
    return legal_taxes(s, seat, moves)


def legal_acts(s, seat, moves):
    n = 0
    if not s.used:
        n = legal_effect(s, seat, card(s), moves, 0)
    if not s.took:
        for good in range(3):
            moves[n] = MOVES.take + good
            n += 1
    if not s.bought:
        for i in range(s.players):
            if s.row[i] and can_afford(s, seat, s.row[i] - 1):
                moves[n] = MOVES.buy + s.row[i] - 1
                n += 1
    moves[n] = MOVES.end
    return n + 1


def legal_taxes(s, seat, moves):
    n = 0
    for building in range(HOUSES):
        if owes(s, seat, building) and s.plan[seat][building] == 0:
            moves[n] = MOVES.forgo + building
            n += 1
            if can_pay(s, seat, building):
                moves[n] = MOVES.pay + building
                n += 1
    return n


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == MOVES.keep:
        keep(s, seat, x)
    elif verb == MOVES.reveal:
        reveal(s, x)
    elif verb == MOVES.take:
        s.goods[seat][x] += 1
        s.took = 1
    elif verb == MOVES.buy:
        buy(s, seat, x)
    elif verb == MOVES.end:
        end_turn(s)
    elif verb == MOVES.pay:
        decide(s, seat, x, Plan.PAY)
    elif verb == MOVES.forgo:
        decide(s, seat, x, Plan.FORGO)
    elif verb == MOVES.deal:
        deal(s, x)
    elif move >= MOVES.count:
        happen(s, verb, x, Y[move], Z[move])
    else:
        effect(s, seat, verb, x, Y[move])


def effect(s, seat, verb, x, y):
    if verb == MOVES.gain:
        earn(s, seat, x, y + 1)
        finish_effect(s)
    elif verb == MOVES.kill:
        name(s, seat, Mark.KILL, x, y)
    elif verb == MOVES.steal:
        name(s, seat, Mark.STEAL, x, y)
    elif verb == MOVES.offer:
        offer(s, seat, x)
    elif verb == MOVES.clear:
        clear(s, x, y)
    elif verb == MOVES.lead:
        s.parent = seat
        finish_effect(s)
    elif verb == MOVES.look:
        enter_phase(s, Phase.PEEKING, CHANCE)
    elif verb == MOVES.put:
        put(s, x)
    elif verb == MOVES.rob:
        rob(s, seat, x)
    elif verb == MOVES.decline:
        act(s)


def happen(s, verb, x, y, z):
    if verb == MOVES.build:
        turn_up(s, x)
    elif verb == MOVES.event:
        draw(s, x)
    elif verb == MOVES.reward:
        reward(s, x, y, z + 1)
    elif verb == MOVES.peek:
        peek(s, x)
    elif verb == MOVES.paid:
        collect(s, x, y, True)
    elif verb == MOVES.lost:
        collect(s, x, y, False)
    elif verb == MOVES.nothing:
        refill(s)
    elif verb == MOVES.parent:
        s.parent = x
        s.phase = Phase.OPENING
        refill(s)
    else:
        meet_fate(s, verb)


# --- visibility -------------------------------------------------------------------------------------------------------


def audience(s, seat, move):
    verb = VERB[move]
    if verb == MOVES.keep:
        return 1 << seat
    if verb == MOVES.deal:
        return 1 << s.dealt // DEALT
    if verb == MOVES.peek:
        return 1 << s.actor
    if verb == MOVES.pay or verb == MOVES.forgo:
        return 1 << seat if undecided(s, seat) == 1 else SILENT | 1 << seat
    return EVERYONE


def reveals(s, seat, move):
    """Return the seats that learn something from a move. A first choice passes cards to the left neighbour, and takes
    those from the right one, once both neighbours have chosen."""
    verb = VERB[move]
    if verb == MOVES.reveal:
        return EVERYONE
    if verb == MOVES.keep and s.picked[seat] == 0:
        return receivers(s, seat)
    if (verb == MOVES.pay or verb == MOVES.forgo) and s.pending == 1 << seat and undecided(s, seat) == 1:
        return EVERYONE
    return 0
