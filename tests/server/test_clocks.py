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
from guests import Server, until
from hours import BEGIN, QUICK
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

LIVE, DAYS = {"minutes": 1, "seconds": 10}, {"days": 2}
MINUTE, DAY = 60, 24 * 3600  # seconds
keys = map(str, count())


class FakeTime:
    """A fake time in ms, and the error of the system's clock."""

    def __init__(self):
        self.now, self.wrong, self._calls, self._order = BEGIN, 0, [], count()

    def later(self, seconds, call):
        heapq.heappush(self._calls, (self.now + round(seconds * 1000), next(self._order), handle := Handle(), call))
        return handle

    async def sleep(self, seconds):
        done = asyncio.get_running_loop().create_future()
        self.later(seconds, lambda: done.done() or done.set_result(None))
        await done

    async def passes(self, seconds):
        """Let time pass and run everything that is due on time."""
        until = self.now + round(seconds * 1000)
        await rest()
        while self._calls and self._calls[0][0] <= until:
            self.now, _, handle, call = heapq.heappop(self._calls)
            if not handle.cancelled:
                call()
            await rest()
        self.now = until

    def goes_on(self, seconds):
        """Let time pass without running anything, then run everything that became due."""
        self.now += round(seconds * 1000)
        due = [calls for calls in self._calls if calls[0] <= self.now]
        self._calls = sorted(calls for calls in self._calls if calls[0] > self.now)
        for _, _, handle, call in sorted(due):
            if not handle.cancelled:
                call()

    @property
    def waiting(self):
        return sum(not handle.cancelled for _, _, handle, _ in self._calls)


class Handle:
    cancelled = False

    def cancel(self):
        self.cancelled = True


async def rest():
    """Wait until the server has done everything it can do at the current time. Disk writes take a while."""
    quiet = 0
    while quiet < 20:
        busy = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
        await asyncio.sleep(0.001 if any(map(writing, busy)) else 0)
        quiet = 0 if any(map(writing, busy)) else quiet + 1


def writing(task):
    """Return whether a task waits for the database."""
    deepest, coroutine = None, task.get_coro()
    while coroutine is not None and hasattr(coroutine, "cr_await"):
        deepest, coroutine = coroutine, coroutine.cr_await
    return deepest is not None and deepest.cr_code.co_qualname == GroupCommitWriter.do.__qualname__


class Pool:
    """Bots that declare ready as soon as possible and bid nothing."""

    async def prepare(self, _game, _bots):
        """The bots are always available."""

    def arm(self, _game):
        """Nothing is compiled."""

    def hindrance(self, _game, _bot):
        """No bot is unavailable."""

    async def choose(self, _game, _bot, view, _seed):
        return next((m["id"] for m in view["legal"] if m["verb"] == "ready"), view["legal"][0]["id"])

    async def close(self):
        """There is nothing to close."""


