"""A bot that bids what the honour may be worth to its courtier."""

from courtly.engine.game import Game
from courtly.engine.rng import Row
from courtly.engine.schemas import PositionView


def choose(game: Game, view: PositionView, rng: Row) -> int:
    s, seat = view["state"], view["seat"]
    courtier, crown = s["courtier"][seat], s["honour"] == 1
    coins = (0, 0, 2 if crown else 0, 1 if crown else 0)[courtier]
    return game.moves.encode("bid", coins=coins)
