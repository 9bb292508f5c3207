"""Handlers for events from other processes.

Consecutive journal entries are applied directly; after a gap, the table is reloaded from the database. Entries are
checked as in a replay, and clients receive them through the same views as local moves.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from courtly.engine.match import Entry, JournalCorruptedError
from courtly.engine.position import CommandRefusedError
from courtly.server.actions import game_commands, seating
from courtly.server.application import Application
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.repository import ChatMessage, TableRow
from courtly.server.tables.table import LiveTable
from courtly.session import schemas
from courtly.session.seat import Seat

FOLLOW_TTL_S = 30.0  # seconds after the last use of a match for which it is kept up to date without clients

log = logging.getLogger("courtly.server")


class PeerEventHandlers:
    """The state that other processes report, and the handlers of their events."""

    def __init__(self, application: Application):
        self.application = application
        # table -> process -> guests there: see SingleProcess.guests_elsewhere
        self.presence: dict[str, dict[str, dict[str, bool]]] = {}
        self.reviewing_processes: dict[str, str] = {}  # table -> the live process that reviews its game
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_refresh_scheduled = False  # whether a refresh of all tables is scheduled
        self._handlers: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "moves": self._handle_moves,
            "table": self._handle_table,
            "here": self._handle_presence,
            "vote": self._handle_vote,
            "chat_message": self._handle_chat_message,
            "guest": self._handle_guest,
            "epoch": self._handle_epoch,
            "notification_settings": self._handle_notification_settings,
            "review": self._handle_review,
            "limits": self._handle_limits,
            "closed": self._handle_closed,
        }

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def handle(self, process: str, kind: str, payload: dict[str, object]) -> None:
        """Handle a notification.

        Unknown kinds are ignored: a newer version sends them, and they concern only pages of that version.
        """
        if kind == "moves" and (table := self.application.tables.by_id.get(str(payload["t"]))):
            table.peer_move_count += 1
            if self._can_skip(table, payload):
                return
        if kind in self._handlers:
            self.start_task(self._handlers[kind](process, **payload))

    def _can_skip(self, table: LiveTable, payload: dict[str, Any]) -> bool:
        """Return whether the event is a move of a running game that is not in use here.

        With many processes, most events are. They are therefore skipped without starting a task.
        """
        return (
            table.match is None
            and table.status == "playing"
            and payload.get("over") is None
            and not table.lock.locked()
            and not self._is_followed(table)
        )

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a handler as a task. The handlers of one table run in the order of their events."""
        task = asyncio.create_task(self._run_logging_errors(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_logging_errors(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except CommandRefusedError:  # the table is gone, or its rules failed, which its clients already know
            pass
        except SQLAlchemyError as error:  # after reconnecting, all tables are refreshed
            log.error("handling an event of another process failed: the database refused: %s", database_reason(error))
        except Exception:
            log.exception("handling an event of another process failed")

    # --- moves --------------------------------------------------------------------------------------------------------

    async def _handle_moves(
        self, _: str, t: str, e: list[list[Any]] | None = None, over: int | None = None, **_more: object
    ) -> None:
        """Handle entries that were added to a journal. `over` is the time at which they ended the game."""
        table = self.application.tables.by_id.get(t)
        if table is None or table.status == "waiting":
            await self._refresh([t])
            return
        async with table.lock:
            if not self._is_followed(table):
                self._drop_match(table, replace(table.row, ended_at=over or table.row.ended_at), table.seats)
            elif table.match is None:  # followed only for notifications about turns
                await self._load_and_notify(t)
            elif e is None or e[0][0] > len(table.match.entries):
                await self.application.tables.reload(table)
            elif new_entries := [Entry(*entry) for entry in e if entry[0] >= len(table.match.entries)]:
                try:
                    game_commands.apply_committed(self.application, table, new_entries)
                except JournalCorruptedError:  # the entries do not fit; the whole journal is read and checked
                    await self.application.tables.reload(table)

    async def _load_and_notify(self, t: str) -> None:
        """Load a table and schedule the notifications about its turn."""
        self.application.turn_notifications.notify_due(await self.application.tables.get(t))

    def _is_followed(self, table: LiveTable) -> bool:
        """Return whether this process must keep the match of a table up to date."""
        application = self.application
        if table.subscribers:
            return True
        seated_guests = {seat.guest_id for seat in table.seats if seat.guest_id}
        return bool(application.peers.has_duty and seated_guests & application.turn_notifications.settings.keys()) or (
            table.match is not None
            and (
                (table.bot_task is not None and not table.bot_task.done())
                or time.monotonic() - table.last_used_at < FOLLOW_TTL_S
                or not seated_guests.isdisjoint(guest for guest, _ in application.lobby.watchers)
            )
        )

    def _drop_match(self, table: LiveTable, row: TableRow, seats: tuple[Seat, ...]) -> None:
        """Update a table's row and seats, and drop its match; the match is reloaded on demand."""
        changed = (row, seats) != (table.row, table.seats)
        before, table.row, table.seats = table.seats, row, seats
        table.match = table.clocks = table.problem = None
        self.application.tables.index_seats(table, before)
        if changed:
            self.application.lobby.schedule_update()

    # --- refresh from the database ------------------------------------------------------------------------------------

    def schedule_refresh(self) -> None:
        """Schedule a refresh of all tables from the database. Calls before it starts have no further effect."""
        if not self._is_refresh_scheduled:
            self._is_refresh_scheduled = True
            self.start_task(self._refresh_all())

    async def _refresh_all(self) -> None:
        self._is_refresh_scheduled = False
        await self._refresh(None)
        await self.application.turn_notifications.load_settings()
        if self.application.peers.has_duty:
            await self.application.turn_notifications.activate()
        for guest, epoch in (await self.application.writer.do(player_history.load_session_epochs)).items():
            if epoch > self.application.guests.epochs.get(guest, 0):
                self.application.guests.begin_epoch(guest, epoch)
        self.application.guests.note_deletions(await self.application.writer.do(player_history.load_deletion_digests))
        for table in list(self.application.tables.by_id.values()):
            if table.subscribers:  # chat messages may have been missed
                self.application.chat.send_newest(table, *table.subscribers)

    async def _handle_table(self, _: str, t: str, **_more: object) -> None:
        """Handle a table that is new or removed, or whose row or seats have changed."""
        await self._refresh([t])

    async def _handle_guest(self, _: str, g: str, deleted: bool = False, **_more: object) -> None:
        """Handle a guest's new name, or the deletion of a guest's data."""
        if deleted:
            self.application.guests.note_deletions({repository.digest_of(g)})
        await self._refresh([table.row.id for table in self.application.tables.tables_of_guest(g)])

    async def _refresh(self, requested_ids: Iterable[str] | None) -> None:
        """Update these tables where the database differs from memory; None: all tables."""
        application = self.application
        table_ids = set(application.tables.by_id if requested_ids is None else requested_ids)
        # a match that is being loaded at this moment may be older than what is read here
        played = [t for t in table_ids if (table := application.tables.by_id.get(t)) is None or table.match]

        def read(connection: Connection) -> tuple[dict[str, tuple[TableRow, tuple[Seat, ...]]], dict[str, int]]:
            wanted_ids = table_ids | set(
                repository.load_unfinished(connection, application.settings.tables) if requested_ids is None else ()
            )
            return repository.load_tables(connection, [*wanted_ids]), repository.load_lengths(connection, played)

        stored, lengths = await application.writer.do(read)
        for t, (row, seats) in stored.items():
            table = application.tables.by_id.get(t)
            if table is None:
                if row.ended_at is None:
                    with suppress(CommandRefusedError):  # memory is full: the table is loaded when its link is opened
                        application.tables.evict_idle()
                        application.tables.add(table := LiveTable(row, seats))
                        application.lobby.schedule_update()
                        if row.started_at is not None and self._is_followed(table):
                            await self._load_and_notify(t)
            elif self._is_behind(table, row, seats, lengths.get(t, 0)):
                async with table.lock:
                    if self._is_followed(table) or table.status == "waiting":
                        with suppress(CommandRefusedError):  # the table was removed meanwhile
                            await application.tables.reload(table)
                    else:
                        self._drop_match(table, row, seats)
        for t in table_ids - stored.keys():
            if table := application.tables.by_id.get(t):
                application.tables.forget(table)

    @staticmethod
    def _is_behind(table: LiveTable, row: TableRow, seats: tuple[Seat, ...], length: int) -> bool:
        """Return whether the database has another row, other seats or a longer journal than the table in memory."""
        own_row = replace(table.row, next_flag_at=row.next_flag_at)  # when the first flag falls is known by the clocks
        is_shorter = table.match is not None and len(table.match.entries) < length
        return (own_row, table.seats) != (row, seats) or is_shorter

    # --- people -------------------------------------------------------------------------------------------------------

    async def _handle_presence(
        self, process: str, t: str, g: list[str], h: Sequence[str] = (), **_more: object
    ) -> None:
        """Handle the guests `g` who are connected to a table at another process; "": any client.

        `h` lists those guests whose pages are all hidden.
        """
        self._set_presence(process, t, {guest: guest not in h for guest in g})

    def _set_presence(self, process: str, t: str, guests: dict[str, bool]) -> None:
        processes = self.presence.setdefault(t, {})
        table = self.application.tables.by_id.get(t)
        if table:
            table.peer_guests = processes
            before = table.connected_guests()
        processes[process] = guests
        if not guests:
            del processes[process]
        if not processes:
            del self.presence[t]
        if table:
            table.update_grace(before)
            for guest, is_visible in guests.items():
                if is_visible:
                    self.application.turn_notifications.withdraw(table, guest)
            self.application.turn_notifications.notify_after_grace(table)
            table.publish_table()
            self.application.lobby.schedule_update()

    async def _handle_limits(
        self, process: str, taken: dict[str, dict[str, int]], held: dict[str, int], **_more: object
    ) -> None:
        """Handle the tokens that addresses took from another process, and the connections that they hold there."""
        self.application.socket_limit.peer_counts[process] = held
        for name, heavy in taken.items():
            if bucket := self.application.address_limits.get(name):
                for sender, n in heavy.items():
                    bucket.spend(sender, n)

    def handle_process_end(self, process: str) -> None:
        self.application.socket_limit.peer_counts.pop(process, None)
        for t in [t for t, processes in self.presence.items() if process in processes]:
            self._set_presence(process, t, {})
        for t in [t for t, by in self.reviewing_processes.items() if by == process]:
            self._set_review(t, None, is_stored=False)

    async def _handle_closed(self, _: str, **_more: object) -> None:
        """Handle a period in which no process was serving."""
        await self.application.reload_closures()

    async def _handle_epoch(self, _: str, g: str, n: int, **_more: object) -> None:
        """Handle a guest's new session epoch: the guest signed out all other browsers."""
        self.application.guests.begin_epoch(g, n)

    async def _handle_vote(self, _: str, t: str, s: int, g: str, **_more: object) -> None:
        if table := self.application.tables.by_id.get(t):
            await seating.count_vote(self.application, table, g, s)

    async def _handle_chat_message(
        self, _: str, t: str, message: dict[str, Any] | None = None, **_more: object
    ) -> None:
        if table := self.application.tables.by_id.get(t):
            if message is None:
                self.application.chat.send_newest(table, *table.subscribers)
            else:
                self.application.chat.publish(table, ChatMessage(**message))

    async def _handle_notification_settings(self, _: str, **_more: object) -> None:
        """Handle changed notification settings of a guest."""
        await self.application.turn_notifications.load_settings()

    async def _handle_review(
        self, process: str, t: str, state: schemas.ReviewProgress | None = None, made: bool = False, **_more: object
    ) -> None:
        """Handle the progress of a review. `made`: the review is stored."""
        self.reviewing_processes[t] = process
        self._set_review(t, state, made)

    def _set_review(self, t: str, state: schemas.ReviewProgress | None, is_stored: bool) -> None:
        if state is None or state["state"] != "working":
            self.reviewing_processes.pop(t, None)
        if table := self.application.tables.by_id.get(t):
            table.review, table.has_review = state, is_stored or table.has_review
            table.publish_table()
