"""The facts for the board that follow from a view. Gems and cards are numbered by their index.

The state comes from a view: hidden numbers are 0.
"""

from courtly.games.necklace.cards import (
    BANKER_AT,
    BANKER_BONUS,
    COUNT,
    COURTIER_MONEY,
    EMPTY,
    FASHION_BONUS,
    GEM_KINDS,
    GEM_OF,
    KING_AT,
    MERCHANTS,
    NECKLACE_AT,
    PRICE,
    RARITY_BONUS,
    RINGS_AT,
    SALES,
    SHOWABLE,
    SHOWN,
    SHOWN_CARD,
    STONES,
    Card,
)
from courtly.games.necklace.influence import playable
from courtly.games.necklace.merchants import latest, soonest
from courtly.games.necklace.purchase import slot_of
from courtly.games.necklace.sale import legal_show, revenue, stopped, total, who_laid
from courtly.games.necklace.table import MOVES, Phase

COUNTED = ("pounds", "cards")
SPENDING = (Phase.INFLUENCE, Phase.FORGER, Phase.THIEF, Phase.PURCHASE, Phase.ASTROLOGER)


def facts(s, seat):
    seats = range(s.players)
    hands = [certain(s, seat, other) for other in seats]
    last = s.sales - (s.phase not in (Phase.ALCHEMIST, Phase.SETTLING))  # the sale whose shows are revealed
    stones = [stones_by_gem(hand) for hand in hands]
    unknown = [s.size[other] - sum(hand) for other, hand in enumerate(hands)]
    fashion = [FASHION_BONUS[s.fashion.index(gem)] if gem in s.fashion else 0 for gem in range(4)]
    return {
        "ladders": [list(ladder) for ladder in PRICE[s.ladders]],  # the four prices of each card
        "prices": prices(s),
        "clock": clock(s),
        "fashion": fashion,  # pounds that fashion adds to a stone of each gem
        "certain": [list(hand) for hand in hands],  # cards known to be in each hand
        "unknown": unknown,  # number of other cards in each hand
        "stones": stones,
        "ahead": [ahead(counts) for counts in zip(*stones, strict=True)],
        "more": [
            [int(others > 0 and n < most) for n, most in zip(cards_by_gem(hand), s.at_most[other], strict=True)]
            for other, (hand, others) in enumerate(zip(hands, unknown, strict=True))
        ],  # 1 if a hand may hold more cards of a gem than it is known to
        "unseen": unseen(s, hands),
        "spending": int(s.phase in SPENDING),  # 1 if the money of a turn matters now
        "courtier": int(courtier_pays(s, seat)),
        "waits": slot_of(s, EMPTY) if s.phase == Phase.QUEEN else EMPTY,  # the slot of a card that the queen may take
        "tray": tray(s, seat, fashion) if s.phase == Phase.SHOW and seat is not None else None,
        "open": last,
        "sale": [sold(s, gem, last) for gem in range(4)] if last >= 0 else [],
        # pounds that they add to a stone in the last sale
        "bankers": [BANKER_BONUS * s.shown[other][BANKER_AT] for other in seats],
        "made": [[s.gifts[sale][other] + sum(s.income[sale][other]) for other in seats] for sale in range(SALES)],
    }


def prices(s):
    """Return the price of each card on offer, and the lower price of the next turn; None for an empty slot."""
    return [
        None if card == EMPTY else [PRICE[s.ladders][card][rung], *PRICE[s.ladders][card][rung + 1 : rung + 2]]
        for card, rung in zip(s.row[: s.row_size], s.rung, strict=False)
    ]


def clock(s):
    """Return the least and the greatest number of cards before the next merchant; None after the last one."""
    return None if s.merchants == MERCHANTS else [max(0, soonest(s)), latest(s)]


# --- hands ------------------------------------------------------------------------------------------------------------


def certain(s, seat, other):
    """Return the cards that this audience knows in a hand; for spectators, those that are public."""
    if seat is None:
        return s.hand[other] if any(s.hand[other]) else s.seen[other]
    return s.hand[seat] if other == seat else s.known[seat][other]


