"""Hidden cards: what each seat is certain of, and worlds that a seat cannot tell from the real one. In the dialect.

Cards of a kind are alike, and a row counts them by kind. A game whose players come to know cards in others' hands has

    known = i8(PLAYERS, PLAYERS, Card, private=True)  # row n: what n is certain that the others hold
    seen = i8(PLAYERS, Card)                          # what everybody is certain of

and says of every card that comes to a hand or leaves it who was told which it is, in the bits of `audience`. What is
certain is kept kind by kind, at least so many: that it is one or the other of two is not. `determinize` begins with
what is certain (`take_certain`) and draws the rest from what the seat has not seen: one by one (`draw_card`), or,
where not every card can be everywhere, all together (`deal_hidden`).
"""

from __future__ import annotations

from collections.abc import Sequence

from courtly.engine.constants import SPECTATOR
from courtly.engine.rng import Row, draw_below, pick_weighted

Rows = Sequence[Row]
MAX_FAIR_ATTEMPTS = 1000  # after so many, any deal will do in which every card can be where it is
MAX_ATTEMPTS = 1100


def add_card(known: Sequence[Rows], seen: Rows, players: int, seat: int, card: int, told: int) -> None:
    """A card comes to the hand of `seat`."""
    for other in range(players):
        if other != seat and told >> other & 1:
            known[other][seat][card] += 1
    if told < 0:
        seen[seat][card] += 1


def remove_card(known: Sequence[Rows], seen: Rows, players: int, kinds: int, seat: int, card: int, told: int) -> None:
    """A card leaves the hand of `seat`. For whoever is not told, it may have been any that it was certain of."""
    for other in range(players):
        if other != seat:
            forget_card(known[other][seat], kinds, card, told >> other & 1)
    forget_card(seen[seat], kinds, card, told < 0)


def forget_card(sure: Row, kinds: int, card: int, told: int) -> None:
    for kind in range(kinds):
        if sure[kind] and (kind == card or not told):
            sure[kind] -= 1


def note_hand(known: Sequence[Rows], kinds: int, seat: int, other: int, hand: Row) -> None:
    """`seat` sees the whole hand of another."""
    for card in range(kinds):
        known[seat][other][card] = hand[card]


def note_card(known: Sequence[Rows], seat: int, other: int, card: int) -> None:
    """`seat` sees one card of another's hand. It may be one that it was certain of."""
    if known[seat][other][card] == 0:
        known[seat][other][card] = 1


def take_certain(known: Sequence[Rows], seen: Rows, kinds: int, seat: int, other: int, hand: Row, pool: Row) -> int:
    """Leave in another's hand the cards that `seat` (SPECTATOR: a spectator) is certain of, and take them from the
    pool. Returns how many they are."""
    n = 0
    for card in range(kinds):
        hand[card] = seen[other][card] if seat == SPECTATOR else known[seat][other][card]
        pool[card] -= hand[card]
        n += hand[card]
    return n


def draw_card(rng: Row, pool: Row, kinds: int) -> int:
    """Take one card from the pool, each as likely. Returns its kind."""
    card = pick_weighted(rng, pool, kinds)
    pool[card] -= 1
    return card


def deal_hidden(
    rng: Row, pool: Row, kinds: int, hands: Sequence[Row], want: Row, fits: Sequence[Row], places: int, drawn: Row
) -> bool:
    """From the pool to each place p, `want[p]` cards into its row of `hands`, so that every way to do it is as likely,
    cards of a kind being different cards. With a 0 in `fits[p][card]` such a card cannot be there; with more than 1 it
    is so many times as likely. `drawn` has room for all cards dealt. False, and nothing is dealt, if no way is found.

    The places are filled one by one, and each card drawn from those that fit. Deals that leave few to choose from would
    be too frequent so: each card counts only with the chance (those that fit now) / (the most that could fit now), else
    all is begun anew. Where places differ only in that one takes all that another does, nothing ever is.
    """
    for attempt in range(MAX_ATTEMPTS):
        n = draw_for_places(rng, pool, kinds, want, fits, places, drawn, attempt < MAX_FAIR_ATTEMPTS)
        if n >= 0:
            for i in range(n):
                hands[drawn[i] // kinds][drawn[i] % kinds] += 1
            return True
        for i in range(-1 - n):
            pool[drawn[i] % kinds] += 1
    return False


def draw_for_places(
    rng: Row, pool: Row, kinds: int, want: Row, fits: Sequence[Row], places: int, drawn: Row, fair: bool
) -> int:
    """Draw for all places: `drawn` gets place * kinds + card. Returns how many; if it has to be begun anew, -1 less
    those."""
    n = 0
    key = -1
    for _ in range(places):
        key = next_key(kinds, fits, places, key)
        place = key % places
        most, least = fitting_bound(pool, kinds, want, fits, places, drawn, n, key)
        for _ in range(want[place]):
            now = 0
            for card in range(kinds):
                now += pool[card] * fits[place][card]
            if now == 0 or fair and draw_below(rng, most) >= now:
                return -1 - n
            x = draw_below(rng, now)
            card = 0
            while x >= pool[card] * fits[place][card]:
                x -= pool[card] * fits[place][card]
                card += 1
            pool[card] -= 1
            drawn[n] = place * kinds + card
            n += 1
            most -= least
    return n


def place_key(kinds: int, fits: Sequence[Row], places: int, place: int) -> int:
    """Orders the places: those first that fewer kinds of cards fit."""
    n = 0
    for card in range(kinds):
        n += fits[place][card] > 0
    return n * places + place


def next_key(kinds: int, fits: Sequence[Row], places: int, last: int) -> int:
    best = (kinds + 1) * places
    for place in range(places):
        key = place_key(kinds, fits, places, place)
        if last < key < best:
            best = key
    return best


def fitting_bound(
    pool: Row, kinds: int, want: Row, fits: Sequence[Row], places: int, drawn: Row, n: int, key: int
) -> tuple[int, int]:
    """The most that could fit the place of this key, whatever has been drawn for those before it: by weight, and by
    how much it shrinks at least with each card that fits."""
    row = fits[key % places]
    most = 0
    least = 0
    for card in range(kinds):
        most += pool[card] * row[card]
        if row[card] and (least == 0 or row[card] < least):
            least = row[card]
    for i in range(n):
        most += row[drawn[i] % kinds]
    for other in range(places):
        if place_key(kinds, fits, places, other) < key:
            taken = want[other]
            for card in range(kinds):
                if fits[other][card] and not row[card]:
                    taken -= pool[card]
            for i in range(n):
                if fits[other][drawn[i] % kinds] and not row[drawn[i] % kinds]:
                    taken -= 1
            if taken > 0:
                most -= taken * least
    return most, least
