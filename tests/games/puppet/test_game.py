from courtly.testing import GameTests


class TestPuppet(GameTests):
    game = "puppet"
