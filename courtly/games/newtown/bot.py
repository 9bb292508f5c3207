"""The squire of The King's New Town: one evaluation for each set of rules."""

from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.engine.rng import Row, draw_below
from courtly.engine.schemas import PositionView
from courtly.games.newtown.bot_original import OriginalTurn
from courtly.games.newtown.bot_turn import Turn
from courtly.games.newtown.table import Phase, Ruleset


def choose(game: Game, view: PositionView, rng: Row) -> int:
    """Return the id of a legal move."""
    seat, legal = view["seat"], [move["id"] for move in view["legal"]]
    assert seat is not None
    if len(legal) == 1:
        return legal[0]
    state = Position.from_view(game, view).state
    if state.phase in (Phase.PICKING, Phase.SETTLING):
        return legal[draw_below(rng, len(legal))]  # before any tile lies, all lands are equivalent
    return (Turn if state.ruleset == Ruleset.SIMPLE else OriginalTurn)(game, state, seat, legal).choose()
