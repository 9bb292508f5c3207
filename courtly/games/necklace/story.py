"""The story of what everybody saw happen to hands, lived through again with a guess of what each thief took that a seat
did not see: what the seat knows at the end is what it would know then, and each guess is as likely as the story makes
it. What somebody chose to lay open tells that it could be done, and nothing else.
"""

from math import lgamma, log

from courtly.engine.constants import SPECTATOR
from courtly.games.necklace.cards import (
    COUNT,
    GEM_KINDS,
    GEM_OF,
    GROUP_OF,
    GROUPS,
    KINDS,
    PLAYERS,
    SHOWN,
    SHOWN_CARD,
    UNNAMED,
    Card,
    Group,
)
from courtly.games.necklace.table import Phase, Story

# Chances multiply, so their logarithms are added: whole numbers, UNITS to a factor of 2. SHARE[n]: n below a full
# share, in 2**20ths.
UNITS = 256
LOG_FACTORIAL = tuple(round(UNITS * lgamma(n + 1) / log(2)) for n in range(sum(COUNT) + 1))
LOG = (0,) + tuple(round(UNITS * log(n) / log(2)) for n in range(1, sum(COUNT) + 1))
SHARE = tuple(round((1 << 20) / 2 ** (n / UNITS)) for n in range(UNITS))


def saw(s, seat, theft):
    """Did this seat see what was stolen?"""
    return seat != SPECTATOR and s.loot[seat][theft] > 0


def could_be_stolen(s, seat):
    """Just before a theft that the seat did not see, the bits of what may have been taken: a card that the hand was
    known to hold, or one that nobody could name."""
    giver = s.story[s.at] // KINDS % PLAYERS
    cards = 1 << UNNAMED
    for card in range(KINDS):
        if giver != seat and s.hand[giver][card] and card != Card.MUSKETEER and card != Card.QUEENS_NECKLACE:
            cards |= 1 << card
    return cards


def begin(s, seat):
    """Nothing has happened yet, and no other hand has any card."""
    s.at = 0
    s.past_thefts = 0
    s.past_looks = 0
    s.wrong = 0
    for other in range(s.players):
        s.want[other] = 0
        for group in range(GROUPS):
            s.room[other][group] = 0
        for card in range(KINDS):
            if other != seat:
                s.hand[other][card] = 0


def remember(s, theft):
    """This place in the story, just before this theft."""
    s.then_at = s.at
    s.then_thefts = theft
    s.then_looks = s.past_looks
    s.then_wrong = s.wrong
    for other in range(s.players):
        s.past_want[other] = s.want[other]
        for group in range(GROUPS):
            s.past_room[other][group] = s.room[other][group]
        for card in range(KINDS):
            s.past_hand[other][card] = s.hand[other][card]


def go_back(s):
    """To the place that is remembered."""
    s.at = s.then_at
    s.past_thefts = s.then_thefts
    s.past_looks = s.then_looks
    s.wrong = s.then_wrong
    for other in range(s.players):
        s.want[other] = s.past_want[other]
        for group in range(GROUPS):
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
        if what == Story.STOLEN:
            if theft == until:
                break
            chance += steal_again(s, seat, who, which, theft)
            theft += 1
        elif what == Story.LOOKED:
            if which == seat:
                chance += see_hand(s, who, s.looked[seat][look])
            look += 1
        elif who != seat:
            if what == Story.COME:
                s.hand[who][which] += 1
            elif what == Story.GONE:
                chance += take(s, who, which)
            elif what == Story.DRAWN:
                add_unknown(s, who)
            else:
                chance += see_none(s, who, which)
        at += 1
    if at == s.told and s.phase == Phase.SHOW:
        chance += take_openly(s, seat)
    s.at = at
    s.past_looks = look
    return chance


def take_openly(s, seat):
    """Cards laid openly have left the other hands, too: the story tells of them when all is turned over."""
    chance = 0
    for other in range(s.players):
        if other != seat:
            for i in range(SHOWN):
                for _ in range(s.openly[other][i]):
                    chance += take(s, other, SHOWN_CARD[i])
    return chance


def take(s, who, card):
    """A card leaves a hand: a known one of its kind, or one of the unknown."""
    if s.hand[who][card]:
        s.hand[who][card] -= 1
        return 0
    return take_unknown(s, who, GROUP_OF[card])


def take_unknown(s, who, group):
    """Any unknown card that may be of this group."""
    room = s.room[who]
    places = room[group]
    if places == 0:
        s.wrong += 1
        return 0
    room[group] -= 1
    s.want[who] -= 1
    for other in range(GROUPS):
        room[other] = min(room[other], s.want[who])
    return LOG[places]


def add_unknown(s, who):
    s.want[who] += 1
    for group in range(GROUPS):
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
            chance += take_unknown(s, who, GROUP_OF[card])
        hand[card] = cards[card]
    return chance


def see_none(s, who, gem):
    """No unknown card is of this gem, and no known one may be."""
    for card in range(GEM_KINDS):
        if GEM_OF[card] == gem and s.hand[who][card]:
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
        for group in range(GROUPS):
            s.room[taker][group] += group != Group.MUSKETEER and (giver == seat or s.room[giver][group] > 0)
    if giver == seat:
        return 0
    no_musketeer = LOG[s.hidden - s.kinds[Group.MUSKETEER]] - LOG[s.hidden] if s.room[giver][Group.MUSKETEER] else 0
    return take_unknown(s, giver, Group.OTHER) + no_musketeer


def among_the_hidden(s, seat):
    """How likely it is that cards which nobody sees now are in these hands."""
    chance = 0
    left = s.hidden
    for card in range(KINDS):
        if card != Card.ASTROLOGER and card != Card.QUEENS_NECKLACE:
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
