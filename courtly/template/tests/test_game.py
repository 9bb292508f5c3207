from courtly.testing import GameTests


class TestGame(GameTests):
    game = "favours"
