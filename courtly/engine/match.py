"""A match: one play of a game, with its journal, its views and undo.

The journal, an append-only list of entries, is the single source of truth. Replaying it gives the state.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, cast

from courtly.engine import schemas
from courtly.engine.append_only_list import AppendOnlyList
from courtly.engine.constants import NOBODY, SILENT
from courtly.engine.errors import CourtlyError, RulesError
from courtly.engine.game import Game
from courtly.engine.logged import find_changes, read_numbers
from courtly.engine.moves import Move
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Audience, CommandRefusedError, MoveLike, Position
from courtly.engine.rng import ChanceSource, SeededChance
from courtly.engine.state import StateBase

UNDO_LIMIT_MOVES = 1_000  # a seat can take back per match, because the journal keeps every undo for ever
MAX_VIEW_CUES = 2_000  # in one view, so that its size does not grow with the length of the game
CHECKPOINT_INTERVAL_MOVES = 64  # distance of two checkpoints; an undo is computed from the checkpoint before it
MAX_CHECKPOINTS = 8  # how many checkpoints are kept


class Entry(NamedTuple):
    """An entry of the journal.

    Attributes:
        ply: Its index in the journal, from 0.
        seat: The seat that acted; NOBODY for a random event.
        move: The id of the move or event; -1 for an undo.
        at: A timestamp that the caller supplies; None without one.
        batch: The ply of the first of the moves that were made in the same call.
        undo: How many moves of the seat an undo takes back; 0 for moves and events.
    """

    ply: int
    seat: int
    move: int
    at: Any
    batch: int
    undo: int


class JournalCorruptedError(CourtlyError):
    """A journal that cannot be replayed. `ply` is its first invalid entry."""

    def __init__(self, ply: int, reason: str):
        super().__init__(f"entry {ply}: {reason}")
        self.ply = ply
        self.reason = reason


class _DoneMove(NamedTuple):
    """A move or event that was not taken back, with the data that decide whether it can be."""

    seat: int
    move: int
    batch: int
    audience: int
    reveals: int
    changes: tuple[schemas.Change, ...]


class _Cue(NamedTuple):
    """What an audience noticed: see schemas.Cue."""

    seat: int
    verb: str
    args: Mapping[str, Any] | None
    changes: tuple[schemas.Change, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _Cue, (self.seat, self.verb, None if self.args is None else dict(self.args), self.changes)

    def as_json(self, n: int) -> schemas.Cue:
        """Return what the audience receives; `n` is the cue's number."""
        args = None if self.args is None else dict(self.args)
        cue: schemas.Cue = {"n": n, "seat": self.seat, "verb": self.verb, "args": args}
        if self.changes:
            cue["changes"] = list(self.changes)
        return cue


