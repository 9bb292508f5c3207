"""The bots of a server. Searches run in worker processes with a low priority. While a search is being compiled, and
whenever a bot fails, the squire plays instead."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any, Literal

from courtly.bots.registry import RANDOM, SQUIRE, choose_at_random, is_search_bot
from courtly.bots.runtime.worker_pool import BotError, WorkerPool
from courtly.engine import schemas
from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.rng import make_generator

SLOW_ANSWER_S = 0.1  # slower answers are logged
LOADING_TIMEOUT_S = 600.0  # time for low-priority processes to load compiled code on a busy machine
MAX_SEARCH_FAILURES = 3  # consecutive failures after which the search of a game is no longer used
SEARCH_NICENESS, COMPILER_NICENESS = 10, 19  # nice values of these processes
SEARCH_BOT = "knight"  # compiling it compiles all searches, which differ only in a number

BotObstacle = Literal["compiling", "missing", "broken"]
log = logging.getLogger("courtly.bots")


class BotService:
    """Worker processes for bots: `size` for searches, and as many for all other bots. A bot that takes longer than
    `limit` seconds is stopped. `changed` is called with the id of a game when its search becomes ready or turns out to
    be unusable."""

    def __init__(self, size: int, limit: float, changed: Callable[[str], None] = lambda game: None):
        self.limit = limit
        self.changed = changed
        self._quick, self._deep = WorkerPool(size), WorkerPool(size, SEARCH_NICENESS)
        self._compiler = WorkerPool(1, COMPILER_NICENESS, thinking_mb=None, kept=False)
        self._loaded: dict[tuple[str, str], asyncio.Task[None]] = {}  # by game and bot, for bots other than searches
        self._compiled: dict[str, asyncio.Task[None]] = {}  # by game
        self._armed: dict[str, asyncio.Task[None]] = {}  # by game
        self._hindrance: dict[str, BotObstacle | None] = {}  # by game, once compilation has ended
        self._strikes: dict[tuple[str, str], int] = {}  # by game and bot
        self._ahead: asyncio.Task[None] | None = None

    def compile_ahead(self, games: Iterable[str]) -> None:
        """Compile the searches of these games in the background, one after the other, so that they load quickly when
        needed."""

        async def each() -> None:
            for game in games:
                await asyncio.wait([self._compiling(game)])

        if obstacle := loader.find_obstacle():
            log.warning("squires play in place of knights and masters: %s", obstacle)
        else:
            self._ahead = asyncio.create_task(each())

    async def prepare(self, game: str, bots: Iterable[str]) -> None:
        """Load these bots and the squire, so that their first answers take no longer than later ones. Searches load in
        the background."""
        for bot in {SQUIRE, *bots} - {RANDOM}:
            if not is_search_bot(find_game(game), bot):
                if (game, bot) not in self._loaded:
                    self._loaded[game, bot] = asyncio.create_task(self._load(game, bot))
                await asyncio.shield(self._loaded[game, bot])
            else:
                self.arm(game)

    def arm(self, game: str) -> None:
        """Load the search of a game in the background."""
        if game not in self._armed and loader.is_available():
            self._armed[game] = asyncio.create_task(self._arm(game))

    async def _load(self, game: str, bot: str) -> None:
        try:
            await self._quick.load(game, bot, self.limit)
        except BotError as why:
            log.error("loading bot %s of %s failed: %s", bot, game, why)

    async def _arm(self, game: str) -> None:
        """Compile the search, and load it into the worker processes."""
        started = time.monotonic()
        try:
            await asyncio.shield(self._compiling(game))
            await self._deep.load(game, SEARCH_BOT, LOADING_TIMEOUT_S)
            self._hindrance[game] = None
            log.info("search of %s ready after %.0f s", game, time.monotonic() - started)
        except BotError as why:
            self._hindrance[game] = "broken"
            log.error("search of %s unusable: %s; the squire plays instead", game, why)
        self.changed(game)

    def _compiling(self, game: str) -> asyncio.Task[None]:
        if game not in self._compiled:
            task = self._compiled[game] = asyncio.create_task(self._compiler.load(game, SEARCH_BOT, None))
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # avoids a warning
        return self._compiled[game]

    async def compiled(self, game: str) -> None:
        """Wait until the search of a game is compiled. Raises BotError if it cannot be compiled."""
        await asyncio.shield(self._compiling(game))

    def hindrance(self, game: str, bot: str) -> BotObstacle | None:
        """Return why the squire plays instead of this bot; None if the bot plays itself."""
        if not is_search_bot(find_game(game), bot):
            return None
        return self._hindrance.get(game, "compiling") if loader.is_available() else "missing"

    async def choose(self, game: str, bot: str, view: schemas.PositionView, seed: int) -> int:
        """Return the move that a bot chooses from its view. If the bot is not ready, fails, or takes too long, return
        the squire's move, or else a random legal one. `seed` determines the bot's random choices."""
        for player in dict.fromkeys((bot, SQUIRE)):
            if player == RANDOM:
                break
            if self.hindrance(game, player):
                continue
            try:
                started = time.monotonic()
                move: int = (await self.ask("move", game, player, view, seed))["move"]
                if all(move != legal["id"] for legal in view["legal"]):
                    raise BotError("it chose a move that is not legal")
                if time.monotonic() - started > SLOW_ANSWER_S:
                    log.debug("%s of %s took %.0f ms", player, game, 1000 * (time.monotonic() - started))
                self._strikes.pop((game, player), None)
                return move
            except BotError as why:
                instead = "a random" if player == SQUIRE else "the squire's"
                log.error("bot %s of %s failed: %s; playing %s move", player, game, why, instead)
                self._strike(game, player)
        return choose_at_random(find_game(game), view, make_generator(seed))

    def _strike(self, game: str, bot: str) -> None:
        self._strikes[game, bot] = self._strikes.get((game, bot), 0) + 1
        if is_search_bot(find_game(game), bot) and self._strikes[game, bot] == MAX_SEARCH_FAILURES:
            self._hindrance[game] = "broken"
            log.error("search of %s failed %d times in a row; no longer used", game, MAX_SEARCH_FAILURES)
            self.changed(game)

    async def ask(self, want: str, game: str, bot: str, view: schemas.PositionView, seed: int) -> dict[str, Any]:
        """Return the answer of a bot to a question; see worker_process.py. Raises BotError if there is none."""
        deep = is_search_bot(find_game(game), bot)
        question = {"want": want, "game": game, "bot": bot, "view": view, "seed": seed}
        return await (self._deep if deep else self._quick).ask(
            question, self.limit, LOADING_TIMEOUT_S if deep else self.limit
        )

    async def close(self) -> None:
        """End all processes."""
        for task in (self._ahead, *self._compiled.values(), *self._armed.values(), *self._loaded.values()):
            if task:
                task.cancel()
        for workers in (self._quick, self._deep, self._compiler):
            await workers.close()
