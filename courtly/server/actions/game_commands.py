"""Moves and taking back: checked, played on a copy, committed, and only then shown to anybody."""

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
    """`moves` None: take back. `seq`: the seat's clock as the sender knew it; None: whatever it shows."""

    seat: int
    seq: int | None
    moves: tuple[int, ...] | None

    def carry_out(self, match: Match, at: int) -> list[Entry]:
        """Do it; CommandRefusedError changes nothing."""
        if self.moves is None:
            if match.over:
                raise CommandRefusedError("error-over")
            return match.undo(self.seat, at=at, seq=self.seq)
        return match.play(self.seat, self.moves, at=at, seq=self.seq)

    def text(self) -> str:
        """What is kept beside its key, to know it again."""
        return json.dumps([self.seat, self.seq, self.moves], separators=(",", ":"))


async def run_command(
    application: Application,
    table: LiveTable,
    guest: str,
    wanted: Command,
    key: str,
    done: Callable[[], None] = lambda: None,
) -> schemas.View:
    """Carry out a person's command once. Returns the seat's view right after it, with the cues since `wanted.seq`.

    The same key again does nothing. It is answered as it was the first time, or, where that answer is no longer kept,
    with what the seat sees now. `done` is called after the commit, before anybody is told.
    """
    # Shielded: who hangs up in the middle must not leave memory and journal apart, and then nobody asks how it ended.
    task = asyncio.ensure_future(_run_command(application, table, guest, wanted, key, done))
    task.add_done_callback(lambda task: task.cancelled() or task.exception())
    return await asyncio.shield(task)


async def _run_command(
    application: Application, table: LiveTable, guest: str, wanted: Command, key: str, done: Callable[[], None]
) -> schemas.View:
    submission = Submission(guest, key, wanted.text(), 0)
    async with table.lock:
        try:
            answer = await _carry_out(application, table, guest, wanted, submission, done)
        except CommandRefusedError:
            newer = await application.tables.revalidate(table)
            # A command that was carried out is always refused the second time, for the seat's clock has moved on.
            earlier = await application.writer.do(lambda c: repository.find_submission(c, table.row.id, guest, key))
            if earlier is None:
                if not newer:
                    raise
                answer = await _carry_out(application, table, guest, wanted, submission, done)
            elif earlier.command != wanted.text():
                raise CommandRefusedError("error-key") from None
            else:
                table.own(guest, wanted.seat)  # the seat may have been given away since
                kept = application.responses.find(table.row.id, guest, key)
                with table.by_the_rules():
                    answer = kept or table.playing().view(wanted.seat, wanted.seq)
                done()
                return answer
        application.responses.keep(table.row.id, guest, key, answer)
    application.schedule_bots(table)
    return answer


@seating.retry_on_conflict
async def _carry_out(
    application: Application,
    table: LiveTable,
    guest: str,
    wanted: Command,
    submission: Submission,
    done: Callable[[], None],
) -> schemas.View:
    """With the table's lock held. What others did meanwhile stands; it is refused if this seat's clock has moved on."""
    if table.own(guest, wanted.seat).standin:
        raise CommandRefusedError("error-standin")
    return await _commit(application, table, _try(table, wanted), submission, done)


@seating.refresh_before_rejecting
async def view_of(
    application: Application, table: LiveTable, guest: str | None, seat: int | None, since: int
) -> schemas.View:
    """What one of a person's seats sees, or a spectator, with the cues from `since` on."""
    match = table.playing()
    if seat is not None:
        table.own(guest, seat)
    with table.by_the_rules():
        return match.view(seat, since)


@seating.refresh_before_rejecting
async def finished_match(application: Application, table: LiveTable) -> Match:
    """The match, which is over. CommandRefusedError if it is not."""
    match = table.playing()
    if not match.over:
        raise CommandRefusedError("error-not-over")
    return match


@seating.refresh_before_rejecting
async def preview_moves(application: Application, table: LiveTable, guest: str | None, wish: MakeMoves) -> schemas.View:
    """What a person's seat would see if these moves were made, which they are not."""
    table.own(guest, wish.seat)
    match = table.playing()
    with table.by_the_rules():
        return match.foresee(wish.seat, wish.moves, wish.seq)


async def play_for_bot(
    application: Application, table: LiveTable, seat: int, move: int, noticed: bool | None = None
) -> int | None:
    """A bot's move. Returns how many new cues the spectators saw. CommandRefusedError if it cannot be made or the seat
    is no longer the bot's.

    `noticed` True: only if others notice it; False: only if nobody does. Else nothing is done, and None is returned.
    """
    async with table.lock:
        if table.player(seat) is None:
            raise CommandRefusedError("error-no-standin")
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
    """A command carried out on a copy. `answer`: what its seat sees then, with the cues that are new, if it was given
    here; `noticed`: who sees anything new."""

    after: Match
    entries: list[Entry]
    answer: schemas.View | None
    noticed: set[Audience]
    at: int
    clocks: Clocks | None
    results: list[SeatResult]


def _try(table: LiveTable, wanted: Command) -> _Step:
    """With the table's lock held."""
    seat, after = wanted.seat, table.playing().copy()
    at = max(now(), after.entries[-1].at if after.entries else 0)  # by another process, whose time may be ahead
    with table.by_the_rules():
        since = after.seq(seat)
        entries = wanted.carry_out(after, at)
        answer, noticed = after.view(seat, since), after.noticed(entries)
        clocks = table.clocks and table.clocks.after(after, entries)
        results = results_of(after) if after.over else []
        return _Step(after, entries, answer, noticed, at, clocks, results)


async def _commit(
    application: Application, table: LiveTable, step: _Step, submission: Submission | None, done: Callable[[], None]
) -> schemas.View:
    """Keep it, then show it. With the table's lock held. Conflict if another process was first."""
    ended = step.at if step.after.over else None
    kept = submission and replace(submission, length=len(step.after.entries))
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

    await application.tables.write(table, write, JournalAppend(table.row.id, step.entries, kept, falls))
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
    assert step.answer
    return step.answer


def apply_committed(application: Application, table: LiveTable, entries: list[Entry]) -> None:
    """Another process has kept these entries of one command, which come next. With the table's lock held.
    JournalCorruptedError if they cannot."""
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
    """It is kept: tell everyone."""
    clocks, waited_for = step.clocks, table.waited_for
    run = clocks is not table.clocks
    table.match = step.after
    done()
    seen = step.answer
    made = {(seen["seat"], seen["seq"] - len(seen["cues"])): seat_list_text(seen)} if seen else {}
    table.tell_views(step.noticed, made)
    if clocks and run:
        table.fallen &= clocks.fallen(step.at)
        table.clocks = clocks
        table.tell_clocks()
        for seat in given_up:  # after it is told that their time was out
            table.clocks = table.clocks.stop(seat.seat, step.at)
        if given_up:
            seating.publish_substitutes(application, table, given_up)
        application.schedule_flags(table)
    if step.after.over:
        table.row = replace(table.row, ended=step.at)
        table.tell_table()
        application.chat.over(table)
        application.lobby.changed()
    elif changes := waited_for ^ table.waited_for:
        application.lobby.changed(changes)
    application.turn_notifications.look(table)
