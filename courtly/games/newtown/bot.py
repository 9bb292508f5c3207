"""The player that sits in when nobody else does: one way of thinking for each set of rules."""

from courtly.engine.chance import Row
from courtly.engine.game import Game
from courtly.engine.shapes import Glance
from courtly.games.newtown import rules as r
from courtly.games.newtown.bot_original import OriginalTurn
from courtly.games.newtown.bot_turn import Turn


def choose(game: Game, view: Glance, _rng: Row) -> int:
    """The id of a legal move."""
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if len(legal) == 1:
        return legal[0]
    state = r.State.from_view(view["state"])
    return (Turn if state.ruleset == r.SIMPLE else OriginalTurn)(game, state, seat, legal).choose()
