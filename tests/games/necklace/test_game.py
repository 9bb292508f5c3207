from courtly.testing import GameTests


class TestNecklace(GameTests):
    game = "necklace"
