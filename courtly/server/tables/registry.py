"""The tables that this process holds in memory: found by id or guest, read from the database, kept equal to it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.match import JournalCorruptedError
from courtly.engine.position import Audience, CommandRefusedError
from courtly.review.analysis import REVIEW_FORMAT
from courtly.server.errors import CommitUncertainError
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.repository import JournalAppend, RevisionConflictError
from courtly.server.persistence.timeouts import STORAGE_RETRY_DELAY_S
from courtly.server.settings import Settings
from courtly.server.tables.lobby_feed import MAX_OWN_TABLES
from courtly.server.tables.table import LiveTable, Subscriber
from courtly.server.timekeeping import now
from courtly.session.clocks import ClockPause
from courtly.session.seat import Seat

IDLE_MATCH_TTL_S = 600.0  # without a request, after which a match is dropped from memory; the journal has it
UNFILLED_TABLE_TTL_MS = 7 * 24 * 3600 * 1000  # after which a table that never started is deleted
CLEANUP_INTERVAL_S = 60.0
MAX_TABLE_ID_LENGTH = 12

log = logging.getLogger("courtly.server")


class TableEvents(Protocol):
    """What the registry calls when the tables in memory change."""

    def configure(self, table: LiveTable) -> None:
        """Give a new table what it needs to know of bots, of the settings and of the other processes."""

    def handle_seat_change(self, table: LiveTable) -> None:
        """Pass on that other guests sit at a table."""

    def schedule_exchange(self, table: LiveTable) -> None:
        """Set the timer of the exchange of numbers before the first move."""

    def schedule_timers(self, table: LiveTable) -> None:
        """Set the timer of the clocks, and let bots move that are to move."""

    def handle_reload(self, table: LiveTable, has_ended: bool) -> None:
        """Tell services that another process has changed a table."""

    def send_chat(self, table: LiveTable, subscriber: Subscriber) -> None:
        """Send the chat to a subscriber."""

    def handle_removal(self, table: LiveTable) -> None:
        """Pass on that a table is gone for good."""

    def publish_change(self, table_id: str) -> None:
        """Notify the other processes that the database has something new of a table."""


class TableRegistry:
    """All unfinished tables, and those finished ones that were requested lately.

    Args:
        closures: The times in which the server was closed while clocks ran, shared with every table.
    """

    def __init__(self, settings: Settings, writer: GroupCommitWriter, events: TableEvents, closures: list[ClockPause]):
        self.by_id: dict[str, LiveTable] = {}
        self.by_guest: dict[str, set[str]] = {}  # guest -> ids of the tables at which the guest sits
        self._settings = settings
        self._writer = writer
        self._events = events
        self._closures = closures
        self._resolving: set[asyncio.Task[None]] = set()  # of commits whose outcome is unknown
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}  # by table id
        self._cleanup = asyncio.create_task(self._clean_up())

    def close(self) -> None:
        for task in (self._cleanup, *self._resolving, *self._loading.values()):
            task.cancel()
        for table in self.by_id.values():
            if table.bot_task:
                table.bot_task.cancel()

    # --- in memory ----------------------------------------------------------------------------------------------------

    def add(self, table: LiveTable) -> None:
        self._events.configure(table)
        self.by_id[table.row.id] = table
        self.index_seats(table, ())
        self._events.schedule_exchange(table)

    def index_seats(self, table: LiveTable, before: Iterable[Seat]) -> None:
        """Update which guests sit at a table. `before`: its seats until now."""
        seated_guests = {seat.guest_id for seat in table.seats if seat.guest_id}
        for guest in {seat.guest_id for seat in before if seat.guest_id} - seated_guests:
            self._unindex(guest, table)
        for guest in seated_guests:
            self.by_guest.setdefault(guest, set()).add(table.row.id)
        self._events.handle_seat_change(table)

    def _unindex(self, guest: str, table: LiveTable) -> None:
        table_ids = self.by_guest.get(guest, set())
        table_ids.discard(table.row.id)
        if not table_ids:
            self.by_guest.pop(guest, None)

    def tables_of_guest(self, guest: str) -> list[LiveTable]:
        return [self.by_id[table] for table in self.by_guest.get(guest, ())]

    def drop(self, table: LiveTable) -> None:
        """Remove a table from memory; the database keeps it."""
        self.by_id.pop(table.row.id, None)
        for timer in (table.flag_timer, table.exchange_timer):
            if timer:
                timer.cancel()
        for guest in {seat.guest_id for seat in table.seats if seat.guest_id}:
            self._unindex(guest, table)

    def evict_idle(self) -> None:
        """Drop the tables that were idle longest until one more has room; their links load them again.

        Raises:
            CommandRefusedError: All tables in memory are in use.
        """
        excess = len(self.by_id) + 1 - self._settings.tables
        if excess > 0:
            idle = [table for table in self.by_id.values() if not self._is_busy(table)]
            if not idle:
                raise CommandRefusedError("error-too-many-tables")
            for table in sorted(idle, key=lambda table: table.last_used_at)[:excess]:
                self.drop(table)

    # --- from the database --------------------------------------------------------------------------------------------

    async def get(self, table_id: str) -> LiveTable:
        """Return a table with its match, loaded from the database if need be.

        Raises:
            CommandRefusedError: There is no table of this id.
        """
        table = self.by_id.get(table_id)
        if table is None or table.row.started_at is not None and table.match is None and table.problem is None:
            table = await self.load(table_id)
        table.last_used_at = time.monotonic()
        return table

    async def load_tables_of_guest(self, guest: str | None) -> None:
        """Load the newest tables at which a guest sits, with their matches, so that it is known whose turn it is."""
        for table_id in (
            await self._writer.do(lambda c: player_history.load_unfinished(c, guest, MAX_OWN_TABLES)) if guest else []
        ):
            with suppress(CommandRefusedError):  # it was deleted meanwhile
                await self.get(table_id)

    async def load(self, table_id: str) -> LiveTable:
        """Load a table from the database, once for all callers that wait for it.

        Raises:
            CommandRefusedError: There is no table of this id.
        """
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            loading.add_done_callback(lambda task: self._end_loading(table_id, task))
        return await asyncio.shield(loading)

    def _end_loading(self, table_id: str, task: asyncio.Task[LiveTable]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # marks it as retrieved: all callers may have gone

    async def _load(self, table_id: str) -> LiveTable:
        is_possible = len(table_id) <= MAX_TABLE_ID_LENGTH and table_id.isascii() and table_id.isalnum()
        loaded: LiveTable | None = None
        while True:
            table = self.by_id.get(table_id)
            move_count = table and table.peer_move_count
            # in the second round only what is new is read
            loaded = await self._read(table_id, loaded) if is_possible else None
            table = self.by_id.get(table_id)
            if loaded is None:
                raise CommandRefusedError("error-unknown-table")
            if move_count == (table and table.peer_move_count):  # different: another process has moved meanwhile
                break
        # another request was quicker, and may have changed the table since
        if table is not None and (table.match or table.problem):
            return table
        adopted = self._adopt(loaded)
        if adopted.status == "over":
            review = await self._writer.do(lambda c: repository.load_review(c, table_id, REVIEW_FORMAT))
            adopted.has_review = review is not None
        return adopted

    async def _read(self, table_id: str, earlier: LiveTable | None) -> LiveTable | None:
        """Read a table and replay its journal in slices, apart from the table that others use meanwhile.

        Args:
            earlier: The table as it was read before. Where only its journal has grown, only what is new is read.

        Returns:
            None if the database does not have the table.
        """
        if earlier is not None and earlier.match and earlier.match.entries and not earlier.problem:
            row, last = earlier.row, earlier.match.entries[-1]
            changes = await self._writer.do(lambda c: repository.load_changes(c, row, last))
            if changes is not None:
                loaded_table = LiveTable(changes[0], changes[1])
                timed_out = earlier.timed_out.copy()
                loaded_table.match, loaded_table.clocks, loaded_table.timed_out = (
                    earlier.match,
                    earlier.clocks,
                    timed_out.copy(),
                )
                with suppress(JournalCorruptedError):  # the new entries do not fit: the whole journal is read below
                    with suppress(CommandRefusedError):  # the rules failed; the error is in `loaded_table.problem`
                        await loaded_table.apply_entries(changes[2])
                    earlier.timed_out -= timed_out - loaded_table.timed_out
                    return loaded_table
        stored = await self._writer.do(lambda c: repository.load_whole_table(c, table_id))
        if stored is None:
            return None
        row, seats, entries, pauses = stored
        loaded_table = LiveTable(row, seats)
        loaded_table.closures = self._closures
        await loaded_table.restore(entries, pauses or ())
        return loaded_table

    def _adopt(self, loaded: LiveTable) -> LiveTable:
        """Make what was read from the database the table in memory."""
        table = self.by_id.get(loaded.row.id)
        if table is None:
            table = loaded
            self.add(table)
        else:
            before, table.row, table.seats = table.seats, loaded.row, loaded.seats
            table.match, table.problem, table.clocks = loaded.match, loaded.problem, loaded.clocks
            self.index_seats(table, before)
            self._events.schedule_exchange(table)
        self._events.schedule_timers(table)
        return table

    async def reload(self, table: LiveTable) -> None:
        """Load and publish what another process wrote to a table. Call it with the table's lock held.

        Raises:
            CommandRefusedError: The table was deleted.
        """
        loaded = await self._read(table.row.id, table)
        if loaded is None:
            self.forget(table)
            raise CommandRefusedError("error-unknown-table")
        viewpoints, before, seats = table.viewpoints(), table.status, table.seats
        length = len(table.match.entries) if table.match else 0
        self._adopt(loaded)
        for seat in {*table.seats} - {*seats}:
            table.votes.pop(seat.seat, None)
        self.publish_views(table, viewpoints, begins=before == "waiting" != table.status)
        if table.match and len(table.match.entries) > length:
            table.publish_views([None, *range(table.row.players)])
            table.publish_clocks()
        self._events.handle_reload(table, has_ended=before != table.status == "over")

    async def revalidate(self, table: LiveTable) -> bool:
        """Reload a table if another process has written to it. Call it with the table's lock held, before a refusal.

        Returns:
            Whether it was reloaded, so that the caller decides again.

        Raises:
            CommandRefusedError: The table was deleted.
        """
        if table.problem:
            return False
        length = len(table.match.entries) if table.match else 0
        is_stale = await self._writer.do(lambda c: repository.has_changed(c, table.row, length))
        if is_stale:
            await self.reload(table)
        return is_stale

    def publish_views(self, table: LiveTable, viewpoints: Mapping[Subscriber, list[Audience]], begins: bool) -> None:
        """Send the table to every subscriber, and a snapshot to those that may see something else than before.

        Args:
            viewpoints: The audiences of each subscriber until now.
            begins: The match has just begun.
        """
        table.publish_table()
        for subscriber in table.subscribers:
            if begins or table.audiences(subscriber.guest) != viewpoints.get(subscriber):
                subscriber.next_cues.clear()
                table.send_all_views(subscriber)
                self._events.send_chat(table, subscriber)

    # --- to the database ----------------------------------------------------------------------------------------------

    async def write(
        self, table: LiveTable, work: Callable[[Connection], object], moves: JournalAppend | None = None
    ) -> None:
        """Have the writer do work on a table. Call it with the table's lock held.

        Raises:
            RevisionConflictError: Another process has written first. The table is reloaded; the caller decides again.
            CommitUncertainError: The connection failed during COMMIT. The table is reloaded when the database answers.
        """
        try:
            await self._writer.do(work, moves)
        except RevisionConflictError:
            await self.reload(table)
            raise
        except CommitUncertainError:
            task = asyncio.create_task(self._resolve(table))
            self._resolving.add(task)
            task.add_done_callback(self._resolving.discard)
            raise

    async def _resolve(self, table: LiveTable) -> None:
        """Publish what the database has, as soon as it answers."""
        while True:
            try:
                async with table.lock:
                    await self.reload(table)
                self._events.publish_change(table.row.id)
                return
            except CommandRefusedError:
                return  # the table was deleted
            except SQLAlchemyError:
                await asyncio.sleep(STORAGE_RETRY_DELAY_S)

    async def delete(self, table: LiveTable) -> None:
        """Delete a table that never started.

        Raises:
            RevisionConflictError: A guest has sat down meanwhile.
        """
        row = table.row  # the decision rests on this revision, whatever is loaded meanwhile
        await self.write(table, lambda c: repository.delete_waiting_table(c, row.id, row.revision))
        self._events.publish_change(table.row.id)
        self.forget(table)

    def forget(self, table: LiveTable) -> None:
        """Drop a table that was deleted from the database, and disconnect its subscribers."""
        self.drop(table)
        table.mark_removed()
        self._events.handle_removal(table)

    # --- cleaning up --------------------------------------------------------------------------------------------------

    async def _clean_up(self) -> None:
        while True:
            await asyncio.sleep(CLEANUP_INTERVAL_S)
            for table in list(self.by_id.values()):
                try:
                    await self._clean_up_table(table)
                except SQLAlchemyError as error:
                    log.warning("table %s is not cleaned up: %s", table.row.id, database_reason(error))
                except Exception:
                    log.exception("cleaning up table %s", table.row.id)

    @staticmethod
    def _is_busy(table: LiveTable) -> bool:
        is_driven = table.bot_task is not None and not table.bot_task.done()
        is_reviewed = table.review is not None and table.review["state"] == "working"
        return table.has_clients or table.lock.locked() or is_driven or is_reviewed

    async def _clean_up_table(self, table: LiveTable) -> None:
        if table.match and table.match.entries and now() - table.match.entries[-1].at > 1000 * CLEANUP_INTERVAL_S:
            table.match.drop_caches()
        if self._is_busy(table) or time.monotonic() - table.last_used_at < IDLE_MATCH_TTL_S:
            return
        if table.status == "over":
            self.drop(table)
        elif table.status == "playing":
            table.match = table.problem = table.clocks = None  # the journal has it
        elif now() - table.row.created_at > UNFILLED_TABLE_TTL_MS:
            async with table.lock:
                # a guest has sat down, or another process has deleted it
                with suppress(RevisionConflictError, CommandRefusedError):
                    await self.delete(table)
