from courtly.testing import GameTests


class TestNewtown(GameTests):
    game = "newtown"
