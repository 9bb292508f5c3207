"""Decisions that all seats make at the same time, unseen, such as which cards they show at a sale.

A seat that has decided is imagined by `determinize` of the game's rules with a decision that is possible, however bad.
So chances are counted as if the others still had to decide, by the policy: no seat learns before the end of the phase
whether they have.
"""

from courtly.bots.search.search import Pause, Search, WinChances
from courtly.engine.game import Game
from courtly.engine.schemas import PositionView


def find_chances(
    search: Search, view: PositionView, move: int | None, number: int, pause: Pause | None = None
) -> WinChances:
    """Return each seat's chance to win, as far as the seat of this view can know it. The arguments are those of
    `Search.tally`."""
    return search.chances(reopen_choices(search.game, view), move, number, pause)


def reopen_choices(game: Game, view: PositionView) -> PositionView:
    """Return the view with the secret decisions of the other seats open again; the same view outside of
    `Game.secret_phases`."""
    state, seat = view["state"], view["seat"]
    if seat is None or state.get("phase") not in game.secret_phases:
        return view
    others = (1 << state["players"]) - 1 & ~(1 << seat)
    return {**view, "state": {**state, "pending": state["pending"] | others}}
