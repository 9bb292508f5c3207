"""One game being played: seats, journal, views, undo.

Truth is the journal, an append-only list of entries. The state is what replaying it gives.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, cast

from courtly.engine import schemas
from courtly.engine.append_only_list import AppendOnlyList
from courtly.engine.constants import NOBODY, SILENT
from courtly.engine.errors import CourtlyError, RulesError
from courtly.engine.game import Game
from courtly.engine.moves import Move
from courtly.engine.position import Audience, CommandRefusedError, MoveLike, Position
from courtly.engine.rng import ChanceSource, SeededChance
from courtly.engine.state import StateBase

UNDO_LIMIT_MOVES = 1_000  # that one seat may take back in a game: more is no thinking aloud, and each is kept for ever
MAX_VIEW_CUES = 2_000  # the most cues in one view: its size does not grow with the game
CHECKPOINT_INTERVAL_MOVES = 64  # between two positions that are kept, from which an undo is worked out
MAX_CHECKPOINTS = 8  # the most positions kept


class Entry(NamedTuple):
    """One line of the journal. An event has seat -1; an undo has move -1 and says in `undo` how many of its seat's
    moves it takes back.

    `batch` is the ply of the first of the moves that were made together. `at` is whatever clock the caller keeps.
    """

    ply: int
    seat: int
    move: int
    at: Any
    batch: int
    undo: int


class JournalCorruptedError(CourtlyError):
    """A journal that does not replay. `ply` is the first entry that is wrong."""

    def __init__(self, ply: int, why: str):
        super().__init__(f"entry {ply}: {why}")
        self.ply = ply
        self.why = why


class _DoneMove(NamedTuple):
    """A move or event that stands, with what decides whether it may be taken back."""

    seat: int
    move: int
    batch: int
    audience: int
    reveals: int


class _Cue(NamedTuple):
    """What an audience noticed: see schemas.Cue."""

    seat: int
    verb: str
    args: Mapping[str, Any] | None

    def __reduce__(self) -> tuple[Any, ...]:
        return _Cue, (self.seat, self.verb, None if self.args is None else dict(self.args))


class Match(Position):
    """`Match(game, players, options, source)` is ready for the first decision. ValueError if an option or number of
    players is not offered.

    `source` says what chance brings. `state`: the state to begin from, instead of the game's first. `start` False:
    nothing has happened yet.
    """

    def __init__(
        self,
        game: Game,
        players: int | None,
        options: Mapping[str, int] | None,
        source: ChanceSource,
        *,
        at: Any = None,
        start: bool = True,
        state: StateBase | None = None,
    ):
        self.entries: AppendOnlyList[Entry] = AppendOnlyList()
        super().__init__(game, players, options, state=None if state is None else state.copy())
        self.options = dict(options or {})
        self.source = source
        self._done: AppendOnlyList[_DoneMove] = AppendOnlyList()
        self._made = [0] * self.players  # entries of each seat
        self._spent = [0] * self.players  # moves that each seat has taken back
        self._checkpoints: list[tuple[int, Position]] = []  # the length of _done, and the position then
        # seat -> where in _done its last moves begin, and the position before them
        self._before: dict[int, tuple[int, Position]] = {}
        # seat -> its last moves, and the position without them, or None if they stay; since the last entry
        self._without: dict[int, tuple[range, Position | None]] = {}
        self._open: dict[int, list[Move]] = {}  # seat -> its legal moves; since the last entry
        # cues by audience, the spectators' last; whoever sees the same shares it
        self._streams: list[AppendOnlyList[_Cue]] = [AppendOnlyList() for _ in range(self.players + 1)]
        self.noticed_at: Any = None  # when the spectators last noticed anything
        self._beginning = self.now()
        if start:
            self._continue(at, self.game.State())

    def seq(self, seat: Audience) -> int:
        """How many cues this audience has seen: its own clock, which secret choices of others do not move."""
        return len(self._stream(seat))

    def cues(self, seat: Audience, since: int = 0) -> list[schemas.Cue]:
        """What this audience has noticed, from this cue on."""
        first = max(since, 0)
        return [
            {"n": n, "seat": by, "verb": verb, "args": None if args is None else dict(args)}
            for n, (by, verb, args) in enumerate(self._stream(seat)[first:], first)
        ]

    def audiences(self, count: int) -> list[int]:
        """Who saw the arguments of the last so many moves and events that stand, as `audience` says it."""
        return [done.audience for done in self._done[len(self._done) - count :]]

    def made(self, seat: int) -> int:
        """Return how many entries of the journal are this seat's, undos included."""
        return self._made[seat]

    def _stream(self, seat: Audience) -> AppendOnlyList[_Cue]:
        return self._streams[self.players if seat is None else seat]

    def legal(self, seat: Audience) -> list[Move]:
        """The moves open to a seat; what may happen, for NOBODY; none for spectators."""
        if seat is None or seat == NOBODY:
            return super().legal(seat)
        if seat not in self._open:
            self._open[seat] = super().legal(seat)
        return self._open[seat][:]

    # --- moving -------------------------------------------------------------------------------------------------------

    def check(self, seat: int, moves: MoveLike | Sequence[MoveLike], seq: int | None = None) -> list[int]:
        """Refused, with the reason, unless this seat may make these moves in this order now. Returns their ids.
        `seq` None skips the clock."""
        self._check_seat(seat)
        if seq is not None and seq != self.seq(seat):
            raise CommandRefusedError("error-stale")
        return super().check(seat, moves)

    def play(
        self, seat: int, moves: MoveLike | Sequence[MoveLike], at: Any = None, seq: int | None = None
    ) -> list[Entry]:
        """Make a move, or several in order: all or none. Returns the new journal entries, random events included.

        CommandRefusedError says what is wrong and changes nothing.
        """
        ids = self.check(seat, moves, seq)
        first = len(self.entries)
        for move in ids:
            self._enter(seat, move, at, first)
        _, before = self._before[seat]
        self._continue(at, before.state)
        return self.entries[first:]

    def foresee(self, seat: int, moves: MoveLike | Sequence[MoveLike], seq: int | None = None) -> schemas.View:
        """What this seat would see, with their cues, if it made these moves in this order now. Nothing is done.

        CommandRefusedError, as in `check`, and where the last of them would show the seat something or set chance in
        motion: what comes of that nobody may know who has not made it.
        """
        ids, after = self.check(seat, moves, seq), self.copy()
        for move in ids:
            shown = after.reveals(seat, move) >> seat & 1
            if not shown:
                after.apply(seat, move)
            if shown or after.chance:
                raise CommandRefusedError("error-unforeseen", move=self.moves.decode(move).as_json())
        return after.view(seat, self.seq(seat))

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or let an event happen (seat NOBODY): an entry of its own."""
        self._enter(seat, move, None, len(self.entries))

    def _continue(self, at: Any, known: StateBase) -> None:
        """Let random events happen until somebody has to decide. `known`: a state before, whose numbers fit."""
        while self.chance:
            self._enter(NOBODY, self._drawn(), at, len(self.entries))
        for seat in self.pending:
            self.legal(seat)  # there is a move, or the rules are broken
        try:
            self.state.fit(known)
        except OverflowError as wrong:
            raise self._overflow(wrong) from wrong

    def _overflow(self, wrong: OverflowError) -> RulesError:
        """A number does not fit its field: everything is done once more, to find where it came there."""
        checked = importlib.import_module(
            "courtly.engine.native.sanitizer"
        )  # by name: a loader of rules has no types to follow
        again = checked.CheckedPosition(self.game, state=self._beginning.state)
        try:
            for done in self._done:
                again.apply(done.seat, done.move)
        except RulesError as found:
            return found
        return self._broken(f"OverflowError: {wrong}", "apply")

    def rest(self) -> None:
        """Forget what can be worked out again: for a while nobody will ask."""
        self._before.clear()
        self._without.clear()
        self._open.clear()
        del self._checkpoints[:-1]

    @property
    def _ply(self) -> int:
        return len(self.entries)

    def _drawn(self) -> int:
        """The event that the source chooses."""
        outcomes = self.outcomes()
        return outcomes[self.source.choose(len(self.entries), self.events, [weight for _, weight in outcomes])][0]

    def _enter(self, seat: int, move: int, at: Any, batch: int) -> None:
        if seat != NOBODY and not (self._done and self._done[-1].seat == seat and self._done[-1].batch == batch):
            self._before[seat] = len(self._done), self.now()
        self._keep_position()
        self._without.clear()
        self._open.clear()
        named = self.moves.decode(move)
        audience, reveals = self.audience(seat, move), self.reveals(seat, move)
        super().apply(seat, move)
        self.entries.append(Entry(len(self.entries), seat, int(move), at, batch, 0))
        if seat != NOBODY:
            self._made[seat] += 1
        self._done.append(_DoneMove(seat, int(move), batch, audience, reveals))
        seen = unseen = _Cue(seat, named.verb, named.args)
        if audience >= 0 and not audience & SILENT:
            unseen = _Cue(seat, *self.moves.unseen(move))
        for who, stream in enumerate(self._streams):
            if self._told(who, seat, audience):
                stream.append(seen)
            elif not audience & SILENT:
                stream.append(unseen)
        if self._notices(self.players, self._done[-1]):
            self.noticed_at = at

    def _keep_position(self) -> None:
        """Keep every 64th position, so that an undo is worked out from one nearby and not from the beginning."""
        length = len(self._done)
        if length and not length % CHECKPOINT_INTERVAL_MOVES and [n for n, _ in self._checkpoints[-1:]] != [length]:
            self._checkpoints.append((length, self.now()))
            del self._checkpoints[:-MAX_CHECKPOINTS]

    def _told(self, who: int, seat: int, audience: int) -> bool:
        """Do they see the arguments of a move of this audience? `who` is a seat, after the last the spectators."""
        return who == seat or audience < 0 or who < self.players and bool(audience >> who & 1)

    def _notices(self, who: int, done: _DoneMove) -> bool:
        """Did they notice a move at all?"""
        return not done.audience & SILENT or self._told(who, done.seat, done.audience)

    # --- taking back --------------------------------------------------------------------------------------------------

    def _last(self, seat: int) -> range:
        """Where in `_done` the moves stand that this seat made together last; empty if somebody else has acted openly
        since, if something was drawn since, or if they showed somebody something hidden."""
        end = len(self._done)
        while end and self._done[end - 1].seat not in (seat, NOBODY) and self._silent(self._done[end - 1]):
            end -= 1
        first = end
        while first and self._done[first - 1].seat == seat and self._done[first - 1].batch == self._done[end - 1].batch:
            first -= 1
            if self._done[first].reveals:
                return range(0)
        return range(first, end)

    @staticmethod
    def _silent(done: _DoneMove) -> bool:
        """Did nobody else notice it, or learn anything?"""
        return done.audience >= 0 and bool(done.audience & SILENT) and not done.reveals & ~(1 << done.seat)

    def _position_before(self, seat: int, first: int) -> Position:
        """The position before a seat's last moves, which begin at `first` in `_done`."""
        known = self._before.get(seat)
        if known is None or known[0] != first:
            kept = [(0, self._beginning), *self._checkpoints]
            start, nearest = max((one for one in kept if one[0] <= first), key=lambda one: one[0])
            position = nearest.copy()
            for done in self._done[start:first]:
                position.apply(done.seat, done.move)
            known = self._before[seat] = first, position
        return known[1].copy()

    def _taken_back(self, seat: int) -> tuple[range, Position | None]:
        """Where in `_done` this seat's last moves stand, and the position as if it had not made them; None if they
        cannot fairly be taken back.

        They can if they set in motion nothing that others may do in silence (that they did must not show, not even by
        this), and if what others did in silence since could have come first, seen by the same, and led to the same.
        """
        if seat not in self._without:
            last = self._last(seat)
            self._without[seat] = last, self._undone(seat, last) if last else None
        return self._without[seat]

    def _undone(self, seat: int, last: range) -> Position | None:
        before = self._position_before(seat, last.start)
        after = before.copy()
        mine, later = self._done[last.start : last.stop], self._done[last.stop :]
        for done in mine:
            after.apply(seat, done.move)
        for other in range(self.players):
            opened = after.legal(other)
            if (
                other != seat
                and any(_is_silent(after, other, move) for move in opened)
                and opened != before.legal(other)
            ):
                return None
        without = before
        if not _can_replay(without, later):
            return None
        if not later:
            return without
        again = without.copy()
        return without if _can_replay(again, mine) and again.state == self.state else None

    def can_undo(self, seat: Audience) -> int:
        """How many of its own moves this seat would take back now: those it made together last, if nobody else has
        acted since and nothing hidden or random was revealed. 0 if none, and once it has taken back UNDO_LIMIT_MOVES in
        this game."""
        if seat is None or not 0 <= seat < self.players or self._spent[seat] >= UNDO_LIMIT_MOVES:
            return 0
        return self._fairly_undone(seat)

    def _fairly_undone(self, seat: int) -> int:
        """Return how many moves this seat can fairly take back, however many it has."""
        if self.over:
            return 0
        last, without = self._taken_back(seat)
        return 0 if without is None else len(last)

    def undo(self, seat: int, at: Any = None, seq: int | None = None) -> list[Entry]:
        """Take back. CommandRefusedError if that is not fair, stale, or too much for one game."""
        if seq is not None and seq != self.seq(seat):
            raise CommandRefusedError("error-stale")
        if not self.can_undo(seat):
            raise CommandRefusedError("error-no-undo")
        return [self._take_back(seat, at)]

    def _take_back(self, seat: int, at: Any) -> Entry:
        last, without = self._taken_back(seat)
        assert without is not None
        gone = self._done[last.start : last.stop]
        self.state, self.decisions, self.events = without.state, without.decisions, without.events
        self._done.remove(last.start, last.stop)
        self._spent[seat] += len(gone)
        self._made[seat] += 1
        self._checkpoints = [one for one in self._checkpoints if one[0] <= last.start]
        self._before.clear()
        self._without.clear()
        self._open.clear()
        for who, stream in enumerate(self._streams):
            count = sum(self._notices(who, done) for done in gone)
            if count:
                stream.append(_Cue(seat, "undo", {"count": count}))
        if any(self._notices(self.players, done) for done in gone):
            self.noticed_at = at
        entry = Entry(len(self.entries), seat, -1, at, len(self.entries), len(gone))
        self.entries.append(entry)
        return entry

    # --- what is seen -------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None, since: int | None = None) -> schemas.View:
        """Everything a seat (or a spectator: None) may know, as JSON; see docs/protocol.md. `since`: the first cue
        wanted, of the last VIEW_CUES; None: no cues."""
        view = super().view(seat)
        facts = self.game.facts(view)
        return cast(
            "schemas.View",
            {
                **view,
                "seq": self.seq(seat),
                "undo": self.can_undo(seat) > 0,
                "over": self.over,
                "scores": self.scores,
                "cues": [] if since is None else self.cues(seat, max(since, self.seq(seat) - MAX_VIEW_CUES)),
                **({} if facts is None else {"facts": facts}),
            },
        )

    def noticed(self, entries: Iterable[Entry]) -> set[Audience]:
        """The audiences that notice something of these entries, which must be the newest: all others have the same
        view as before."""
        found: set[Audience] = set()
        done = self._done
        at = len(done) - sum(e.undo == 0 for e in entries)
        for e in entries:
            if e.undo:  # an undo is entered alone: its cue tells who noticed
                found |= {
                    w if w < self.players else None
                    for w, stream in enumerate(self._streams)
                    if stream and stream[-1][:2] == (e.seat, "undo")
                }
                continue
            found |= {
                who if who < self.players else None for who in range(self.players + 1) if self._notices(who, done[at])
            }
            at += 1
        return found

    # --- copies and replays -------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """An independent match at the same point; cheap."""
        other = super().copy()
        other.entries, other._done = self.entries.copy(), self._done.copy()
        other._streams = [stream.copy() for stream in self._streams]
        other._made, other._spent, other._checkpoints = self._made[:], self._spent[:], self._checkpoints[:]
        other._before, other._without, other._open = self._before.copy(), self._without.copy(), self._open.copy()
        return other

    @classmethod
    def replay(
        cls, game: Game, players: int, options: Mapping[str, int] | None, source: ChanceSource, entries: Iterable[Entry]
    ) -> Match:
        """The match that a journal describes, every step checked: plies, legality, fairness of undo, and every random
        outcome.

        JournalCorruptedError names the first entry that is wrong.
        """
        *_, match = cls.replayed(game, players, options, source, entries)
        return match

    @classmethod
    def replayed(
        cls, game: Game, players: int, options: Mapping[str, int] | None, source: ChanceSource, entries: Iterable[Entry]
    ) -> Iterator[Match]:
        """Yield the same match at its beginning and after each entry, so that the caller can pause between two."""
        match = cls(game, players, options, source, start=False)
        yield match
        for entry in entries:
            match.follow(entry)
            yield match

    def follow(self, entry: Entry, within_limit: bool = False) -> None:
        """Do what a journal entry says, checking it: JournalCorruptedError if it is not what could have happened, or
        not what the source had committed to. `within_limit`: nor may a seat take back more than UNDO_LIMIT_MOVES."""
        ply, seat, move, at, batch, undo = entry
        if ply != len(self.entries):
            raise JournalCorruptedError(ply, f"entry {len(self.entries)} is missing")
        if undo:
            if not 0 <= seat < self.players or self._fairly_undone(seat) != undo:
                raise JournalCorruptedError(ply, "that could not be taken back")
            if within_limit and not self.can_undo(seat):
                raise JournalCorruptedError(ply, f"a seat takes back at most {UNDO_LIMIT_MOVES} moves in a game")
            self._take_back(seat, at)
            return
        if seat == NOBODY:
            if not self.chance:
                raise JournalCorruptedError(ply, "no random event was due")
            if move not in self.legal(NOBODY):
                raise JournalCorruptedError(ply, "that event could not happen")
            if self._drawn() != move:
                raise JournalCorruptedError(ply, "the random outcome is not the one that was committed to")
        elif not 0 <= seat < self.players or move not in self.legal(seat):
            raise JournalCorruptedError(ply, "the move is not legal")
        self._enter(seat, move, at, batch)


def new_match(
    game: Game, players: int | None = None, seed: int | None = None, options: Mapping[str, int] | None = None
) -> Match:
    """Begin a game.

    Args:
        game: What is played.
        players: How many play; by default the fewest that can.
        seed: Makes the game repeatable; by default another one each time.
        options: Options and their values, as in `game.options`; the others have their defaults.

    Raises:
        ValueError: An option, a value or a number of players is not offered.
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(7), "big")
    return Match(game, game.players[0] if players is None else players, options, SeededChance(seed))


def _is_silent(position: Position, seat: int, move: int) -> bool:
    audience = position.audience(seat, move)
    return audience >= 0 and bool(audience & SILENT)


def _can_replay(position: Position, moves: Iterable[_DoneMove]) -> bool:
    """Make these moves from this position on. False where one is not legal, or would not be seen as it was."""
    for done in moves:
        if done.move not in position.legal(done.seat) or (
            position.audience(done.seat, done.move),
            position.reveals(done.seat, done.move),
        ) != (done.audience, done.reveals):
            return False
        position.apply(done.seat, done.move)
    return True
