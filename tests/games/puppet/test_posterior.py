"""Sampling of hidden information has the right support and frequencies, compared with every whole game that is
consistent with what the seat has seen.

The draft, the event pile and an owner's choices are modelled independently in the simplest form: a pile is a list, a
hand is a set. Other players are assumed to choose uniformly at random.
"""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.rng import make_generator
from courtly.games.puppet.estate import can_pay, owes
from courtly.games.puppet.table import HOUSES, KINDS, Phase, Place, Plan

GAME = find_game("puppet")


def check_distribution(expected, counts):
    """Check that only possible outcomes occur, with the right frequencies: chi-square is far below its one-in-a-million
    quantile.
    """
    assert counts.keys() <= expected.keys(), f"impossible: {list(counts.keys() - expected.keys())[:2]}"
    total, all_worlds = sum(expected.values()), sum(counts.values())
    chi_square = 0.0
    for world, weight in expected.items():
        expected_count = all_worlds * float(weight) / float(total)
        chi_square += (counts[world] - expected_count) ** 2 / expected_count
    degrees_of_freedom = len(expected) - 1
    assert chi_square < degrees_of_freedom + 5 * (2 * degrees_of_freedom) ** 0.5 + 12, (
        f"{len(expected)} worlds: chi-square {chi_square:.0f}, not {degrees_of_freedom}"
    )


def sampled_worlds(state, seat, observe, worlds=1000):
    counts = Counter()
    for number in range(worlds):
        world = state.copy()
        GAME.rules.determinize(world, seat, make_generator(number))
        counts[observe(world)] += 1
    return counts


def cards(row):
    return frozenset(c for c in range(KINDS) if row[c])


# --- the draft --------------------------------------------------------------------------------------------------------


def hidden_servants(s, seat):
    """Return the places of the servants that this seat does not see."""
    return tuple(
        (cards(s.hand[n]), cards(s.down[n]), cards(s.passed[n]), cards(s.received[n]), s.centre[n])
        for n in range(s.players)
        if n != seat
    )


def drafts(s, seat):
    """Return every equally likely draft that is consistent with what this seat sees: the unseen servants, dealt and
    chosen in every way.
    """
    own_cards = cards(s.passed[seat]) | {first_of(s, seat)} if s.picked[seat] else cards(s.hand[seat])
    others = [n for n in range(s.players) if n != seat]
    unseen_servants = [c for c in range(KINDS if s.princess else KINDS - 1) if c not in own_cards]
    for hands in deals(unseen_servants, len(others)):
        dealt_hands = dict(zip(others, hands, strict=True)) | {seat: own_cards}
        first_choices = [
            sorted(dealt_hands[n])
            if n != seat and s.picked[n]
            else [first_of(s, n) if n == seat and s.picked[n] else None]
            for n in range(s.players)
        ]
        for first in product(*first_choices):
            passed = [dealt_hands[n] - {first[n]} if first[n] is not None else None for n in range(s.players)]
            received = [
                passed[n - 1] if s.picked[n] and s.picked[(n - 1) % s.players] else None for n in range(s.players)
            ]
            if (received[seat] or frozenset()) != cards(s.received[seat]):
                continue
            second_choices = [sorted(received[n]) if s.picked[n] == 2 else [None] for n in range(s.players)]
            for second in product(*second_choices):
                if s.picked[seat] == 2 and next(iter(received[seat] - {second[seat]})) + 1 != s.centre[seat]:
                    continue
                kept_servants = [frozenset(c for c in (first[n], second[n]) if c is not None) for n in range(s.players)]
                shown_servants = [frozenset(c - 1 for c in s.up[n] if c) for n in range(s.players)]
                if all(shown_servants[n] <= kept_servants[n] for n in others):
                    yield tuple(
                        (
                            hand_after_choices(dealt_hands[n], first[n], received[n], second[n]),
                            kept_servants[n] - shown_servants[n],
                            passed[n] or frozenset(),
                            received[n] or frozenset(),
                            next(iter(received[n] - {second[n]})) + 1 if second[n] is not None else 0,
                        )
                        for n in others
                    )


def hand_after_choices(dealt_hand, first, received, second):
    """Return the hand of a seat after its choices so far."""
    if first is None:
        return dealt_hand
    return received if received and second is None else frozenset()


def first_of(s, seat):
    """Return the servant that a seat chose first: it has or has revealed it, and did not receive it."""
    return next(iter((cards(s.down[seat]) | {c - 1 for c in s.up[seat] if c}) - cards(s.received[seat])))


def deals(servants, hands):
    """Yield all deals of three cards each."""
    for first_hand in combinations(servants, 3):
        if hands == 1:
            yield [frozenset(first_hand)]
        else:
            yield from (
                [frozenset(first_hand), frozenset(second_hand)]
                for second_hand in combinations([c for c in servants if c not in first_hand], 3)
            )


