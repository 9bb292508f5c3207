"""Hidden cards: which cards each seat knows with certainty, and worlds that a seat cannot tell from the real one. In
the dialect.

Cards of a kind are alike, and a row counts them by kind. A game whose players get to know cards in other hands has

    known = i8(PLAYERS, PLAYERS, Card, private=True)  # row n: the cards that n knows in each other hand
    seen = i8(PLAYERS, Card)                          # the cards that everyone knows in each hand

and reports each card that enters or leaves a hand, with the seats that see which card it is, as bits of an audience
(`knowing`). Knowledge is a lower bound for each kind of card; that a card is one of two kinds is not represented.
`determinize` starts from the known cards (`take_certain`) and draws the rest from the cards that the seat has not seen:
one by one (`draw_card`), or all together if not every card can be everywhere (`deal_hidden`).
"""

from __future__ import annotations

from collections.abc import Sequence

from courtly.engine.constants import SPECTATOR
from courtly.engine.rng import Row, draw_below, pick_weighted

Rows = Sequence[Row]
MAX_FAIR_ATTEMPTS = 1000  # after these attempts, any deal that puts each card where it can be is accepted
MAX_ATTEMPTS = 1100


def add_card(known: Sequence[Rows], seen: Rows, players: int, seat: int, card: int, knowing: int) -> None:
    """Record that a card enters the hand of `seat`. `knowing`: bits of the seats that see which card, or EVERYONE."""
    for other in range(players):
        if other != seat and knowing >> other & 1:
            known[other][seat][card] += 1
    if knowing < 0:
        seen[seat][card] += 1


def remove_card(
    known: Sequence[Rows], seen: Rows, players: int, kinds: int, seat: int, card: int, knowing: int
) -> None:
    """Record that a card leaves the hand of `seat`. For a seat that does not see which, it may be any card it knew
    there."""
    for other in range(players):
        if other != seat:
            forget_card(known[other][seat], kinds, card, knowing >> other & 1)
    forget_card(seen[seat], kinds, card, knowing < 0)


def forget_card(sure: Row, kinds: int, card: int, is_visible: int) -> None:
    """Remove a card from the certain cards of a hand: this card if its kind is visible (`is_visible`), else one of each
    kind."""
    for kind in range(kinds):
        if sure[kind] and (kind == card or not is_visible):
            sure[kind] -= 1


def note_hand(known: Sequence[Rows], kinds: int, seat: int, other: int, hand: Row) -> None:
    """Record that `seat` sees the whole hand of another seat."""
    for card in range(kinds):
        known[seat][other][card] = hand[card]


def note_card(known: Sequence[Rows], seat: int, other: int, card: int) -> None:
    """Record that `seat` sees one card in another seat's hand. It may be a card that it already knew there."""
    if known[seat][other][card] == 0:
        known[seat][other][card] = 1


def take_certain(known: Sequence[Rows], seen: Rows, kinds: int, seat: int, other: int, hand: Row, pool: Row) -> int:
    """Set another seat's hand to the cards that `seat` (SPECTATOR for spectators) knows in it, and remove them from the
    pool. Returns how many they are."""
    n = 0
    for card in range(kinds):
        hand[card] = seen[other][card] if seat == SPECTATOR else known[seat][other][card]
        pool[card] -= hand[card]
        n += hand[card]
    return n


def draw_card(rng: Row, pool: Row, kinds: int) -> int:
    """Take one card from the pool, each with the same probability, and return its kind."""
    card = pick_weighted(rng, pool, kinds)
    pool[card] -= 1
    return card


def deal_hidden(
    rng: Row, pool: Row, kinds: int, hands: Sequence[Row], want: Row, fits: Sequence[Row], places: int, drawn: Row
) -> bool:
    """Deal cards from the pool: `want[p]` cards into row p of `hands` for each place p. All possible deals have the
    same probability, with cards of a kind counted as different cards.

    If `fits[p][card]` is 0, place p cannot hold such a card; above 1, it is the relative weight of the card at p.
    `drawn` needs room for all cards dealt. Returns False, with nothing dealt, if no deal is found.

    The places are filled one by one, and each card is drawn from those that fit. Alone, this would produce deals too
    often that leave few cards to choose from. So each card is accepted only with the probability (weight that fits now)
    / (the most that could fit now); else the deal starts again. If the places only differ in that one accepts all cards
    that another does, no deal is rejected.
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
    """Draw the cards for all places: `drawn` gets place * kinds + card. Returns how many cards were drawn; if the deal
    is rejected, -1 minus that number."""
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
    """Return the sort key of a place: places that fewer kinds of cards fit come first."""
    n = 0
    for card in range(kinds):
        n += fits[place][card] > 0
    return n * places + place


def next_key(kinds: int, fits: Sequence[Row], places: int, last: int) -> int:
    """Return the least key above `last`."""
    best = (kinds + 1) * places
    for place in range(places):
        key = place_key(kinds, fits, places, place)
        if last < key < best:
            best = key
    return best


def fitting_bound(
    pool: Row, kinds: int, want: Row, fits: Sequence[Row], places: int, drawn: Row, n: int, key: int
) -> tuple[int, int]:
    """Return an upper bound of the weight that can fit the place of this key, whatever was drawn for the places before
    it, and by how much it shrinks at least with each card that fits."""
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
