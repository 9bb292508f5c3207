"""Moves and taking back: checked, played on a copy, committed, and only then shown to anybody."""
from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from courtly.engine.match import Entry, Match, Refused
from courtly.server import store
from courtly.server.house import House
from courtly.server.store import Conflict, Submission
from courtly.server.tables import Table, now


@dataclass(frozen=True, slots=True)
class Command:
    """`moves` None: take back. `seq`: the seat's clock as the sender knew it."""
    seat: int
    seq: int
    moves: tuple[int, ...] | None

    def carry_out(self, match: Match, at: int) -> list[Entry]:
        """Do it; Refused changes nothing."""
        if self.moves is None:
            if match.over:
                raise Refused("error-over")
            return match.undo(self.seat, at=at, seq=self.seq)
        return match.play(self.seat, self.moves, at=at, seq=self.seq)

    def text(self) -> str:
        """What is kept beside its key, to know it again."""
        return json.dumps([self.seat, self.seq, self.moves], separators=(",", ":"))


async def command(house: House, table: Table, guest: str, wanted: Command, key: str,
                  done: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Carry out a person's command once. Returns the seat's view right after it, with the cues since `wanted.seq`.

    The same key again gives the same answer and does nothing. `done` is called after the commit, before anybody is told.
    """
    # Shielded: who hangs up in the middle must not leave memory and journal apart, and then nobody asks how it ended.
    task = asyncio.ensure_future(_command(house, table, guest, wanted, key, done))
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return await asyncio.shield(task)


async def _command(house: House, table: Table, guest: str, wanted: Command, key: str, done: Callable[[], None]) -> dict[str, Any]:
    table.own(guest, wanted.seat)
    submission = Submission(guest, key, wanted.text(), 0)
    async with table.lock:
        try:
            if table.own(guest, wanted.seat).standin:
                raise Refused("error-standin")
            answer = await _play(house, table, wanted, submission, done)
        except Refused:
            # A command that was carried out is always refused the second time, for the seat's clock has moved on.
            earlier = await house.journal.do(lambda c: store.find_submission(c, table.row.id, guest, key))
            if earlier is None:
                raise
            if earlier.command != wanted.text():
                raise Refused("error-key") from None
            done()
            return table.replay(table.playing().entries[:earlier.length]).view(wanted.seat, wanted.seq)
    house.wake(table)
    return answer


async def play_for_bot(house: House, table: Table, wanted: Command) -> int:
    """A bot's move. Returns how many new cues the spectators saw. Refused if it has become stale or the seat is no longer the bot's."""
    async with table.lock:
        if table.seats[wanted.seat].player is None:
            raise Refused("error-no-standin")
        before = table.playing().seq(None)
        await _play(house, table, wanted, None, lambda: None)
        return table.playing().seq(None) - before


async def _play(house: House, table: Table, wanted: Command, submission: Submission | None, done: Callable[[], None]) -> dict[str, Any]:
    """With the table's lock held."""
    at = now()
    after = table.playing().copy()
    with table.by_the_rules():
        entries = wanted.carry_out(after, at)
        answer, noticed = after.view(wanted.seat, wanted.seq), after.noticed(entries)
    ended = at if after.over else None
    kept = submission and replace(submission, length=len(after.entries))
    try:
        await house.journal.do(lambda c: store.submit(c, table.row.id, entries, kept, ended))
    except Conflict:
        await house.reload(table)
        table.tell_table()
        table.tell_views([None, *range(table.row.players)])
        raise Refused("error-stale") from None
    table.match = after
    done()
    table.tell_views(noticed)
    if ended is not None:
        table.row = replace(table.row, ended=ended)
        table.tell_table()
        house.lobby.changed()
    return answer
