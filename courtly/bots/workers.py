"""Processes that bots think in, started when first needed: see worker.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any

LINE = 1 << 20  # bytes of a bot's longest answer
THINKING_MB = 192  # that a process may take to think, besides what its games and their machine code take
GAMES_PER_PROCESS = 8  # whose machine code one process holds; for one more another process begins


class BotFailed(Exception):
    """A bot gave no answer; says why."""


class BotTimeoutError(BotFailed):
    """It did not answer in time."""


class Worker:
    """A process, and the bots that are loaded there."""

    def __init__(self, process: Process):
        self.process = process
        self.loaded: set[tuple[str, str]] = set()
        self.games: set[str] = set()  # that it was asked of

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """BotFailed says what went wrong there."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin and stdout
        try:
            stdin.write(json.dumps(question).encode() + b"\n")
            await stdin.drain()
            line = await stdout.readline()
            answer: dict[str, Any] = json.loads(line) if line else {"error": "its process ended"}
        except (OSError, ValueError) as broken:
            raise BotFailed(f"its process broke off: {type(broken).__name__}") from None
        if "error" in answer:
            raise BotFailed(answer["error"])
        return answer


class Workers:
    """At most `size` processes, each thinking about one question at a time. `niceness`: how much they give way to all
    others, 0 to 19. `thinking_mb`: that each may take to think, besides its games; None: as much as it wants. `kept`:
    they wait for another question. `module` is what they run, `line_bytes` how long an answer may be."""

    def __init__(
        self,
        size: int,
        niceness: int = 0,
        thinking_mb: int | None = THINKING_MB,
        kept: bool = True,
        module: str = "courtly.bots.worker",
        line_bytes: int = LINE,
    ):
        self.module, self.line_bytes = module, line_bytes
        self.size, self.niceness, self.thinking_mb, self.kept = size, niceness, thinking_mb, kept
        self._free = asyncio.Semaphore(size)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()

    async def ask(self, question: dict[str, Any], limit: float | None, loading: float | None = None) -> dict[str, Any]:
        """Its answer. Within `loading` seconds the bot is loaded, where it is not, and within `limit` it answers; or
        else its process is ended, as after anything else that goes wrong, and BotFailed says why. A process that fails
        with several games in it may have failed for want of memory: then another one is asked, once."""
        async with self._free:
            worker = self._idle.pop() if self._idle else await self._start()
            if len(worker.games | {question.get("game", "")}) > GAMES_PER_PROCESS:
                await self._end(worker)
                worker = await self._start()
            try:
                return await self._answered(worker, question, limit, loading)
            except BotTimeoutError:
                raise
            except BotFailed:
                if len(worker.games) < 2:
                    raise
            return await self._answered(await self._start(), question, limit, loading)

    async def _answered(
        self, worker: Worker, question: dict[str, Any], limit: float | None, loading: float | None
    ) -> dict[str, Any]:
        """What this process answers; it is ended if it fails, and else kept for the next question, if any is."""
        try:
            game = question.get("game", "")  # "": it is about no bot
            bot = game, question.get("bot", "")
            worker.games.add(game)
            if game and bot not in worker.loaded:
                ready = {"want": "ready", "game": game, "bot": question["bot"]}
                await _within(loading if loading is not None else limit, worker.answer(ready))
                worker.loaded.add(bot)
            answer = await _within(limit, worker.answer(question))
        except BaseException:  # its next answer might be to the wrong question
            await self._end(worker)
            raise
        if self.kept:
            self._idle.append(worker)
        else:
            await self._end(worker)
        return answer

    async def load(self, game: str, bot: str, limit: float | None) -> None:
        """Have a bot loaded in all processes, so that its first answers take no longer than later ones. BotFailed says
        why it cannot be."""
        ready = {"want": "ready", "game": game, "bot": bot}
        done = await asyncio.gather(*(self.ask(ready, limit) for _ in range(self.size)), return_exceptions=True)
        for wrong in done:
            if isinstance(wrong, BaseException):
                raise wrong

    async def _start(self) -> Worker:
        group = None if sys.platform == "win32" else 0  # an interrupt from the terminal is the server's alone
        program = (sys.executable, "-m", self.module, f"{self.niceness}", f"{self.thinking_mb or 0}")
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=PIPE, stdout=PIPE, limit=self.line_bytes, process_group=group
            )
        except OSError as wrong:
            raise BotFailed(f"its process cannot be started: {wrong}") from None
        worker = Worker(process)
        self._all.add(worker)
        return worker

    async def _end(self, worker: Worker) -> None:
        self._all.discard(worker)
        if worker.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                worker.process.kill()
        await worker.process.wait()

    async def close(self) -> None:
        """End all processes."""
        self._idle.clear()
        for worker in list(self._all):
            await self._end(worker)


async def _within(seconds: float | None, answer: Any) -> dict[str, Any]:
    try:
        found: dict[str, Any] = await asyncio.wait_for(answer, seconds)
        return found
    except TimeoutError:
        raise BotTimeoutError(f"it did not answer within {seconds:g} s") from None
