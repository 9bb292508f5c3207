"""Merchants: their places in the deck, the postponement of a sale, and the continuation after it."""

from courtly.engine.constants import NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import EARLIEST, LATEST, MERCHANTS, SALES, Card
from courtly.games.necklace.hands import may_hold
from courtly.games.necklace.purchase import ask_astrologer, end_turn, refill
from courtly.games.necklace.sale import start_sale
from courtly.games.necklace.table import MOVES, Phase


def merchant_places(s):
    """Return the number of places, this one included, where the next merchant can be with equal probability; 0 if it
    cannot be here."""
    return 0 if s.merchants == MERCHANTS or soonest(s) > 0 else latest(s) + 1


def soonest(s):
    """Return the least number of cards before the next merchant."""
    return s.left - EARLIEST[s.merchant_jitter][s.thin_deck][s.players][s.merchants]


def latest(s):
    """Return the greatest number of cards before the next merchant."""
    return s.left - LATEST[s.merchant_jitter][s.thin_deck][s.players][s.merchants]


def merchant_comes(s):
    s.left -= 1
    s.merchants += 1
    s.back = s.phase
    s.deferrer = NOBODY
    ask_cardinal(s, s.active)


def ask_cardinal(s, last):
    """Ask the next seat after `last`, clockwise, that may hold a cardinal by public information. After the last seat,
    begin or postpone the sale."""
    seat = (last + 1) % s.players
    while seat != s.active and not may_hold(s, seat, Card.CARDINAL):
        seat = (seat + 1) % s.players
    if seat != s.active:
        enter_phase(s, Phase.CARDINAL, 1 << seat)
    elif s.deferrer == NOBODY:
        start_sale(s)
    else:
        s.held[s.deferrer] += 1
        resume(s)


def answer_merchant(s, seat, verb):
    if verb == MOVES.cardinal:
        s.deferrer = seat
    ask_cardinal(s, seat)


def resume(s):
    """Continue where the merchant or the sale interrupted."""
    if s.back == Phase.REFILL:
        refill(s)
    elif s.back == Phase.ASTROLOGER:
        ask_astrologer(s)
    else:
        end_turn(s)


def sale_over(s):
    s.sales += 1
    if s.sales == SALES:
        enter_phase(s, Phase.OVER, 0)
    else:
        resume(s)
