"""Puppet Kingdom: the servant that was turned up, and its effect for the seat that receives it."""

from courtly.engine.constants import CHANCE
from courtly.engine.stdlib.common import append_nonempty, enter_phase
from courtly.games.puppet.cards import Event, Good, Servant
from courtly.games.puppet.estate import change_row, count_at, earn, restock
from courtly.games.puppet.table import (
    AMOUNT_COUNT,
    BRINGS,
    DEPTH,
    ELEPHANT_BRINGS,
    GRIMOIRE_ADDS,
    KINDS,
    MOVES,
    ONE,
    OTHER,
    PAIR_COUNT,
    PRODUCES,
    Naming,
    Phase,
    Place,
)
from courtly.games.puppet.worlds import servants_in_use


def lap(s):
    return 1 if s.turn >= s.players else 0


def card(s):
    """Return the servant at turn."""
    return s.up[s.seat][lap(s)] - 1


def act(s):
    s.actor = s.seat
    enter_phase(s, Phase.ACTING, 1 << s.seat)


def finish_effect(s):
    """End the effect, action (a), for any seat that received it."""
    s.used = 1
    act(s)


def production(s, seat, servant):
    """Return what Alchemist, Smith or Cook bring to this seat."""
    amount = BRINGS[s.cards][servant]
    if servant == Servant.ALCHEMIST and s.newest == Event.GRIMOIRE + 1:
        amount += amount if s.grimoire_doubles else GRIMOIRE_ADDS[s.cards]
    return amount + s.helped[seat][servant]


def name(s, seat, kind, target, servant):
    s.mark[kind][Naming.BY] = seat
    s.mark[kind][Naming.TARGET] = target
    s.mark[kind][Naming.SERVANT] = servant
    finish_effect(s)


def offer(s, seat, pair):
    s.goods[seat][ONE[pair]] -= 1
    s.goods[seat][OTHER[pair]] -= 1
    earn(s, seat, Good.HONOUR, ELEPHANT_BRINGS[s.cards])
    finish_effect(s)


def clear(s, building, refills):
    change_row(s, building + 1, 0)
    s.place[building] = Place.DISCARDED
    if refills and restock(s):
        enter_phase(s, Phase.TURNING_UP, CHANCE)
    else:
        finish_effect(s)


def peek(s, event):
    s.order[0] = event + 1
    s.known[s.actor][0] = event + 1
    s.looked[s.actor][0] = 1
    enter_phase(s, Phase.PUTTING, 1 << s.actor)


def put(s, bottom):
    if bottom:
        last = DEPTH - 1 - (s.newest > 0) - (s.older > 0)  # all except the open ones
        for seat in range(s.players):
            move_to_bottom(s.known[seat], last)
            move_to_bottom(s.looked[seat], last)
        move_to_bottom(s.order, last)
    finish_effect(s)


def move_to_bottom(pile, last):
    top = pile[0]
    for i in range(last):
        pile[i] = pile[i + 1]
    pile[last] = top


def rob(s, seat, good):
    earn(s, s.parent, good, -1)
    earn(s, seat, good, 1)
    finish_effect(s)


def legal_effect(s, seat, servant, moves, n):
    """List the ways in which this seat can receive a servant's effect."""
    if servant < Servant.REAPER:
        moves[n] = MOVES.gain + PRODUCES[servant] * AMOUNT_COUNT + production(s, seat, servant) - 1
        return n + 1
    if servant == Servant.REAPER:
        return legal_names(s, seat, MOVES.kill, moves, n)
    if servant == Servant.IMP:
        return legal_names(s, seat, MOVES.steal, moves, n)
    if servant == Servant.ELEPHANT:
        return legal_offers(s, seat, moves, n)
    if servant == Servant.FOUNDATION:
        for i in range(s.players):
            if s.row[i]:
                moves[n] = MOVES.clear + (s.row[i] - 1) * 2
                moves[n + 1] = MOVES.clear + (s.row[i] - 1) * 2 + 1
                n += 2
        return n
    if servant == Servant.PRINCESS:
        return append_nonempty(s.goods[s.parent], 4, MOVES.rob, moves, n) if seat != s.parent else n
    moves[n] = MOVES.lead if servant == Servant.GENERAL else MOVES.look
    return n + 1


def legal_names(s, seat, verb, moves, n):
    """List the names for another seat that has a card face down: any servant in use that does not lie open."""
    for target in range(s.players):
        if target != seat and s.facedown[target]:
            for servant in range(servants_in_use(s)):
                if not s.open[servant]:
                    moves[n] = verb + target * KINDS + servant
                    n += 1
    return n


def legal_offers(s, seat, moves, n):
    own = s.goods[seat]
    for pair in range(PAIR_COUNT):
        if own[ONE[pair]] and own[OTHER[pair]] > (1 if ONE[pair] == OTHER[pair] else 0):
            moves[n] = MOVES.offer + pair
            n += 1
    return n


def can_receive(s, seat, servant):
    """Return True if this seat can receive this servant's effect in any way."""
    if servant == Servant.REAPER or servant == Servant.IMP:
        return others_facedown(s, seat)
    if servant == Servant.ELEPHANT:
        return s.goods[seat][Good.GOLD] + s.goods[seat][Good.FOOD] + s.goods[seat][Good.SOLDIER] > 1
    if servant == Servant.FOUNDATION:
        return count_at(s, Place.ROW)
    if servant == Servant.PRINCESS:
        goods = s.goods[s.parent]
        return seat != s.parent and goods[0] + goods[1] + goods[2] + goods[3] > 0
    return 1


def others_facedown(s, seat):
    n = 0
    for other in range(s.players):
        if other != seat:
            n += s.facedown[other]
    return n
