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
        self.elsewhere: dict[
            str, dict[str, dict[str, bool]]
        ] = {}  # table -> process -> guests there: see SingleProcess.elsewhere
        self.reviewing: dict[str, str] = {}  # table -> the live process that reviews its game
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking = False  # whether a refresh of all tables is scheduled
        self._hears: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "moves": self._moves,
            "table": self._table,
            "here": self._presence,
            "vote": self._vote,
            "chat_message": self._chat_message,
            "guest": self._guest,
            "epoch": self._begin_epoch,
            "notification_settings": self._notification_settings,
            "review": self._review,
            "limits": self._limits,
            "closed": self._closed,
        }

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hear(self, process: str, kind: str, payload: dict[str, object]) -> None:
        """Handle a notification.

        Unknown kinds are ignored: a newer version sends them, and they concern only pages of that version.
        """
        if kind == "moves" and (table := self.application.tables.by_id.get(str(payload["t"]))):
            table.peer_move_count += 1
            if self._asleep(table, payload):
                return
        if kind in self._hears:
            self.soon(self._hears[kind](process, **payload))

    def _asleep(self, table: LiveTable, payload: dict[str, Any]) -> bool:
        """Return whether the event is a move of a running game that is not in use here.

        With many processes, most events are. They are therefore skipped without starting a task.
        """
        return (
            table.match is None
            and table.status == "playing"
            and payload.get("over") is None
            and not table.lock.locked()
            and not self._followed(table)
        )

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a handler as a task. The handlers of one table run in the order of their events."""
        task = asyncio.create_task(self._done(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _done(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except CommandRefusedError:  # the table is gone, or its rules failed, which its clients already know
            pass
        except SQLAlchemyError as error:  # after reconnecting, all tables are refreshed
            log.error("handling an event of another process failed: the database refused: %s", database_reason(error))
        except Exception:
            log.exception("handling an event of another process failed")

    # --- moves --------------------------------------------------------------------------------------------------------

    async def _moves(
        self, _: str, t: str, e: list[list[Any]] | None = None, over: int | None = None, **_more: object
    ) -> None:
        """Handle entries that were added to a journal. `over` is the time at which they ended the game."""
        table = self.application.tables.by_id.get(t)
        if table is None or table.status == "waiting":
            await self._look([t])
            return
        async with table.lock:
            if not self._followed(table):
                self._sleep(table, replace(table.row, ended_at=over or table.row.ended_at), table.seats)
            elif table.match is None:  # followed only for notifications about turns
                await self._take_up(t)
            elif e is None or e[0][0] > len(table.match.entries):
                await self.application.tables.reload(table)
            elif fresh := [Entry(*entry) for entry in e if entry[0] >= len(table.match.entries)]:
                try:
                    game_commands.apply_committed(self.application, table, fresh)
                except JournalCorruptedError:  # the entries do not fit; the whole journal is read and checked
                    await self.application.tables.reload(table)

    async def _take_up(self, t: str) -> None:
        """Load a table and schedule the notifications about its turn."""
        self.application.turn_notifications.look(await self.application.tables.get(t))

    def _followed(self, table: LiveTable) -> bool:
        """Return whether this process must keep the match of a table up to date."""
        application = self.application
        if table.subscribers:
            return True
        sitting = {seat.guest_id for seat in table.seats if seat.guest_id}
        return bool(application.peers.duty and sitting & application.turn_notifications.settings.keys()) or (
            table.match is not None
            and (
                (table.driver is not None and not table.driver.done())
                or time.monotonic() - table.touched < FOLLOW_TTL_S
                or not sitting.isdisjoint(guest for guest, _ in application.lobby.watchers)
            )
        )

    def _sleep(self, table: LiveTable, row: TableRow, seats: tuple[Seat, ...]) -> None:
        """Update a table's row and seats, and drop its match; the match is reloaded on demand."""
        changed = (row, seats) != (table.row, table.seats)
        before, table.row, table.seats = table.seats, row, seats
        table.match = table.clocks = table.problem = None
        self.application.tables.index_seats(table, before)
        if changed:
            self.application.lobby.changed()

    # --- refresh from the database ------------------------------------------------------------------------------------

    def look_everywhere(self) -> None:
        """Schedule a refresh of all tables from the database. Calls before it starts have no further effect."""
        if not self._looking:
            self._looking = True
            self.soon(self._look_everywhere())

    async def _look_everywhere(self) -> None:
        self._looking = False
        await self._look(None)
        await self.application.turn_notifications.learn()
        if self.application.peers.duty:
            await self.application.turn_notifications.begin()
        for guest, epoch in (await self.application.writer.do(player_history.load_session_epochs)).items():
            if epoch > self.application.guests.epochs.get(guest, 0):
                self.application.guests.begin_epoch(guest, epoch)
        self.application.guests.note_deletions(await self.application.writer.do(player_history.load_deletion_digests))
        for table in list(self.application.tables.by_id.values()):
            if table.subscribers:  # chat messages may have been missed
                self.application.chat.greet(table, *table.subscribers)

    async def _table(self, _: str, t: str, **_more: object) -> None:
        """Handle a table that is new or removed, or whose row or seats have changed."""
        await self._look([t])

    async def _guest(self, _: str, g: str, deleted: bool = False, **_more: object) -> None:
        """Handle a guest's new name, or the deletion of a guest's data."""
        if deleted:
            self.application.guests.note_deletions({repository.digest_of(g)})
        await self._look([table.row.id for table in self.application.tables.of_guest(g)])

    async def _look(self, some: Iterable[str] | None) -> None:
        """Update these tables where the database differs from memory; None: all tables."""
        application = self.application
        table_ids = set(application.tables.by_id if some is None else some)
        # a match that is being loaded at this moment may be older than what is read here
        played = [t for t in table_ids if (table := application.tables.by_id.get(t)) is None or table.match]

        def read(c: Connection) -> tuple[dict[str, tuple[TableRow, tuple[Seat, ...]]], dict[str, int]]:
            wanted_ids = table_ids | set(
                repository.load_unfinished(c, application.settings.tables) if some is None else ()
            )
            return repository.load_tables(c, [*wanted_ids]), repository.load_lengths(c, played)

        stored, grown = await application.writer.do(read)
        for t, (row, seats) in stored.items():
            table = application.tables.by_id.get(t)
            if table is None:
                if row.ended_at is None:
                    with suppress(CommandRefusedError):  # memory is full: the table is loaded when its link is opened
                        application.tables.make_room()
                        application.tables.add(table := LiveTable(row, seats))
                        application.lobby.changed()
                        if row.started_at is not None and self._followed(table):
                            await self._take_up(t)
            elif self._is_behind(table, row, seats, grown.get(t, 0)):
                async with table.lock:
                    if self._followed(table) or table.status == "waiting":
                        with suppress(CommandRefusedError):  # the table was removed meanwhile
                            await application.tables.reload(table)
                    else:
                        self._sleep(table, row, seats)
        for t in table_ids - stored.keys():
            if table := application.tables.by_id.get(t):
                application.tables.forget(table)

    @staticmethod
    def _is_behind(table: LiveTable, row: TableRow, seats: tuple[Seat, ...], length: int) -> bool:
        """Return whether the database has another row, other seats or a longer journal than the table in memory."""
        agreed = replace(table.row, next_flag_at=row.next_flag_at)  # when the first flag falls is known by the clocks
        shorter = table.match is not None and len(table.match.entries) < length
        return (agreed, table.seats) != (row, seats) or shorter

    # --- people -------------------------------------------------------------------------------------------------------

    async def _presence(self, process: str, t: str, g: list[str], h: Sequence[str] = (), **_more: object) -> None:
        """Handle the guests `g` who are connected to a table at another process; "": any client.

        `h` lists those guests whose pages are all hidden.
        """
        self._set_presence(process, t, {guest: guest not in h for guest in g})

    def _set_presence(self, process: str, t: str, guests: dict[str, bool]) -> None:
        processes = self.elsewhere.setdefault(t, {})
        table = self.application.tables.by_id.get(t)
        if table:
            table.elsewhere = processes
            before = table.present()
        processes[process] = guests
        if not guests:
            del processes[process]
        if not processes:
            del self.elsewhere[t]
        if table:
            table.changed_elsewhere(before)
            for guest, in_sight in guests.items():
                if in_sight:
                    self.application.turn_notifications.seen(table, guest)
            self.application.turn_notifications.look_later(table)
            table.publish_table()
            self.application.lobby.changed()

    async def _limits(
        self, process: str, taken: dict[str, dict[str, int]], held: dict[str, int], **_more: object
    ) -> None:
        """Handle the tokens that addresses took from another process, and the connections that they hold there."""
        self.application.socket_limit.elsewhere[process] = held
        for name, heavy in taken.items():
            if bucket := self.application.address_limits.get(name):
                for sender, n in heavy.items():
                    bucket.spend(sender, n)

    def gone(self, process: str) -> None:
        self.application.socket_limit.elsewhere.pop(process, None)
        for t in [t for t, processes in self.elsewhere.items() if process in processes]:
            self._set_presence(process, t, {})
        for t in [t for t, by in self.reviewing.items() if by == process]:
            self._reviewed(t, None, is_stored=False)

    async def _closed(self, _: str, **_more: object) -> None:
        """Handle a period in which no process was serving."""
        await self.application.reload_closures()

    async def _begin_epoch(self, _: str, g: str, n: int, **_more: object) -> None:
        """Handle a guest's new session epoch: the guest signed out all other browsers."""
        self.application.guests.begin_epoch(g, n)

    async def _vote(self, _: str, t: str, s: int, g: str, **_more: object) -> None:
        if table := self.application.tables.by_id.get(t):
            await seating.count_vote(self.application, table, g, s)

    async def _chat_message(self, _: str, t: str, message: dict[str, Any] | None = None, **_more: object) -> None:
        if table := self.application.tables.by_id.get(t):
            if message is None:
                self.application.chat.greet(table, *table.subscribers)
            else:
                self.application.chat.publish(table, ChatMessage(**message))

    async def _notification_settings(self, _: str, **_more: object) -> None:
        """Handle changed notification settings of a guest."""
        await self.application.turn_notifications.learn()

    async def _review(
        self, process: str, t: str, state: schemas.ReviewProgress | None = None, made: bool = False, **_more: object
    ) -> None:
        """Handle the progress of a review. `made`: the review is stored."""
        self.reviewing[t] = process
        self._reviewed(t, state, made)

    def _reviewed(self, t: str, state: schemas.ReviewProgress | None, is_stored: bool) -> None:
        if state is None or state["state"] != "working":
            self.reviewing.pop(t, None)
        if table := self.application.tables.by_id.get(t):
            table.review, table.reviewed = state, is_stored or table.reviewed
            table.publish_table()
