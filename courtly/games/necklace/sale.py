"""The sale: all seats choose their shows in secret, all shows are revealed, the alchemist can be used, and gems are
sold.

`stones[seat][gem]` are the stones that count. The gem at place i of fashion adds FASHION_BONUS[i] to the price of a
stone.
"""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.necklace.cards import (
    AMOUNTS,
    BANKER_AT,
    BANKER_BONUS,
    FASHION_BONUS,
    GEM_KINDS,
    GEM_OF,
    GIFT,
    KING_AT,
    NECKLACE_AT,
    PLAYERS,
    RARITY_BONUS,
    RINGS_AT,
    SHOWN,
    SHOWN_CARD,
    STONES,
    UNIT,
    Card,
)
from courtly.games.necklace.hands import discard, may_hold, spend, take_seen, tell
from courtly.games.necklace.table import MOST_RESTARTS, MOVES, Phase, Story, X, Y

# --- showing ----------------------------------------------------------------------------------------------------------


def start_sale(s):
    holders = 0
    for seat in range(s.players):
        holders |= (s.size[seat] > 0) << seat
    enter_phase(s, Phase.SHOW, holders)
    if not holders:
        reveal(s)


def laid(tray, first):
    """Return how many cards lie with the four gems, from this index of a tray on."""
    return tray[first] + tray[first + 1] + tray[first + 2] + tray[first + 3]


def legal_show(s, seat, moves):
    """List the moves of a show. Gem cards come first, because all other cards lie with a gem. Moves that lay a card
    openly come last."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    n = 0
    covered = 0
    openly = 0
    for card in range(GEM_KINDS):
        covered |= (tray[card] > 0) << GEM_OF[card]
        openly |= (s.openly[seat][card] > 0) << GEM_OF[card]
        moves[n] = MOVES.lay + card
        n += hand[card] > tray[card]
    if covered | openly:
        n = legal_beside_gems(s, seat, moves, n, covered | openly, MOVES.ring)
        if s.restarts[seat] < MOST_RESTARTS and lies_covered(s, seat):
            moves[n] = MOVES.clear
            n += 1
    moves[n] = MOVES.commit
    return legal_openly(s, seat, moves, n + 1, openly)


def legal_openly(s, seat, moves, n, gems):
    """List the moves that lay a card openly. A card that lies with a gem can only lie openly if that gem does."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    for card in range(GEM_KINDS):
        moves[n] = MOVES.lay_open + card
        n += hand[card] > tray[card]
    return legal_beside_gems(s, seat, moves, n, gems, MOVES.ring_open) if gems else n


