"""Players that see views, never states.

A bot is a function `choose(game, view, rng) -> move id`: the `Game`, the view of its seat (docs/protocol.md) and a
generator of its own (courtly.engine.chance). Every game has the bot "random", and "search" where machine code is
installed; a game with a `bot.py` in its folder has "heuristic" as well. "search:500" searches with 500 simulations.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache

from courtly.engine import native, shapes
from courtly.engine.chance import Row, below
from courtly.engine.game import Game

Bot = Callable[[Game, shapes.Glance, Row], int]


class UnknownBot(LookupError):
    """The game has no bot of that name."""


def bot_names(game: Game) -> list[str]:
    """The bots that are offered at a table, the best first: a game's own, or else one that searches, and one that plays
    at random."""
    own = ["heuristic"] if (game.folder / "bot.py").exists() else ["search"] if native.available() else []
    return [*own, "random"]


def find_bot(game: Game, name: str) -> Bot:
    """A bot by its name. UnknownBot lists those there are."""
    kind, _, count = name.partition(":")
    if kind == "search":
        return _searching(game, name, count)
    if name == "policy" and game.policy:
        from courtly.bots.policy import choose

        return choose
    names = [offered for offered in bot_names(game) if offered != "search"]
    if name not in names:
        raise UnknownBot(f"{game.id} has no bot {name!r}; it has {', '.join(names)} and search, such as search:500")
    if name == "random":
        return choose_at_random
    found: Bot = importlib.import_module(f"{game.package}.bot").choose
    return found


def make_ready(bot: Bot) -> None:
    """Have it compiled, if that is to be done, so that its first answer takes no longer than later ones."""
    warm = getattr(bot, "warm", None)
    if warm:
        warm()


def choose_at_random(_game: Game, view: shapes.Glance, rng: Row) -> int:
    """Any legal move, each as likely."""
    return view["legal"][below(rng, len(view["legal"]))]["id"]


@cache
def _searching(game: Game, name: str, count: str) -> Bot:
    from courtly.bots.search import COUNT, MOST, Search

    if not native.available():
        raise UnknownBot(f"{name} needs machine code: install courtly[native]")
    if name != "search" and not (count.isdecimal() and 0 < int(count) <= MOST):
        raise UnknownBot(f"{name!r}: a search has 1 to {MOST} simulations, such as search:{COUNT}")
    return Search(game, int(count or COUNT))
