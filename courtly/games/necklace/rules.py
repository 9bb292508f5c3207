"""Queen's Necklace: the contract and the turn, in the order of the rulebook. The table stands in table.py, the sale in
sale.py, what hands hold and who knows of it in hands.py, other possible worlds in guess.py."""

from courtly.engine.game import CHANCE, EVERYONE, NOBODY, SILENT
from courtly.engine.names import Names
from courtly.games.necklace.guess import determinize as determinize
from courtly.games.necklace.hands import (
    gain_seen,
    gain_unseen,
    lack,
    look_at_hand,
    may_hold,
    move_seen,
    move_unseen,
    spend,
)
from courtly.games.necklace.sale import (
    alchemist_answered,
    clear,
    commit,
    convert,
    laid,
    legal_alchemist,
    legal_show,
    next_step,
    pay,
    sell,
    start_sale,
    told,
)
from courtly.games.necklace.table import *

# --- setup and chance -------------------------------------------------------------------------------------------------


def setup(s):
    for card in range(KINDS):
        s.deck[card] = COUNT[card]
        s.pile += COUNT[card]
    for slot in range(SLOTS):
        s.row[slot] = EMPTY
    for seat in range(s.players):
        for gem in range(4):
            s.at_most[seat][gem] = UNBOUNDED
    s.left = DECK[s.thin_deck][s.players]
    s.necklace = NOBODY
    s.alchemist = NOBODY
    s.deferrer = NOBODY
    s.offered = EMPTY
    s.phase = Phase.TILES
    s.pending = CHANCE


def chance(s, moves, weights):
    n = 0
    if s.phase == Phase.SETTLING:
        moves[0] = told(s)
        weights[0] = 1
        n = 1
    elif s.phase == Phase.TILES:
        n = draw_tile(s, moves, weights)
    elif s.phase == Phase.STARTING:
        while n < s.players:
            moves[n] = START + n
            weights[n] = 1
            n += 1
    elif s.phase == Phase.DEALING:
        n = draw_to_deal(s, moves, weights)
    elif s.phase == Phase.THIEF:
        n = draw_from(s.hand[s.giver], STEAL, 1, moves, weights)
    else:
        n = draw(s, DRAW if s.phase == Phase.ASTROLOGER else TURN_UP, moves, weights)
    return n


def draw_to_deal(s, moves, weights):
    """Nobody is dealt an astrologer: it would be shuffled back."""
    n = 0
    for card in range(KINDS):
        if s.deck[card] and card != ASTROLOGER:
            moves[n] = DEAL + card
            weights[n] = s.deck[card]
            n += 1
    return n


def draw_from(cards, first, share, moves, weights):
    """Any of these cards."""
    n = 0
    for card in range(KINDS):
        moves[n] = first + card  # without a branch that nobody could foresee
        weights[n] = cards[card] * share
        n += cards[card] > 0
    return n


def draw(s, first, moves, weights):
    """The top of the deck: a card, or the next merchant if it can be here."""
    places = merchant_places(s)
    if not places:
        return draw_from(s.deck, first, 1, moves, weights)
    n = 0
    if places > 1:
        n = draw_from(s.deck, first, places - 1, moves, weights)
    moves[n] = MERCHANT
    weights[n] = s.pile if places > 1 else 1
    return n + 1


def merchant_places(s):
    """Among how many places, this one included, the next merchant is equally likely; 0 if it cannot be here."""
    if s.merchants == MERCHANTS:
        return 0
    return 0 if soonest(s) > 0 else latest(s) + 1


def soonest(s):
    """At least so many cards come before the next merchant."""
    here = DECK[s.thin_deck][s.players] - s.left
    return FIRST_PLACE[s.merchant_jitter][s.thin_deck][s.players][s.merchants] - here


def latest(s):
    """At most so many cards come before the next merchant."""
    here = DECK[s.thin_deck][s.players] - s.left
    return LAST_PLACE[s.merchant_jitter][s.thin_deck][s.players][s.merchants] - here


def draw_tile(s, moves, weights):
    """The gems that lie under no fashion tile yet; `step` counts the tiles."""
    n = 0
    for gem in range(4):
        free = 1
        for place in range(s.step):
            if s.fashion[place] == gem:
                free = 0
        if free:
            moves[n] = TILE + gem
            weights[n] = 1
            n += 1
    return n


