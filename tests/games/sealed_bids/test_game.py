from courtly.testing import GameTests


class TestSealedBids(GameTests):
    game = "sealed_bids"