def legal_beside_gems(s, seat, moves, n, gems, ring):
    """List the cards that lie with gems. `gems`: the bits of the gems that they may lie with; `ring`: the first of
    these moves. A seat can show one king."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    rings = hand[Card.RING] > laid(tray, RINGS_AT)
    king = (hand[Card.KING] > 0) & (laid(tray, KING_AT) + laid(s.openly[seat], KING_AT) == 0)
    necklace = hand[Card.QUEENS_NECKLACE] > laid(tray, NECKLACE_AT)
    for gem in range(4):
        lies = gems >> gem & 1
        moves[n] = ring + gem
        n += lies & rings
        moves[n] = ring + KING_AT - RINGS_AT + gem
        n += lies & king
        moves[n] = ring + NECKLACE_AT - RINGS_AT + gem
        n += lies & necklace
    moves[n] = ring + BANKER_AT - RINGS_AT
    return n + (hand[Card.BANKER] > tray[BANKER_AT])


def lies_covered(s, seat):
    """Return True if there is a covered card, which can be taken back."""
    tray = s.tray[seat]
    for i in range(SHOWN):
        if tray[i]:
            return True
    return False


def show(s, seat, move):
    if move == MOVES.commit:
        commit(s, seat)
    elif move == MOVES.clear:
        clear(s, seat)
    elif move < MOVES.commit:
        s.tray[seat][move - MOVES.lay] += 1
    else:
        lay_openly(s, seat, move - MOVES.lay_open)


def lay_openly(s, seat, piece):
    """Lay a card openly. It cannot be taken back. The story records it only when the shows are revealed, so that seats
    can lay cards at the same time, in any order."""
    s.openly[seat][piece] += 1
    take_seen(s, seat, SHOWN_CARD[piece])


def clear(s, seat):
    """Take back all covered cards."""
    for i in range(SHOWN):
        s.tray[seat][i] = 0
    s.restarts[seat] += 1


def commit(s, seat):
    s.pending -= 1 << seat
    if not s.pending:
        reveal(s)


def reveal(s):
    """Reveal all shows and discard their cards. The previous shows are forgotten."""
    s.alchemist = NOBODY
    for seat in range(s.players):
        tray = s.tray[seat]
        openly = s.openly[seat]
        for gem in range(4):
            s.stones[seat][gem] = 0
        for i in range(SHOWN):
            s.shown[seat][i] = tray[i] + openly[i]
            if s.shown[seat][i]:
                for _ in range(tray[i]):
                    spend(s, seat, SHOWN_CARD[i])
                for _ in range(openly[i]):
                    tell(s, Story.GONE, seat, SHOWN_CARD[i])
                    discard(s, SHOWN_CARD[i])
                if i < GEM_KINDS:
                    s.stones[seat][GEM_OF[i]] += STONES[i] * s.shown[seat][i]
                tray[i] = 0
                openly[i] = 0
        s.restarts[seat] = 0
    ask_alchemist(s, 0)


# --- the alchemist ----------------------------------------------------------------------------------------------------


def ask_alchemist(s, first):
    """Ask the next seat, clockwise, from `first` seats after the active player on, that may hold the alchemist by
    public information and has shown gems that he can change. The seats are asked in turn, because there is only one
    alchemist."""
    for k in range(first, s.players):
        seat = (s.active + k) % s.players
        stones = s.stones[seat]
        if stones[0] + stones[1] + stones[2] and may_hold(s, seat, Card.ALCHEMIST):
            enter_phase(s, Phase.ALCHEMIST, 1 << seat)
            return
    settle(s)


def legal_alchemist(s, seat, moves):
    moves[0] = MOVES.no_alchemist
    n = 1
    if s.hand[seat][Card.ALCHEMIST]:
        for move in range(MOVES.alchemist, MOVES.no_alchemist):
            if s.shown[seat][X[move]] and Y[move] != GEM_OF[X[move]]:
                moves[n] = move
                n += 1
    return n


def answer_alchemist(s, seat, verb, card, gem):
    if verb == MOVES.alchemist:
        convert(s, seat, card, gem)
        settle(s)
    else:
        ask_alchemist(s, (seat - s.active) % s.players + 1)


def convert(s, seat, card, gem):
    """Change all stones of one card into another true gem. Rings, king and necklace stay with their gems."""
    s.alchemist = seat
    s.changed = card
    s.into = gem
    s.stones[seat][GEM_OF[card]] -= STONES[card]
    s.stones[seat][gem] += STONES[card]


# --- income -----------------------------------------------------------------------------------------------------------


def total(s, gem):
    """Return the number of stones of a gem in all shows."""
    n = 0
    for seat in range(s.players):
        n += s.stones[seat][gem]
    return n


def count_rarity(s):
    """Set `rarity` and `price`: fewer stones give a higher tile; among equals, the more fashionable gem."""
    for place in range(4):
        gem = s.fashion[place]
        own = total(s, gem)
        before = 0
        for other_place in range(4):
            other = total(s, s.fashion[other_place])
            if (other or s.rarity_zero_counts) and (other < own or other == own and other_place < place):
                before += 1
        s.rarity[gem] = RARITY_BONUS[before] if own or s.rarity_zero_counts else 0
        s.price[gem] = FASHION_BONUS[place] + s.rarity[gem]


def who_laid(s, piece):
    """Return the first seat that showed this piece; NOBODY if none did."""
    for seat in range(s.players):
        if s.shown[seat][piece]:
            return seat
    return NOBODY


def stopped(s, gem):
    """Return True if a king lies on this gem, and no necklace."""
    return who_laid(s, KING_AT + gem) != NOBODY and who_laid(s, NECKLACE_AT + gem) == NOBODY


def revenue(s, stones, cards, gem, price):
    """Return the pounds for stones of a gem with the cards that were shown: each ring counts as one more stone."""
    rings = cards[RINGS_AT + gem]
    with_bonus = stones + (rings if s.banker_applies_to_rings else 0)
    return (stones + rings) * price + with_bonus * BANKER_BONUS * cards[BANKER_AT]


def settle(s):
    """Compute the income: only the seats with the most stones of a gem sell it."""
    count_rarity(s)
    for gem in range(4):
        most = 0
        for seat in range(s.players):
            most = max(most, s.stones[seat][gem])
        if most and not stopped(s, gem):
            for seat in range(s.players):
                if s.stones[seat][gem] == most:
                    s.income[s.sales][seat][gem] = revenue(s, most, s.shown[seat], gem, s.price[gem])
    enter_phase(s, Phase.SETTLING, CHANCE)
    s.step = -1
    next_step(s)


# --- events of the outcome: gem by gem, in the order of fashion, then the gifts ---------------------------------------


def event_of(s, step):
    """Return the event of a step; -1 if there is none."""
    if step >= 4 * (1 + s.players):
        seat = step - 4 * (1 + s.players)
        for gem in range(4):
            wearer = who_laid(s, NECKLACE_AT + gem)
            if s.shown[seat][KING_AT + gem] and wearer != NOBODY and wearer != seat:
                return MOVES.pays + seat * PLAYERS + wearer
        return -1
    gem = s.fashion[step // (1 + s.players)]
    who = step % (1 + s.players)
    if who == 0:
        return MOVES.stops + gem if stopped(s, gem) and total(s, gem) else -1
    pounds = s.income[s.sales][who - 1][gem]
    return MOVES.sells + ((who - 1) * 4 + gem) * AMOUNTS + pounds // UNIT - 1 if pounds else -1


def next_step(s):
    last = 4 * (1 + s.players) + s.players
    s.step += 1
    while s.step < last and event_of(s, s.step) < 0:
        s.step += 1
    if s.step == last:
        s.phase = Phase.SALE_ENDS


def tell_outcome(s, event, x, y):
    if event == MOVES.sells:
        sell(s, x, y)
    elif event == MOVES.pays:
        pay(s, x, y)
    next_step(s)


def sell(s, seat, gem):
    s.score[seat] += s.income[s.sales][seat][gem]


def pay(s, seat, wearer):
    """Pay the gift from the king's player to the necklace's."""
    s.gifts[s.sales][seat] -= GIFT
    s.gifts[s.sales][wearer] += GIFT
    s.score[seat] -= GIFT
    s.score[wearer] += GIFT
