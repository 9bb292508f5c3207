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


def view_message(view: View) -> str:
    """Return the message with a view, as JSON."""
    return encode({"type": "view", "view": view})


class Subscriber:
    """A client's connection to a table.

    Attributes:
        next_cues: For each audience of the guest, the number of the first cue that was not sent yet.
        hidden: Whether the page is in the background, such as in another tab or behind a locked screen.
    """

    def __init__(self, guest: str | None, outbox: SendQueue, next_cues: dict[Audience, int], hidden: bool = False):
        self.guest = guest
        self.outbox = outbox
        self.next_cues = next_cues
        self.hidden = hidden


class LiveTable:
    """The state of a table in memory. `lock` is held while a command changes it."""

    def __init__(self, row: TableRow, seats: Sequence[Seat]):
        self.row = row
        self.seats = tuple(seats)
        self.match: Match | None = None
        self.problem: CommandRefusedError | None = None  # why the match cannot be continued
        self.is_removed = False  # whether the table was removed before its game started
        self.lock = asyncio.Lock()
        self.clocks: Clocks | None = None  # None also while the match is not in memory
        # pauses of all clocks while the server was closed; shared with the application
        self.closures: Sequence[ClockPause] = ()
        self.flag_timer: asyncio.TimerHandle | None = None  # the timer for the earliest flag; see flag_timers.py
        self.timed_out: set[int] = set()  # seats out of time, for which a bot makes the next decision
        self.subscribers: set[Subscriber] = set()
        self.peer_guests: dict[str, dict[str, bool]] = {}  # guests connected to other processes: see single_process.py
        self.peer_move_count = 0  # number of events about moves received from other processes
        # called when the guests connected to this process change
        self.notify_presence: Callable[[], None] = lambda: None
        self.advice: dict[tuple[int, bool], tuple[int, asyncio.Task[Advice]]] = {}  # the newest hints; see hints.py
        self.votes: dict[int, set[str]] = {}  # seat -> guests who vote for a substitute
        self.bot_task: asyncio.Task[None] | None = None  # runs the bots
        self.has_review = False  # whether the review of the finished game is stored
        self.review: schemas.ReviewProgress | None = None  # progress or failure of the review
        self.hint_obstacle: Callable[[], Literal["missing"] | None] = lambda: None  # returns why hints are impossible
        # returns the bot that plays in place of another
        self.find_replacement: Callable[[str], schemas.Replacement | None] = lambda bot: None
        self.grace = 0.0  # seconds for which a player who closed the page may come back
        self.absent_since: dict[str, float] = {}  # guest -> monotonic time at which the last page was closed
        self._grace_timers: dict[str, asyncio.TimerHandle] = {}
        self._snapshots: tuple[Match | None, dict[tuple[Audience, int], str]] = None, {}  # cached messages of a match
        self.last_used_at = self.loaded_at = time.monotonic()
        self.exchange_timer: asyncio.TimerHandle | None = (
            None  # the timeout of the exchange of numbers; see number_exchange.py
        )

    @property
    def commitment(self) -> str:
        """The SHA-256 of the table's secret, published before the first move."""
        return CommittedChance.commitment(bytes.fromhex(self.row.dice_secret))

    # --- the match ----------------------------------------------------------------------------------------------------

    def bot_seed(self, seat: int) -> int:
        """Return the random seed for a bot's next move at a seat.

        It follows from the table's secret, so it is unpredictable, and it is the same in a replay of the same game.
        """
        move = self.require_match().count_entries(seat)
        return int.from_bytes(
            hmac.digest(bytes.fromhex(self.row.dice_secret), f"{self.row.id}|bot|{seat}|{move}".encode(), "sha256")[:7],
            "big",
        )

    def make_match(self, seats: Sequence[Seat], at: int) -> Match:
        """Return a new match for these seats, up to its first decision. Raises CommandRefusedError if the rules fail.

        Its random numbers are derived from the count of random events (`counted="events"`).
        """
        try:
            source = source_of(replace(self.row, counted="events"), seats)
            return Match(find_game(self.row.game), self.row.players, self.row.options, source, at=at)
        except Exception as error:
            raise self._rules_failure(error) from None

    def iter_replay(self, entries: Iterable[Entry]) -> Iterator[Match]:
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
            yield from Match.iter_replay(game, row.players, row.options, source_of(row, self.seats), entries)
        except (JournalCorruptedError, ValueError) as error:
            log.error("table %s: journal cannot be replayed: %s", row.id, error)
            raise CommandRefusedError("error-damaged") from error
        except Exception as error:
            raise self._rules_failure(error) from None

    async def restore(self, entries: Iterable[Entry], pauses: Iterable[ClockPause] = ()) -> None:
        """Replay the journal and set `match`, `problem` and `clocks`. `pauses`: pauses of single seats' clocks."""
        self.match, self.problem, self.clocks = None, None, None
        if self.row.started_at is not None:
            try:
                self.match = await run_in_slices(self.iter_replay(entries))
                if self.row.clock:
                    all_pauses, started_at = [*self._bot_pauses(self.seats), *pauses], self.row.started_at
                    self.clocks = await run_in_slices(
                        clocks_by_command(self.match, self.row.clock, all_pauses, started_at, self.closures)
                    )
            except CommandRefusedError as problem:
                self.problem = problem

    async def apply_entries(self, entries: Iterable[Entry]) -> None:
        """Apply further entries to the match and the clocks. Raises JournalCorruptedError if they do not follow."""
        match, clocks = self.require_match().copy(), self.clocks

        def iter_steps() -> Iterator[None]:
            nonlocal clocks
            for command_entries in group_commands(entries):
                for entry in command_entries:
                    match.follow(entry)
                clocks = clocks and clocks.advance(match, command_entries)
                yield

        with self.guard_rules():
            await run_in_slices(iter_steps())
        self.match, self.clocks = match, clocks
        if clocks:
            self.timed_out &= clocks.timed_out(clocks.at)

    async def recompute_clocks(self) -> None:
        """Recompute the clocks from the journal, after `closures` has changed."""
        if self.clocks and self.match and self.row.clock and self.row.started_at is not None:
            iter_clocks = clocks_by_command(
                self.match, self.row.clock, self.clocks.pauses, self.row.started_at, self.closures
            )
            self.clocks = await run_in_slices(iter_clocks)

    def start_clocks(self, match: Match, seats: Iterable[Seat], at: int) -> Clocks | None:
        """Return the clocks at the first decision of a match; None if the table has no clock."""
        return (
            Clocks.start(self.row.clock, self._bot_pauses(seats), match, at, self.closures) if self.row.clock else None
        )

    def _bot_pauses(self, seats: Iterable[Seat]) -> list[ClockPause]:
        """Return the pauses of the bots' seats: their clocks never run."""
        return [ClockPause(seat.seat, 0, None) for seat in seats if seat.kind == "bot"]

    def clock_record(self) -> dict[str, Any]:
        """Return the part of a record that describes the clocks of a finished game; empty if it had none."""
        row = self.row
        if self.clocks is None or row.started_at is None or row.ended_at is None:
            return {}
        all_pauses = (*self.clocks.closures, *self.clocks.pauses)
        pauses = [s for s in all_pauses if s.since <= row.ended_at and (s.until is None or s.until >= row.started_at)]
        return {"clock": {**(row.clock or {}), "began": row.started_at, "still": pauses}}

    def deciding_bot(self, seat: int) -> str | None:
        """Return the bot that makes a seat's next decision; None if a guest does, or if the seat is open."""
        player = self.seats[seat].playing_bot
        return default_bot(find_game(self.row.game)) if player is None and seat in self.timed_out else player

    def require_match(self) -> Match:
        """Return the match. Raises CommandRefusedError if it has not started or cannot be replayed."""
        if self.problem:
            raise self.problem.with_traceback(None)  # otherwise the traceback grows with each raise
        if self.match is None:
            raise CommandRefusedError("error-not-started")
        return self.match

    @contextmanager
    def guard_rules(self) -> Iterator[None]:
        """Run code that calls the game's rules.

        If the rules fail, the table stops until it is loaded again, its clients are notified, and CommandRefusedError
        is raised. CommandRefusedError and JournalCorruptedError pass through.
        """
        try:
            yield
        except (CommandRefusedError, JournalCorruptedError):
            raise
        except Exception as error:
            self.problem = self._rules_failure(error)
            self.publish_table()
            raise self.problem from None

    def _rules_failure(self, error: Exception) -> CommandRefusedError:
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

    def seats_of(self, guest: str | None) -> list[int]:
        """Return the numbers of a guest's seats."""
        return [seat.seat for seat in self.seats if guest is not None and seat.guest_id == guest]

    def main_seat(self, guest: str) -> int | None:
        """Return the seat that represents a guest, in chat for example; None for a guest without a seat.

        A guest's own seat comes before the seats of other players on the same device.
        """
        return min(self.seats_of(guest), key=lambda seat: self.seats[seat].kind == "local", default=None)

    def require_own_seat(self, guest: str | None, seat: int) -> Seat:
        """Return a seat. Raises CommandRefusedError if it does not belong to the guest."""
        owned_seat = self.seat(seat)
        if guest is None or owned_seat.guest_id != guest:
            raise CommandRefusedError("error-not-yours", seat=seat)
        return owned_seat

    def audiences(self, guest: str | None) -> list[Audience]:
        """Return the audiences whose views a guest gets: the guest's seats, or the spectators without a seat."""
        return [*self.seats_of(guest)] or [None]

    def viewpoints(self) -> dict[Subscriber, list[Audience]]:
        """Return the audiences of each connection."""
        return {subscriber: self.audiences(subscriber.guest) for subscriber in self.subscribers}

    def connected_guests(self) -> set[str]:
        """Return the guests that have a page with this table open, at any process."""
        guests = {subscriber.guest for subscriber in self.subscribers if subscriber.guest is not None}
        return guests.union(*self.peer_guests.values())

    def attentive_guests(self) -> set[str]:
        """Return the guests that have a visible page with this table, at any process."""
        guests = {
            subscriber.guest
            for subscriber in self.subscribers
            if subscriber.guest is not None and not subscriber.hidden
        }
        return guests.union(
            *({guest for guest, is_visible in pages.items() if is_visible} for pages in self.peer_guests.values())
        )

    @property
    def has_clients(self) -> bool:
        """Whether any player or spectator is connected, at any process."""
        return bool(self.subscribers) or any(self.peer_guests.values())

    def add_subscriber(self, subscriber: Subscriber) -> None:
        """Add a client's connection."""
        self.subscribers.add(subscriber)
        self._end_grace(subscriber.guest)
        self.notify_presence()

    def remove_subscriber(self, subscriber: Subscriber) -> None:
        """Remove a client's connection."""
        self.subscribers.discard(subscriber)
        self._start_grace(subscriber.guest)
        self.notify_presence()

    def update_grace(self, present_before: set[str]) -> None:
        """Start or end graces after a change at other processes. `present_before`: the guests connected before it."""
        present = self.connected_guests()
        for guest in present - present_before:
            self._end_grace(guest)
        for guest in present_before - present:
            self._start_grace(guest)

    def _end_grace(self, guest: str | None) -> None:
        if guest in self._grace_timers:
            self._grace_timers.pop(guest).cancel()
        for seat in self.seats_of(guest):
            self.votes.pop(seat, None)  # the player is back and needs no substitute

    def _start_grace(self, guest: str | None) -> None:
        """Start a player's grace, at whose end all clients are notified."""
        if guest is not None and self.seats_of(guest) and guest not in self.connected_guests():
            self.absent_since[guest] = time.monotonic()
            self._grace_timers[guest] = asyncio.get_running_loop().call_later(self.grace, self.publish_table)

    def grace_left(self, guest: str | None) -> int:
        """Return the remaining seconds of a player's grace; 0 if the player is connected or the grace is over."""
        if guest is None or guest in self.connected_guests():
            return 0
        return math.ceil(max(0.0, self.absent_since.get(guest, self.loaded_at) + self.grace - time.monotonic()))

    @property
    def help(self) -> Literal["off", "on", "missing"]:
        """Whether hints are available: "off" unless all players agree, "missing" if nothing can compute them.

        The answer of a player with a substitute still counts, because the player can take the seat back.
        """
        held_seats = [seat for seat in self.seats if seat.guest_id is not None]
        if all(seat.substitute_bot for seat in held_seats) or not all(seat.help_consent for seat in held_seats):
            return "off"
        return (self.status == "playing" and self.hint_obstacle()) or "on"

    @property
    def guests_to_move(self) -> set[str]:
        """The guests whose turn it is; empty if the match is not in memory."""
        if self.match is None or self.problem or self.match.over:
            return set()
        seats = [self.seats[seat] for seat in self.match.pending]
        return {seat.guest_id for seat in seats if seat.guest_id and not seat.substitute_bot}

    @property
    def is_abandoned(self) -> bool:
        """Whether all players of a running game have been replaced by substitutes."""
        held_seats = [seat for seat in self.seats if seat.guest_id is not None]
        return self.status == "playing" and bool(held_seats) and all(seat.substitute_bot for seat in held_seats)

    # --- messages to clients ------------------------------------------------------------------------------------------

    def describe(self, guest: str | None) -> schemas.TableInfo:
        """Return the table as a guest sees it; see docs/protocol.md."""
        row, present = self.row, self.connected_guests()
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
            "clocks": self.clocks.describe(now()) if self.clocks and self.status == "playing" else None,
            "chat_muted": row.chat_muted,
            "seats": [
                {
                    "seat": s.seat,
                    "kind": s.kind,
                    "name": s.name,
                    "bot": s.bot,
                    "you": guest is not None and s.guest_id == guest,
                    "connected": s.kind == "bot" or s.guest_id in present,
                    "grace_seconds": self.grace_left(s.guest_id),
                    "substitute": s.substitute_bot,
                    "votes": len(self.votes.get(s.seat, ())),
                    "replacement": self.find_replacement(s.playing_bot) if s.playing_bot else None,
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
            "review": self.describe_review(),
            "problem": as_json(self.problem)["error"] if self.problem else None,
            "created_at": datetime.fromtimestamp(row.created_at / 1000, UTC).isoformat(timespec="seconds"),
        }

    def describe_review(self) -> schemas.ReviewProgress | None:
        """Return the state of the review of a finished game."""
        if self.status != "over" or self.review:
            return self.review
        state: Literal["ready", "none", "impossible"] = (
            "ready" if self.has_review else "none" if loader.is_available() else "impossible"
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
            text = encode({"type": "clocks", "clocks": self.clocks.describe(now())})
            for subscriber in self.subscribers:
                subscriber.outbox.put(text)

    def publish_views(
        self, audiences: Iterable[Audience], texts: dict[tuple[Audience, int], str] | None = None
    ) -> None:
        """Send the changed views of some audiences to their clients. `texts`: see `send_view`."""
        audiences = set(audiences)
        texts = {} if texts is None else texts
        with suppress(CommandRefusedError):  # the rules failed, and the clients were notified
            for subscriber in self.subscribers:
                for audience in self.audiences(subscriber.guest):
                    if audience in audiences:
                        self.send_view(subscriber, audience, texts)

    def send_view(
        self, subscriber: Subscriber, audience: Audience, texts: dict[tuple[Audience, int], str] | None = None
    ) -> None:
        """Send a client the view of one audience, with the cues that were not sent yet.

        `texts` caches encoded messages by audience and first cue.
        """
        match = self.require_match()
        texts = {} if texts is None else texts
        first_cue = subscriber.next_cues.get(audience, 0)
        if (audience, first_cue) not in texts:
            with self.guard_rules():
                texts[audience, first_cue] = view_message(match.view(audience, first_cue))
        subscriber.next_cues[audience] = match.seq(audience)
        subscriber.outbox.put(texts[audience, first_cue])

    def send_all_views(self, subscriber: Subscriber) -> None:
        """Send a client the views of all its audiences, if there is a match.

        Views with all cues are encoded once for all clients until the next move.
        """
        try:
            if self.problem or self.match:
                if self._snapshots[0] is not self.match:
                    self._snapshots = self.match, {}
                for audience in self.audiences(subscriber.guest):
                    first = not subscriber.next_cues.get(audience)
                    self.send_view(subscriber, audience, self._snapshots[1] if first else None)
        except CommandRefusedError as problem:
            subscriber.outbox.put(encode(as_message(problem)))

    def mark_removed(self) -> None:
        """Mark the table as removed, and notify its clients."""
        self.is_removed = True
        for subscriber in self.subscribers:
            subscriber.outbox.put(encode(as_message(CommandRefusedError("error-unknown-table"))))