class Place:
    """A server over a database, and its fake time."""

    def __init__(self, application, hour):
        self.application, self.hour = application, hour

    async def open(self, *kinds, clock, options=None, game="sealed_bids", fate="hands of several kinds"):
        seats = [{"kind": kind} for kind in kinds]
        wish = {"game": game, "players": len(kinds), "options": options or {"looks": 0}, "seats": seats, "clock": clock}
        predictable.seed.set(fate)
        return await seating.open_table(self.application, "ada", NewTable(**wish))

    async def pair(self, clock, **more):
        """Open a table for Ada and Ben."""
        table = await self.open("me", "open", clock=clock, **more)
        await seating.sit(self.application, table, "ben", None, "")
        return table

    async def do(self, table, guest, seat, verb=None, number=-1):
        """Make the last legal move of this verb."""
        moves = [m["id"] for m in table.match.view(seat)["legal"] if verb in (None, m["verb"])]
        await run_command(self.application, table, guest, Command(seat, None, (moves[number],)), next(keys))

    async def commit(self, table, guest, seat):
        await self.do(table, guest, seat, "choose", 0)
        await self.do(table, guest, seat, "ready")

    def left(self, table, seat):
        """Return a seat's seconds in the bank and free seconds."""
        shown = table.clocks.show(now())["seats"][seat]
        return shown and (shown["bank"] / 1000, shown["free"] / 1000)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Open the server; on a second call, reopen it."""
    hour = FakeTime()
    monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)  # time advances in jumps
    monkeypatch.setattr(table_file, "time", SimpleNamespace(monotonic=lambda: 0.0))
    monkeypatch.setattr(flag_timers, "call_later", hour.later)
    monkeypatch.setattr(bot_driver, "sleep", hour.sleep)
    monkeypatch.setattr(seating, "draw_table", predictable.draw_table)
    monkeypatch.setattr(loader, "is_available", lambda: False)

    @asynccontextmanager
    async def opened(killed=False, name="house"):
        keeper = Timekeeper(lambda: hour.now + hour.wrong, lambda: hour.now)
        monkeypatch.setattr(timekeeping, "TIMEKEEPER", keeper)  # each opening simulates a new process
        made = Settings(tmp_path, database=f"sqlite:///{tmp_path / name}.db", bot_pause=1.0)
        application = await Application.open(made, GroupCommitWriter(open_database(made.database_url)), None)
        application.bots = Pool()
        bot_driver.start_bots(application)
        raised = await FlagTimers.start(application)
        predictable.opened.clear()
        try:
            yield Place(application, hour)
        finally:
            if killed:
                raised._stay_open = nothing
            await raised.close()
            await application.close()
            assert not hour.waiting or killed or all(table.driver for table in application.tables.by_id.values())

    opened.hour = hour
    return opened


async def nothing(**_):
    """A killed server stores nothing more."""


class Recorder:
    """Records everything sent to a guest, byte for byte."""

    def __init__(self, table, guest):
        self.heard = []
        self.put = self.heard.append
        table.attend(Subscriber(guest, self, {}))

    def last(self, kind="clocks"):
        return next(m for m in map(json.loads, reversed(self.heard)) if m["type"] == kind)


def test_time_runs_for_pending_seats_after_the_free_seconds_of_each_decision(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE, options={"looks": 1})
            assert at.left(table, 0) == (60, 10) and at.left(table, 1) == (60, 0), "it is Ada's turn"
            await at.hour.passes(9)
            assert at.left(table, 0) == (60, 1)
            await at.do(table, "ada", 0, "skip", 0)
            assert at.left(table, 0) == at.left(table, 1) == (60, 10), "both have to choose"
            await at.hour.passes(15)
            assert at.left(table, 0) == at.left(table, 1) == (55, 0)
            await at.commit(table, "ada", 0)
            await at.hour.passes(5)
            assert at.left(table, 0)[0] == 55 and at.left(table, 1) == (50, 0)

    asyncio.run(game())


def test_an_undo_does_not_restore_time(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)

            async def undo():
                await run_command(at.application, table, "ada", Command(0, None, None), next(keys))

            await at.hour.passes(12)
            await at.commit(table, "ada", 0)
            assert at.left(table, 0) == (58, 10)
            await at.hour.passes(30)
            await undo()
            assert at.left(table, 0) == (58, 10), "Ada's clock did not run while only Ben had to move"
            await at.hour.passes(11)
            await at.do(table, "ada", 0, "ready")
            await undo()
            assert at.left(table, 0) == (57, 0), "a repeated decision has no new free time"

    asyncio.run(game())


def test_an_absent_player_is_played_for_then_replaced_and_may_return(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            recorder, made, spans = Recorder(table, None), [], []
            do = at.application.writer.do

            async def look(work, moves=None):
                """Check every state in which the server could be killed."""

                def both(connection):
                    result = work(connection)
                    row, seats, entries, _ = repository.load_table(connection, table.row.id)
                    *_, match = table.replayed(entries)
                    kept = clocks_after(match, LIVE, (), row.started_at)
                    assert row.ended_at or (kept.outs[1] >= 3) <= (seats[1].substitute_bot is not None), (
                        "the third timeout and the substitute are committed together"
                    )
                    return result

                return await do(both, moves)

            at.application.writer.do = look
            while table.status == "playing":
                if 0 in table.match.pending:
                    choose = table.match.state.phase == table.match.rules.Phase.CHOOSE
                    await (at.commit(table, "ada", 0) if choose else at.do(table, "ada", 0, number=0))
                began = at.hour.now
                while table.status == "playing" and table.match.pending == (1,):
                    await at.hour.passes(1)
                spans.append((at.hour.now - began) / 1000)
                made.append((table.clocks.outs[1], table.seats[1].substitute_bot))
            assert made[:3] == [(1, None), (2, None), (3, "random")]
            assert spans[:3] == [60 + 10 + 1, 10 + 1, 10 + 1], "each decision has free time; a bot pauses first"
            assert spans[3] == bot_driver.SIMULTANEOUS_PAUSE_FACTOR and at.left(table, 1) is None, "a bot has no clock"
            told = [m["clocks"]["seats"][1] for m in map(json.loads, recorder.heard) if m["type"] == "clocks"]
            assert [seat["outs"] for seat in told if seat][-1] == 3
            again = await seating.rematch(at.application, table, "ada")
            assert again.row.clock == LIVE and again.row.next_flag_at == at.hour.now + 70_000

    asyncio.run(game())


def test_a_replaced_player_returns_to_the_remaining_time(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            await at.hour.passes(20)
            await seating.leave(at.application, table, "ada", None)
            await at.hour.passes(5)
            assert 0 not in table.match.pending and at.left(table, 0) is None
            await at.commit(table, "ben", 1)
            await seating.take_back_seat(at.application, table, "ada", 0)
            assert at.left(table, 0)[0] == 50
            kept = table.clocks
            await at.application.tables.reload(table)
            assert table.clocks == kept

    asyncio.run(game())


@pytest.mark.parametrize("first", ["move", "flag"])
def test_a_move_at_the_moment_the_flag_falls_counts(place, first):
    """The order in the journal decides. If the bot has not moved yet, the player's move counts."""

    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            await at.commit(table, "ben", 1)
            await at.do(table, "ada", 0, "choose", 0)
            chosen = table.match.state.choice[0]
            ready = [m["id"] for m in table.match.view(0)["legal"] if m["verb"] == "ready"]
            await at.hour.passes(69.999 if first == "move" else 70)
            made = asyncio.ensure_future(
                run_command(at.application, table, "ada", Command(0, None, tuple(ready)), next(keys))
            )
            if first == "move":
                while not table.lock.locked():
                    await asyncio.sleep(0)
            await at.hour.passes(0.001)
            await made
            assert table.match.state.shown[0] == chosen, "no bot changed the choice"
            await at.hour.passes(5)
            entries = [entry for entry in table.match.entries if entry.seat == 0]
            assert len(entries) == 2 and table.clocks.outs[0] == (first == "flag")

    asyncio.run(game())


