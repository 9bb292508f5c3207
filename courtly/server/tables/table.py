"""One table: what is agreed, who sits there, the match being played, and who listens."""

from __future__ import annotations

import asyncio
import hmac
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from courtly.bots.registry import default_bot
from courtly.engine.errors import RulesError
from courtly.engine.game import UnknownGameError, find_game
from courtly.engine.match import Entry, JournalCorruptedError, Match
from courtly.engine.native import loader
from courtly.engine.position import Audience, CommandRefusedError
from courtly.engine.rng import CommittedChance
from courtly.engine.safe_traceback import describe_place
from courtly.engine.schemas import Advice, View
from courtly.runtime.time_slices import run_in_slices
from courtly.server.errors import as_json, as_message
from courtly.server.messaging.send_queue import SendQueue, encode
from courtly.server.persistence.repository import TableRow, source_of
from courtly.server.timekeeping import now
from courtly.session import schemas
from courtly.session.clocks import ClockPause, Clocks, clocks_by_command, group_commands
from courtly.session.seat import Seat
from courtly.session.seat_colors import assign_colors

log = logging.getLogger("courtly.server")


def seat_list_text(view: View) -> str:
    return encode({"type": "view", "view": view})


class Subscriber:
    """A connection to a table. `seen`: for each audience it stands for, the number of the first cue it has not been
    sent. `hidden`: its page is open and not in sight, in another tab or behind a locked screen."""

    def __init__(self, guest: str | None, outbox: SendQueue, seen: dict[Audience, int], hidden: bool = False):
        self.guest = guest
        self.outbox = outbox
        self.seen = seen
        self.hidden = hidden


