"""What a policy has learned: weights from a file, strengths, placements."""

import json

import pytest

from courtly.engine.learned import FINE, Unlearned, learned, placements, strength


def test_a_strength_is_what_traits_and_hidden_numbers_count():
    weights = [3, -2, *(10, 5, 1, 0), *(-100, 7, 0, 1)]  # of two traits; two hidden numbers
    noticed = [99, 4, 6]
    assert strength(weights, noticed, 1, 2) == FINE * (3 * 4 - 2 * 6) + 5 * (10 + 4)  # the second is below 0
    noticed = [99, 4, 200]
    assert strength(weights, noticed, 1, 2) == FINE * (3 * 4 - 2 * 200) + 5 * (10 + 4) + 7 * (-100 + 200)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_placements_are_shared_out_by_strength(players):
    strengths = [FINE * FINE * seat for seat in range(players)]
    out = [0] * 8 + strengths
    placements(out, players, 8)
    assert out[:players] == sorted(out[:players]) and 0 <= out[0] < 500 < out[players - 1] <= 1000
    assert abs(sum(out[:players]) - 500 * players) <= players
    assert out[8:] == strengths
    if players == 2:
        assert out[1] == 731  # odds of e to 1
    out = [0] * 8 + [5 * FINE * FINE] * players
    placements(out, players, 8)
    assert out[:players] == [500] * players


@pytest.mark.parametrize(
    "text", ["{", "[1]", "{}", '{"weights": [1, 2, 3]}', '{"weights": [1, 2.5]}', '{"weights": 1}']
)
def test_weights_that_do_not_hold_together_are_named(tmp_path, text):
    file = tmp_path / "learned.json"
    file.write_text(text)
    with pytest.raises(Unlearned, match=r"learned\.json"):
        learned(file, 2)


def test_weights_are_read(tmp_path):
    file = tmp_path / "learned.json"
    file.write_text(json.dumps({"weights": [1, 2, 3, 4, 5, 6]}))
    assert learned(file, 2) == (1, 2, 3, 4, 5, 6)
