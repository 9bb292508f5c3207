"""What a game's `policy.py` says of a position, and the bot that follows it and looks no further: a driver
(courtly.engine.native)."""

from functools import cache
from typing import Any

from courtly.engine import native
from courtly.engine.chance import Row, below
from courtly.engine.contract import legal, priors, value
from courtly.engine.game import NOTES, Game
from courtly.engine.shapes import Glance

TOP = ("weigh", "appraise")


def weigh(s, seat, moves, out):
    """The legal moves, how much the policy prefers each, and behind these their sum, 0 if it has nothing to say.
    Returns how many moves there are."""
    n = legal(s, seat, moves)
    out[n] = priors(s, seat, moves, n, out)
    return n


def appraise(s, out):
    return value(s, out)


@cache
def _driver(game: Game) -> Any:
    return native.load(game, native.Interpreted(), __name__)


def choose(game: Game, view: Glance, rng: Row) -> int:
    """The move that it prefers most; where it has nothing to say, any."""
    moves, weights = [0] * game.room, [0] * (game.room + NOTES)
    n = _driver(game).weigh(game.State.from_view(view["state"]), view["seat"], moves, weights)
    return moves[weights.index(max(weights[:n]))] if weights[n] else view["legal"][below(rng, n)]["id"]
