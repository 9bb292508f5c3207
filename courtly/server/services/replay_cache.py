"""Games played back, from the journal of a table or from a record that somebody brings."""

from __future__ import annotations

import asyncio
import logging
from base64 import b64decode
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from courtly.bots.runtime.worker_pool import BotError, BotTimeoutError, WorkerPool
from courtly.engine.position import CommandRefusedError
from courtly.runtime.time_slices import collect_in_slices, run_in_slices
from courtly.server.assets.bundle import Asset, compress, json_bytes
from courtly.server.security.rate_limits import GuestAndAddressLimit
from courtly.server.services.fair_queue import FairQueue
from courtly.server.settings import Settings
from courtly.server.tables.table import LiveTable
from courtly.session.record_replay import check_seat
from courtly.session.view_history import ViewHistory, Viewpoint, replay_decisions

MAX_REPLAYS = 64  # finished games that are at hand
RECORD_LIMIT_S = 20.0  # for a record that somebody brings
RECORDS_PER_GUEST, RECORDS_PER_ADDRESS = 2, 8  # that wait; each is up to 1 MiB
TABLES_PER_GUEST = 4  # whose games wait to be written out; of an address, as many for each guest that it may have
REPLAY_WORKER = "courtly.server.services.replay_worker"
WORKER_NICENESS = 15  # of the process that plays records back: no more than those that work out hints have
MAX_ANSWER_BYTES = 1 << 26  # of the longest answer of that process

log = logging.getLogger("courtly.server")


class ReplayCache:
    """Those of tables are made a little at a time, so that nobody's move waits for it, and those of finished games are
    kept. Records are played back by a process of its own. Both in turn between guests and addresses."""

    def __init__(self, settings: Settings):
        rate = settings.commands_per_second
        self.asked = GuestAndAddressLimit(rate / 10, rate, settings.people_per_address)
        self._kept: OrderedDict[tuple[str, Viewpoint], Asset] = OrderedDict()
        self._people = settings.people_per_address
        self._tables, self._records = FairQueue(1), FairQueue(1)
        self._worker = WorkerPool(1, WORKER_NICENESS, None, module=REPLAY_WORKER, line_bytes=MAX_ANSWER_BYTES)

    async def of_table(self, table: LiveTable, guest: str | None, address: str, eyes: Viewpoint) -> Asset:
        """What these eyes saw at a table. CommandRefusedError before the end, unless they are the guest's own or a
        spectator's, and if too many games wait for this guest or address."""
        match = table.playing()  # a move makes another one, so this does not change
        if not match.over and eyes == "all":
            raise CommandRefusedError("error-not-over")
        if not match.over and isinstance(eyes, int):
            table.own(guest, eyes)
        check_seat(eyes, match.players)
        known = self._kept.get((table.row.id, eyes))
        if known:
            return known
        self._take(guest, address)
        past = ViewHistory(eyes)
        async with self.turn(guest, address):
            await run_in_slices(map(past.look, replay_decisions(match)))
            # each by itself: a thread that writes them at once as JSON would keep all others from running
            cues = await collect_in_slices(map(json_bytes, past.cues))
            moments = await collect_in_slices(map(json_bytes, past.moments(match.over)))
            text = b'{"cues":[%b],"moments":[%b]}' % (b",".join(cues), b",".join(moments))
            if not match.over:  # compressed, its length would tell of what it holds
                return Asset("application/json", text, None)
            made = self._kept[table.row.id, eyes] = await asyncio.to_thread(compress, "application/json", text)
        if len(self._kept) > MAX_REPLAYS:
            self._kept.popitem(last=False)
        return made

    async def of_record(self, text: str, guest: str | None, address: str, eyes: Viewpoint) -> Asset:
        """Return what these eyes saw in the game of a record. Cancelled, it ends at once.

        Raises CommandRefusedError if the record is not in order (with the first wrong line), takes too long, or if
        this guest or address has too many records waiting.
        """
        self._take(guest, address)
        async with _turn(self._records, guest, address, RECORDS_PER_GUEST, RECORDS_PER_ADDRESS):
            try:
                answer = await self._worker.ask({"record": text, "eyes": eyes}, RECORD_LIMIT_S)
            except BotTimeoutError:
                raise CommandRefusedError("error-too-large", limit=RECORD_LIMIT_S) from None
            except BotError as why:
                log.error("a record cannot be played back: %s", why)
                raise CommandRefusedError("error-server") from None
        if refused := answer.get("refused"):
            raise CommandRefusedError(refused["id"], **refused["args"])
        return Asset("application/json", b64decode(answer["plain"]), b64decode(answer["packed"]))

    def turn(self, guest: str | None, address: str) -> AbstractAsyncContextManager[None]:
        """Wait for a turn to write out the game of a table, and hold it. CommandRefusedError if too many wait for this
        guest or address."""
        return _turn(self._tables, guest, address, TABLES_PER_GUEST, TABLES_PER_GUEST * self._people)

    def _take(self, guest: str | None, address: str) -> None:
        if not self.asked.take(guest, address):
            raise CommandRefusedError("error-too-fast")

    async def close(self) -> None:
        await self._worker.close()


@asynccontextmanager
async def _turn(
    queue: FairQueue, guest: str | None, address: str, per_guest: int, per_address: int
) -> AsyncIterator[None]:
    """Hold a turn. CommandRefusedError if so many jobs of this guest, or of all at this address, wait."""
    if guest and queue.held(guest) >= per_guest or queue.held_by_address(address) >= per_address:
        raise CommandRefusedError("error-too-fast")
    async with queue.turn(guest or "", address):
        yield