def test_the_bots_move_that_came_first_stands(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            await at.commit(table, "ben", 1)
            await at.do(table, "ada", 0, "choose", 0)
            view = table.match.view(0)
            await at.hour.passes(73)
            length = len(table.match.entries)
            with pytest.raises(CommandRefusedError, match="error-stale"):
                ready = view["legal"][-1]["id"]
                await run_command(at.application, table, "ada", Command(0, view["seq"], (ready,)), next(keys))
            assert len(table.match.entries) == length and table.clocks.outs == (1, 0)

    asyncio.run(game())


def test_the_clocks_of_a_game_can_be_computed_from_its_journal(place):
    async def game():
        rng = random.Random(5)
        async with place() as at:
            table = await at.pair(LIVE, options={"looks": 1})
            while table.status == "playing":
                await at.hour.passes(rng.choice([0, 1, 8, 20]))
                if table.status == "over":
                    break
                seat = rng.choice(table.match.pending)
                if rng.random() < 0.1 and table.match.can_undo(seat):
                    await run_command(
                        at.application, table, ("ada", "ben")[seat], Command(seat, None, None), next(keys)
                    )
                elif table.match.view(seat)["legal"]:
                    await at.do(table, ("ada", "ben")[seat], seat, number=rng.randrange(-1, 1))
            kept = table.clocks
            assert sum(kept.bank) < 2 * 60_000 and any(entry.undo for entry in table.match.entries)
        async with place() as at:
            table = await at.application.tables.get(table.row.id)
            assert table.clocks == kept
            record = write_record(table.match, **table.timing())
        told = json.loads(record.splitlines()[0])["clock"]
        still = [ClockPause(*times) for times in told["still"]]
        again = clocks_after(transcript.check(record), {name: told[name] for name in LIVE}, still, told["began"])
        assert (again.bank, again.free, again.outs) == (kept.bank, kept.free, kept.outs), "computed from the record"

    asyncio.run(game())


def test_no_time_runs_while_the_server_is_down_and_flags_fall_afterwards(place):
    async def game():
        async with place() as at:
            table = await at.pair(DAYS)
            await at.hour.passes(DAY)
            assert at.left(table, 0) == (0, DAY)
        at.hour.now += 5 * DAY * 1000
        async with place() as at:
            assert (await at.application.tables.get(table.row.id)).clocks.left(0, at.hour.now) == (0, DAY * 1000)
        at.hour.now += 5 * DAY * 1000
        async with place() as at:
            await at.hour.passes(DAY - 1)
            assert at.application.tables.by_id[table.row.id].match is None, "the match was not loaded"
            await at.hour.passes(10)
            assert at.application.tables.by_id[table.row.id].clocks.outs == (1, 1)

    asyncio.run(game())


def test_a_killed_server_charges_only_the_time_it_was_up(place):
    async def game():
        async with place(killed=True) as at:
            table = await at.pair(DAYS)
            await at.hour.passes(3600)
            await (raised := at.application.schedule_flags.__self__).go_round()
            await at.hour.passes(30)
            assert raised is not None and at.left(table, 0) == (0, 2 * DAY - 3630)
        at.hour.now += 9 * DAY * 1000
        async with place() as at:
            assert (await at.application.tables.get(table.row.id)).clocks.left(0, at.hour.now) == (
                0,
                (2 * DAY - 3600) * 1000,
            )

    asyncio.run(game())


# --- interruptions and clock changes ----------------------------------------------------------------------------------

HOUR, YEAR = 3600, 365 * DAY
STEPS = [HOUR, 2 * HOUR, DAY, 74 * YEAR, -HOUR, -2 * HOUR, -DAY]  # changes of the system's clock
FOLLOWED = 0.5  # seconds: how far the server's time may follow the change meanwhile


@pytest.mark.parametrize("first", ["flag", "beat", "command", "look"])
def test_time_in_which_the_process_did_not_run_is_given_back(place, monkeypatch, caplog, first):
    """`first` is what runs first after the process resumes."""

    async def game():
        async with place(killed=True) as at:
            table = await at.pair(LIVE, options={"looks": 1})
            recorder = Recorder(table, None)
            await at.hour.passes(4)
            timekeeping.TIMEKEEPER.beat()
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            if first == "flag":
                at.hour.goes_on(75)
            else:
                at.hour.now += 75_000
            if first == "beat":
                timekeeping.TIMEKEEPER.beat()
            elif first == "look":
                table.describe(None)
            elif first == "command":
                await at.do(table, "ada", 0, "skip", 0)
            await rest()
            if first == "command":
                assert at.left(table, 0) == at.left(table, 1) == (60, 10) and table.clocks.outs == (0, 0)
            else:
                assert at.left(table, 0) == (60, 6) and not table.fallen
                told = recorder.last()["clocks"]["seats"][0]
                assert (told["bank"], told["free"], told["runs"]) == (60_000, 6000, True), "the clients receive it"
            assert "did not run for 75.0 s" in caplog.text
            monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)
            await at.hour.passes(8)
            after = at.left(table, 0)
            assert after == ((60, 2) if first == "command" else (58, 0)), "time runs again"
            await at.application.schedule_flags.__self__.go_round()
        async with place() as at:
            table = await at.application.tables.get(table.row.id)
            assert table.clocks.at < at.hour.now and at.left(table, 0) == after
            if first != "command":
                await at.hour.passes(57)
                assert not table.fallen
                await at.hour.passes(5)
                assert table.clocks.outs == (1, 0)

    asyncio.run(game())


