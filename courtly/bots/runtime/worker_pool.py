"""Pools of worker processes for bots, started when first needed: see worker_process.py."""

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

MAX_ANSWER_BYTES = 1 << 20  # limit for one answer
THINKING_MB = 192  # memory of a process for thinking, in addition to its games and their machine code
GAMES_PER_PROCESS = 8  # the most games whose machine code one process loads; further games need another process


class BotError(CourtlyError):
    """A bot gave no answer; the message says why."""


class BotTimeoutError(BotError):
    """A bot did not answer in time."""


class WorkerProcess:
    """A worker process, and the bots that it has loaded. If it has several questions, it answers the newest first."""

    def __init__(self, process: Process):
        self.process = process
        self.loaded: set[tuple[str, str]] = set()
        self.games: set[str] = set()  # the games that it received questions about
        self.jobs: list[Hashable] = []  # the jobs of the calls of `WorkerPool.ask` that use it
        self.was_shared = False  # whether it ever had two questions at the same time
        self.answer_count = 0
        self._numbers = count()
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}  # the open questions, by number
        self._read_task = asyncio.create_task(self._read())

    def can_take(self, game: str) -> bool:
        """Return True if it can take a question about this game."""
        return len(self.games | {game}) <= GAMES_PER_PROCESS

    async def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Send a question and return the answer. Raises BotError if the process fails."""
        stdin, number = self.process.stdin, next(self._numbers)
        assert stdin
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        try:
            if self._read_task.done():
                raise BotError("its process ended")
            stdin.write(json.dumps({**question, "number": number}).encode() + b"\n")
            await stdin.drain()
            answer = await future
        except OSError as broken:
            raise BotError(f"the connection to its process failed: {type(broken).__name__}") from None
        finally:
            del self._pending[number]
        if "error" in answer:
            raise BotError(answer["error"])
        return answer

    async def _read(self) -> None:
        """Deliver answers to the callers until the output ends; then fail the open questions."""
        assert self.process.stdout
        reason = "its process ended"
        try:
            while line := await self.process.stdout.readline():
                answer: dict[str, Any] = json.loads(line)
                self.answer_count += 1
                self._set_answer(self._pending.get(answer.pop("number")), answer)
        except (OSError, ValueError, KeyError, AttributeError) as broken:
            reason = f"the connection to its process failed: {type(broken).__name__}"
        for future in self._pending.values():
            self._set_answer(future, {"error": reason})

    @staticmethod
    def _set_answer(future: asyncio.Future[dict[str, Any]] | None, answer: dict[str, Any]) -> None:
        if future and not future.done():  # else the caller has been cancelled
            future.set_result(answer)

    async def end(self) -> None:
        """Kill the process. Callers that wait for its answers get BotError."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended already
                self.process.kill()
        await self.process.wait()
        await self._read_task


