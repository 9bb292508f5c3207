"""What people are told who want help: who is likely to win, and which moves are good, with what is to be said for them.

All of it follows from the view of their seat: the same view gives the same advice everywhere.
"""

from __future__ import annotations

from functools import cache

from courtly.bots.move_explanations import reasons
from courtly.bots.registry import SQUIRE, find_bot, searches
from courtly.bots.search.search import SURE, Pause, Search
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.rng import generator
from courtly.engine.schemas import Advice, Glance

ODDS, THOUGHT, HINTS = 1200, 3000, 2000  # simulations: of the chances, to find good moves, of the chances with each
FEW = 16  # simulations of a search without machine code
BEST = 3  # moves that are told
NUMBER = 1  # where the luck comes from


def advise(game: Game, view: Glance, hints: bool, pause: Pause | None = None) -> Advice:
    """Each seat's chance to win, and if `hints` the best moves for the seat whose view it is. `pause` is called again
    and again meanwhile (`Search.think`)."""
    odds = _search(game, ODDS).chances(view, None, NUMBER, pause)
    wins, margin = [*map(_told, odds.shares)], _margin(*odds.errors)
    advice: Advice = {"wins": wins, "margin": margin, "counted": odds.counted, "hints": []}
    seat = view["seat"]
    if not hints or seat is None or len(view["legal"]) < 2:
        return advice
    best = [line.move for line in _search(game, THOUGHT).think(view, NUMBER, pause).lines[:BEST]]
    named = {move["id"]: move for move in view["legal"]}
    found = {move: _search(game, HINTS).chances(view, move, NUMBER, pause) for move in best}
    said = reasons(game, view, found, NUMBER, pause)
    for move in sorted(best, key=lambda move: -found[move].shares[seat]):
        chances = found[move]
        advice["hints"].append(
            {
                "move": named[move],
                "wins": _told(chances.shares[seat]),
                "margin": _margin(chances.errors[seat]),
                "reasons": said[move],
            }
        )
    return advice


def simple_move(game: Game, view: Glance) -> int:
    """Return the move that the squire would make; in a game without one of its own, that of a search with few
    simulations. Machine code is not needed for it."""
    if searches(game, SQUIRE):
        return Search(game, FEW, loader.Interpreted()).think(view, NUMBER).lines[0].move
    return find_bot(game, SQUIRE)(game, view, generator(NUMBER))


def _told(share: float) -> int:
    return round(1000 * share)


def _margin(*errors: float) -> int:
    return round(1000 * SURE * max(errors))


@cache
def _search(game: Game, count: int) -> Search:
    return Search(game, count)
