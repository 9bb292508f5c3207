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
        self.known_to_all = [[0] * KINDS for _ in range(SEATS)]
        self.possible = [{tuple(map(tuple, self.hand))} for _ in range(SEATS + 1)]

    def change_count(self, seat, card, told_mask, change):
        """Change the number of a card in a hand."""
        for audience, worlds in enumerate(self.possible):
            sees_change = told_mask < 0 or audience < SEATS and (told_mask >> audience & 1 or audience == seat)
            worlds_after = set()
            for world in worlds:
                for kind in [card] if sees_change else range(KINDS):
                    hands = [list(hand) for hand in world]
                    hands[seat][kind] += change
                    if hands[seat][kind] >= 0:
                        worlds_after.add(tuple(map(tuple, hands)))
            self.possible[audience] = worlds_after
        self.hand[seat][card] += change

    def add(self, seat, card, told_mask):
        self.change_count(seat, card, told_mask, 1)
        add_card(self.known, self.known_to_all, SEATS, seat, card, told_mask)

    def remove(self, seat, card, told_mask):
        self.change_count(seat, card, told_mask, -1)
        remove_card(self.known, self.known_to_all, SEATS, KINDS, seat, card, told_mask)

    def see_hand(self, seat, other):
        note_hand(self.known, KINDS, seat, other, self.hand[other])
        self.possible[seat] = {world for world in self.possible[seat] if list(world[other]) == self.hand[other]}

    def see_card(self, seat, other, card):
        note_card(self.known, seat, other, card)
        self.possible[seat] = {world for world in self.possible[seat] if world[other][card]}

    def certain_counts(self, audience, other):
        """Return the minimum number of each kind over all worlds that the audience considers possible."""
        return [min(world[other][kind] for world in self.possible[audience]) for kind in range(KINDS)]


def test_certain_knowledge_is_true_in_every_possible_world():
    rng, hidden_moves = random.Random(1), 0
    for _ in range(60):
        hands = Hands()
        for _ in range(12):
            seat, told_mask = rng.randrange(SEATS), rng.choice([EVERYONE, 0, *range(1, 1 << SEATS)])
            held_cards = [card for card in range(KINDS) if hands.hand[seat][card]]
            if rng.random() < 0.15:
                hands.see_hand((seat + 1) % SEATS, seat)
            elif held_cards and rng.random() < 0.15:
                hands.see_card((seat + 1) % SEATS, seat, rng.choice(held_cards))
            elif held_cards and rng.random() < 0.4:
                hands.remove(seat, rng.choice(held_cards), told_mask)
                hidden_moves += told_mask >= 0
            else:
                hands.add(seat, rng.randrange(KINDS), told_mask)
            for audience, other in product(range(SEATS + 1), range(SEATS)):
                if audience != other:
                    known = hands.known_to_all[other] if audience == SEATS else hands.known[audience][other]
                    certain = hands.certain_counts(audience, other)
                    assert all(
                        0 <= known_count <= certain_count
                        for known_count, certain_count in zip(known, certain, strict=True)
                    ), (audience, other)
    assert hidden_moves > 50


def test_certain_knowledge_of_a_hand_that_was_seen():
    hands = Hands()
    for card in (0, 0, 1):
        hands.add(1, card, 0)
    hands.see_hand(0, 1)
    assert hands.known[0][1] == [2, 1, 0] and hands.known[2][1] == hands.known_to_all[1] == [0, 0, 0]
    hands.remove(1, 0, 1 << 2)  # seat 2 is shown the card, seat 0 is not
    assert hands.known[0][1] == [1, 0, 0]
    hands.remove(1, 0, EVERYONE)
    hands.add(1, 2, EVERYONE)
    assert hands.known[0][1] == [0, 0, 1] and hands.known[2][1] == hands.known_to_all[1] == [0, 0, 1]


def test_certain_cards_stay_in_the_hand_and_are_not_drawn():
    known, known_to_all = [[[0, 0, 0], [1, 0, 2]]], [[0, 0, 0], [1, 0, 0]]
    hand, pool = [5, 5, 5], [3, 3, 3]
    assert take_certain(known, known_to_all, KINDS, 0, 1, hand, pool) == 3 and (hand, pool) == ([1, 0, 2], [2, 3, 1])
    assert take_certain(known, known_to_all, KINDS, SPECTATOR, 1, hand, pool) == 1 and (hand, pool) == (
        [1, 0, 0],
        [1, 3, 1],
    )


# --- dealing ----------------------------------------------------------------------------------------------------------

ALL_FIT = [1, 1, 1, 1]
DEALS = {
    "no bounds": ([3, 2, 2, 1], [2, 2, 1], [ALL_FIT, ALL_FIT, ALL_FIT]),
    "the same bounds": ([3, 2, 2, 1], [2, 2, 1], [[1, 0, 1, 0], [1, 0, 1, 0], ALL_FIT]),
    "one within the other": ([2, 2, 3, 1], [1, 2, 2], [[0, 0, 1, 1], [0, 1, 1, 1], ALL_FIT]),
    "crossed": ([3, 3, 1, 1], [2, 2, 1], [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0]]),
    "crossed, and all are dealt": ([2, 2, 1, 1], [2, 2, 2], [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]]),
    "some likelier": ([2, 2, 2, 1], [2, 1, 2], [[3, 1, 1, 0], [1, 1, 2, 1], ALL_FIT]),
}


