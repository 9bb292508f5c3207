"""Cards in hands, and who knows what of them.

Whatever everybody sees is in `seen`; what one player knows, including that, is in that player's row of `known`. Both say how
many of a card are certain; memory.py says what else is remembered. `at_most` bounds from above how many cards of a gem a hand has, or
musketeers: those everybody knows of, and unknown ones that may be such.
"""
from courtly.games.necklace.memory import drop, rob
from courtly.games.necklace.table import BOUNDED, COUNT, GROUP, KINDS, NECKLACE, SLOTS


def gain_seen(s, seat, card):
    """A card comes to a hand for all to see."""
    s.hand[seat][card] += 1
    s.seen[seat][card] += 1
    s.size[seat] += 1
    if card == NECKLACE:
        s.necklace = seat
    if GROUP[card] < BOUNDED:
        s.at_most[seat][GROUP[card]] += 1
    for knower in range(s.players):
        if knower != seat:
            s.known[knower][seat][card] += 1


def gain_unseen(s, seat, card):
    """A card comes to a hand and its owner alone sees it."""
    s.hand[seat][card] += 1
    s.size[seat] += 1
    s.unknown[seat] += 1
    for group in range(BOUNDED):
        s.at_most[seat][group] += 1


def lose_seen(s, seat, card):
    """A card leaves a hand for all to see."""
    drop(s, s.seen, s.suspected, s.public_parted, -1, seat, card, 0)
    for knower in range(s.players):
        if knower != seat:
            drop(s, s.known[knower], s.suspects[knower], s.parted[knower], knower, seat, card, 0)
    s.hand[seat][card] -= 1
    s.size[seat] -= 1
    if GROUP[card] < BOUNDED:
        s.at_most[seat][GROUP[card]] -= 1
    count_unknown(s)


def count_unknown(s):
    for seat in range(s.players):
        s.unknown[seat] = s.size[seat]
        for card in range(KINDS):
            s.unknown[seat] -= s.seen[seat][card]


def spend(s, seat, card):
    """A card is discarded from a hand; every discard is face up."""
    lose_seen(s, seat, card)
    s.discard[card] += 1
    if card == NECKLACE:
        s.necklace = -1


def move_seen(s, giver, taker, card):
    """From hand to hand for all to see."""
    lose_seen(s, giver, card)
    gain_seen(s, taker, card)


def move_unseen(s, giver, taker, card):
    """From hand to hand, and only these two see the card. It is neither a musketeer nor the necklace."""
    theft = s.thefts
    s.thefts += 1
    s.robbed[theft] = giver
    s.robber[theft] = taker
    rob(s, s.seen, s.suspected, s.public_parted, theft)
    for knower in range(s.players):
        if knower != giver and knower != taker:
            rob(s, s.known[knower], s.suspects[knower], s.parted[knower], theft)
    drop(s, s.known[taker], s.suspects[taker], s.parted[taker], taker, giver, card, 0)
    s.known[giver][taker][card] += 1
    s.hand[giver][card] -= 1
    s.hand[taker][card] += 1
    s.size[giver] -= 1
    s.size[taker] += 1
    tighten(s, taker)
    for gem in range(4):
        if s.at_most[giver][gem]:
            s.at_most[taker][gem] += 1
    count_unknown(s)


def tighten(s, seat):
    """Before a card comes that cannot be any: no more of a group than are known and unknown now."""
    for group in range(BOUNDED):
        n = s.unknown[seat]
        for card in range(KINDS):
            if GROUP[card] == group:
                n += s.seen[seat][card]
        s.at_most[seat][group] = min(s.at_most[seat][group], n)


def look_at_hand(s, knower, seat):
    """One player sees another's whole hand: as if all of it were laid open and taken up again."""
    size = s.size[seat]
    for card in range(KINDS):
        for before in range(s.hand[seat][card]):
            drop(s, s.known[knower], s.suspects[knower], s.parted[knower], knower, seat, card, before)
            s.size[seat] -= 1
    s.size[seat] = size
    for card in range(KINDS):
        s.known[knower][seat][card] += s.hand[seat][card]


def may_hold(s, seat, card):
    """Could this card be in this hand, for all that everybody knows? Decides who is asked, so that being asked tells nothing."""
    if s.seen[seat][card]:
        return True
    if not s.unknown[seat]:
        return False
    left = COUNT[card] - s.discard[card]
    for slot in range(SLOTS):
        if s.row[slot] == card:
            left -= 1
    for other in range(s.players):
        left -= s.seen[other][card]
    return left > 0
