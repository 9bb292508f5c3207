"""Moves and undos. A command is carried out on a copy of the match, committed, and only then shown to clients."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Connection

from courtly.engine import schemas
from courtly.engine.match import Entry, Match
from courtly.engine.position import Audience, CommandRefusedError
from courtly.server.actions import seating
from courtly.server.application import Application
from courtly.server.observability.metrics import MOVES
from courtly.server.persistence import repository
from courtly.server.persistence.player_history import results_of
from courtly.server.persistence.repository import JournalAppend, RevisionConflictError, SeatResult, Submission
from courtly.server.schemas.requests import MakeMoves
from courtly.server.tables.table import LiveTable, seat_list_text
from courtly.server.timekeeping import now
from courtly.session.clocks import Clocks
from courtly.session.seat import Seat

log = logging.getLogger("courtly.server")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a seat.

    Attributes:
        seat: The seat.
        seq: The seat's `seq` as the client knew it. If it has changed, the command is stale. None: it is not checked.
        moves: The moves to make; None: undo.
    """

    seat: int
    seq: int | None
    moves: tuple[int, ...] | None

    def carry_out(self, match: Match, at: int) -> list[Entry]:
        """Apply the command to a match. Raises CommandRefusedError without a change if it is not allowed."""
        if self.moves is None:
            if match.over:
                raise CommandRefusedError("error-over")
            return match.undo(self.seat, at=at, seq=self.seq)
        return match.play(self.seat, self.moves, at=at, seq=self.seq)

    def text(self) -> str:
        """Return the command as text, which is stored with its key to recognise the same command."""
        return json.dumps([self.seat, self.seq, self.moves], separators=(",", ":"))


async def run_command(
    application: Application,
    table: LiveTable,
    guest: str,
    command: Command,
    key: str,
    done: Callable[[], None] = lambda: None,
) -> schemas.View:
    """Carry out a guest's command once. Returns the seat's view right after it, with the cues since `command.seq`.

    A repeated key has no effect. It returns the first answer, or the current view if that is no longer cached.
    `done` is called after the commit, before clients are notified.
    """
    # Shielded, because a cancelled command could leave memory and journal different. The callback retrieves the
    # exception if the caller is gone.
    task = asyncio.ensure_future(_run_command(application, table, guest, command, key, done))
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return await asyncio.shield(task)


async def _run_command(
    application: Application, table: LiveTable, guest: str, command: Command, key: str, done: Callable[[], None]
) -> schemas.View:
    submission = Submission(guest, key, command.text(), 0)
    async with table.lock:
        try:
            view = await _carry_out(application, table, guest, command, submission, done)
        except CommandRefusedError:
            newer = await application.tables.revalidate(table)
            # A command that was carried out is always refused the second time, because the seat's `seq` has changed.
            earlier = await application.writer.do(lambda c: repository.find_submission(c, table.row.id, guest, key))
            if earlier is None:
                if not newer:
                    raise
                view = await _carry_out(application, table, guest, command, submission, done)
            elif earlier.request_body != command.text():
                raise CommandRefusedError("error-key") from None
            else:
                table.own(guest, command.seat)  # the seat may have moved to another guest since
                cached_view = application.responses.find(table.row.id, guest, key)
                with table.by_the_rules():
                    view = cached_view or table.playing().view(command.seat, command.seq)
                done()
                return view
        application.responses.keep(table.row.id, guest, key, view)
    application.schedule_bots(table)
    return view


@seating.retry_on_conflict
async def _carry_out(
    application: Application,
    table: LiveTable,
    guest: str,
    command: Command,
    submission: Submission,
    done: Callable[[], None],
) -> schemas.View:
    """Carry out and commit a command. The caller holds the table's lock.

    Raises CommandRefusedError if the command is not allowed, or if it is stale. Other seats' changes do not make it
    stale unless this seat has noticed them.
    """
    if table.own(guest, command.seat).substitute_bot:
        raise CommandRefusedError("error-substitute")
    return await _commit(application, table, _try(table, command), submission, done)


@seating.refresh_before_rejecting
async def view_of(
    application: Application, table: LiveTable, guest: str | None, seat: int | None, since: int
) -> schemas.View:
    """Return the view of one of a guest's seats, or of spectators (`seat` None), with the cues from `since` on."""
    match = table.playing()
    if seat is not None:
        table.own(guest, seat)
    with table.by_the_rules():
        return match.view(seat, since)


@seating.refresh_before_rejecting
async def finished_match(application: Application, table: LiveTable) -> Match:
    """Return the match of a finished game. Raises CommandRefusedError if it is not over."""
    match = table.playing()
    if not match.over:
        raise CommandRefusedError("error-not-over")
    return match


@seating.refresh_before_rejecting
async def preview_moves(application: Application, table: LiveTable, guest: str | None, body: MakeMoves) -> schemas.View:
    """Return the view of a guest's seat after these moves, without making them."""
    table.own(guest, body.seat)
    match = table.playing()
    with table.by_the_rules():
        return match.preview(body.seat, body.moves, body.seq)


