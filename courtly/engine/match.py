"""One game being played: seats, journal, views, undo.

Truth is the journal, an append-only list of entries. The state is what replaying it gives.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from courtly.engine.chance import Source
from courtly.engine.game import CHANCE, MOST_SEATS, NOBODY, SILENT, Game
from courtly.engine.moves import Move, UnknownMove

Audience = int | None           # a seat, or None for the spectators


class Entry(NamedTuple):
    """One line of the journal. An event has seat -1; an undo has move -1 and says in `undo` how many of its seat's moves it takes back.

    `batch` is the ply of the first of the moves that were made together. `at` is whatever clock the caller keeps.
    """
    ply: int
    seat: int
    move: int
    at: Any
    batch: int
    undo: int


class Refused(Exception):
    """A command that cannot be carried out: a message id and its parameters. Nothing was changed."""

    def __init__(self, id: str, **args: Any):
        super().__init__(f"{id} {args}" if args else id)
        self.id = id
        self.args_ = args


class Damaged(Exception):
    """A journal that does not replay. `ply` is the first entry that is wrong."""

    def __init__(self, ply: int, why: str):
        super().__init__(f"entry {ply}: {why}")
        self.ply = ply
        self.why = why


class _Done(NamedTuple):
    """A move or event that stands, with what decides whether it may be taken back."""
    seat: int
    move: int
    batch: int
    audience: int
    reveals: int


def glance(game: Game, state: Any, seat: Audience) -> dict[str, Any]:
    """What an audience may know of a state: its seat, the fields it sees, who may move, and its own legal moves. Bots decide from this."""
    moves = [0] * game.moves.total
    legal = moves[:game.rules.legal(state, seat, moves)] if seat is not None and state.pending >> seat & 1 else []
    return {"seat": seat, "state": state.view(seat), "pending": [k for k in range(state.players) if state.pending >> k & 1],
            "legal": [game.moves.decode(move)._asdict() for move in legal]}


class Match:
    """`Match(game, players, options, chance)` is ready for the first decision. ValueError if an option or number of players is not offered.

    `state`: the position to begin from, instead of the game's first. `start` False: nothing has happened yet.
    """

    def __init__(self, game: Game, players: int, options: dict[str, int] | None, chance: Source, *, at: Any = None, start: bool = True,
                 state: Any = None):
        if not isinstance(players, int) or players not in game.players:
            raise ValueError(f"{game.id} is for {', '.join(map(str, game.players))} players, not {players!r}")
        self.game = game
        self.players = players
        self.options = dict(options or {})
        self.chance = chance
        self.rules = game.rules
        self.table = game.moves
        self.entries: list[Entry] = []
        self._done: list[_Done] = []
        self._before: dict[int, tuple[int, Any]] = {}       # seat -> where in _done its last moves begin, and the state before them
        self._without: dict[int, Any] = {}                  # seat -> the state without them, or None if they stay; since the last entry
        self._streams: list[list[dict[str, Any]]] = [[] for _ in range(players + 1)]        # cues by audience, the spectators' last
        self._moves = [0] * self.table.total
        self._weights = [0] * self.table.total
        self.state = game.State(players=players, **self.options) if state is None else state.copy()
        if state is None:
            self.rules.setup(self.state)
        self._beginning = self.state.copy()
        if start:
            self._happen(at)

    # --- what may be done -------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The seats that may move."""
        bits = self.state.pending
        return tuple(seat for seat in range(self.players) if bits >> seat & 1)

    @property
    def over(self) -> bool:
        return bool(self.state.pending == 0)

    @property
    def scores(self) -> list[int] | None:
        """Each seat's final score, or None before the end. The highest wins, equals share."""
        if not self.over:
            return None
        out = [0] * MOST_SEATS
        self.rules.scores(self.state, out)
        return out[:self.players]

    def _legal(self, state: Any, seat: int) -> list[int]:
        if not state.pending >> seat & 1:
            return []
        return self._moves[:self.rules.legal(state, seat, self._moves)]

    def legal(self, seat: Audience) -> list[Move]:
        """The moves open to a seat; none for spectators."""
        return [] if seat is None else [self.table.decode(move) for move in self._legal(self.state, seat)]

    def seq(self, seat: Audience) -> int:
        """How many cues this audience has seen: its own clock, which secret choices of others do not move."""
        return len(self._stream(seat))

    def _stream(self, seat: Audience) -> list[dict[str, Any]]:
        return self._streams[self.players if seat is None else seat]

    # --- moving -----------------------------------------------------------------------------------------------------------

    def check(self, seat: int, seq: int | None, moves: Sequence[int]) -> None:
        """Refused, with the reason, unless this seat may make these moves in this order now. `seq` None skips the clock."""
        if self.over:
            raise Refused("error-over")
        if not 0 <= seat < self.players:
            raise Refused("error-unknown-seat", seat=seat)
        if seq is not None and seq != self.seq(seat):
            raise Refused("error-stale")
        if not moves:
            raise Refused("error-unknown-move", move="")
        for move in moves:
            if not isinstance(move, int) or isinstance(move, bool) or not 0 <= move < self.table.count:
                raise Refused("error-unknown-move", move=str(move)[:40])
        if not self.state.pending >> seat & 1:
            raise Refused("error-not-your-turn")
        self._check_legal(seat, moves)

    def _check_legal(self, seat: int, moves: Sequence[int]) -> None:
        """Refused unless the moves are legal one after the other. Nothing may follow a move that shows its player something or sets
        chance in motion: whether the next one is legal would tell, with nothing done, what only the first one done may tell."""
        state = self.state
        for i, move in enumerate(moves):
            if move not in self._legal(state, seat):
                raise self._refusal(state, seat, move)
            if i + 1 == len(moves):
                return
            if i == 0:
                state = state.copy()
            shown = self.rules.reveals(state, seat, move) >> seat & 1
            if not shown:
                self.rules.apply(state, seat, move)
            if shown or state.pending == CHANCE:
                raise Refused("error-unseen", move=self.table.decode(moves[i + 1])._asdict())

    def _refusal(self, state: Any, seat: int, move: int) -> Refused:
        args: dict[str, Any] = {"move": self.table.decode(move)._asdict()}
        if hasattr(self.rules, "refusal"):
            reason = self.rules.refusal(state, seat, move)
            if reason >= 0:
                args["reason"] = f"{self.game.id}-refusal-{self.rules.REFUSALS[reason]}"
        return Refused("error-illegal", **args)

    def play(self, seat: int, moves: int | Move | str | Sequence[int], at: Any = None, seq: int | None = None) -> list[Entry]:
        """Make a move, or several in order: all or none. Returns the new journal entries, random events included.

        A move is an id, a `Move`, or words such as "keep face=4". Refused says what is wrong and changes nothing.
        """
        ids = self._ids(moves)
        self.check(seat, seq, ids)
        before = len(self.entries)
        for move in ids:
            self._enter(seat, move, at, before)
        self._happen(at)
        return self.entries[before:]

    def _ids(self, moves: int | Move | str | Sequence[int]) -> Sequence[int]:
        if isinstance(moves, int):
            return [moves]
        if isinstance(moves, Move):
            return [moves.id]
        if isinstance(moves, str):
            try:
                return [self.table.read(moves)]
            except UnknownMove:
                raise Refused("error-unknown-move", move=moves[:40]) from None
        return moves

    def _happen(self, at: Any) -> None:
        """Let random events happen until somebody has to decide."""
        while self.state.pending == CHANCE:
            n = self.rules.chance(self.state, self._moves, self._weights)
            event = self._moves[self.chance.choose(len(self.entries), self._weights[:n])]
            self._enter(NOBODY, event, at, len(self.entries))

    def _enter(self, seat: int, move: int, at: Any, batch: int) -> None:
        if seat != NOBODY and not (self._done and self._done[-1].seat == seat and self._done[-1].batch == batch):
            self._before[seat] = len(self._done), self.state.copy()
        self._without.clear()
        audience = self.rules.audience(self.state, seat, move)
        reveals = self.rules.reveals(self.state, seat, move)
        self.rules.apply(self.state, seat, move)
        self.entries.append(Entry(len(self.entries), seat, move, at, batch, 0))
        self._done.append(_Done(seat, move, batch, audience, reveals))
        _, verb, args = self.table.decode(move)
        for watcher, stream in enumerate(self._streams):
            if self._told(watcher, seat, audience):
                stream.append({"n": len(stream), "seat": seat, "verb": verb, "args": args})
            elif not audience & SILENT:
                stream.append({"n": len(stream), "seat": seat, "verb": self.table.unseen(move), "args": None})

    def _told(self, watcher: int, seat: int, audience: int) -> bool:
        """Does a watcher (the spectators come after the last seat) see the arguments of a move of this audience?"""
        return watcher == seat or audience < 0 or watcher < self.players and bool(audience >> watcher & 1)

    def _notices(self, watcher: int, done: _Done) -> bool:
        """Did a watcher notice a move at all?"""
        return not done.audience & SILENT or self._told(watcher, done.seat, done.audience)

    # --- taking back ------------------------------------------------------------------------------------------------------

    def _last(self, seat: int) -> range:
        """Where in `_done` the moves stand that this seat made together last; empty if somebody else has acted openly since, if
        something was drawn since, or if they showed somebody something hidden."""
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
    def _silent(done: _Done) -> bool:
        """Did nobody else notice it, or learn anything?"""
        return done.audience >= 0 and bool(done.audience & SILENT) and not done.reveals & ~(1 << done.seat)

    def _state_before(self, seat: int, first: int) -> Any:
        """The state before a seat's last moves, which begin at `first` in `_done`."""
        known = self._before.get(seat)
        if known is None or known[0] != first:
            state = self._beginning.copy()
            for done in self._done[:first]:
                self.rules.apply(state, done.seat, done.move)
            known = self._before[seat] = first, state
        return known[1].copy()

    def _taken_back(self, seat: int) -> Any:
        """The state as if this seat had not made its last moves; None if they cannot fairly be taken back.

        They can if they set in motion nothing that others may do in silence (that they did must not show, not even by this), and if
        what others did in silence since could have come first, seen by the same, and led to the same.
        """
        if seat not in self._without:
            last = self._last(seat)
            self._without[seat] = self._undone(seat, last) if last else None
        return self._without[seat]

    def _undone(self, seat: int, last: range) -> Any:
        before = self._state_before(seat, last.start)
        after = before.copy()
        mine, later = self._done[last.start:last.stop], self._done[last.stop:]
        for done in mine:
            self.rules.apply(after, seat, done.move)
        for other in range(self.players):
            opened = self._legal(after, other)
            if other != seat and any(self._is_silent(after, other, move) for move in opened) and opened != self._legal(before, other):
                return None
        without = before
        if not self._follow_on(without, later):
            return None
        if not later:
            return without
        again = without.copy()
        return without if self._follow_on(again, mine) and again == self.state else None

    def _is_silent(self, state: Any, seat: int, move: int) -> bool:
        audience: int = self.rules.audience(state, seat, move)
        return audience >= 0 and bool(audience & SILENT)

    def _follow_on(self, state: Any, moves: Iterable[_Done]) -> bool:
        """Make these moves from this state on. False where one is not legal, or would not be seen as it was."""
        for done in moves:
            if done.move not in self._legal(state, done.seat) or self.rules.audience(state, done.seat, done.move) != done.audience \
                    or self.rules.reveals(state, done.seat, done.move) != done.reveals:
                return False
            self.rules.apply(state, done.seat, done.move)
        return True

    def can_undo(self, seat: Audience) -> int:
        """How many of its own moves this seat would take back now: those it made together last, if nobody else has acted since
        and nothing hidden or random was revealed. 0 if none."""
        return 0 if seat is None or self.over or self._taken_back(seat) is None else len(self._last(seat))

    def undo(self, seat: int, at: Any = None, seq: int | None = None) -> list[Entry]:
        """Take back. Refused if that is not fair, or stale."""
        if seq is not None and seq != self.seq(seat):
            raise Refused("error-stale")
        if not self.can_undo(seat):
            raise Refused("error-no-undo")
        return [self._take_back(seat, at)]

    def _take_back(self, seat: int, at: Any) -> Entry:
        last = self._last(seat)
        gone = self._done[last.start:last.stop]
        self.state = self._taken_back(seat)
        del self._done[last.start:last.stop]
        self._before.clear()
        self._without.clear()
        for watcher, stream in enumerate(self._streams):
            count = sum(self._notices(watcher, done) for done in gone)
            if count:
                stream.append({"n": len(stream), "seat": seat, "verb": "undo", "args": {"count": count}})
        entry = Entry(len(self.entries), seat, -1, at, len(self.entries), len(gone))
        self.entries.append(entry)
        return entry

    # --- what is seen -----------------------------------------------------------------------------------------------------

    def view(self, seat: Audience = None, since: int | None = None) -> dict[str, Any]:
        """Everything a seat (or a spectator: None) may know, as JSON; see docs/protocol.md. `since`: the first cue wanted; None: no cues."""
        stream = self._stream(seat)
        return {**glance(self.game, self.state, seat), "seq": len(stream), "undo": self.can_undo(seat) > 0,
                "over": self.over, "scores": self.scores, "cues": [] if since is None else stream[max(since, 0):]}

    def noticed(self, entries: Iterable[Entry]) -> set[Audience]:
        """The audiences that notice something of these entries, which must be the newest: all others have the same view as before."""
        found: set[Audience] = set()
        done = self._done
        at = len(done) - sum(e.undo == 0 for e in entries)
        for e in entries:
            if e.undo:                              # an undo is entered alone: its cue tells who noticed
                found |= {w if w < self.players else None for w, stream in enumerate(self._streams)
                          if stream and stream[-1]["verb"] == "undo" and stream[-1]["seat"] == e.seat}
                continue
            found |= {watcher if watcher < self.players else None for watcher in range(self.players + 1) if self._notices(watcher, done[at])}
            at += 1
        return found

    # --- copies and replays -----------------------------------------------------------------------------------------------

    def copy(self) -> Match:
        """An independent match at the same point; cheap."""
        other = object.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.state = self.state.copy()
        other.entries = self.entries[:]
        other._done = self._done[:]
        other._streams = [stream[:] for stream in self._streams]
        other._before, other._without = self._before.copy(), self._without.copy()
        return other

    @classmethod
    def replay(cls, game: Game, players: int, options: dict[str, int] | None, chance: Source, entries: Iterable[Entry]) -> Match:
        """The match that a journal describes, every step checked: plies, legality, fairness of undo, and every random outcome.

        Damaged names the first entry that is wrong.
        """
        match = cls(game, players, options, chance, start=False)
        for entry in entries:
            match.follow(entry)
        return match

    def follow(self, entry: Entry) -> None:
        """Do what a journal entry says, checking it: Damaged if it is not what could have happened, or not what chance had committed to."""
        ply, seat, move, at, batch, undo = entry
        if ply != len(self.entries):
            raise Damaged(ply, f"entry {len(self.entries)} is missing")
        if undo:
            if not 0 <= seat < self.players or self.can_undo(seat) != undo:
                raise Damaged(ply, "that could not be taken back")
            self._take_back(seat, at)
            return
        if seat == NOBODY:
            if self.state.pending != CHANCE:
                raise Damaged(ply, "no random event was due")
            n = self.rules.chance(self.state, self._moves, self._weights)
            if move not in self._moves[:n]:
                raise Damaged(ply, "that event could not happen")
            if self._moves[self.chance.choose(ply, self._weights[:n])] != move:
                raise Damaged(ply, "the random outcome is not the one that was committed to")
        elif not 0 <= seat < self.players or not 0 <= move < self.table.count or move not in self._legal(self.state, seat):
            raise Damaged(ply, "the move is not legal")
        self._enter(seat, move, at, batch)

    def record(self, **about: Any) -> str:
        """The game so far as JSON Lines; `about` (seats' names, table, …) is added to its first line. See transcript.py."""
        from courtly.engine.transcript import write
        return write(self, about)
