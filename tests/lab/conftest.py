"""What tests of the laboratory share."""

import pytest

from courtly.engine.game import Game, _load_games, register


@pytest.fixture(scope="module")
def known_worth():
    """A game of which everything is known is there, and nobody else's tests find it."""
    register(Game("known_worth"))
    yield
    del _load_games()["known_worth"]
