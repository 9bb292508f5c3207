"""The lists of tables in the lobby, sent to all clients that have it open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from courtly.server.messaging.send_queue import SendQueue, encode
from courtly.server.tables.table import LiveTable
from courtly.session import schemas

MAX_LISTED_TABLES = 50  # tables in each list
MAX_OWN_TABLES = 100
MIN_UPDATE_INTERVAL_S = 0.25  # shortest time between two updates
MAX_UPDATE_TIME_FRACTION = 0.1  # largest fraction of the event loop's time that updates may take


class LobbyFeed:
    """Sends the lobby's lists to its watchers.

    Args:
        tables: Returns all tables in memory.
        of: Returns the tables at which a guest has a seat.
    """

    def __init__(self, tables: Callable[[], Iterable[LiveTable]], of: Callable[[str], Iterable[LiveTable]]):
        self._tables = tables
        self._tables_of = of
        self.watchers: set[tuple[str | None, SendQueue]] = set()
        self._outdated: set[str] | None = set()  # guests that need an update; None: everyone
        self._update_task: asyncio.Task[None] | None = None

    def describe_lists(self, guest: str | None) -> schemas.Tables:
        """Return the open, live and own tables as a guest sees them; see docs/protocol.md."""
        own_tables = [t for t in self._tables_of(guest) if t.status != "over" and not t.is_abandoned] if guest else []
        own_tables.sort(key=lambda t: t.row.created_at, reverse=True)
        waiting, live = self._public_tables({t.row.id for t in own_tables})
        return {
            "open": [t.describe(guest) for t in waiting],
            "live": [t.describe(guest) for t in live],
            "mine": [t.describe(guest) for t in own_tables[:MAX_OWN_TABLES]],
            "due": [t.row.id for t in own_tables if guest in t.guests_to_move],
        }

    def _public_tables(self, own_ids: set[str]) -> tuple[list[LiveTable], list[LiveTable]]:
        """Return the public tables except `own_ids`: those with an open seat, and those that are playing.

        Tables with connected clients come first, then the newest.
        """
        public = [
            t
            for t in self._tables()
            if not t.row.is_private and t.status != "over" and not t.is_abandoned and not t.problem
        ]
        public = [t for t in public if t.row.id not in own_ids]
        public.sort(key=lambda t: (t.has_clients, t.row.created_at), reverse=True)
        waiting = [t for t in public if t.status == "waiting" and any(seat.kind == "open" for seat in t.seats)]
        return waiting[:MAX_LISTED_TABLES], [t for t in public if t.status == "playing"][:MAX_LISTED_TABLES]

    def schedule_update(self, guests: set[str] | None = None) -> None:
        """Schedule an update for everyone, or only for some guests. Changes in a short time share one update."""
        self._outdated = None if guests is None or self._outdated is None else self._outdated | guests
        if self.watchers and (self._update_task is None or self._update_task.done()):
            self._update_task = asyncio.create_task(self._send_updates())

    async def _send_updates(self) -> None:
        duration_s = 0.0
        while self._outdated is None or self._outdated:  # repeats if something has changed meanwhile
            await asyncio.sleep(max(MIN_UPDATE_INTERVAL_S, duration_s * (1 / MAX_UPDATE_TIME_FRACTION - 1)))
            outdated, self._outdated = self._outdated, set()
            start_time = time.monotonic()
            hosts = {table.row.host for table in self._tables()}
            texts: dict[str | None, str] = {}
            recipients = [watcher for watcher in self.watchers if outdated is None or watcher[0] in outdated]
            for n, (guest, outbox) in enumerate(recipients):
                # guests without a seat, who are host of no table, get the same message as clients without a cookie
                viewpoint = guest if guest and (guest in hosts or any(self._tables_of(guest))) else None
                if viewpoint not in texts:
                    texts[viewpoint] = self.message(viewpoint)
                outbox.put(texts[viewpoint])
                if viewpoint is not None or n % 10 == 0:
                    await asyncio.sleep(0)  # so that moves do not wait
            duration_s = time.monotonic() - start_time

    def message(self, guest: str | None) -> str:
        """Return the message with the lists for a guest, as JSON."""
        return encode({"type": "tables", **self.describe_lists(guest)})
