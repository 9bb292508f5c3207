"""The time of each player, computed from what spectators see happen and when.

A clock has a bank (`bank`, ms) and, for each decision, free time (`free`, ms). Time runs for the pending seats, from
one move that everyone notices to the next. Silent moves and hidden information do not affect it: a clock discloses
nothing that a spectator with a watch does not know. See "Clocks" in docs/protocol.md.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from typing_extensions import TypeIs

from courtly.engine.constants import NOBODY
from courtly.engine.match import Entry, Match
from courtly.session import schemas

SECOND_MS, MINUTE_MS, DAY_MS = 1000, 60_000, 86_400_000
MIN_AFTER_MOVE_MS = DAY_MS // 2  # with a clock in days: the least time for a seat that has moved and must move again
MAX_TIMEOUTS = 3  # consecutive timeouts, after which a bot takes the seat


class ClockPause(NamedTuple):
    """A period in which no time ran for this seat (None: for any seat), because a bot played it or the server was down.
    `until` is None while it lasts."""

    seat: int | None
    since: int
    until: int | None


@dataclass(frozen=True)
class Clocks:
    """The clocks after the newest entry that everyone noticed, at the time `at`. `pending`: the seats that were pending
    from then on; `cues`: the number of the spectators' cues.

    `timeouts`: the number of each seat's consecutive timeouts; `undone_moves`: the number of its moves that were taken
    back and not made again.
    """

    grant: int  # free time, in ms, when a seat becomes pending
    repeat_grant: int  # the least free time, in ms, after a seat's own move if it is still pending
    pauses: tuple[ClockPause, ...]
    at: int
    pending: tuple[int, ...]
    cues: int
    bank: tuple[int, ...]
    free: tuple[int, ...]
    timeouts: tuple[int, ...]
    undone_moves: tuple[int, ...]
    closures: Sequence[ClockPause]  # when the server was down; periods that end after `at` may be added

    @classmethod
    def start(
        cls,
        clock: schemas.Clock,
        pauses: Iterable[ClockPause],
        match: Match,
        at: int,
        closures: Sequence[ClockPause] = (),
    ) -> Self:
        """Return the clocks at a match's first decision."""
        bank, grant, repeat_grant = clock_terms_ms(clock)
        zeros = (0,) * match.players
        free = tuple(grant * (seat in match.pending) for seat in range(match.players))
        banks = (bank,) * match.players
        return cls(
            grant, repeat_grant, tuple(pauses), at, match.pending, match.seq(None), banks, free, zeros, zeros, closures
        )

    def advance(self, match: Match, entries: Sequence[Entry]) -> Self:
        """Return the clocks after a command that made these entries; the same clocks if spectators noticed nothing."""
        if match.seq(None) == self.cues:
            return self
        seat, at, is_undo = entries[0].seat, max(self.at, entries[0].at), entries[0].undo > 0
        bank, free, timeouts, undone_moves = map(list, (self.bank, self.free, self.timeouts, self.undone_moves))
        for other in self.pending:
            bank[other], free[other] = self.time_left(other, at)
        if is_undo:
            undone_moves[seat] += 1
        else:
            timeouts[seat] = timeouts[seat] + 1 if not self._is_paused(seat, at) and bank[seat] + free[seat] == 0 else 0
            if undone_moves[seat]:
                undone_moves[seat] -= 1
            else:
                free[seat] = max(free[seat], self.repeat_grant)
            for other in match.pending:
                if other not in self.pending:
                    free[other], undone_moves[other] = self.grant, 0
        return replace(
            self,
            at=at,
            pending=match.pending,
            cues=match.seq(None),
            bank=tuple(bank),
            free=tuple(free),
            timeouts=tuple(timeouts),
            undone_moves=tuple(undone_moves),
        )

    def _running_intervals(self, seat: int) -> Iterator[tuple[int, float]]:
        """Yield the intervals since `at` in which time runs for this seat, the future included."""
        begin = self.at
        relevant = [s for s in self._pauses_of(seat) if s.until is None or s.until > begin]
        for pause in sorted(relevant, key=lambda s: s.since):
            if pause.since > begin:
                yield begin, pause.since
            if pause.until is None:
                return
            begin = max(begin, pause.until)
        yield begin, math.inf

    def _pauses_of(self, seat: int) -> Iterator[ClockPause]:
        """Yield the periods in which no time ran for this seat, in no order."""
        yield from self.closures
        yield from (s for s in self.pauses if s.seat in (None, seat))

    def _is_paused(self, seat: int, at: int) -> bool:
        """Return True if this seat's clock is stopped at this moment."""
        return any(s.since <= at and (s.until is None or s.until > at) for s in self._pauses_of(seat))

    def time_left(self, seat: int, at: int) -> tuple[int, int]:
        """Return this seat's bank at this moment, and its remaining free time, both in ms."""
        bank, free = self.bank[seat], self.free[seat]
        if seat not in self.pending:
            return bank, free
        used = int(sum(max(0, min(end, at) - begin) for begin, end in self._running_intervals(seat)))
        return max(0, bank - max(0, used - free)), max(0, free - used)

    def pause(self, seat: int, at: int) -> Self:
        """Stop the clock of a seat, because a bot plays it from now on."""
        return replace(self, pauses=(*self.pauses, ClockPause(seat, at, None)))

    def resume(self, seat: int, at: int) -> Self:
        """Restart the clock of a seat whose player is back."""
        pauses = [s._replace(until=at) if s.seat == seat and s.until is None else s for s in self.pauses]
        return replace(self, pauses=tuple(pauses))

    def timed_out(self, at: int) -> set[int]:
        """Return the seats that have no time left."""
        return {seat for seat in self.pending if not self._is_paused(seat, at) and not any(self.time_left(seat, at))}

    def forfeited_seats(self, before: Self) -> list[int]:
        """Return the seats that a bot takes, because they reached MAX_TIMEOUTS since the clocks `before`."""
        pairs = enumerate(zip(before.timeouts, self.timeouts, strict=True))
        return [
            seat
            for seat, (timeouts_before, timeouts) in pairs
            if timeouts > timeouts_before and timeouts % MAX_TIMEOUTS == 0
        ]

    def next_flag_at(self, excluded: Container[int] = ()) -> int | None:
        """Return the time, in ms since 1970, at which the first pending seat has no time left; None if no time runs.
        Seats in `excluded` are left out."""
        flags = [self._flag_at(seat) for seat in self.pending if seat not in excluded]
        return min((at for at in flags if at is not None), default=None)

    def _flag_at(self, seat: int) -> int | None:
        left: float = self.bank[seat] + self.free[seat]
        for begin, end in self._running_intervals(seat):
            if left <= end - begin:
                return int(begin + left)
            left -= end - begin
        return None

    def describe(self, at: int) -> schemas.Clocks:
        """Return the clocks as every audience sees them."""
        return {"now": at, "seats": [self._describe_seat(seat, at) for seat in range(len(self.bank))]}

    def _describe_seat(self, seat: int, at: int) -> schemas.SeatClock | None:
        if self._is_paused(seat, at):
            return None
        bank, free = self.time_left(seat, at)
        return {"bank": bank, "free": free, "runs": seat in self.pending, "timeouts": self.timeouts[seat]}


