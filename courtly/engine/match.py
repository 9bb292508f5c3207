"""One game being played: seats, journal, views, undo.

Truth is the journal, an append-only list of entries. The state is what replaying it gives.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from courtly.engine.chance import Source
from courtly.engine.game import CHANCE, NOBODY, SILENT, Game
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
    """`Match(game, players, options, chance)` is ready for the first decision. ValueError if an option or number of players is not offered."""

    def __init__(self, game: Game, players: int, options: dict[str, int] | None, chance: Source, *, at: Any = None, start: bool = True):
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
        self._streams: list[list[dict[str, Any]]] = [[] for _ in range(players + 1)]        # cues by audience, the spectators' last
        self._moves = [0] * self.table.total
        self._weights = [0] * self.table.total
        self.state = self._beginning()
        if start:
            self._happen(at)

    def _beginning(self) -> Any:
        state = self.game.State(players=self.players, **self.options)
        self.rules.setup(state)
        return state

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
        out = [0] * max(self.players, 8)
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
        state = self.state
        for i, move in enumerate(moves):
            if move not in self._legal(state, seat):
                raise self._refusal(state, seat, move)
            if i + 1 < len(moves):
                if i == 0:
                    state = state.copy()
                self.rules.apply(state, seat, move)

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
        audience = self.rules.audience(self.state, seat, move)
        reveals = self.rules.reveals(self.state, seat, move)
        self.rules.apply(self.state, seat, move)
        self.entries.append(Entry(len(self.entries), seat, move, at, batch, 0))
        self._done.append(_Done(seat, move, batch, audience, reveals))
        _, verb, args = self.table.decode(move)
        for watcher, stream in enumerate(self._streams):
            if watcher == seat or audience < 0 or audience >> watcher & 1 and watcher < self.players:
                stream.append({"n": len(stream), "seat": seat, "verb": verb, "args": args})
            elif not audience & SILENT:
                stream.append({"n": len(stream), "seat": seat, "verb": self.table.unseen(move), "args": None})

    # --- taking back ------------------------------------------------------------------------------------------------------

    def _last(self, seat: int) -> range:
        """Where in `_done` this seat's last moves stand that can fairly be taken back; empty if there are none."""
        end = len(self._done)
        while end and self._done[end - 1].seat not in (seat, NOBODY) and self._done[end - 1].audience >= 0 \
                and self._done[end - 1].audience & SILENT and not self._done[end - 1].reveals:
            end -= 1                                # what others choose in secret commutes with what this seat chose
        first = end
        while first and self._done[first - 1].seat == seat and self._done[first - 1].batch == self._done[end - 1].batch:
            first -= 1
            if self._done[first].reveals:
                return range(0)
        return range(first, end)

    def can_undo(self, seat: Audience) -> int:
        """How many of its own moves this seat would take back now: those it made together last, if nobody else has acted since
        and nothing hidden or random was revealed. 0 if none."""
        return 0 if seat is None or self.over else len(self._last(seat))

    def undo(self, seat: int, at: Any = None, seq: int | None = None) -> list[Entry]:
        """Take back. Refused if that is not fair, or stale."""
        if seq is not None and seq != self.seq(seat):
            raise Refused("error-stale")
        count = self.can_undo(seat)
        if not count:
            raise Refused("error-no-undo")
        return [self._take_back(seat, count, at)]

    def _take_back(self, seat: int, count: int, at: Any) -> Entry:
        last = self._last(seat)
        gone = self._done[last.start:last.stop]
        del self._done[last.start:last.stop]
        self.state = self._beginning()
        for done in self._done:
            self.rules.apply(self.state, done.seat, done.move)
        for watcher, stream in enumerate(self._streams):
            if watcher == seat or not all(d.audience >= 0 and d.audience & SILENT and not d.audience >> watcher & 1 for d in gone):
                stream.append({"n": len(stream), "seat": seat, "verb": "undo", "args": {"count": count}})
        entry = Entry(len(self.entries), seat, -1, at, len(self.entries), count)
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
            audience = done[at].audience
            at += 1
            for watcher in range(self.players + 1):
                if watcher == e.seat or audience < 0 or not audience & SILENT or watcher < self.players and audience >> watcher & 1:
                    found.add(watcher if watcher < self.players else None)
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
            self._take_back(seat, undo, at)
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
