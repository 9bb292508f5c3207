"""Hands, and what each seat knows about them.

`seen` has the cards that every seat knows in each hand, and each row of `known` those that one seat knows, `seen`
included. Both are lower bounds for each card. `at_most` has the upper bounds for gems that a forger did not find.

After a theft, these bounds are weaker than what a seat could infer. The complete information is in the story of all
public events of hands, and in the cards that single seats saw: worlds.py deals worlds from it.
"""

from courtly.engine.constants import EVERYONE
from courtly.engine.stdlib.hidden_hands import add_card
from courtly.games.necklace.cards import COUNT, GEM_KINDS, GEM_OF, KINDS, PLAYERS, SLOTS, UNBOUNDED, Card
from courtly.games.necklace.table import Story


def tell(s, what, seat, which):
    """Append an entry to the story. `which` is a card, a gem or another seat, depending on `what`."""
    s.story[s.told] = (what * PLAYERS + seat) * KINDS + which
    s.told += 1


def gain_seen(s, seat, card):
    """Add a card to a hand publicly."""
    tell(s, Story.COME, seat, card)
    s.hand[seat][card] += 1
    s.size[seat] += 1
    add_card(s.known, s.seen, s.players, seat, card, EVERYONE)
    if card == Card.QUEENS_NECKLACE:
        s.necklace = seat
    elif card < GEM_KINDS and s.at_most[seat][GEM_OF[card]] < UNBOUNDED:
        s.at_most[seat][GEM_OF[card]] += 1


def gain_unseen(s, seat, card):
    """Add a card from the deck to a hand; only its owner sees it. The necklace is always worn publicly."""
    if card == Card.QUEENS_NECKLACE:
        gain_seen(s, seat, card)
    else:
        tell(s, Story.DRAWN, seat, 0)
        add_unseen(s, seat, card)


def add_unseen(s, seat, card):
    s.hand[seat][card] += 1
    s.size[seat] += 1
    s.unknown[seat] += 1
    bounds = s.at_most[seat]
    for gem in range(4):
        if bounds[gem] < UNBOUNDED:
            bounds[gem] += 1


def lose_seen(s, seat, card):
    """Remove a card from a hand publicly."""
    tell(s, Story.GONE, seat, card)
    take_seen(s, seat, card)


def take_seen(s, seat, card):
    """Remove a card that every seat sees from a hand, without an entry in the story."""
    s.hand[seat][card] -= 1
    s.size[seat] -= 1
    if s.seen[seat][card]:
        s.seen[seat][card] -= 1
    else:
        s.unknown[seat] -= 1
    if card < GEM_KINDS and s.at_most[seat][GEM_OF[card]] < UNBOUNDED:
        s.at_most[seat][GEM_OF[card]] -= 1
    for knower in range(s.players):
        s.known[knower][seat][card] -= s.known[knower][seat][card] > 0


def lose_unseen(s, seat, card, witness):
    """Remove a card from a hand; only its owner and a witness see which. For the other seats it may be any card except
    a musketeer or the necklace, which would be shown."""
    s.hand[seat][card] -= 1
    s.size[seat] -= 1
    for kind in range(KINDS):
        if kind != Card.QUEENS_NECKLACE and kind != Card.MUSKETEER:
            if s.seen[seat][kind]:
                s.seen[seat][kind] -= 1
                s.unknown[seat] += 1
            for knower in range(s.players):
                if s.known[knower][seat][kind] and (knower != witness or kind == card):
                    s.known[knower][seat][kind] -= 1
    s.unknown[seat] -= 1


def spend(s, seat, card):
    """Discard a card from a hand. All discards are public."""
    lose_seen(s, seat, card)
    discard(s, card)


def discard(s, card):
    s.discard[card] += 1
    if card == Card.QUEENS_NECKLACE:
        s.necklace = -1


def move_seen(s, giver, taker, card):
    """Move a card from hand to hand publicly."""
    lose_seen(s, giver, card)
    gain_seen(s, taker, card)


def move_unseen(s, giver, taker, card):
    """Move a card from hand to hand; only these two seats see it."""
    tell(s, Story.STOLEN, giver, taker)
    s.loot[giver][s.thefts] = card + 1
    s.loot[taker][s.thefts] = card + 1
    s.thefts += 1
    lose_unseen(s, giver, card, taker)
    add_unseen(s, taker, card)
    s.known[giver][taker][card] += 1


def look_at_hand(s, knower, seat):
    """Show the whole hand of a seat to another seat."""
    tell(s, Story.LOOKED, seat, knower)
    for card in range(KINDS):
        s.known[knower][seat][card] = s.hand[seat][card]
        s.looked[knower][s.looks][card] = s.hand[seat][card]
    s.looks += 1


def lack(s, seat, gem):
    """Record, for all seats, that a hand holds no card of a gem."""
    tell(s, Story.LACKED, seat, gem)
    s.at_most[seat][gem] = 0


def may_hold(s, seat, card):
    """Return True if public information allows this card to be in this hand. It decides which seats are asked, so that
    the question itself discloses nothing."""
    if s.seen[seat][card]:
        return True
    if not s.unknown[seat]:
        return False
    left = COUNT[card] - s.discard[card]
    for slot in range(SLOTS):
        left -= s.row[slot] == card
    for other in range(s.players):
        left -= s.seen[other][card]
    return left > 0
