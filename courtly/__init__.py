"""Five games of the royal court at one table.

import random
import courtly
match, chooser = courtly.new_match("necklace", players=2, seed=7), random.Random(7)
while not match.over:
    seat = match.pending[0]
    match.play(seat, chooser.choice(match.legal(seat)))
print(match.scores)
"""

from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.match import new_match as _new_match
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
    "new_match",
]
__version__ = "0.1.0"


def game(name: str) -> Game:
    """A game by its id, such as "petition". UnknownGameError (a LookupError) lists those there are."""
    return find_game(name)


def games() -> list[str]:
    """The ids of all games that are installed."""
    return game_ids()


def new_match(
    name: str, players: int | None = None, seed: int | None = None, options: dict[str, int] | None = None
) -> Match:
    """Begin a game.

    Args:
        name: The id of the game, such as "petition".
        players: How many play; by default the fewest that can.
        seed: Makes the game repeatable; by default another one each time.
        options: Options and their values, as in `courtly.game(name).options`; the others have their defaults.

    Raises:
        UnknownGameError: There is no such game; lists those there are.
        ValueError: An option, a value or a number of players is not offered.
    """
    return _new_match(find_game(name), players, seed, options)
