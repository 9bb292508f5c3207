"""Invariants of every position of Web of Power, computed from the board and the cards."""

import sys
from pathlib import Path

from courtly.games.cardinal import rules as r
from courtly.games.cardinal.map import BOARD, PARTNERS, SITES

sys.path.insert(0, str(Path(__file__).parent))
from cardinal_brute_force import alliance_points, chain_bonus, country_points

ROADS = [frozenset((SITES.index(road["a"]), SITES.index(road["b"]))) for road in BOARD["roads"]]


def check(s):
    cards(s)
    card_knowledge(s)
    for country in range(r.ALL_COUNTRIES):
        country_counts(s, country)
    for seat in range(s.players):
        pieces(s, seat)
        chains(s, seat)
    for pact, (first, second) in enumerate(PARTNERS):
        assert [row[pact] for row in s.alliance_points][: s.players] == alliance_points(
            s.cardinals[first][: s.players], s.cardinals[second][: s.players]
        )
    points(s)
    turns(s)


def cards(s):
    for colour in range(r.COLOURS):
        total = s.deck[colour] + s.discards[colour] + sum(row[colour] for row in s.hand) + s.open.count(colour + 1)
        assert total == r.COUNT[colour] - r.REMOVED[s.players], "the number of cards has changed"
    assert s.size[: s.players] == [sum(row) for row in s.hand][: s.players]
    assert s.deck_left == sum(s.deck)
    assert max(s.size) <= r.HAND
    assert min(s.deck + s.discards + [n for row in s.hand for n in row]) >= 0


def card_knowledge(s):
    """Check that what is known of hands and deck is true and adds up."""
    history = [divmod(event, r.COLOURS + 1) for event in s.history[: s.events]]
    for seat in range(s.players):
        assert sum(s.drawn[seat]) == s.fresh[seat] >= 0
        unexplained_events = sum(event_seat == seat and card > 0 for event_seat, card in history)
        assert s.size[seat] - sum(s.shown[seat]) + unexplained_events == s.fresh[seat] + s.old_left[seat]
        assert s.old_left[seat] >= 0
    for colour in range(r.COLOURS):
        assert s.rest[colour] == s.deck[colour] + sum(row[colour] for row in s.drawn)
        assert s.old[colour] == sum(old_cards(s, seat, colour, history) for seat in range(s.players))


def old_cards(s, seat, colour, history):
    """Return how many cards of a colour a player had at the reshuffle and has not shown."""
    assert 0 <= s.shown[seat][colour] <= s.hand[seat][colour]
    count = s.hand[seat][colour] - s.shown[seat][colour] - s.drawn[seat][colour] + history.count((seat, colour + 1))
    assert count >= 0
    return count


def country_counts(s, country):
    owners = [s.owner[site] - 1 for site in range(r.ALL_SITES) if r.COUNTRY_OF[site] == country]
    counts = [owners.count(seat) for seat in range(s.players)]
    assert s.cloisters[country][: s.players] == counts
    assert s.free[country] == owners.count(-1)
    assert s.top[country] == max(counts)
    assert s.standing[country] == sum(s.cardinals[country]) <= s.top[country], "too many cardinals"
    highest = max(s.cardinals[country])
    assert s.leaders[country] == sum(
        1 << seat for seat in range(s.players) if 0 < highest == s.cardinals[country][seat]
    )
    assert [row[country] for row in s.country_points][: s.players] == country_points(counts)


def pieces(s, seat):
    assert s.cloisters_left[seat] + s.owner.count(seat + 1) == r.CLOISTERS
    assert s.cardinals_left[seat] + sum(row[seat] for row in s.cardinals) == r.CARDINALS
    assert min(s.cloisters_left[seat], s.cardinals_left[seat]) >= 0


def chains(s, seat):
    """Check that links form paths of at least four cloisters and, for some positions, that no better paths exist."""
    own_sites = {site for site in range(r.ALL_SITES) if s.owner[site] == seat + 1}
    linked_sites = [site for site in own_sites if s.link[site]]
    assert len(linked_sites) == s.chain_points[seat]
    roads = [(site, s.link[site] - 1) for site in linked_sites if s.link[site] - 1 != site]
    chain_lengths = {}
    for site in linked_sites:
        chain_start = site
        while s.link[chain_start] - 1 != chain_start:
            chain_start = s.link[chain_start] - 1
        chain_lengths[chain_start] = chain_lengths.get(chain_start, 0) + 1
        assert sum(site in pair for pair in roads) <= 2, "a path does not branch"
    assert all(n >= 4 for n in chain_lengths.values()) and all(
        frozenset(pair) in ROADS and set(pair) <= own_sites for pair in roads
    )
    if s.phase in (r.Phase.INTERIM, r.Phase.FINAL) or sum(own_sites) % 40 == 0:
        assert s.chain_points[seat] == chain_bonus(own_sites, ROADS)


def points(s):
    for seat in range(s.players):
        interim, country_total = sum(s.interim_points[seat]), sum(s.country_points[seat])
        final = country_total + sum(s.alliance_points[seat]) + s.chain_points[seat]
        assert s.score[seat] == (0, interim, interim + final)[s.scored]
        assert s.scored or not interim


def turns(s):
    if s.phase in (r.Phase.INTERIM, r.Phase.FINAL) and not (s.interim and s.phase == r.Phase.INTERIM):
        assert s.turn % s.players == 0 and s.seat == s.start
    if s.phase == r.Phase.CHOOSING:
        assert s.pending == 1 << s.seat == 1 << (s.start + s.turn) % s.players
        assert s.size[s.seat] == r.HAND and (all(s.open) or s.exhaustions == 2)
