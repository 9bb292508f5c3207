"""The policy of Queen's Necklace: it values cards by what they would earn at the next sale, given what the other seats
are known to hold.

All values are in pounds. The notes behind `out` are computed once for each decision: for each gem, the seat's own
stones, the greatest number that another seat may have, and the value of a stone; in a show, the weight of each piece.
"""

from courtly.games.necklace.cards import (
    FASHION_BONUS,
    GEM_KINDS,
    GEM_OF,
    KINDS,
    MERCHANTS,
    MOST_STONES,
    PRICE,
    SALES,
    SHOWN,
    STONES,
    Card,
)
from courtly.games.necklace.merchants import soonest
from courtly.games.necklace.table import MOVES, VERB, Phase, X, Y
from courtly.games.necklace.worlds import recall as recall

MINE, THEIRS, STONE, PIECE = 0, 5, 10, 15  # offsets of the notes; the first three: for each gem, and for NO_GEM
NO_GEM = 4
GEM_OF_CARD = GEM_OF + (NO_GEM,) * (KINDS - GEM_KINDS)
STONES_OF_CARD = STONES + (0,) * (KINDS - GEM_KINDS)
# Stones and cards are counted in one number: bit fields with the stones of each gem, then the cards.
WIDE = MOST_STONES.bit_length()
CARDS = 4 * WIDE
PARTS = tuple((1 << CARDS) + (stones << WIDE * gem) for gem, stones in zip(GEM_OF, STONES, strict=True))
_WORTH = {
    Card.RING: 20,
    Card.KING: 30,
    Card.QUEENS_NECKLACE: 45,
    Card.BANKER: 32,
    Card.CONFESSOR: 6,
    Card.COURTIER: 9,
    Card.FORGER: 13,
    Card.FAVORITE: 14,
    Card.THIEF: 24,
    Card.ALCHEMIST: 16,
    Card.ASTROLOGER: 22,
    Card.CARDINAL: 12,
    Card.MUSKETEER: 12,
    Card.QUEEN: 20,
}
WORTH = tuple(_WORTH.get(card, 0) for card in range(len(Card)))
DUCAT = 3  # value of a ducat in pounds
UNSEEN = 4  # of this many unknown cards, one is a stone of a gem
NEAR = 8  # a sale is near if at most this many cards may come before it
LOWEST, HIGHEST = -30, 120
STEEPNESS = 9  # pounds that double the weight of a move
ADDED = 24  # weight of a gem card for a gem that is already shown
RING_NOTE, KING_NOTE, NECKLACE_NOTE, BANKER_NOTE = 4, 8, 12, 16
OPEN_NOTE = BANKER_NOTE + 1  # clearing the tray and laying cards openly have weight 0
NOTE_OF_PIECE = GEM_OF + tuple(range(RING_NOTE, BANKER_NOTE + 3)) + (OPEN_NOTE,) * SHOWN
WEIGHT = tuple(max(1, round(16 * 2 ** (gain / STEEPNESS))) for gain in range(LOWEST, HIGHEST + 1))


def priors(s, seat, moves, n, out):
    phase = s.phase
    if phase == Phase.SHOW:
        return weigh_show(s, seat, moves, n, out)
    if phase == Phase.INFLUENCE or phase == Phase.PURCHASE:
        return weigh_turn(s, seat, moves, n, out)
    if phase == Phase.FORGER:
        return weigh_reply(moves, n, out)
    return 0


def considered(s, seat, moves, n):
    """Exclude laying cards openly, which has no advantage over laying them covered."""
    if s.phase == Phase.SHOW:
        while moves[n - 1] > MOVES.commit:
            n -= 1
    return n


def weight(gain):
    return WEIGHT[min(max(gain, LOWEST), HIGHEST) - LOWEST]


# --- notes ------------------------------------------------------------------------------------------------------------


def count_stones(s, seat, out, at):
    """Compute the stones of all seats. It uses bit fields in a single number for speed, because a show calls it for
    each card."""
    mine = count(s.hand[seat]) + count(s.openly[seat])
    for gem in range(4):
        out[at + MINE + gem] = of_gem(mine, gem)
        out[at + THEIRS + gem] = 0
    for other in range(s.players):
        if other != seat:
            known = count(s.known[seat][other])
            more = (s.size[other] - (known >> CARDS)) // UNSEEN
            known += count(s.openly[other])
            for gem in range(4):
                out[at + THEIRS + gem] = max(out[at + THEIRS + gem], of_gem(known, gem) + more)
    for place in range(4):
        out[at + STONE + s.fashion[place]] = FASHION_BONUS[place] // 2 + 15
    for note in range(MINE, PIECE, 5):
        out[at + note + NO_GEM] = 0


