"""The replay of the story, which is the list of all public events of hands, with a guess for each theft that a seat did
not see.

The replay gives what the seat would know if the guesses were true, and their likelihood given the story. Voluntary
disclosures only show that they were possible; they do not change the likelihood.
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

# Logarithms of probabilities, as whole numbers: a factor of 2 is UNITS. SHARE[n] is 2**(-n / UNITS), in units of
# 2**-20.
UNITS = 256
LOG_FACTORIAL = tuple(round(UNITS * lgamma(n + 1) / log(2)) for n in range(sum(COUNT) + 1))
LOG = (0,) + tuple(round(UNITS * log(n) / log(2)) for n in range(1, sum(COUNT) + 1))
SHARE = tuple(round((1 << 20) / 2 ** (n / UNITS)) for n in range(UNITS))


def saw(s, seat, theft):
    """Return True if this seat saw what was stolen."""
    return seat != SPECTATOR and s.loot[seat][theft] > 0


def could_be_stolen(s, seat):
    """Return the bits of the cards that may have been taken in a theft that the seat did not see, just before it: the
    cards known in the hand, and UNNAMED for a card whose kind is unknown."""
    giver = s.story[s.at] // KINDS % PLAYERS
    cards = 1 << UNNAMED
    for card in range(KINDS):
        if giver != seat and s.hand[giver][card] and card != Card.MUSKETEER and card != Card.QUEENS_NECKLACE:
            cards |= 1 << card
    return cards


def begin(s, seat):
    """Start the replay: nothing has happened yet, and the other hands are empty."""
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
    """Store the state of the replay, just before this theft."""
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
    """Return to the stored state of the replay."""
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
    """Continue the replay up to this theft, or to the end, with the current guesses. The other hands get the known
    cards, as by `take_what_is_certain`.

    Returns the logarithm of the likelihood, as far as it depends on the guesses. `wrong` counts contradictions.
    """
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
    """Remove the cards that were laid openly in this sale from the other hands: the story records them only when the
    shows are revealed."""
    chance = 0
    for other in range(s.players):
        if other != seat:
            for i in range(SHOWN):
                for _ in range(s.openly[other][i]):
                    chance += take(s, other, SHOWN_CARD[i])
    return chance


def take(s, who, card):
    """Remove a card from a hand: a known one of this kind, or else one of the unknown cards."""
    if s.hand[who][card]:
        s.hand[who][card] -= 1
        return 0
    return take_unknown(s, who, GROUP_OF[card])


def take_unknown(s, who, group):
    """Remove an unknown card that can be of this group."""
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
    """Identify the unknown cards of a hand as these cards."""
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
    """Exclude a gem from a hand: no unknown card can be of this gem. A known one is a contradiction."""
    for card in range(GEM_KINDS):
        if GEM_OF[card] == gem and s.hand[who][card]:
            s.wrong += 1
    places = s.room[who][gem]
    s.room[who][gem] = 0
    return places * (LOG[s.hidden - s.kinds[gem]] - LOG[s.hidden])


def steal_again(s, seat, giver, taker, theft):
    """Replay a theft with the card that the seat saw, or with the guess. Every card of the hand had the same
    probability."""
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
    """Replay a theft of an unknown card of the giver. It was not a musketeer, which would have been shown."""
    if taker != seat:
        s.want[taker] += 1
        for group in range(GROUPS):
            s.room[taker][group] += group != Group.MUSKETEER and (giver == seat or s.room[giver][group] > 0)
    if giver == seat:
        return 0
    no_musketeer = LOG[s.hidden - s.kinds[Group.MUSKETEER]] - LOG[s.hidden] if s.room[giver][Group.MUSKETEER] else 0
    return take_unknown(s, giver, Group.OTHER) + no_musketeer


def among_the_hidden(s, seat):
    """Return the logarithm of the probability that the certain cards, which are hidden now, are in these hands."""
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
