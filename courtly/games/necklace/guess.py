"""Another world that one seat cannot tell from this one: hidden cards are dealt anew, as far as nothing known forbids
it.

Where thieves took cards that the seat did not see, the story of all that everybody saw happen to hands is lived through
again with a guess for each: what the seat knows at the end is what it would know then, and each guess is as likely as
the story makes it. What somebody chose to lay open tells that it could be done, and nothing else.
"""

from math import lgamma, log

from courtly.engine.chance import below, pick
from courtly.games.necklace.table import *

# Chances multiply, so their logarithms are added: whole numbers, UNITS to a factor of 2. SHARE[n]: n below a full
# share, in 2**20ths.
UNITS = 256
LOG_FACTORIAL = tuple(round(UNITS * lgamma(n + 1) / log(2)) for n in range(sum(COUNT) + 1))
LOG = (0,) + tuple(round(UNITS * log(n) / log(2)) for n in range(1, sum(COUNT) + 1))
SHARE = tuple(round((1 << 20) / 2 ** (n / UNITS)) for n in range(UNITS))
NEVER = -1 << 24  # less than any chance
WRONG = 8 * UNITS  # how much less likely is what cannot be: so guesses that do not go together are found one by one
ROUNDS, MOST_ROUNDS = 3, 12  # of guessing each of several thefts, given the others; more as long as something is wrong


def determinize(s, seat, rng):
    """`seat` NOBODY: a spectator, who knows what everybody knows."""
    gather(s, seat)
    if not guess_thefts(s, seat, rng):
        take_what_is_certain(s, seat)
    for other in range(s.players):
        if other != seat:
            forget(s, other)
            for card in range(KINDS):
                s.pool[card] -= s.hand[other][card]
    deal_rest(s, rng)
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


def forget(s, other):
    """Of what another player knows alone, leave only what everybody knows."""
    s.restarts[other] = 0
    for card in range(KINDS):
        s.fresh[other][card] = 0
        for third in range(s.players):
            s.known[other][third][card] = s.seen[third][card] if third != other else 0
        for look in range(s.looks):
            s.looked[other][look][card] = 0
    for theft in range(s.thefts):
        s.loot[other][theft] = 0


def take_what_is_certain(s, seat):
    """Leave in the others' hands what the seat is certain of, `want` other cards, and of each group as many among
    these as may be."""
    for other in range(s.players):
        s.want[other] = 0
        if other != seat:
            hand = s.hand[other]
            room = s.room[other]
            for gem in range(4):
                room[gem] = s.at_most[other][gem]
            s.want[other] = s.size[other]
            for card in range(KINDS):
                hand[card] = s.known[seat][other][card] if seat >= 0 else s.seen[other][card]
                s.want[other] -= hand[card]
                if card < GEM_KINDS:
                    room[GEM[card]] -= hand[card]
            for group in range(OTHERS + 1):
                room[group] = min(room[group], s.want[other]) if group < 4 else s.want[other]


# --- thefts -----------------------------------------------------------------------------------------------------------


def guess_thefts(s, seat, rng):
    """Do as `take_what_is_certain` with a guess of what was stolen. False if there is nothing to guess, or nothing
    was found."""
    count_groups(s)
    n = 0
    for theft in range(s.thefts):
        s.guess[theft] = UNNAMED
        n += not saw(s, seat, theft)
    if not n:
        return False
    for sweep in range(MOST_ROUNDS):
        for theft in range(s.thefts):
            if not saw(s, seat, theft):
                guess_theft(s, seat, theft, rng)
        if n == 1 or sweep + 1 >= ROUNDS:
            begin(s, seat)
            live(s, seat, THEFTS)
            among_the_hidden(s, seat)
            if not s.wrong and fits(s, seat):
                return True
    return False


def fits(s, seat):
    """Can the hands be filled with what is left?"""
    for other in range(s.players):
        if other != seat:
            for card in range(KINDS):
                if card != NECKLACE:
                    s.kinds[GROUP[card]] -= s.hand[other][card]
    good = feasible(s)
    count_groups(s)
    return good


def saw(s, seat, theft):
    """Did this seat see what was stolen?"""
    return seat >= 0 and s.loot[seat][theft] > 0


