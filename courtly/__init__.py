"""Five games of the royal court at one table.

import random
import courtly
match, chooser = courtly.game("necklace").match(players=2, seed=7), random.Random(7)
while not match.over:
    seat = match.pending[0]
    match.play(seat, chooser.choice(match.legal(seat)))
print(match.scores)
"""

from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.moves import Move
from courtly.engine.native.native_position import NativePosition
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.schemas import Cue, GameInfo, View

__all__ = [
    "GameInfo",
    "Cue",
    "Game",
    "Match",
    "Move",
    "NativePosition",
    "Position",
    "CommandRefusedError",
    "View",
    "game",
    "games",
]
__version__ = "0.1.0"


def game(name: str) -> Game:
    """A game by its id, such as "petition". UnknownGameError (a LookupError) lists those there are."""
    return find_game(name)


def games() -> list[str]:
    """The ids of all games that are installed."""
    return game_ids()
