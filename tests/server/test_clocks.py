"""Clocks: whose time runs, what it costs, who is notified, and what happens when time runs out. The tests control the
time.
"""

import asyncio
import heapq
import json
import math
import random
import time
from contextlib import asynccontextmanager
from itertools import count, pairwise
from operator import itemgetter
from types import SimpleNamespace

import predictable
import pytest
from accelerated_time import ACCELERATED_TIME, START_MS
from guests import Server, wait_until
from sqlalchemy import insert

from courtly.engine import transcript
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.native import loader
from courtly.engine.position import CommandRefusedError
from courtly.engine.rng import SeededChance, make_generator
from courtly.engine.transcript import write_record
from courtly.server import timekeeping
from courtly.server.actions import bot_driver, flag_timers, seating
from courtly.server.actions.flag_timers import FlagTimers
from courtly.server.actions.game_commands import Command, run_command
from courtly.server.application import Application
from courtly.server.persistence import repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.group_commit import GroupCommitWriter
from courtly.server.persistence.schema import CLOCK_PAUSES
from courtly.server.schemas.requests import NewTable, PostChat
from courtly.server.settings import Settings
from courtly.server.tables import table as table_file
from courtly.server.tables.table import Subscriber
from courtly.server.timekeeping import Timekeeper, now
from courtly.session import clocks
from courtly.session.clocks import ClockPause, clocks_after

LIVE_CLOCK, DAYS_CLOCK = {"minutes": 1, "seconds": 10}, {"days": 2}
MINUTE_S, DAY_S = 60, 24 * 3600  # seconds
keys = map(str, count())


class FakeTime:
    """A fake time in ms, and the error of the system's clock."""

    def __init__(self):
        self.now, self.system_error_ms, self._calls, self._order = START_MS, 0, [], count()

    def call_later(self, seconds, call):
        heapq.heappush(self._calls, (self.now + round(seconds * 1000), next(self._order), handle := Handle(), call))
        return handle

    async def sleep(self, seconds):
        future = asyncio.get_running_loop().create_future()
        self.call_later(seconds, lambda: future.done() or future.set_result(None))
        await future

    async def advance(self, seconds):
        """Let time pass and run everything that is due on time."""
        end_ms = self.now + round(seconds * 1000)
        await settle()
        while self._calls and self._calls[0][0] <= end_ms:
            self.now, _, handle, call = heapq.heappop(self._calls)
            if not handle.cancelled:
                call()
            await settle()
        self.now = end_ms

    def jump(self, seconds):
        """Let time pass without running anything, then run everything that became due."""
        self.now += round(seconds * 1000)
        due_calls = [entry for entry in self._calls if entry[0] <= self.now]
        self._calls = sorted(entry for entry in self._calls if entry[0] > self.now)
        for _, _, handle, call in sorted(due_calls):
            if not handle.cancelled:
                call()

    @property
    def waiting(self):
        return sum(not handle.cancelled for _, _, handle, _ in self._calls)


class Handle:
    cancelled = False

    def cancel(self):
        self.cancelled = True


async def settle():
    """Wait until the server has done everything it can do at the current time. Disk writes take a while."""
    quiet_rounds = 0
    while quiet_rounds < 20:
        other_tasks = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
        await asyncio.sleep(0.001 if any(map(is_waiting_for_database, other_tasks)) else 0)
        quiet_rounds = 0 if any(map(is_waiting_for_database, other_tasks)) else quiet_rounds + 1


def is_waiting_for_database(task):
    """Return whether a task waits for the database."""
    innermost, coroutine = None, task.get_coro()
    while coroutine is not None and hasattr(coroutine, "cr_await"):
        innermost, coroutine = coroutine, coroutine.cr_await
    return innermost is not None and innermost.cr_code.co_qualname == GroupCommitWriter.do.__qualname__


class FakeBots:
    """Bots that declare ready as soon as possible and bid nothing."""

    async def prepare(self, _game, _bots):
        """The bots are always available."""

    def load_search(self, _game):
        """Nothing is compiled."""

    def find_obstacle(self, _game, _bot):
        """No bot is unavailable."""

    async def choose(self, _game, _bot, view, _seed):
        return next((m["id"] for m in view["legal"] if m["verb"] == "ready"), view["legal"][0]["id"])

    async def close(self):
        """There is nothing to close."""


