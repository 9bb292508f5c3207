"""Cards in hands, and who knows what of them.

Whatever everybody sees is in `seen`; what one player knows, including that, is in that player's row of `known`. Both
say how many of a card are certain. A gem that a forger did not find is bounded from above by `at_most`.

After a theft these are less than could be known. All that could be is in the story of what everybody saw happen to
hands, with the cards that some saw besides: worlds.py makes worlds of it.
"""

from courtly.engine.constants import EVERYONE
from courtly.engine.stdlib.hidden_hands import add_card
from courtly.games.necklace.cards import COUNT, GEM_KINDS, GEM_OF, KINDS, PLAYERS, SLOTS, UNBOUNDED, Card
from courtly.games.necklace.table import Story


def tell(s, what, seat, which):
    """The story goes on. `which` is a card, a gem or another seat, as `what` says."""
    s.story[s.told] = (what * PLAYERS + seat) * KINDS + which
    s.told += 1


def gain_seen(s, seat, card):
    """A card comes to a hand for all to see."""
    tell(s, Story.COME, seat, card)
    s.hand[seat][card] += 1
    s.size[seat] += 1
    add_card(s.known, s.seen, s.players, seat, card, EVERYONE)
    if card == Card.QUEENS_NECKLACE:
        s.necklace = seat
    elif card < GEM_KINDS and s.at_most[seat][GEM_OF[card]] < UNBOUNDED:
        s.at_most[seat][GEM_OF[card]] += 1


def gain_unseen(s, seat, card):
    """A card comes from the deck to a hand and its owner alone sees it; but the necklace is worn at once."""
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
    """A card leaves a hand for all to see."""
    tell(s, Story.GONE, seat, card)
    take_seen(s, seat, card)


def take_seen(s, seat, card):
    """Take from a hand a card that everybody sees."""
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
    """A card leaves a hand and only its owner and a witness see which: for the others each card may be the one. It
    cannot be a musketeer or the necklace, which would be shown."""
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
    """A card is discarded from a hand; every discard is face up."""
    lose_seen(s, seat, card)
    discard(s, card)


def discard(s, card):
    s.discard[card] += 1
    if card == Card.QUEENS_NECKLACE:
        s.necklace = -1


def move_seen(s, giver, taker, card):
    """From hand to hand for all to see."""
    lose_seen(s, giver, card)
    gain_seen(s, taker, card)


def move_unseen(s, giver, taker, card):
    """From hand to hand, and only these two see the card."""
    tell(s, Story.STOLEN, giver, taker)
    s.loot[giver][s.thefts] = card + 1
    s.loot[taker][s.thefts] = card + 1
    s.thefts += 1
    lose_unseen(s, giver, card, taker)
    add_unseen(s, taker, card)
    s.known[giver][taker][card] += 1


def look_at_hand(s, knower, seat):
    """One player sees another's whole hand."""
    tell(s, Story.LOOKED, seat, knower)
    for card in range(KINDS):
        s.known[knower][seat][card] = s.hand[seat][card]
        s.looked[knower][s.looks][card] = s.hand[seat][card]
    s.looks += 1


def lack(s, seat, gem):
    """Everybody hears that a hand holds no card of a gem."""
    tell(s, Story.LACKED, seat, gem)
    s.at_most[seat][gem] = 0


def may_hold(s, seat, card):
    """Could this card be in this hand, for all that everybody knows? Decides who is asked, so that being asked tells
    nothing."""
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
