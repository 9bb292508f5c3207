"""The facts about a sale: what lies in a tray before shows are revealed, and the outcome for each gem."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.facts import FactsBase, keyed, members, number, up_to, word
from courtly.games.necklace.cards import (
    BANKER_AT,
    BANKER_BONUS,
    COUNT,
    GEM_KINDS,
    GEM_OF,
    KINDS,
    KING_AT,
    NECKLACE_AT,
    RARITY_BONUS,
    RINGS_AT,
    SHOWABLE,
    SHOWN,
    SHOWN_CARD,
    STONES,
    Card,
    Gem,
)
from courtly.games.necklace.sale import legal_show, revenue, stopped, total, who_laid
from courtly.games.necklace.table import MOVES, SEATS

GEMS = len(Gem)
LEAST_RARITY, MOST_RARITY = min(RARITY_BONUS), max(RARITY_BONUS)
MOST_LAID = sum(COUNT[: Card.BANKER + 1])  # cards of a tray


class Why(NamedInt):
    """The reason for a seat's income from a gem."""

    (
        STOPPED,  # by a king
        WORTHLESS,  # stones at a price of 0
        LESS,  # stones, but fewer than another seat
        NOTHING,  # no stones
        STONES,  # sold, each at the same price
        RINGS,  # sold, and rings at the same price
        SOLD,  # sold, and rings at another price
    ) = range(7)


class Tray(FactsBase):
    """A show before it is revealed, with covered and open cards together."""

    gems = number(Gem, 3)  # for each gem the stones, and the least and the greatest income if it is sold
    bonus = number()  # of the bankers
    left = number(Card)  # cards that could still be laid
    back = number(keyed(SHOWABLE), up_to(1 + MOST_LAID))  # the moves that take back one of a covered piece


class Sold(FactsBase):
    """The outcome of the sale of a gem."""

    stones = number()
    fashion = number()
    changed = number()  # 1: the alchemist has changed stones from or into this gem
    stopped = number()
    void = number()  # 1: the necklace voids a king
    wearer = number()  # -1 if no seat showed the necklace
    pay = members()
    why = word(SEATS, of=Why)


def stones_of(cards, gem):
    """Return how many stones of a gem these cards have."""
    n = 0
    for card in range(GEM_KINDS):
        if GEM_OF[card] == gem:
            n += STONES[card] * cards[card]
    return n


# --- a tray -----------------------------------------------------------------------------------------------------------


def evaluate_tray(s, seat, out, moves):
    for card in range(KINDS):
        out.tray.left[card] = s.hand[seat][card]
    for piece in range(SHOWN):
        out.laid[piece] = s.tray[seat][piece] + s.openly[seat][piece]
        out.tray.left[SHOWN_CARD[piece]] -= s.tray[seat][piece]
    out.tray.bonus = BANKER_BONUS * out.laid[BANKER_AT]
    for gem in range(GEMS):
        stones = stones_of(out.laid, gem)
        out.tray.gems[gem][0] = stones
        out.tray.gems[gem][1] = revenue(s, stones, out.laid, gem, out.fashion[gem] + LEAST_RARITY)
        out.tray.gems[gem][2] = revenue(s, stones, out.laid, gem, out.fashion[gem] + MOST_RARITY)
    list_ways_back(s, seat, out, moves)


def list_ways_back(s, seat, out, moves):
    """List, for each covered piece, the moves that take one of it back: clear the tray, then lay the rest again, as far
    as it is still legal."""
    if not has_move(moves, legal_show(s, seat, moves), MOVES.clear):
        return
    tray = s.tray[seat]
    for piece in range(SHOWN):
        out.laid[piece] = tray[piece]
    for piece in range(SHOWN):
        if out.laid[piece]:
            out.laid[piece] -= 1
            for gem_card in range(GEM_KINDS):
                tray[gem_card] = out.laid[gem_card]
            for other in range(GEM_KINDS, SHOWN):
                tray[other] = 0
            list_way_back(s, seat, piece, out, moves)
            out.laid[piece] += 1
    for piece in range(SHOWN):
        tray[piece] = out.laid[piece]


def list_way_back(s, seat, piece, out, moves):
    """List the moves that lay the pieces of out.laid, whose gem cards lie in the tray."""
    n = legal_show(s, seat, moves)
    out.tray.back[piece][0] = MOVES.clear
    count = 1
    for other in range(SHOWN):
        if other < GEM_KINDS or has_move(moves, n, MOVES.lay + other):
            for _ in range(out.laid[other]):
                out.tray.back[piece][count] = MOVES.lay + other
                count += 1


def has_move(moves, n, move):
    for i in range(n):
        if moves[i] == move:
            return True
    return False


# --- the outcome ------------------------------------------------------------------------------------------------------


def describe_sale(s, gem, sale, sold):
    """Describe the outcome for a gem in a sale, which is the last one, in a record."""
    wearer = who_laid(s, NECKLACE_AT + gem)
    sold.stones = total(s, gem)
    sold.fashion = s.price[gem] - s.rarity[gem]
    sold.changed = 1 if s.alchemist != NOBODY and (gem == GEM_OF[s.changed] or gem == s.into) else 0
    sold.stopped = 1 if stopped(s, gem) else 0
    sold.void = 1 if wearer != NOBODY and who_laid(s, KING_AT + gem) != NOBODY else 0
    sold.wearer = wearer
    sold.pay = 0
    for seat in range(s.players):
        if s.shown[seat][KING_AT + gem] and wearer != NOBODY and wearer != seat:
            sold.pay |= 1 << seat
        sold.why[seat] = reason_of_income(s, seat, gem, s.income[sale][seat][gem])


def reason_of_income(s, seat, gem, income):
    stones = s.stones[seat][gem]
    bankers = s.shown[seat][BANKER_AT]
    if stopped(s, gem):
        return Why.STOPPED
    if stones and not s.price[gem] and not bankers:
        return Why.WORTHLESS
    if not income:
        return Why.LESS if stones else Why.NOTHING
    if not s.shown[seat][RINGS_AT + gem]:
        return Why.STONES
    return Why.SOLD if bankers and not s.banker_applies_to_rings else Why.RINGS