class ClockServer:
    """A server over a database, and its fake time."""

    def __init__(self, application, clock):
        self.application, self.clock = application, clock

    async def open(self, *kinds, clock, options=None, game="sealed_bids", seed="hands of several kinds"):
        seats = [{"kind": kind} for kind in kinds]
        request = {
            "game": game,
            "players": len(kinds),
            "options": options or {"looks": 0},
            "seats": seats,
            "clock": clock,
        }
        predictable.seed.set(seed)
        return await seating.open_table(self.application, "ada", NewTable(**request))

    async def open_pair(self, clock, **options):
        """Open a table for Ada and Ben."""
        table = await self.open("me", "open", clock=clock, **options)
        await seating.sit(self.application, table, "ben", None, "")
        return table

    async def play(self, table, guest, seat, verb=None, number=-1):
        """Make the last legal move of this verb."""
        moves = [m["id"] for m in table.match.view(seat)["legal"] if verb in (None, m["verb"])]
        await run_command(self.application, table, guest, Command(seat, None, (moves[number],)), next(keys))

    async def choose_and_declare_ready(self, table, guest, seat):
        await self.play(table, guest, seat, "choose", 0)
        await self.play(table, guest, seat, "ready")

    def time_left(self, table, seat):
        """Return a seat's seconds in the bank and free seconds."""
        seat_clock = table.clocks.describe(now())["seats"][seat]
        return seat_clock and (seat_clock["bank"] / 1000, seat_clock["free"] / 1000)


