"""Merchants: where they may lie in the deck, who puts off the sale when one comes, and how the game goes on."""

from courtly.engine.constants import NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import EARLIEST, LATEST, MERCHANTS, SALES, Card
from courtly.games.necklace.hands import may_hold
from courtly.games.necklace.purchase import ask_astrologer, end_turn, refill
from courtly.games.necklace.sale import start_sale
from courtly.games.necklace.table import MOVES, Phase


def merchant_places(s):
    """Among how many places, this one included, the next merchant is equally likely; 0 if it cannot be here."""
    return 0 if s.merchants == MERCHANTS or soonest(s) > 0 else latest(s) + 1


def soonest(s):
    """At least so many cards come before the next merchant."""
    return s.left - EARLIEST[s.merchant_jitter][s.thin_deck][s.players][s.merchants]


def latest(s):
    """At most so many cards come before the next merchant."""
    return s.left - LATEST[s.merchant_jitter][s.thin_deck][s.players][s.merchants]


def merchant_comes(s):
    s.left -= 1
    s.merchants += 1
    s.back = s.phase
    s.deferrer = NOBODY
    ask_cardinal(s, s.active)


def ask_cardinal(s, last):
    """The others are asked one after the other, clockwise from the drawer: everybody who may hold a cardinal, for
    all that is known."""
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
    """Go on where the merchant or the sale broke in."""
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
