"""Processes that bots think in, started when first needed: see worker.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Hashable
from itertools import count
from typing import Any

from courtly.engine.errors import CourtlyError

MAX_ANSWER_BYTES = 1 << 20  # bytes of a bot's longest answer
THINKING_MB = 192  # that a process may take to think, besides what its games and their machine code take
GAMES_PER_PROCESS = 8  # whose machine code one process holds; for one more another process begins


class BotError(CourtlyError):
    """A bot gave no answer; says why."""


class BotTimeoutError(BotError):
    """It did not answer in time."""


class WorkerProcess:
    """A process, and the bots that are loaded there. Of several questions it works on the newest."""

    def __init__(self, process: Process):
        self.process = process
        self.loaded: set[tuple[str, str]] = set()
        self.games: set[str] = set()  # that it was asked of
        self.jobs: list[Hashable] = []  # of the callers of `WorkerPool.ask` that use it
        self.shared = False  # has it ever had two at once?
        self.answered = 0
        self._numbers = count()
        self._open: dict[int, asyncio.Future[dict[str, Any]]] = {}  # by number
        self._reading = asyncio.create_task(self._read())

    def fits(self, game: str) -> bool:
        """May it be asked of one more game?"""
        return len(self.games | {game}) <= GAMES_PER_PROCESS

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return its answer. BotError says what went wrong there."""
        stdin, number = self.process.stdin, next(self._numbers)
        assert stdin
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._open[number] = future
        try:
            if self._reading.done():
                raise BotError("its process ended")
            stdin.write(json.dumps({**question, "number": number}).encode() + b"\n")
            await stdin.drain()
            answer = await future
        except OSError as broken:
            raise BotError(f"its process broke off: {type(broken).__name__}") from None
        finally:
            del self._open[number]
        if "error" in answer:
            raise BotError(answer["error"])
        return answer

    async def _read(self) -> None:
        """Hand out the answers until there are no more."""
        assert self.process.stdout
        why = "its process ended"
        try:
            while line := await self.process.stdout.readline():
                answer: dict[str, Any] = json.loads(line)
                self.answered += 1
                self._hand(self._open.get(answer.pop("number")), answer)
        except (OSError, ValueError, KeyError, AttributeError) as broken:
            why = f"its process broke off: {type(broken).__name__}"
        for future in self._open.values():
            self._hand(future, {"error": why})

    @staticmethod
    def _hand(future: asyncio.Future[dict[str, Any]] | None, answer: dict[str, Any]) -> None:
        if future and not future.done():  # else nobody waits for it any more
            future.set_result(answer)

    async def end(self) -> None:
        """Kill the process. Whoever waits for its answers gets BotError."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                self.process.kill()
        await self.process.wait()
        await self._reading


class WorkerPool:
    """At most `size` processes, each thinking about one question at a time. `niceness`: how much they give way to all
    others, 0 to 19. `thinking_mb`: that each may take to think, besides its games; None: as much as it wants. `kept`:
    they wait for another question. `module` is what they run, `line_bytes` how long an answer may be."""

    def __init__(
        self,
        size: int,
        niceness: int = 0,
        thinking_mb: int | None = THINKING_MB,
        kept: bool = True,
        module: str = "courtly.bots.runtime.worker_process",
        line_bytes: int = MAX_ANSWER_BYTES,
    ):
        self.module, self.line_bytes = module, line_bytes
        self.size, self.niceness, self.thinking_mb, self.kept = size, niceness, thinking_mb, kept
        self._free = asyncio.Semaphore(size)
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()

    async def ask(
        self,
        question: dict[str, Any],
        limit: float | None,
        loading: float | None = None,
        job: Hashable = None,
        overtaken: Hashable = None,
    ) -> dict[str, Any]:
        """Return its answer. A process that fails with several games in it may have failed for want of memory, and one
        with several questions because of another: then another one is asked, once.

        Args:
            question: As in worker.py.
            limit: Seconds in which it answers; those in which another question overtakes it do not count. After them
                its process is ended, as after anything else that goes wrong.
            loading: Seconds in which the bot is loaded, where it is not; None: `limit`.
            job: What this question is called by those that overtake it.
            overtaken: The job that rests meanwhile, if one does: then this question does not wait for a process. That
                job's leaves its advice for the time being and answers this question first.

        Raises:
            BotError: Says why there is no answer.
        """
        async with contextlib.nullcontext() if overtaken else self._free:
            worker = await self._one_for(question.get("game", ""), overtaken)
            try:
                return await self._answered(worker, question, limit, loading, job)
            except BotTimeoutError:
                raise
            except BotError:
                if len(worker.games) < 2 and not worker.shared:
                    raise
            return await self._answered(await self._start(), question, limit, loading, job)

    async def _one_for(self, game: str, overtaken: Hashable) -> WorkerProcess:
        """Return a process to ask of a game: that of the job that is overtaken, or one without a question."""
        if overtaken:
            theirs = next((worker for worker in self._all if overtaken in worker.jobs), None)
            if theirs and theirs.fits(game):
                return theirs
        worker = self._idle.pop() if self._idle else None
        if worker and not worker.fits(game):
            await self._end(worker)
            worker = None
        return worker or await self._start()

    async def _answered(
        self, worker: WorkerProcess, question: dict[str, Any], limit: float | None, loading: float | None, job: Hashable
    ) -> dict[str, Any]:
        """What this process answers; it is ended if it fails, and else kept for the next question, if any is."""
        worker.jobs.append(job)
        worker.shared |= len(worker.jobs) > 1
        try:
            game = question.get("game", "")  # "": it is about no bot
            bot = game, question.get("bot", "")
            worker.games.add(game)
            if game and bot not in worker.loaded:
                ready = {"want": "ready", "game": game, "bot": question["bot"]}
                await _answer_within(loading if loading is not None else limit, worker, ready)
                worker.loaded.add(bot)
            answer = await _answer_within(limit, worker, question)
        except BaseException:
            worker.jobs.remove(job)
            await self._end(worker)
            raise
        worker.jobs.remove(job)
        if not worker.jobs and worker in self._all:  # else another question has ended it
            if self.kept and len(self._all) <= self.size:
                self._idle.append(worker)
            else:
                await self._end(worker)
        return answer

    async def load(self, game: str, bot: str, limit: float | None) -> None:
        """Have a bot loaded in all processes, so that its first answers take no longer than later ones. BotError says
        why it cannot be."""
        ready = {"want": "ready", "game": game, "bot": bot}
        done = await asyncio.gather(*(self.ask(ready, limit) for _ in range(self.size)), return_exceptions=True)
        for wrong in done:
            if isinstance(wrong, BaseException):
                raise wrong

    async def _start(self) -> WorkerProcess:
        group = None if sys.platform == "win32" else 0  # an interrupt from the terminal is the server's alone
        program = (sys.executable, "-m", self.module, f"{self.niceness}", f"{self.thinking_mb or 0}")
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=PIPE, stdout=PIPE, limit=self.line_bytes, process_group=group
            )
        except OSError as wrong:
            raise BotError(f"its process cannot be started: {wrong}") from None
        worker = WorkerProcess(process)
        self._all.add(worker)
        return worker

    async def _end(self, worker: WorkerProcess) -> None:
        self._all.discard(worker)
        await worker.end()

    async def close(self) -> None:
        """End all processes."""
        self._idle.clear()
        for worker in list(self._all):
            await self._end(worker)


async def _answer_within(seconds: float | None, worker: WorkerProcess, question: dict[str, Any]) -> dict[str, Any]:
    asked = asyncio.create_task(worker.answer(question))
    try:
        while True:
            answered = worker.answered
            done, _ = await asyncio.wait([asked], timeout=seconds)
            if done:
                return asked.result()
            if worker.answered == answered:  # else it was overtaken meanwhile
                raise BotTimeoutError(f"it did not answer within {seconds:g} s")
    finally:
        asked.cancel()