@pytest.fixture
def open_server(tmp_path, monkeypatch):
    """Open the server; on a second call, reopen it."""
    clock = FakeTime()
    monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)  # time advances in jumps
    monkeypatch.setattr(table_file, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(flag_timers, "call_later", clock.call_later)
    monkeypatch.setattr(bot_driver, "sleep", clock.sleep)
    monkeypatch.setattr(seating, "draw_table", predictable.draw_table)
    monkeypatch.setattr(loader, "is_available", lambda: False)

    @asynccontextmanager
    async def open_application(is_killed=False, name="server"):
        keeper = Timekeeper(lambda: clock.now + clock.system_error_ms, lambda: clock.now)
        monkeypatch.setattr(timekeeping, "TIMEKEEPER", keeper)  # each opening simulates a new process
        settings = Settings(tmp_path, database=f"sqlite:///{tmp_path / name}.db", bot_pause=1.0)
        application = await Application.open(settings, GroupCommitWriter(open_database(settings.database_url)), None)
        application.bots = FakeBots()
        bot_driver.start_bots(application)
        timers = await FlagTimers.start(application)
        predictable.table_counts.clear()
        try:
            yield ClockServer(application, clock)
        finally:
            if is_killed:
                timers._store_gaps = store_nothing
            await timers.close()
            await application.close()
            assert not clock.waiting or is_killed or all(table.bot_task for table in application.tables.by_id.values())

    open_application.clock = clock
    return open_application


async def store_nothing(**_):
    """A killed server stores nothing more."""


class Recorder:
    """Records everything sent to a guest, byte for byte."""

    def __init__(self, table, guest):
        self.messages = []
        self.put = self.messages.append
        table.add_subscriber(Subscriber(guest, self, {}))

    def last(self, kind="clocks"):
        return next(m for m in map(json.loads, reversed(self.messages)) if m["type"] == kind)


def test_time_runs_for_pending_seats_after_the_free_seconds_of_each_decision(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK, options={"looks": 1})
            assert server.time_left(table, 0) == (60, 10) and server.time_left(table, 1) == (60, 0), "it is Ada's turn"
            await server.clock.advance(9)
            assert server.time_left(table, 0) == (60, 1)
            await server.play(table, "ada", 0, "skip", 0)
            assert server.time_left(table, 0) == server.time_left(table, 1) == (60, 10), "both have to choose"
            await server.clock.advance(15)
            assert server.time_left(table, 0) == server.time_left(table, 1) == (55, 0)
            await server.choose_and_declare_ready(table, "ada", 0)
            await server.clock.advance(5)
            assert server.time_left(table, 0)[0] == 55 and server.time_left(table, 1) == (50, 0)

    asyncio.run(game())


def test_an_undo_does_not_restore_time(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)

            async def undo():
                await run_command(server.application, table, "ada", Command(0, None, None), next(keys))

            await server.clock.advance(12)
            await server.choose_and_declare_ready(table, "ada", 0)
            assert server.time_left(table, 0) == (58, 10)
            await server.clock.advance(30)
            await undo()
            assert server.time_left(table, 0) == (58, 10), "Ada's clock did not run while only Ben had to move"
            await server.clock.advance(11)
            await server.play(table, "ada", 0, "ready")
            await undo()
            assert server.time_left(table, 0) == (57, 0), "a repeated decision has no new free time"

    asyncio.run(game())


def test_an_absent_player_is_played_for_then_replaced_and_may_return(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            recorder, timeouts, durations_s = Recorder(table, None), [], []
            do = server.application.writer.do

            async def check_and_write(work, moves=None):
                """Check every state in which the server could be killed."""

                def write_and_check(connection):
                    result = work(connection)
                    row, seats, entries, _ = repository.load_table(connection, table.row.id)
                    *_, match = table.iter_replay(entries)
                    stored_clocks = clocks_after(match, LIVE_CLOCK, (), row.started_at)
                    assert row.ended_at or (stored_clocks.timeouts[1] >= 3) <= (seats[1].substitute_bot is not None), (
                        "the third timeout and the substitute are committed together"
                    )
                    return result

                return await do(write_and_check, moves)

            server.application.writer.do = check_and_write
            while table.status == "playing":
                if 0 in table.match.pending:
                    choose = table.match.state.phase == table.match.rules.Phase.CHOOSE
                    await (
                        server.choose_and_declare_ready(table, "ada", 0)
                        if choose
                        else server.play(table, "ada", 0, number=0)
                    )
                start_ms = server.clock.now
                while table.status == "playing" and table.match.pending == (1,):
                    await server.clock.advance(1)
                durations_s.append((server.clock.now - start_ms) / 1000)
                timeouts.append((table.clocks.timeouts[1], table.seats[1].substitute_bot))
            assert timeouts[:3] == [(1, None), (2, None), (3, "random")]
            assert durations_s[:3] == [60 + 10 + 1, 10 + 1, 10 + 1], "each decision has free time; a bot pauses first"
            assert durations_s[3] == bot_driver.SIMULTANEOUS_PAUSE_FACTOR and server.time_left(table, 1) is None, (
                "a bot has no clock"
            )
            clock_messages = [
                m["clocks"]["seats"][1] for m in map(json.loads, recorder.messages) if m["type"] == "clocks"
            ]
            assert [seat["timeouts"] for seat in clock_messages if seat][-1] == 3
            rematch = await seating.rematch(server.application, table, "ada")
            assert rematch.row.clock == LIVE_CLOCK and rematch.row.next_flag_at == server.clock.now + 70_000

    asyncio.run(game())


def test_a_replaced_player_returns_to_the_remaining_time(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            await server.clock.advance(20)
            await seating.leave(server.application, table, "ada", None)
            await server.clock.advance(5)
            assert 0 not in table.match.pending and server.time_left(table, 0) is None
            await server.choose_and_declare_ready(table, "ben", 1)
            await seating.take_back_seat(server.application, table, "ada", 0)
            assert server.time_left(table, 0)[0] == 50
            stored_clocks = table.clocks
            await server.application.tables.reload(table)
            assert table.clocks == stored_clocks

    asyncio.run(game())


@pytest.mark.parametrize("first", ["move", "flag"])
def test_a_move_at_the_moment_the_flag_falls_counts(open_server, first):
    """The order in the journal decides. If the bot has not moved yet, the player's move counts."""

    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            await server.choose_and_declare_ready(table, "ben", 1)
            await server.play(table, "ada", 0, "choose", 0)
            chosen_card = table.match.state.choice[0]
            ready_moves = [m["id"] for m in table.match.view(0)["legal"] if m["verb"] == "ready"]
            await server.clock.advance(69.999 if first == "move" else 70)
            move_task = asyncio.ensure_future(
                run_command(server.application, table, "ada", Command(0, None, tuple(ready_moves)), next(keys))
            )
            if first == "move":
                while not table.lock.locked():
                    await asyncio.sleep(0)
            await server.clock.advance(0.001)
            await move_task
            assert table.match.state.shown[0] == chosen_card, "no bot changed the choice"
            await server.clock.advance(5)
            entries = [entry for entry in table.match.entries if entry.seat == 0]
            assert len(entries) == 2 and table.clocks.timeouts[0] == (first == "flag")

    asyncio.run(game())


def test_a_bots_move_before_the_players_is_kept(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            await server.choose_and_declare_ready(table, "ben", 1)
            await server.play(table, "ada", 0, "choose", 0)
            view = table.match.view(0)
            await server.clock.advance(73)
            length = len(table.match.entries)
            with pytest.raises(CommandRefusedError, match="error-stale"):
                ready = view["legal"][-1]["id"]
                await run_command(server.application, table, "ada", Command(0, view["seq"], (ready,)), next(keys))
            assert len(table.match.entries) == length and table.clocks.timeouts == (1, 0)

    asyncio.run(game())


def test_the_clocks_of_a_game_can_be_computed_from_its_journal(open_server):
    async def game():
        rng = random.Random(5)
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK, options={"looks": 1})
            while table.status == "playing":
                await server.clock.advance(rng.choice([0, 1, 8, 20]))
                if table.status == "over":
                    break
                seat = rng.choice(table.match.pending)
                if rng.random() < 0.1 and table.match.can_undo(seat):
                    await run_command(
                        server.application, table, ("ada", "ben")[seat], Command(seat, None, None), next(keys)
                    )
                elif table.match.view(seat)["legal"]:
                    await server.play(table, ("ada", "ben")[seat], seat, number=rng.randrange(-1, 1))
            stored_clocks = table.clocks
            assert sum(stored_clocks.bank) < 2 * 60_000 and any(entry.undo for entry in table.match.entries)
        async with open_server() as server:
            table = await server.application.tables.get(table.row.id)
            assert table.clocks == stored_clocks
            record = write_record(table.match, **table.clock_record())
        recorded_clock = json.loads(record.splitlines()[0])["clock"]
        pauses = [ClockPause(*times) for times in recorded_clock["still"]]
        recomputed_clocks = clocks_after(
            transcript.check(record),
            {name: recorded_clock[name] for name in LIVE_CLOCK},
            pauses,
            recorded_clock["began"],
        )
        assert (recomputed_clocks.bank, recomputed_clocks.free, recomputed_clocks.timeouts) == (
            stored_clocks.bank,
            stored_clocks.free,
            stored_clocks.timeouts,
        ), "computed from the record"

    asyncio.run(game())


def test_no_time_runs_while_the_server_is_down_and_flags_fall_afterwards(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(DAYS_CLOCK)
            await server.clock.advance(DAY_S)
            assert server.time_left(table, 0) == (0, DAY_S)
        server.clock.now += 5 * DAY_S * 1000
        async with open_server() as server:
            assert (await server.application.tables.get(table.row.id)).clocks.time_left(0, server.clock.now) == (
                0,
                DAY_S * 1000,
            )
        server.clock.now += 5 * DAY_S * 1000
        async with open_server() as server:
            await server.clock.advance(DAY_S - 1)
            assert server.application.tables.by_id[table.row.id].match is None, "the match was not loaded"
            await server.clock.advance(10)
            assert server.application.tables.by_id[table.row.id].clocks.timeouts == (1, 1)

    asyncio.run(game())


def test_a_killed_server_charges_only_the_time_it_was_up(open_server):
    async def game():
        async with open_server(is_killed=True) as server:
            table = await server.open_pair(DAYS_CLOCK)
            await server.clock.advance(3600)
            await (timers := server.application.schedule_flags.__self__).sweep()
            await server.clock.advance(30)
            assert timers is not None and server.time_left(table, 0) == (0, 2 * DAY_S - 3630)
        server.clock.now += 9 * DAY_S * 1000
        async with open_server() as server:
            assert (await server.application.tables.get(table.row.id)).clocks.time_left(0, server.clock.now) == (
                0,
                (2 * DAY_S - 3600) * 1000,
            )

    asyncio.run(game())


# --- interruptions and clock changes ----------------------------------------------------------------------------------

HOUR_S, YEAR_S = 3600, 365 * DAY_S
SYSTEM_CLOCK_STEPS_S = [
    HOUR_S,
    2 * HOUR_S,
    DAY_S,
    74 * YEAR_S,
    -HOUR_S,
    -2 * HOUR_S,
    -DAY_S,
]  # changes of the system's clock
MAX_DRIFT_S = 0.5  # seconds: how far the server's time may follow the change meanwhile


@pytest.mark.parametrize("first", ["flag", "beat", "command", "look"])
def test_time_in_which_the_process_did_not_run_is_given_back(open_server, monkeypatch, caplog, first):
    """`first` is what runs first after the process resumes."""

    async def game():
        async with open_server(is_killed=True) as server:
            table = await server.open_pair(LIVE_CLOCK, options={"looks": 1})
            recorder = Recorder(table, None)
            await server.clock.advance(4)
            timekeeping.TIMEKEEPER.beat()
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            if first == "flag":
                server.clock.jump(75)
            else:
                server.clock.now += 75_000
            if first == "beat":
                timekeeping.TIMEKEEPER.beat()
            elif first == "look":
                table.describe(None)
            elif first == "command":
                await server.play(table, "ada", 0, "skip", 0)
            await settle()
            if first == "command":
                assert server.time_left(table, 0) == server.time_left(table, 1) == (
                    60,
                    10,
                ) and table.clocks.timeouts == (0, 0)
            else:
                assert server.time_left(table, 0) == (60, 6) and not table.timed_out
                seat_clock = recorder.last()["clocks"]["seats"][0]
                assert (seat_clock["bank"], seat_clock["free"], seat_clock["runs"]) == (60_000, 6000, True), (
                    "the clients receive it"
                )
            assert "did not run for 75.0 s" in caplog.text
            monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)
            await server.clock.advance(8)
            time_left = server.time_left(table, 0)
            assert time_left == ((60, 2) if first == "command" else (58, 0)), "time runs again"
            await server.application.schedule_flags.__self__.sweep()
        async with open_server() as server:
            table = await server.application.tables.get(table.row.id)
            assert table.clocks.at < server.clock.now and server.time_left(table, 0) == time_left
            if first != "command":
                await server.clock.advance(57)
                assert not table.timed_out
                await server.clock.advance(5)
                assert table.clocks.timeouts == (1, 0)

    asyncio.run(game())


def test_clocks_computed_from_the_journal_include_the_gaps(open_server, monkeypatch):
    """A move that was being written during the gap does not lose that time, and a record contains the gap."""

    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            write = server.application.tables.write

            async def write_after_a_gap(*arguments):
                server.clock.now += 30_000
                await write(*arguments)

            server.application.tables.write = write_after_a_gap
            await server.play(table, "ada", 0, "choose", 0)
            await server.play(table, "ada", 0, "ready")
            await server.play(table, "ben", 1, "choose", 0)
            server.application.tables.write = write
            stored_clocks = table.clocks
            await table.recompute_clocks()
            await settle()
            assert table.clocks == stored_clocks and stored_clocks.bank == (60_000, 60_000)
            recomputed_clocks = clocks_after(
                table.match, LIVE_CLOCK, [*stored_clocks.closures, *stored_clocks.pauses], table.row.started_at
            )
            assert (recomputed_clocks.bank, recomputed_clocks.free) == (stored_clocks.bank, stored_clocks.free)

    asyncio.run(game())


@pytest.mark.parametrize("step", SYSTEM_CLOCK_STEPS_S)
def test_setting_the_system_clock_changes_no_running_clock(open_server, monkeypatch, step, caplog):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            await server.clock.advance(4)
            server.clock.system_error_ms = step * 1000
            timekeeping.TIMEKEEPER.beat()
            await server.clock.advance(4)
            assert server.time_left(table, 0) == server.time_left(table, 1) == (60, pytest.approx(2, abs=MAX_DRIFT_S))
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            for _ in range(timekeeping.SETTLED_BEATS):
                timekeeping.TIMEKEEPER.beat()  # the change persists
            await settle()
            monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)
            assert "system clock" in caplog.text
            assert server.time_left(table, 0) == server.time_left(table, 1)
            assert server.time_left(table, 0) == (60, pytest.approx(2, abs=MAX_DRIFT_S))
            await server.choose_and_declare_ready(table, "ada", 0)
            await server.clock.advance(10)
            assert server.time_left(table, 1)[0] == pytest.approx(52, abs=MAX_DRIFT_S)
            await check_clocks(server, table)
        async with open_server() as server:  # with the changed clock
            await check_clocks(server, await server.application.tables.get(table.row.id))
            await check_clocks(server, await server.open_pair(LIVE_CLOCK, seed=next(keys)))
        server.clock.system_error_ms = 0
        async with open_server() as server:  # with the clock corrected again
            await check_clocks(server, await server.application.tables.get(table.row.id))
            await check_clocks(server, await server.open_pair(LIVE_CLOCK, seed=next(keys)))

    asyncio.run(game())


async def check_clocks(server, table):
    """Check that time is taken only from the pending seats and that no stored time is in the future."""
    before = table.clocks.describe(now())["seats"]
    await server.clock.advance(2)
    after = table.clocks.describe(now())["seats"]
    for seat, (b, a) in enumerate(zip(before, after, strict=True)):
        passed = b["bank"] + b["free"] - a["bank"] - a["free"]
        assert passed == pytest.approx(2000 * (seat in table.match.pending), abs=1000 * MAX_DRIFT_S)
    assert all(entry.at <= next_entry.at for entry, next_entry in pairwise(table.match.entries))
    assert table.match.entries[-1].at <= now() and table.row.started_at <= now()
    assert table.row.next_flag_at is None or table.row.next_flag_at <= now() + 70_000


@pytest.mark.parametrize("ahead_s", [HOUR_S, DAY_S, 74 * YEAR_S])
def test_times_stored_while_the_clock_was_ahead_are_corrected(open_server, ahead_s):
    async def game():
        async with open_server() as server:
            first = await server.open_pair(LIVE_CLOCK)
            await server.clock.advance(4)
            await post_message(server, first, "one")
        server.clock.system_error_ms = 1000 * ahead_s
        async with open_server() as server:
            first_table = await server.application.tables.get(first.row.id)
            await server.clock.advance(4)
            await post_message(server, first_table, "two")
            await server.choose_and_declare_ready(first_table, "ada", 0)
            second_table = await server.open_pair(LIVE_CLOCK, seed=next(keys))
            await seating.leave(server.application, second_table, "ben", None)
            await server.clock.advance(4)
            await post_message(server, first_table, "three")
        server.clock.system_error_ms = 0
        server.clock.now += 10_000
        async with open_server() as server:
            first_table, second_table = [
                await server.application.tables.get(table.row.id) for table in (first, second_table)
            ]
            await check_clocks(server, first_table)
            await check_clocks(server, third_table := await server.open_pair(LIVE_CLOCK, seed=next(keys)))
            await seating.take_back_seat(server.application, second_table, "ben", 1)
            await check_clocks(server, second_table)
            await post_message(server, first_table, "four")
            messages = (await server.application.chat.read(first_table, "ada"))["messages"]
            assert [message["text"] for message in messages] == ["one", "two", "three", "four"]
            await server.clock.advance(80)
            assert (
                first_table.clocks.timeouts[1] and second_table.clocks.timeouts[0] and third_table.clocks.timeouts[0]
            ), "flags fall again"
        async with open_server() as server:
            for table in (first_table, second_table, third_table):
                stored_clocks = table.clocks
                table = await server.application.tables.get(table.row.id)
                assert (table.clocks.bank, table.clocks.timeouts) == (stored_clocks.bank, stored_clocks.timeouts)
                server.application.tables.drop(table)

    asyncio.run(game())


async def post_message(server, table, text):
    await server.application.chat.post(table, "ada", PostChat(text=text), "here")


def test_future_times_left_by_earlier_versions_are_ignored(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(LIVE_CLOCK)
            await server.clock.advance(4)

            def insert_pauses(connection):
                for since, until in [(START_MS, START_MS + 1000 * DAY_S), (START_MS + 1000 * DAY_S, START_MS + 5000)]:
                    connection.execute(insert(CLOCK_PAUSES), {"started_at": since, "ended_at": until})

            await server.application.writer.do(insert_pauses)
        server.clock.now += 1000
        async with open_server() as server:
            await check_clocks(server, await server.application.tables.get(table.row.id))
            await check_clocks(server, await server.open_pair(LIVE_CLOCK, seed=next(keys)))

    asyncio.run(game())


def test_flags_fall_at_tables_that_are_not_in_memory(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open_pair(DAYS_CLOCK)
            server.application.tables.drop(table)
            await server.clock.advance(2 * DAY_S - 30)
            await server.application.schedule_flags.__self__.sweep()
            await server.clock.advance(60)
            loaded_table = server.application.tables.by_id[table.row.id]
            assert loaded_table is not table and loaded_table.clocks.timeouts == (1, 1)

    asyncio.run(game())


def test_a_player_who_has_to_move_again_has_at_least_half_a_day(open_server):
    async def game():
        async with open_server() as server:
            table = await server.open("me", "local", clock=DAYS_CLOCK, options={"looks": 1})
            await server.clock.advance(2 * DAY_S - 10)
            await server.play(table, "ada", 0, "skip", 0)
            assert server.time_left(table, 0) == (0, DAY_S / 2) and server.time_left(table, 1) == (0, 2 * DAY_S)

    asyncio.run(game())


@pytest.mark.parametrize("listener", ["ben", None])
def test_clocks_do_not_reveal_secret_choices_or_hands(open_server, listener):
    """Two worlds that Ben and the spectators cannot distinguish: everything they receive is the same, byte for byte."""

    async def game(world):
        open_server.clock.now = START_MS
        async with open_server(name=world) as server:
            table = await server.open_pair(LIVE_CLOCK)
            recorder = Recorder(table, listener)
            for n in range(5):
                await server.clock.advance(4)
                if world == "early" and n == 0 or world == "late" and n == 4 or world == "fickle" and n < 3:
                    await server.play(table, "ada", 0, "choose", 0)
                table.publish_table()  # another guest opens the page
                recorder.put(server.application.lobby.message(listener))  # the lobby sends it as often as time allows
            await server.play(table, "ada", 0, "ready")
            await server.clock.advance(100)  # Ben's time runs out
            return recorder.messages

    early, late, fickle = (asyncio.run(game(world)) for world in ("early", "late", "fickle"))

    def public(messages):
        """Return everything except what depends on Ada's revealed card."""
        return [text for text in messages if json.loads(text)["type"] in ("clocks", "table", "tables")]

    assert public(early) == public(late) == public(fickle) and len(public(early)) > 7


def max_players(game):
    return max(game.players)


@pytest.mark.parametrize("name", ["cardinal", "necklace", "newtown", "petition", "puppet", "sealed_bids"])
def test_clocks_depend_only_on_public_information(name):
    """In every game, time passes from cue to cue for the seats that are publicly pending."""
    game, rng = find_game(name), make_generator(3)
    match = Match(game, max_players(game), None, SeededChance(7), at=START_MS)
    passed_ms, now = [0] * match.players, START_MS
    clocks_now = clocks.Clocks.start(ENDLESS_CLOCK, (), match, START_MS)
    event_time_ms, event_count, pending = START_MS, match.seq(None), match.view(None)["pending"]
    for _ in range(400):
        if match.over:
            break
        now += rng[0] % 20_000
        seat = match.pending[draw(rng, len(match.pending))]
        if draw(rng, 8) == 0 and match.can_undo(seat):
            entries = match.undo(seat, at=now)
        else:
            moves = match.legal(seat)
            entries = match.play(seat, moves[draw(rng, len(moves))], at=now)
        before, clocks_now = clocks_now, clocks_now.advance(match, entries)
        if match.seq(None) == event_count:
            assert clocks_now is before and match.view(None)["pending"] == pending, "a silent move starts no clock"
            continue
        for other in pending:
            passed_ms[other] += now - event_time_ms
        event_time_ms, event_count, pending = now, match.seq(None), match.view(None)["pending"]
    assert [ENDLESS_CLOCK["minutes"] * 60_000 - bank for bank in clocks_now.bank] == passed_ms and sum(passed_ms) > 0
    assert clocks_after(match, ENDLESS_CLOCK, (), START_MS) == clocks_now


ENDLESS_CLOCK = {"minutes": 10**6, "seconds": 0}


def draw(rng, n):
    from courtly.engine.rng import draw_below

    return draw_below(rng, n)


def test_pauses_may_overlap():
    game = find_game("sealed_bids")
    match = Match(game, 2, {"looks": 0}, SeededChance(7), at=0)
    pauses = [ClockPause(None, 10_000, 30_000), ClockPause(0, 20_000, 40_000), ClockPause(1, 50_000, None)]
    starting_clocks = clocks.Clocks.start({"minutes": 1, "seconds": 10}, pauses, match, 0)
    assert (
        starting_clocks.time_left(0, 100_000) == (0, 0)
        and starting_clocks.time_left(0, 99_999) == (1, 0)
        and starting_clocks.next_flag_at() == 100_000
    )
    assert starting_clocks.time_left(1, 10**9) == (40_000, 0), "the clock never runs again"
    assert all(
        starting_clocks.time_left(0, a)[0] >= starting_clocks.time_left(0, b)[0]
        for a, b in pairwise(range(0, 120_000, 5_000))
    )


def test_invalid_clocks_are_rejected(tmp_path):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        seats = [{"kind": "me"}, {"kind": "open"}]
        request = {"game": "sealed_bids", "players": 2, "seats": seats}
        for clock, field in [
            ({"minutes": 5}, "seconds"),
            ({"minutes": 5, "seconds": 3}, "seconds"),
            ({"minutes": 0, "seconds": 30}, "minutes"),
            ({"minutes": 5, "seconds": 30, "days": 1}, "days"),
            ({"days": 15}, "days"),
            ({"days": 1.5}, "days"),
            ("fast", "clock"),
        ]:
            response = ada.post("/api/tables", {**request, "clock": clock})
            assert response.status == 400 and response.error == "error-malformed"
            assert field in response.json["error"]["args"]["where"], (clock, response.json)
        table = ada.post("/api/tables", {**request, "clock": {"days": 3}}).json
        assert table["clock"] == {"days": 3} and table["clocks"] is None
        ben = server.guest("Ben")
        assert ben.command(table["id"], "sit").json["clocks"]["seats"][0]["runs"]
        server.kill()


def test_flags_fall_at_a_server_that_is_killed_and_restarted(tmp_path):
    """Two players who never return, and a server in which an hour takes a few seconds."""
    time_settings = {"FAST": "600", "SINCE": str(time.time())}
    with Server(tmp_path, first=ACCELERATED_TIME, **time_settings) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", clock=LIVE_CLOCK)
        assert ben.command(table, "sit").status == 200
        # on a slow machine a bot may have the seat by the time of the first look, or the game may be over
        wait_until(
            lambda: not (clocks := ada.table(table)["clocks"]) or not (seat := clocks["seats"][0]) or seat["timeouts"]
        )
        server.kill()
    with Server(tmp_path, first=ACCELERATED_TIME, **time_settings) as server:
        for guest in (ada, ben):
            guest.server = server
        # to its end, or until bots have both seats, since such a table stands still
        wait_until(
            lambda: (
                (table_state := ada.table(table))["status"] == "over"
                or all(map(itemgetter("substitute"), table_state["seats"]))
            )
        )
        server.kill()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
