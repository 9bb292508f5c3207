"""Positions of Web of Power, completed from the fields that a scenario names, with checks for contradictions."""

from courtly.engine.constants import CHANCE
from courtly.games.cardinal import rules as r
from courtly.games.cardinal.map import COUNTRIES, PLAYERS


def total(s):
    return [n - r.REMOVED[s.players] for n in r.COUNT]


def put_pieces(s):
    """Place the pieces of `owner` and `cardinals` again, so that all derived fields are correct."""
    houses = [(site, seat - 1) for site, seat in enumerate(s.owner) if seat]
    figures = [(country, seat, n) for country, row in enumerate(s.cardinals) for seat, n in enumerate(row) if n]
    s.owner = [0] * r.ALL_SITES
    s.cardinals = [[0] * PLAYERS for _ in range(r.ALL_COUNTRIES)]
    for site, seat in houses:
        r.place_cloister(s, seat, site)
    for country, seat, n in figures:
        for _ in range(n):
            r.place_cardinal(s, seat, country)
    for country in range(r.ALL_COUNTRIES):
        if s.standing[country] > s.top[country]:
            raise ValueError(f"more cardinals in {COUNTRIES[country]} than the leader has cloisters")


def deal_cards(s, given):
    """Put the cards that are not named into the deck. Hands and open cards that are not named get cards of the most
    frequent colours."""
    left = [
        n - s.discards[k] - sum(row[k] for row in s.hand) - sum(card == k + 1 for card in s.open)
        for k, n in enumerate(total(s))
    ]

    def any_card():
        colour = left.index(max(left))
        left[colour] -= 1
        return colour

    for seat in range(s.players):
        if not any(s.hand[seat]) and "size" not in given:
            for _ in range(r.HAND):
                s.hand[seat][any_card()] += 1
        s.size[seat] = sum(s.hand[seat])
    for i in range(r.OPEN):
        if not s.open[i] and "open" not in given:
            s.open[i] = any_card() + 1
    if "deck" in given:
        for colour in range(r.COLOURS):
            s.discards[colour] += left[colour] - s.deck[colour]
    else:
        s.deck = left
    if min(left + s.deck + s.discards) < 0:
        raise ValueError("more cards of a colour than there are")
    s.deck_left = sum(s.deck)
    if s.exhaustions:
        s.rest = s.deck[:]
        s.old = [sum(column) for column in zip(*s.hand, strict=True)]
        s.old_left = s.size[:]
    else:
        s.rest = [n - s.discards[k] - sum(card == k + 1 for card in s.open) for k, n in enumerate(total(s))]
        s.fresh = s.size[:]
        s.drawn = [row[:] for row in s.hand]


def complete(s, given):
    if "phase" not in given:
        s.phase = r.Phase.CHOOSING
    if "seat" not in given:
        s.seat = s.start
    put_pieces(s)
    for name, most in (("cloisters_left", r.CLOISTERS), ("cardinals_left", r.CARDINALS)):
        if name in given and not all(0 <= n <= most for n in getattr(s, name)):
            raise ValueError(f"{name} is out of bounds")
    deal_cards(s, given)
    s.refilling = s.seat
    s.pending = CHANCE if s.phase in (r.Phase.INTERIM, r.Phase.FINAL) else 1 << s.seat
