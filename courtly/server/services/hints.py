"""Hints for players: see courtly/bots/advice.py."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import Literal, cast

from courtly.bots.browser_files import is_shipped
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

WORKER_NICENESS = 15  # hint processes run at a lower priority than bot processes, for which a game waits
MAX_PENDING_PER_GUEST = 2  # unanswered questions of one guest; an address may have `people_per_address` times as many

log = logging.getLogger("courtly.server")


class HintService:
    """Answers requests for hints. Each question is computed once, however often it is asked."""

    def __init__(self, pool: BotService, settings: Settings):
        self.pool = pool
        self.search_limit_s = settings.hint_limit
        # separate from the bots' processes, so that hints do not delay bots
        self.workers = WorkerPool(settings.hint_workers, WORKER_NICENESS)
        rate = settings.hints_per_second
        self.rate_limit = GuestAndAddressLimit(rate, 10 * rate, settings.people_per_address)
        self.people_per_address = settings.people_per_address
        self._queue = FairQueue(settings.hint_workers, overtaking=True)
        self._unanswered = Counter[str]()  # guest or address -> unanswered questions
        self._tasks: set[asyncio.Task[Advice]] = set()  # the computations of unanswered questions

    async def advise(self, table: LiveTable, guest: str, body: HintRequest, address: str) -> Advice:
        """Return the estimated results of a guest's seat and, if requested, good moves.

        Raises CommandRefusedError if hints are off or impossible at this table, if hints for moves are requested and it
        is not the seat's turn, if the request is stale, or if the guest or the address has asked too often.
        """
        self._require_consent(table, guest, body.seat)
        match = table.require_match()
        if match.over:
            raise CommandRefusedError("error-over")
        if body.seq != match.seq(body.seat):
            raise CommandRefusedError("error-stale")
        with table.guard_rules():
            view = match.view(body.seat)
        if body.hints and not view["legal"]:
            raise CommandRefusedError("error-not-your-turn")
        cached = table.advice.get((body.seat, body.hints))
        if cached is None or cached[0] != body.seq or _has_failed(cached[1]) or self._can_improve(table, cached[1]):
            view_fields = cast("dict[str, object]", view)
            position_view = cast(PositionView, {name: view_fields[name] for name in PositionView.__annotations__})
            task = self._start_search(table.row.game, guest, address, position_view, body.hints)
            cached = table.advice[body.seat, body.hints] = body.seq, task
        advice = await asyncio.shield(cached[1])
        self._require_consent(table, guest, body.seat)  # meanwhile a player may have withdrawn consent, or left
        return advice

    @staticmethod
    def _require_consent(table: LiveTable, guest: str, seat: int) -> None:
        """Raise CommandRefusedError unless the seat is the guest's own and all players agree to hints."""
        owned_seat = table.require_own_seat(guest, seat)
        if table.help == "off":
            raise CommandRefusedError("error-no-help")
        if owned_seat.substitute_bot:
            raise CommandRefusedError("error-substitute")

    def _start_search(
        self, game: str, guest: str, address: str, view: PositionView, hints: bool
    ) -> asyncio.Task[Advice]:
        if self.pool.find_obstacle(game, SEARCH_BOT) == "missing":
            raise CommandRefusedError("error-no-machine-code")
        senders = {guest: MAX_PENDING_PER_GUEST, network_of(address): MAX_PENDING_PER_GUEST * self.people_per_address}
        is_crowded = any(self._unanswered[sender] >= limit for sender, limit in senders.items())
        if is_crowded or not self.rate_limit.take(guest, address):
            raise CommandRefusedError("error-too-fast")
        self._unanswered.update(senders.keys())
        task = asyncio.create_task(self._make_advice(game, guest, address, view, hints))
        self._tasks.add(task)
        task.add_done_callback(lambda task: self._end_question(senders, task))
        return task

    async def _make_advice(self, game: str, guest: str, address: str, view: PositionView, hints: bool) -> Advice:
        """Return the search's advice, in the turn of the fair queue.

        While the search is not compiled, or if it fails, return the squire's move instead. Raises CommandRefusedError
        if the squire fails, too.
        """
        if not self.pool.find_obstacle(game, SEARCH_BOT):
            try:
                async with self._queue.turn(guest, address) as job:
                    question = {"want": "advice", "game": game, "bot": SEARCH_BOT, "view": view, "hints": hints}
                    response = await self.workers.ask(
                        question, self.search_limit_s, LOADING_TIMEOUT_S, job, job.overtaken
                    )
                    return cast(Advice, response["advice"])
            except BotError as error:
                log.error("search of %s failed for a hint, using the squire's move: %s", game, error)
        advice: Advice = {"wins": [], "margin": 0, "counted": False, "hints": []}
        if hints and len(view["legal"]) > 1:
            try:
                number = (await self.pool.ask("simple-move", game, RANDOM, view, 0))["move"]
            except BotError as error:
                log.error("squire of %s failed for a hint: %s", game, error)
                raise CommandRefusedError("error-no-advice") from None
            move = next(move for move in view["legal"] if move["id"] == number)
            advice["hints"].append({"move": move, "wins": None, "margin": 0, "reasons": []})
        return advice

    def find_obstacle(self, game: str) -> Literal["missing"] | None:
        """Return "missing" if neither this server has machine code nor the browsers can compute hints, otherwise None.

        Starts to compile the game if needed. Until it is compiled, or if its search fails, the squire gives hints.
        """
        self.pool.load_search(game)
        is_missing = self.pool.find_obstacle(game, SEARCH_BOT) == "missing" and not is_shipped(game)
        return "missing" if is_missing else None

    def _end_question(self, senders: Iterable[str], task: asyncio.Task[Advice]) -> None:
        self._tasks.discard(task)
        self._unanswered.subtract(senders)
        self._unanswered += Counter()  # drops the entries that are 0
        if not task.cancelled():
            task.exception()

    def _can_improve(self, table: LiveTable, task: asyncio.Task[Advice]) -> bool:
        """Return whether the search could now replace an answer of the squire."""
        return task.done() and not task.result()["wins"] and not self.pool.find_obstacle(table.row.game, SEARCH_BOT)

    async def close(self) -> None:
        """Cancel all unanswered questions, and end all processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.workers.close()


def _has_failed(task: asyncio.Task[Advice]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
