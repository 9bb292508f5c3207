"""The turn, its other parts: purchase and devaluation, and its end."""

from courtly.engine.game import CHANCE
from courtly.games.necklace.cards import EMPTY, GEM_KINDS, KINDS, PRICE, RUNGS, Card
from courtly.games.necklace.hands import gain_seen, gain_unseen, may_hold
from courtly.games.necklace.influence import begin_turn
from courtly.games.necklace.sale import start_sale
from courtly.games.necklace.table import MOVES, Phase

# --- purchase ---------------------------------------------------------------------------------------------------------


def legal_purchase(s, moves):
    """At least one card has to be bought if there is money for any."""
    n = 0
    prices = PRICE[s.ladders]
    for slot in range(s.row_size):
        card = s.row[slot]
        moves[n] = MOVES.buy + slot * KINDS + card
        n += card >= 0 and prices[card][s.rung[slot]] <= s.budget
    if s.bought or n == 0:
        moves[n] = MOVES.end
        n += 1
    return n


def buy(s, slot, card):
    s.budget -= PRICE[s.ladders][card][s.rung[slot]]
    s.bought += 1
    s.row[slot] = EMPTY
    s.rung[slot] = 0
    s.phase = Phase.PURCHASE
    if card == Card.ASTROLOGER:
        s.discard[card] += 1
        ask_astrologer(s)
    else:
        gain_seen(s, s.active, card)


def ask_astrologer(s):
    """One card from the deck into the hand, unseen; when there is none left, the purchases go on."""
    if s.left:
        s.phase = Phase.ASTROLOGER
        s.pending = CHANCE
    else:
        s.phase = Phase.PURCHASE
        s.pending = 1 << s.active


def draw_unseen(s, card):
    s.deck[card] -= 1
    s.pile -= 1
    s.left -= 1
    if card == Card.ASTROLOGER:
        s.discard[card] += 1
        ask_astrologer(s)
        return
    if card == Card.QUEENS_NECKLACE:
        gain_seen(s, s.active, card)
    else:
        gain_unseen(s, s.active, card)
    s.phase = Phase.PURCHASE
    s.pending = 1 << s.active


# --- devaluation ------------------------------------------------------------------------------------------------------


def devalue(s):
    """Every golden ring goes down; a card whose ring falls off is discarded."""
    if s.influence_needs_turn_start:
        for card in range(KINDS):
            s.fresh[s.active][card] = 0
    for slot in range(s.row_size):
        if s.row[slot] != EMPTY:
            s.rung[slot] += 1
            if s.rung[slot] == RUNGS:
                s.discard[s.row[slot]] += 1
                s.row[slot] = EMPTY
                s.rung[slot] = 0
    refill(s)


def empty_slot(s):
    for slot in range(s.row_size):
        if s.row[slot] == EMPTY:
            return slot
    return EMPTY


def refill(s):
    """The row is filled up from the deck, as long as there is one."""
    if s.left and empty_slot(s) != EMPTY:
        s.phase = Phase.REFILL
        s.pending = CHANCE
    else:
        end_turn(s)


def turn_up(s, card):
    s.deck[card] -= 1
    s.pile -= 1
    s.left -= 1
    if card < GEM_KINDS and s.phase == Phase.REFILL and may_hold(s, s.active, Card.QUEEN):
        s.offered = card
        s.phase = Phase.QUEEN
        s.pending = 1 << s.active
        return
    place(s, card)


def place(s, card):
    s.row[empty_slot(s)] = card
    s.offered = EMPTY
    if s.phase == Phase.OPENING and empty_slot(s) != EMPTY:
        return
    if s.phase == Phase.OPENING:
        begin_turn(s, s.active)
    else:
        refill(s)


def queen_takes(s, seat):
    gain_seen(s, seat, s.offered)
    s.offered = EMPTY
    refill(s)


def end_turn(s):
    """Sales that this player has put off take place now; then it is the next player's turn."""
    if s.held[s.active]:
        s.held[s.active] -= 1
        s.back = Phase.TURN_ENDS
        start_sale(s)
    else:
        begin_turn(s, (s.active + 1) % s.players)
