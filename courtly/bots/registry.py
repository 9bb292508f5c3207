"""The registry of bots. Bots decide from views, never from states.

A bot is a function `choose(game, view, rng) -> move id`, called with the `Game`, the view of its seat
(docs/protocol.md) and a generator of its own (courtly.engine.rng). Tables offer four bots, weakest first:

    page    plays like the squire, but overlooks something once in several decisions
    squire  the game's own `bot.py`
    knight  a search with a number of simulations for each decision
    master  the same with more simulations

`[levels]` in the game's `game.toml` can set these numbers; BOT_LEVELS has the defaults.

In a game without a `bot.py`, page and squire are searches too, with fewer simulations. Searches need machine code
(`courtly[native]`). Programs can use more bots: "random", "search:500" with 500 simulations, and in games whose policy
has priors "policy", or "policy:4", which makes every fourth move at random.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from courtly.engine import schemas
from courtly.engine.errors import CourtlyError
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.rng import Row, draw_below

Bot = Callable[[Game, schemas.PositionView, Row], int]
SQUIRE, RANDOM, POLICY = "squire", "random", "policy"
MAX_SLIP_INTERVAL = 1_000_000
BOT_LEVELS = {"page": 4, SQUIRE: 0, "knight": 2000, "master": 10_000}
FALLBACK_SIMULATIONS = {"page": 50, SQUIRE: 500}  # numbers of simulations in a game without a `bot.py`
STRENGTH_FILE = Path(__file__).parent / "strength.json"
FORMER_BOT_NAMES = {"heuristic": SQUIRE, "search": "knight"}  # names in tables of versions before there were levels


class UnknownBotError(CourtlyError, LookupError):
    """The game has no bot with this name."""


def is_search_bot(game: Game, name: str) -> bool:
    """Return True if this bot is a search, which needs machine code."""
    has_own_bot = (game.folder / "bot.py").exists()
    return (
        name.partition(":")[0] == "search" or name in BOT_LEVELS and not (has_own_bot and name in FALLBACK_SIMULATIONS)
    )


def list_bots(game: Game) -> list[str]:
    """Return the bots that can play here, weakest first, and last the random one."""
    return [*(name for name in BOT_LEVELS if loader.is_available() or not is_search_bot(game, name)), RANDOM]


def list_offered_bots(game: Game) -> list[tuple[str, bool]]:
    """Return the bots that players may choose, weakest first, each with True if it can play here. The random bot is
    included if even the squire cannot play here."""
    able = list_bots(game)
    return [(name, name in able) for name in (*BOT_LEVELS, *([] if SQUIRE in able else [RANDOM]))]


def load_win_rates(game: Game) -> dict[str, dict[str, float]]:
    """Return, for each bot and number of players, the measured share of games that one of them wins against squires."""
    shares: dict[str, dict[str, float]] = json.loads(STRENGTH_FILE.read_text(encoding="utf-8"))["shares"].get(
        game.id, {}
    )
    return {name: {n: found[name] for n, found in shares.items() if name in found} for name in BOT_LEVELS}


def level_number(game: Game, name: str) -> int:
    """Return the number of a level in this game: the decisions between two slips of the page, or the simulations of a
    search."""
    return game.levels.get(name, BOT_LEVELS[name])


def search_simulations(game: Game, name: str) -> int:
    """Return the number of simulations of a level that is a search."""
    return FALLBACK_SIMULATIONS.get(name) or level_number(game, name)


def default_bot(game: Game) -> str:
    """Return the bot for a seat if none was chosen."""
    return SQUIRE if SQUIRE in list_bots(game) else RANDOM


def find_bot(game: Game, name: str) -> Bot:
    """Return a bot by its name. Raises UnknownBotError, which lists the known names, if there is none."""
    name = SQUIRE if name == "heuristic" else name
    if is_search_bot(game, name):
        return _make_search_bot(game, name)
    if name.partition(":")[0] == POLICY and has_move_policy(game):
        from courtly.bots.policy import choose as follow

        return partial(follow, slips=count) if (count := slip_interval(name)) else follow
    if name not in list_bots(game):
        raise UnknownBotError(
            f"{game.id} has no bot {name!r}; it has {', '.join(list_bots(game))} and search, such as search:500"
        )
    if name == RANDOM:
        return choose_at_random
    if name == "page":
        from courtly.bots.beginner import choose

        return partial(choose, squire=find_bot(game, SQUIRE), slip_interval=level_number(game, name))
    found: Bot = importlib.import_module(f"{game.package}.bot").choose
    return found


def has_move_policy(game: Game) -> bool:
    """Return True if the game's policy has priors."""
    return hasattr(game.policy, "priors")


def slip_interval(name: str) -> int:
    """Return the number N of a "policy:N", which makes one decision in N at random; 0 for a plain "policy".

    Raises UnknownBotError if N is not a number in range.
    """
    _, given, count = name.partition(":")
    if given and not (count.isdecimal() and 1 < int(count) <= MAX_SLIP_INTERVAL):
        raise UnknownBotError(
            f"{name!r}: a policy makes one decision in 2 to {MAX_SLIP_INTERVAL} at random, such as policy:4"
        )
    return int(count or 0)


def warm_up_bot(bot: Bot) -> None:
    """Compile the bot if it needs it, so that its first answer takes no longer than later ones."""
    warm = getattr(bot, "warm", None)
    if warm:
        warm()


def choose_at_random(_game: Game, view: schemas.PositionView, rng: Row) -> int:
    """Return a random legal move, each with the same probability."""
    return view["legal"][draw_below(rng, len(view["legal"]))]["id"]


@cache
def _make_search_bot(game: Game, name: str) -> Bot:
    from courtly.bots.search.search import DEFAULT_SIMULATIONS, MAX_SIMULATIONS, Search

    if obstacle := loader.find_obstacle(loads_llvm=True):
        raise UnknownBotError(f"{name} needs machine code: {obstacle}")
    if name in BOT_LEVELS:
        return Search(game, search_simulations(game, name))
    _, _, count = name.partition(":")
    if name != "search" and not (count.isdecimal() and 0 < int(count) <= MAX_SIMULATIONS):
        raise UnknownBotError(
            f"{name!r}: a search has 1 to {MAX_SIMULATIONS} simulations, such as search:{DEFAULT_SIMULATIONS}"
        )
    return Search(game, int(count or DEFAULT_SIMULATIONS))
