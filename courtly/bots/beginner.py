"""The bot that plays like a beginner: like the squire, but it sometimes overlooks moves.

When it does, it makes the move that the squire would make if its best move and about half of the others with the same
verb were not legal: it buys another card, or builds elsewhere. The verb stays the same, so it never makes a senseless
move.
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
        game: The game.
        view: The view of its seat.
        rng: A generator.
        squire: The bot that it imitates.
        slip_interval: The mean number of decisions between two in which it overlooks moves.
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
    except Exception:  # a squire may rely on having all legal moves
        return best
    return second if any(second == move["id"] for move in seen) else best
