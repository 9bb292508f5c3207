from courtly.testing import GameTests


class TestCardinal(GameTests):
    game = "cardinal"