@pytest.mark.parametrize(("players", "princess"), [(2, 1), (2, 0), (3, 1), (3, 0)])
def test_sampled_servants_have_the_right_distribution(players, princess):
    rng = random.Random(10 * players + princess)
    checked_moments = Counter()
    for seed in range(2):
        match = new_match(GAME, players=players, seed=100 * players + seed, options={"princess": princess})
        while match.state.round == 1 and match.state.phase not in (Phase.TAXING, Phase.COLLECTING) and not match.over:
            s = match.state
            moment = tuple(s.picked), sum(1 for row in s.up for c in row if c)
            if not checked_moments[moment]:
                checked_moments[moment] += 1
                seat = rng.randrange(players)
                check_distribution(
                    Counter(drafts(s, seat)),
                    sampled_worlds(s, seat, lambda world, seat=seat: hidden_servants(world, seat)),
                )
            mover = rng.choice(match.pending)
            match.play(mover, rng.choice(match.legal(mover)))
    assert len(checked_moments) > 3 * players


# --- the event pile ---------------------------------------------------------------------------------------------------


class Pile:
    """All equally likely orders of the pile for an observer of the public events, as lists with the top first."""

    def __init__(self):
        self.open = []
        self.orders = list(permutations(GAME.moves.args["event"]["event"]))

    def record(self, verb, args):
        if verb == "peek" and args:
            self.orders = [order for order in self.orders if order[0] == args["event"]]
        elif verb == "put" and args["where"] == "bottom":
            self.orders = [order[1:] + order[:1] for order in self.orders]
        elif verb == "event":
            self.open.append(args["event"])
            self.orders = [order[1:] for order in self.orders if order[0] == args["event"]]
            if len(self.open) == 3:  # the two older events go back, and the pile is shuffled
                self.orders = list(permutations([*self.open[:2], *self.orders[0]]))
                del self.open[:2]


def as_far_as_seen(order, state):
    """Return the order of the pile, with None at places that no player has looked at."""
    return tuple(event if any(row[i] for row in state.looked) else None for i, event in enumerate(order))


@pytest.mark.parametrize("players", [2, 3])
def test_the_sampled_event_pile_has_the_right_distribution(players):
    rng = random.Random(players)
    events = GAME.moves.args["event"]["event"]
    checked = 0
    for seed in range(12):
        match, seat = new_match(GAME, players=players, seed=seed), rng.randrange(-1, players)
        audience, seq, pile = None if seat == NOBODY else seat, 0, Pile()
        while match.state.round < 8 and not match.over:
            for cue in match.view(audience, seq)["cues"]:
                pile.record(cue["verb"], cue["args"])
            seq = match.seq(audience)
            s = match.state
            if any(map(any, s.looked)) and rng.random() < 0.05:
                depth = len(pile.orders[0])
                check_distribution(
                    Counter(as_far_as_seen(order, s) for order in pile.orders),
                    sampled_worlds(
                        s,
                        seat,
                        lambda world, depth=depth: as_far_as_seen([events[e - 1] for e in world.order[:depth]], world),
                        300,
                    ),
                )
                checked += 1
            mover = rng.choice(match.pending)
            look_moves = [move for move in match.legal(mover) if move.verb == "look"]
            match.play(mover, look_moves[0] if look_moves else rng.choice(match.legal(mover)))
    assert checked > 10


# --- taxes ------------------------------------------------------------------------------------------------------------


def tax_plans(s, seat):
    """Return the decisions that an owner may have made about the next payers of undecided taxes, with their
    probabilities.
    """
    due_buildings = [b for b in range(HOUSES) if owes(s, seat, b) and not s.plan[seat][b]]
    if not due_buildings:
        return Counter({tuple(s.plan[seat]): Fraction(1)})
    next_decisions = [
        (b, decision)
        for b in due_buildings
        for decision in (Plan.PAY, Plan.FORGO)
        if decision == Plan.FORGO or can_pay(s, seat, b)
    ]
    probabilities = Counter()
    for b, decision in next_decisions:
        state_after = s.copy()
        state_after.plan[seat][b] = decision
        for plan, weight in tax_plans(state_after, seat).items():
            probabilities[plan] += weight / len(next_decisions)
    return probabilities


@pytest.mark.parametrize(
    ("houses", "goods"), [((0, 7, 6), (2, 1, 0)), ((0, 1, 3, 4), (3, 0, 1)), ((5, 8), (9, 9, 9)), ((11,), (0, 0, 0))]
)
def test_sampled_tax_plans_have_the_right_distribution(houses, goods):
    s = GAME.State(players=2)
    GAME.rules.setup(s)
    s.parent, s.phase, s.pending = 0, Phase.TAXING, 1
    s.goods[1][:3] = goods
    for b in houses:
        s.place[b] = Place.OWNED + 1
    expected = tax_plans(s, 1)
    for b in houses:
        s.plan[1][b] = Plan.FORGO
    check_distribution(expected, sampled_worlds(s, 0, lambda world: tuple(world.plan[1])))
