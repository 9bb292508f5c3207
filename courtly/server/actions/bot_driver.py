"""Bots at the tables: asked when it is their turn, at a pace that people can follow and that tells nothing of what they
hold.

A bot thinks as soon as its decision is due. What it chooses in secret it does at once, so that nobody can count it;
what others notice it does when a time is over that follows from public facts alone: who decides, and whether several
do. Whoever decides alone and thinks longer is waited for in whole times of that length; of several who decide at once,
whoever has not thought to the end by then is hurried.
"""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.position import CommandRefusedError
from courtly.server.actions.bot_decision import BotDecision
from courtly.server.application import Application
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.tables.table import LiveTable

SAME_BOT_PAUSE_FACTOR = 0.5  # of the pause, when the same bot goes on after a move that set nothing else in motion
# pauses, when several decide at once: long enough for all that is chosen in secret then
SIMULTANEOUS_PAUSE_FACTOR = 2.0
LEVEL_PAUSE_FACTORS = {"master": 2.0}  # pauses, for as long as it thinks as a rule

log = logging.getLogger("courtly.server")
sleep = asyncio.sleep  # tests have a clock of their own


def start_bots(application: Application) -> None:
    """From now on the house's bots play whenever they are to move."""

    def wake(table: LiveTable) -> None:
        if table.status == "playing" and any(
            application.bots.hindrance(table.row.game, bot) == "compiling" for bot in _bot_kinds(table)
        ):
            application.bots.arm(table.row.game)  # whoever moves first
        if (table.driver is None or table.driver.done()) and _pending_bot_seats(table):
            table.driver = asyncio.create_task(_drive(application, table))

    application.schedule_bots = wake


def _bot_kinds(table: LiveTable) -> list[str]:
    return [seat.player for seat in table.seats if seat.player]


def _pending_bot_seats(table: LiveTable) -> list[int]:
    """The seats that a bot should move for now. A table that everybody has left stands still."""
    if table.match is None or table.problem or table.match.over:
        return []
    watched = table.watched or any(seat.kind in ("person", "local") and not seat.standin for seat in table.seats)
    return [seat for seat in table.match.pending if table.player(seat)] if watched else []


async def _drive(application: Application, table: LiveTable) -> None:
    async with application.peers.drive(table) as ours:
        if ours:  # else another process does, and is asked again in a while
            await _drive_on(application, table)


async def _drive_on(application: Application, table: LiveTable) -> None:
    pause = application.settings.bot_pause
    factor = 1.0
    while seats := _pending_bot_seats(table):
        try:
            factor = await _decide_together(application, table, seats, pause * factor)
        except CommandRefusedError:  # the table has a problem: everybody there knows
            return
        except SQLAlchemyError as error:
            log.error("bots at table %s: the database refused: %s", table.row.id, database_reason(error))
            await sleep(STORAGE_RETRY_DELAY_S)
        except Exception:
            log.exception("the bots at table %s stop until somebody moves", table.row.id)
            return


async def _decide_together(application: Application, table: LiveTable, seats: list[int], pause: float) -> float:
    """One decision of each of these seats, thought about at once and shown together. Returns the factor for the next
    pause.

    All of it follows from what spectators see: who is to move, and how much they saw happen.
    """
    bots = [str(table.player(seat)) for seat in seats]
    await application.bots.prepare(table.row.game, bots)
    alone = len(table.playing().pending) == 1
    beat = pause * max(LEVEL_PAUSE_FACTORS.get(bot, 1.0) for bot in bots) * (1 if alone else SIMULTANEOUS_PAUSE_FACTOR)
    minds = [BotDecision(application, table, seat, beat, alone) for seat in seats]
    try:
        await sleep(beat)
        if not pause:  # as fast as they can
            await asyncio.wait([mind.thinking for mind in minds])
        while alone and not minds[0].thinking.done():
            await sleep(beat)
    except asyncio.CancelledError:
        for mind in minds:
            mind.thinking.cancel()
        raise
    seen = 0
    try:
        for mind in minds:
            try:
                seen = await mind.show()
            except CommandRefusedError as refused:
                log.info("a bot at table %s came too late: %s", table.row.id, refused.id)
    finally:
        for mind in minds:  # where the disk refused, the next round begins anew
            mind.stop()
    quiet = alone and seen == 1 and table.playing().pending == tuple(seats)
    return SAME_BOT_PAUSE_FACTOR if quiet else 1.0
