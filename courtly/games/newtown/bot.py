"""The player that sits in when nobody else does: one way of thinking for each set of rules."""
from typing import Any

from courtly.engine.game import Game
from courtly.games.newtown import rules as r
from courtly.games.newtown.bot_original import OriginalTurn
from courtly.games.newtown.bot_turn import Turn


def choose(game: Game, view: dict[str, Any], _rng: Any) -> int:
    """The id of a legal move."""
    legal: list[int] = [move["id"] for move in view["legal"]]
    if len(legal) == 1:
        return legal[0]
    state = r.State.from_view(view["state"])
    return (Turn if state.ruleset == r.SIMPLE else OriginalTurn)(game, state, view["seat"], legal).choose()
