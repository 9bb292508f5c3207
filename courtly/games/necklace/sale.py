"""The sale: everybody shows in secret, all is turned over, the alchemist may work, then gems are sold.

`stones[seat][gem]` are the stones that count; the gem at place i of fashion adds FASHION_BONUS[i] to the price of a
stone.
"""

from courtly.engine.game import CHANCE
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
    Gem,
)
from courtly.games.necklace.hands import may_hold, spend
from courtly.games.necklace.table import MOST_RESTARTS, MOVES, Phase

# --- showing ----------------------------------------------------------------------------------------------------------


def start_sale(s):
    s.phase = Phase.SHOW
    s.pending = 0
    for seat in range(s.players):
        if s.size[seat]:
            s.pending |= 1 << seat
    if not s.pending:
        reveal(s)


def laid(tray, first):
    """How many cards lie on the four gems, from this place of a tray on."""
    return tray[first] + tray[first + 1] + tray[first + 2] + tray[first + 3]


def legal_show(s, seat, moves):
    """Gem cards first: every other card lies with a gem."""
    hand = s.hand[seat]
    tray = s.tray[seat]
    n = 0
    gems = 0
    for card in range(GEM_KINDS):
        gems |= (tray[card] > 0) << GEM_OF[card]
        moves[n] = MOVES.lay + card
        n += hand[card] > tray[card]
    if gems:
        n = legal_beside_gems(hand, tray, gems, moves, n)
        if s.restarts[seat] < MOST_RESTARTS:
            moves[n] = MOVES.clear
            n += 1
    moves[n] = MOVES.commit
    return n + 1


def legal_beside_gems(hand, tray, gems, moves, n):
    """`gems`: bits of those that lie in the tray."""
    ring = hand[Card.RING] > laid(tray, RINGS_AT)
    king = hand[Card.KING] and not laid(tray, KING_AT)
    necklace = hand[Card.QUEENS_NECKLACE] and not laid(tray, NECKLACE_AT)
    if ring or king or necklace:
        for gem in range(4):
            if gems >> gem & 1:
                if ring:
                    moves[n] = MOVES.ring + gem
                    n += 1
                if king:
                    moves[n] = MOVES.king + gem
                    n += 1
                if necklace:
                    moves[n] = MOVES.necklace + gem
                    n += 1
    if hand[Card.BANKER] > tray[BANKER_AT]:
        moves[n] = MOVES.banker
        n += 1
    return n


def clear(s, seat):
    for i in range(SHOWN):
        s.tray[seat][i] = 0
    s.restarts[seat] += 1


def commit(s, seat):
    s.pending -= 1 << seat
    if not s.pending:
        reveal(s)


def reveal(s):
    """All cards are turned over at once; they will be discarded whatever happens. What was shown last time is
    forgotten now."""
    s.alchemist = -1
    for seat in range(s.players):
        tray = s.tray[seat]
        for gem in range(4):
            s.stones[seat][gem] = 0
        for i in range(SHOWN):
            s.shown[seat][i] = tray[i]
            if tray[i]:
                for _ in range(tray[i]):
                    spend(s, seat, SHOWN_CARD[i])
                if i < GEM_KINDS:
                    s.stones[seat][GEM_OF[i]] += STONES[i] * tray[i]
                tray[i] = 0
        s.restarts[seat] = 0
    ask_alchemist(s, s.active)


# --- the alchemist ----------------------------------------------------------------------------------------------------


def ask_alchemist(s, first):
    """One after the other, clockwise from the active player: everybody is asked who may hold the card, for all that is
    known, and has shown something to work on. Not at once: when one has used him there is nothing left to ask."""
    s.phase = Phase.ALCHEMIST
    seat = first
    while True:
        stones = s.stones[seat]
        if stones[0] + stones[1] + stones[2] and may_hold(s, seat, Card.ALCHEMIST):
            s.pending = 1 << seat
            return
        seat = (seat + 1) % s.players
        if seat == s.active:
            settle(s)
            return


def legal_alchemist(s, seat, moves):
    moves[0] = MOVES.no_alchemist
    n = 1
    if s.hand[seat][Card.ALCHEMIST]:
        for card in range(Card.AMBER_1):
            if s.shown[seat][card]:
                for gem in range(Gem.AMBER):
                    if gem != GEM_OF[card]:
                        moves[n] = MOVES.alchemist + card * Gem.AMBER + gem
                        n += 1
    return n


