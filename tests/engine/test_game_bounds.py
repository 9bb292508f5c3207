"""A game that exceeds the bounds of its `game.toml` is detected; see courtly/testing/checks/bounds_search.py."""

import random

import pytest

from courtly.engine.game import BoundsError, Game, find_game
from courtly.engine.match import new_match
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import _load_driver, simulate
from courtly.testing.checks.bounds_search import search_bounds

BIDS = find_game("sealed_bids")


@pytest.fixture
def bounds():
    """The bounds of sealed bids, which a test may change."""
    original = BIDS.bounds
    BIDS.bounds = dict(original)
    _load_driver.cache_clear()  # it contains the bounds in a table
    yield BIDS.bounds
    BIDS.bounds = original
    _load_driver.cache_clear()


@pytest.mark.parametrize("goal", ["decisions", "events"])
def test_the_search_for_long_games_detects_narrow_bounds(bounds, goal):
    bounds[goal] //= 2
    with pytest.raises(BoundsError, match=f"sealed_bids: .*more than {bounds[goal]} {goal}.*game.toml:"):
        search_bounds(BIDS, goal, 1000, random.Random(1))


def test_the_bounds_of_sealed_bids_are_reached():
    reached = {goal: search_bounds(BIDS, goal, 20_000, random.Random(1), [(5, {})]) for goal in BIDS.bounds}
    assert reached == BIDS.bounds


def test_a_decision_with_too_many_moves_is_an_error(bounds):
    match = new_match(BIDS, players=5, seed=1)
    bounds["moves"] = 4
    with pytest.raises(BoundsError, match="more than 4 moves"):
        match.now().legal(0)


@pytest.mark.parametrize("bound", ["decisions", "events"])
def test_simulations_report_a_game_that_does_not_end(bounds, bound):
    bounds[bound] = 15
    with pytest.raises(BoundsError, match="sealed_bids: game 0 of seed 5"):
        simulate(Plan("sealed_bids", 5, 3, 5, {}, None), interpreted=True, cores=1)


@pytest.mark.parametrize(
    "bounds_text",
    [
        "",
        "[bounds]\ndecisions = 9\nevents = 9\n",
        "[bounds]\ndecisions = 9\nevents = 9\nmoves = 0\n",
        "[bounds]\ndecisions = 9\nevents = 9.5\nmoves = 9\n",
        "[bounds]\ndecisions = 9\nevents = 9\nmoves = 9\nrounds = 9\n",
    ],
    ids=["none", "no moves", "no move", "half an event", "rounds"],
)
def test_a_game_without_bounds_is_rejected(tmp_path, monkeypatch, bounds_text):
    (tmp_path / "boundless").mkdir()
    (tmp_path / "boundless" / "game.toml").write_text(f'id = "boundless"\nversion = 1\n{bounds_text}')
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="boundless: .bounds. of game.toml"):
        Game("boundless")
