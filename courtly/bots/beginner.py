"""The bot that makes mistakes, as a beginner does: it sees what the squire sees, and now and then overlooks something.

Then it does the same kind of thing otherwise, as the squire would if the best and some more could not be done: it buys
another card, or builds elsewhere. What the squire does in any case is not overlooked, so it never does what makes no
sense.
"""

from collections.abc import Callable

from courtly.engine.game import Game
from courtly.engine.rng import Row, draw_below
from courtly.engine.schemas import PositionView


def choose(
    game: Game, view: PositionView, rng: Row, *, squire: Callable[[Game, PositionView, Row], int], slip_interval: int
) -> int:
    """Return the id of a move.

    Args:
        squire: The bot that this one plays like.
        slip_interval: How many decisions there are for each that it slips in, in the mean.
    """
    best = squire(game, view, rng)
    if draw_below(rng, slip_interval):
        return best
    verb = next((move["verb"] for move in view["legal"] if move["id"] == best), None)
    others = [move for move in view["legal"] if move["verb"] == verb and move["id"] != best]
    seen = [move for move in others if draw_below(rng, 2)] or others
    if not seen:
        return best
    try:
        second = squire(game, {**view, "legal": seen}, rng)
    except Exception:  # a squire may take it for granted that it can do what the rules allow
        return best
    return second if any(second == move["id"] for move in seen) else best
