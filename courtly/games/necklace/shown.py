"""What follows by the rules from what an audience sees, for the board: numbers, gems and cards by their place in the
tables.

The state is made of a view: what the audience cannot see is 0.
"""

from courtly.games.necklace.rules import latest, playable, soonest
from courtly.games.necklace.sale import necklace_with, revenue, stopped, total
from courtly.games.necklace.table import *


def facts(s, seat):
    hands = [certain(s, seat, other) for other in range(s.players)]
    fashion = [FASHION_BONUS[s.fashion.index(gem)] if gem in s.fashion else 0 for gem in range(4)]
    return {
        "ladders": [list(ladder) for ladder in PRICE[s.ladders]],  # the four prices of each card
        "clock": clock(s),
        "fashion": fashion,  # pounds that it adds to a stone of each gem
        "stones": [stones_by_gem(hand) for hand in hands],  # certain, in each hand
        "unseen": [unseen(s, hands, card) for card in range(KINDS)],
        "courtier": int(courtier_pays(s, seat)),
        "tray": None if seat is None else tray(s, s.tray[seat], fashion),
        "sale": [sold(s, gem) for gem in range(4)],
        # pounds that they add to a stone in the last sale
        "bankers": [BANKER_BONUS * s.shown[other][BANKER_AT] for other in range(s.players)],
    }


def clock(s):
    """How many cards at least and at most come before the next merchant; None after the last."""
    return None if s.merchants == MERCHANTS else [max(0, soonest(s)), latest(s)]


# --- hands ------------------------------------------------------------------------------------------------------------


def certain(s, seat, other):
    """The cards that this audience is certain of in a hand; a spectator: that everybody is."""
    return s.seen[other] if seat is None else s.hand[seat] if other == seat else s.known[seat][other]


def stones_by_gem(cards):
    return [sum(STONES[card] * cards[card] for card in range(GEM_KINDS) if GEM[card] == gem) for gem in range(4)]


def unseen(s, hands, card):
    """How many copies of a card this audience has not seen."""
    return COUNT[card] - s.discard[card] - sum(hand[card] for hand in hands) - s.row.count(card) - (s.offered == card)


def courtier_pays(s, seat):
    """Nothing can be bought: would the money of the courtiers in this hand do?"""
    if seat is None or s.phase != INFLUENCE or not s.pending >> seat & 1 or not playable(s, seat, COURTIER):
        return False
    money = s.budget + COURTIER_MONEY * (s.hand[seat][COURTIER] - s.fresh[seat][COURTIER])
    prices = [PRICE[s.ladders][card][rung] for card, rung in zip(s.row, s.rung, strict=True) if card != EMPTY]
    return s.budget < min(prices, default=0) <= money


# --- the sale ---------------------------------------------------------------------------------------------------------


def tray(s, cards, fashion):
    """By gem: the stones in a tray, and the pounds that they fetch at least and at most if they are sold."""
    stones = stones_by_gem(cards)
    return [
        [
            stones[gem],
            *(
                revenue(s, stones[gem], cards, gem, fashion[gem] + rarity)
                for rarity in (min(RARITY_BONUS), max(RARITY_BONUS))
            ),
        ]
        for gem in range(4)
    ]


def sold(s, gem):
    """How the last sale of a gem went; a seat that wears nothing is -1."""
    wearer = necklace_with(s, gem)
    kings = [seat for seat in range(s.players) if s.shown[seat][KING_AT + gem]]
    return {
        "stones": total(s, gem),
        "fashion": s.price[gem] - s.rarity[gem],
        "stopped": int(stopped(s, gem)),
        "void": int(kings != [] and wearer >= 0),
        "wearer": wearer,
        "pay": [seat for seat in kings if wearer not in (-1, seat)],
    }
