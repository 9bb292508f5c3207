"""Players that see views, never states.

A bot is a function `choose(game, view, rng) -> move id`: the `Game`, the view of its seat (docs/protocol.md) and a
generator of its own (courtly.engine.chance). Every game has the bot "random"; a game with a `bot.py` in its folder has
"heuristic" as well.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

from courtly.engine import shapes
from courtly.engine.chance import Row, below
from courtly.engine.game import Game

Bot = Callable[[Game, shapes.Glance, Row], int]


class UnknownBot(LookupError):
    """The game has no bot of that name."""


def bot_names(game: Game) -> list[str]:
    """The bots that can play a game, the best first."""
    return ["heuristic", "random"] if (game.folder / "bot.py").exists() else ["random"]


def find_bot(game: Game, name: str) -> Bot:
    """A bot by its name. UnknownBot lists those there are."""
    if name not in bot_names(game):
        raise UnknownBot(f"{game.id} has no bot {name!r}; it has {', '.join(bot_names(game))}")
    if name == "random":
        return choose_at_random
    found: Bot = importlib.import_module(f"{game.package}.bot").choose
    return found


def choose_at_random(_game: Game, view: shapes.Glance, rng: Row) -> int:
    """Any legal move, each as likely."""
    return view["legal"][below(rng, len(view["legal"]))]["id"]
