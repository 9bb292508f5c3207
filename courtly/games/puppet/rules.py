"""Puppet Kingdom (Hayato Kisaragi, 2012; the edition of Princess Wonder): the rules, in the order of the rulebook.

The piles have no order: a card is drawn when it is turned up. Only an event that a Hermit has seen has a place in its
pile. What follows from a card is told by events with one outcome (killed, stolen, reward, paid …), so that the log says
everything.
"""

from courtly.engine.game import CHANCE, EVERYONE, NOBODY, SILENT
from courtly.games.puppet.estate import (
    add_building,
    buy,
    can_afford,
    can_pay,
    count_at,
    earn,
    in_turn,
    next_due,
    owes,
    restock,
    undecided,
)
from courtly.games.puppet.knowledge import deduce, determinize, in_pile, servants_in_use
from courtly.games.puppet.refusals import REFUSALS, refusal
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
    ACTING,
    AMOUNT_COUNT,
    BRINGS,
    BUILD,
    BUY,
    BY,
    CLEAR,
    COLLECTING,
    COMPONENTS,
    CONSCRIPTION,
    DEAL,
    DEALING,
    DEALT,
    DECLINE,
    DEPTH,
    DISCARDED,
    DRAFTING,
    DRAWING,
    DUE,
    END,
    EVENT,
    FORGO,
    FORGONE,
    GAIN,
    GOAL,
    GRIMOIRE,
    HONOUR,
    HOUSES,
    IS_KILLED,
    IS_LOST,
    IS_MISSED,
    IS_PAID,
    IS_STOLEN,
    KEEP,
    KILL,
    KILLED,
    KINDS,
    LEAD,
    LOOK,
    MOVES,
    NAME_KILL,
    NAME_STEAL,
    NORMAL,
    NOTHING,
    OFFER,
    ON_CONSCRIPTION,
    ON_WAR,
    OPENING,
    OVER,
    OWNED,
    PAID,
    PARENT,
    PAY,
    PEEK,
    PEEKING,
    PILE,
    PUT,
    PUTTING,
    REFILLING,
    REVEAL,
    REVEALING,
    REWARD,
    REWARDING,
    ROB,
    ROW,
    SERVANT,
    SOLDIER,
    STARTING,
    STEAL,
    STEALING,
    STOLEN,
    TAKE,
    TARGET,
    TAX,
    TAXING,
    TELLING,
    TURNING_UP,
    VERB,
    WAR,
    State,
    X,
    Y,
    Z,
)

# what others ask of this module
__all__ = ["COMPONENTS", "MOVES", "OWNED", "REFUSALS", "State", "determinize", "refusal"]

# --- set-up -----------------------------------------------------------------------------------------------------------


def setup(s):
    s.parent = NOBODY
    s.seat = NOBODY
    s.actor = NOBODY
    for k in range(2):
        s.mark[k][BY] = NOBODY
    s.phase = STARTING
    s.pending = CHANCE


def everyone(s):
    return (1 << s.players) - 1


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
        s.centre[seat] = 0
        for i in range(2):
            s.last[seat][i] = s.up[seat][i]
            s.last_fate[seat][i] = s.fate[seat][i]
            s.up[seat][i] = 0
            s.fate[seat][i] = NORMAL
        for servant in range(KINDS):
            s.hand[seat][servant] = 0
            s.down[seat][servant] = 0
            s.passed[seat][servant] = 0
            s.received[seat][servant] = 0
    for k in range(2):
        s.mark[k][BY] = NOBODY
        s.mark[k][TARGET] = 0
        s.mark[k][SERVANT] = 0
    for servant in range(KINDS):
        s.open[servant] = 0
        s.deck[servant] = 1 if servant < servants_in_use(s) else 0
    if s.deduction:
        deduce(s)
    s.seat = NOBODY
    s.actor = NOBODY
    s.dealt = 0
    s.phase = DEALING
    s.pending = CHANCE


