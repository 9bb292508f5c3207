"""Games played back, from the journal of a table or from a record that somebody brings."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from courtly.engine.match import Match
from courtly.engine.position import Refused
from courtly.server.brought import Brought, check_seat
from courtly.server.limits import Share
from courtly.server.past import Eyes, Past, played
from courtly.server.settings import Settings
from courtly.server.statics import File, pack
from courtly.server.tables import Table

SLICE = 0.002  # seconds of work between which others come in
MOST = 20.0  # seconds of work for a record that somebody brings
KEPT = 64  # finished games that are at hand


class Replays:
    """Made a little at a time, so that nobody's move waits for it. Those of finished games are kept."""

    def __init__(self, settings: Settings):
        rate = settings.commands_per_second
        self.asked = Share(rate / 10, rate, settings.people_per_address)
        self._kept: OrderedDict[tuple[str, Eyes], File] = OrderedDict()
        self._tables, self._records = asyncio.Semaphore(1), asyncio.Semaphore(1)  # nobody's record keeps tables waiting

    async def of_table(self, table: Table, guest: str | None, address: str, eyes: Eyes) -> File:
        """What these eyes saw at a table. Refused before the end, unless they are the guest's own or a spectator's."""
        match = table.playing()  # a move makes another one, so this does not change
        if not match.over and eyes == "all":
            raise Refused("error-not-over")
        if not match.over and isinstance(eyes, int):
            table.own(guest, eyes)
        check_seat(eyes, match.players)
        known = self._kept.get((table.row.id, eyes))
        if known:
            return known
        self._take(guest, address)
        past = await self._follow(played(match), Past(eyes), self._tables)
        if not match.over:  # compressed, its length would tell of what it holds
            return File("application/json", _text(past.answer(False)), None)
        made = self._kept[table.row.id, eyes] = pack("application/json", _text(past.answer(True)))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    async def of_record(self, text: str, address: str, eyes: Eyes) -> File:
        """What these eyes saw in the game of a record. Refused, with the first wrong line, if it is not in order."""
        self._take(None, address)
        brought = Brought(text, eyes)
        await self._follow(brought.steps(), brought.past, self._records)
        return pack("application/json", _text(brought.answer()))

    def _take(self, guest: str | None, address: str) -> None:
        if not self.asked.take(guest, address):
            raise Refused("error-too-fast")

    async def _follow(self, steps: Iterator[Match], past: Past, one: asyncio.Semaphore) -> Past:
        """To the end, with pauses. Refused if that takes too long."""
        async with one:
            worked, began = 0.0, time.monotonic()
            for match in steps:
                past.look(match)
                if (spent := time.monotonic() - began) > SLICE:
                    worked += spent
                    if worked > MOST:
                        raise Refused("error-too-large", limit=MOST)
                    await asyncio.sleep(0)
                    began = time.monotonic()
        return past


def _text(told: Any) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
