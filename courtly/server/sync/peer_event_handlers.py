"""What another process says has happened, taken up here: entry by entry where they follow, else from the database.

Entries are checked as they are on replay, and what they show goes out through the same views: no page is told anything
else, or sooner, by the way it came.
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

# seconds after a match was last asked for until it is followed no more, unless somebody still looks
FOLLOW_TTL_S = 30.0

log = logging.getLogger("courtly.server")


class PeerEventHandlers:
    def __init__(self, application: Application):
        self.application = application
        self.elsewhere: dict[
            str, dict[str, dict[str, bool]]
        ] = {}  # table -> process -> guests there: see Alone.elsewhere
        self.reviewing: dict[str, str] = {}  # table -> the process that analyses its game, and lives
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking = False  # everywhere, soon
        self._hears: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
            "moves": self._moves,
            "table": self._table,
            "here": self._here,
            "vote": self._vote,
            "said": self._said,
            "guest": self._guest,
            "era": self._era,
            "reach": self._reach,
            "review": self._review,
            "limits": self._limits,
            "closed": self._closed,
        }

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def hear(self, process: str, kind: str, what: dict[str, object]) -> None:
        """What a newer version says, and this one does not know, concerns pages of that version."""
        if kind == "moves" and (table := self.application.tables.by_id.get(str(what["t"]))):
            table.told += 1
            if self._asleep(table, what):
                return
        if kind in self._hears:
            self.soon(self._hears[kind](process, **what))

    def _asleep(self, table: LiveTable, what: dict[str, Any]) -> bool:
        """Is it a move of a game that goes on and that nobody looks at here? Of the games of many processes most are,
        so this takes no longer than it must."""
        return (
            table.match is None
            and table.status == "playing"
            and what.get("over") is None
            and not table.lock.locked()
            and not self._followed(table)
        )

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """In the order in which it was said, for what concerns one table."""
        task = asyncio.create_task(self._done(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _done(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except CommandRefusedError:  # the table is gone, or its rules have failed, which everybody there knows
            pass
        except SQLAlchemyError as error:  # once it is back, everything is looked at
            log.error("following another process: the database refused: %s", database_reason(error))
        except Exception:
            log.exception("following another process")

    # --- moves --------------------------------------------------------------------------------------------------------

    async def _moves(
        self, _: str, t: str, e: list[list[Any]] | None = None, over: int | None = None, **_more: object
    ) -> None:
        """Entries were added to a journal; `over`: the game has ended with them, at this time."""
        table = self.application.tables.by_id.get(t)
        if table is None or table.status == "waiting":
            await self._look([t])
            return
        async with table.lock:
            if not self._followed(table):
                self._sleep(table, replace(table.row, ended=over or table.row.ended), table.seats)
            elif table.match is None:  # by nobody but who brings word that it is somebody's turn
                await self._take_up(t)
            elif e is None or e[0][0] > len(table.match.entries):
                await self.application.tables.reload(table)
            elif fresh := [Entry(*entry) for entry in e if entry[0] >= len(table.match.entries)]:
                try:
                    game_commands.apply_committed(self.application, table, fresh)
                except JournalCorruptedError:  # read and judged anew
                    await self.application.tables.reload(table)

    async def _take_up(self, t: str) -> None:
        """For who brings word: it may be the turn of somebody who wants to be told."""
        self.application.turn_notifications.look(await self.application.tables.get(t))

    def _followed(self, table: LiveTable) -> bool:
        """Does anybody look at the match by this process?"""
        application = self.application
        if table.listeners:
            return True
        sitting = {seat.guest for seat in table.seats if seat.guest}
        return bool(application.peers.duty and sitting & application.turn_notifications.reach.keys()) or (
            table.match is not None
            and (
                (table.driver is not None and not table.driver.done())
                or time.monotonic() - table.touched < FOLLOW_TTL_S
                or not sitting.isdisjoint(guest for guest, _ in application.lobby.watchers)
            )
        )

    def _sleep(self, table: LiveTable, row: TableRow, seats: tuple[Seat, ...]) -> None:
        """Know what is agreed, and leave the match to the journal."""
        changed = (row, seats) != (table.row, table.seats)
        before, table.row, table.seats = table.seats, row, seats
        table.match = table.clocks = table.problem = None
        self.application.tables.index_seats(table, before)
        if changed:
            self.application.lobby.changed()

    # --- what the database has ----------------------------------------------------------------------------------------

    def look_everywhere(self) -> None:
        """Soon, and once for all that asks for it until then."""
        if not self._looking:
            self._looking = True
            self.soon(self._look_everywhere())

    async def _look_everywhere(self) -> None:
        self._looking = False
        await self._look(None)
        await self.application.turn_notifications.learn()
        if self.application.peers.duty:
            await self.application.turn_notifications.begin()
        for guest, era in (await self.application.writer.do(player_history.load_session_epochs)).items():
            if era > self.application.guests.epochs.get(guest, 0):
                self.application.guests.begin_epoch(guest, era)
        self.application.guests.note_deletions(await self.application.writer.do(player_history.load_deletion_digests))
        for table in list(self.application.tables.by_id.values()):
            if table.listeners:  # what was said meanwhile
                self.application.chat.greet(table, *table.listeners)

    async def _table(self, _: str, t: str, **_more: object) -> None:
        """Who sits at a table, or what else is agreed, has changed, or it is new or gone."""
        await self._look([t])

    async def _guest(self, _: str, g: str, deleted: bool = False, **_more: object) -> None:
        """Somebody has another name, or none any more: all data were deleted."""
        if deleted:
            self.application.guests.note_deletions({repository.digest_of(g)})
        await self._look([table.row.id for table in self.application.tables.of_guest(g)])

    async def _look(self, some: Iterable[str] | None) -> None:
        """Take up what is otherwise in the database at these tables; None: at all."""
        application = self.application
        known = set(application.tables.by_id if some is None else some)
        # a match that is being taken up just now may be older than what is read here
        played = [t for t in known if (table := application.tables.by_id.get(t)) is None or table.match]

        def read(c: Connection) -> tuple[dict[str, tuple[TableRow, tuple[Seat, ...]]], dict[str, int]]:
            wanted = known | set(repository.load_unfinished(c, application.settings.tables) if some is None else ())
            return repository.load_tables(c, [*wanted]), repository.load_lengths(c, played)

        found, grown = await application.writer.do(read)
        for t, (row, seats) in found.items():
            table = application.tables.by_id.get(t)
            if table is None:
                if row.ended is None:
                    with suppress(CommandRefusedError):  # all that are in memory are in use: its link still finds it
                        application.tables.make_room()
                        application.tables.add(table := LiveTable(row, seats))
                        application.lobby.changed()
                        if row.started is not None and self._followed(table):
                            await self._take_up(t)
            elif self._is_behind(table, row, seats, grown.get(t, 0)):
                async with table.lock:
                    if self._followed(table) or table.status == "waiting":
                        with suppress(CommandRefusedError):  # it is gone since
                            await application.tables.reload(table)
                    else:
                        self._sleep(table, row, seats)
        for t in known - found.keys():
            if table := application.tables.by_id.get(t):
                application.tables.forget(table)

    @staticmethod
    def _is_behind(table: LiveTable, row: TableRow, seats: tuple[Seat, ...], length: int) -> bool:
        """Is this otherwise in the database?"""
        agreed = replace(table.row, falls=row.falls)  # when the first flag falls is known by the clocks
        shorter = table.match is not None and len(table.match.entries) < length
        return (agreed, table.seats) != (row, seats) or shorter

    # --- people -------------------------------------------------------------------------------------------------------

    async def _here(self, process: str, t: str, g: list[str], h: Sequence[str] = (), **_more: object) -> None:
        """These of those who sit at the table are there by that process; "": anybody is. `h`: the pages of these are
        hidden."""
        self._at(process, t, {guest: guest not in h for guest in g})

    def _at(self, process: str, t: str, guests: dict[str, bool]) -> None:
        here = self.elsewhere.setdefault(t, {})
        table = self.application.tables.by_id.get(t)
        if table:
            table.elsewhere = here
            before = table.present()
        here[process] = guests
        if not guests:
            del here[process]
        if not here:
            del self.elsewhere[t]
        if table:
            table.changed_elsewhere(before)
            for guest, in_sight in guests.items():
                if in_sight:
                    self.application.turn_notifications.seen(table, guest)
            self.application.turn_notifications.look_later(table)
            table.tell_table()
            self.application.lobby.changed()

    async def _limits(
        self, process: str, taken: dict[str, dict[str, int]], held: dict[str, int], **_more: object
    ) -> None:
        """What some addresses have taken by that process, and how many connections they hold there."""
        self.application.socket_limit.elsewhere[process] = held
        for name, heavy in taken.items():
            if bucket := self.application.address_limits.get(name):
                for sender, n in heavy.items():
                    bucket.spend(sender, n)

    def gone(self, process: str) -> None:
        self.application.socket_limit.elsewhere.pop(process, None)
        for t in [t for t, here in self.elsewhere.items() if process in here]:
            self._at(process, t, {})
        for t in [t for t, by in self.reviewing.items() if by == process]:
            self._reviewed(t, None, made=False)

    async def _closed(self, _: str, **_more: object) -> None:
        """No process ran for a while."""
        await self.application.reload_closures()

    async def _era(self, _: str, g: str, n: int, **_more: object) -> None:
        """Somebody has signed out elsewhere."""
        self.application.guests.begin_epoch(g, n)

    async def _vote(self, _: str, t: str, s: int, g: str, **_more: object) -> None:
        if table := self.application.tables.by_id.get(t):
            await seating.count_vote(self.application, table, g, s)

    async def _said(self, _: str, t: str, saying: dict[str, Any] | None = None, **_more: object) -> None:
        if table := self.application.tables.by_id.get(t):
            if saying is None:
                self.application.chat.greet(table, *table.listeners)
            else:
                self.application.chat.tell(table, ChatMessage(**saying))

    async def _reach(self, _: str, **_more: object) -> None:
        """Somebody wants to be told otherwise."""
        await self.application.turn_notifications.learn()

    async def _review(
        self, process: str, t: str, state: schemas.ReviewProgress | None = None, made: bool = False, **_more: object
    ) -> None:
        """How far the analysis of a game is; `made`: it is kept."""
        self.reviewing[t] = process
        self._reviewed(t, state, made)

    def _reviewed(self, t: str, state: schemas.ReviewProgress | None, made: bool) -> None:
        if state is None or state["state"] != "working":
            self.reviewing.pop(t, None)
        if table := self.application.tables.by_id.get(t):
            table.review, table.reviewed = state, made or table.reviewed
            table.tell_table()
