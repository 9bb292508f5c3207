"""Queen's Necklace: the contract. The cards stand in cards.py, the table in table.py; a turn is influence.py and
purchase.py, then merchants.py and sale.py; what hands hold and who knows of it is in hands.py, and what somebody may
believe of them in knowledge.py."""

from courtly.engine.game import CHANCE, EVERYONE, NOBODY, SILENT
from courtly.games.necklace.cards import COUNT, COURTIER_MONEY, DECK, EMPTY, HAND, KINDS, SALES, SLOTS, UNBOUNDED, Card
from courtly.games.necklace.hands import gain_seen, gain_unseen, look_at_hand, spend
from courtly.games.necklace.influence import (
    come_into_fashion,
    fetch_necklace,
    forge,
    legal_influence,
    legal_reply,
    reply_to_forger,
    send_thief,
    steal,
)
from courtly.games.necklace.knowledge import determinize as determinize
from courtly.games.necklace.merchants import ask_cardinal, merchant_comes, merchant_places, sale_over
from courtly.games.necklace.purchase import buy, devalue, draw_unseen, legal_purchase, place, queen_takes, turn_up
from courtly.games.necklace.refusals import Refusal as Refusal
from courtly.games.necklace.refusals import refusal as refusal
from courtly.games.necklace.sale import (
    alchemist_answered,
    clear,
    commit,
    convert,
    legal_alchemist,
    legal_show,
    next_step,
    pay,
    sell,
    told,
)
from courtly.games.necklace.table import MOVES, PLAYED, VERB, Phase, X, Y
from courtly.games.necklace.table import State as State

# --- setting up -------------------------------------------------------------------------------------------------------


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
    if card == Card.QUEENS_NECKLACE:
        gain_seen(s, s.target, card)
    else:
        gain_unseen(s, s.target, card)
    if s.size[s.target] == HAND:
        s.target += 1
    if s.target == s.players:
        s.target = 0
        s.phase = Phase.OPENING


# --- what may happen --------------------------------------------------------------------------------------------------


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
            moves[n] = MOVES.start + n
            weights[n] = 1
            n += 1
    elif s.phase == Phase.DEALING:
        n = draw_to_deal(s, moves, weights)
    elif s.phase == Phase.THIEF:
        n = draw_from(s.hand[s.giver], MOVES.steal, 1, moves, weights)
    else:
        n = draw(s, MOVES.draw if s.phase == Phase.ASTROLOGER else MOVES.turn_up, moves, weights)
    return n


def draw_tile(s, moves, weights):
    """The gems that lie under no fashion tile yet; `step` counts the tiles."""
    n = 0
    for gem in range(4):
        free = 1
        for tile in range(s.step):
            if s.fashion[tile] == gem:
                free = 0
        if free:
            moves[n] = MOVES.tile + gem
            weights[n] = 1
            n += 1
    return n


def draw_to_deal(s, moves, weights):
    """Nobody is dealt an astrologer: it would be shuffled back."""
    n = 0
    for card in range(KINDS):
        if s.deck[card] and card != Card.ASTROLOGER:
            moves[n] = MOVES.deal + card
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
    moves[n] = MOVES.merchant
    weights[n] = s.pile if places > 1 else 1
    return n + 1


# --- what may be done -------------------------------------------------------------------------------------------------


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
        n = legal_answer(s, seat, MOVES.decline, MOVES.take + s.offered, Card.QUEEN, moves)
    elif phase == Phase.CARDINAL:
        n = legal_answer(s, seat, MOVES.no_cardinal, MOVES.cardinal, Card.CARDINAL, moves)
    elif phase == Phase.FORGER:
        n = legal_reply(s, seat, moves)
    elif phase == Phase.ALCHEMIST:
        n = legal_alchemist(s, seat, moves)
    return n


def legal_turn(s, seat, moves):
    n = legal_purchase(s, moves)
    return legal_influence(s, seat, moves, n) if s.phase == Phase.INFLUENCE else n


def legal_answer(s, seat, no, yes, card, moves):
    """Everybody who is asked may say no; yes, who holds the card."""
    moves[0] = no
    moves[1] = yes
    return 1 + (s.hand[seat][card] > 0)