def lay_tile(s, gem):
    """The last gem follows from the others."""
    s.fashion[s.step] = gem
    s.step += 1
    if s.step == 3:
        s.fashion[3] = 6 - s.fashion[0] - s.fashion[1] - s.fashion[2]
        s.phase = Phase.STARTING


def deal(s, card):
    """Four cards to each; whoever is dealt the necklace wears it at once."""
    s.deck[card] -= 1
    s.pile -= 1
    if card == NECKLACE:
        gain_seen(s, s.target, card)
    else:
        gain_unseen(s, s.target, card)
    if s.size[s.target] == HAND:
        s.target += 1
    if s.target == s.players:
        s.target = 0
        s.phase = Phase.OPENING


# --- the contract -----------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    n = 0
    if not s.pending >> seat & 1:
        return 0
    phase = s.phase
    if phase == Phase.INFLUENCE or phase == Phase.PURCHASE:
        n = legal_turn(s, seat, moves)
    elif phase == Phase.SHOW:
        n = legal_show(s, seat, moves)
    elif phase == Phase.QUEEN:
        moves[0] = DECLINE
        n = 1
        if s.hand[seat][QUEEN]:
            moves[1] = TAKE + s.offered
            n = 2
    elif phase == Phase.CARDINAL:
        moves[0] = NO_CARDINAL
        n = 1
        if s.hand[seat][CARDINAL]:
            moves[1] = PLAY_CARDINAL
            n = 2
    elif phase == Phase.FORGER:
        n = legal_reply(s, seat, moves)
    elif phase == Phase.ALCHEMIST:
        n = legal_alchemist(s, seat, moves)
    return n


def apply(s, seat, move):
    if seat == NOBODY:
        happen(s, VERB[move], X[move], Y[move])
    elif s.phase == Phase.SHOW:
        act_in_show(s, seat, move)
    elif s.phase == Phase.INFLUENCE or s.phase == Phase.PURCHASE:
        act_in_turn(s, seat, VERB[move], X[move], Y[move])
    else:
        answer(s, seat, VERB[move], X[move], Y[move])
    while s.phase == Phase.SALE_ENDS:
        sale_over(s)


def happen(s, event, x, y):
    if event == TURN_UP:
        turn_up(s, x)
    elif event == DEAL:
        deal(s, x)
    elif event == SELLS:
        sell(s, x, y)
    elif event == DRAW:
        draw_unseen(s, x)
    elif event == STEAL:
        steal(s, x)
    elif event == MERCHANT:
        merchant_comes(s)
    elif event == STOPS:
        next_step(s)
    elif event == PAYS:
        pay(s, x)
    elif event == TILE:
        lay_tile(s, x)
    else:
        s.active = x
        s.step = 0
        s.phase = Phase.DEALING


def act_in_turn(s, seat, verb, x, y):
    if verb == BUY:
        buy(s, x, y)
    elif verb == END:
        devalue(s)
    elif verb == PLAY_CONFESSOR:
        spend(s, seat, CONFESSOR)
        look_at_hand(s, seat, x)
    elif verb == PLAY_COURTIER:
        spend(s, seat, COURTIER)
        s.budget += COURTIER_MONEY
    elif verb == PLAY_FORGER:
        forge(s, seat, x, y)
    elif verb == PLAY_FAVORITE:
        spend(s, seat, FAVORITE)
        come_into_fashion(s, x)
    elif verb == PLAY_THIEF:
        send_thief(s, seat, x)
    else:
        fetch_necklace(s, seat)


def act_in_show(s, seat, move):
    if move == COMMIT:
        commit(s, seat)
    elif move == CLEAR:
        clear(s, seat)
    else:
        s.tray[seat][move - LAY] += 1