def deal(s, servant):
    s.deck[servant] = 0
    s.hand[s.dealt // DEALT][servant] = 1
    s.dealt += 1
    if s.dealt == DEALT * s.players:
        s.phase = DRAFTING
        s.pending = everyone(s)


def keep(s, seat, servant):
    """The second choice is open to a seat as soon as it and its right neighbour have made the first: nobody waits
    for more."""
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
        if s.picked[right_of(s, seat)]:
            receive(s, seat)
        if s.picked[left_of(s, seat)]:
            receive(s, left_of(s, seat))
    else:
        for c in range(KINDS):
            if hand[c]:
                s.centre[seat] = c + 1
                hand[c] = 0
    if s.pending == 0:
        begin_main(s)


def receive(s, seat):
    """The two cards of the right neighbour."""
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
    s.phase = REVEALING
    s.pending = 1 << s.seat


def end_turn(s):
    s.turn += 1
    begin_turn(s)


def is_target(s, kind):
    """Has a mark of this kind named the seat whose turn it is, and a servant that was face down until now?"""
    mark = s.mark[kind]
    return mark[BY] != NOBODY and mark[TARGET] == s.seat and (mark[SERVANT] == card(s) or not s.open[mark[SERVANT]])


def is_hit(s, kind):
    return s.mark[kind][BY] != NOBODY and s.mark[kind][TARGET] == s.seat and s.mark[kind][SERVANT] == card(s)


def reveal(s, servant):
    s.down[s.seat][servant] = 0
    s.facedown[s.seat] -= 1
    s.up[s.seat][lap(s)] = servant + 1
    s.open[servant] = 1
    if s.deduction:
        deduce(s)
    if is_target(s, KILL) or is_target(s, STEAL):
        s.phase = TELLING
        s.pending = CHANCE
    else:
        act(s)


def told_fate(s):
    """What is told of a servant that was named, or whose player was."""
    if is_hit(s, KILL):
        return IS_KILLED + s.seat * KINDS + card(s)
    if is_hit(s, STEAL):
        return IS_STOLEN + (s.mark[STEAL][BY] * 3 + s.seat) * KINDS + card(s)
    return IS_MISSED + s.seat


def meet_fate(s, verb):
    if verb == IS_KILLED:
        s.fate[s.seat][lap(s)] = KILLED
        end_turn(s)
        return
    act(s)
    if verb == IS_STOLEN:
        s.fate[s.seat][lap(s)] = STOLEN
        s.used = 1
        if can_receive(s, s.mark[STEAL][BY], card(s)):
            s.actor = s.mark[STEAL][BY]
            s.phase = STEALING
            s.pending = 1 << s.actor


def turn_up(s, building):
    free = 0
    for i in range(s.players - 1, -1, -1):
        if s.row[i] == 0:
            free = i
    s.row[free] = building + 1
    s.place[building] = ROW
    if s.phase == TURNING_UP:
        finish_effect(s)
    else:
        refill(s)


def refill(s):
    """The row is filled up, then the round, or the set-up, is over."""
    if s.phase != OPENING:
        s.phase = REFILLING
    if count_at(s, ROW) < s.players and restock(s):
        s.pending = CHANCE
    elif s.phase == OPENING:
        begin_round(s)
    else:
        end_round(s)


# --- the end part -----------------------------------------------------------------------------------------------------


def begin_end(s):
    s.seat = NOBODY
    s.actor = NOBODY
    s.phase = DRAWING
    s.pending = CHANCE


def draw(s, event):
    """Of three open events the two older go back, and the pile is shuffled: nobody knows its order any more."""
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
    if event == GRIMOIRE:
        refill(s)
    elif event == TAX:
        begin_tax(s)
    else:
        s.phase = REWARDING
        s.pending = CHANCE


def drop_top(pile, all_of_it):
    for i in range(DEPTH):
        pile[i] = 0 if all_of_it or i == DEPTH - 1 else pile[i + 1]


def most_soldiers(s):
    most = 0
    for seat in range(s.players):
        most = max(most, s.goods[seat][SOLDIER])
    return most


def is_rewarded(s, seat):
    if s.newest == WAR + 1:
        return s.goods[seat][SOLDIER] == max(1, most_soldiers(s))
    return s.newest == CONSCRIPTION + 1


def next_rewarded(s):
    """The next place in turn order that gets something; the number of players if there is none."""
    k = s.cursor
    while k < s.players and not is_rewarded(s, in_turn(s, k)):
        k += 1
    return k


def told_reward(s):
    k = next_rewarded(s)
    if k == s.players:
        return NOTHING
    seat = in_turn(s, k)
    if s.newest == WAR + 1:
        return REWARD + (seat * 4 + HONOUR) * AMOUNT_COUNT + BRINGS[s.cards][ON_WAR] + s.helped[seat][ON_WAR] - 1
    return (
        REWARD
        + (seat * 4 + SOLDIER) * AMOUNT_COUNT
        + BRINGS[s.cards][ON_CONSCRIPTION]
        + s.helped[seat][ON_CONSCRIPTION]
        - 1
    )


def reward(s, seat, good, amount):
    s.cursor = next_rewarded(s) + 1
    earn(s, seat, good, amount)
    if next_rewarded(s) == s.players:
        refill(s)


def end_round(s):
    """The marker stays where it is: only the General moves it."""
    over = s.round == s.round_limit
    for seat in range(s.players):
        if s.points[seat] >= GOAL[s.cards]:
            over = True
    if over:
        s.phase = OVER
        s.pending = 0
    else:
        begin_round(s)


def scores(s, out):
    """Points; among equals the fewest honour, then whoever comes first clockwise from the parent: points, 9999 -
    honour, 3 - place, as digits."""
    for seat in range(s.players):
        place = (seat - s.parent) % s.players
        out[seat] = (s.points[seat] * 10000 + 9999 - s.goods[seat][HONOUR]) * 10 + 3 - place


# --- tax --------------------------------------------------------------------------------------------------------------


def begin_tax(s):
    bits = 0
    for seat in range(s.players):
        if undecided(s, seat):
            bits |= 1 << seat
    if bits:
        s.phase = TAXING
        s.pending = bits
    else:
        s.phase = REWARDING  # of which it is told that nothing comes
        s.pending = CHANCE


def decide(s, seat, building, how):
    s.plan[seat][building] = how
    if not undecided(s, seat):
        s.pending -= 1 << seat
        if s.pending == 0:
            s.phase = COLLECTING
            s.pending = CHANCE


def told_tax(s):
    i = next_due(s)
    seat = in_turn(s, i // HOUSES)
    building = i % HOUSES
    return (IS_PAID if s.plan[seat][building] == PAID else IS_LOST) + seat * HOUSES + building


def collect(s, seat, building, paid):
    s.cursor = next_due(s) + 1
    s.plan[seat][building] = 0
    if paid:
        for good in range(4):
            earn(s, seat, good, -DUE[s.cards][building][good])
    else:
        s.place[building] = DISCARDED
        add_building(s, seat, building, -1)
    if next_due(s) == s.players * HOUSES:
        refill(s)


# --- what may happen --------------------------------------------------------------------------------------------------


def chance(s, moves, weights):
    if s.phase == DEALING:
        return each_of(s.deck, KINDS, DEAL, moves, weights)
    if s.phase == STARTING:
        for seat in range(s.players):
            moves[seat] = PARENT + seat
            weights[seat] = 1
        return s.players
    if s.phase == OPENING or s.phase == TURNING_UP or s.phase == REFILLING:
        n = 0
        for building in range(HOUSES):
            if s.place[building] == PILE:
                moves[n] = BUILD + building
                weights[n] = 1
                n += 1
        return n
    if s.phase == DRAWING or s.phase == PEEKING:
        return top_events(s, moves, weights)
    moves[0] = told(s)
    weights[0] = 1
    return 1


def each_of(cards, count, verb, moves, weights):
    n = 0
    for i in range(count):
        if cards[i]:
            moves[n] = verb + i
            weights[n] = 1
            n += 1
    return n


def top_events(s, moves, weights):
    """The event on top: the one somebody has seen there, or any that nobody has seen elsewhere in the pile."""
    verb = EVENT if s.phase == DRAWING else PEEK
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
            weights[n] = 1
            n += 1
    return n


def told(s):
    """What has happened, where there is nothing left to chance."""
    if s.phase == TELLING:
        return told_fate(s)
    if s.phase == REWARDING:
        return told_reward(s)
    return told_tax(s)


# --- what may be done -------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == ACTING:
        return legal_acts(s, seat, moves)
    if s.phase == REVEALING:
        return each(s.down[seat], REVEAL, moves)
    if s.phase == DRAFTING:
        return each(s.hand[seat], KEEP, moves)
    if s.phase == STEALING:
        moves[0] = DECLINE
        return legal_effect(s, seat, card(s), moves, 1)
    if s.phase == PUTTING:
        moves[0] = PUT
        moves[1] = PUT + 1
        return 2
    return legal_taxes(s, seat, moves)


def each(servants, verb, moves):
    n = 0
    for i in range(KINDS):
        if servants[i]:
            moves[n] = verb + i
            n += 1
    return n


def legal_acts(s, seat, moves):
    n = 0
    if not s.used:
        n = legal_effect(s, seat, card(s), moves, 0)
    if not s.took:
        for good in range(3):
            moves[n] = TAKE + good
            n += 1
    if not s.bought:
        for i in range(s.players):
            if s.row[i] and can_afford(s, seat, s.row[i] - 1):
                moves[n] = BUY + s.row[i] - 1
                n += 1
    moves[n] = END
    return n + 1


def legal_taxes(s, seat, moves):
    n = 0
    for building in range(HOUSES):
        if owes(s, seat, building) and s.plan[seat][building] == 0:
            moves[n] = FORGO + building
            n += 1
            if can_pay(s, seat, building):
                moves[n] = PAY + building
                n += 1
    return n


def apply(s, seat, move):
    verb = VERB[move]
    x = X[move]
    if verb == KEEP:
        keep(s, seat, x)
    elif verb == REVEAL:
        reveal(s, x)
    elif verb == TAKE:
        s.goods[seat][x] += 1
        s.took = 1
    elif verb == BUY:
        buy(s, seat, x)
    elif verb == END:
        end_turn(s)
    elif verb == PAY:
        decide(s, seat, x, PAID)
    elif verb == FORGO:
        decide(s, seat, x, FORGONE)
    elif verb == DEAL:
        deal(s, x)
    elif move >= PARENT:
        happen(s, verb, x, Y[move], Z[move])
    else:
        effect(s, seat, verb, x, Y[move])


def effect(s, seat, verb, x, y):
    if verb == GAIN:
        earn(s, seat, x, y + 1)
        finish_effect(s)
    elif verb == NAME_KILL:
        name(s, seat, KILL, x, y)
    elif verb == NAME_STEAL:
        name(s, seat, STEAL, x, y)
    elif verb == OFFER:
        offer(s, seat, x)
    elif verb == CLEAR:
        clear(s, x, y)
    elif verb == LEAD:
        s.parent = seat
        finish_effect(s)
    elif verb == LOOK:
        s.phase = PEEKING
        s.pending = CHANCE
    elif verb == PUT:
        put(s, x)
    elif verb == ROB:
        rob(s, seat, x)
    elif verb == DECLINE:
        act(s)


def happen(s, verb, x, y, z):
    if verb == BUILD:
        turn_up(s, x)
    elif verb == EVENT:
        draw(s, x)
    elif verb == REWARD:
        reward(s, x, y, z + 1)
    elif verb == PEEK:
        peek(s, x)
    elif verb == IS_PAID:
        collect(s, x, y, True)
    elif verb == IS_LOST:
        collect(s, x, y, False)
    elif verb == NOTHING:
        refill(s)
    elif verb == PARENT:
        s.parent = x
        s.phase = OPENING
        refill(s)
    else:
        meet_fate(s, verb)


# --- who sees what ----------------------------------------------------------------------------------------------------


def audience(s, seat, move):
    verb = VERB[move]
    if verb == KEEP:
        return 1 << seat
    if verb == DEAL:
        return 1 << s.dealt // DEALT
    if verb == PEEK:
        return 1 << s.actor
    if verb == PAY or verb == FORGO:
        return 1 << seat if undecided(s, seat) == 1 else SILENT | 1 << seat
    return EVERYONE


def reveals(s, seat, move):
    """A first choice hands cards to the left, and takes those from the right, once both neighbours have chosen."""
    verb = VERB[move]
    if verb == REVEAL:
        return EVERYONE
    if verb == KEEP and s.picked[seat] == 0:
        bits = 0
        if s.picked[left_of(s, seat)]:
            bits |= 1 << left_of(s, seat)
        if s.picked[right_of(s, seat)]:
            bits |= 1 << seat
        return bits
    if (verb == PAY or verb == FORGO) and s.pending == 1 << seat and undecided(s, seat) == 1:
        return EVERYONE
    return 0