def test_clocks_computed_from_the_journal_include_the_gaps(place, monkeypatch):
    """A move that was being written during the gap does not lose that time, and a record contains the gap."""

    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            write = at.application.tables.write

            async def stopped(*given):
                at.hour.now += 30_000
                await write(*given)

            at.application.tables.write = stopped
            await at.do(table, "ada", 0, "choose", 0)
            await at.do(table, "ada", 0, "ready")
            await at.do(table, "ben", 1, "choose", 0)
            at.application.tables.write = write
            kept = table.clocks
            await table.count_again()
            await rest()
            assert table.clocks == kept and kept.bank == (60_000, 60_000)
            again = clocks_after(table.match, LIVE, [*kept.closed, *kept.still], table.row.started_at)
            assert (again.bank, again.free) == (kept.bank, kept.free)

    asyncio.run(game())


@pytest.mark.parametrize("step", STEPS)
def test_the_system_clock_is_set_while_a_game_runs(place, monkeypatch, step, caplog):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            await at.hour.passes(4)
            at.hour.wrong = step * 1000
            timekeeping.TIMEKEEPER.beat()
            await at.hour.passes(4)
            assert at.left(table, 0) == at.left(table, 1) == (60, pytest.approx(2, abs=FOLLOWED))
            monkeypatch.setattr(timekeeping, "GAP_MS", 5000)
            for _ in range(timekeeping.SETTLED_BEATS):
                timekeeping.TIMEKEEPER.beat()  # the change persists
            await rest()
            monkeypatch.setattr(timekeeping, "GAP_MS", math.inf)
            assert "system clock" in caplog.text
            assert at.left(table, 0) == at.left(table, 1)
            assert at.left(table, 0) == (60, pytest.approx(2, abs=FOLLOWED))
            await at.commit(table, "ada", 0)
            await at.hour.passes(10)
            assert at.left(table, 1)[0] == pytest.approx(52, abs=FOLLOWED)
            await shown_and_running(at, table)
        async with place() as at:  # with the changed clock
            await shown_and_running(at, await at.application.tables.get(table.row.id))
            await shown_and_running(at, await at.pair(LIVE, fate=next(keys)))
        at.hour.wrong = 0
        async with place() as at:  # with the clock corrected again
            await shown_and_running(at, await at.application.tables.get(table.row.id))
            await shown_and_running(at, await at.pair(LIVE, fate=next(keys)))

    asyncio.run(game())


