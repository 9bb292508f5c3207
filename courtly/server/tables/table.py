"""A table in memory: its row and seats in the database, its match and clocks, and its connected clients."""

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
    """Return the message with a view, as JSON."""
    return encode({"type": "view", "view": view})


class Subscriber:
    """A client's connection to a table.

    Attributes:
        seen: For each audience of the guest, the number of the first cue that was not sent yet.
        hidden: Whether the page is in the background, such as in another tab or behind a locked screen.
    """

    def __init__(self, guest: str | None, outbox: SendQueue, seen: dict[Audience, int], hidden: bool = False):
        self.guest = guest
        self.outbox = outbox
        self.seen = seen
        self.hidden = hidden


class LiveTable:
    """The state of a table in memory. `lock` is held while a command changes it."""

    def __init__(self, row: TableRow, seats: Sequence[Seat]):
        self.row = row
        self.seats = tuple(seats)
        self.match: Match | None = None
        self.problem: CommandRefusedError | None = None  # why the match cannot be continued
        self.gone = False  # whether the table was removed before its game started
        self.lock = asyncio.Lock()
        self.clocks: Clocks | None = None  # None also while the match is not in memory
        self.closed: Sequence[
            ClockPause
        ] = ()  # pauses of all clocks while the server was closed; shared with the application
        self.flag: asyncio.TimerHandle | None = None  # the timer for the earliest flag; see flag_timers.py
        self.fallen: set[int] = set()  # seats out of time, for which a bot makes the next decision
        self.subscribers: set[Subscriber] = set()
        self.elsewhere: dict[str, dict[str, bool]] = {}  # guests connected to other processes: see single_process.py
        self.peer_move_count = 0  # number of events about moves received from other processes
        self.notify_presence: Callable[[], None] = lambda: (
            None
        )  # called when the guests connected to this process change
        self.advice: dict[tuple[int, bool], tuple[int, asyncio.Task[Advice]]] = {}  # the newest hints; see hints.py
        self.votes: dict[int, set[str]] = {}  # seat -> guests who vote for a substitute
        self.driver: asyncio.Task[None] | None = None  # runs the bots
        self.reviewed = False  # whether the review of the finished game is stored
        self.review: schemas.ReviewProgress | None = None  # progress or failure of the review
        self.hint_obstacle: Callable[[], Literal["missing"] | None] = lambda: None  # returns why hints are impossible
        self.find_replacement: Callable[[str], schemas.Replacement | None] = lambda bot: (
            None
        )  # returns who replaces a bot
        self.grace = 0.0  # seconds for which a player who closed the page may come back
        self.gone_since: dict[str, float] = {}  # guest -> monotonic time at which the last page was closed
        self._graces: dict[str, asyncio.TimerHandle] = {}
        self._snapshots: tuple[Match | None, dict[tuple[Audience, int], str]] = None, {}  # cached messages of a match
        self.touched = self.known_since = time.monotonic()
        self.late: asyncio.TimerHandle | None = None  # the timeout of the exchange of numbers; see number_exchange.py

    @property
    def commitment(self) -> str:
        """The SHA-256 of the table's secret, published before the first move."""
        return CommittedChance.commitment(bytes.fromhex(self.row.dice_secret))

    # --- the match ----------------------------------------------------------------------------------------------------

    def bot_seed(self, seat: int) -> int:
        """Return the random seed for a bot's next move at a seat.

        It follows from the table's secret, so it is unpredictable, and it is the same in a replay of the same game.
        """
        move = self.playing().count_entries(seat)
        return int.from_bytes(
            hmac.digest(bytes.fromhex(self.row.dice_secret), f"{self.row.id}|bot|{seat}|{move}".encode(), "sha256")[:7],
            "big",
        )

    def begin(self, seats: Sequence[Seat], at: int) -> Match:
        """Return a new match for these seats, up to its first decision. Raises CommandRefusedError if the rules fail.

        Its random numbers are derived from the count of random events (`counted="events"`).
        """
        try:
            source = source_of(replace(self.row, counted="events"), seats)
            return Match(find_game(self.row.game), self.row.players, self.row.options, source, at=at)
        except Exception as error:
            raise self._failure(error) from None

    def replayed(self, entries: Iterable[Entry]) -> Iterator[Match]:
        """Yield the match at its beginning and after each entry.

        Raises CommandRefusedError if the game is not installed, has another version, or the entries are invalid.
        """
        row = self.row
        try:
            game = find_game(row.game)
        except UnknownGameError:
            raise CommandRefusedError("error-unknown-game", game=row.game) from None
        if game.version != row.version:
            raise CommandRefusedError("error-version", played=row.version, installed=game.version)
        try:
            yield from Match.replayed(game, row.players, row.options, source_of(row, self.seats), entries)
        except (JournalCorruptedError, ValueError) as error:
            log.error("table %s: journal cannot be replayed: %s", row.id, error)
            raise CommandRefusedError("error-damaged") from error
        except Exception as error:
            raise self._failure(error) from None

    async def restore(self, entries: Iterable[Entry], still: Iterable[ClockPause] = ()) -> None:
        """Replay the journal and set `match`, `problem` and `clocks`. `still`: pauses of single seats' clocks."""
        self.match, self.problem, self.clocks = None, None, None
        if self.row.started_at is not None:
            try:
                self.match = await run_in_slices(self.replayed(entries))
                if self.row.clock:
                    stood, began = [*self._still(self.seats), *still], self.row.started_at
                    self.clocks = await run_in_slices(
                        clocks_by_command(self.match, self.row.clock, stood, began, self.closed)
                    )
            except CommandRefusedError as problem:
                self.problem = problem

    async def play_on(self, entries: Iterable[Entry]) -> None:
        """Apply further entries to the match and the clocks. Raises JournalCorruptedError if they do not follow."""
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
        """Recompute the clocks from the journal, after `closed` has changed."""
        if self.clocks and self.match and self.row.clock and self.row.started_at is not None:
            worked_out = clocks_by_command(
                self.match, self.row.clock, self.clocks.still, self.row.started_at, self.closed
            )
            self.clocks = await run_in_slices(worked_out)

    def start_clocks(self, match: Match, seats: Iterable[Seat], at: int) -> Clocks | None:
        """Return the clocks at the first decision of a match; None if the table has no clock."""
        return Clocks.begin(self.row.clock, self._still(seats), match, at, self.closed) if self.row.clock else None

    def _still(self, seats: Iterable[Seat]) -> list[ClockPause]:
        """Return the pauses of the bots' seats: their clocks never run."""
        return [ClockPause(seat.seat, 0, None) for seat in seats if seat.kind == "bot"]

    def timing(self) -> dict[str, Any]:
        """Return the part of a record that describes the clocks of a finished game; empty if it had none."""
        row = self.row
        if self.clocks is None or row.started_at is None or row.ended_at is None:
            return {}
        stood = (*self.clocks.closed, *self.clocks.still)
        still = [s for s in stood if s.since <= row.ended_at and (s.until is None or s.until >= row.started_at)]
        return {"clock": {**(row.clock or {}), "began": row.started_at, "still": still}}

    def player(self, seat: int) -> str | None:
        """Return the bot that makes a seat's next decision; None if a guest does, or if the seat is open."""
        player = self.seats[seat].player
        return default_bot(find_game(self.row.game)) if player is None and seat in self.fallen else player

    def playing(self) -> Match:
        """Return the match. Raises CommandRefusedError if it has not started or cannot be replayed."""
        if self.problem:
            raise self.problem.with_traceback(None)  # otherwise the traceback grows with each raise
        if self.match is None:
            raise CommandRefusedError("error-not-started")
        return self.match

    @contextmanager
    def by_the_rules(self) -> Iterator[None]:
        """Run code that calls the game's rules.

        If the rules fail, the table stops until it is loaded again, its clients are notified, and CommandRefusedError
        is raised. CommandRefusedError and JournalCorruptedError pass through.
        """
        try:
            yield
        except (CommandRefusedError, JournalCorruptedError):
            raise
        except Exception as error:
            self.problem = self._failure(error)
            self.publish_table()
            raise self.problem from None

    def _failure(self, error: Exception) -> CommandRefusedError:
        """Log a failure of the rules and return the error for clients.

        The log entry contains the ply and the place in the code, but not the move, which may be secret.
        """
        place = describe_place(error.__cause__ or error)
        if isinstance(error, RulesError):
            place = f"ply {error.ply}, {error.line}: {place if error.__cause__ else error.problem}"
        log.error("rules of %s failed at table %s: %s", self.row.game, self.row.id, place)
        return CommandRefusedError("error-rules")

    @property
    def status(self) -> schemas.Status:
        return "waiting" if self.row.started_at is None else "playing" if self.row.ended_at is None else "over"

    # --- guests and seats ---------------------------------------------------------------------------------------------

    def seat(self, seat: int) -> Seat:
        """Return a seat. Raises CommandRefusedError if it does not exist."""
        if not 0 <= seat < len(self.seats):
            raise CommandRefusedError("error-unknown-seat", seat=seat)
        return self.seats[seat]

    def held(self, guest: str | None) -> list[int]:
        """Return the numbers of a guest's seats."""
        return [seat.seat for seat in self.seats if guest is not None and seat.guest_id == guest]

    def voice(self, guest: str) -> int | None:
        """Return the seat that represents a guest, in chat for example; None for a guest without a seat.

        A guest's own seat comes before the seats of other players on the same device.
        """
        return min(self.held(guest), key=lambda seat: self.seats[seat].kind == "local", default=None)

    def own(self, guest: str | None, seat: int) -> Seat:
        """Return a seat. Raises CommandRefusedError if it does not belong to the guest."""
        owned_seat = self.seat(seat)
        if guest is None or owned_seat.guest_id != guest:
            raise CommandRefusedError("error-not-yours", seat=seat)
        return owned_seat

    def audiences(self, guest: str | None) -> list[Audience]:
        """Return the audiences whose views a guest gets: the guest's seats, or the spectators without a seat."""
        return [*self.held(guest)] or [None]

    def viewpoints(self) -> dict[Subscriber, list[Audience]]:
        """Return the audiences of each connection."""
        return {subscriber: self.audiences(subscriber.guest) for subscriber in self.subscribers}

    def present(self) -> set[str]:
        """Return the guests that have a page with this table open, at any process."""
        guests = {subscriber.guest for subscriber in self.subscribers if subscriber.guest is not None}
        return guests.union(*self.elsewhere.values())

    def attentive(self) -> set[str]:
        """Return the guests that have a visible page with this table, at any process."""
        guests = {
            subscriber.guest
            for subscriber in self.subscribers
            if subscriber.guest is not None and not subscriber.hidden
        }
        return guests.union(
            *({guest for guest, is_visible in pages.items() if is_visible} for pages in self.elsewhere.values())
        )

    @property
    def watched(self) -> bool:
        """Whether any player or spectator is connected, at any process."""
        return bool(self.subscribers) or any(self.elsewhere.values())

    def attend(self, subscriber: Subscriber) -> None:
        """Add a client's connection."""
        self.subscribers.add(subscriber)
        self._come(subscriber.guest)
        self.notify_presence()

    def depart(self, subscriber: Subscriber) -> None:
        """Remove a client's connection."""
        self.subscribers.discard(subscriber)
        self._go(subscriber.guest)
        self.notify_presence()

    def changed_elsewhere(self, before: set[str]) -> None:
        """Handle a change of the guests connected to other processes. `before`: the guests present before it."""
        now = self.present()
        for guest in now - before:
            self._come(guest)
        for guest in before - now:
            self._go(guest)

    def _come(self, guest: str | None) -> None:
        if guest in self._graces:
            self._graces.pop(guest).cancel()
        for seat in self.held(guest):
            self.votes.pop(seat, None)  # the player is back and needs no substitute

    def _go(self, guest: str | None) -> None:
        """Start a player's grace, at whose end all clients are notified."""
        if guest is not None and self.held(guest) and guest not in self.present():
            self.gone_since[guest] = time.monotonic()
            self._graces[guest] = asyncio.get_running_loop().call_later(self.grace, self.publish_table)

    def patience(self, guest: str | None) -> int:
        """Return the remaining seconds of a player's grace; 0 if the player is connected or the grace is over."""
        if guest is None or guest in self.present():
            return 0
        return math.ceil(max(0.0, self.gone_since.get(guest, self.known_since) + self.grace - time.monotonic()))

    @property
    def help(self) -> Literal["off", "on", "missing"]:
        """Whether hints are available: "off" unless all players agree, "missing" without machine code.

        The answer of a player with a substitute still counts, because the player can take the seat back.
        """
        people = [seat for seat in self.seats if seat.guest_id is not None]
        if all(seat.substitute_bot for seat in people) or not all(seat.help_consent for seat in people):
            return "off"
        return (self.status == "playing" and self.hint_obstacle()) or "on"

    @property
    def waited_for(self) -> set[str]:
        """The guests whose turn it is; empty if the match is not in memory."""
        if self.match is None or self.problem or self.match.over:
            return set()
        seats = [self.seats[seat] for seat in self.match.pending]
        return {seat.guest_id for seat in seats if seat.guest_id and not seat.substitute_bot}

    @property
    def abandoned(self) -> bool:
        """Whether all players of a running game have been replaced by substitutes."""
        people = [seat for seat in self.seats if seat.guest_id is not None]
        return self.status == "playing" and bool(people) and all(seat.substitute_bot for seat in people)

    # --- messages to clients ------------------------------------------------------------------------------------------

    def describe(self, guest: str | None) -> schemas.TableInfo:
        """Return the table as a guest sees it; see docs/protocol.md."""
        row, present = self.row, self.present()
        return {
            "id": row.id,
            "game": row.game,
            "version": row.version,
            "options": row.options,
            "players": row.players,
            "status": self.status,
            "private": row.is_private,
            "host": guest is not None and guest == row.host,
            "help": self.help,
            "clock": row.clock,
            "clocks": self.clocks.show(now()) if self.clocks and self.status == "playing" else None,
            "chat_muted": row.chat_muted,
            "seats": [
                {
                    "seat": s.seat,
                    "kind": s.kind,
                    "name": s.name,
                    "bot": s.bot,
                    "you": guest is not None and s.guest_id == guest,
                    "connected": s.kind == "bot" or s.guest_id in present,
                    "grace_seconds": self.patience(s.guest_id),
                    "substitute": s.substitute_bot,
                    "votes": len(self.votes.get(s.seat, ())),
                    "replacement": self.find_replacement(s.player) if s.player else None,
                    "help_consent": bool(s.help_consent),
                    "pledge": s.pledge,
                    "colour": colour,
                }
                for s, colour in zip(self.seats, assign_colors(self.seats), strict=True)
            ],
            "commitment": self.commitment,
            "redraws": row.redraws,
            "secret": row.dice_secret if self.status == "over" else None,
            "nonces": [s.nonce for s in self.seats],
            "rematch_id": row.rematch_id,
            "review": self.reviewing(),
            "problem": as_json(self.problem)["error"] if self.problem else None,
            "created_at": datetime.fromtimestamp(row.created_at / 1000, UTC).isoformat(timespec="seconds"),
        }

    def reviewing(self) -> schemas.ReviewProgress | None:
        """Return the state of the review of a finished game."""
        if self.status != "over" or self.review:
            return self.review
        state: Literal["ready", "none", "impossible"] = (
            "ready" if self.reviewed else "none" if loader.is_available() else "impossible"
        )
        return {"state": state, "judged": 0, "total": 0, "ahead": 0}

    def publish_table(self) -> None:
        """Send all clients the table."""
        texts: dict[str | None, str] = {}
        for subscriber in self.subscribers:
            if subscriber.guest not in texts:
                texts[subscriber.guest] = encode({"type": "table", "table": self.describe(subscriber.guest)})
            subscriber.outbox.put(texts[subscriber.guest])

    def publish_clocks(self) -> None:
        """Send all clients the clocks."""
        if self.clocks:
            text = encode({"type": "clocks", "clocks": self.clocks.show(now())})
            for subscriber in self.subscribers:
                subscriber.outbox.put(text)

    def publish_views(self, noticed: Iterable[Audience], texts: dict[tuple[Audience, int], str] | None = None) -> None:
        """Send the changed views of some audiences to their clients. `texts`: see `show`."""
        noticed = set(noticed)
        texts = {} if texts is None else texts
        with suppress(CommandRefusedError):  # the rules failed, and the clients were notified
            for subscriber in self.subscribers:
                for audience in self.audiences(subscriber.guest):
                    if audience in noticed:
                        self.show(subscriber, audience, texts)

    def show(
        self, subscriber: Subscriber, audience: Audience, texts: dict[tuple[Audience, int], str] | None = None
    ) -> None:
        """Send a client the view of one audience, with the cues that were not sent yet.

        `texts` caches encoded messages by audience and first cue.
        """
        match = self.playing()
        texts = {} if texts is None else texts
        since = subscriber.seen.get(audience, 0)
        if (audience, since) not in texts:
            with self.by_the_rules():
                texts[audience, since] = seat_list_text(match.view(audience, since))
        subscriber.seen[audience] = match.seq(audience)
        subscriber.outbox.put(texts[audience, since])

    def show_all(self, subscriber: Subscriber) -> None:
        """Send a client the views of all its audiences, if there is a match.

        Views with all cues are encoded once for all clients until the next move.
        """
        try:
            if self.problem or self.match:
                if self._snapshots[0] is not self.match:
                    self._snapshots = self.match, {}
                for audience in self.audiences(subscriber.guest):
                    first = not subscriber.seen.get(audience)
                    self.show(subscriber, audience, self._snapshots[1] if first else None)
        except CommandRefusedError as problem:
            subscriber.outbox.put(encode(as_message(problem)))

    def close(self) -> None:
        """Mark the table as removed, and notify its clients."""
        self.gone = True
        for subscriber in self.subscribers:
            subscriber.outbox.put(encode(as_message(CommandRefusedError("error-unknown-table"))))
