"""Queen's Necklace: the functions of the rules. The cards are in cards.py, the state in table.py. influence.py and
purchase.py have the turn, merchants.py and sale.py the sales, hands.py the contents of hands and what each seat knows
about them, and worlds.py the worlds that a seat cannot tell apart."""

from courtly.engine.constants import CHANCE, EVERYONE, NOBODY, SILENT
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import COUNT, DECK, EMPTY, HAND, KINDS, SALES, SLOTS, UNBOUNDED, Card
from courtly.games.necklace.hands import gain_unseen, spend
from courtly.games.necklace.influence import influence, legal_influence, legal_reply, reply_to_forger, steal
from courtly.games.necklace.merchants import answer_merchant, merchant_comes, merchant_places, sale_over
from courtly.games.necklace.purchase import buy, devalue, draw_unseen, legal_purchase, place, queen_takes, turn_up
from courtly.games.necklace.refusals import Refusal as Refusal
from courtly.games.necklace.refusals import refusal as refusal
from courtly.games.necklace.sale import answer_alchemist, event_of, legal_alchemist, legal_show, show, tell_outcome
from courtly.games.necklace.table import MOVES, PLAYED, VERB, Phase, X, Y
from courtly.games.necklace.table import State as State
from courtly.games.necklace.worlds import determinize as determinize

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
    enter_phase(s, Phase.TILES, CHANCE)


def lay_tile(s, gem):
    """Place a gem under the next fashion tile. The last gem follows from the others."""
    s.fashion[s.step] = gem
    s.step += 1
    if s.step == 3:
        s.fashion[3] = 6 - s.fashion[0] - s.fashion[1] - s.fashion[2]
        s.phase = Phase.STARTING


def deal(s, card):
    """Deal a card to the target; four cards to each seat."""
    s.deck[card] -= 1
    s.pile -= 1
    gain_unseen(s, s.target, card)
    if s.size[s.target] == HAND:
        s.target = (s.target + 1) % s.players
        if s.target == 0:
            s.phase = Phase.OPENING


# --- random events ----------------------------------------------------------------------------------------------------


def chance(s, moves, weights):
    if s.phase == Phase.SETTLING:
        moves[0] = event_of(s, s.step)
        weights[0] = 1
        return 1
    if s.phase == Phase.TILES:
        return draw_tile(s, moves, weights)
    if s.phase == Phase.STARTING:
        for seat in range(s.players):
            moves[seat] = MOVES.start + seat
            weights[seat] = 1
        return s.players
    if s.phase == Phase.DEALING:  # an astrologer would be shuffled back
        return draw_from(s.deck, Card.ASTROLOGER, MOVES.deal, 1, moves, weights)
    if s.phase == Phase.THIEF:
        return draw_from(s.hand[s.giver], EMPTY, MOVES.steal, 1, moves, weights)
    return draw(s, MOVES.draw if s.phase == Phase.ASTROLOGER else MOVES.turn_up, moves, weights)


def draw_tile(s, moves, weights):
    """List the gems that are not under a fashion tile yet. `step` is the number of placed tiles."""
    taken = 0
    for tile in range(s.step):
        taken |= 1 << s.fashion[tile]
    n = 0
    for gem in range(4):
        moves[n] = MOVES.tile + gem
        weights[n] = 1
        n += not taken >> gem & 1
    return n


def draw_from(cards, but, first, share, moves, weights):
    """List all of these cards except one kind (EMPTY for no exception)."""
    n = 0
    for card in range(KINDS):
        moves[n] = first + card  # written without a branch, which the processor could not predict
        weights[n] = cards[card] * share
        n += (cards[card] > 0) & (card != but)
    return n


def draw(s, first, moves, weights):
    """List what can be on top of the deck: a card, or the next merchant if it can be here."""
    places = merchant_places(s)
    n = 0
    if places != 1:
        n = draw_from(s.deck, EMPTY, first, max(1, places - 1), moves, weights)
    if places:
        moves[n] = MOVES.merchant
        weights[n] = s.pile if n else 1
        n += 1
    return n