def convert(s, seat, card, gem):
    """One card becomes another true gem, all its stones. Rings, king and necklace stay where they are."""
    s.alchemist = seat
    s.changed = card
    s.into = gem
    s.stones[seat][GEM_OF[card]] -= STONES[card]
    s.stones[seat][gem] += STONES[card]


def alchemist_answered(s, seat):
    after = (seat + 1) % s.players
    if s.alchemist == seat or after == s.active:
        settle(s)
    else:
        ask_alchemist(s, after)


# --- what is sold -----------------------------------------------------------------------------------------------------


def total(s, gem):
    """Stones of a gem shown by all."""
    n = 0
    for seat in range(s.players):
        n += s.stones[seat][gem]
    return n


def count_rarity(s):
    """The fewer stones, the higher the tile; of equally many the more fashionable gem. `rarity` and `price` are set."""
    for gem in range(4):
        s.kinds[gem] = total(s, gem)
    for place in range(4):
        gem = s.fashion[place]
        own = s.kinds[gem]
        before = 0
        for other_place in range(4):
            other = s.kinds[s.fashion[other_place]]
            if (other or s.rarity_zero_counts) and (other < own or other == own and other_place < place):
                before += 1
        s.rarity[gem] = RARITY_BONUS[before] if own or s.rarity_zero_counts else 0
        s.price[gem] = FASHION_BONUS[place] + s.rarity[gem]


def necklace_with(s, gem):
    """Who laid the necklace with this gem; -1."""
    for seat in range(s.players):
        if s.shown[seat][NECKLACE_AT + gem]:
            return seat
    return -1


def stopped(s, gem):
    """Is there a king on this gem, and no necklace?"""
    kings = 0
    for seat in range(s.players):
        kings += s.shown[seat][KING_AT + gem]
    return kings > 0 and necklace_with(s, gem) < 0


def revenue(s, stones, cards, gem, price):
    """Pounds for stones of a gem, with the cards that were laid: each ring counts as one more stone."""
    rings = cards[RINGS_AT + gem]
    return (stones + rings) * price + (stones + (rings if s.banker_applies_to_rings else 0)) * BANKER_BONUS * cards[
        BANKER_AT
    ]


def settle(s):
    """Only the players with the most stones of a gem sell it."""
    count_rarity(s)
    for gem in range(4):
        most = 0
        for seat in range(s.players):
            most = max(most, s.stones[seat][gem])
            s.income[s.sales][seat][gem] = 0
        if most and not stopped(s, gem):
            for seat in range(s.players):
                if s.stones[seat][gem] == most:
                    s.income[s.sales][seat][gem] = revenue(s, s.stones[seat][gem], s.shown[seat], gem, s.price[gem])
    s.phase = Phase.SETTLING
    s.pending = CHANCE
    s.step = -1
    next_step(s)


# --- the outcome is told gem by gem, in the order of fashion, then the gifts ------------------------------------------


def event_of(s, step):
    """The event of a step; -1 if there is nothing to tell."""
    if step >= 4 * (1 + s.players):
        seat = step - 4 * (1 + s.players)
        for gem in range(4):
            if s.shown[seat][KING_AT + gem] and necklace_with(s, gem) >= 0 and necklace_with(s, gem) != seat:
                return MOVES.pays + seat * PLAYERS + necklace_with(s, gem)
        return -1
    gem = s.fashion[step // (1 + s.players)]
    who = step % (1 + s.players)
    if who == 0:
        return MOVES.stops + gem if stopped(s, gem) and total(s, gem) else -1
    pounds = s.income[s.sales][who - 1][gem]
    return MOVES.sells + ((who - 1) * 4 + gem) * AMOUNTS + pounds // UNIT - 1 if pounds else -1


def told(s):
    """The event that is due."""
    return event_of(s, s.step)


def next_step(s):
    last = 4 * (1 + s.players) + s.players
    s.step += 1
    while s.step < last and event_of(s, s.step) < 0:
        s.step += 1
    if s.step == last:
        s.phase = Phase.SALE_ENDS


def sell(s, seat, gem):
    s.score[seat] += s.income[s.sales][seat][gem]
    next_step(s)


def pay(s, seat):
    """A king's player pays to the necklace's."""
    for gem in range(4):
        if s.shown[seat][KING_AT + gem]:
            wearer = necklace_with(s, gem)
            s.gifts[s.sales][seat] -= GIFT
            s.gifts[s.sales][wearer] += GIFT
            s.score[seat] -= GIFT
            s.score[wearer] += GIFT
    next_step(s)
