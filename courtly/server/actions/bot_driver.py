"""The driver of the bots: asks them for moves, at a pace that people can follow and that reveals nothing secret.

A bot starts to think as soon as its decision is due. It makes hidden moves at once, so that other players cannot count
them. It makes visible moves after a delay (`beat`) that depends only on public facts: which bots have to decide, and
whether several seats have to. If the only seat that has to decide is a bot that needs longer, the driver waits for
further whole beats until the bot is ready. If several seats have to decide, a bot that is not ready after three
quarters of the beat makes the squire's move, and a random one if that is not ready after the beat.
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

# factors of `bot_pause`
SAME_BOT_PAUSE_FACTOR = 0.5  # when the same bot moves again after a move with a single cue
SIMULTANEOUS_PAUSE_FACTOR = 2.0  # when several seats decide at once; long enough for their hidden moves
LEVEL_PAUSE_FACTORS = {"master": 2.0}  # by level; long enough for its usual search

log = logging.getLogger("courtly.server")
sleep = asyncio.sleep  # tests replace it


def start_bots(application: Application) -> None:
    """Let the bots of all tables move from now on."""

    def schedule(table: LiveTable) -> None:
        if table.status == "playing" and any(
            application.bots.find_obstacle(table.row.game, bot) == "compiling" for bot in _playing_bots(table)
        ):
            application.bots.load_search(table.row.game)  # starts to compile even if a player moves first
        if (table.bot_task is None or table.bot_task.done()) and _pending_bot_seats(table):
            table.bot_task = asyncio.create_task(_run_bots(application, table))

    application.schedule_bots = schedule


def _playing_bots(table: LiveTable) -> list[str]:
    return [seat.playing_bot for seat in table.seats if seat.playing_bot]


def _pending_bot_seats(table: LiveTable) -> list[int]:
    """Return the seats for which a bot has to decide now.

    Returns none at a table without players and without connected clients, whose game therefore stops.
    """
    if table.match is None or table.problem or table.match.over:
        return []
    is_watched = table.has_clients or any(
        seat.kind in ("person", "local") and not seat.substitute_bot for seat in table.seats
    )
    return [seat for seat in table.match.pending if table.deciding_bot(seat)] if is_watched else []


async def _run_bots(application: Application, table: LiveTable) -> None:
    """Run a table's bots unless another process does."""
    async with application.peers.claim_bots(table) as is_ours:
        if is_ours:  # otherwise PeerSync.do_periodic_work tries again every second
            await _decide_repeatedly(application, table)


async def _decide_repeatedly(application: Application, table: LiveTable) -> None:
    pause = application.settings.bot_pause
    factor = 1.0
    while seats := _pending_bot_seats(table):
        try:
            factor = await _decide_together(application, table, seats, pause * factor)
        except CommandRefusedError:  # the table has a problem, which its clients know
            return
        except SQLAlchemyError as error:
            log.error("bots at table %s: the database refused: %s", table.row.id, database_reason(error))
            await sleep(STORAGE_RETRY_DELAY_S)
        except Exception:
            log.exception("bots at table %s stop until the next move of a player", table.row.id)
            return


async def _decide_together(application: Application, table: LiveTable, seats: list[int], pause: float) -> float:
    """Let bots make one decision for each of these seats, concurrently, and reveal the moves together.

    Returns the factor for the next pause. All times follow from what spectators see: which seats have to decide, and
    the number of cues.
    """
    bots = [str(table.deciding_bot(seat)) for seat in seats]
    await application.bots.prepare(table.row.game, bots)
    is_alone = len(table.require_match().pending) == 1
    beat = (
        pause * max(LEVEL_PAUSE_FACTORS.get(bot, 1.0) for bot in bots) * (1 if is_alone else SIMULTANEOUS_PAUSE_FACTOR)
    )
    bot_decisions = [BotDecision(application, table, seat, beat, is_alone) for seat in seats]
    try:
        await sleep(beat)
        if not pause:  # as fast as possible
            await asyncio.wait([decision.think_task for decision in bot_decisions])
        while is_alone and not bot_decisions[0].think_task.done():
            await sleep(beat)
    except asyncio.CancelledError:
        for decision in bot_decisions:
            decision.think_task.cancel()
        raise
    noticed_count = 0
    try:
        for decision in bot_decisions:
            try:
                noticed_count = await decision.reveal()
            except CommandRefusedError as refused:
                log.info("table %s: move of a bot refused: %s", table.row.id, refused.id)
    finally:
        for decision in bot_decisions:  # after a database error, the next round starts new decisions
            decision.stop()
    is_single_cue = is_alone and noticed_count == 1 and table.require_match().pending == tuple(seats)
    return SAME_BOT_PAUSE_FACTOR if is_single_cue else 1.0