def stones_by_gem(cards):
    return [sum(STONES[card] * cards[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem) for gem in range(4)]


def cards_by_gem(cards):
    return [sum(cards[card] for card in range(GEM_KINDS) if GEM_OF[card] == gem) for gem in range(4)]


def ahead(counts):
    """Return the seats that are known to hold the most stones of a gem."""
    return [seat for seat, n in enumerate(counts) if n and n == max(counts)]


def unseen(s, hands):
    """Return the number of copies of each card that this audience has not seen."""
    left = [COUNT[card] - s.discard[card] - sum(held) for card, held in enumerate(zip(*hands, strict=True))]
    for pieces in s.openly:
        for piece, n in enumerate(pieces):
            left[SHOWN_CARD[piece]] -= n
    for card in (*s.row, s.offered):
        if card != EMPTY:
            left[card] -= 1
    return left


def courtier_pays(s, seat):
    """Return True if nothing is affordable, but would be with the money of the courtiers in this hand."""
    if seat is None or s.phase != Phase.INFLUENCE or not s.pending >> seat & 1 or not playable(s, seat, Card.COURTIER):
        return False
    money = s.budget + COURTIER_MONEY * (s.hand[seat][Card.COURTIER] - s.fresh[seat][Card.COURTIER])
    prices = [PRICE[s.ladders][card][rung] for card, rung in zip(s.row, s.rung, strict=True) if card != EMPTY]
    return s.budget < min(prices, default=0) <= money


# --- the sale ---------------------------------------------------------------------------------------------------------


def tray(s, seat, fashion):
    """Return a show before it is revealed, with covered and open cards together: for each gem the stones, and the least
    and the greatest income if it is sold; the bonus of the bankers; the cards that could still be laid; and the moves
    that take back each covered piece."""
    cards = [covered + openly for covered, openly in zip(s.tray[seat], s.openly[seat], strict=True)]
    left = list(s.hand[seat])
    for piece, n in enumerate(s.tray[seat]):
        left[SHOWN_CARD[piece]] -= n
    return {
        "gems": [
            [n, *(revenue(s, n, cards, gem, fashion[gem] + bonus) for bonus in (min(RARITY_BONUS), max(RARITY_BONUS)))]
            for gem, n in enumerate(stones_by_gem(cards))
        ],
        "bonus": BANKER_BONUS * cards[BANKER_AT],
        "left": left,
        "back": taken_back(s, seat),
    }


def taken_back(s, seat):
    """Return, for each covered piece in a tray, the moves that take one of it back: clear the tray, then lay the rest
    again, as far as it is still legal."""
    lying = s.tray[seat]
    if MOVES.clear not in MOVES.listed(legal_show, s, seat):
        return {}
    ways = {}
    for piece, n in enumerate(lying):
        if n:
            rest = [m - (other == piece) for other, m in enumerate(lying)]
            s.tray[seat] = rest[:GEM_KINDS] + [0] * (SHOWN - GEM_KINDS)
            may = MOVES.listed(legal_show, s, seat)
            again = [k for k, m in enumerate(rest) for _ in range(m) if k < GEM_KINDS or MOVES.lay + k in may]
            ways[SHOWABLE[piece]] = [MOVES.clear, *(MOVES.lay + k for k in again)]
    s.tray[seat] = lying
    return ways


def sold(s, gem, sale):
    """Return the outcome of the sale of a gem. `wearer` is -1 if no seat showed the necklace."""
    wearer = who_laid(s, NECKLACE_AT + gem)
    kings = [seat for seat in range(s.players) if s.shown[seat][KING_AT + gem]]
    return {
        "stones": total(s, gem),
        "fashion": s.price[gem] - s.rarity[gem],
        "changed": int(s.alchemist >= 0 and gem in (GEM_OF[s.changed], s.into)),  # from or into this gem
        "stopped": int(stopped(s, gem)),
        "void": int(kings != [] and wearer >= 0),
        "wearer": wearer,
        "pay": [seat for seat in kings if wearer not in (-1, seat)],
        "why": [why(s, gem, sale, seat) for seat in range(s.players)],
    }


def why(s, gem, sale, seat):
    """Return the reason for a seat's income from a gem. A seat that sold has `stones` or `rings` if each of these had
    the same price, else `sold`."""
    stones, rings = s.stones[seat][gem], s.shown[seat][RINGS_AT + gem]
    bankers = s.shown[seat][BANKER_AT]
    if stopped(s, gem):
        return "stopped"
    if stones and not s.price[gem] and not bankers:
        return "worthless"
    if not s.income[sale][seat][gem]:
        return "less" if stones else "nothing"
    if not rings:
        return "stones"
    return "sold" if bankers and not s.banker_applies_to_rings else "rings"


def counted(s, seat):
    """Return the numbers that players count, in the order of COUNTED; the most important one comes first."""
    return [s.score[seat], s.size[seat]]
