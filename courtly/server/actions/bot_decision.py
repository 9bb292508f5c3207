"""One decision of a bot: hidden moves at once, visible moves later."""

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

SEARCH_TIME_FRACTION = 0.75  # fraction of the beat for the search; afterwards the squire makes the remaining choices
MAX_HIDDEN_MOVES = 200  # hidden moves in one decision; stops a bot that makes and takes back moves forever

log = logging.getLogger("courtly.server")


class BotDecision:
    """A decision of a bot for a seat. Thinking starts when the object is created.

    Hidden moves are made at once, visible moves when `reveal` is called.

    Args:
        beat: The seconds until `reveal` is called; 0: it is called when the bot is ready.
        is_alone: Whether only this seat has to decide. The caller then waits for the first move without a limit. The
            time for later moves is limited, so that it does not reveal the number of hidden moves.
    """

    def __init__(self, application: Application, table: LiveTable, seat: int, beat: float, is_alone: bool):
        self.application = application
        self.table = table
        self.seat = seat
        self.deadline = time.monotonic() + SEARCH_TIME_FRACTION * beat
        self.waits = is_alone or not beat
        self.is_limited = beat > 0
        # the visible move, and the legal moves among which it was chosen
        self._visible_choice: tuple[int, list[schemas.Move]] | None = None
        self._is_stopped = False
        self.think_task = asyncio.create_task(self._think())
        self.think_task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def _view(self) -> schemas.View:
        with self.table.guard_rules():
            return self.table.require_match().view(self.seat, 0)

    async def _think(self) -> None:
        for _ in range(MAX_HIDDEN_MOVES):
            view = self._view()
            if not view["legal"]:
                return
            move = await self._choose(view)
            if self._is_stopped:
                return
            if await play_for_bot(self.application, self.table, self.seat, move, noticed=False) is None:
                self._visible_choice = move, view["legal"]
                return
            self.waits = not self.is_limited

    async def _choose(self, view: schemas.View) -> int:
        with BOT_SECONDS.time():
            return await self._ask_bot(view)

    async def _ask_bot(self, view: schemas.View) -> int:
        pool, game, bot_seed = self.application.bots, self.table.row.game, self.table.bot_seed(self.seat)
        bot = self.table.deciding_bot(self.seat) or SQUIRE  # None: the player has just come back
        choice = asyncio.ensure_future(pool.choose(game, bot, view, bot_seed))
        choice.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            await asyncio.wait([choice], timeout=None if self.waits else max(0.0, self.deadline - time.monotonic()))
        except asyncio.CancelledError:
            choice.cancel()
            raise
        if choice.done() or bot in (SQUIRE, RANDOM):
            return await choice
        return await pool.choose(game, SQUIRE, view, bot_seed)

    def stop(self) -> None:
        """Discard the result of the running search."""
        self._is_stopped = True

    async def reveal(self) -> int:
        """Make the visible move. Returns the number of cues that spectators saw.

        Raises CommandRefusedError if the seat is no longer the bot's.
        """
        self.stop()
        async with self.table.lock:  # waits for a hidden move in progress
            pass
        if self.think_task.done():
            self.think_task.result()
        legal = self._view()["legal"]
        if (
            not legal or self._visible_choice and self._visible_choice[1] != legal
        ):  # no decision is due any more, or another one
            return 0
        if self._visible_choice:  # other seats may have moved, but the choice is still the same
            return await play_for_bot(self.application, self.table, self.seat, self._visible_choice[0]) or 0
        log.warning("table %s: bot not ready in time, hurrying it", self.table.row.id)
        return await self._move_at_random()

    async def _move_at_random(self) -> int:
        """Make a random visible move, after random hidden moves if no visible one is legal.

        Returns the number of cues that spectators saw.
        """
        rng = make_generator(self.table.bot_seed(self.seat))
        for _ in range(MAX_HIDDEN_MOVES):
            moves = [move["id"] for move in self._view()["legal"]]
            if not moves:
                return 0
            start = draw_below(rng, len(moves))
            for move in moves[start:] + moves[:start]:
                noticed_count = await play_for_bot(self.application, self.table, self.seat, move, noticed=True)
                if noticed_count is not None:
                    return noticed_count
            await play_for_bot(self.application, self.table, self.seat, moves[start])
        return 0
