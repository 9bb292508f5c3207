"""Another world that one seat cannot tell from this one: hidden cards are dealt anew, as far as nothing known forbids it.

Each world is as likely as it is for the seat, where cards were dealt, drawn and stolen by chance. What somebody chose to do tells that it
could be done, and nothing else.
"""
from courtly.engine.chance import below, pick
from courtly.games.necklace.memory import loot, taken, unsettled
from courtly.games.necklace.table import *

SCALE = 64          # of chances, which are whole numbers


def determinize(s, seat, rng):
    """`seat` NOBODY: a spectator, who knows what everybody knows."""
    gather(s, seat)
    if seat >= 0:
        guess_hands(s, seat, s.known[seat], s.suspects[seat], s.parted[seat], rng)
    else:
        guess_hands(s, seat, s.seen, s.suspected, s.public_parted, rng)
    s.pile = 0
    for card in range(KINDS):
        s.deck[card] = s.pool[card]
        s.pile += s.pool[card]
    for other in range(s.players):
        if other != seat:
            forget(s, other)
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


def guess_hands(s, seat, known, suspects, parted, rng):
    """First all known cards where they were last seen, then what thieves may have taken of them, then the unknown ones."""
    for other in range(s.players):
        for group in range(BOUNDED):
            s.lost[other][group] = 0
        if other != seat:
            for card in range(KINDS):
                s.took[other][card] = 0
                s.hand[other][card] = known[other][card] + taken(s, suspects, other, card)
                s.pool[card] -= s.hand[other][card]
    for theft in range(s.thefts):
        if unsettled(s, suspects, theft):
            steal_again(s, suspects, parted, theft, rng)
    for other in range(s.players):
        if other != seat:
            take_back(s, known, other)
    deal_rest(s, seat, rng)


def take_back(s, known, other):
    """Several thefts, guessed one after the other, can contradict what was seen: then nothing doubtful stays that has no room."""
    over = -s.size[other]
    for card in range(KINDS):
        over += s.hand[other][card]
    for card in range(KINDS):
        while s.hand[other][card] > known[other][card] and (over > 0 or s.pool[card] < 0):
            s.hand[other][card] -= 1
            s.pool[card] += 1
            over -= 1


def forget(s, other):
    """Of what another player knows alone, and chose alone, leave only what everybody knows."""
    s.restarts[other] = 0
    for card in range(KINDS):
        s.fresh[other][card] = 0
        for third in range(s.players):
            s.known[other][third][card] = s.seen[third][card] if third != other else 0
    for theft in range(s.thefts):
        took_part = s.robbed[theft] == other or s.robber[theft] == other
        s.parted[other][theft] = 0 if took_part else s.public_parted[theft]
        for card in range(HIDDEN):
            s.suspects[other][theft][card] = 0 if took_part else s.suspected[theft][card]


# --- thefts ---------------------------------------------------------------------------------------------------------------------


def steal_again(s, suspects, parted, theft, rng):
    """One of the suspects. Any card of the hand was as likely as any other, unless it was a musketeer, which would have been shown."""
    giver = s.robbed[theft]
    taker = s.robber[theft]
    held = loot(s, suspects, parted, theft, taker) and spare(s, suspects, taker, theft) > 0
    pool = max(drawable(s), 1)
    for card in range(KINDS):
        n = max(suspects[theft][card] - s.took[giver][card], 0) * pool * SCALE
        s.chances[card] = n if held and fits(s, taker, card) and s.pool[card] >= 0 else 0
        s.chances[HIDDEN + card] = 0
        if n and parted[theft] >> card & 1:
            s.chances[HIDDEN + card] = n * (pool + 1) // max(max(spare(s, suspects, taker, theft), 1) * (s.pool[card] + 1), 1)
    s.chances[UNNAMED] = suspects[theft][UNNAMED] * (pool - s.pool[MUSKETEER]) * SCALE if spare(s, suspects, giver, theft) > 0 else 0
    s.chances[HIDDEN + UNNAMED] = 0
    only_excess(s, giver)
    if not any_chance(s):
        return
    card = pick(rng, s.chances, 2 * HIDDEN)
    if card == UNNAMED:
        return
    gone = card >= HIDDEN
    card = card % HIDDEN
    s.hand[giver][card] -= 1
    s.took[giver][card] += 1
    if GROUP[card] < BOUNDED:
        s.lost[giver][GROUP[card]] += 1
    if gone:
        s.pool[card] += 1
    else:
        s.hand[taker][card] += 1


def any_chance(s):
    for card in range(2 * HIDDEN):
        if s.chances[card]:
            return True
    return False


