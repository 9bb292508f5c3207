"""Learned weights of a policy: reading the file, strengths, placements."""

import json

import pytest

from courtly.engine.stdlib.value_network import (
    WEIGHT_SCALE,
    InvalidWeightsError,
    compute_placements,
    compute_strength,
    load_weights,
)


def test_a_strength_is_the_sum_of_traits_and_hidden_units():
    weights = [3, -2, *(10, 5, 1, 0), *(-100, 7, 0, 1)]  # of two traits; two hidden units
    traits = [99, 4, 6]
    assert compute_strength(weights, traits, 1, 2) == WEIGHT_SCALE * (3 * 4 - 2 * 6) + 5 * (
        10 + 4
    )  # the second hidden unit is below 0
    traits = [99, 4, 200]
    assert compute_strength(weights, traits, 1, 2) == WEIGHT_SCALE * (3 * 4 - 2 * 200) + 5 * (10 + 4) + 7 * (-100 + 200)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_placements_follow_from_strengths(players):
    strengths = [WEIGHT_SCALE * WEIGHT_SCALE * seat for seat in range(players)]
    output = [0] * 8 + strengths
    compute_placements(output, players, 8)
    assert output[:players] == sorted(output[:players]) and 0 <= output[0] < 500 < output[players - 1] <= 1000
    assert abs(sum(output[:players]) - 500 * players) <= players
    assert output[8:] == strengths
    if players == 2:
        assert output[1] == 731  # odds of e : 1
    output = [0] * 8 + [5 * WEIGHT_SCALE * WEIGHT_SCALE] * players
    compute_placements(output, players, 8)
    assert output[:players] == [500] * players


@pytest.fixture
def weights_file(tmp_path):
    (tmp_path / "game.toml").write_text("version = 2\n")
    return tmp_path / "learned.json"


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]",
        "{}",
        '{"version": 2, "weights": [1, 2, 3]}',
        '{"version": 2, "weights": [1, 2.5]}',
        '{"version": 2, "weights": 1}',
        '{"weights": [1, 2]}',
        '{"version": 1, "weights": [1, 2]}',
    ],
)
def test_inconsistent_or_outdated_weights_are_reported(weights_file, text):
    weights_file.write_text(text)
    with pytest.raises(InvalidWeightsError, match=r"learned\.json"):
        load_weights(weights_file, 2)


def test_weights_are_read(weights_file):
    weights_file.write_text(json.dumps({"version": 2, "weights": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}))
    assert load_weights(weights_file, 2) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_an_odd_number_of_hidden_units(weights_file):
    weights_file.write_text(json.dumps({"version": 2, "weights": [1, 2, 3, 4, 5, 6]}))
    assert (
        compute_strength(load_weights(weights_file, 2), [7, 8], 0, 2)
        == WEIGHT_SCALE * (1 * 7 + 2 * 8) + (3 + 5 * 7 + 6 * 8) * 4
    )
