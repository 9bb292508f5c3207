"""Hidden information: which seats see a move, and worlds that a seat cannot tell apart."""

from courtly.engine.constants import EVERYONE, NOBODY, SPECTATOR
from courtly.engine.stdlib.hidden_hands import draw_card
from favours.table import COPIES, MOVES, RANKS, VERB


def audience(s, seat, move):
    if seat == NOBODY:
        return 1 << s.seat
    return 1 << seat if VERB[move] == MOVES.hide else EVERYONE


def reveals(s, seat, move):
    """Return EVERYONE for the last card of the game, which shows every secret."""
    cards = s.left
    for other in range(s.players):
        cards += s.size[other]
    return EVERYONE if cards == 1 else 0


def determinize(s, seat, rng):
    for rank in range(RANKS):
        s.pool[rank] = COPIES - s.gone[rank]
        for other in range(s.players):
            s.pool[rank] -= s.given[other][rank]
        if seat != SPECTATOR:
            s.pool[rank] -= s.hand[seat][rank] + s.secret[seat][rank]
    for other in range(s.players):
        if other != seat:
            for rank in range(RANKS):
                s.hand[other][rank] = 0
                s.secret[other][rank] = 0
            for _ in range(s.size[other]):
                s.hand[other][draw_card(rng, s.pool, RANKS)] += 1
            for _ in range(s.hidden[other]):
                s.secret[other][draw_card(rng, s.pool, RANKS)] += 1
    for rank in range(RANKS):
        s.deck[rank] = s.pool[rank]
