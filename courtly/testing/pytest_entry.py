"""The test module that `courtly check` collects."""

from courtly.testing import GameTests, runner


class TestCheckedGame(GameTests):
    """The standard test suite for the game that `courtly check` names."""

    game = runner.GAME