def answer(s, seat, verb, x, y):
    if verb == DECLINE:
        place(s, s.offered)
    elif verb == TAKE:
        queen_takes(s, seat)
    elif verb == NO_CARDINAL:
        ask_cardinal(s, seat)
    elif verb == PLAY_CARDINAL:
        spend(s, seat, CARDINAL)
        s.deferrer = seat
        ask_cardinal(s, seat)
    elif verb == CONVERT:
        convert(s, seat, x, y)
        alchemist_answered(s, seat)
    elif verb == NO_ALCHEMIST:
        alchemist_answered(s, seat)
    else:
        reply_to_forger(s, seat, verb, x)


# --- the turn: influence ----------------------------------------------------------------------------------------------


def begin_turn(s, seat):
    s.active = seat
    s.budget = BUDGET
    s.bought = 0
    s.phase = Phase.INFLUENCE
    s.pending = 1 << seat


def legal_turn(s, seat, moves):
    """At least one card has to be bought if there is money for any."""
    n = 0
    prices = PRICE[s.ladders]
    for slot in range(s.row_size):
        card = s.row[slot]
        moves[n] = BUY + slot * KINDS + card
        n += card >= 0 and prices[card][s.rung[slot]] <= s.budget
    if s.bought or n == 0:
        moves[n] = END
        n += 1
    if s.phase == Phase.INFLUENCE:
        n = legal_influence(s, seat, moves, n)
    return n


def playable(s, seat, card):
    """A blue card taken this turn may have to wait for the next."""
    return s.hand[seat][card] > s.fresh[seat][card]


def legal_influence(s, seat, moves, n):
    hand = s.hand[seat]
    if hand[COURTIER] and playable(s, seat, COURTIER):
        moves[n] = PLAY_COURTIER
        n += 1
    if hand[FAVORITE] and playable(s, seat, FAVORITE):
        for gem in range(4):
            moves[n] = PLAY_FAVORITE + gem
            n += 1
    if (
        hand[MUSKETEER] > 2
        and s.necklace != seat
        and (s.necklace != NOBODY or s.trio_scope and necklace_slot(s) != EMPTY)
    ):
        moves[n] = MUSKETEERS
        n += 1
    if hand[CONFESSOR] and playable(s, seat, CONFESSOR):
        n = legal_targets(s, seat, PLAY_CONFESSOR, moves, n)
    if hand[THIEF] and playable(s, seat, THIEF):
        n = legal_targets(s, seat, PLAY_THIEF, moves, n)
    if hand[FORGER] and playable(s, seat, FORGER):
        for target in range(s.players):
            if target != seat and s.size[target]:
                for gem in range(4):
                    moves[n] = PLAY_FORGER + target * 4 + gem
                    n += 1
    return n


def legal_targets(s, seat, first, moves, n):
    """Opponents with at least one card."""
    for target in range(s.players):
        if target != seat and s.size[target]:
            moves[n] = first + target
            n += 1
    return n


def come_into_fashion(s, gem):
    """A gem moves to the first place; those that were before it move back one place."""
    carried = gem
    for at in range(4):
        before = s.fashion[at]
        s.fashion[at] = carried
        if before == gem:
            return
        carried = before


def necklace_slot(s):
    for slot in range(s.row_size):
        if s.row[slot] == NECKLACE:
            return slot
    return EMPTY


def fetch_necklace(s, seat):
    """Three musketeers bring the queen's necklace."""
    for _ in range(3):
        spend(s, seat, MUSKETEER)
    if s.necklace != NOBODY:
        move_seen(s, s.necklace, seat, NECKLACE)
    else:
        slot = necklace_slot(s)
        s.row[slot] = EMPTY
        s.rung[slot] = 0
        gain_seen(s, seat, NECKLACE)


# --- the turn: the forger ---------------------------------------------------------------------------------------------


def forge(s, seat, target, gem):
    spend(s, seat, FORGER)
    s.target = target
    s.gem = gem
    s.phase = Phase.FORGER
    s.pending = 1 << target


def holds_gem(s, seat, gem):
    for card in range(GEM_KINDS):
        if GEM[card] == gem and s.hand[seat][card]:
            return True
    return False


def legal_reply(s, seat, moves):
    """One gem card of that kind, the target's choice; the hand is shown only if there is none."""
    n = 0
    if s.hand[seat][MUSKETEER]:
        moves[0] = CANCEL
        n = 1
    if not holds_gem(s, seat, s.gem):
        moves[n] = SHOW_HAND
        return n + 1
    for card in range(GEM_KINDS):
        if GEM[card] == s.gem and s.hand[seat][card]:
            moves[n] = DISCARD + card
            n += 1
    return n


