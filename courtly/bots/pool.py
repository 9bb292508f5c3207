"""Worker processes that bots think in, started when first needed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterable
from typing import Any

from courtly.bots import choose_at_random
from courtly.engine import shapes
from courtly.engine.chance import generator
from courtly.engine.game import find_game

SOFT = 0.1  # seconds within which a bot should answer; later is logged
LINE = 1 << 20  # bytes of the longest answer
SEARCH = "search"  # the bot that has to be compiled
LOADING = 120.0  # seconds in which what was compiled is loaded

log = logging.getLogger("courtly.bots")


class BotFailed(Exception):
    """A bot gave no legal move; says why."""


class Pool:
    """At most `size` processes, each thinking about one question at a time. After `limit` seconds a bot is stopped."""

    def __init__(self, size: int, limit: float):
        self.size = size
        self.limit = limit
        self._prepared: dict[tuple[str, str], asyncio.Future[Any]] = {}
        self._compiling: dict[str, asyncio.Task[None]] = {}  # by game
        self._compiled: set[str] = set()
        self._free = asyncio.Semaphore(size)
        self._idle: list[Process] = []
        self._all: set[Process] = set()

    async def prepare(self, game: str, bots: Iterable[str]) -> None:
        """Have these bots loaded in all processes, so that the first answers take no longer than later ones. For the
        one that searches nobody waits: it plays at random until it is compiled."""
        wanted = set(bots)
        if SEARCH in wanted and game not in self._compiling:
            self._compiling[game] = asyncio.create_task(self._compile(game))
        for bot in wanted - {"random", SEARCH}:
            await self._load_everywhere(game, bot, self.limit)

    async def _load_everywhere(self, game: str, bot: str, limit: float) -> None:
        if (game, bot) not in self._prepared:
            self._prepared[game, bot] = asyncio.gather(
                *(self._load(game, bot, limit) for _ in range(self.size)), return_exceptions=True
            )
        await asyncio.shield(self._prepared[game, bot])

    async def _load(self, game: str, bot: str, limit: float) -> None:
        async with self._free:
            await asyncio.wait_for(self._ask(game, bot, None, 0), limit)

    async def _compile(self, game: str) -> None:
        """In a process of its own that gives way to all others; then it is loaded by those that answer."""
        worker = await self._start()
        try:
            if sys.platform != "win32":
                os.setpriority(os.PRIO_PROCESS, worker.pid, 19)
            started = time.monotonic()
            _move(await self._answer(worker, game, SEARCH, None, 0))
            await self._load_everywhere(game, SEARCH, LOADING)
            self._compiled.add(game)
            log.info("%s of %s is ready after %.0f s", SEARCH, game, time.monotonic() - started)
        except (BotFailed, OSError, ValueError) as error:
            log.error("%s of %s cannot be compiled: %s; it plays at random", SEARCH, game, error)
        finally:
            await self._end(worker)

    async def choose(self, game: str, bot: str, view: shapes.Glance, seed: int) -> int:
        """The move a bot chooses from its view; a random legal one if it fails or takes too long. Its own randomness
        comes from `seed`."""
        if bot != "random" and (bot != SEARCH or game in self._compiled):
            started = time.monotonic()
            try:
                async with self._free:
                    started = time.monotonic()
                    move = await asyncio.wait_for(self._ask(game, bot, view, seed), self.limit)
                if all(move != legal["id"] for legal in view["legal"]):
                    raise BotFailed("chose what is not legal")
                if time.monotonic() - started > SOFT:
                    log.debug("%s of %s took %.0f ms", bot, game, 1000 * (time.monotonic() - started))
                return move
            except TimeoutError:
                log.error("%s of %s did not answer within %s s; a random move is made", bot, game, self.limit)
            except (BotFailed, OSError, ValueError) as error:
                log.error("%s of %s failed: %s; a random move is made", bot, game, error)
        return choose_at_random(find_game(game), view, generator(seed))

    async def _ask(self, game: str, bot: str, view: shapes.Glance | None, seed: int) -> int:
        worker = self._idle.pop() if self._idle else await self._start()
        try:
            answer = await self._answer(worker, game, bot, view, seed)
        except BaseException:  # cancelled in the middle: its next answer would be to the wrong question
            await self._end(worker)
            raise
        if answer is None:
            await self._end(worker)
        else:
            self._idle.append(worker)
        return _move(answer)

    async def _answer(
        self, worker: Process, game: str, bot: str, view: shapes.Glance | None, seed: int
    ) -> dict[str, Any] | None:
        """None if its process has ended."""
        assert worker.stdin and worker.stdout
        question = {"game": game, "bot": bot, "view": view, "seed": seed}
        worker.stdin.write(json.dumps(question).encode() + b"\n")
        await worker.stdin.drain()
        line = await worker.stdout.readline()
        answer: dict[str, Any] | None = json.loads(line) if line else None
        return answer

    async def _start(self) -> Process:
        group = None if sys.platform == "win32" else 0  # an interrupt from the terminal is the server's alone
        program = (sys.executable, "-m", "courtly.bots.worker")
        worker = await asyncio.create_subprocess_exec(
            *program, stdin=PIPE, stdout=PIPE, limit=LINE, process_group=group
        )
        self._all.add(worker)
        return worker

    async def _end(self, worker: Process) -> None:
        self._all.discard(worker)
        if worker.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
        await worker.wait()

    async def close(self) -> None:
        """End all processes."""
        for compiling in self._compiling.values():
            compiling.cancel()
        self._idle.clear()
        for worker in list(self._all):
            await self._end(worker)


def _move(answer: dict[str, Any] | None) -> int:
    if answer is None or "move" not in answer:
        raise BotFailed("its process ended" if answer is None else answer.get("error"))
    return int(answer["move"])
