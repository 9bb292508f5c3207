"""A bot that bids what the honours are worth if the bid is likely to win, and declines to get its dice back."""

from courtly.engine.game import Game
from courtly.engine.rng import Row, draw_below
from courtly.engine.schemas import Move, PositionView
from levee.table import HONOURS


def choose(game: Game, view: PositionView, rng: Row) -> int:
    return max(view["legal"], key=lambda move: (worth(move, view), draw_below(rng, 8)))["id"]


def worth(move: Move, view: PositionView) -> float:
    """Return the expected points: the honour times the chance to win it, less what the dice would win later."""
    s, seat = view["state"], view["seat"]
    spent = s["dice"] - s["count"][seat]
    later: float = min(1.0, (s["rounds"] - s["offered"]) / 3)
    if move["verb"] == "decline":
        return 1.5 * later if spent else 0
    face: int = move["args"]["face"]
    number: int = move["args"]["number"]
    stake = sum(honour + 1 for honour in range(HONOURS) if s["stake"][honour])
    chance = 1.0
    for other in range(s["players"]):
        if other != seat:
            chance *= beats(face * number, s["count"][other], stake)
    again = (3.5 - face) * number / 4  # value of dice that are rolled again
    return chance * (stake - later * number * (0.6 + face / 6)) + (1 - chance) * later * again


def beats(total: int, dice: int, stake: int) -> float:
    """Return the probability that a seat with this many dice bids less: seats with more dice bid more, especially for
    higher stakes."""
    usual = min(dice, 1 + stake / 4) * 2.4
    return min(0.98, total / (total + usual)) if dice else 1.0
