"""How much time everybody has, worked out from what spectators see happen and when.

A clock has a bank (`bank`, ms) and, for each decision, time that costs nothing (`free`). Time runs for the seats that
are to move, from one move that everybody notices to the next. What is done in secret does not exist here, and neither
does what a seat holds: so a clock tells nothing that a spectator with a watch does not know. See "Clocks" in
docs/protocol.md.
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
MIN_AFTER_MOVE_MS = DAY_MS // 2  # where days are counted: who has moved and is to move again has as long at least
MAX_TIMEOUTS = 3  # so often in a row time may run out, then a bot takes the seat


class ClockPause(NamedTuple):
    """No time ran for this seat (None: for nobody) between these moments (None: it still does not): a bot played it,
    or the house was closed."""

    seat: int | None
    since: int
    until: int | None


@dataclass(frozen=True)
class Clocks:
    """After the newest entry that everybody noticed, at `at`. `pending`: who was to move from then on; `cues`: how many
    the spectators had seen.

    `outs`: how often in a row each seat's time was out; `behind`: how many moves taken back it has not made again.
    """

    grant: int  # ms that cost nothing when a seat's turn comes
    again: int  # as many at least after a move of its own, if it is to move again
    still: tuple[ClockPause, ...]
    at: int
    pending: tuple[int, ...]
    cues: int
    bank: tuple[int, ...]
    free: tuple[int, ...]
    outs: tuple[int, ...]
    behind: tuple[int, ...]
    closed: Sequence[ClockPause]  # when the house was closed; the list may grow, by what ends after `at`

    @classmethod
    def begin(
        cls, clock: schemas.Clock, still: Iterable[ClockPause], match: Match, at: int, closed: Sequence[ClockPause] = ()
    ) -> Self:
        """At a match's first decision."""
        bank, grant, again = clock_terms(clock)
        none = (0,) * match.players
        free = tuple(grant * (seat in match.pending) for seat in range(match.players))
        banks = (bank,) * match.players
        return cls(grant, again, tuple(still), at, match.pending, match.seq(None), banks, free, none, none, closed)

    def after(self, match: Match, entries: Sequence[Entry]) -> Self:
        """Once a command has been carried out, which made these entries. Nothing changes where spectators noticed
        nothing."""
        if match.seq(None) == self.cues:
            return self
        seat, at, undone = entries[0].seat, max(self.at, entries[0].at), entries[0].undo > 0
        bank, free, outs, behind = map(list, (self.bank, self.free, self.outs, self.behind))
        for other in self.pending:
            bank[other], free[other] = self.left(other, at)
        if undone:
            behind[seat] += 1
        else:
            outs[seat] = outs[seat] + 1 if not self._stands(seat, at) and bank[seat] + free[seat] == 0 else 0
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
            outs=tuple(outs),
            behind=tuple(behind),
        )

    def _runs(self, seat: int) -> Iterator[tuple[int, float]]:
        """From when to when time has run for this seat, and will run on, since `at`."""
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
        """Yield when no time ran for this seat, in no order."""
        yield from self.closed
        yield from (s for s in self.still if s.seat in (None, seat))

    def _stands(self, seat: int, at: int) -> bool:
        """Does this seat's clock stand still at this moment?"""
        return any(s.since <= at and (s.until is None or s.until > at) for s in self._stills(seat))

    def left(self, seat: int, at: int) -> tuple[int, int]:
        """This seat's bank at that moment, and how much more costs nothing now."""
        bank, free = self.bank[seat], self.free[seat]
        if seat not in self.pending:
            return bank, free
        spent = int(sum(max(0, min(end, at) - begin) for begin, end in self._runs(seat)))
        return max(0, bank - max(0, spent - free)), max(0, free - spent)

    def stop(self, seat: int, at: int) -> Self:
        """A bot plays this seat from now on."""
        return replace(self, still=(*self.still, ClockPause(seat, at, None)))

    def go(self, seat: int, at: int) -> Self:
        """Its player is back."""
        ended = [s._replace(until=at) if s.seat == seat and s.until is None else s for s in self.still]
        return replace(self, still=tuple(ended))

    def fallen(self, at: int) -> set[int]:
        """The seats whose time is out."""
        return {seat for seat in self.pending if not self._stands(seat, at) and not any(self.left(seat, at))}

    def lost(self, before: Self) -> list[int]:
        """The seats that a bot takes, since what has happened after `before`."""
        pairs = enumerate(zip(before.outs, self.outs, strict=True))
        return [seat for seat, (was, outs) in pairs if outs > was and outs % MAX_TIMEOUTS == 0]

    def falls(self, but: Container[int] = ()) -> int | None:
        """When the first of those who are to move has no time left; None: nobody's time runs. `but`: not of these."""
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
        """What everybody is told."""
        return {"now": at, "seats": [self._show(seat, at) for seat in range(len(self.bank))]}

    def _show(self, seat: int, at: int) -> schemas.SeatClock | None:
        if self._stands(seat, at):
            return None
        bank, free = self.left(seat, at)
        return {"bank": bank, "free": free, "runs": seat in self.pending, "outs": self.outs[seat]}


def clock_terms(clock: schemas.Clock) -> tuple[int, int, int]:
    """In ms: the bank, what is free when a seat's turn comes, and at least after a move of its own."""
    if is_days(clock):
        return 0, clock["days"] * DAY_MS, MIN_AFTER_MOVE_MS
    return clock["minutes"] * MINUTE_MS, clock["seconds"] * SECOND_MS, clock["seconds"] * SECOND_MS


def is_days(clock: schemas.Clock) -> TypeIs[schemas.DaysClock]:
    return "days" in clock


def clocks_after(match: Match, clock: schemas.Clock, still: Iterable[ClockPause], began: int) -> Clocks:
    """The clocks after everything in a match's journal, whose `at` are in ms: so anybody can check a record. `began`:
    when the game did."""
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
    """What was done together: moves, or an undo, with the random events that came of it. The first are the events
    before the first decision."""
    together: list[Entry] = []
    for entry in entries:
        if entry.seat != NOBODY and entry.batch == entry.ply:
            yield together
            together = []
        together.append(entry)
    yield together