def drawable(s):
    """Cards that may be in a hand or the deck, unknown."""
    n = 0
    for card in range(KINDS):
        n += s.pool[card]
    return n - s.pool[ASTROLOGER] - s.pool[NECKLACE]


def spare(s, suspects, seat, theft):
    """Places in a hand, and with those who robbed it, this theft and later, that no known card takes."""
    n = s.size[seat]
    for card in range(KINDS):
        n -= s.hand[seat][card]
    for later in range(theft, s.thefts):
        if s.robbed[later] == seat and unsettled(s, suspects, later):
            n += 1
    return n


def held_of(s, seat, group):
    n = 0
    for card in range(KINDS):
        if GROUP[card] == group:
            n += s.hand[seat][card]
    return n


def fits(s, seat, card):
    """Does the bound of a hand leave room for this card?"""
    group = GROUP[card]
    return group == BOUNDED or held_of(s, seat, group) < s.at_most[seat][group] - s.lost[seat][group]


def only_excess(s, seat):
    """Where a hand has more of a gem than its bound says, one of these was stolen."""
    for group in range(4):
        if held_of(s, seat, group) > s.at_most[seat][group] - s.lost[seat][group]:
            for card in range(HIDDEN):
                if card == UNNAMED or GROUP[card] != group:
                    s.chances[card] = 0
                    s.chances[HIDDEN + card] = 0
            return


# --- dealing within bounds ------------------------------------------------------------------------------------------------------


def deal_rest(s, seat, rng):
    """Places where not every card can be come first: so each deal is as likely as any other."""
    bounded = set_room(s, seat)
    for other in range(s.players):
        while bounded and s.want[other] and narrow(s, other):
            deal_one(s, other, bounded, rng)
    for other in range(s.players):
        while s.want[other] > 0:
            deal_one(s, other, bounded, rng)


def set_room(s, seat):
    """How many cards each hand lacks, and of each group may have. Is any of these bounds in force?"""
    bounded = 0
    for group in range(BOUNDED + 1):
        s.kinds[group] = 0
    for card in range(KINDS):
        if card != ASTROLOGER and card != NECKLACE:                 # these are in no hand, unless everybody knows
            s.kinds[GROUP[card]] += s.pool[card]
    for other in range(s.players):
        s.want[other] = 0
        if other != seat:
            s.want[other] = s.size[other]
            for card in range(KINDS):
                s.want[other] -= s.hand[other][card]
            s.room[other][BOUNDED] = s.want[other]
            for group in range(BOUNDED):
                s.room[other][group] = max(s.at_most[other][group] - s.lost[other][group], 0)
            for card in range(KINDS):
                s.room[other][GROUP[card]] -= s.hand[other][card] if GROUP[card] < BOUNDED else 0
            bounded |= narrow(s, other)
    return bounded


def narrow(s, other):
    """Is there a place in this hand where a card of some group cannot be?"""
    for group in range(BOUNDED):
        if s.room[other][group] < s.want[other]:
            return 1
    return 0


def feasible(s):
    """Can all hands still be filled? For every set of hands, the groups must have room for what these lack (max-flow, min-cut)."""
    for hands in range(1, 1 << s.players):
        need = 0
        for seat in range(s.players):
            if hands >> seat & 1:
                need += s.want[seat]
        for group in range(BOUNDED + 1):
            room = 0
            for seat in range(s.players):
                if hands >> seat & 1:
                    room += max(min(s.room[seat][group], s.want[seat]), 0)
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
        for group in range(BOUNDED + 1):
            if not may_deal(s, other, group):
                for card in range(KINDS):
                    if GROUP[card] == group:
                        s.weight[card] = 0
        left = 0
        for card in range(KINDS):
            left += s.weight[card]
        if not left:
            deal_any(s)
    card = pick(rng, s.weight, KINDS)
    s.pool[card] -= 1
    s.hand[other][card] += 1
    take_group(s, other, GROUP[card], 1)


def deal_any(s):
    """The bounds cannot all be kept: several guessed thefts contradict each other."""
    for card in range(KINDS):
        s.weight[card] = 0 if card == ASTROLOGER or card == NECKLACE else s.pool[card]


def take_group(s, other, group, n):
    s.kinds[group] -= n
    s.room[other][group] -= n
    s.want[other] -= n


def may_deal(s, other, group):
    """Could a card of this group come to the next place of this hand, and all hands still be filled?"""
    if not s.kinds[group] or group < BOUNDED and s.room[other][group] < s.want[other] or s.room[other][group] <= 0:
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
