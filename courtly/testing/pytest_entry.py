"""What `courtly check` has pytest collect."""

from courtly.testing import GameTests, runner


class TestCheckedGame(GameTests):
    game = runner.GAME
