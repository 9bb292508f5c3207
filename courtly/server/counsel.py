"""What people are told who want help at their table: see courtly/bots/advice.py."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from courtly.bots.pool import LOADING, SEARCH, Hindrance, Pool
from courtly.bots.workers import BotFailed, Workers
from courtly.engine.position import Refused
from courtly.engine.shapes import Advice, Glance
from courtly.server.limits import Share
from courtly.server.messages import Wonder
from courtly.server.settings import Settings
from courtly.server.tables import Table

NICE = 15  # the processes that think about it give way to those that the game waits for
AT_ONCE = 2  # questions of one person that are thought about or wait
WAITING = 40  # of all people
NONE = {"compiling": "error-not-ready", "missing": "error-no-machine-code", "broken": "error-no-advice"}

log = logging.getLogger("courtly.server")


class Counsel:
    """Thinks about a question once, however often it is asked."""

    def __init__(self, pool: Pool, settings: Settings):
        self.pool = pool
        self.limit = settings.help_limit
        self.workers = Workers(settings.help_workers, NICE)  # its own, or it would keep bots waiting
        rate = settings.questions_per_second
        self.questions = Share(rate, 10 * rate, settings.people_per_address)
        self._asking: dict[str, int] = {}  # guest -> questions that are not answered yet

    async def advise(self, table: Table, guest: str, wish: Wonder, address: str) -> Advice:
        """What this guest's seat may expect, and what is good for it to do. Refused where there is no help, it is not
        for this seat to decide, or somebody asks too much."""
        seat = table.own(guest, wish.seat)
        if table.help == "off":
            raise Refused("error-no-help")
        if seat.standin:
            raise Refused("error-standin")
        match = table.playing()
        if match.over:
            raise Refused("error-over")
        if wish.seq != match.seq(wish.seat):
            raise Refused("error-stale")
        with table.by_the_rules():
            view = match.view(wish.seat)
        if wish.hints and not view["legal"]:
            raise Refused("error-not-your-turn")
        known = table.advice.get((wish.seat, wish.hints))
        if known is None or known[0] != wish.seq or _failed(known[1]):
            whole = cast("dict[str, object]", view)
            glance = cast(Glance, {name: whole[name] for name in Glance.__annotations__})
            task = self._think(table.row.game, guest, address, glance, wish.hints)
            known = table.advice[wish.seat, wish.hints] = wish.seq, task
        try:
            return await asyncio.shield(known[1])
        except BotFailed as why:
            log.error("no help at table %s: %s", table.row.id, why)
            raise Refused("error-no-advice") from None

    def _think(self, game: str, guest: str, address: str, view: Glance, hints: bool) -> asyncio.Task[Advice]:
        if why := self.hindrance(game):
            raise Refused(NONE[why])
        asking = self._asking.get(guest, 0)
        if asking >= AT_ONCE or sum(self._asking.values()) >= WAITING or not self.questions.take(guest, address):
            raise Refused("error-too-fast")
        self._asking[guest] = asking + 1
        task = asyncio.create_task(self._ask(game, view, hints))
        task.add_done_callback(lambda task: self._answered(guest, task))
        return task

    async def _ask(self, game: str, view: Glance, hints: bool) -> Advice:
        question = {"want": "advice", "game": game, "bot": SEARCH, "view": view, "hints": hints}
        advice: Advice = (await self.workers.ask(question, self.limit, LOADING))["advice"]
        return advice

    def hindrance(self, game: str) -> Hindrance | None:
        """What is in the way of help. If it is only that the game is not compiled, it will be."""
        self.pool.arm(game)
        return self.pool.hindrance(game, SEARCH)

    def _answered(self, guest: str, task: asyncio.Task[Advice]) -> None:
        self._asking[guest] -= 1
        if not self._asking[guest]:
            del self._asking[guest]
        if not task.cancelled():
            task.exception()

    async def close(self) -> None:
        await self.workers.close()


def _failed(task: asyncio.Task[Advice]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