async def shown_and_running(at, table):
    """Check that time is taken only from the pending seats and that no stored time is in the future."""
    before = table.clocks.show(now())["seats"]
    await at.hour.passes(2)
    after = table.clocks.show(now())["seats"]
    for seat, (b, a) in enumerate(zip(before, after, strict=True)):
        passed = b["bank"] + b["free"] - a["bank"] - a["free"]
        assert passed == pytest.approx(2000 * (seat in table.match.pending), abs=1000 * FOLLOWED)
    assert all(one.at <= other.at for one, other in pairwise(table.match.entries))
    assert table.match.entries[-1].at <= now() and table.row.started_at <= now()
    assert table.row.next_flag_at is None or table.row.next_flag_at <= now() + 70_000


@pytest.mark.parametrize("ahead", [HOUR, DAY, 74 * YEAR])
def test_a_start_with_the_clock_ahead_is_forgotten(place, ahead):
    async def game():
        async with place() as at:
            first = await at.pair(LIVE)
            await at.hour.passes(4)
            await say(at, first, "one")
        at.hour.wrong = 1000 * ahead
        async with place() as at:
            played = await at.application.tables.get(first.row.id)
            await at.hour.passes(4)
            await say(at, played, "two")
            await at.commit(played, "ada", 0)
            begun = await at.pair(LIVE, fate=next(keys))
            await seating.leave(at.application, begun, "ben", None)
            await at.hour.passes(4)
            await say(at, played, "three")
        at.hour.wrong = 0
        at.hour.now += 10_000
        async with place() as at:
            played, begun = [await at.application.tables.get(table.row.id) for table in (first, begun)]
            await shown_and_running(at, played)
            await shown_and_running(at, later := await at.pair(LIVE, fate=next(keys)))
            await seating.take_back_seat(at.application, begun, "ben", 1)
            await shown_and_running(at, begun)
            await say(at, played, "four")
            said = (await at.application.chat.read(played, "ada"))["sayings"]
            assert [saying["text"] for saying in said] == ["one", "two", "three", "four"]
            await at.hour.passes(80)
            assert played.clocks.outs[1] and begun.clocks.outs[0] and later.clocks.outs[0], "flags fall again"
        async with place() as at:
            for table in (played, begun, later):
                kept = table.clocks
                table = await at.application.tables.get(table.row.id)
                assert (table.clocks.bank, table.clocks.outs) == (kept.bank, kept.outs)
                at.application.tables.drop(table)

    asyncio.run(game())