def reply_to_forger(s, seat, verb, card):
    if verb == CANCEL:
        spend(s, seat, MUSKETEER)
    elif verb == DISCARD:
        spend(s, seat, card)
    else:
        look_at_hand(s, s.active, seat)
        lack(s, seat, s.gem)
    s.phase = Phase.INFLUENCE
    s.pending = 1 << s.active


# --- the turn: the thief ----------------------------------------------------------------------------------------------


def send_thief(s, seat, target):
    spend(s, seat, THIEF)
    s.taker = seat
    s.giver = target
    s.phase = Phase.THIEF
    s.pending = CHANCE


def steal(s, card):
    """A musketeer arrests the thief: it is discarded, and the draw goes the other way."""
    if card == MUSKETEER:
        spend(s, s.giver, card)
        other = s.giver
        s.giver = s.taker
        s.taker = other
        if s.size[s.giver]:
            return
    elif card == NECKLACE:
        move_seen(s, s.giver, s.taker, card)
    else:
        move_unseen(s, s.giver, s.taker, card)
        if s.influence_needs_turn_start and s.taker == s.active:
            s.fresh[s.active][card] += 1
    s.phase = Phase.INFLUENCE
    s.pending = 1 << s.active


# --- the turn: purchase -----------------------------------------------------------------------------------------------


def buy(s, slot, card):
    s.budget -= PRICE[s.ladders][card][s.rung[slot]]
    s.bought += 1
    s.row[slot] = EMPTY
    s.rung[slot] = 0
    s.phase = Phase.PURCHASE
    if card == ASTROLOGER:
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
    if card == ASTROLOGER:
        s.discard[card] += 1
        ask_astrologer(s)
        return
    if card == NECKLACE:
        gain_seen(s, s.active, card)
    else:
        gain_unseen(s, s.active, card)
    s.phase = Phase.PURCHASE
    s.pending = 1 << s.active


# --- the turn: devaluation --------------------------------------------------------------------------------------------


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
    if card < GEM_KINDS and s.phase == Phase.REFILL and may_hold(s, s.active, QUEEN):
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
    spend(s, seat, QUEEN)
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


# --- merchants --------------------------------------------------------------------------------------------------------


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
    while seat != s.active and not may_hold(s, seat, CARDINAL):
        seat = (seat + 1) % s.players
    if seat != s.active:
        s.phase = Phase.CARDINAL
        s.pending = 1 << seat
    elif s.deferrer == NOBODY:
        start_sale(s)
    else:
        s.held[s.deferrer] += 1
        resume(s)


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
        s.phase = Phase.OVER
        s.pending = 0
    else:
        resume(s)


# --- who sees what ----------------------------------------------------------------------------------------------------


def audience(s, seat, move):
    verb = VERB[move]
    card = X[move]
    if LAY <= move <= CLEAR:
        return SILENT | 1 << seat
    if verb == DEAL and card != NECKLACE:
        return 1 << s.target
    if verb == DRAW and card != NECKLACE and card != ASTROLOGER:
        return 1 << s.active
    if verb == STEAL and card != NECKLACE and card != MUSKETEER:
        return 1 << s.giver | 1 << s.taker
    return EVERYONE


def played(move):
    """The card that a move discards from the hand of whoever makes it; EMPTY if none."""
    verb = VERB[move]
    card = EMPTY
    if verb == PLAY_CONFESSOR:
        card = CONFESSOR
    elif verb == PLAY_COURTIER:
        card = COURTIER
    elif verb == PLAY_FORGER:
        card = FORGER
    elif verb == PLAY_FAVORITE:
        card = FAVORITE
    elif verb == PLAY_THIEF:
        card = THIEF
    elif verb == MUSKETEERS or verb == CANCEL:
        card = MUSKETEER
    elif verb == DISCARD:
        card = X[move]
    elif verb == TAKE:
        card = QUEEN
    elif verb == PLAY_CARDINAL:
        card = CARDINAL
    elif verb == CONVERT:
        card = ALCHEMIST
    return card


