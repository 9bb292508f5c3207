from courtly.testing import GameTests


class TestGame(GameTests):
    game = "tiny_court"
