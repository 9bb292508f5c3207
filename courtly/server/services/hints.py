"""What people are told who want help at their table: see courtly/bots/advice.py."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import Literal, cast

from courtly.bots.registry import RANDOM
from courtly.bots.runtime.bot_service import LOADING_TIMEOUT_S, SEARCH_BOT, BotService
from courtly.bots.runtime.worker_pool import BotError, WorkerPool
from courtly.engine.position import CommandRefusedError
from courtly.engine.schemas import Advice, PositionView
from courtly.server.schemas.requests import HintRequest
from courtly.server.security.rate_limits import GuestAndAddressLimit, network_of
from courtly.server.services.fair_queue import FairQueue
from courtly.server.settings import Settings
from courtly.server.tables.table import LiveTable

WORKER_NICENESS = 15  # the processes that think about it give way to those that the game waits for
# questions of one person that are thought about or wait; of an address, of as many people as it may have
MAX_PENDING_PER_GUEST = 2

log = logging.getLogger("courtly.server")


class HintService:
    """Thinks about a question once, however often it is asked."""

    def __init__(self, pool: BotService, settings: Settings):
        self.pool = pool
        self.limit = settings.help_limit
        self.workers = WorkerPool(settings.help_workers, WORKER_NICENESS)  # its own, or it would keep bots waiting
        rate = settings.questions_per_second
        self.questions = GuestAndAddressLimit(rate, 10 * rate, settings.people_per_address)
        self.people = settings.people_per_address
        self._queue = FairQueue(settings.help_workers, overtaking=True)
        self._asking = Counter[str]()  # guest or address -> questions that are not answered yet
        self._thinking: set[asyncio.Task[Advice]] = set()  # about them

    async def advise(self, table: LiveTable, guest: str, wish: HintRequest, address: str) -> Advice:
        """What this guest's seat may expect, and what is good for it to do. CommandRefusedError where there is no
        help, it is not for this seat to decide, or somebody asks too much."""
        self._check(table, guest, wish.seat)
        match = table.playing()
        if match.over:
            raise CommandRefusedError("error-over")
        if wish.seq != match.seq(wish.seat):
            raise CommandRefusedError("error-stale")
        with table.by_the_rules():
            view = match.view(wish.seat)
        if wish.hints and not view["legal"]:
            raise CommandRefusedError("error-not-your-turn")
        known = table.advice.get((wish.seat, wish.hints))
        if known is None or known[0] != wish.seq or _failed(known[1]) or self._better(table, known[1]):
            whole = cast("dict[str, object]", view)
            glance = cast(PositionView, {name: whole[name] for name in PositionView.__annotations__})
            task = self._think(table.row.game, guest, address, glance, wish.hints)
            known = table.advice[wish.seat, wish.hints] = wish.seq, task
        advice = await asyncio.shield(known[1])
        self._check(table, guest, wish.seat)  # meanwhile somebody may have said no, or left
        return advice

    @staticmethod
    def _check(table: LiveTable, guest: str, seat: int) -> None:
        """Refused unless this seat is the guest's and all that play agree to help."""
        found = table.own(guest, seat)
        if table.help == "off":
            raise CommandRefusedError("error-no-help")
        if found.standin:
            raise CommandRefusedError("error-standin")

    def _think(self, game: str, guest: str, address: str, view: PositionView, hints: bool) -> asyncio.Task[Advice]:
        if self.hindrance(game):
            raise CommandRefusedError("error-no-machine-code")
        senders = {guest: MAX_PENDING_PER_GUEST, network_of(address): MAX_PENDING_PER_GUEST * self.people}
        crowded = any(self._asking[sender] >= most for sender, most in senders.items())
        if crowded or not self.questions.take(guest, address):
            raise CommandRefusedError("error-too-fast")
        self._asking.update(senders.keys())
        task = asyncio.create_task(self._answer(game, guest, address, view, hints))
        self._thinking.add(task)
        task.add_done_callback(lambda task: self._answered(senders, task))
        return task

    async def _answer(self, game: str, guest: str, address: str, view: PositionView, hints: bool) -> Advice:
        """Return what the search says, in turn with all that ask; until it is compiled, and where it fails, what the
        squire says."""
        if not self.pool.hindrance(game, SEARCH_BOT):
            try:
                async with self._queue.turn(guest, address) as job:
                    question = {"want": "advice", "game": game, "bot": SEARCH_BOT, "view": view, "hints": hints}
                    answer = await self.workers.ask(question, self.limit, LOADING_TIMEOUT_S, job, job.overtaken)
                    return cast(Advice, answer["advice"])
            except BotError as why:
                log.error("the search of %s gave no advice: %s; the squire's is given", game, why)
        advice: Advice = {"wins": [], "margin": 0, "counted": False, "hints": []}
        if hints and len(view["legal"]) > 1:
            try:
                number = (await self.pool.ask("simple-move", game, RANDOM, view, 0))["move"]
            except BotError as why:
                log.error("the squire of %s gave no advice either: %s", game, why)
                raise CommandRefusedError("error-no-advice") from None
            move = next(move for move in view["legal"] if move["id"] == number)
            advice["hints"].append({"move": move, "wins": None, "margin": 0, "reasons": []})
        return advice

    def hindrance(self, game: str) -> Literal["missing"] | None:
        """What is in the way of help: that there is no machine code. Where a game is not compiled yet, or its search
        fails, the squire helps; if it is only not compiled, it will be."""
        self.pool.arm(game)
        return "missing" if self.pool.hindrance(game, SEARCH_BOT) == "missing" else None

    def _answered(self, senders: Iterable[str], task: asyncio.Task[Advice]) -> None:
        self._thinking.discard(task)
        self._asking.subtract(senders)
        self._asking += Counter()  # without those that have none
        if not task.cancelled():
            task.exception()

    def _better(self, table: LiveTable, task: asyncio.Task[Advice]) -> bool:
        """Was this the squire's answer, and could the search give one now?"""
        return task.done() and not task.result()["wins"] and not self.pool.hindrance(table.row.game, SEARCH_BOT)

    async def close(self) -> None:
        """Give up what is not answered yet, and end all processes."""
        for task in self._thinking:
            task.cancel()
        await asyncio.gather(*self._thinking, return_exceptions=True)
        await self.workers.close()


def _failed(task: asyncio.Task[Advice]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