def count_groups(s):
    """The pool by group, without the cards that are in no hand, unless everybody knows."""
    s.hidden = 0
    for group in range(OTHERS + 1):
        s.kinds[group] = 0
    for card in range(KINDS):
        if card != ASTROLOGER and card != NECKLACE:
            s.kinds[GROUP[card]] += s.pool[card]
            s.hidden += s.pool[card]


def guess_theft(s, seat, theft, rng):
    """One of the cards that the hand was known to hold, or another, given the other guesses."""
    begin(s, seat)
    live(s, seat, theft)
    remember_hands(s)
    at = s.at
    looks = s.past_looks
    giver = s.story[at] // KINDS % PLAYERS
    best = NEVER
    for card in range(KINDS + 1):
        s.odds[card] = NEVER
        if card == UNNAMED or giver != seat and s.past_hand[giver][card] and card != MUSKETEER and card != NECKLACE:
            go_back(s, at, theft, looks)
            s.guess[theft] = card
            s.odds[card] = live(s, seat, THEFTS) + among_the_hidden(s, seat) - s.wrong * WRONG
            best = max(best, s.odds[card])
    for card in range(KINDS + 1):
        less = best - s.odds[card]
        s.chances[card] = SHARE[less % UNITS] >> min(less // UNITS, 30)
    s.guess[theft] = pick(rng, s.chances, KINDS + 1)


def begin(s, seat):
    """Nothing has happened yet, and no other hand has any card."""
    s.at = 0
    s.past_thefts = 0
    s.past_looks = 0
    s.wrong = 0
    for other in range(s.players):
        s.want[other] = 0
        for group in range(OTHERS + 1):
            s.room[other][group] = 0
        for card in range(KINDS):
            if other != seat:
                s.hand[other][card] = 0


def remember_hands(s):
    for other in range(s.players):
        s.past_want[other] = s.want[other]
        for group in range(OTHERS + 1):
            s.past_room[other][group] = s.room[other][group]
        for card in range(KINDS):
            s.past_hand[other][card] = s.hand[other][card]


def go_back(s, at, theft, looks):
    """To the hands that are remembered, and the place in the story where they were so."""
    s.at = at
    s.past_thefts = theft
    s.past_looks = looks
    s.wrong = 0
    for other in range(s.players):
        s.want[other] = s.past_want[other]
        for group in range(OTHERS + 1):
            s.room[other][group] = s.past_room[other][group]
        for card in range(KINDS):
            s.hand[other][card] = s.past_hand[other][card]


def live(s, seat, until):
    """On until this theft, or to the end: what the seat saw happen to the others' hands, with the thefts that are
    guessed. Leaves these hands as `take_what_is_certain` does. Returns the logarithm of how likely it was, as far as
    that depends on the guesses; `wrong` counts what could not have happened so."""
    chance = 0
    at = s.at
    theft = s.past_thefts
    look = s.past_looks
    while at < s.told:
        what = s.story[at] // (PLAYERS * KINDS)
        who = s.story[at] // KINDS % PLAYERS
        which = s.story[at] % KINDS
        if what == STOLEN:
            if theft == until:
                break
            chance += steal_again(s, seat, who, which, theft)
            theft += 1
        elif what == LOOKED:
            if which == seat:
                chance += see_hand(s, who, s.looked[seat][look])
            look += 1
        elif who != seat:
            if what == COME:
                s.hand[who][which] += 1
            elif what == GONE:
                chance += take(s, who, which)
            elif what == DRAWN:
                add_unknown(s, who)
            else:
                chance += see_none(s, who, which)
        at += 1
    s.at = at
    s.past_looks = look
    return chance


def take(s, who, card):
    """A card leaves a hand: a known one of its kind, or one of the unknown."""
    if s.hand[who][card]:
        s.hand[who][card] -= 1
        return 0
    return take_unknown(s, who, GROUP[card])


def take_unknown(s, who, group):
    """Any unknown card that may be of this group."""
    room = s.room[who]
    places = room[group]
    if places == 0:
        s.wrong += 1
        return 0
    room[group] -= 1
    s.want[who] -= 1
    for other in range(OTHERS + 1):
        room[other] = min(room[other], s.want[who])
    return LOG[places]


def add_unknown(s, who):
    s.want[who] += 1
    for group in range(OTHERS + 1):
        s.room[who][group] += 1


def see_hand(s, who, cards):
    """Each unknown card is one of these."""
    hand = s.hand[who]
    chance = 0
    for card in range(KINDS):
        more = cards[card] - hand[card]
        if more < 0:
            s.wrong -= more
        else:
            chance -= LOG_FACTORIAL[more]
        for _ in range(more):
            chance += take_unknown(s, who, GROUP[card])
        hand[card] = cards[card]
    return chance


def see_none(s, who, gem):
    """No unknown card is of this gem, and no known one may be."""
    for card in range(GEM_KINDS):
        if GEM[card] == gem and s.hand[who][card]:
            s.wrong += 1
    places = s.room[who][gem]
    s.room[who][gem] = 0
    return places * (LOG[s.hidden - s.kinds[gem]] - LOG[s.hidden])


def steal_again(s, seat, giver, taker, theft):
    """The card that the seat saw, or the guess. Any card of the hand was as likely to be drawn."""
    card = s.loot[seat][theft] - 1 if saw(s, seat, theft) else s.guess[theft]
    if card == UNNAMED:
        return steal_unknown(s, seat, giver, taker)
    chance = 0
    if giver != seat:
        chance = LOG[s.hand[giver][card]] + take(s, giver, card)
    if taker != seat:
        s.hand[taker][card] += 1
    return chance


def steal_unknown(s, seat, giver, taker):
    """It may be whatever an unknown card of the giver may be, but for a musketeer, which would have been shown."""
    if taker != seat:
        s.want[taker] += 1
        for group in range(OTHERS + 1):
            s.room[taker][group] += group != MUSKETEER_GROUP and (giver == seat or s.room[giver][group] > 0)
    if giver == seat:
        return 0
    no_musketeer = LOG[s.hidden - s.kinds[MUSKETEER_GROUP]] - LOG[s.hidden] if s.room[giver][MUSKETEER_GROUP] else 0
    return take_unknown(s, giver, OTHERS) + no_musketeer


def among_the_hidden(s, seat):
    """How likely it is that cards which nobody sees now are in these hands."""
    chance = 0
    left = s.hidden
    for card in range(KINDS):
        if card != ASTROLOGER and card != NECKLACE:
            certain = 0
            for other in range(s.players):
                if other != seat:
                    certain += s.hand[other][card]
            if certain > s.pool[card]:
                s.wrong += certain - s.pool[card]
                certain = s.pool[card]
            chance += LOG_FACTORIAL[s.pool[card]] - LOG_FACTORIAL[s.pool[card] - certain]
            left -= certain
    return chance + LOG_FACTORIAL[left] - LOG_FACTORIAL[s.hidden]


# --- dealing within bounds --------------------------------------------------------------------------------------------


def deal_rest(s, rng):
    """Places where not every card can be come first."""
    count_groups(s)
    for other in range(s.players):
        while narrow(s, other):
            deal_one(s, other, True, rng)
    for other in range(s.players):
        while s.want[other]:
            deal_one(s, other, False, rng)


def narrow(s, other):
    """Is there a place in this hand where a card of some group cannot be?"""
    for group in range(OTHERS):
        if s.room[other][group] < s.want[other]:
            return True
    return False


def feasible(s):
    """Can all hands still be filled? For every set of hands, the groups must have room for what these lack
    (max-flow, min-cut)."""
    for hands in range(1, 1 << s.players):
        need = 0
        for seat in range(s.players):
            if hands >> seat & 1:
                need += s.want[seat]
        for group in range(OTHERS + 1):
            room = 0
            for seat in range(s.players):
                if hands >> seat & 1 and s.want[seat]:
                    room += min(s.room[seat][group], s.want[seat])
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
        keep_within_bounds(s, other)
    card = pick(rng, s.weight, KINDS)
    s.pool[card] -= 1
    s.hand[other][card] += 1
    take_group(s, other, GROUP[card], 1)


def keep_within_bounds(s, other):
    """A card of a group that all unknown cards of this hand can be; only if that cannot be, of one that some can be."""
    some = 0
    all_of_them = 0
    for group in range(OTHERS + 1):
        if may_deal(s, other, group):
            some |= 1 << group
            all_of_them |= (s.room[other][group] >= s.want[other]) << group
    for card in range(KINDS):
        if not (all_of_them or some) >> GROUP[card] & 1:
            s.weight[card] = 0


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


# --- what the others may have chosen ----------------------------------------------------------------------------------


def guess_show(s, seat, rng):
    """Some of the cards a hand could show."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    for i in range(SHOWN):
        tray[i] = 0
    if s.phase != Phase.SHOW:
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