async def play_for_bot(
    application: Application, table: LiveTable, seat: int, move: int, noticed: bool | None = None
) -> int | None:
    """Make a bot's move.

    Args:
        noticed: True: make the move only if other audiences notice it; False: only if none does; None: in any case.

    Returns:
        The number of new cues of spectators, or None if the move was not made because of `noticed`.

    Raises:
        CommandRefusedError: The move is not legal, the seat is no longer the bot's, or another process was first.
    """
    async with table.lock:
        if table.player(seat) is None:
            raise CommandRefusedError("error-no-substitute")
        step = _try(table, Command(seat, None, (move,)))
        if noticed is not None and noticed != bool(step.noticed - {seat}):
            return None
        before = table.playing().seq(None)
        try:
            await _commit(application, table, step, None, lambda: None)
        except RevisionConflictError:
            raise CommandRefusedError("error-stale") from None
        return step.after.seq(None) - before


class _Step(NamedTuple):
    """The result of a command on a copy of the match.

    Attributes:
        after: The match after the command.
        entries: The new entries of the journal.
        view: The seat's view with its new cues; None for a command of another process.
        noticed: The audiences that see a change.
        at: The time of the command in milliseconds since 1970.
        clocks: The clocks after the command, if the table has any.
        results: The results of all seats if the game is over.
    """

    after: Match
    entries: list[Entry]
    view: schemas.View | None
    noticed: set[Audience]
    at: int
    clocks: Clocks | None
    results: list[SeatResult]


def _try(table: LiveTable, command: Command) -> _Step:
    """Carry out a command on a copy of the match. The caller holds the table's lock."""
    seat, after = command.seat, table.playing().copy()
    at = max(now(), after.entries[-1].at if after.entries else 0)  # another process's time may be ahead
    with table.by_the_rules():
        since = after.seq(seat)
        entries = command.carry_out(after, at)
        view, noticed = after.view(seat, since), after.noticed(entries)
        clocks = table.clocks and table.clocks.after(after, entries)
        results = results_of(after) if after.over else []
        return _Step(after, entries, view, noticed, at, clocks, results)


async def _commit(
    application: Application, table: LiveTable, step: _Step, submission: Submission | None, done: Callable[[], None]
) -> schemas.View:
    """Commit the result of a command, then show it to clients. Returns the seat's view.

    The caller holds the table's lock. Raises RevisionConflictError if another process has changed the table first.
    """
    ended = step.at if step.after.over else None
    stored_submission = submission and replace(submission, journal_length=len(step.after.entries))
    before, clocks = table.clocks, step.clocks
    run = clocks is not before
    lost = clocks.lost(before) if before and clocks and run and ended is None else []
    given_up = seating.substitute_timed_out(table, lost) if lost else []
    for seat in given_up:
        clocks = clocks and clocks.stop(seat.seat, step.at)
    falls = (clocks.falls(),) if clocks and run else ()
    revision = table.row.revision

    def write(connection: Connection) -> None:
        if ended is not None:
            repository.end_game(connection, table.row.id, ended, step.results)
        if given_up:
            repository.save_seats(connection, table.row.id, revision, given_up)
            repository.save_pauses(connection, table.row.id, lost, (), step.at)

    await application.tables.write(table, write, JournalAppend(table.row.id, step.entries, stored_submission, falls))
    if step.after.seq(None) > table.playing().seq(None):
        MOVES.inc()
    if given_up:
        table.row = replace(table.row, revision=revision + 1)
        application.peers.publish("table", t=table.row.id)
    else:
        application.peers.publish("moves", t=table.row.id, e=step.entries, over=ended)
    _publish(application, table, step, done, given_up)
    if ended is not None:
        log.info("table %s: the game is over", table.row.id)
    assert step.view
    return step.view


def apply_committed(application: Application, table: LiveTable, entries: list[Entry]) -> None:
    """Apply the entries of one command that another process has committed. The caller holds the table's lock.

    Raises JournalCorruptedError if the entries do not follow the match in memory.
    """
    after = table.playing().copy()
    with table.by_the_rules():
        for entry in entries:
            after.follow(entry)
        clocks = table.clocks and table.clocks.after(after, entries)
        step = _Step(after, entries, None, after.noticed(entries), entries[-1].at, clocks, [])
    _publish(application, table, step)


def _publish(
    application: Application,
    table: LiveTable,
    step: _Step,
    done: Callable[[], None] = lambda: None,
    given_up: Sequence[Seat] = (),
) -> None:
    """Apply a committed command to the table in memory, and notify clients."""
    clocks, waited_for = step.clocks, table.waited_for
    run = clocks is not table.clocks
    table.match = step.after
    done()
    view = step.view
    ready_texts = {(view["seat"], view["seq"] - len(view["cues"])): seat_list_text(view)} if view else {}
    table.publish_views(step.noticed, ready_texts)
    if clocks and run:
        table.fallen &= clocks.fallen(step.at)
        table.clocks = clocks
        table.publish_clocks()
        for seat in given_up:  # only after clients saw that the time was out
            table.clocks = table.clocks.stop(seat.seat, step.at)
        if given_up:
            seating.publish_substitutes(application, table, given_up)
        application.schedule_flags(table)
    if step.after.over:
        table.row = replace(table.row, ended_at=step.at)
        table.publish_table()
        application.chat.over(table)
        application.lobby.changed()
    elif changes := waited_for ^ table.waited_for:
        application.lobby.changed(changes)
    application.turn_notifications.look(table)
