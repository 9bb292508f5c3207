"""Replays of games, from the journal of a table or from a record that a client sends."""

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
from courtly.server.assets.asset import Asset, compress, json_bytes
from courtly.server.security.rate_limits import GuestAndAddressLimit
from courtly.server.services.fair_queue import FairQueue
from courtly.server.settings import Settings
from courtly.server.tables.table import LiveTable
from courtly.session.record_replay import check_seat
from courtly.session.view_history import ViewHistory, Viewpoint, replay_decisions

MAX_REPLAYS = 64  # cached replays of finished games
RECORD_LIMIT_S = 20.0  # seconds for the replay of a record
RECORDS_PER_GUEST, RECORDS_PER_ADDRESS = 2, 8  # waiting records, each up to 1 MiB
TABLES_PER_GUEST = 4  # waiting replays of tables; an address may have `people_per_address` times as many
REPLAY_WORKER = "courtly.server.services.replay_worker"
WORKER_NICENESS = 15  # the same as for hint processes
MAX_ANSWER_BYTES = 1 << 26  # longest answer of the replay process

log = logging.getLogger("courtly.server")


class ReplayCache:
    """Makes and caches replays. Requests wait in queues that are fair between guests and addresses.

    Replays of tables are made in short slices of time, so that moves do not wait for them; those of finished games are
    cached. Records are replayed in a separate process.
    """

    def __init__(self, settings: Settings):
        rate = settings.commands_per_second
        self.request_limit = GuestAndAddressLimit(rate / 10, rate, settings.people_per_address)
        self._replays: OrderedDict[tuple[str, Viewpoint], Asset] = OrderedDict()
        self._people = settings.people_per_address
        self._tables, self._records = FairQueue(1), FairQueue(1)
        self._worker = WorkerPool(1, WORKER_NICENESS, None, module=REPLAY_WORKER, line_bytes=MAX_ANSWER_BYTES)

    async def replay_table(self, table: LiveTable, guest: str | None, address: str, viewpoint: Viewpoint) -> Asset:
        """Return the replay of a table as the audience `viewpoint` saw it.

        Raises CommandRefusedError if the game is not over and `viewpoint` is neither a seat of the guest nor
        the spectators, or if the guest or the address has too many requests.
        """
        match = table.require_match()  # a move creates a new match, so this one does not change
        if not match.over and viewpoint == "all":
            raise CommandRefusedError("error-not-over")
        if not match.over and isinstance(viewpoint, int):
            table.require_own_seat(guest, viewpoint)
        check_seat(viewpoint, match.players)
        cached = self._replays.get((table.row.id, viewpoint))
        if cached:
            return cached
        self._check_rate(guest, address)
        past = ViewHistory(viewpoint)
        async with self.turn(guest, address):
            await run_in_slices(map(past.record_moment, replay_decisions(match)))
            # encoded piece by piece: encoding everything in a thread would hold the GIL for too long
            cues = await collect_in_slices(map(json_bytes, past.cues))
            moments = await collect_in_slices(map(json_bytes, past.moments(match.over)))
            text = b'{"cues":[%b],"moments":[%b]}' % (b",".join(cues), b",".join(moments))
            if not match.over:  # not compressed: the compressed length could reveal secrets
                return Asset("application/json", text, None)
            replay = self._replays[table.row.id, viewpoint] = await asyncio.to_thread(
                compress, "application/json", text
            )
        if len(self._replays) > MAX_REPLAYS:
            self._replays.popitem(last=False)
        return replay

    async def replay_record(self, text: str, guest: str | None, address: str, viewpoint: Viewpoint) -> Asset:
        """Return the replay of a record as the audience `viewpoint` saw it. Cancelling the call stops the work at once.

        Raises CommandRefusedError if the record is invalid (with its first invalid line), takes longer than
        RECORD_LIMIT_S, or if the guest or the address has too many records waiting.
        """
        self._check_rate(guest, address)
        async with _hold_turn(self._records, guest, address, RECORDS_PER_GUEST, RECORDS_PER_ADDRESS):
            try:
                response = await self._worker.ask({"record": text, "viewpoint": viewpoint}, RECORD_LIMIT_S)
            except BotTimeoutError:
                raise CommandRefusedError("error-too-large", limit=RECORD_LIMIT_S) from None
            except BotError as error:
                log.error("replay of a record failed: %s", error)
                raise CommandRefusedError("error-server") from None
        if refused := response.get("refused"):
            raise CommandRefusedError(refused["id"], **refused["args"])
        return Asset("application/json", b64decode(response["plain"]), b64decode(response["packed"]))

    def turn(self, guest: str | None, address: str) -> AbstractAsyncContextManager[None]:
        """Wait for a turn to replay the game of a table, and hold it during the block.

        Raises CommandRefusedError if the guest or the address has too many waiting jobs.
        """
        return _hold_turn(self._tables, guest, address, TABLES_PER_GUEST, TABLES_PER_GUEST * self._people)

    def _check_rate(self, guest: str | None, address: str) -> None:
        if not self.request_limit.take(guest, address):
            raise CommandRefusedError("error-too-fast")

    async def close(self) -> None:
        await self._worker.close()


@asynccontextmanager
async def _hold_turn(
    queue: FairQueue, guest: str | None, address: str, per_guest: int, per_address: int
) -> AsyncIterator[None]:
    """Hold a turn in a queue. Raises CommandRefusedError if the guest or the address has too many waiting jobs."""
    if guest and queue.count_waiting(guest) >= per_guest or queue.count_waiting_at_address(address) >= per_address:
        raise CommandRefusedError("error-too-fast")
    async with queue.turn(guest or "", address):
        yield