def reveals(s, seat, move):
    """A card nobody knew of, a hand, or what was chosen in secret."""
    if seat == NOBODY:
        return 0
    if move == SHOW_HAND or move == COMMIT and s.pending == 1 << seat:
        return EVERYONE
    card = played(move)
    if card != EMPTY and s.seen[seat][card] < (3 if move == MUSKETEERS else 1):
        return EVERYONE
    return 1 << seat if card == CONFESSOR else 0


# --- reasons ----------------------------------------------------------------------------------------------------------


class Refusal(Names):
    (
        TOO_DEAR,
        NOT_ON_OFFER,
        BUY_FIRST,
        NOT_IN_HAND,
        INFLUENCE_OVER,
        JUST_TAKEN,
        NO_TARGET,
        NO_NECKLACE,
        THREE_MUSKETEERS,
        GEM_FIRST,
        ONE_KING,
        ANOTHER_GEM,
        HAS_GEM,
        TRUE_GEM,
        NO_GEM_SHOWN,
        NOT_NOW,
    ) = range(16)


def refusal(s, seat, move):
    if not right_time(s, move):
        return (
            Refusal.INFLUENCE_OVER
            if s.phase == Phase.PURCHASE and PLAY_CONFESSOR <= move <= MUSKETEERS
            else Refusal.NOT_NOW
        )
    if s.phase == Phase.SHOW:
        return refusal_in_show(s, seat, move)
    verb = VERB[move]
    if verb == BUY:
        return Refusal.TOO_DEAR if X[move] < s.row_size and s.row[X[move]] == Y[move] else Refusal.NOT_ON_OFFER
    if verb == END:
        return Refusal.BUY_FIRST
    if verb == DISCARD and GEM[X[move]] != s.gem:
        return Refusal.ANOTHER_GEM
    if verb == SHOW_HAND:
        return Refusal.HAS_GEM
    if verb == MUSKETEERS:
        return Refusal.THREE_MUSKETEERS if s.hand[seat][MUSKETEER] < 3 else Refusal.NO_NECKLACE
    if verb == TAKE and X[move] != s.offered:
        return Refusal.NOT_ON_OFFER
    card = played(move)
    if not s.hand[seat][card]:
        return Refusal.NOT_IN_HAND
    if verb == CONVERT:
        return Refusal.TRUE_GEM if GEM[X[move]] == Y[move] else Refusal.NO_GEM_SHOWN
    return Refusal.JUST_TAKEN if not playable(s, seat, card) else Refusal.NO_TARGET


def right_time(s, move):
    """Does this kind of move belong to the phase?"""
    phase = s.phase
    if move <= END:
        return phase == Phase.INFLUENCE or phase == Phase.PURCHASE
    if move <= MUSKETEERS:
        return phase == Phase.INFLUENCE
    if move <= SHOW_HAND:
        return phase == Phase.FORGER
    if move <= DECLINE:
        return phase == Phase.QUEEN
    if move <= NO_CARDINAL:
        return phase == Phase.CARDINAL
    if move <= COMMIT:
        return phase == Phase.SHOW
    return phase == Phase.ALCHEMIST


def refusal_in_show(s, seat, move):
    if move == CLEAR or move == COMMIT:
        return Refusal.NOT_NOW
    tray = s.tray[seat]
    card = SHOWN_CARD[move - LAY]
    if card == KING and laid(tray, KING_AT):
        return Refusal.ONE_KING
    lying = tray[move - LAY]
    if card == RING or card == NECKLACE:
        lying = laid(tray, RINGS_AT if card == RING else NECKLACE_AT)
    return Refusal.NOT_IN_HAND if s.hand[seat][card] <= lying else Refusal.GEM_FIRST


# --- the end ----------------------------------------------------------------------------------------------------------


def scores(s, out):
    """Pounds. With the tie-break, times 10,000, plus what the last sale brought."""
    for seat in range(s.players):
        out[seat] = s.score[seat]
        if s.tie_break:
            out[seat] = s.score[seat] * 10000 + s.gifts[SALES - 1][seat]
            for gem in range(4):
                out[seat] += s.income[SALES - 1][seat][gem]