class Match(Position):
    """One play of a game: a position with a journal. It is ready for the first decision.

    Args:
        game: The game.
        players: The number of players; None for the fewest that the game allows.
        options: Options and their values; the others have their defaults.
        source: Where the random events come from.
        at: The timestamp of the first random events; the engine only stores it.
        start: False to stop before the first random event.
        state: The state to begin from, instead of the initial state of the game.

    Raises:
        ValueError: The game does not have this option, value or number of players.
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
        self._done_moves: AppendOnlyList[_DoneMove] = AppendOnlyList()
        self._entry_counts = [0] * self.players  # number of entries of each seat
        self._undo_counts = [0] * self.players  # number of moves that each seat has taken back
        self._checkpoints: list[tuple[int, Position]] = []  # the length of _done_moves, and the position at that point
        # seat -> the index in _done_moves of its last batch, and the position before it
        self._before: dict[int, tuple[int, Position]] = {}
        # seat -> its last batch, and the position without it, or None if it cannot be taken back; cleared by each entry
        self._without: dict[int, tuple[range, Position | None]] = {}
        self._open: dict[int, list[Move]] = {}  # seat -> its legal moves; cleared by each entry
        # cues by audience, the spectators last; audiences that receive the same cues share the cue objects
        self._streams: list[AppendOnlyList[_Cue]] = [AppendOnlyList() for _ in range(self.players + 1)]
        self.noticed_at: Any = None  # when the spectators last received a cue
        self._initial_position = self.now()
        if start:
            self._continue(at, self.game.State())

    def seq(self, seat: Audience) -> int:
        """Return how many cues this audience has received. Secret choices of other seats do not change this number."""
        return len(self._stream(seat))

    def cues(self, seat: Audience, since: int = 0) -> list[schemas.Cue]:
        """Return the cues that this audience has received, from number `since` on."""
        first = max(since, 0)
        return [cue.as_json(n) for n, cue in enumerate(self._stream(seat)[first:], first)]

    def audiences(self, count: int) -> list[int]:
        """Return the audiences of the last `count` moves and events that were not taken back, as `audience` returns
        them."""
        return [done_move.audience for done_move in self._done_moves[len(self._done_moves) - count :]]

    def changes(self, count: int) -> list[list[schemas.Change]]:
        """Return what each of the last `count` moves and events that were not taken back has changed."""
        return [list(done_move.changes) for done_move in self._done_moves[len(self._done_moves) - count :]]

    def count_entries(self, seat: int) -> int:
        """Return the number of entries of this seat in the journal, undos included."""
        return self._entry_counts[seat]

    def _stream(self, seat: Audience) -> AppendOnlyList[_Cue]:
        return self._streams[self.players if seat is None else seat]

    def legal(self, seat: Audience) -> list[Move]:
        """Return the legal moves of a seat, or the possible random events (seat NOBODY); none for spectators."""
        if seat is None or seat == NOBODY:
            return super().legal(seat)
        if seat not in self._open:
            self._open[seat] = super().legal(seat)
        return self._open[seat][:]

    # --- moving -------------------------------------------------------------------------------------------------------

    def check(self, seat: int, moves: MoveLike | Sequence[MoveLike], seq: int | None = None) -> list[int]:
        """Check whether this seat may make these moves now, in this order, and return their ids.

        Args:
            seat: The seat that moves.
            moves: A move or several: ids, `Move` objects or words such as "keep face=4".
            seq: The `seq` of the view on which the seat decided; None to skip this check.

        Raises:
            CommandRefusedError: The moves are not legal, or the seat has received cues since that view ("error-stale").
        """
        self._check_seat(seat)
        if seq is not None and seq != self.seq(seat):
            raise CommandRefusedError("error-stale")
        return super().check(seat, moves)

    def play(
        self, seat: int, moves: MoveLike | Sequence[MoveLike], at: Any = None, seq: int | None = None
    ) -> list[Entry]:
        """Make a move, or several in order: all of them or none. Random events that become due happen too.

        Args:
            seat: The seat that moves.
            moves: A move or several: ids, `Move` objects or words such as "keep face=4".
            at: A timestamp for the entries.
            seq: The `seq` of the view on which the seat decided; None to skip this check.

        Returns:
            The new entries of the journal, random events included.

        Raises:
            CommandRefusedError: The moves are not allowed now; the match is unchanged.
            RulesError: The rules of the game fail.

        Examples:
            >>> import courtly
            >>> match = courtly.new_match("petition", players=2, seed=1)
            >>> seat = match.pending[0]
            >>> entries = match.play(seat, match.legal(seat)[0])
            >>> entries[0].seat == seat, len(match.entries) > len(entries)
            (True, True)
        """
        ids = self.check(seat, moves, seq)
        first = len(self.entries)
        for move in ids:
            self._enter(seat, move, at, first)
        _, before = self._before[seat]
        self._continue(at, before.state)
        return self.entries[first:]

    def preview(self, seat: int, moves: MoveLike | Sequence[MoveLike], seq: int | None = None) -> schemas.View:
        """Return the view that this seat would have, with the cues, after making these moves. The match does not
        change.

        Args:
            seat: The seat that would move.
            moves: A move or several: ids, `Move` objects or words such as "keep face=4".
            seq: The `seq` of the view on which the seat decided; None to skip this check.

        Raises:
            CommandRefusedError: `check` refuses the moves. Or the last of them would reveal something to the seat or
                make a random event due, which a seat may only learn by making the move ("error-unforeseen").
        """
        ids, after = self.check(seat, moves, seq), self.copy()
        for move in ids:
            is_revealed = after.reveals(seat, move) >> seat & 1
            if not is_revealed:
                after.apply(seat, move)
            if is_revealed or after.chance:
                raise CommandRefusedError("error-unforeseen", move=self.moves.decode(move).as_json())
        return after.view(seat, self.seq(seat))

    def apply(self, seat: int, move: int) -> None:
        """Make a move that is known to be legal, or a random event (seat NOBODY), as an entry of its own."""
        self._enter(seat, move, None, len(self.entries))

    def _continue(self, at: Any, fitting_state: StateBase) -> None:
        """Let random events happen until a seat has to decide.

        Args:
            at: The timestamp of their entries.
            fitting_state: A previous state whose numbers are known to fit into their fields.

        Raises:
            RulesError: A number of the state does not fit into its field.
        """
        while self.chance:
            self._enter(NOBODY, self._draw_event(), at, len(self.entries))
        for seat in self.pending:
            self.legal(seat)  # raises RulesError if the seat has no move
        try:
            self.state.fit(fitting_state)
        except OverflowError as error:
            raise self._overflow_error(error) from error

    def _overflow_error(self, overflow: OverflowError) -> RulesError:
        """Return the error for a number that does not fit into its field. The match is replayed with checks to find the
        line."""
        checked = CheckedPosition(self.game, state=self._initial_position.state)
        try:
            for done_move in self._done_moves:
                checked.apply(done_move.seat, done_move.move)
        except RulesError as error:
            return error
        return self._broken(f"OverflowError: {overflow}", "apply")

    def drop_caches(self) -> None:
        """Drop cached positions and moves to free memory. They are recomputed on demand."""
        self._before.clear()
        self._without.clear()
        self._open.clear()
        del self._checkpoints[:-1]

    @property
    def _ply(self) -> int:
        return len(self.entries)

    def _draw_event(self) -> int:
        """Return the random event that the source selects."""
        outcomes = self.outcomes()
        return outcomes[self.source.choose(len(self.entries), self.events, [weight for _, weight in outcomes])][0]

    def _enter(self, seat: int, move: int, at: Any, batch: int) -> None:
        if seat != NOBODY and not (
            self._done_moves and self._done_moves[-1].seat == seat and self._done_moves[-1].batch == batch
        ):
            self._before[seat] = len(self._done_moves), self.now()
        self._keep_position()
        self._without.clear()
        self._open.clear()
        decoded = self.moves.decode(move)
        audience, reveals = self.audience(seat, move), self.reveals(seat, move)
        before = read_numbers(self.game.logged, self.state)
        super().apply(seat, move)
        changes = find_changes(self.game.logged, before, self.state, seat, decoded.verb)
        self.entries.append(Entry(len(self.entries), seat, int(move), at, batch, 0))
        if seat != NOBODY:
            self._entry_counts[seat] += 1
        self._done_moves.append(_DoneMove(seat, int(move), batch, audience, reveals, changes))
        full_cue = partial_cue = _Cue(seat, decoded.verb, decoded.args, changes)
        if audience >= 0 and not audience & SILENT:
            partial_cue = _Cue(seat, *self.moves.unseen(move))
        for audience_index, stream in enumerate(self._streams):
            if self._sees_arguments(audience_index, seat, audience):
                stream.append(full_cue)
            elif not audience & SILENT:
                stream.append(partial_cue)
        if self._is_noticed_by(self.players, self._done_moves[-1]):
            self.noticed_at = at

    def _keep_position(self) -> None:
        """Store a checkpoint after every CHECKPOINT_INTERVAL_MOVES moves, so that an undo is computed from a near
        position."""
        length = len(self._done_moves)
        if length and not length % CHECKPOINT_INTERVAL_MOVES and [n for n, _ in self._checkpoints[-1:]] != [length]:
            self._checkpoints.append((length, self.now()))
            del self._checkpoints[:-MAX_CHECKPOINTS]

    def _sees_arguments(self, audience_index: int, seat: int, audience: int) -> bool:
        """Return True if an audience sees the arguments of a move of `seat`.

        `audience_index` is a seat, or `players` for spectators.
        """
        return (
            audience_index == seat
            or audience < 0
            or audience_index < self.players
            and bool(audience >> audience_index & 1)
        )

    def _is_noticed_by(self, audience_index: int, done_move: _DoneMove) -> bool:
        """Return True if an audience receives a cue for this move.

        `audience_index` is a seat, or `players` for spectators.
        """
        return not done_move.audience & SILENT or self._sees_arguments(
            audience_index, done_move.seat, done_move.audience
        )

    # --- taking back --------------------------------------------------------------------------------------------------

    def _last_batch(self, seat: int) -> range:
        """Return the range of `_done_moves` with the last batch of this seat.

        It is empty if the moves cannot be taken back: another seat has acted noticeably since, a random event has
        happened since, or one of the moves revealed something hidden.
        """
        end = len(self._done_moves)
        while (
            end and self._done_moves[end - 1].seat not in (seat, NOBODY) and self._is_silent(self._done_moves[end - 1])
        ):
            end -= 1
        first = end
        while (
            first
            and self._done_moves[first - 1].seat == seat
            and self._done_moves[first - 1].batch == self._done_moves[end - 1].batch
        ):
            first -= 1
            if self._done_moves[first].reveals:
                return range(0)
        return range(first, end)

    @staticmethod
    def _is_silent(done_move: _DoneMove) -> bool:
        """Return True if no other seat noticed the move or learned anything from it."""
        return (
            done_move.audience >= 0
            and bool(done_move.audience & SILENT)
            and not done_move.reveals & ~(1 << done_move.seat)
        )

    def _position_before(self, seat: int, first: int) -> Position:
        """Return the position before the last batch of a seat, which begins at `first` in `_done_moves`."""
        nearest_before = self._before.get(seat)
        if nearest_before is None or nearest_before[0] != first:
            checkpoints = [(0, self._initial_position), *self._checkpoints]
            start, nearest = max(
                (checkpoint for checkpoint in checkpoints if checkpoint[0] <= first),
                key=lambda checkpoint: checkpoint[0],
            )
            position = nearest.copy()
            for done_move in self._done_moves[start:first]:
                position.apply(done_move.seat, done_move.move)
            nearest_before = self._before[seat] = first, position
        return nearest_before[1].copy()

    def _find_undo(self, seat: int) -> tuple[range, Position | None]:
        """Return the range of `_done_moves` with the last batch of this seat, and the position without it.

        Returns None if it cannot be taken back.

        It can be taken back on two conditions. First, it must not have changed the silent moves that are open to other
        seats: an undo, even a refused one, would disclose whether they made one. Second, the silent moves that others
        made since must also be possible before the batch, with the same audiences, and lead to the same state.
        """
        if seat not in self._without:
            last = self._last_batch(seat)
            self._without[seat] = last, self._position_without(seat, last) if last else None
        return self._without[seat]

    def _position_without(self, seat: int, last: range) -> Position | None:
        before = self._position_before(seat, last.start)
        after = before.copy()
        removed, later_moves = self._done_moves[last.start : last.stop], self._done_moves[last.stop :]
        for done_move in removed:
            after.apply(seat, done_move.move)
        for other in range(self.players):
            legal_after = after.legal(other)
            if (
                other != seat
                and any(_is_silent(after, other, move) for move in legal_after)
                and legal_after != before.legal(other)
            ):
                return None
        without = before
        if not _can_replay(without, later_moves):
            return None
        if not later_moves:
            return without
        trial = without.copy()
        return without if _can_replay(trial, removed) and trial.state == self.state else None

    def can_undo(self, seat: Audience) -> int:
        """Return how many of its moves this seat would take back now: its last batch, or 0 if undo is not possible.

        Undo is not possible if another seat has acted since, if anything hidden or random was revealed, or if the seat
        has taken back UNDO_LIMIT_MOVES moves in this match.
        """
        if seat is None or not 0 <= seat < self.players or self._undo_counts[seat] >= UNDO_LIMIT_MOVES:
            return 0
        return self._count_fair_undos(seat)

    def _count_fair_undos(self, seat: int) -> int:
        """Return how many moves this seat can take back, without regard to UNDO_LIMIT_MOVES."""
        if self.over:
            return 0
        last, without = self._find_undo(seat)
        return 0 if without is None else len(last)

    def undo(self, seat: int, at: Any = None, seq: int | None = None) -> list[Entry]:
        """Take back the last batch of a seat.

        Args:
            seat: The seat.
            at: A timestamp for the entry.
            seq: The `seq` of the view on which the seat decided; None to skip this check.

        Returns:
            The new entry of the journal, in a list.

        Raises:
            CommandRefusedError: `can_undo` is 0 ("error-no-undo"), or the seat has received cues since that view
                ("error-stale"); the match is unchanged.

        Examples:
            >>> import courtly
            >>> match = courtly.new_match("puppet", players=2, seed=1)
            >>> seat = match.pending[0]
            >>> _ = match.play(seat, match.legal(seat)[0])
            >>> count = match.can_undo(seat)
            >>> count == 0 or match.undo(seat)[0].undo == count
            True
        """
        if seq is not None and seq != self.seq(seat):
            raise CommandRefusedError("error-stale")
        if not self.can_undo(seat):
            raise CommandRefusedError("error-no-undo")
        return [self._take_back(seat, at)]

    def _take_back(self, seat: int, at: Any) -> Entry:
        last, without = self._find_undo(seat)
        assert without is not None
        removed = self._done_moves[last.start : last.stop]
        self.state, self.decisions, self.events = without.state, without.decisions, without.events
        self._done_moves.remove(last.start, last.stop)
        self._undo_counts[seat] += len(removed)
        self._entry_counts[seat] += 1
        self._checkpoints = [checkpoint for checkpoint in self._checkpoints if checkpoint[0] <= last.start]
        self._before.clear()
        self._without.clear()
        self._open.clear()
        for audience_index, stream in enumerate(self._streams):
            count = sum(self._is_noticed_by(audience_index, done_move) for done_move in removed)
            if count:
                stream.append(_Cue(seat, "undo", {"count": count}))
        if any(self._is_noticed_by(self.players, done_move) for done_move in removed):
            self.noticed_at = at
        entry = Entry(len(self.entries), seat, -1, at, len(self.entries), len(removed))
        self.entries.append(entry)
        return entry

    # --- what is seen -------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None, since: int | None = None) -> schemas.View:
        """Return everything that a seat may know, as JSON; see docs/protocol.md.

        Args:
            seat: The seat; None for spectators.
            since: The first cue to include, of the last MAX_VIEW_CUES; None for no cues.

        Raises:
            ValueError: There is no such seat.

        Examples:
            >>> import courtly
            >>> view = courtly.new_match("necklace", players=2, seed=1).view(0)
            >>> view["seat"], view["over"], sorted(view)[:3]
            (0, False, ['cues', 'facts', 'legal'])
        """
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

    def audiences_noticing(self, entries: Iterable[Entry]) -> set[Audience]:
        """Return the audiences whose view changes by these entries.

        Args:
            entries: The newest entries of the journal.
        """
        audiences: set[Audience] = set()
        done_moves = self._done_moves
        index = len(done_moves) - sum(e.undo == 0 for e in entries)
        for e in entries:
            if e.undo:  # an undo is always the only entry: its cue shows which audiences noticed
                audiences |= {
                    w if w < self.players else None
                    for w, stream in enumerate(self._streams)
                    if stream and stream[-1][:2] == (e.seat, "undo")
                }
                continue
            audiences |= {
                audience_index if audience_index < self.players else None
                for audience_index in range(self.players + 1)
                if self._is_noticed_by(audience_index, done_moves[index])
            }
            index += 1
        return audiences

    # --- copies and replays -------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent match at the same point. The copy shares the journal's items and is cheap."""
        other = super().copy()
        other.entries, other._done_moves = self.entries.copy(), self._done_moves.copy()
        other._streams = [stream.copy() for stream in self._streams]
        other._entry_counts, other._undo_counts, other._checkpoints = (
            self._entry_counts[:],
            self._undo_counts[:],
            self._checkpoints[:],
        )
        other._before, other._without, other._open = self._before.copy(), self._without.copy(), self._open.copy()
        return other

    @classmethod
    def replay(
        cls, game: Game, players: int, options: Mapping[str, int] | None, source: ChanceSource, entries: Iterable[Entry]
    ) -> Match:
        """Return the match that a journal describes.

        Every entry is checked: its ply, the legality of the move, whether an undo was allowed, and the random outcome.

        Raises:
            JournalCorruptedError: An entry is invalid; names the first one.
        """
        *_, match = cls.iter_replay(game, players, options, source, entries)
        return match

    @classmethod
    def iter_replay(
        cls, game: Game, players: int, options: Mapping[str, int] | None, source: ChanceSource, entries: Iterable[Entry]
    ) -> Iterator[Match]:
        """Yield the same match at its beginning and after each entry, so that the caller can pause in between."""
        match = cls(game, players, options, source, start=False)
        yield match
        for entry in entries:
            match.follow(entry)
            yield match

    def follow(self, entry: Entry, within_limit: bool = False) -> None:
        """Apply an entry of a journal.

        Args:
            entry: The next entry.
            within_limit: True to apply UNDO_LIMIT_MOVES too.

        Raises:
            JournalCorruptedError: The entry is not possible here, or a random event is not the one that the source
                selects.
        """
        ply, seat, move, at, batch, undo = entry
        if ply != len(self.entries):
            raise JournalCorruptedError(ply, f"entry {len(self.entries)} is missing")
        if undo:
            if not 0 <= seat < self.players or self._count_fair_undos(seat) != undo:
                raise JournalCorruptedError(ply, "these moves could not be taken back")
            if within_limit and not self.can_undo(seat):
                raise JournalCorruptedError(ply, f"a seat can take back at most {UNDO_LIMIT_MOVES} moves in a game")
            self._take_back(seat, at)
            return
        if seat == NOBODY:
            if not self.chance:
                raise JournalCorruptedError(ply, "no random event was due")
            if move not in self.legal(NOBODY):
                raise JournalCorruptedError(ply, "this random event was not possible")
            if self._draw_event() != move:
                raise JournalCorruptedError(ply, "the random outcome is not the one that the source of chance gives")
        elif not 0 <= seat < self.players or move not in self.legal(seat):
            raise JournalCorruptedError(ply, "the move is not legal")
        self._enter(seat, move, at, batch)


def new_match(
    game: Game, players: int | None = None, seed: int | None = None, options: Mapping[str, int] | None = None
) -> Match:
    """Begin a match.

    Args:
        game: The game.
        players: The number of players; None for the fewest that the game allows.
        seed: The seed of all random events, from 0 to 2**63 - 1; None for a random seed.
        options: Options and their values, as in `game.options`; the others have their defaults.

    Raises:
        ValueError: The game does not have this option, value or number of players, or the seed is out of range.
    """
    if seed is None:
        seed = int.from_bytes(os.urandom(7), "big")
    return Match(game, game.players[0] if players is None else players, options, SeededChance(seed))


def _is_silent(position: Position, seat: int, move: int) -> bool:
    audience = position.audience(seat, move)
    return audience >= 0 and bool(audience & SILENT)


def _can_replay(position: Position, moves: Iterable[_DoneMove]) -> bool:
    """Make these moves from this position on. Return False, at the first that is not legal or has another audience."""
    for done_move in moves:
        if done_move.move not in position.legal(done_move.seat) or (
            position.audience(done_move.seat, done_move.move),
            position.reveals(done_move.seat, done_move.move),
        ) != (done_move.audience, done_move.reveals):
            return False
        position.apply(done_move.seat, done_move.move)
    return True