def apply(s, seat, move):
    if seat == NOBODY:
        happen(s, VERB[move], X[move], Y[move])
    elif s.phase == Phase.SHOW:
        act_in_show(s, seat, move)
    else:
        if PLAYED[move] != EMPTY:
            spend(s, seat, PLAYED[move])
        if s.phase == Phase.INFLUENCE or s.phase == Phase.PURCHASE:
            act_in_turn(s, seat, VERB[move], X[move], Y[move])
        else:
            answer(s, seat, VERB[move], X[move], Y[move])
    while s.phase == Phase.SALE_ENDS:
        sale_over(s)


def happen(s, event, x, y):
    if event == MOVES.turn_up:
        turn_up(s, x)
    elif event == MOVES.deal:
        deal(s, x)
    elif event == MOVES.sells:
        sell(s, x, y)
    elif event == MOVES.draw:
        draw_unseen(s, x)
    elif event == MOVES.steal:
        steal(s, x)
    elif event == MOVES.merchant:
        merchant_comes(s)
    elif event == MOVES.stops:
        next_step(s)
    elif event == MOVES.pays:
        pay(s, x)
    elif event == MOVES.tile:
        lay_tile(s, x)
    else:
        s.active = x
        s.step = 0
        s.phase = Phase.DEALING


def act_in_turn(s, seat, verb, x, y):
    if verb == MOVES.buy:
        buy(s, x, y)
    elif verb == MOVES.end:
        devalue(s)
    elif verb == MOVES.confessor:
        look_at_hand(s, seat, x)
    elif verb == MOVES.courtier:
        s.budget += COURTIER_MONEY
    elif verb == MOVES.forger:
        forge(s, x, y)
    elif verb == MOVES.favorite:
        come_into_fashion(s, x)
    elif verb == MOVES.thief:
        send_thief(s, seat, x)
    else:
        fetch_necklace(s, seat)


def act_in_show(s, seat, move):
    if move == MOVES.commit:
        commit(s, seat)
    elif move == MOVES.clear:
        clear(s, seat)
    else:
        s.tray[seat][move - MOVES.lay] += 1


def answer(s, seat, verb, x, y):
    if verb == MOVES.decline:
        place(s, s.offered)
    elif verb == MOVES.take:
        queen_takes(s, seat)
    elif verb == MOVES.no_cardinal:
        ask_cardinal(s, seat)
    elif verb == MOVES.cardinal:
        s.deferrer = seat
        ask_cardinal(s, seat)
    elif verb == MOVES.alchemist:
        convert(s, seat, x, y)
        alchemist_answered(s, seat)
    elif verb == MOVES.no_alchemist:
        alchemist_answered(s, seat)
    else:
        reply_to_forger(s, seat, verb)


# --- who sees what ----------------------------------------------------------------------------------------------------


def audience(s, seat, move):
    verb = VERB[move]
    card = X[move]
    if MOVES.lay <= move <= MOVES.clear:
        return SILENT | 1 << seat
    if verb == MOVES.deal and card != Card.QUEENS_NECKLACE:
        return 1 << s.target
    if verb == MOVES.draw and card != Card.QUEENS_NECKLACE and card != Card.ASTROLOGER:
        return 1 << s.active
    if verb == MOVES.steal and card != Card.QUEENS_NECKLACE and card != Card.MUSKETEER:
        return 1 << s.giver | 1 << s.taker
    return EVERYONE


def reveals(s, seat, move):
    """A card nobody knew of, a hand, or what was chosen in secret."""
    if seat == NOBODY:
        return 0
    if move == MOVES.show_hand or move == MOVES.commit and s.pending == 1 << seat:
        return EVERYONE
    card = PLAYED[move]
    if card != EMPTY and s.seen[seat][card] < (3 if move == MOVES.musketeers else 1):
        return EVERYONE
    return 1 << seat if card == Card.CONFESSOR else 0


# --- the end ----------------------------------------------------------------------------------------------------------


def scores(s, out):
    """Pounds. With the tie-break, times 10,000, plus what the last sale brought."""
    for seat in range(s.players):
        out[seat] = s.score[seat]
        if s.tie_break:
            out[seat] = s.score[seat] * 10000 + s.gifts[SALES - 1][seat]
            for gem in range(4):
                out[seat] += s.income[SALES - 1][seat][gem]