# --- legal moves ------------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.INFLUENCE:
        return legal_influence(s, seat, moves, legal_purchase(s, moves))
    if s.phase == Phase.PURCHASE:
        return legal_purchase(s, moves)
    if s.phase == Phase.SHOW:
        return legal_show(s, seat, moves)
    if s.phase == Phase.QUEEN:
        return legal_answer(s, seat, MOVES.decline, MOVES.take + s.offered, Card.QUEEN, moves)
    if s.phase == Phase.CARDINAL:
        return legal_answer(s, seat, MOVES.no_cardinal, MOVES.cardinal, Card.CARDINAL, moves)
    if s.phase == Phase.FORGER:
        return legal_reply(s, seat, moves)
    return legal_alchemist(s, seat, moves)


def legal_answer(s, seat, no, yes, card, moves):
    """List the answers: every asked seat can decline, and a seat that holds the card can accept."""
    moves[0] = no
    moves[1] = yes
    return 1 + (s.hand[seat][card] > 0)


def apply(s, seat, move):
    if PLAYED[move] != EMPTY:
        spend(s, seat, PLAYED[move])
    if seat == NOBODY:
        happen(s, VERB[move], X[move], Y[move])
    elif s.phase == Phase.SHOW:
        show(s, seat, move)
    else:
        act(s, seat, VERB[move], X[move], Y[move])
    while s.phase == Phase.SALE_ENDS:
        sale_over(s)


def happen(s, event, x, y):
    if event == MOVES.turn_up:
        turn_up(s, x)
    elif event == MOVES.deal:
        deal(s, x)
    elif event >= MOVES.stops:
        tell_outcome(s, event, x, y)
    elif event == MOVES.draw:
        draw_unseen(s, x)
    elif event == MOVES.steal:
        steal(s, x)
    elif event == MOVES.merchant:
        merchant_comes(s)
    elif event == MOVES.tile:
        lay_tile(s, x)
    else:
        s.active = x
        s.step = 0
        s.phase = Phase.DEALING


def act(s, seat, verb, x, y):
    if verb == MOVES.buy:
        buy(s, x, y)
    elif verb == MOVES.end:
        devalue(s)
    elif verb <= MOVES.musketeers:
        influence(s, seat, verb, x, y)
    elif verb <= MOVES.show_hand:
        reply_to_forger(s, seat, verb)
    elif verb == MOVES.take:
        queen_takes(s, seat)
    elif verb == MOVES.decline:
        place(s, s.offered)
    elif verb <= MOVES.no_cardinal:
        answer_merchant(s, seat, verb)
    else:
        answer_alchemist(s, seat, verb, x, y)


# --- visibility -------------------------------------------------------------------------------------------------------


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
    """Return the seats that learn something: from a card that was not known, a shown hand, or a secret choice. A card
    laid openly cannot be taken back, because all have seen it."""
    if move == MOVES.show_hand or MOVES.lay_open <= move <= MOVES.banker_open:
        return EVERYONE
    if move == MOVES.commit and s.pending == 1 << seat:
        return EVERYONE
    card = PLAYED[move]
    if card != EMPTY and s.seen[seat][card] < (3 if move == MOVES.musketeers else 1):
        return EVERYONE
    return 1 << seat if card == Card.CONFESSOR else 0


# --- the end ----------------------------------------------------------------------------------------------------------


def scores(s, out):
    """Write the pounds; with the tie-break, pounds times 10,000 plus the income of the last sale."""
    for seat in range(s.players):
        out[seat] = s.score[seat]
        if s.tie_break:
            out[seat] = s.score[seat] * 10000 + s.gifts[SALES - 1][seat]
            for gem in range(4):
                out[seat] += s.income[SALES - 1][seat][gem]
