"""Courtly: five court games with their rules, bots, review and server.

Most programs need only this package:

    import random
    import courtly

    match, chooser = courtly.new_match("necklace", players=2, seed=7), random.Random(7)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, chooser.choice(match.legal(seat)))
    print(match.scores)
"""

import importlib

from courtly.engine.constants import NOBODY
from courtly.engine.errors import CourtlyError, RulesError
from courtly.engine.game import BoundsError, Game, UnknownGameError, find_game, game_ids
from courtly.engine.match import JournalCorruptedError, Match
from courtly.engine.match import new_match as _new_match
from courtly.engine.moves import Move, UnknownMoveError
from courtly.engine.native.native_position import NativePosition
from courtly.engine.position import CommandRefusedError, Position
from courtly.engine.rng import make_generator
from courtly.engine.schemas import Cue, GameInfo, View

__all__ = [
    "NOBODY",
    "BoundsError",
    "CommandRefusedError",
    "CourtlyError",
    "Cue",
    "Game",
    "GameInfo",
    "JournalCorruptedError",
    "Match",
    "Move",
    "NativePosition",
    "Position",
    "RulesError",
    "UnknownGameError",
    "UnknownMoveError",
    "View",
    "game",
    "games",
    "make_generator",
    "new_match",
]
__version__ = "0.1.0"

# Python binds a subpackage to its parent when it is first imported: import it here, so that `games` stays the function.
importlib.import_module("courtly.games")


def game(name: str) -> Game:
    """Return a game by its id.

    Raises:
        UnknownGameError: There is no such game; the message lists the known ids. It is also a LookupError.

    Examples:
        >>> import courtly
        >>> courtly.game("petition").players
        (2, 3, 4, 5)
    """
    return find_game(name)


def games() -> list[str]:
    """Return the ids of all installed games, unfinished ones excluded.

    Examples:
        >>> import courtly
        >>> "necklace" in courtly.games()
        True
    """
    return game_ids()


def new_match(
    name: str, players: int | None = None, seed: int | None = None, options: dict[str, int] | None = None
) -> Match:
    """Begin a match.

    Args:
        name: The id of the game, such as "petition".
        players: The number of players; None for the fewest that the game allows.
        seed: The seed of all random events, from 0 to 2**63 - 1; None for a random seed.
        options: Options and their values, as in `courtly.game(name).options`; the others have their defaults.

    Returns:
        The match, ready for the first decision.

    Raises:
        UnknownGameError: There is no such game; the message lists the known ids.
        ValueError: The game does not have this option, value or number of players, or the seed is out of range.

    Examples:
        >>> import courtly
        >>> match = courtly.new_match("necklace", players=2, seed=7)
        >>> match.players, match.over, match.scores
        (2, False, None)
        >>> courtly.new_match("necklace", players=2, seed=7).view(0) == match.view(0)
        True
    """
    return _new_match(find_game(name), players, seed, options)
