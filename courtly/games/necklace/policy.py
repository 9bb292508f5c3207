"""How a good jeweller plays: cards by what they would earn at the next sale, against what the others are known to hold.

All is counted in pounds. Notes are made once for each decision, behind `out`: for each gem the seat's own stones, the
most that another may have, and what a stone is worth.
"""

from courtly.games.necklace.cards import FASHION_BONUS, GEM_KINDS, GEM_OF, MERCHANTS, PRICE, SALES, STONES, Card
from courtly.games.necklace.merchants import soonest
from courtly.games.necklace.table import MOVES, VERB, Phase, X, Y

MINE, THEIRS, STONE = 0, 4, 8  # the notes
# the cards of a gem stand together
FIRST_OF = tuple(GEM_OF.index(gem) for gem in range(4))
END_OF = tuple(first + GEM_OF.count(gem) for gem, first in enumerate(FIRST_OF))
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
DUCAT = 3  # pounds that a ducat might bring elsewhere
UNSEEN = 4  # of so many unknown cards one is a stone of a gem
NEAR = 8  # a sale is near when so few cards may come before it
LOWEST, HIGHEST = -30, 120
STEEPNESS = 9  # so many pounds more, and a move is preferred twice as much
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


def weight(gain):
    return WEIGHT[min(max(gain, LOWEST), HIGHEST) - LOWEST]


# --- notes ------------------------------------------------------------------------------------------------------------


def count_stones(s, seat, out, at):
    """In sums that stay in the processor: in a show this is asked for each card that is laid."""
    hand = s.hand[seat]
    for gem in range(4):
        mine = 0
        for card in range(FIRST_OF[gem], END_OF[gem]):
            mine += hand[card] * STONES[card]
        out[at + MINE + gem] = mine
        out[at + THEIRS + gem] = 0
    for other in range(s.players):
        if other != seat:
            known = s.known[seat][other]
            unsure = s.size[other]
            for card in range(GEM_KINDS):
                unsure -= known[card]
            more = unsure // UNSEEN
            for gem in range(4):
                most = more
                for card in range(FIRST_OF[gem], END_OF[gem]):
                    most += known[card] * STONES[card]
                out[at + THEIRS + gem] = max(out[at + THEIRS + gem], most)
    for place in range(4):
        out[at + STONE + s.fashion[place]] = FASHION_BONUS[place] // 2 + 15


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
    """What a card bought is good for: a gem, above all where it is the one that makes the most."""
    if card >= GEM_KINDS:
        return WORTH[card]
    gem = GEM_OF[card]
    mine = out[at + MINE + gem]
    theirs = out[at + THEIRS + gem]
    stones = STONES[card]
    price = out[at + STONE + gem]
    gain = stones * price
    if mine + stones >= theirs > mine:
        gain += mine * price // 2
    return gain if mine + stones >= theirs else gain * 2 // 3


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
    """The smallest stone; a musketeer for a big one."""
    total = 0
    for i in range(n):
        out[i] = 8 // STONES[X[moves[i]]] if VERB[moves[i]] == MOVES.discard else 3
        total += out[i]
    return total


# --- the show ---------------------------------------------------------------------------------------------------------


def weigh_show(s, seat, moves, n, out):
    """Gems in which the seat may be first, and in the last sale all: nothing is good for anything afterwards."""
    count_stones(s, seat, out, n)
    last = s.sales == SALES - 1
    total = 0
    for i in range(n):
        move = moves[i]
        out[i] = lay(s.tray[seat], move - MOVES.lay, last, out, n) if move < MOVES.clear else 0
        if move == MOVES.commit:
            out[i] = 1
        total += out[i]
    return total


def lay(tray, piece, last, out, at):
    if piece < GEM_KINDS:
        gem = GEM_OF[piece]
        mine = out[at + MINE + gem]
        if last or mine >= out[at + THEIRS + gem] or tray[piece]:
            return 24
        return 2 + 2 * mine
    verb = VERB[MOVES.lay + piece]
    if verb == MOVES.banker:
        return 12 if last else 2
    gem = X[MOVES.lay + piece]
    ahead = out[at + MINE + gem] - out[at + THEIRS + gem]
    if verb == MOVES.ring:
        return (4 + 2 * out[at + MINE + gem] if ahead >= 0 else 1) * (4 if last else 1)
    if verb == MOVES.king:
        return (2 - 2 * ahead if ahead < 0 else 1) * (3 if last else 1)
    return 4 if last else 2
