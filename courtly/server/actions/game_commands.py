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
from courtly.server.tables.table import LiveTable, view_message
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

    def apply(self, match: Match, at: int) -> list[Entry]:
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
    on_commit: Callable[[], None] = lambda: None,
) -> schemas.View:
    """Carry out a guest's command once. Returns the seat's view right after it, with the cues since `command.seq`.

    A repeated key has no effect. It returns the first answer, or the current view if that is no longer cached.
    `on_commit` is called after the commit, before clients are notified.
    """
    # Shielded, because a cancelled command could leave memory and journal different. The callback retrieves the
    # exception if the caller is gone.
    task = asyncio.ensure_future(_run_command(application, table, guest, command, key, on_commit))
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return await asyncio.shield(task)


async def _run_command(
    application: Application, table: LiveTable, guest: str, command: Command, key: str, on_commit: Callable[[], None]
) -> schemas.View:
    submission = Submission(guest, key, command.text(), 0)
    async with table.lock:
        try:
            view = await _carry_out(application, table, guest, command, submission, on_commit)
        except CommandRefusedError:
            has_reloaded = await application.tables.revalidate(table)
            # A command that was carried out is always refused the second time, because the seat's `seq` has changed.
            earlier = await application.writer.do(lambda c: repository.find_submission(c, table.row.id, guest, key))
            if earlier is None:
                if not has_reloaded:
                    raise
                view = await _carry_out(application, table, guest, command, submission, on_commit)
            elif earlier.request_body != command.text():
                raise CommandRefusedError("error-key") from None
            else:
                table.require_own_seat(guest, command.seat)  # the seat may have moved to another guest since
                cached_view = application.responses.find(table.row.id, guest, key)
                with table.guard_rules():
                    view = cached_view or table.require_match().view(command.seat, command.seq)
                on_commit()
                return view
        application.responses.store(table.row.id, guest, key, view)
    application.schedule_bots(table)
    return view


@seating.retry_on_conflict
async def _carry_out(
    application: Application,
    table: LiveTable,
    guest: str,
    command: Command,
    submission: Submission,
    on_commit: Callable[[], None],
) -> schemas.View:
    """Carry out and commit a command. The caller holds the table's lock.

    Raises CommandRefusedError if the command is not allowed, or if it is stale. Other seats' changes do not make it
    stale unless this seat has noticed them.
    """
    if table.require_own_seat(guest, command.seat).substitute_bot:
        raise CommandRefusedError("error-substitute")
    return await _commit(application, table, _try(table, command), submission, on_commit)


@seating.refresh_before_rejecting
async def load_view(
    application: Application, table: LiveTable, guest: str | None, seat: int | None, since: int
) -> schemas.View:
    """Return the view of one of a guest's seats, or of spectators (`seat` None), with the cues from `since` on."""
    match = table.require_match()
    if seat is not None:
        table.require_own_seat(guest, seat)
    with table.guard_rules():
        return match.view(seat, since)


@seating.refresh_before_rejecting
async def require_finished_match(application: Application, table: LiveTable) -> Match:
    """Return the match of a finished game. Raises CommandRefusedError if it is not over."""
    match = table.require_match()
    if not match.over:
        raise CommandRefusedError("error-not-over")
    return match


@seating.refresh_before_rejecting
async def preview_moves(application: Application, table: LiveTable, guest: str | None, body: MakeMoves) -> schemas.View:
    """Return the view of a guest's seat after these moves, without making them."""
    table.require_own_seat(guest, body.seat)
    match = table.require_match()
    with table.guard_rules():
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
        if table.deciding_bot(seat) is None:
            raise CommandRefusedError("error-no-substitute")
        step = _try(table, Command(seat, None, (move,)))
        if noticed is not None and noticed != bool(step.noticed - {seat}):
            return None
        before = table.require_match().seq(None)
        try:
            await _commit(application, table, step, None, lambda: None)
        except RevisionConflictError:
            raise CommandRefusedError("error-stale") from None
        return step.match.seq(None) - before


class _Step(NamedTuple):
    """The result of a command on a copy of the match.

    Attributes:
        match: The match after the command.
        entries: The new entries of the journal.
        view: The seat's view with its new cues; None for a command of another process.
        noticed: The audiences that see a change.
        at: The time of the command in milliseconds since 1970.
        clocks: The clocks after the command, if the table has any.
        results: The results of all seats if the game is over.
    """

    match: Match
    entries: list[Entry]
    view: schemas.View | None
    noticed: set[Audience]
    at: int
    clocks: Clocks | None
    results: list[SeatResult]


