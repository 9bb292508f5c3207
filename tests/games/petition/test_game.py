from courtly.testing import GameTests


class TestPetition(GameTests):
    game = "petition"
