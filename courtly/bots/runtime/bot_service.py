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
    `limit` seconds is stopped. `search_changed` is called with the id of a game when its search becomes ready or turns
    out to be unusable."""

    def __init__(self, size: int, limit: float, search_changed: Callable[[str], None] = lambda game: None):
        self.limit = limit
        self.search_changed = search_changed
        self._quick_workers, self._search_workers = WorkerPool(size), WorkerPool(size, SEARCH_NICENESS)
        self._compiler = WorkerPool(1, COMPILER_NICENESS, thinking_mb=None, keep_idle=False)
        # by game and bot, for bots other than searches
        self._loading_bots: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._compilations: dict[str, asyncio.Task[None]] = {}  # by game
        self._loading_searches: dict[str, asyncio.Task[None]] = {}  # by game
        self._obstacles: dict[str, BotObstacle | None] = {}  # by game, once compilation has ended
        self._failure_counts: dict[tuple[str, str], int] = {}  # by game and bot
        self._compile_task: asyncio.Task[None] | None = None

    def compile_ahead(self, games: Iterable[str]) -> None:
        """Compile the searches of these games in the background, one after the other, so that they load quickly when
        needed."""

        async def compile_each() -> None:
            for game in games:
                await asyncio.wait([self._start_compiling(game)])

        if obstacle := loader.find_obstacle():
            log.warning("squires play in place of knights and masters, and the server reviews no games: %s", obstacle)
        else:
            self._compile_task = asyncio.create_task(compile_each())

    async def prepare(self, game: str, bots: Iterable[str]) -> None:
        """Load these bots and the squire, so that their first answers take no longer than later ones. Searches load in
        the background."""
        for bot in {SQUIRE, *bots} - {RANDOM}:
            if not is_search_bot(find_game(game), bot):
                if (game, bot) not in self._loading_bots:
                    self._loading_bots[game, bot] = asyncio.create_task(self._load(game, bot))
                await asyncio.shield(self._loading_bots[game, bot])
            else:
                self.load_search(game)

    def load_search(self, game: str) -> None:
        """Load the search of a game in the background."""
        if game not in self._loading_searches and loader.is_available():
            self._loading_searches[game] = asyncio.create_task(self._load_search(game))

    async def _load(self, game: str, bot: str) -> None:
        try:
            await self._quick_workers.load(game, bot, self.limit)
        except BotError as error:
            log.error("loading bot %s of %s failed: %s", bot, game, error)

    async def _load_search(self, game: str) -> None:
        """Compile the search, and load it into the worker processes."""
        start_time = time.monotonic()
        try:
            await asyncio.shield(self._start_compiling(game))
            await self._search_workers.load(game, SEARCH_BOT, LOADING_TIMEOUT_S)
            self._obstacles[game] = None
            log.info("search of %s ready after %.0f s", game, time.monotonic() - start_time)
        except BotError as error:
            self._obstacles[game] = "broken"
            log.error("search of %s unusable: %s; the squire plays instead", game, error)
        self.search_changed(game)

    def _start_compiling(self, game: str) -> asyncio.Task[None]:
        if game not in self._compilations:
            task = self._compilations[game] = asyncio.create_task(self._compiler.load(game, SEARCH_BOT, None))
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # avoids a warning
        return self._compilations[game]

    async def wait_until_compiled(self, game: str) -> None:
        """Wait until the search of a game is compiled. Raises BotError if it cannot be compiled."""
        await asyncio.shield(self._start_compiling(game))

    def find_obstacle(self, game: str, bot: str) -> BotObstacle | None:
        """Return why the squire plays instead of this bot; None if the bot plays itself."""
        if not is_search_bot(find_game(game), bot):
            return None
        return self._obstacles.get(game, "compiling") if loader.is_available() else "missing"

    async def choose(self, game: str, bot: str, view: schemas.PositionView, seed: int) -> int:
        """Return the move that a bot chooses from its view. If the bot is not ready, fails, or takes too long, return
        the squire's move, or else a random legal one. `seed` determines the bot's random choices."""
        for player in dict.fromkeys((bot, SQUIRE)):
            if player == RANDOM:
                break
            if self.find_obstacle(game, player):
                continue
            try:
                start_time = time.monotonic()
                move: int = (await self.ask("move", game, player, view, seed))["move"]
                if all(move != legal["id"] for legal in view["legal"]):
                    raise BotError("it chose a move that is not legal")
                if time.monotonic() - start_time > SLOW_ANSWER_S:
                    log.debug("%s of %s took %.0f ms", player, game, 1000 * (time.monotonic() - start_time))
                self._failure_counts.pop((game, player), None)
                return move
            except BotError as error:
                replacement = "a random" if player == SQUIRE else "the squire's"
                log.error("bot %s of %s failed: %s; playing %s move", player, game, error, replacement)
                self._count_failure(game, player)
        return choose_at_random(find_game(game), view, make_generator(seed))

    def _count_failure(self, game: str, bot: str) -> None:
        self._failure_counts[game, bot] = self._failure_counts.get((game, bot), 0) + 1
        if is_search_bot(find_game(game), bot) and self._failure_counts[game, bot] == MAX_SEARCH_FAILURES:
            self._obstacles[game] = "broken"
            log.error("search of %s failed %d times in a row; no longer used", game, MAX_SEARCH_FAILURES)
            self.search_changed(game)

    async def ask(self, kind: str, game: str, bot: str, view: schemas.PositionView, seed: int) -> dict[str, Any]:
        """Return the answer of a bot to a question; see worker_process.py. Raises BotError if there is none."""
        is_search = is_search_bot(find_game(game), bot)
        question = {"want": kind, "game": game, "bot": bot, "view": view, "seed": seed}
        return await (self._search_workers if is_search else self._quick_workers).ask(
            question, self.limit, LOADING_TIMEOUT_S if is_search else self.limit
        )

    async def close(self) -> None:
        """End all processes."""
        for task in (
            self._compile_task,
            *self._compilations.values(),
            *self._loading_searches.values(),
            *self._loading_bots.values(),
        ):
            if task:
                task.cancel()
        for workers in (self._quick_workers, self._search_workers, self._compiler):
            await workers.close()