def count(cards):
    """Return the stones of each gem and the number of cards as bit fields: see PARTS."""
    n = 0
    for card in range(GEM_KINDS):
        n += cards[card] * PARTS[card]
    return n


def of_gem(counted, gem):
    return counted >> WIDE * gem & (1 << WIDE) - 1


# --- the turn ---------------------------------------------------------------------------------------------------------


def weigh_turn(s, seat, moves, n, out):
    count_stones(s, seat, out, n)
    near = s.merchants == MERCHANTS or soonest(s) <= NEAR
    total = 0
    for i in range(n):
        verb = VERB[moves[i]]
        if verb == MOVES.buy:
            card = Y[moves[i]]
            gain = worth(card, out, n) - DUCAT * PRICE[s.ladders][card][s.rung[X[moves[i]]]]
        elif verb == MOVES.end:
            gain = -8
        else:
            gain = influence(s, seat, verb, X[moves[i]], Y[moves[i]], near, out, n)
        out[i] = weight(gain)
        total += out[i]
    return total


def worth(card, out, at):
    """Return the value of a bought card. A gem is worth more if the seat gets the most stones of it, and most if the
    card makes the difference."""
    gem = GEM_OF_CARD[card]
    stones = STONES_OF_CARD[card]
    mine = out[at + MINE + gem]
    theirs = out[at + THEIRS + gem]
    price = out[at + STONE + gem]
    most = mine + stones >= theirs
    gain = WORTH[card] + stones * price + (most & (theirs > mine)) * (mine * price // 2)
    return gain if most else gain * 2 // 3


def influence(s, seat, verb, x, y, near, out, at):
    if verb == MOVES.thief:
        return 30 + s.score[x] // 50
    if verb == MOVES.musketeers:
        return 60
    if verb == MOVES.courtier:
        return 10
    if verb == MOVES.favorite:
        lead = out[at + MINE + x] - out[at + THEIRS + x]
        behind = 0 if s.fashion[0] == x else 1
        return (4 * out[at + MINE + x] if lead >= 0 else -20) + (8 if near else -20) - 40 * (1 - behind)
    if verb == MOVES.forger:
        close = out[at + THEIRS + y] - out[at + MINE + y]
        return (8 + 3 * out[at + THEIRS + y] if 0 <= close < 3 else -10) + (8 if near else -15)
    return -5 if near else -15


def weigh_reply(moves, n, out):
    """Prefer to discard the smallest gem; a musketeer instead of a large one."""
    total = 0
    for i in range(n):
        out[i] = 8 // STONES[X[moves[i]]] if VERB[moves[i]] == MOVES.discard else 3
        total += out[i]
    return total


# --- the show ---------------------------------------------------------------------------------------------------------


def weigh_show(s, seat, moves, n, out):
    """Prefer gems of which the seat may have the most stones; in the last sale all gems, because they are worthless
    afterwards. Gems already laid get more cards."""
    count_stones(s, seat, out, n)
    weigh_pieces(out, n, s.sales == SALES - 1)
    tray = s.tray[seat]
    total = 0
    for i in range(n):
        piece = moves[i] - MOVES.lay
        out[i] = ADDED if piece < GEM_KINDS and tray[piece] else out[n + PIECE + NOTE_OF_PIECE[piece]]
        total += out[i]
    return total


def weigh_pieces(out, at, last):
    """Compute the weights: for each gem, those of a card, a ring, a king and the necklace; then those of a banker, of
    clearing the tray, and of finishing."""
    notes = at + PIECE
    for gem in range(4):
        mine = out[at + MINE + gem]
        ahead = mine - out[at + THEIRS + gem]
        out[notes + gem] = ADDED if last or ahead >= 0 else 2 + 2 * mine
        out[notes + RING_NOTE + gem] = (4 + 2 * mine if ahead >= 0 else 1) * (4 if last else 1)
        out[notes + KING_NOTE + gem] = (2 - 2 * ahead if ahead < 0 else 1) * (3 if last else 1)
        out[notes + NECKLACE_NOTE + gem] = 4 if last else 2
    out[notes + BANKER_NOTE] = 12 if last else 2
    out[notes + OPEN_NOTE] = 0
    out[notes + BANKER_NOTE + 2] = 1
