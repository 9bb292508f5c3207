"""What `courtly check` has pytest collect."""

from courtly.testing import GameTests, check


class TestAsked(GameTests):
    game = check.GAME