def weighted_deals(pool, hand_sizes, fits):
    """Return every possible deal with its weight: the number of ways if all cards were distinct."""
    weights = {}
    rows = [list(product(*(range(count + 1) for count in pool))) for _ in hand_sizes]
    for hands in product(
        *([row for row in rows[player] if sum(row) == hand_sizes[player]] for player in range(len(hand_sizes)))
    ):
        remaining, weight = list(pool), 1
        for hand, hand_fits in zip(hands, fits, strict=True):
            for kind, count in enumerate(hand):
                weight *= comb(remaining[kind], count) * hand_fits[kind] ** count if count <= remaining[kind] else 0
                remaining[kind] -= count
        if weight:
            weights[hands] = weight
    return weights


def sampled_deals(pool, hand_sizes, fits, times, seed=5):
    rng, counts = make_generator(seed), {}
    for _ in range(times):
        hands, remaining, draw_order = [[0] * len(pool) for _ in hand_sizes], list(pool), [0] * sum(hand_sizes)
        assert deal_hidden(rng, remaining, len(pool), hands, hand_sizes, fits, len(hand_sizes), draw_order)
        assert [sum(column) for column in zip(*hands, strict=True)] == [
            before - after for before, after in zip(pool, remaining, strict=True)
        ]
        deal = tuple(map(tuple, hands))
        counts[deal] = counts.get(deal, 0) + 1
    return counts


def chi_square_deviation(counts, expected):
    """Return chi-square, in standard deviations from its expectation."""
    sample_size, total_weight = sum(counts.values()), sum(expected.values())
    assert counts.keys() <= expected.keys()
    chi_square = sum(
        (counts.get(deal, 0) - sample_size * weight / total_weight) ** 2 / (sample_size * weight / total_weight)
        for deal, weight in expected.items()
    )
    return (chi_square - len(expected) + 1) / (2 * (len(expected) - 1)) ** 0.5


@pytest.mark.parametrize("table", DEALS.values(), ids=DEALS)
def test_every_deal_has_the_right_probability(table):
    expected = weighted_deals(*table)
    assert chi_square_deviation(sampled_deals(*table, times=40 * len(expected)), expected) < 4


def test_without_restarts_the_probabilities_would_be_wrong(monkeypatch):
    monkeypatch.setattr(hidden_hands, "MAX_FAIR_ATTEMPTS", 0)
    table = DEALS["crossed"]
    expected = weighted_deals(*table)
    assert chi_square_deviation(sampled_deals(*table, times=40 * len(expected)), expected) > 10


@pytest.mark.parametrize("name", ["no bounds", "the same bounds", "one within the other"])
def test_nested_bounds_need_no_restarts(monkeypatch, name):
    monkeypatch.setattr(hidden_hands, "MAX_ATTEMPTS", 1)
    pool, hand_sizes, fits = DEALS[name]
    rng = make_generator(1)
    for _ in range(300):
        hands, draw_order = [[0] * len(pool) for _ in hand_sizes], [0] * sum(hand_sizes)
        assert deal_hidden(rng, list(pool), len(pool), hands, hand_sizes, fits, len(hand_sizes), draw_order)


@pytest.mark.parametrize(
    ("pool", "hand_sizes", "fits"),
    [([1, 1], [2], [[1, 0]]), ([0, 0], [1], [[1, 1]]), ([2, 1], [1, 1], [[0, 1], [0, 1]])],
)
def test_impossible_deals_return_nothing(pool, hand_sizes, fits):
    remaining, hands = list(pool), [[0, 0] for _ in hand_sizes]
    assert not deal_hidden(
        make_generator(1), remaining, 2, hands, hand_sizes, fits, len(hand_sizes), [0] * sum(hand_sizes)
    )
    assert remaining == pool and not any(map(sum, hands))


def test_every_card_is_drawn_with_the_same_probability():
    rng, draw_counts = make_generator(2), [0, 0, 0]
    for _ in range(6000):
        pool = [3, 0, 1]
        card = draw_card(rng, pool, 3)
        draw_counts[card] += 1
        assert pool == [3 - (card == 0), 0, 1 - (card == 2)]
    assert draw_counts[1] == 0 and abs(draw_counts[2] - 1500) < 150


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
    interpreted, compiled = (
        loader.load_driver(game, backend, "tale_of_cards")
        for backend in (loader.InterpretedBackend(), loader.CompiledBackend())
    )
    for number in range(200):
        pool, hand_sizes, fits = list(DEALS.values())[number % len(DEALS)]
        rows = [[[[0] * 4 for _ in range(3)] for _ in range(3)], [[0] * 4 for _ in range(3)]]
        rows += [[[1, 0, 0, 0], [0] * 4, [0] * 4], [n + 1 for n in pool], hand_sizes, fits, [0] * 9, [0] * 4]
        arrays = [np.array(row, np.int64) for row in [make_generator(number), *rows]]
        lists = [make_generator(number), *rows]
        interpreted.tale(*lists)
        compiled.tale(*arrays)
        assert [array.tolist() for array in arrays] == lists
    sys.modules.pop("tale_of_cards", None)
