"""Bots at the tables: asked when it is their turn, at a pace that people can follow and that tells nothing of what they hold."""
from __future__ import annotations

import asyncio
import logging

from courtly.engine.match import Refused
from courtly.server.house import House
from courtly.server.play import Command, play_for_bot
from courtly.server.tables import Table

QUICK = 0.5             # of the pause, when the same bot goes on after a move that set nothing else in motion
RETRY = 1.0             # seconds before another try when the disk refused

log = logging.getLogger("courtly.server")


def drive_bots(house: House) -> None:
    """From now on the house's bots play whenever they are to move."""
    def wake(table: Table) -> None:
        if (table.driver is None or table.driver.done()) and _waiting_bots(table):
            table.driver = asyncio.create_task(_drive(house, table))
    house.wake = wake


def _waiting_bots(table: Table) -> list[int]:
    """The seats that a bot should move for now. A table that everybody has left stands still."""
    if table.match is None or table.problem or table.match.over:
        return []
    watched = bool(table.listeners) or any(seat.kind in ("person", "local") and not seat.standin for seat in table.seats)
    return [seat for seat in table.match.pending if table.seats[seat].player] if watched else []


async def _drive(house: House, table: Table) -> None:
    pause = house.settings.bot_pause
    factor = 1.0
    while seats := _waiting_bots(table):
        try:
            factor = await _round(house, table, seats, pause * factor)
        except Refused as refused:
            log.info("a bot at table %s came too late: %s", table.row.id, refused.id)
            factor = 1.0
        except Exception:
            log.exception("bots at table %s", table.row.id)
            await asyncio.sleep(RETRY)


async def _round(house: House, table: Table, seats: list[int], pause: float) -> float:
    """One decision of each of these seats, thought about at once and made together. Returns the factor for the next pause.

    All of it follows from what spectators see: who is to move, and how much they saw happen.
    """
    match = table.playing()
    views = {seat: match.view(seat, 0) for seat in seats}
    bots = {seat: str(table.seats[seat].player) for seat in seats}
    seeds = {seat: table.whim(seat, views[seat]["seq"]) for seat in seats}
    thoughts = asyncio.gather(*(house.pool.choose(table.row.game, bots[seat], views[seat], seeds[seat]) for seat in seats))
    moves, _ = await asyncio.gather(thoughts, asyncio.sleep(pause))
    alone = len(match.pending) == 1
    seen = 0
    for seat, move in zip(seats, moves, strict=True):
        seen = await play_for_bot(house, table, Command(seat, views[seat]["seq"], (move,)))
    quiet = alone and seen == 1 and table.playing().pending == tuple(seats)
    return QUICK if quiet else 1.0
