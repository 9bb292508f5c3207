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

    `timeouts`: the number of each seat's consecutive timeouts; `behind`: the number of its moves that were taken back
    and not made again.
    """

    grant: int  # free time, in ms, when a seat becomes pending
    again: int  # the least free time, in ms, after a seat's own move if it is still pending
    still: tuple[ClockPause, ...]
    at: int
    pending: tuple[int, ...]
    cues: int
    bank: tuple[int, ...]
    free: tuple[int, ...]
    timeouts: tuple[int, ...]
    behind: tuple[int, ...]
    closed: Sequence[ClockPause]  # when the server was down; periods that end after `at` may be added

    @classmethod
    def begin(
        cls, clock: schemas.Clock, still: Iterable[ClockPause], match: Match, at: int, closed: Sequence[ClockPause] = ()
    ) -> Self:
        """Return the clocks at a match's first decision."""
        bank, grant, again = clock_terms(clock)
        none = (0,) * match.players
        free = tuple(grant * (seat in match.pending) for seat in range(match.players))
        banks = (bank,) * match.players
        return cls(grant, again, tuple(still), at, match.pending, match.seq(None), banks, free, none, none, closed)

    def after(self, match: Match, entries: Sequence[Entry]) -> Self:
        """Return the clocks after a command that made these entries; the same clocks if spectators noticed nothing."""
        if match.seq(None) == self.cues:
            return self
        seat, at, undone = entries[0].seat, max(self.at, entries[0].at), entries[0].undo > 0
        bank, free, timeouts, behind = map(list, (self.bank, self.free, self.timeouts, self.behind))
        for other in self.pending:
            bank[other], free[other] = self.left(other, at)
        if undone:
            behind[seat] += 1
        else:
            timeouts[seat] = timeouts[seat] + 1 if not self._stands(seat, at) and bank[seat] + free[seat] == 0 else 0
            if behind[seat]:
                behind[seat] -= 1
            else:
                free[seat] = max(free[seat], self.again)
            for other in match.pending:
                if other not in self.pending:
                    free[other], behind[other] = self.grant, 0
        return replace(
            self,
            at=at,
            pending=match.pending,
            cues=match.seq(None),
            bank=tuple(bank),
            free=tuple(free),
            timeouts=tuple(timeouts),
            behind=tuple(behind),
        )

    def _runs(self, seat: int) -> Iterator[tuple[int, float]]:
        """Yield the intervals since `at` in which time runs for this seat, the future included."""
        begin = self.at
        mine = [s for s in self._stills(seat) if s.until is None or s.until > begin]
        for stop in sorted(mine, key=lambda s: s.since):
            if stop.since > begin:
                yield begin, stop.since
            if stop.until is None:
                return
            begin = max(begin, stop.until)
        yield begin, math.inf

    def _stills(self, seat: int) -> Iterator[ClockPause]:
        """Yield the periods in which no time ran for this seat, in no order."""
        yield from self.closed
        yield from (s for s in self.still if s.seat in (None, seat))

    def _stands(self, seat: int, at: int) -> bool:
        """Return True if this seat's clock is stopped at this moment."""
        return any(s.since <= at and (s.until is None or s.until > at) for s in self._stills(seat))

    def left(self, seat: int, at: int) -> tuple[int, int]:
        """Return this seat's bank at this moment, and its remaining free time, both in ms."""
        bank, free = self.bank[seat], self.free[seat]
        if seat not in self.pending:
            return bank, free
        spent = int(sum(max(0, min(end, at) - begin) for begin, end in self._runs(seat)))
        return max(0, bank - max(0, spent - free)), max(0, free - spent)

    def stop(self, seat: int, at: int) -> Self:
        """Stop the clock of a seat, because a bot plays it from now on."""
        return replace(self, still=(*self.still, ClockPause(seat, at, None)))

    def go(self, seat: int, at: int) -> Self:
        """Restart the clock of a seat whose player is back."""
        ended = [s._replace(until=at) if s.seat == seat and s.until is None else s for s in self.still]
        return replace(self, still=tuple(ended))

    def fallen(self, at: int) -> set[int]:
        """Return the seats that have no time left."""
        return {seat for seat in self.pending if not self._stands(seat, at) and not any(self.left(seat, at))}

    def lost(self, before: Self) -> list[int]:
        """Return the seats that a bot takes, because they reached MAX_TIMEOUTS since the clocks `before`."""
        pairs = enumerate(zip(before.timeouts, self.timeouts, strict=True))
        return [seat for seat, (was, timeouts) in pairs if timeouts > was and timeouts % MAX_TIMEOUTS == 0]

    def falls(self, but: Container[int] = ()) -> int | None:
        """Return the time, in ms since 1970, at which the first pending seat has no time left; None if no time runs.
        Seats in `but` are left out."""
        falling = [self._falls(seat) for seat in self.pending if seat not in but]
        return min((at for at in falling if at is not None), default=None)

    def _falls(self, seat: int) -> int | None:
        left: float = self.bank[seat] + self.free[seat]
        for begin, end in self._runs(seat):
            if left <= end - begin:
                return int(begin + left)
            left -= end - begin
        return None

    def show(self, at: int) -> schemas.Clocks:
        """Return the clocks as every audience sees them."""
        return {"now": at, "seats": [self._show(seat, at) for seat in range(len(self.bank))]}

    def _show(self, seat: int, at: int) -> schemas.SeatClock | None:
        if self._stands(seat, at):
            return None
        bank, free = self.left(seat, at)
        return {"bank": bank, "free": free, "runs": seat in self.pending, "timeouts": self.timeouts[seat]}


def clock_terms(clock: schemas.Clock) -> tuple[int, int, int]:
    """Return the terms of a clock in ms: the bank, the free time of a new turn, and the least free time after an own
    move."""
    if is_days(clock):
        return 0, clock["days"] * DAY_MS, MIN_AFTER_MOVE_MS
    return clock["minutes"] * MINUTE_MS, clock["seconds"] * SECOND_MS, clock["seconds"] * SECOND_MS


def is_days(clock: schemas.Clock) -> TypeIs[schemas.DaysClock]:
    return "days" in clock


def clocks_after(match: Match, clock: schemas.Clock, still: Iterable[ClockPause], began: int) -> Clocks:
    """Return the clocks after everything in a match's journal, whose times are in ms, so that anyone can verify a
    record. `began`: when the game began."""
    *_, clocks = clocks_by_command(match, clock, still, began)
    return clocks


def clocks_by_command(
    match: Match, clock: schemas.Clock, still: Iterable[ClockPause], began: int, closed: Sequence[ClockPause] = ()
) -> Iterator[Clocks]:
    """Yield the clocks after each command in a match's journal."""
    done = group_commands(match.entries)
    first = next(done)
    again = Match(match.game, match.players, match.options, match.source, start=False)
    for entry in first:
        again.follow(entry)
    clocks = Clocks.begin(clock, still, again, began, closed)
    yield clocks
    for entries in done:
        for entry in entries:
            again.follow(entry)
        clocks = clocks.after(again, entries)
        yield clocks


def group_commands(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries that belong together: the moves of a command, or an undo, with the random events that follow.
    The first group has the events before the first decision."""
    together: list[Entry] = []
    for entry in entries:
        if entry.seat != NOBODY and entry.batch == entry.ply:
            yield together
            together = []
        together.append(entry)
    yield together
