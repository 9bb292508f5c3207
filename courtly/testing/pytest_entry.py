"""What `courtly check` has pytest collect."""

from courtly.testing import GameTests, runner


class TestAsked(GameTests):
    game = runner.GAME