def _try(table: LiveTable, command: Command) -> _Step:
    """Carry out a command on a copy of the match. The caller holds the table's lock."""
    seat, match = command.seat, table.require_match().copy()
    at = max(now(), match.entries[-1].at if match.entries else 0)  # another process's time may be ahead
    with table.guard_rules():
        since = match.seq(seat)
        entries = command.apply(match, at)
        view, noticed = match.view(seat, since), match.audiences_noticing(entries)
        clocks = table.clocks and table.clocks.advance(match, entries)
        results = results_of(match) if match.over else []
        return _Step(match, entries, view, noticed, at, clocks, results)


async def _commit(
    application: Application,
    table: LiveTable,
    step: _Step,
    submission: Submission | None,
    on_commit: Callable[[], None],
) -> schemas.View:
    """Commit the result of a command, then show it to clients. Returns the seat's view.

    The caller holds the table's lock. Raises RevisionConflictError if another process has changed the table first.
    """
    ended_at = step.at if step.match.over else None
    stored_submission = submission and replace(submission, journal_length=len(step.match.entries))
    before, clocks = table.clocks, step.clocks
    is_clock_changed = clocks is not before
    forfeited = clocks.forfeited_seats(before) if before and clocks and is_clock_changed and ended_at is None else []
    substituted = seating.substitute_timed_out(table, forfeited) if forfeited else []
    for seat in substituted:
        clocks = clocks and clocks.pause(seat.seat, step.at)
    next_flag_at = (clocks.next_flag_at(),) if clocks and is_clock_changed else ()
    revision = table.row.revision

    def write(connection: Connection) -> None:
        if ended_at is not None:
            repository.end_game(connection, table.row.id, ended_at, step.results)
        if substituted:
            repository.save_seats(connection, table.row.id, revision, substituted)
            repository.save_pauses(connection, table.row.id, forfeited, (), step.at)

    await application.tables.write(
        table, write, JournalAppend(table.row.id, step.entries, stored_submission, next_flag_at)
    )
    if step.match.seq(None) > table.require_match().seq(None):
        MOVES.inc()
    if substituted:
        table.row = replace(table.row, revision=revision + 1)
        application.peers.publish("table", t=table.row.id)
    else:
        application.peers.publish("moves", t=table.row.id, e=step.entries, over=ended_at)
    _publish(application, table, step, on_commit, substituted)
    if ended_at is not None:
        log.info("table %s: the game is over", table.row.id)
    assert step.view
    return step.view


def apply_committed(application: Application, table: LiveTable, entries: list[Entry]) -> None:
    """Apply the entries of one command that another process has committed. The caller holds the table's lock.

    Raises JournalCorruptedError if the entries do not follow the match in memory.
    """
    match = table.require_match().copy()
    with table.guard_rules():
        for entry in entries:
            match.follow(entry)
        clocks = table.clocks and table.clocks.advance(match, entries)
        step = _Step(match, entries, None, match.audiences_noticing(entries), entries[-1].at, clocks, [])
    _publish(application, table, step)


def _publish(
    application: Application,
    table: LiveTable,
    step: _Step,
    on_commit: Callable[[], None] = lambda: None,
    substituted: Sequence[Seat] = (),
) -> None:
    """Apply a committed command to the table in memory, and notify clients."""
    clocks, guests_to_move = step.clocks, table.guests_to_move
    is_clock_changed = clocks is not table.clocks
    table.match = step.match
    on_commit()
    view = step.view
    ready_texts = {(view["seat"], view["seq"] - len(view["cues"])): view_message(view)} if view else {}
    table.publish_views(step.noticed, ready_texts)
    if clocks and is_clock_changed:
        table.timed_out &= clocks.timed_out(step.at)
        table.clocks = clocks
        table.publish_clocks()
        for seat in substituted:  # only after clients saw that the time was out
            table.clocks = table.clocks.pause(seat.seat, step.at)
        if substituted:
            seating.publish_substitutes(application, table, substituted)
        application.schedule_flags(table)
    if step.match.over:
        table.row = replace(table.row, ended_at=step.at)
        table.publish_table()
        application.chat.send_all_to_players(table)
        application.lobby.schedule_update()
    elif changes := guests_to_move ^ table.guests_to_move:
        application.lobby.schedule_update(changes)
    application.turn_notifications.notify_due(table)
