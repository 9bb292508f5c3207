"""The bot that follows a game's `policy.py`, and looks no further: a driver (courtly.engine.native)."""

from functools import cache
from typing import Any

from courtly.engine import native
from courtly.engine.chance import Row, below
from courtly.engine.contract import legal, priors
from courtly.engine.game import NOTES, Game
from courtly.engine.shapes import Glance

TOP = ("weigh",)


def weigh(s, seat, moves, out):
    """The legal moves and how much the policy prefers each; returns how many, 0 if it has nothing to say."""
    n = legal(s, seat, moves)
    return n if priors(s, seat, moves, n, out) > 0 else 0


@cache
def _driver(game: Game) -> Any:
    return native.load(game, native.Interpreted(), __name__)


def choose(game: Game, view: Glance, rng: Row) -> int:
    """The move that it prefers most; where it has nothing to say, any."""
    moves, weights = [0] * game.room, [0] * (game.room + NOTES)
    n = _driver(game).weigh(game.State.from_view(view["state"]), view["seat"], moves, weights)
    return moves[weights.index(max(weights[:n]))] if n else view["legal"][below(rng, len(view["legal"]))]["id"]
