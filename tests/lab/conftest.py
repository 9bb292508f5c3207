"""Fixtures of the laboratory's tests."""

import pytest

from courtly.engine.game import Game, _load_games, register


@pytest.fixture(scope="module")
def known_values():
    """Register the game with known answers, only for these tests."""
    register(Game("known_values"))
    yield
    del _load_games()["known_values"]