class LiveTable:
    """Everything about a table that is kept in memory. `lock` is held while a command changes it."""

    def __init__(self, row: TableRow, seats: Sequence[Seat]):
        self.row = row
        self.seats = tuple(seats)
        self.match: Match | None = None
        self.problem: CommandRefusedError | None = None  # why the match cannot be played on
        self.gone = False  # removed before it started
        self.lock = asyncio.Lock()
        self.clocks: Clocks | None = None  # while the match is in memory, if any are agreed
        self.closed: Sequence[ClockPause] = ()  # when the house was closed; the list is the house's, and grows
        self.flag: asyncio.TimerHandle | None = None  # falls when the first player's time is out; see flag_timers.py
        self.fallen: set[int] = set()  # seats for which a bot decides once, their time being out
        self.listeners: set[Subscriber] = set()
        self.elsewhere: dict[str, dict[str, bool]] = {}  # who is here by other processes: see single_process.py
        self.told = 0  # moves by other processes that this one has heard of
        self.crowd: Callable[[], None] = lambda: None  # called when who is here by this process changes
        self.advice: dict[tuple[int, bool], tuple[int, asyncio.Task[Advice]]] = {}  # the newest; see hints.py
        self.votes: dict[int, set[str]] = {}  # seat -> who wants a bot to stand in
        self.driver: asyncio.Task[None] | None = None
        self.reviewed = False  # is the analysis of the finished game stored?
        self.review: schemas.ReviewProgress | None = None  # it is being made, or could not be
        self.hindrance: Callable[[], Literal["missing"] | None] = lambda: None  # of help
        self.instead: Callable[[str], schemas.Replacement | None] = lambda bot: None  # of a bot that cannot play
        self.grace = 0.0  # seconds in which who has left the page may come back
        self.gone_since: dict[str, float] = {}  # guest -> when the last page was closed
        self._graces: dict[str, asyncio.TimerHandle] = {}
        self._snapshots: tuple[Match | None, dict[tuple[Audience, int], str]] = None, {}  # of this match
        self.touched = self.known_since = time.monotonic()
        self.late: asyncio.TimerHandle | None = None  # ends the exchange of numbers; see number_exchange.py

    @property
    def commitment(self) -> str:
        return CommittedChance.commitment(bytes.fromhex(self.row.secret))

    # --- the match ----------------------------------------------------------------------------------------------------

    def whim(self, seat: int) -> int:
        """What a bot draws from for this seat's next move: nobody can foresee it, and it is the same in the same
        game."""
        move = self.playing().made(seat)
        return int.from_bytes(
            hmac.digest(bytes.fromhex(self.row.secret), f"{self.row.id}|bot|{seat}|{move}".encode(), "sha256")[:7],
            "big",
        )

    def begin(self, seats: Sequence[Seat], at: int) -> Match:
        """A match for these seats, up to its first decision, which draws by the number of events. CommandRefusedError
        if the rules fail."""
        try:
            source = source_of(replace(self.row, counted="events"), seats)
            return Match(find_game(self.row.game), self.row.players, self.row.options, source, at=at)
        except Exception as wrong:
            raise self._failure(wrong) from None

    def replayed(self, entries: Iterable[Entry]) -> Iterator[Match]:
        """Yield the match these entries tell, at its beginning and after each. CommandRefusedError if this
        installation cannot replay it."""
        row = self.row
        try:
            game = find_game(row.game)
        except UnknownGameError:
            raise CommandRefusedError("error-unknown-game", game=row.game) from None
        if game.version != row.version:
            raise CommandRefusedError("error-version", played=row.version, installed=game.version)
        try:
            yield from Match.replayed(game, row.players, row.options, source_of(row, self.seats), entries)
        except (JournalCorruptedError, ValueError) as why:
            log.error("table %s cannot be played on: %s", row.id, why)
            raise CommandRefusedError("error-damaged") from why
        except Exception as wrong:
            raise self._failure(wrong) from None

    async def restore(self, entries: Iterable[Entry], still: Iterable[ClockPause] = ()) -> None:
        """Take up the match where the journal left it. `still`: when no time ran for a seat."""
        self.match, self.problem, self.clocks = None, None, None
        if self.row.started is not None:
            try:
                self.match = await run_in_slices(self.replayed(entries))
                if self.row.clock:
                    stood, began = [*self._still(self.seats), *still], self.row.started
                    self.clocks = await run_in_slices(
                        clocks_by_command(self.match, self.row.clock, stood, began, self.closed)
                    )
            except CommandRefusedError as problem:
                self.problem = problem

    async def play_on(self, entries: Iterable[Entry]) -> None:
        """Take up what the journal has beyond what is known. JournalCorruptedError if it does not follow."""
        match, clocks = self.playing().copy(), self.clocks

        def followed() -> Iterator[None]:
            nonlocal clocks
            for done in group_commands(entries):
                for entry in done:
                    match.follow(entry)
                clocks = clocks and clocks.after(match, done)
                yield

        with self.by_the_rules():
            await run_in_slices(followed())
        self.match, self.clocks = match, clocks
        if clocks:
            self.fallen &= clocks.fallen(clocks.at)

    async def count_again(self) -> None:
        """Work out the clocks from the journal, after the times in which the server was closed have changed."""
        if self.clocks and self.match and self.row.clock and self.row.started is not None:
            worked_out = clocks_by_command(self.match, self.row.clock, self.clocks.still, self.row.started, self.closed)
            self.clocks = await run_in_slices(worked_out)

    def start_clocks(self, match: Match, seats: Iterable[Seat], at: int) -> Clocks | None:
        """Those that are agreed, at the first decision of a match that these begin."""
        return Clocks.begin(self.row.clock, self._still(seats), match, at, self.closed) if self.row.clock else None

    def _still(self, seats: Iterable[Seat]) -> list[ClockPause]:
        """Bots have no clock."""
        return [ClockPause(seat.seat, 0, None) for seat in seats if seat.kind == "bot"]

    def timing(self) -> dict[str, Any]:
        """What a record tells of the clocks of a finished game, if it had any."""
        row = self.row
        if self.clocks is None or row.started is None or row.ended is None:
            return {}
        stood = (*self.clocks.closed, *self.clocks.still)
        still = [s for s in stood if s.since <= row.ended and (s.until is None or s.until >= row.started)]
        return {"clock": {**(row.clock or {}), "began": row.started, "still": still}}

    def player(self, seat: int) -> str | None:
        """The bot that decides for this seat now; None: a person does, or nobody."""
        player = self.seats[seat].player
        return default_bot(find_game(self.row.game)) if player is None and seat in self.fallen else player

    def playing(self) -> Match:
        """The match. CommandRefusedError if it has not started or cannot be replayed."""
        if self.problem:
            raise self.problem.with_traceback(None)  # or it would grow each time
        if self.match is None:
            raise CommandRefusedError("error-not-started")
        return self.match

    @contextmanager
    def by_the_rules(self) -> Iterator[None]:
        """While the game's rules are asked. If they fail, this table stands still until it is taken up anew, and
        everybody there is told."""
        try:
            yield
        except (CommandRefusedError, JournalCorruptedError):
            raise
        except Exception as wrong:
            self.problem = self._failure(wrong)
            self.tell_table()
            raise self.problem from None

    def _failure(self, wrong: Exception) -> CommandRefusedError:
        """The rules have failed: the log says when and where, and not of which move, which may be a secret."""
        told = describe_place(wrong.__cause__ or wrong)
        if isinstance(wrong, RulesError):
            told = f"ply {wrong.ply}, {wrong.line}: {told if wrong.__cause__ else wrong.what}"
        log.error("the rules of %s failed at table %s: %s", self.row.game, self.row.id, told)
        return CommandRefusedError("error-rules")

    @property
    def status(self) -> schemas.Status:
        return "waiting" if self.row.started is None else "playing" if self.row.ended is None else "over"

    # --- who is who ---------------------------------------------------------------------------------------------------

    def seat(self, seat: int) -> Seat:
        if not 0 <= seat < len(self.seats):
            raise CommandRefusedError("error-unknown-seat", seat=seat)
        return self.seats[seat]

    def held(self, guest: str | None) -> list[int]:
        """The seats of a guest."""
        return [seat.seat for seat in self.seats if guest is not None and seat.guest == guest]

    def voice(self, guest: str) -> int | None:
        """The seat that a guest speaks from: their own, before those of others at the same device; None: no seat."""
        return min(self.held(guest), key=lambda seat: self.seats[seat].kind == "local", default=None)

    def own(self, guest: str | None, seat: int) -> Seat:
        """This guest's seat. CommandRefusedError if it is another's."""
        found = self.seat(seat)
        if guest is None or found.guest != guest:
            raise CommandRefusedError("error-not-yours", seat=seat)
        return found

    def audiences(self, guest: str | None) -> list[Audience]:
        """Whose eyes a guest sees with: those of each seat held, or the spectators'."""
        return [*self.held(guest)] or [None]

    def eyes(self) -> dict[Subscriber, list[Audience]]:
        """The same of each listener."""
        return {listener: self.audiences(listener.guest) for listener in self.listeners}

    def present(self) -> set[str]:
        here = {listener.guest for listener in self.listeners if listener.guest is not None}
        return here.union(*self.elsewhere.values())

    def attentive(self) -> set[str]:
        """Return the guests that have a page with this table in sight."""
        here = {listener.guest for listener in self.listeners if listener.guest is not None and not listener.hidden}
        return here.union(*({guest for guest, seen in there.items() if seen} for there in self.elsewhere.values()))

    @property
    def watched(self) -> bool:
        """Is anybody here, who plays or looks on?"""
        return bool(self.listeners) or any(self.elsewhere.values())

    def attend(self, listener: Subscriber) -> None:
        """Somebody opens the page, or comes back to it."""
        self.listeners.add(listener)
        self._come(listener.guest)
        self.crowd()

    def depart(self, listener: Subscriber) -> None:
        """A page is closed."""
        self.listeners.discard(listener)
        self._go(listener.guest)
        self.crowd()

    def changed_elsewhere(self, before: set[str]) -> None:
        """The same by other processes; who was present before."""
        now = self.present()
        for guest in now - before:
            self._come(guest)
        for guest in before - now:
            self._go(guest)

    def _come(self, guest: str | None) -> None:
        if guest in self._graces:
            self._graces.pop(guest).cancel()
        for seat in self.held(guest):
            self.votes.pop(seat, None)  # who is here needs no bot

    def _go(self, guest: str | None) -> None:
        """A player may come back within the grace, and everybody sees it run."""
        if guest is not None and self.held(guest) and guest not in self.present():
            self.gone_since[guest] = time.monotonic()
            self._graces[guest] = asyncio.get_running_loop().call_later(self.grace, self.tell_table)

    def patience(self, guest: str | None) -> int:
        """For how many more seconds a player who is not here may yet come back; 0: the player is here, or away."""
        if guest is None or guest in self.present():
            return 0
        return math.ceil(max(0.0, self.gone_since.get(guest, self.known_since) + self.grace - time.monotonic()))

    @property
    def help(self) -> Literal["off", "on", "missing"]:
        """Do all whose seats these are say yes to help? And what hinders it? A bot that stands in keeps its player's
        answer: whoever holds a seat can take it back."""
        people = [seat for seat in self.seats if seat.guest is not None]
        if all(seat.standin for seat in people) or not all(seat.help for seat in people):
            return "off"
        return (self.status == "playing" and self.hindrance()) or "on"

    @property
    def waited_for(self) -> set[str]:
        """Who is to move here, as far as people are; nobody where the match is not taken up."""
        if self.match is None or self.problem or self.match.over:
            return set()
        seats = [self.seats[seat] for seat in self.match.pending]
        return {seat.guest for seat in seats if seat.guest and not seat.standin}

    @property
    def abandoned(self) -> bool:
        """Has everyone who played left it to bots?"""
        people = [seat for seat in self.seats if seat.guest is not None]
        return self.status == "playing" and bool(people) and all(seat.standin for seat in people)

    # --- what is said -------------------------------------------------------------------------------------------------

    def describe(self, guest: str | None) -> schemas.TableInfo:
        """The table as this guest is told of it; see docs/protocol.md."""
        row, present = self.row, self.present()
        return {
            "id": row.id,
            "game": row.game,
            "version": row.version,
            "options": row.options,
            "players": row.players,
            "status": self.status,
            "private": row.private,
            "host": guest is not None and guest == row.host,
            "help": self.help,
            "clock": row.clock,
            "clocks": self.clocks.show(now()) if self.clocks and self.status == "playing" else None,
            "quiet": row.quiet,
            "seats": [
                {
                    "seat": s.seat,
                    "kind": s.kind,
                    "name": s.name,
                    "bot": s.bot,
                    "you": guest is not None and s.guest == guest,
                    "here": s.kind == "bot" or s.guest in present,
                    "grace": self.patience(s.guest),
                    "standin": s.standin,
                    "votes": len(self.votes.get(s.seat, ())),
                    "instead": self.instead(s.player) if s.player else None,
                    "help": bool(s.help),
                    "pledge": s.pledge,
                    "colour": colour,
                }
                for s, colour in zip(self.seats, assign_colors(self.seats), strict=True)
            ],
            "commitment": self.commitment,
            "redraws": row.redraws,
            "secret": row.secret if self.status == "over" else None,
            "nonces": [s.nonce for s in self.seats],
            "next": row.next,
            "review": self.reviewing(),
            "problem": as_json(self.problem)["error"] if self.problem else None,
            "created": datetime.fromtimestamp(row.created / 1000, UTC).isoformat(timespec="seconds"),
        }

    def reviewing(self) -> schemas.ReviewProgress | None:
        """What is known of the analysis of the finished game."""
        if self.status != "over" or self.review:
            return self.review
        state: Literal["ready", "none", "impossible"] = (
            "ready" if self.reviewed else "none" if loader.is_available() else "impossible"
        )
        return {"state": state, "done": 0, "of": 0, "ahead": 0}

    def tell_table(self) -> None:
        """Something about the table has changed: tell everyone."""
        texts: dict[str | None, str] = {}
        for listener in self.listeners:
            if listener.guest not in texts:
                texts[listener.guest] = encode({"type": "table", "table": self.describe(listener.guest)})
            listener.outbox.put(texts[listener.guest])

    def tell_clocks(self) -> None:
        """Time runs for others now: tell everyone."""
        if self.clocks:
            text = encode({"type": "clocks", "clocks": self.clocks.show(now())})
            for listener in self.listeners:
                listener.outbox.put(text)

    def tell_views(self, noticed: Iterable[Audience], texts: dict[tuple[Audience, int], str] | None = None) -> None:
        """The position has changed for these audiences: show them. `texts`: see `show`."""
        noticed = set(noticed)
        texts = {} if texts is None else texts
        with suppress(CommandRefusedError):  # the rules have failed: everybody knows already
            for listener in self.listeners:
                for audience in self.audiences(listener.guest):
                    if audience in noticed:
                        self.show(listener, audience, texts)

    def show(
        self, listener: Subscriber, audience: Audience, texts: dict[tuple[Audience, int], str] | None = None
    ) -> None:
        """Send a listener what one audience sees, with the cues it has not had. `texts`: messages made already, of an
        audience and the first cue."""
        match = self.playing()
        texts = {} if texts is None else texts
        since = listener.seen.get(audience, 0)
        if (audience, since) not in texts:
            with self.by_the_rules():
                texts[audience, since] = seat_list_text(match.view(audience, since))
        listener.seen[audience] = match.seq(audience)
        listener.outbox.put(texts[audience, since])

    def show_all(self, listener: Subscriber) -> None:
        """Send a listener everything it may see of the match, if there is one. What begins with the first cue is made
        once for all listeners, until somebody moves."""
        try:
            if self.problem or self.match:
                if self._snapshots[0] is not self.match:
                    self._snapshots = self.match, {}
                for audience in self.audiences(listener.guest):
                    first = not listener.seen.get(audience)
                    self.show(listener, audience, self._snapshots[1] if first else None)
        except CommandRefusedError as problem:
            listener.outbox.put(encode(as_message(problem)))

    def close(self) -> None:
        """The table is removed, having never started: tell everyone."""
        self.gone = True
        for listener in self.listeners:
            listener.outbox.put(encode(as_message(CommandRefusedError("error-unknown-table"))))
