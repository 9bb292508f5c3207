"""The policy's weights in a sale and for the cards on offer."""

import random

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.games.necklace.cards import COUNT, GEM_KINDS, SALES, Gem
from courtly.games.necklace.facts_sale import stones_of
from courtly.games.necklace.policy import CARDS, count, of_gem
from courtly.games.necklace.table import MOVES, VERB, Phase, X, Y
from courtly.testing.checks.policy_checks import PolicyProbe
from courtly.testing.checks.properties import random_positions

GAME = find_game("necklace")
PROBE = PolicyProbe(GAME, loader.InterpretedBackend())


def weights_in_phase(phase, games=6):
    """Yield the policy's output in this phase of a few random games: the state, and the weight of each move."""
    for number in range(games):
        for position in random_positions(GAME, 2 + number % 3, random.Random(number)):
            if position.state.phase == phase and not position.chance:
                moves, weights, _ = PROBE.priors(position.state, position.pending[0], random.Random(1))
                yield position.state, dict(zip(moves, weights, strict=True))


def test_stones_and_cards_are_counted_in_one_number():
    rng = random.Random(1)
    hands = [COUNT] + [[rng.randint(0, n) for n in COUNT] for _ in range(50)]
    for hand in hands:
        packed_count = count(hand)
        for gem in range(len(Gem)):
            assert of_gem(packed_count, gem) == stones_of(hand, gem)
        assert packed_count >> CARDS == sum(hand[:GEM_KINDS])


def test_no_card_is_laid_twice_and_no_gem_is_kept_in_the_last_sale():
    last_sales = 0
    for state, weights in weights_in_phase(Phase.SHOW):
        assert weights.get(MOVES.clear, 0) == 0
        gem_weights = [weight for move, weight in weights.items() if VERB[move] == MOVES.lay and X[move] < GEM_KINDS]
        if gem_weights and state.sales == SALES - 1:
            assert min(gem_weights) > 10 * weights[MOVES.commit]
            last_sales += 1
    assert last_sales


def test_a_cheaper_card_has_a_higher_weight():
    compared = 0
    for state, weights in weights_in_phase(Phase.PURCHASE):
        slots = {}
        for move, weight in weights.items():
            if VERB[move] == MOVES.buy:
                slots.setdefault(Y[move], []).append((state.rung[X[move]], weight))
        for offers in slots.values():
            for cheaper, dearer in zip(offers, offers[1:], strict=False):
                if cheaper[0] != dearer[0]:
                    assert (cheaper[0] > dearer[0]) == (cheaper[1] > dearer[1])
                    compared += 1
    assert compared
