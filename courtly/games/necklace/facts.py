"""The facts for the board that follow from a view. Gems and cards are numbered by their index.

The state comes from a view: hidden numbers are 0.
"""

from courtly.engine.constants import NOBODY
from courtly.engine.facts import FactsBase, Logged, members, number, record, up_to
from courtly.games.necklace.cards import (
    BANKER_AT,
    BANKER_BONUS,
    COUNT,
    COURTIER_MONEY,
    EMPTY,
    FASHION_BONUS,
    GEM_KINDS,
    GEM_OF,
    KINDS,
    MERCHANTS,
    PRICE,
    RUNGS,
    SALES,
    SHOWABLE,
    SHOWN,
    SHOWN_CARD,
    SLOTS,
    Card,
    Gem,
)
from courtly.games.necklace.facts_sale import GEMS, Sold, Tray, describe_sale, evaluate_tray, stones_of
from courtly.games.necklace.influence import playable
from courtly.games.necklace.merchants import latest, soonest
from courtly.games.necklace.purchase import slot_of
from courtly.games.necklace.table import SEATS, Phase

COUNTED = ("pounds", "cards", "stones", "leads")
SECRET_PHASES = (Phase.SHOW,)
LOGGED = (Logged("budget", ("ducats",), verbs=("buy",)), Logged("shown", SHOWABLE, revealed_after=SECRET_PHASES))


class Facts(FactsBase):
    """The facts of Queen's Necklace."""

    ladders = number(Card, RUNGS)  # the four prices of each card
    prices = number(SLOTS, up_to(2))  # the price of each card on offer, and the lower price of the next turn
    clock = number(2)  # the least and the greatest number of cards before the next merchant
    fashion = number(Gem)  # pounds that fashion adds to a stone
    certain = number(SEATS, Card)  # cards known to be in each hand
    unknown = number(SEATS)  # number of other cards in each hand
    stones = number(SEATS, Gem)
    ahead = members(Gem)  # the seats that are known to hold the most stones of a gem
    more = number(SEATS, Gem)  # 1 if a hand may hold more cards of a gem than it is known to
    unseen = number(Card)  # number of copies of each card that this audience has not seen
    spending = number()  # 1 if the money of a turn matters now
    courtier = number()  # 1 if nothing is affordable, but would be with the money of the courtiers in this hand
    waits = number()  # the slot of a card that the queen may take
    tray = record(Tray)
    open = number()  # the sale whose shows are revealed
    sale = record(Sold, up_to(GEMS))
    bankers = number(SEATS)  # pounds that they add to a stone in the last sale
    made = number(SALES, SEATS)
    laid = number(SHOWABLE, scratch=True)


def facts(s, seat, out, moves):
    list_prices(s, out)
    if s.merchants < MERCHANTS:
        out.clock[0] = max(0, soonest(s))
        out.clock[1] = latest(s)
    for gem in range(GEMS):
        out.fashion[gem] = fashion_bonus(s, gem)
    list_hands(s, seat, out)
    count_unseen(s, out)
    out.spending = 1 if Phase.INFLUENCE <= s.phase <= Phase.ASTROLOGER else 0
    out.courtier = 1 if courtier_pays(s, seat) else 0
    out.waits = slot_of(s, EMPTY) if s.phase == Phase.QUEEN else EMPTY
    out.open = s.sales if s.phase == Phase.ALCHEMIST or s.phase == Phase.SETTLING else s.sales - 1
    for gem in range(GEMS if out.open >= 0 else 0):
        describe_sale(s, gem, out.open, out.sale[gem])
    for other in range(s.players):
        out.bankers[other] = BANKER_BONUS * s.shown[other][BANKER_AT]
        for sale in range(SALES):
            out.made[sale][other] = s.gifts[sale][other]
            for gem in range(GEMS):
                out.made[sale][other] += s.income[sale][other][gem]
    if s.phase == Phase.SHOW and seat != NOBODY:
        evaluate_tray(s, seat, out, moves)


