"""Knowledge of the cards: the public information, the worlds that it allows, and the pasts that led to them.

All seats see which open cards are taken, which cards are laid, and when a card is drawn from the deck, but not which.
While the first deck lasts, unseen cards in hands are equivalent to cards in the deck. The reshuffle separates them:
cards drawn before it are `old`, and all of them together are known; cards drawn after it are `fresh`, and come from the
discards. If a player who may hold both kinds lays a card, it is unknown which kind it was; `history` records it, with
the draws before and after.
"""

from courtly.engine.constants import EVERYONE, SPECTATOR
from courtly.engine.rng import draw_below
from courtly.engine.stdlib.hidden_hands import draw_card
from courtly.games.cardinal.table import COLOURS, MOVES, VERB

GUESSES = 12  # sampled pasts, of which one is selected by its weight
EVEN = 1 << 28  # the weight of a past with the expected likelihood
CAP = 1 << 44
FINE = 14  # bits dropped at the end, so that the weights fit a draw


def audience(s, seat, move):
    if VERB[move] == MOVES.deal or VERB[move] == MOVES.drawn:
        return 1 << s.refilling
    return EVERYONE


def reveals(s, seat, move):
    return 0


# --- records ----------------------------------------------------------------------------------------------------------


def remember(s, seat, card):
    """Record a laid card (colour + 1), or a drawn one (0)."""
    s.history[s.events] = seat * (COLOURS + 1) + card
    s.events += 1


def remember_draw(s, seat, colour):
    s.fresh[seat] += 1
    s.drawn[seat][colour] += 1
    if s.old_left[seat]:
        remember(s, seat, 0)


def remember_laid(s, seat, colour):
    """Record a laid card. A card that all saw taken goes first, because cards of a colour are alike. If its kind is
    certain, the history needs no entry."""
    if s.shown[seat][colour]:
        s.shown[seat][colour] -= 1
    elif s.old_left[seat] == 0:
        s.rest[colour] -= 1
        s.fresh[seat] -= 1
        s.drawn[seat][colour] -= 1
    elif s.fresh[seat] == 0:
        s.old[colour] -= 1
        s.old_left[seat] -= 1
    else:
        remember(s, seat, colour + 1)


def remember_reshuffle(s):
    """Split the cards at the reshuffle: the unseen cards of the empty deck are in the hands."""
    for colour in range(COLOURS):
        s.old[colour] = s.rest[colour]
        s.rest[colour] = s.discards[colour]
        for seat in range(s.players):
            s.drawn[seat][colour] = 0
    for seat in range(s.players):
        s.old_left[seat] = s.fresh[seat]
        s.fresh[seat] = 0


# --- worlds -----------------------------------------------------------------------------------------------------------


def determinize(s, seat, rng):
    """Deal again what this seat cannot see, as if the other seats had laid their unseen cards at random."""
    for colour in range(COLOURS):
        s.deck[colour] = s.rest[colour]
        s.before[colour] = s.old[colour]
        if seat != SPECTATOR:
            s.deck[colour] -= s.drawn[seat][colour]
            s.before[colour] -= s.hand[seat][colour] - s.shown[seat][colour] - s.drawn[seat][colour]
    for other in range(s.players):
        if other != seat:
            for colour in range(COLOURS):
                s.hand[other][colour] = s.shown[other][colour]
                s.drawn[other][colour] = 0
    look_back(s, seat, rng)
    for other in range(s.players):
        if other != seat:
            deal_unknown(s, other, rng)


def look_back(s, seat, rng):
    """Decide for all recorded cards whether they were old or fresh, and subtract them from their sources."""
    doubts = 0
    for i in range(s.events):
        card = s.history[i] % (COLOURS + 1)
        if s.history[i] // (COLOURS + 1) != seat:
            doubts += card > 0
        elif card:
            s.before[card - 1] -= 1
    for other in range(s.players):
        s.old_held[other] = s.old_left[other]
        s.fresh_held[other] = s.fresh[other]
    if doubts:
        choose_past(s, seat, rng)
        for i in range(s.events):
            other = s.history[i] // (COLOURS + 1)
            card = s.history[i] % (COLOURS + 1)
            if other != seat and card:
                if s.past[i]:
                    s.before[card - 1] -= 1
                    s.old_held[other] -= 1
                else:
                    s.deck[card - 1] -= 1
                    s.fresh_held[other] -= 1
                    s.drawn[other][card - 1] += 1


def choose_past(s, seat, rng):
    """Sample several pasts and keep one with a probability proportional to its weight; at least one past is always
    possible."""
    total = 0
    while total == 0:
        for _ in range(GUESSES):
            weight = guess_past(s, seat, rng)
            total += weight
            if weight and draw_below(rng, total) < weight:
                for i in range(s.events):
                    s.past[i] = s.guess[i]


def guess_past(s, seat, rng):
    """Sample for each card of the history whether it was old. Returns the likelihood of the laid cards; 0 if the past
    is impossible."""
    old = fresh = 0
    for colour in range(COLOURS):
        s.old_pool[colour] = s.before[colour]
        s.fresh_pool[colour] = s.deck[colour]
        old += s.before[colour]
        fresh += s.deck[colour]
    for other in range(s.players):
        s.old_slots[other] = s.old_left[other]
        s.fresh_slots[other] = 0
    weight = EVEN
    for i in range(s.events):
        other = s.history[i] // (COLOURS + 1)
        colour = s.history[i] % (COLOURS + 1) - 1
        if other == seat:
            continue
        if colour < 0:
            s.fresh_slots[other] += 1
            continue
        as_old = s.old_slots[other] * s.old_pool[colour] * max(fresh, 1)
        as_fresh = s.fresh_slots[other] * s.fresh_pool[colour] * max(old, 1)
        if as_old + as_fresh == 0:
            return 0
        expected = (
            (s.old_slots[other] + s.fresh_slots[other])
            * (s.old_pool[colour] + s.fresh_pool[colour])
            * max(fresh, 1)
            * max(old, 1)
        )
        weight = min(CAP, max(1, weight * ((as_old + as_fresh) * (old + fresh)) // expected))
        s.guess[i] = 1 if draw_below(rng, as_old + as_fresh) < as_old else 0
        if s.guess[i]:
            s.old_pool[colour] -= 1
            s.old_slots[other] -= 1
            old -= 1
        else:
            s.fresh_pool[colour] -= 1
            s.fresh_slots[other] -= 1
            fresh -= 1
    return max(1, min(weight, CAP >> 4) >> FINE)


def deal_unknown(s, seat, rng):
    for _ in range(s.old_held[seat]):
        s.hand[seat][draw_card(rng, s.before, COLOURS)] += 1
    for _ in range(s.fresh_held[seat]):
        colour = draw_card(rng, s.deck, COLOURS)
        s.drawn[seat][colour] += 1
        s.hand[seat][colour] += 1