async def say(at, table, text):
    await at.application.chat.say(table, "ada", PostChat(text=text), "here")


def test_future_times_left_by_earlier_versions_are_ignored(place):
    async def game():
        async with place() as at:
            table = await at.pair(LIVE)
            await at.hour.passes(4)

            def leave(connection):
                for since, until in [(BEGIN, BEGIN + 1000 * DAY), (BEGIN + 1000 * DAY, BEGIN + 5000)]:
                    connection.execute(insert(CLOCK_PAUSES), {"started_at": since, "ended_at": until})

            await at.application.writer.do(leave)
        at.hour.now += 1000
        async with place() as at:
            await shown_and_running(at, await at.application.tables.get(table.row.id))
            await shown_and_running(at, await at.pair(LIVE, fate=next(keys)))

    asyncio.run(game())


def test_flags_fall_at_tables_that_are_not_in_memory(place):
    async def game():
        async with place() as at:
            table = await at.pair(DAYS)
            at.application.tables.drop(table)
            await at.hour.passes(2 * DAY - 30)
            await at.application.schedule_flags.__self__.go_round()
            await at.hour.passes(60)
            found = at.application.tables.by_id[table.row.id]
            assert found is not table and found.clocks.outs == (1, 1)

    asyncio.run(game())


def test_a_player_who_has_to_move_again_has_at_least_half_a_day(place):
    async def game():
        async with place() as at:
            table = await at.open("me", "local", clock=DAYS, options={"looks": 1})
            await at.hour.passes(2 * DAY - 10)
            await at.do(table, "ada", 0, "skip", 0)
            assert at.left(table, 0) == (0, DAY / 2) and at.left(table, 1) == (0, 2 * DAY)

    asyncio.run(game())


@pytest.mark.parametrize("listener", ["ben", None])
def test_clocks_do_not_reveal_secret_choices_or_hands(place, listener):
    """Two worlds that Ben and the spectators cannot distinguish: everything they receive is the same, byte for byte."""

    async def game(world):
        place.hour.now = BEGIN
        async with place(name=world) as at:
            table = await at.pair(LIVE)
            recorder = Recorder(table, listener)
            at.application.lobby.watchers.add((listener, recorder))
            for n in range(5):
                await at.hour.passes(4)
                if world == "early" and n == 0 or world == "late" and n == 4 or world == "fickle" and n < 3:
                    await at.do(table, "ada", 0, "choose", 0)
                table.publish_table()  # another guest opens the page
            await at.do(table, "ada", 0, "ready")
            await at.hour.passes(100)  # Ben's time runs out
            return recorder.heard

    early, late, fickle = (asyncio.run(game(world)) for world in ("early", "late", "fickle"))

    def public(heard):
        """Return everything except what depends on Ada's revealed card."""
        return [text for text in heard if json.loads(text)["type"] in ("clocks", "table", "tables")]

    assert public(early) == public(late) == public(fickle) and len(public(early)) > 7


def players(game):
    return max(game.players)