class WorkerPool:
    """A pool of worker processes, each of which works on one question at a time.

    Args:
        size: The most processes.
        niceness: Their nice value, 0 to 19.
        thinking_mb: Memory of each process for thinking, in addition to its games; None for no limit.
        keep_idle: True to keep idle processes for the next question.
        module: The module that they run.
        line_bytes: The limit for the length of an answer.
    """

    def __init__(
        self,
        size: int,
        niceness: int = 0,
        thinking_mb: int | None = THINKING_MB,
        keep_idle: bool = True,
        module: str = "courtly.bots.runtime.worker_process",
        line_bytes: int = MAX_ANSWER_BYTES,
    ):
        self.module, self.line_bytes = module, line_bytes
        self.size, self.niceness, self.thinking_mb, self.keep_idle = size, niceness, thinking_mb, keep_idle
        self._slots = asyncio.Semaphore(size)
        self._idle: list[WorkerProcess] = []
        self._workers: set[WorkerProcess] = set()

    async def ask(
        self,
        question: dict[str, Any],
        limit: float | None,
        loading: float | None = None,
        job: Hashable = None,
        overtaken: Hashable = None,
    ) -> dict[str, Any]:
        """Return the answer to a question.

        If a process fails that has loaded several games, it may have run out of memory; if it had several questions,
        another one may be the cause. In both cases the question is retried once in a new process.

        Args:
            question: As in worker_process.py.
            limit: Seconds for the answer, without the time in which another question overtakes it. The process is
                killed after that time, as after any other failure.
            loading: Seconds for loading the bot if necessary; None for `limit`.
            job: The name of this question for questions that overtake it.
            overtaken: The job to overtake. The question then does not wait for a free process: the process of that job
                interrupts its advice and answers this question first.

        Raises:
            BotError: There is no answer; the message says why.
        """
        async with contextlib.nullcontext() if overtaken else self._slots:
            worker = await self._acquire_worker(question.get("game", ""), overtaken)
            try:
                return await self._ask_worker(worker, question, limit, loading, job)
            except BotTimeoutError:
                raise
            except BotError:
                if len(worker.games) < 2 and not worker.was_shared:
                    raise
            return await self._ask_worker(await self._start(), question, limit, loading, job)

    async def _acquire_worker(self, game: str, overtaken: Hashable) -> WorkerProcess:
        """Return a process for a question about a game: that of the overtaken job, or one without a question."""
        if overtaken:
            overtaken_worker = next((worker for worker in self._workers if overtaken in worker.jobs), None)
            if overtaken_worker and overtaken_worker.can_take(game):
                return overtaken_worker
        worker = self._idle.pop() if self._idle else None
        if worker and not worker.can_take(game):
            await self._end(worker)
            worker = None
        return worker or await self._start()

    async def _ask_worker(
        self, worker: WorkerProcess, question: dict[str, Any], limit: float | None, loading: float | None, job: Hashable
    ) -> dict[str, Any]:
        """Send a question to this process. Kill the process if it fails; else keep it for the next question if the pool
        does."""
        worker.jobs.append(job)
        worker.was_shared |= len(worker.jobs) > 1
        try:
            game = question.get("game", "")  # "" if the question is not about a bot
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
        if not worker.jobs and worker in self._workers:  # else it was killed because another question failed
            if self.keep_idle and len(self._workers) <= self.size:
                self._idle.append(worker)
            else:
                await self._end(worker)
        return answer

    async def load(self, game: str, bot: str, limit: float | None) -> None:
        """Load a bot into all processes, so that its first answers take no longer than later ones. Raises BotError if
        it cannot be loaded."""
        ready = {"want": "ready", "game": game, "bot": bot}
        results = await asyncio.gather(*(self.ask(ready, limit) for _ in range(self.size)), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    async def _start(self) -> WorkerProcess:
        process_group = None if sys.platform == "win32" else 0  # keep the terminal's Ctrl-C for the server process
        program = (sys.executable, "-m", self.module, f"{self.niceness}", f"{self.thinking_mb or 0}")
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=PIPE, stdout=PIPE, limit=self.line_bytes, process_group=process_group
            )
        except OSError as error:
            raise BotError(f"its process did not start: {error}") from None
        worker = WorkerProcess(process)
        self._workers.add(worker)
        return worker

    async def _end(self, worker: WorkerProcess) -> None:
        self._workers.discard(worker)
        await worker.end()

    async def close(self) -> None:
        """End all processes."""
        self._idle.clear()
        for worker in list(self._workers):
            await self._end(worker)


async def _answer_within(seconds: float | None, worker: WorkerProcess, question: dict[str, Any]) -> dict[str, Any]:
    task = asyncio.create_task(worker.answer(question))
    try:
        while True:
            answer_count = worker.answer_count
            done, _ = await asyncio.wait([task], timeout=seconds)
            if done:
                return task.result()
            if worker.answer_count == answer_count:  # else another question has overtaken it
                raise BotTimeoutError(f"it did not answer within {seconds:g} s")
    finally:
        task.cancel()
