"""All tables of this server, and what they share: the writer, the bots, the browser's files, the limits."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from courtly.bots.registry import RANDOM, SQUIRE
from courtly.bots.runtime.bot_service import BotService
from courtly.engine.match import JournalCorruptedError
from courtly.engine.position import Audience, CommandRefusedError
from courtly.review.analysis import REVIEW_FORMAT
from courtly.server.assets.bundle import AssetBundle
from courtly.server.cluster.single_process import SingleProcess
from courtly.server.errors import CommitUncertainError
from courtly.server.observability.log_setup import database_reason
from courtly.server.persistence import player_history, repository
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.repository import JournalAppend, RevisionConflictError
from courtly.server.security.rate_limits import ConcurrencyLimit, GuestAndAddressLimit, TokenBucket
from courtly.server.security.signed_tokens import COOKIE_NAME, Signatures
from courtly.server.services.analysis_jobs import AnalysisJobs
from courtly.server.services.chat import Chat
from courtly.server.services.hints import HintService
from courtly.server.services.replay_cache import ReplayCache
from courtly.server.services.share_images import ShareImages
from courtly.server.services.turn_notifications import TurnNotifications
from courtly.server.settings import Settings
from courtly.server.tables.lobby_feed import MAX_OWN_TABLES, LobbyFeed
from courtly.server.tables.response_cache import ResponseCache
from courtly.server.tables.table import LiveTable, Subscriber
from courtly.server.tables.table_seeds import TableSeeds
from courtly.server.timekeeping import now
from courtly.session import schemas
from courtly.session.clocks import ClockPause
from courtly.session.seat import Seat

IDLE_MATCH_TTL_S = 600.0  # seconds after which a match that nobody looks at is forgotten until somebody does
UNFILLED_TABLE_TTL_MS = 7 * 24 * 3600 * 1000  # milliseconds after which a table that never filled is removed
CLEANUP_INTERVAL_S = 60.0  # seconds between rounds
STORAGE_RETRY_DELAY_S = 1.0  # seconds before another try when the disk refused

log = logging.getLogger("courtly.server")


async def no_work() -> None:
    """There is nothing to look for."""


class House:
    """Made in `opened`; the tables in memory are all unfinished ones and those finished ones that were looked at
    lately."""

    def __init__(self, settings: Settings, writer: GroupCommitWriter, statics: AssetBundle, key: str):
        self.settings = settings
        self.writer = writer
        self.statics = statics
        self.signatures = Signatures(key)
        self.fate = TableSeeds(settings.predictable)
        self.pool = BotService(settings.bot_workers, settings.bot_limit, self._bots_changed)
        self.reviews = AnalysisJobs(self)
        self.replays = ReplayCache(settings)
        self.pictures = ShareImages(settings, statics)
        self.talk = Chat(self)
        self.counsel = HintService(self.pool, settings)
        self.answers = ResponseCache()
        self.notices = TurnNotifications(self)
        self.letters = TokenBucket(1 / 600, 5)  # to addresses that somebody has just given
        people = settings.people_per_address
        self.exports = GuestAndAddressLimit(1 / 60, 3, people)
        self.tables: dict[str, LiveTable] = {}
        self.guests: dict[str, set[str]] = {}  # guest -> tables where that guest sits
        self.lobby = LobbyFeed(self.tables.values, self.tables_of)
        self.commands = GuestAndAddressLimit(settings.commands_per_second, 3 * settings.commands_per_second, people)
        self.openings = TokenBucket(settings.tables_per_minute / 60, 2 * settings.tables_per_minute)
        self.sockets = ConcurrencyLimit(settings.sockets_per_guest, people, settings.sockets)
        self.shared = {  # what an address may do, by however many processes
            "commands": self.commands.addresses,
            "tables": self.openings,
            "sayings": self.talk.people.addresses,
            "questions": self.counsel.questions.addresses,
            "replays": self.replays.asked.addresses,
            "exports": self.exports.addresses,
            "letters": self.letters,
        }
        self.lines: dict[str, set[Callable[[], None]]] = {}  # guest -> what ends each of these connections
        self.eras: dict[str, int] = {}  # guest -> how often all other browsers were signed out, if ever
        self.deletions: set[str] = set()  # digests of the guests whose data were deleted
        self.wake: Callable[[LiveTable], None] = lambda table: None  # set by the driver of bots
        self.watch: Callable[[LiveTable], None] = lambda table: None  # set by who looks after the clocks
        self.expect: Callable[[LiveTable], None] = lambda table: None  # set by the timeout of numbers
        self.look_for_flags: Callable[[], Coroutine[Any, Any, None]] = no_work  # the same
        self.look_for_closed: Callable[[], Coroutine[Any, Any, None]] = no_work  # the same
        self.peers = SingleProcess()  # the other processes, if there are any
        self.closed: list[ClockPause] = []  # when the house was closed while there were clocks
        self._finding: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}  # by the table's id
        self._tidying = asyncio.create_task(self._tidy())

    @classmethod
    async def opened(cls, settings: Settings, writer: GroupCommitWriter, statics: AssetBundle) -> House:
        """A house with its unfinished tables."""
        key = await writer.do(lambda c: repository.get_or_create_setting(c, "signing-key", secrets.token_hex(32)))
        eras, deletions = (
            await writer.do(player_history.load_session_epochs),
            await writer.do(player_history.load_deletion_digests),
        )
        kept = await writer.do(lambda c: repository.load_tables(c, repository.load_unfinished(c, settings.tables)))
        house = cls(settings, writer, statics, key)
        house.eras, house.deletions = eras, deletions
        for row, seats in kept.values():
            house.keep(LiveTable(row, seats))
        return house

    async def close(self) -> None:
        for task in (self._tidying, *self._finding, *self._loading.values()):
            task.cancel()
        for table in self.tables.values():
            if table.driver:
                table.driver.cancel()
        await self.peers.close()
        await self.notices.close()
        await self.talk.close()
        await self.reviews.close()
        await self.counsel.close()  # which asks the pool
        await self.pool.close()
        await self.replays.close()
        self.writer.close()

    # --- tables -------------------------------------------------------------------------------------------------------

    def keep(self, table: LiveTable) -> None:
        table.grace = self.settings.grace
        table.closed = self.closed
        table.elsewhere = self.peers.elsewhere(table.row.id)
        table.crowd = lambda: self.peers.here(table)
        table.hindrance = lambda: self.counsel.hindrance(table.row.game)
        table.instead = lambda bot: self._instead(table.row.game, bot)
        self.tables[table.row.id] = table
        self.note_seats(table, ())
        self.expect(table)

    def _instead(self, game: str, bot: str) -> schemas.Replacement | None:
        why = self.pool.hindrance(game, bot)
        return {"bot": RANDOM if self.pool.hindrance(game, SQUIRE) else SQUIRE, "why": why} if why else None

    def _bots_changed(self, game: str) -> None:
        """Whether bots of this game can search has turned out."""
        for table in self.tables.values():
            if table.row.game == game:
                table.tell_table()

    def note_seats(self, table: LiveTable, before: Iterable[Seat]) -> None:
        """Who sits at a table has changed."""
        held = {seat.guest for seat in table.seats if seat.guest}
        for guest in {seat.guest for seat in before if seat.guest} - held:
            self._forget(guest, table)
        for guest in held:
            self.guests.setdefault(guest, set()).add(table.row.id)
        self.peers.here(table)

    def _forget(self, guest: str, table: LiveTable) -> None:
        mine = self.guests.get(guest, set())
        mine.discard(table.row.id)
        if not mine:
            self.guests.pop(guest, None)

    def drop(self, table: LiveTable) -> None:
        """Out of memory."""
        self.tables.pop(table.row.id, None)
        for timer in (table.flag, table.late):
            if timer:
                timer.cancel()
        for guest in {seat.guest for seat in table.seats if seat.guest}:
            self._forget(guest, table)

    def make_room(self) -> None:
        """Forget the tables that were quiet longest, if there are too many in memory; their links still find them.
        CommandRefusedError if all are in use."""
        excess = len(self.tables) + 1 - self.settings.tables
        if excess > 0:
            quiet = [table for table in self.tables.values() if not self._busy(table)]
            if not quiet:
                raise CommandRefusedError("error-too-many-tables")
            for table in sorted(quiet, key=lambda table: table.touched)[:excess]:
                self.drop(table)

    async def remove(self, table: LiveTable) -> None:
        """Out of memory and out of the database: a table that never started. Conflict if somebody has sat down."""
        row = table.row  # what is decided rests on this, whatever comes meanwhile
        await self.write(table, lambda c: repository.delete_waiting_table(c, row.id, row.revision))
        self.peers.tell("table", t=table.row.id)
        self.removed(table)

    def removed(self, table: LiveTable) -> None:
        """It is out of the database."""
        self.drop(table)
        table.close()
        self.lobby.changed()

    def tables_of(self, guest: str) -> list[LiveTable]:
        return [self.tables[table] for table in self.guests.get(guest, ())]

    async def take_up_mine(self, guest: str | None) -> None:
        """The newest tables where this guest sits, with their matches, so that it is known who is waited for."""
        for table_id in (
            await self.writer.do(lambda c: player_history.load_unfinished(c, guest, MAX_OWN_TABLES)) if guest else []
        ):
            with suppress(CommandRefusedError):  # it went meanwhile
                await self.table(table_id)

    async def table(self, table_id: str) -> LiveTable:
        """A table, its match taken up where it was left. CommandRefusedError if there is none of this id."""
        table = self.tables.get(table_id)
        if table is None or table.row.started is not None and table.match is None and table.problem is None:
            table = await self.load(table_id)
        table.touched = time.monotonic()
        return table

    async def load(self, table_id: str) -> LiveTable:
        """Take up a table from the database, once for all that ask meanwhile. CommandRefusedError if there is none of
        this id."""
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            loading.add_done_callback(lambda task: self._loaded(table_id, task))
        return await asyncio.shield(loading)

    def _loaded(self, table_id: str, task: asyncio.Task[LiveTable]) -> None:
        del self._loading[table_id]
        if not task.cancelled():
            task.exception()  # somebody has asked, but may be gone

    async def _load(self, table_id: str) -> LiveTable:
        possible = len(table_id) <= 12 and table_id.isascii() and table_id.isalnum()
        fresh: LiveTable | None = None
        while True:
            table = self.tables.get(table_id)
            known = table and table.told
            # the second time, its match is as it was a moment ago
            fresh = await self._read(table_id, fresh) if possible else None
            table = self.tables.get(table_id)
            if fresh is None:
                raise CommandRefusedError("error-unknown-table")
            if known == (table and table.told):  # else another process has moved meanwhile
                break
        # somebody else's request was quicker, and may have moved since
        if table is not None and (table.match or table.problem):
            return table
        taken = self.take_up(fresh)
        if taken.status == "over":
            taken.reviewed = (
                await self.writer.do(lambda c: repository.load_review(c, table_id, REVIEW_FORMAT)) is not None
            )
        return taken

    async def write(
        self, table: LiveTable, work: Callable[[Connection], object], moves: JournalAppend | None = None
    ) -> None:
        """Have the writer do it. Conflict where another process has written to this table first: what that wrote is
        taken up and shown, and whoever wanted to write may decide again. With the table's lock held."""
        try:
            await self.writer.do(work, moves)
        except RevisionConflictError:
            await self.reload(table)
            raise
        except CommitUncertainError:
            task = asyncio.create_task(self._find_out(table))
            self._finding.add(task)
            task.add_done_callback(self._finding.discard)
            raise

    async def _find_out(self, table: LiveTable) -> None:
        """Show what there is in the database, as soon as it can be asked."""
        while True:
            try:
                async with table.lock:
                    await self.reload(table)
                self.peers.tell("table", t=table.row.id)
                return
            except CommandRefusedError:
                return  # it is gone
            except SQLAlchemyError:
                await asyncio.sleep(STORAGE_RETRY_DELAY_S)

    async def hear_out(self, table: LiveTable) -> bool:
        """Somebody is to be refused by what is known of this table: has another process written to it since? Then that
        is taken up, and it may be decided otherwise. With the table's lock held. CommandRefusedError if the table is
        gone."""
        if table.problem:
            return False
        length = len(table.match.entries) if table.match else 0
        newer = await self.writer.do(lambda c: repository.has_changed(c, table.row, length))
        if newer:
            await self.reload(table)
        return newer

    async def reload(self, table: LiveTable) -> None:
        """Another process has written to this table: take up what it wrote, and show it. With the table's lock held.
        CommandRefusedError if it is gone."""
        fresh = await self._read(table.row.id, table)
        if fresh is None:
            self.removed(table)
            raise CommandRefusedError("error-unknown-table")
        eyes, before, seats = table.eyes(), table.status, table.seats
        length = len(table.match.entries) if table.match else 0
        self.take_up(fresh)
        for seat in {*table.seats} - {*seats}:
            table.votes.pop(seat.seat, None)
        self.show(table, eyes, begins=before == "waiting" != table.status)
        if table.match and len(table.match.entries) > length:
            table.tell_views([None, *range(table.row.players)])
            table.tell_clocks()
        if before != table.status == "over":
            self.talk.over(table)
        self.lobby.changed()
        self.notices.look(table)

    def show(self, table: LiveTable, eyes: Mapping[Subscriber, list[Audience]], begins: bool) -> None:
        """Who sits at a table has changed: tell everyone, and show it anew to whom it now shows something else.
        `eyes`: whose they were before."""
        table.tell_table()
        for listener in table.listeners:
            if begins or table.audiences(listener.guest) != eyes.get(listener):
                listener.seen.clear()
                table.show_all(listener)
                self.talk.greet(table, listener)

    async def _read(self, table_id: str, known: LiveTable | None) -> LiveTable | None:
        """Read a table and replay its journal, in slices and apart from the table that others use meanwhile. Returns
        None if it is not in the database.

        `known`: the table as it was read before; where only its journal has grown, only what is new is read.
        """
        if known is not None and known.match and known.match.entries and not known.problem:
            row, last = known.row, known.match.entries[-1]
            newer = await self.writer.do(lambda c: repository.load_changes(c, row, last))
            if newer is not None:
                fresh = LiveTable(newer[0], newer[1])
                fallen = known.fallen.copy()
                fresh.match, fresh.clocks, fresh.fallen = known.match, known.clocks, fallen.copy()
                with suppress(JournalCorruptedError):  # what is new does not follow: read and judged as a whole
                    with suppress(CommandRefusedError):  # the rules have failed, as `fresh.problem` says
                        await fresh.play_on(newer[2])
                    known.fallen -= fallen - fresh.fallen
                    return fresh
        found = await self.writer.do(lambda c: repository.load_whole_table(c, table_id))
        if found is None:
            return None
        row, seats, entries, still = found
        fresh = LiveTable(row, seats)
        fresh.closed = self.closed
        await fresh.restore(entries, still or ())
        return fresh

    def take_up(self, fresh: LiveTable) -> LiveTable:
        """What was read from the database becomes what is in memory."""
        table = self.tables.get(fresh.row.id)
        if table is None:
            table = fresh
            self.keep(table)
        else:
            before, table.row, table.seats = table.seats, fresh.row, fresh.seats
            table.match, table.problem, table.clocks = fresh.match, fresh.problem, fresh.clocks
            self.note_seats(table, before)
            self.expect(table)
        self.watch(table)
        self.wake(table)
        return table

    # --- people -------------------------------------------------------------------------------------------------------

    def guest(self, asking: HTTPConnection) -> str | None:
        """Whose cookie came along; None if none did that is good."""
        found = self.signatures.guest(asking.cookies.get(COOKIE_NAME))
        return found[0] if found and self.counts(*found) else None

    def counts(self, guest: str, era: int) -> bool:
        """Is what was signed for this guest in that era good? A later one than is known has begun by another process,
        of which no word has come yet. None is, once the guest's data were deleted."""
        if self.deletions and repository.digest_of(guest) in self.deletions:
            return False
        if era > self.eras.get(guest, 0):
            self.signed_out(guest, era)
        return era == self.eras.get(guest, 0)

    def cookie(self, guest: str) -> str:
        return self.signatures.cookie(guest, self.eras.get(guest, 0))

    @contextmanager
    def line(self, guest: str | None, end: Callable[[], None]) -> Iterator[None]:
        """A connection of this guest: `end` is called if all have to be made anew."""
        lines = self.lines.setdefault(guest or "", set())
        lines.add(end)
        try:
            yield
        finally:
            lines.discard(end)
            if not lines:
                self.lines.pop(guest or "", None)

    async def sign_out(self, guest: str) -> None:
        """All browsers of this guest are strangers from now on."""
        era = await self.writer.do(lambda c: player_history.start_session_epoch(c, guest))
        self.peers.tell("era", g=guest, n=era)
        self.signed_out(guest, era)

    def signed_out(self, guest: str, era: int) -> None:
        self.eras[guest] = max(era, self.eras.get(guest, 0))
        for end in list(self.lines.get(guest, ())):
            end()

    def note_deletions(self, digests: set[str]) -> None:
        """These guests' data were deleted: their connections end."""
        fresh = digests - self.deletions
        self.deletions |= fresh
        for guest in [guest for guest in self.lines if fresh and repository.digest_of(guest) in fresh]:
            for end in list(self.lines[guest]):
                end()

    async def name(self, guest: str) -> str:
        """The name a guest has given; empty if none."""
        return (await self.writer.do(lambda c: repository.load_names(c, [guest]))).get(guest, "")

    # --- now and then -------------------------------------------------------------------------------------------------

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(CLEANUP_INTERVAL_S)
            for table in list(self.tables.values()):
                try:
                    await self._tidy_table(table)
                except SQLAlchemyError as error:
                    log.warning("table %s is not tidied: %s", table.row.id, database_reason(error))
                except Exception:
                    log.exception("tidying table %s", table.row.id)

    @staticmethod
    def _busy(table: LiveTable) -> bool:
        driven = table.driver is not None and not table.driver.done()
        reviewed = table.review is not None and table.review["state"] == "working"
        return table.watched or table.lock.locked() or driven or reviewed

    async def _tidy_table(self, table: LiveTable) -> None:
        if table.match and table.match.entries and now() - table.match.entries[-1].at > 1000 * CLEANUP_INTERVAL_S:
            table.match.rest()
        if self._busy(table) or time.monotonic() - table.touched < IDLE_MATCH_TTL_S:
            return
        if table.status == "over":
            self.drop(table)
        elif table.status == "playing":
            table.match = table.problem = table.clocks = None  # the journal has it
        elif now() - table.row.created > UNFILLED_TABLE_TTL_MS:
            async with table.lock:
                with suppress(
                    RevisionConflictError, CommandRefusedError
                ):  # somebody has come, or another process has removed it
                    await self.remove(table)
