"""Hidden cards: certain knowledge is never more than the truth, and deals have the right probabilities."""

import random
import sys
from itertools import product
from math import comb

import pytest

from courtly.engine.constants import EVERYONE, SPECTATOR
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.rng import make_generator
from courtly.engine.stdlib import hidden_hands
from courtly.engine.stdlib.hidden_hands import (
    add_card,
    deal_hidden,
    draw_card,
    note_card,
    note_hand,
    remove_card,
    take_certain,
)

SEATS, KINDS = 3, 3


# --- certain knowledge ------------------------------------------------------------------------------------------------


class Hands:
    """Hands, the certain knowledge about them, and all worlds that each audience (the last: spectators) considers
    possible.
    """

    def __init__(self):
        self.hand = [[0] * KINDS for _ in range(SEATS)]
        self.known = [[[0] * KINDS for _ in range(SEATS)] for _ in range(SEATS)]
        self.seen = [[0] * KINDS for _ in range(SEATS)]
        self.possible = [{tuple(map(tuple, self.hand))} for _ in range(SEATS + 1)]

    def moved(self, seat, card, told, change):
        """Change the number of a card in a hand."""
        for audience, worlds in enumerate(self.possible):
            sees = told < 0 or audience < SEATS and (told >> audience & 1 or audience == seat)
            found = set()
            for world in worlds:
                for kind in [card] if sees else range(KINDS):
                    hands = [list(hand) for hand in world]
                    hands[seat][kind] += change
                    if hands[seat][kind] >= 0:
                        found.add(tuple(map(tuple, hands)))
            self.possible[audience] = found
        self.hand[seat][card] += change

    def come(self, seat, card, told):
        self.moved(seat, card, told, 1)
        add_card(self.known, self.seen, SEATS, seat, card, told)

    def leave(self, seat, card, told):
        self.moved(seat, card, told, -1)
        remove_card(self.known, self.seen, SEATS, KINDS, seat, card, told)

    def look(self, seat, other):
        note_hand(self.known, KINDS, seat, other, self.hand[other])
        self.possible[seat] = {world for world in self.possible[seat] if list(world[other]) == self.hand[other]}

    def spot(self, seat, other, card):
        note_card(self.known, seat, other, card)
        self.possible[seat] = {world for world in self.possible[seat] if world[other][card]}

    def sure(self, audience, other):
        """Return the minimum number of each kind over all worlds that the audience considers possible."""
        return [min(world[other][kind] for world in self.possible[audience]) for kind in range(KINDS)]


def test_certain_knowledge_is_true_in_every_possible_world():
    r, hidden_moves = random.Random(1), 0
    for _ in range(60):
        hands = Hands()
        for _ in range(12):
            seat, told = r.randrange(SEATS), r.choice([EVERYONE, 0, *range(1, 1 << SEATS)])
            held = [card for card in range(KINDS) if hands.hand[seat][card]]
            if r.random() < 0.15:
                hands.look((seat + 1) % SEATS, seat)
            elif held and r.random() < 0.15:
                hands.spot((seat + 1) % SEATS, seat, r.choice(held))
            elif held and r.random() < 0.4:
                hands.leave(seat, r.choice(held), told)
                hidden_moves += told >= 0
            else:
                hands.come(seat, r.randrange(KINDS), told)
            for audience, other in product(range(SEATS + 1), range(SEATS)):
                if audience != other:
                    found = hands.seen[other] if audience == SEATS else hands.known[audience][other]
                    sure = hands.sure(audience, other)
                    assert all(0 <= n <= m for n, m in zip(found, sure, strict=True)), (audience, other)
    assert hidden_moves > 50


def test_certain_knowledge_of_a_hand_that_was_seen():
    hands = Hands()
    for card in (0, 0, 1):
        hands.come(1, card, 0)
    hands.look(0, 1)
    assert hands.known[0][1] == [2, 1, 0] and hands.known[2][1] == hands.seen[1] == [0, 0, 0]
    hands.leave(1, 0, 1 << 2)  # seat 2 is shown the card, seat 0 is not
    assert hands.known[0][1] == [1, 0, 0]
    hands.leave(1, 0, EVERYONE)
    hands.come(1, 2, EVERYONE)
    assert hands.known[0][1] == [0, 0, 1] and hands.known[2][1] == hands.seen[1] == [0, 0, 1]


def test_certain_cards_stay_in_the_hand_and_are_not_drawn():
    known, seen = [[[0, 0, 0], [1, 0, 2]]], [[0, 0, 0], [1, 0, 0]]
    hand, pool = [5, 5, 5], [3, 3, 3]
    assert take_certain(known, seen, KINDS, 0, 1, hand, pool) == 3 and (hand, pool) == ([1, 0, 2], [2, 3, 1])
    assert take_certain(known, seen, KINDS, SPECTATOR, 1, hand, pool) == 1 and (hand, pool) == ([1, 0, 0], [1, 3, 1])


# --- dealing ----------------------------------------------------------------------------------------------------------

ALL = [1, 1, 1, 1]
TABLES = {
    "no bounds": ([3, 2, 2, 1], [2, 2, 1], [ALL, ALL, ALL]),
    "the same bounds": ([3, 2, 2, 1], [2, 2, 1], [[1, 0, 1, 0], [1, 0, 1, 0], ALL]),
    "one within the other": ([2, 2, 3, 1], [1, 2, 2], [[0, 0, 1, 1], [0, 1, 1, 1], ALL]),
    "crossed": ([3, 3, 1, 1], [2, 2, 1], [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0]]),
    "crossed, and all are dealt": ([2, 2, 1, 1], [2, 2, 2], [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]]),
    "some likelier": ([2, 2, 2, 1], [2, 1, 2], [[3, 1, 1, 0], [1, 1, 2, 1], ALL]),
}


