"""The checks of policies detect faulty policies."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.testing.checks.policy_checks import PolicyProbe, check_policy_uses_view_only
from courtly.testing.checks.properties import random_positions
from courtly.testing.failure_location import PropertyFailedError

BIDS = find_game("sealed_bids")


def without_weights(s, seat, moves, n, out):
    return 0


def correct(s, seat, moves, n, out):
    for i in range(n):
        out[i] = 1 + s.hand[seat][i % 7]
    return sum(out[:n])


def reading_another_hand(s, seat, moves, n, out):
    other = (seat + 1) % s.players
    for i in range(n):
        out[i] = 1 + max(s.hand[other][i % 7], 0)
    return sum(out[:n])


def reading_the_deck(s, seat, moves, n, out):
    for i in range(n):
        out[i] = 1 + (s.deck[i % 7] > 1)
    return sum(out[:n])


def with_a_wrong_sum(s, seat, moves, n, out):
    return correct(s, seat, moves, n, out) + 1


def with_a_negative_weight(s, seat, moves, n, out):
    out[0] = -1
    for i in range(1, n):
        out[i] = 2
    return sum(out[:n])


def keeping_state(s, seat, moves, n, out):
    out[n] += 1
    for i in range(n):
        out[i] = 1 + out[n] % 5
    return sum(out[:n])


def changing_the_state(s, seat, moves, n, out):
    s.score[seat] += 1
    return correct(s, seat, moves, n, out)


def above_the_maximum(s, out):
    for seat in range(s.players):
        out[seat] = 1001
    return 1


def with_a_wrong_count(s, out):
    for seat in range(s.players):
        out[seat] = 500
    return 2


def has_output(**functions):
    """Return whether the policy gave any output in two games."""
    probe, r, any_output = PolicyProbe(BIDS, loader.InterpretedBackend()), random.Random(1), False
    for function in (probe.driver.weigh, probe.driver.appraise):
        function.__globals__.update(functions)
    for players in (2, 5):
        for play in random_positions(BIDS, players, r):
            if not play.chance:
                any_output |= check_policy_uses_view_only(probe, play, r.choice(play.pending), r)
    return any_output


def test_a_good_policy_passes_and_one_without_output_too():
    assert has_output(priors=correct)
    assert not has_output(priors=without_weights)


@pytest.mark.parametrize(
    "priors",
    [
        reading_another_hand,
        reading_the_deck,
        with_a_wrong_sum,
        with_a_negative_weight,
        keeping_state,
        changing_the_state,
    ],
    ids=lambda f: f.__name__,
)
def test_faulty_priors_are_detected(priors):
    with pytest.raises(PropertyFailedError):
        has_output(priors=priors)


@pytest.mark.parametrize("value", [above_the_maximum, with_a_wrong_count], ids=lambda f: f.__name__)
def test_faulty_values_are_detected(value):
    with pytest.raises(PropertyFailedError):
        has_output(value=value)
