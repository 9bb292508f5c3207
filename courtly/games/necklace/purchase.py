"""The other parts of the turn: purchase, devaluation and the end of the turn."""

from courtly.engine.constants import CHANCE
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import BUDGET, EMPTY, GEM_KINDS, KINDS, PRICE, RUNGS, Card
from courtly.games.necklace.hands import gain_seen, gain_unseen, may_hold
from courtly.games.necklace.sale import start_sale
from courtly.games.necklace.table import MOVES, Phase

# --- the row ----------------------------------------------------------------------------------------------------------


def slot_of(s, card):
    """Return the first slot with such a card in the row; EMPTY if there is none. With `card` EMPTY, return the first
    free slot."""
    for slot in range(s.row_size):
        if s.row[slot] == card:
            return slot
    return EMPTY


def clear_slot(s, slot):
    s.row[slot] = EMPTY
    s.rung[slot] = 0


# --- purchase ---------------------------------------------------------------------------------------------------------


def legal_purchase(s, moves):
    """List the purchases. The player must buy at least one card if the money is sufficient for any."""
    n = 0
    prices = PRICE[s.ladders]
    for slot in range(s.row_size):
        card = s.row[slot]
        moves[n] = MOVES.buy + slot * KINDS + card  # written without a branch, which the processor could not predict
        n += (card >= 0) & (prices[max(card, 0)][s.rung[slot]] <= s.budget)
    if s.bought or n == 0:
        moves[n] = MOVES.end
        n += 1
    return n


def buy(s, slot, card):
    s.budget -= PRICE[s.ladders][card][s.rung[slot]]
    s.bought += 1
    clear_slot(s, slot)
    s.phase = Phase.PURCHASE
    if card == Card.ASTROLOGER:
        s.discard[card] += 1
        ask_astrologer(s)
    else:
        gain_seen(s, s.active, card)


def ask_astrologer(s):
    """Draw one card from the deck into the hand, unseen by others; if the deck is empty, the purchases continue."""
    if s.left:
        enter_phase(s, Phase.ASTROLOGER, CHANCE)
    else:
        enter_phase(s, Phase.PURCHASE, 1 << s.active)


def leave_deck(s, card):
    s.deck[card] -= 1
    s.pile -= 1
    s.left -= 1


def draw_unseen(s, card):
    leave_deck(s, card)
    if card == Card.ASTROLOGER:
        s.discard[card] += 1
        ask_astrologer(s)
    else:
        gain_unseen(s, s.active, card)
        enter_phase(s, Phase.PURCHASE, 1 << s.active)


# --- devaluation ------------------------------------------------------------------------------------------------------


def devalue(s):
    """Lower all golden rings by one step; a card whose ring leaves the ladder is discarded."""
    if s.influence_needs_turn_start:
        for card in range(KINDS):
            s.fresh[s.active][card] = 0
    for slot in range(s.row_size):
        if s.row[slot] != EMPTY:
            s.rung[slot] += 1
            if s.rung[slot] == RUNGS:
                s.discard[s.row[slot]] += 1
                clear_slot(s, slot)
    refill(s)


def refill(s):
    """Fill the row from the deck, until the deck is empty."""
    if s.left and slot_of(s, EMPTY) != EMPTY:
        enter_phase(s, Phase.REFILL, CHANCE)
    else:
        end_turn(s)


def turn_up(s, card):
    leave_deck(s, card)
    if card < GEM_KINDS and s.phase == Phase.REFILL and may_hold(s, s.active, Card.QUEEN):
        s.offered = card
        enter_phase(s, Phase.QUEEN, 1 << s.active)
    else:
        place(s, card)


def place(s, card):
    s.row[slot_of(s, EMPTY)] = card
    s.offered = EMPTY
    if s.phase != Phase.OPENING:
        refill(s)
    elif slot_of(s, EMPTY) == EMPTY:
        begin_turn(s, s.active)


def queen_takes(s, seat):
    gain_seen(s, seat, s.offered)
    s.offered = EMPTY
    refill(s)


def end_turn(s):
    """Hold the sales that the active player has postponed, then begin the next player's turn."""
    if s.held[s.active]:
        s.held[s.active] -= 1
        s.back = Phase.TURN_ENDS
        start_sale(s)
    else:
        begin_turn(s, (s.active + 1) % s.players)


def begin_turn(s, seat):
    s.active = seat
    s.budget = BUDGET
    s.bought = 0
    enter_phase(s, Phase.INFLUENCE, 1 << seat)
