"""A bot making up its mind."""

from __future__ import annotations

import asyncio
import logging
import time

from courtly.bots.registry import RANDOM, SQUIRE
from courtly.engine import schemas
from courtly.engine.rng import draw_below, make_generator
from courtly.server.actions.game_commands import play_for_bot
from courtly.server.application import Application
from courtly.server.observability.metrics import BOT_SECONDS
from courtly.server.tables.table import LiveTable

SEARCH_TIME_FRACTION = 0.75  # of the time until it is shown; then the squire decides the rest
MAX_HIDDEN_MOVES = 200  # secret moves in one decision: a bot that changes its mind for ever is hurried too

log = logging.getLogger("courtly.server")


class BotDecision:
    """Thinks about a seat's decision from the moment it is made. What nobody else notices it does at once, the rest
    when it is told to `show`, which will be in `beat` seconds (0: when it is ready). Who is `alone` is waited for, but
    only for one move: how many there are in secret must not be told by the time they take."""

    def __init__(self, application: Application, table: LiveTable, seat: int, beat: float, alone: bool):
        self.application = application
        self.table = table
        self.seat = seat
        self.until = time.monotonic() + SEARCH_TIME_FRACTION * beat
        self.patient = alone or not beat
        self.hurries = beat > 0
        # the move that others will notice, and what it was chosen from
        self._found: tuple[int, list[schemas.Move]] | None = None
        self._hurried = False
        self.thinking = asyncio.create_task(self._think())
        self.thinking.add_done_callback(lambda task: task.cancelled() or task.exception())

    def _view(self) -> schemas.View:
        with self.table.by_the_rules():
            return self.table.playing().view(self.seat, 0)

    async def _think(self) -> None:
        for _ in range(MAX_HIDDEN_MOVES):
            view = self._view()
            if not view["legal"]:
                return
            move = await self._choose(view)
            if self._hurried:
                return
            if await play_for_bot(self.application, self.table, self.seat, move, noticed=False) is None:
                self._found = move, view["legal"]
                return
            self.patient = not self.hurries

    async def _choose(self, view: schemas.View) -> int:
        with BOT_SECONDS.time():
            return await self._chosen(view)

    async def _chosen(self, view: schemas.View) -> int:
        pool, game, whim = self.application.bots, self.table.row.game, self.table.whim(self.seat)
        bot = self.table.player(self.seat) or SQUIRE  # whose player has come back just now
        asked = asyncio.ensure_future(pool.choose(game, bot, view, whim))
        asked.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            await asyncio.wait([asked], timeout=None if self.patient else max(0.0, self.until - time.monotonic()))
        except asyncio.CancelledError:
            asked.cancel()
            raise
        if asked.done() or bot in (SQUIRE, RANDOM):
            return await asked
        return await pool.choose(game, SQUIRE, view, whim)

    def stop(self) -> None:
        """Whatever it is still thinking comes too late."""
        self._hurried = True

    async def show(self) -> int:
        """Do what the others notice. Returns how many cues the spectators saw by it. CommandRefusedError if it is this
        bot's no more."""
        self.stop()
        async with self.table.lock:  # but what it is doing just now is still done
            pass
        if self.thinking.done():
            self.thinking.result()
        legal = self._view()["legal"]
        if not legal or self._found and self._found[1] != legal:  # nothing is to be decided, or something else
            return 0
        if self._found:  # whatever others did meanwhile, the same decision stands
            return await play_for_bot(self.application, self.table, self.seat, self._found[0]) or 0
        log.warning("a bot at table %s did not think to the end: it is hurried", self.table.row.id)
        return await self._hurry()

    async def _hurry(self) -> int:
        """Anything that others notice; something in secret first where nothing else can be done."""
        rng = make_generator(self.table.whim(self.seat))
        for _ in range(MAX_HIDDEN_MOVES):
            moves = [move["id"] for move in self._view()["legal"]]
            if not moves:
                return 0
            start = draw_below(rng, len(moves))
            for move in moves[start:] + moves[:start]:
                seen = await play_for_bot(self.application, self.table, self.seat, move, noticed=True)
                if seen is not None:
                    return seen
            await play_for_bot(self.application, self.table, self.seat, moves[start])
        return 0