@pytest.mark.parametrize("name", ["cardinal", "necklace", "newtown", "petition", "puppet", "sealed_bids"])
def test_clocks_depend_only_on_public_information(name):
    """In every game, time passes from cue to cue for the seats that are publicly pending."""
    game, rng = find_game(name), make_generator(3)
    match = Match(game, players(game), None, SeededChance(7), at=BEGIN)
    watch, now = [0] * match.players, BEGIN
    kept = clocks.Clocks.begin(FOR_EVER, (), match, BEGIN)
    since, cues, pending = BEGIN, match.seq(None), match.view(None)["pending"]
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
        before, kept = kept, kept.after(match, entries)
        if match.seq(None) == cues:
            assert kept is before and match.view(None)["pending"] == pending, "a silent move starts no clock"
            continue
        for other in pending:
            watch[other] += now - since
        since, cues, pending = now, match.seq(None), match.view(None)["pending"]
    assert [FOR_EVER["minutes"] * 60_000 - bank for bank in kept.bank] == watch and sum(watch) > 0
    assert clocks_after(match, FOR_EVER, (), BEGIN) == kept


FOR_EVER = {"minutes": 10**6, "seconds": 0}


def draw(rng, n):
    from courtly.engine.rng import draw_below

    return draw_below(rng, n)


def test_pauses_may_overlap():
    game = find_game("sealed_bids")
    match = Match(game, 2, {"looks": 0}, SeededChance(7), at=0)
    still = [ClockPause(None, 10_000, 30_000), ClockPause(0, 20_000, 40_000), ClockPause(1, 50_000, None)]
    begun = clocks.Clocks.begin({"minutes": 1, "seconds": 10}, still, match, 0)
    assert begun.left(0, 100_000) == (0, 0) and begun.left(0, 99_999) == (1, 0) and begun.falls() == 100_000
    assert begun.left(1, 10**9) == (40_000, 0), "the clock never runs again"
    assert all(begun.left(0, a)[0] >= begun.left(0, b)[0] for a, b in pairwise(range(0, 120_000, 5_000)))


def test_invalid_clocks_are_rejected(tmp_path):
    with Server(tmp_path) as server:
        ada = server.guest("Ada")
        seats = [{"kind": "me"}, {"kind": "open"}]
        wish = {"game": "sealed_bids", "players": 2, "seats": seats}
        for clock, where in [
            ({"minutes": 5}, "seconds"),
            ({"minutes": 5, "seconds": 3}, "seconds"),
            ({"minutes": 0, "seconds": 30}, "minutes"),
            ({"minutes": 5, "seconds": 30, "days": 1}, "days"),
            ({"days": 15}, "days"),
            ({"days": 1.5}, "days"),
            ("fast", "clock"),
        ]:
            answer = ada.post("/api/tables", {**wish, "clock": clock})
            assert answer.status == 400 and answer.error == "error-malformed"
            assert where in answer.json["error"]["args"]["where"], (clock, answer.json)
        made = ada.post("/api/tables", {**wish, "clock": {"days": 3}}).json
        assert made["clock"] == {"days": 3} and made["clocks"] is None
        ben = server.guest("Ben")
        assert ben.at(made["id"], "sit").json["clocks"]["seats"][0]["runs"]
        server.kill()


def test_flags_fall_at_a_server_that_is_killed_and_restarted(tmp_path):
    """Two players who never return, and a server in which an hour takes a few seconds."""
    quick = {"FAST": "600", "SINCE": str(time.time())}
    with Server(tmp_path, first=QUICK, **quick) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", clock=LIVE)
        assert ben.at(table, "sit").status == 200
        # on a slow machine a bot may have the seat by the time of the first look, or the game may be over
        until(lambda: not (clocks := ada.table(table)["clocks"]) or not (seat := clocks["seats"][0]) or seat["outs"])
        server.kill()
    with Server(tmp_path, first=QUICK, **quick) as server:
        for guest in (ada, ben):
            guest.server = server
        # to its end, or until bots have both seats, since such a table stands still
        until(lambda: (told := ada.table(table))["status"] == "over" or all(map(itemgetter("standin"), told["seats"])))
        server.kill()
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