def fashion_bonus(s, gem):
    for place in range(GEMS):
        if s.fashion[place] == gem:
            return FASHION_BONUS[place]
    return 0


# --- the row ----------------------------------------------------------------------------------------------------------


def list_prices(s, out):
    for card in range(KINDS):
        for rung in range(RUNGS):
            out.ladders[card][rung] = PRICE[s.ladders][card][rung]
    for slot in range(s.row_size):
        card = s.row[slot]
        if card != EMPTY:
            rung = s.rung[slot]
            out.prices[slot][0] = PRICE[s.ladders][card][rung]
            if rung + 1 < RUNGS:
                out.prices[slot][1] = PRICE[s.ladders][card][rung + 1]


def courtier_pays(s, seat):
    """Return True if nothing is affordable, but would be with the money of the courtiers in this hand."""
    if (
        seat == NOBODY
        or s.phase != Phase.INFLUENCE
        or not s.pending >> seat & 1
        or not playable(s, seat, Card.COURTIER)
    ):
        return False
    money = s.budget + COURTIER_MONEY * (s.hand[seat][Card.COURTIER] - s.fresh[seat][Card.COURTIER])
    affordable = False  # with that money
    for slot in range(SLOTS):
        if s.row[slot] != EMPTY:
            price = PRICE[s.ladders][s.row[slot]][s.rung[slot]]
            if price <= s.budget:
                return False
            affordable = affordable or price <= money
    return affordable


# --- hands ------------------------------------------------------------------------------------------------------------


def list_hands(s, seat, out):
    for other in range(s.players):
        out.unknown[other] = s.size[other]
        for card in range(KINDS):
            out.certain[other][card] = certain(s, seat, other, card)
            out.unknown[other] -= out.certain[other][card]
        for gem in range(GEMS):
            out.stones[other][gem] = stones_of(out.certain[other], gem)
            known = cards_of(out.certain[other], gem)
            out.more[other][gem] = 1 if out.unknown[other] > 0 and known < s.at_most[other][gem] else 0
    for gem in range(GEMS):
        most = 1
        out.ahead[gem] = 0
        for other in range(s.players):
            most = max(most, out.stones[other][gem])
        for other in range(s.players):
            if out.stones[other][gem] == most:
                out.ahead[gem] |= 1 << other


def certain(s, seat, other, card):
    """Return how many cards of a kind this audience knows in a hand; for spectators, those that are public."""
    if seat == other:
        return s.hand[other][card]
    return max(s.hand[other][card], s.seen[other][card]) if seat == NOBODY else s.known[seat][other][card]


def cards_of(cards, gem):
    """Return how many cards of a gem these are."""
    n = 0
    for card in range(GEM_KINDS):
        if GEM_OF[card] == gem:
            n += cards[card]
    return n


def count_unseen(s, out):
    for card in range(KINDS):
        out.unseen[card] = COUNT[card] - s.discard[card]
        for other in range(s.players):
            out.unseen[card] -= out.certain[other][card]
    for piece in range(SHOWN):
        for other in range(s.players):
            out.unseen[SHOWN_CARD[piece]] -= s.openly[other][piece]
    for slot in range(SLOTS):
        if s.row[slot] != EMPTY:
            out.unseen[s.row[slot]] -= 1
    if s.offered != EMPTY:
        out.unseen[s.offered] -= 1


def counted(s, seat, out):
    """Write the numbers that players count, in the order of COUNTED; the most important one comes first."""
    out[0] = s.score[seat]
    out[1] = s.size[seat]
    out[2] = 0
    out[3] = 0
    for gem in range(GEMS):
        stones = stones_of(s.hand[seat], gem)
        out[2] += stones
        if leads(s, seat, gem, stones):
            out[3] += 1


def leads(s, seat, gem, stones):
    """Return True if this seat knows of no other hand with at least this number of stones of a gem, and has some."""
    for other in range(s.players):
        if other != seat and stones_of(s.known[seat][other], gem) >= stones:
            return False
    return stones > 0
