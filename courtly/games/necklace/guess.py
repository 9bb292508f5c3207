"""Another world that one seat cannot tell from this one: hidden cards are dealt anew, as far as nothing known forbids it."""
from courtly.engine.chance import below, pick
from courtly.games.necklace.table import *

OTHERS = 4          # the group of cards that are not gems; gems are their own groups


def determinize(s, seat, rng):
    """`seat` NOBODY: a spectator, who knows what everybody knows."""
    gather(s, seat)
    for other in range(s.players):
        if other != seat:
            forget(s, seat, other)
    bounded = set_room(s, seat)
    for other in range(s.players):
        while s.want[other]:
            deal_one(s, other, bounded, rng)
    s.pile = 0
    for card in range(KINDS):
        s.deck[card] = s.pool[card]
        s.pile += s.pool[card]
    for other in range(s.players):
        if other != seat:
            guess_show(s, other, rng)


def gather(s, seat):
    """Into the pool goes what is neither public nor in the seat's own hand."""
    for card in range(KINDS):
        s.pool[card] = COUNT[card] - s.discard[card]
        if seat >= 0:
            s.pool[card] -= s.hand[seat][card]
    for slot in range(SLOTS):
        if s.row[slot] != EMPTY:
            s.pool[s.row[slot]] -= 1
    if s.offered != EMPTY:
        s.pool[s.offered] -= 1


def forget(s, seat, other):
    """Leave in another hand only what the seat is certain of, and of that player's own knowledge only what everybody knows."""
    s.restarts[other] = 0
    for card in range(KINDS):
        certain = s.known[seat][other][card] if seat >= 0 else s.seen[other][card]
        s.hand[other][card] = certain
        s.pool[card] -= certain
        s.fresh[other][card] = 0
        for third in range(s.players):
            s.known[other][third][card] = s.seen[third][card] if third != other else 0


# --- dealing within bounds ------------------------------------------------------------------------------------------------------


def set_room(s, seat):
    """How many cards each hand lacks, and of each group may have. Is any of these bounds in force?"""
    bounded = 0
    for group in range(5):
        s.kinds[group] = 0
    for card in range(KINDS):
        if card != ASTROLOGER and card != NECKLACE:                 # these are in no hand, unless everybody knows
            s.kinds[GEM[card] if card < GEM_KINDS else OTHERS] += s.pool[card]
    for other in range(s.players):
        s.want[other] = 0
        if other != seat:
            s.want[other] = s.size[other]
            for card in range(KINDS):
                s.want[other] -= s.hand[other][card]
            s.room[other][OTHERS] = s.want[other]
            for gem in range(4):
                room = s.at_most[other][gem]
                for card in range(GEM_KINDS):
                    if GEM[card] == gem:
                        room -= s.hand[other][card]
                s.room[other][gem] = min(room, s.want[other])
                if s.at_most[other][gem] < UNBOUNDED and room < s.want[other]:
                    bounded = 1
    return bounded


def feasible(s):
    """Can all hands still be filled? For every set of hands, the groups must have room for what these lack (max-flow, min-cut)."""
    for hands in range(1, 1 << s.players):
        need = 0
        for seat in range(s.players):
            if hands >> seat & 1:
                need += s.want[seat]
        for group in range(5):
            room = 0
            for seat in range(s.players):
                if hands >> seat & 1 and s.want[seat]:
                    room += s.room[seat][group]
            need -= min(room, s.kinds[group])
        if need > 0:
            return False
    return True


def deal_one(s, other, bounded, rng):
    for card in range(KINDS):
        s.weight[card] = s.pool[card]
    s.weight[ASTROLOGER] = 0
    s.weight[NECKLACE] = 0
    if bounded:
        for group in range(5):
            if not may_deal(s, other, group):
                for card in range(KINDS):
                    if (GEM[card] if card < GEM_KINDS else OTHERS) == group:
                        s.weight[card] = 0
    card = pick(rng, s.weight, KINDS)
    s.pool[card] -= 1
    s.hand[other][card] += 1
    take_group(s, other, GEM[card] if card < GEM_KINDS else OTHERS, 1)


def take_group(s, other, group, n):
    s.kinds[group] -= n
    s.room[other][group] -= n
    s.want[other] -= n


def may_deal(s, other, group):
    """Could a card of this group come to this hand, and all hands still be filled?"""
    if not s.kinds[group] or not s.room[other][group]:
        return False
    take_group(s, other, group, 1)
    good = feasible(s)
    take_group(s, other, group, -1)
    return good


# --- what the others may have chosen --------------------------------------------------------------------------------------------


def guess_show(s, seat, rng):
    """Some of the cards a hand could show."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    for i in range(SHOWN):
        tray[i] = 0
    if s.phase != SHOW:
        return
    gems = 0
    last = 0
    for card in range(GEM_KINDS):
        tray[card] = below(rng, hand[card] + 1)
        if tray[card]:
            gems |= 1 << GEM[card]
            last = GEM[card]
    if not gems:
        return
    for _ in range(hand[RING]):
        if below(rng, 2):
            tray[RINGS_AT + some_gem(gems, last, rng)] += 1
    if hand[KING] and below(rng, 2):
        tray[KING_AT + some_gem(gems, last, rng)] = 1
    if hand[NECKLACE] and below(rng, 2):
        tray[NECKLACE_AT + some_gem(gems, last, rng)] = 1
    tray[BANKER_AT] = below(rng, hand[BANKER] + 1)


def some_gem(gems, last, rng):
    """One of these gems, the last of them more often than not."""
    gem = below(rng, 4)
    return gem if gems >> gem & 1 else last
