"""The player that sits in when nobody else does: one way of thinking for each set of rules."""

from courtly.engine.chance import Row
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.engine.shapes import Glance
from courtly.games.newtown.bot_original import OriginalTurn
from courtly.games.newtown.bot_turn import Turn
from courtly.games.newtown.table import Ruleset


def choose(game: Game, view: Glance, _rng: Row) -> int:
    """The id of a legal move."""
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if len(legal) == 1:
        return legal[0]
    state = Position.from_view(game, view).state
    return (Turn if state.ruleset == Ruleset.SIMPLE else OriginalTurn)(game, state, seat, legal).choose()
