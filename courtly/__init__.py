"""Five games of the royal court at one table.

    import courtly
    match = courtly.game("petition").match(players=2, seed=7)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, match.legal(seat)[0])
    print(match.scores)
"""
from courtly.engine.game import Game, find_game, game_ids

__all__ = ["Game", "game", "games"]
__version__ = "0.1.0"


def game(name: str) -> Game:
    """A game by its id, such as "petition". UnknownGame (a LookupError) lists those there are."""
    return find_game(name)


def games() -> list[str]:
    """The ids of all games that are installed."""
    return game_ids()
