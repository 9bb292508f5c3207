"""The calibration of chances: the displayed chances, and that they come true."""

import pytest

from courtly.bots.search.probability_calibration import InvalidCalibrationError, calibrate, calibrate_all, load_trust
from courtly.bots.search.search import Search
from courtly.engine.game import find_game, game_ids
from courtly.lab.statistics.calibration import brier_score, calibration_error, forecast_game, to_predictions


@pytest.mark.parametrize("trust", [0.4, 1, 1.7])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_calibration_keeps_order_and_certainty(players, trust):
    chances = [calibrate(i / 100, players, trust) for i in range(101)]
    assert chances == sorted(chances) and len({*chances}) == 101
    assert (chances[0], chances[-1]) == (0, 1) and calibrate(-1e-9, players, trust) == 0
    assert calibrate(1 / players, players, trust) == pytest.approx(1 / players)
    if trust < 1:
        assert (
            1 / players < calibrate(0.99, players, trust) < 0.99
            and 1 / players > calibrate(0.01, players, trust) > 0.01
        )
    if trust == 1:
        assert chances == pytest.approx([i / 100 for i in range(101)])


def test_chances_add_up_to_one():
    for seat in range(3):
        chances = calibrate_all([0.7, 0.2, 0.1], seat, 0.5)
        assert sum(chances) == pytest.approx(1) and chances[0] > chances[1] > chances[2]
        assert chances[seat] == calibrate([0.7, 0.2, 0.1][seat], 3, 0.5)
    assert calibrate_all([1.0, 0.0], 1, 0.5) == [1, 0]


def test_a_game_without_a_calibration_is_not_changed():
    assert load_trust(find_game("sealed_bids"), 3) == 1


@pytest.mark.parametrize(
    "text", ["{", "[1]", "{}", '{"trust": [1]}', '{"trust": {"2": "much"}}', '{"trust": {"2": 0}}']
)
def test_an_inconsistent_file_is_reported(tmp_path, text):
    (tmp_path / "chances.json").write_text(text)

    class Damaged:
        folder = tmp_path

    with pytest.raises(InvalidCalibrationError, match=r"chances\.json"):
        load_trust(Damaged(), 2)


def test_chances_of_to_court_the_king_come_true():
    game = find_game("petition")
    search = Search(game, 400)
    forecasts = [
        forecast for number in range(150) for forecast in forecast_game(search, 2, "search:200", 10, 7, number)
    ]
    uncalibrated, calibrated = to_predictions(forecasts, 1), to_predictions(forecasts, load_trust(game, 2))
    assert brier_score(calibrated) < brier_score(uncalibrated) and calibration_error(calibrated) < min(
        calibration_error(uncalibrated), 0.05
    )
    assert all(-1e-9 <= share <= 1 + 1e-9 for _, shares, _ in forecasts for share in shares)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players"),
    [
        (name, players)
        for name in sorted(game_ids())
        for players in (find_game(name).players[0], find_game(name).players[-1])
    ],
)
def test_chances_of_any_game_come_true(name, players):
    """For games without a calibration: Brier's score is far better than that of a uniform forecast."""
    game = find_game(name)
    search, bots = Search(game, 400), ("squire", "search:200")
    forecasts = [
        prediction
        for number in range(100)
        for prediction in forecast_game(search, players, bots[number % 2], 10, 7, number)
    ]
    predictions = to_predictions(forecasts, load_trust(game, players))
    uniform_score = brier_score(prediction._replace(chance=1 / players) for prediction in predictions)
    assert calibration_error(predictions) < 0.05 and brier_score(predictions) < 0.9 * uniform_score
