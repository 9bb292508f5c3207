"""The bot that makes mistakes, as a beginner does: it sees what the squire sees, and now and then overlooks the best.

Then it does the same kind of thing otherwise, as the squire would if what was best could not be done: it buys another
card, or builds elsewhere. What the squire holds to be without alternative is not overlooked, so it never does what
makes no sense.
"""

from courtly.bots import SQUIRE, find_bot
from courtly.engine.chance import Row, below
from courtly.engine.game import Game
from courtly.engine.shapes import Glance

OVERLOOKS = 3  # once in so many decisions


def choose(game: Game, view: Glance, rng: Row) -> int:
    squire = find_bot(game, SQUIRE)
    best = squire(game, view, rng)
    verb = next((move["verb"] for move in view["legal"] if move["id"] == best), None)
    others = [move for move in view["legal"] if move["verb"] == verb and move["id"] != best]
    if not others or below(rng, OVERLOOKS):
        return best
    second = squire(game, {**view, "legal": others}, rng)
    return second if any(second == move["id"] for move in others) else best