def ways(pool, want, fits):
    """Return every possible deal with its weight: the number of ways if all cards were distinct."""
    found = {}
    rows = [list(product(*(range(n + 1) for n in pool))) for _ in want]
    for hands in product(*([row for row in rows[p] if sum(row) == want[p]] for p in range(len(want)))):
        left, weight = list(pool), 1
        for hand, fit in zip(hands, fits, strict=True):
            for kind, n in enumerate(hand):
                weight *= comb(left[kind], n) * fit[kind] ** n if n <= left[kind] else 0
                left[kind] -= n
        if weight:
            found[hands] = weight
    return found


def dealt(pool, want, fits, times, seed=5):
    rng, found = make_generator(seed), {}
    for _ in range(times):
        hands, left, drawn = [[0] * len(pool) for _ in want], list(pool), [0] * sum(want)
        assert deal_hidden(rng, left, len(pool), hands, want, fits, len(want), drawn)
        assert [sum(column) for column in zip(*hands, strict=True)] == [n - m for n, m in zip(pool, left, strict=True)]
        way = tuple(map(tuple, hands))
        found[way] = found.get(way, 0) + 1
    return found


def surprise(found, expected):
    """Return chi-square, in standard deviations from its expectation."""
    total, share = sum(found.values()), sum(expected.values())
    assert found.keys() <= expected.keys()
    chi = sum((found.get(w, 0) - total * n / share) ** 2 / (total * n / share) for w, n in expected.items())
    return (chi - len(expected) + 1) / (2 * (len(expected) - 1)) ** 0.5


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_deal_has_the_right_probability(table):
    expected = ways(*table)
    assert surprise(dealt(*table, times=40 * len(expected)), expected) < 4


def test_without_restarts_the_probabilities_would_be_wrong(monkeypatch):
    monkeypatch.setattr(hidden_hands, "MAX_FAIR_ATTEMPTS", 0)
    table = TABLES["crossed"]
    expected = ways(*table)
    assert surprise(dealt(*table, times=40 * len(expected)), expected) > 10


@pytest.mark.parametrize("name", ["no bounds", "the same bounds", "one within the other"])
def test_nested_bounds_need_no_restarts(monkeypatch, name):
    monkeypatch.setattr(hidden_hands, "MAX_ATTEMPTS", 1)
    pool, want, fits = TABLES[name]
    rng = make_generator(1)
    for _ in range(300):
        hands, drawn = [[0] * len(pool) for _ in want], [0] * sum(want)
        assert deal_hidden(rng, list(pool), len(pool), hands, want, fits, len(want), drawn)


@pytest.mark.parametrize(
    ("pool", "want", "fits"), [([1, 1], [2], [[1, 0]]), ([0, 0], [1], [[1, 1]]), ([2, 1], [1, 1], [[0, 1], [0, 1]])]
)
def test_impossible_deals_return_nothing(pool, want, fits):
    left, hands = list(pool), [[0, 0] for _ in want]
    assert not deal_hidden(make_generator(1), left, 2, hands, want, fits, len(want), [0] * sum(want))
    assert left == pool and not any(map(sum, hands))


def test_every_card_is_drawn_with_the_same_probability():
    rng, first = make_generator(2), [0, 0, 0]
    for _ in range(6000):
        pool = [3, 0, 1]
        card = draw_card(rng, pool, 3)
        first[card] += 1
        assert pool == [3 - (card == 0), 0, 1 - (card == 2)]
    assert first[1] == 0 and abs(first[2] - 1500) < 150


# --- machine code -----------------------------------------------------------------------------------------------------

DRIVER = """
from courtly.engine.stdlib.hidden_hands import add_card, deal_hidden, draw_card, note_card, note_hand
from courtly.engine.stdlib.hidden_hands import remove_card, take_certain
ENTRY_POINTS = ("tale",)

def tale(rng, known, seen, hands, pool, want, fits, drawn, out):
    add_card(known, seen, 3, 1, 2, -1)
    add_card(known, seen, 3, 1, 0, 1)
    note_hand(known, 4, 2, 0, hands[0])
    note_card(known, 2, 1, 3)
    remove_card(known, seen, 3, 4, 1, 2, 4)
    out[0] = take_certain(known, seen, 4, 0, 1, hands[1], pool)
    out[1] = take_certain(known, seen, 4, -1, 2, hands[2], pool)
    out[2] = draw_card(rng, pool, 4)
    out[3] = deal_hidden(rng, pool, 4, hands, want, fits, 3, drawn)
"""


def test_machine_code_deals_the_same(tmp_path, monkeypatch):
    import numpy as np

    (tmp_path / "tale_of_cards.py").write_text(DRIVER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("COURTLY_CACHE", str(tmp_path))
    game = find_game("sealed_bids")
    plain, compiled = (
        loader.load_driver(game, form, "tale_of_cards")
        for form in (loader.InterpretedBackend(), loader.CompiledBackend())
    )
    for number in range(200):
        pool, want, fits = list(TABLES.values())[number % len(TABLES)]
        rows = [[[[0] * 4 for _ in range(3)] for _ in range(3)], [[0] * 4 for _ in range(3)]]
        rows += [[[1, 0, 0, 0], [0] * 4, [0] * 4], [n + 1 for n in pool], want, fits, [0] * 9, [0] * 4]
        arrays = [np.array(row, np.int64) for row in [make_generator(number), *rows]]
        lists = [make_generator(number), *rows]
        plain.tale(*lists)
        compiled.tale(*arrays)
        assert [array.tolist() for array in arrays] == lists
    sys.modules.pop("tale_of_cards", None)
