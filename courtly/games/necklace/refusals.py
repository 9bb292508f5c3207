"""Queen's Necklace: why a move is not legal."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.games.necklace.cards import EMPTY, GEM_OF, KING_AT, NECKLACE_AT, RINGS_AT, SHOWN_CARD, Card
from courtly.games.necklace.influence import playable
from courtly.games.necklace.purchase import slot_of
from courtly.games.necklace.sale import laid
from courtly.games.necklace.table import MOVES, PLAYED, VERB, Phase, X, Y


class Refusal(NamedInt):
    (
        TOO_DEAR,
        NOT_ON_OFFER,
        BUY_FIRST,
        NOT_IN_HAND,
        INFLUENCE_OVER,
        JUST_TAKEN,
        NO_TARGET,
        NO_NECKLACE,
        NECKLACE_IN_DECK,
        THREE_MUSKETEERS,
        GEM_FIRST,
        OPEN_GEM_FIRST,
        ONE_KING,
        ANOTHER_GEM,
        HAS_GEM,
        TRUE_GEM,
        NO_GEM_SHOWN,
        NOT_NOW,
    ) = range(18)


def refusal(s, seat, move):
    if not right_time(s, move):
        return (
            Refusal.INFLUENCE_OVER
            if s.phase == Phase.PURCHASE and MOVES.confessor <= move <= MOVES.musketeers
            else Refusal.NOT_NOW
        )
    if s.phase == Phase.SHOW:
        return refusal_in_show(s, seat, move)
    verb = VERB[move]
    if verb == MOVES.buy:
        return Refusal.TOO_DEAR if X[move] < s.row_size and s.row[X[move]] == Y[move] else Refusal.NOT_ON_OFFER
    if verb == MOVES.end:
        return Refusal.BUY_FIRST
    if verb == MOVES.discard and GEM_OF[X[move]] != s.gem:
        return Refusal.ANOTHER_GEM
    if verb == MOVES.show_hand:
        return Refusal.HAS_GEM
    if verb == MOVES.musketeers:
        return refusal_of_musketeers(s, seat)
    if verb == MOVES.take and X[move] != s.offered:
        return Refusal.NOT_ON_OFFER
    card = PLAYED[move]
    if not s.hand[seat][card]:
        return Refusal.NOT_IN_HAND
    if verb == MOVES.alchemist:
        return Refusal.TRUE_GEM if GEM_OF[X[move]] == Y[move] else Refusal.NO_GEM_SHOWN
    return Refusal.JUST_TAKEN if not playable(s, seat, card) else Refusal.NO_TARGET


def right_time(s, move):
    """Return True if this kind of move belongs to the current phase."""
    phase = s.phase
    if move <= MOVES.end:
        return phase == Phase.INFLUENCE or phase == Phase.PURCHASE
    if move <= MOVES.musketeers:
        return phase == Phase.INFLUENCE
    if move <= MOVES.show_hand:
        return phase == Phase.FORGER
    if move <= MOVES.decline:
        return phase == Phase.QUEEN
    if move <= MOVES.no_cardinal:
        return phase == Phase.CARDINAL
    if move <= MOVES.banker_open:
        return phase == Phase.SHOW
    return phase == Phase.ALCHEMIST


def refusal_of_musketeers(s, seat):
    """Return why three musketeers cannot be played. The necklace may be in the deck, discarded, or worn by this
    player."""
    if s.hand[seat][Card.MUSKETEER] < 3:
        return Refusal.THREE_MUSKETEERS
    gone = s.discard[Card.QUEENS_NECKLACE] or slot_of(s, Card.QUEENS_NECKLACE) != EMPTY
    return Refusal.NO_NECKLACE if s.necklace != NOBODY or gone else Refusal.NECKLACE_IN_DECK


def refusal_in_show(s, seat, move):
    if move == MOVES.clear or move == MOVES.commit:
        return Refusal.NOT_NOW
    tray = s.tray[seat]
    openly = move > MOVES.commit
    piece = move - (MOVES.lay_open if openly else MOVES.lay)
    card = SHOWN_CARD[piece]
    if card == Card.KING and laid(tray, KING_AT) + laid(s.openly[seat], KING_AT):
        return Refusal.ONE_KING
    lying = tray[piece]
    if card == Card.RING or card == Card.QUEENS_NECKLACE:
        lying = laid(tray, RINGS_AT if card == Card.RING else NECKLACE_AT)
    if s.hand[seat][card] <= lying:
        return Refusal.NOT_IN_HAND
    return Refusal.OPEN_GEM_FIRST if openly else Refusal.GEM_FIRST