def clock_terms_ms(clock: schemas.Clock) -> tuple[int, int, int]:
    """Return the terms of a clock in ms: the bank, the free time of a new turn, and the least free time after an own
    move."""
    if is_days(clock):
        return 0, clock["days"] * DAY_MS, MIN_AFTER_MOVE_MS
    return clock["minutes"] * MINUTE_MS, clock["seconds"] * SECOND_MS, clock["seconds"] * SECOND_MS


def is_days(clock: schemas.Clock) -> TypeIs[schemas.DaysClock]:
    return "days" in clock


def clocks_after(match: Match, clock: schemas.Clock, pauses: Iterable[ClockPause], started_at: int) -> Clocks:
    """Return the clocks after everything in a match's journal, whose times are in ms, so that anyone can verify a
    record. `started_at`: when the game began."""
    *_, clocks = clocks_by_command(match, clock, pauses, started_at)
    return clocks


def clocks_by_command(
    match: Match,
    clock: schemas.Clock,
    pauses: Iterable[ClockPause],
    started_at: int,
    closures: Sequence[ClockPause] = (),
) -> Iterator[Clocks]:
    """Yield the clocks after each command in a match's journal."""
    commands = group_commands(match.entries)
    first = next(commands)
    replay = Match(match.game, match.players, match.options, match.source, start=False)
    for entry in first:
        replay.follow(entry)
    clocks = Clocks.start(clock, pauses, replay, started_at, closures)
    yield clocks
    for entries in commands:
        for entry in entries:
            replay.follow(entry)
        clocks = clocks.advance(replay, entries)
        yield clocks


def group_commands(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries that belong together: the moves of a command, or an undo, with the random events that follow.
    The first group has the events before the first decision."""
    group: list[Entry] = []
    for entry in entries:
        if entry.seat != NOBODY and entry.batch == entry.ply:
            yield group
            group = []
        group.append(entry)
    yield group
