"""The server's time after changes of the system's clock, sleep and suspended processes, and the stored times."""

import logging
import random
import signal
import time
from hashlib import sha256
from types import SimpleNamespace

import pytest
from accelerated_time import SHORT_HEARTBEAT_GAP, START_MS, SUSPENSION_S, remaining_time_ms, suspend
from databases import KINDS, empty_database
from guests import Server, wait_until
from itsdangerous import TimestampSigner
from sqlalchemy import select

from courtly.server import timekeeping
from courtly.server.persistence import repository
from courtly.server.persistence.engine import open_database
from courtly.server.persistence.repository import ChatMessage, JournalAppend, TableRow
from courtly.server.persistence.schema import CLOCK_PAUSES, JOURNAL, TABLES
from courtly.server.security.signed_tokens import Signatures
from courtly.server.timekeeping import Gap, Timekeeper
from courtly.session.seat import Seat

SECOND_MS, HOUR_MS, DAY_MS = 1000, 3_600_000, 86_400_000
CLOCK_STEPS_MS = [HOUR_MS, 2 * HOUR_MS, DAY_MS, 74 * 365 * DAY_MS, -HOUR_MS, -2 * HOUR_MS, -DAY_MS]


class Machine:
    """A machine's clocks: the system's, which can be set, and a monotonic one."""

    def __init__(self):
        self.wall, self.elapsed = START_MS, 5_000_000
        self.keeper = Timekeeper(lambda: self.wall, lambda: self.elapsed)

    def advance(self, ms):
        self.wall += ms
        self.elapsed += ms

    def run_heartbeats(self, times):
        for _ in range(times):
            self.advance(SECOND_MS)
            self.keeper.beat()


@pytest.fixture
def machine():
    return Machine()


def test_the_servers_time_advances_with_the_machines_clocks(machine):
    assert machine.keeper.now() == START_MS
    machine.advance(1234)
    assert machine.keeper.now() == START_MS + 1234


@pytest.fixture
def gaps(machine):
    """Record the reported gaps."""
    recorded = []
    machine.keeper.add_observer(recorded.append)
    return recorded


@pytest.mark.parametrize("step", CLOCK_STEPS_MS)
def test_a_step_of_the_system_clock_changes_no_time_at_once(machine, gaps, step):
    machine.wall += step
    assert machine.keeper.now() == START_MS
    machine.run_heartbeats(timekeeping.SETTLED_BEATS)
    drift_ms = machine.keeper.now() - START_MS - timekeeping.SETTLED_BEATS * SECOND_MS
    assert 0 < drift_ms * (1 if step > 0 else -1) <= timekeeping.SETTLED_BEATS * timekeeping.SLEW_MS
    machine.wall -= step
    machine.run_heartbeats(timekeeping.SETTLED_BEATS)
    assert abs(machine.keeper.now() - machine.wall) <= timekeeping.SLEW_MS and not gaps


@pytest.mark.parametrize("step", [step for step in CLOCK_STEPS_MS if step > 0])
def test_a_lasting_forward_step_is_followed_and_counts_as_a_gap(machine, gaps, caplog, step):
    machine.wall += step
    machine.run_heartbeats(timekeeping.SETTLED_BEATS + 1)
    assert machine.keeper.now() == machine.wall
    [gap] = gaps
    assert gap.until == machine.wall and 0 <= step - (gap.until - gap.since) <= timekeeping.SETTLED_BEATS
    assert [record.getMessage() for record in caplog.records if "set forward" in record.getMessage()]
    machine.run_heartbeats(100)
    assert machine.keeper.now() == machine.wall and len(gaps) == 1


@pytest.mark.parametrize("step", [step for step in CLOCK_STEPS_MS if step < 0])
def test_a_backward_step_is_followed_slowly_and_logged_once(machine, gaps, caplog, step):
    machine.wall += step
    machine.run_heartbeats(1000)
    behind_ms = START_MS + 1000 * SECOND_MS - machine.keeper.now()
    assert 0 < behind_ms <= 1000 * timekeeping.SLEW_MS
    [log_record] = caplog.records
    assert (
        f"{-step / 1000:.0f} s behind" in log_record.getMessage() and log_record.levelno == logging.WARNING and not gaps
    )


def test_a_small_difference_is_corrected(machine):
    machine.wall += 90
    machine.run_heartbeats(100)
    assert machine.keeper.now() == machine.wall
    machine.wall -= 50
    machine.run_heartbeats(100)
    assert machine.keeper.now() == machine.wall


def test_time_never_goes_back(machine):
    rng, time_before = random.Random(4), 0
    for _ in range(5000):
        machine.advance(rng.choice([0, 0, 1, 3, 1000]))
        machine.wall += rng.choice([0, 0, 0, -HOUR_MS, HOUR_MS])
        if rng.random() < 0.5:
            machine.keeper.beat()
        assert machine.keeper.now() >= time_before
        time_before = machine.keeper.now()


def test_a_sleep_is_a_gap_and_the_time_is_correct_afterwards(machine, gaps, caplog):
    """Whichever clock the process reads first after it resumes."""
    machine.run_heartbeats(10)
    last = machine.keeper.now()
    machine.advance(90 * SECOND_MS)
    assert machine.keeper.now() == machine.wall
    assert gaps == [Gap(last, last + 90 * SECOND_MS)] and "did not run for 90.0 s" in caplog.text
    machine.run_heartbeats(10)
    machine.advance(timekeeping.GAP_MS)
    machine.keeper.beat()
    assert len(gaps) == 1, "a late heartbeat only means a busy process"
    machine.advance(timekeeping.GAP_MS + 1)
    machine.keeper.beat()
    assert [gap.until - gap.since for gap in gaps] == [90 * SECOND_MS, timekeeping.GAP_MS + 1]


def test_a_removed_observer_is_not_called(machine):
    gaps = []
    machine.keeper.add_observer(observer := gaps.append)
    machine.keeper.remove_observer(observer)
    machine.advance(HOUR_MS)
    assert machine.keeper.now() == machine.wall and not gaps


def test_time_before_the_first_observer_is_no_gap(machine):
    gaps = []
    machine.advance(HOUR_MS)
    machine.keeper.add_observer(gaps.append)
    machine.keeper.now()
    assert not gaps


def test_a_process_adopts_the_time_of_the_others(machine):
    for ms in (HOUR_MS, -2 * HOUR_MS):
        time_before = machine.keeper.now()
        machine.keeper.shift(ms)
        assert machine.keeper.now() == time_before + ms


def test_the_clocks_of_this_machine_advance():
    keeper = Timekeeper()
    wall, elapsed = timekeeping.wall_ms(), timekeeping.elapsed_ms()
    time.sleep(0.05)
    passed = timekeeping.elapsed_ms() - elapsed
    assert passed >= 20, "the coarsest clock (Windows) has a resolution of 16 ms"
    assert keeper.now() - wall >= 20


# --- links ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def links(machine, monkeypatch):
    """Every kind of link: functions that create and read it."""
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", machine.keeper)
    signatures = Signatures("key")
    return {
        signatures.read_seat_link_token: (signatures.seat_link_token("table", 1, 2), ("table", 1, 2, 0), DAY_MS),
        signatures.read_reclaim_token: (
            signatures.reclaim_token("table", 1, 2, "ada"),
            ("table", 1, 2, "ada"),
            2 * DAY_MS,
        ),
        signatures.read_identity_link_token: (signatures.identity_link_token("ada", 3), ("ada", 3), DAY_MS),
        signatures.read_mail_token: (
            signatures.mail_token("confirm", "ada", "a@b.c"),
            ("confirm", "ada", "a@b.c"),
            7 * DAY_MS,
        ),
    }


@pytest.mark.parametrize("step", CLOCK_STEPS_MS)
def test_links_stay_valid_when_the_system_clock_is_set(links, machine, step):
    machine.wall += step
    machine.run_heartbeats(3)
    for read, (link, expected, _) in links.items():
        assert read(link) == expected


@pytest.mark.parametrize("step", [HOUR_MS, -HOUR_MS, -2 * HOUR_MS, -DAY_MS])
def test_links_stay_valid_after_a_restart_with_a_corrected_clock(links, machine, monkeypatch, step):
    machine.advance(2 * SECOND_MS)
    machine.wall += step
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", Timekeeper(lambda: machine.wall, lambda: machine.elapsed))
    for read, (link, expected, _) in links.items():
        assert read(link) == expected


def test_links_expire(links, machine):
    created_ms = machine.elapsed
    for age in [DAY_MS, DAY_MS + SECOND_MS, 2 * DAY_MS, 2 * DAY_MS + SECOND_MS, 7 * DAY_MS, 7 * DAY_MS + SECOND_MS]:
        machine.elapsed = created_ms + age
        for read, (link, expected, lifetime) in links.items():
            assert read(link) == (expected if age <= lifetime else None)


def test_links_of_earlier_versions_are_read(monkeypatch):
    """They contain the system's time."""
    signer = TimestampSigner("key", salt="courtly.ticket", digest_method=sha256)
    link = signer.sign("table-1-2").decode()
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", Timekeeper())
    assert Signatures("key").read_seat_link_token(link) == ("table", 1, 2, 0)


# --- stored times -----------------------------------------------------------------------------------------------------


@pytest.fixture(params=KINDS)
def connection(request, tmp_path):
    """A connection to an empty database."""
    engine = open_database(empty_database(request.param, tmp_path))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def insert_table_with_clock(connection, name="table1", started_at=START_MS, flag_at=None):
    """Create a table with this name and a running game with clocks."""
    row = TableRow(name, "sealed_bids", 1, 1, {}, False, "ada", "00" * 32, started_at, started_at, clock={"days": 1})
    repository.insert_table(connection, row, [Seat(0, "person", "ada")], ())
    if flag_at:
        repository.append_entries(connection, [JournalAppend(name, (), None, (flag_at,))])


def closed_periods(connection):
    return [tuple(pause)[1:] for pause in repository.load_pauses(connection, None)]


def next_flags(connection):
    return {row.id: row.next_flag_at for row in connection.execute(select(TABLES.c.id, TABLES.c.next_flag_at))}


def test_a_gap_is_stored_as_a_pause(connection):
    insert_table_with_clock(connection, flag_at=START_MS + DAY_MS)
    repository.open_server(connection, START_MS)
    repository.save_open_note(connection, START_MS + 60 * SECOND_MS)
    gap = Gap(START_MS + 100 * SECOND_MS, START_MS + 200 * SECOND_MS)
    assert repository.save_open_note(connection, START_MS + 200 * SECOND_MS, [gap]) == 100 * SECOND_MS
    assert closed_periods(connection) == [tuple(gap)]
    assert next_flags(connection) == {"table1": START_MS + DAY_MS + 100 * SECOND_MS}
    assert not repository.save_open_note(connection, START_MS + 201 * SECOND_MS, [gap]), "stored only once"
    assert repository.open_server(connection, START_MS + 301 * SECOND_MS).closed[1:] == [
        repository.ClockPause(None, START_MS + 201 * SECOND_MS, START_MS + 301 * SECOND_MS)
    ]


def test_only_time_in_which_no_process_ran_is_a_pause(connection):
    insert_table_with_clock(connection, flag_at=START_MS + DAY_MS)
    repository.open_server(connection, START_MS)
    one, other = Gap(START_MS + 100_000, START_MS + 200_000), Gap(START_MS + 100_500, START_MS + 200_300)
    repository.save_open_note(connection, START_MS + 199_000)  # by a third process
    assert not repository.save_open_note(connection, one.until, [one])
    assert closed_periods(connection) == [] and next_flags(connection) == {"table1": START_MS + DAY_MS}

    later = 300_000
    one, other = (Gap(gap.since + later, gap.until + later) for gap in (one, other))
    repository.save_open_note(connection, START_MS + later + 100_000)
    assert repository.save_open_note(connection, one.until, [one])
    assert not repository.save_open_note(connection, other.until, [other]), "the other processes had the same gap"
    assert closed_periods(connection) == [tuple(one)]

    last = Gap(other.until + 1000, other.until + 100_000)
    repository.save_open_note(connection, last.until - 40_000)  # another process was suspended, too, and for longer
    assert repository.save_open_note(connection, last.until, [last])
    assert closed_periods(connection)[1:] == [(last.until - 40_000, last.until)]

    pauses_before = repository.load_pauses(connection, None)
    repository.save_open_note(connection, last.until - 1000)  # by a process that lags behind
    assert not repository.save_open_note(connection, last.until + 10, [Gap(last.until - 1000, last.until + 10)])
    assert repository.load_pauses(connection, None) == pauses_before


def test_without_clocks_no_gap_is_stored(connection):
    repository.open_server(connection, START_MS)
    assert not repository.save_open_note(connection, START_MS + HOUR_MS, [Gap(START_MS, START_MS + HOUR_MS)])
    assert closed_periods(connection) == []


@pytest.mark.parametrize("ahead_ms", [HOUR_MS, DAY_MS, 74 * 365 * DAY_MS])
def test_future_times_are_not_used_for_clocks(connection, ahead_ms):
    insert_table_with_clock(connection, flag_at=START_MS + DAY_MS)
    repository.open_server(connection, START_MS)
    repository.append_entries(connection, [JournalAppend("table1", [repository.Entry(0, 0, 0, START_MS, 0, 0)])])
    future_ms = START_MS + 10 * SECOND_MS + ahead_ms
    assert not repository.open_server(connection, future_ms).corrected
    repository.append_entries(connection, [JournalAppend("table1", [repository.Entry(1, 0, 0, future_ms + 5, 1, 0)])])
    repository.save_pauses(connection, "table1", [0], [], future_ms + 6)
    insert_table_with_clock(connection, "table2", future_ms + 7, future_ms + 7 + DAY_MS)
    repository.save_open_note(connection, future_ms + 20 * SECOND_MS)

    restart_ms = START_MS + 60 * SECOND_MS
    opening = repository.open_server(connection, restart_ms)
    assert opening.corrected
    assert all(pause.since < pause.until <= restart_ms for pause in opening.closed)
    assert next_flags(connection) == {
        "table1": restart_ms + DAY_MS - 20 * SECOND_MS,
        "table2": restart_ms + DAY_MS - 20 * SECOND_MS + 7,
    }
    for column in (TABLES.c.started_at, JOURNAL.c.played_at, CLOCK_PAUSES.c.started_at, CLOCK_PAUSES.c.ended_at):
        assert max(filter(None, connection.execute(select(column)).scalars())) <= restart_ms
    assert [entry.at for entry in repository.load_entries(connection, "table1")] == [START_MS, restart_ms]
    assert not repository.open_server(connection, restart_ms + SECOND_MS).corrected


@pytest.mark.parametrize("clock", [None, {"days": 1}])
def test_games_that_are_over_or_have_no_clock_keep_their_times(connection, clock):
    later = START_MS + DAY_MS
    row = TableRow("table1", "sealed_bids", 1, 1, {}, False, "ada", "00" * 32, later, later, clock=clock)
    repository.insert_table(connection, row, [Seat(0, "person", "ada")], [repository.Entry(0, 0, 0, later, 0, 0)])
    if clock:
        repository.end_game(connection, "table1", later, [repository.SeatResult(0, 1, None)])
    repository.save_open_note(connection, later)
    rows_before = connection.execute(select(TABLES)).all()
    assert repository.open_server(connection, START_MS).corrected
    assert connection.execute(select(TABLES)).all() == rows_before
    assert [entry.at for entry in repository.load_entries(connection, "table1")] == [later]


def test_a_server_with_a_correct_clock_changes_nothing(connection):
    insert_table_with_clock(connection)
    repository.open_server(connection, START_MS)
    repository.save_pauses(connection, "table1", [0], [], START_MS + 10)
    rows_before = connection.execute(select(TABLES)).all(), repository.load_pauses(connection, "table1")
    assert not repository.open_server(connection, START_MS + HOUR_MS).corrected
    assert (connection.execute(select(TABLES)).all(), repository.load_pauses(connection, "table1")) == rows_before


def test_messages_keep_their_order_of_arrival(connection):
    """Whatever their times."""
    insert_table_with_clock(connection)
    for n, at in enumerate([5000, 5000, 1000, 9000, 8000, 0]):
        repository.save_chat_message(
            connection, "table1", ChatMessage(START_MS + at, "ada", (0, None)[n % 2], "", None, str(n))
        )
    assert [message.text for message in repository.load_chat_messages(connection, "table1", True, None, 50)] == list(
        "012345"
    )


# --- a real process ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(
    not hasattr(signal, "SIGSTOP"), reason="Windows has no SIGSTOP, by which the test makes a process sleep"
)
def test_suspended_time_is_given_back_and_announced(tmp_path):
    with Server(tmp_path, first=SHORT_HEARTBEAT_GAP) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", clock={"minutes": 5, "seconds": 10})
        assert ben.command(table, "sit").status == 200
        wait_until(lambda: ada.table(table)["status"] == "playing")
        start_ms, remaining_before = remaining_time_ms(ada, table)
        suspended_ms = suspend(SUSPENSION_S, server.process)
        end_ms, remaining_after = remaining_time_ms(ada, table)
        drift = 2 * timekeeping.SLEW_MS * (end_ms - start_ms) // 1000 + 10
        assert end_ms - start_ms >= suspended_ms - drift, "the server's time is correct again"
        assert remaining_before - remaining_after <= end_ms - start_ms - suspended_ms + drift, (
            "the gap costs no player time"
        )
        wait_until(lambda: remaining_time_ms(ada, table)[1] < remaining_after)  # the clock runs again
        for text in ("did not run for", "clocks stood still"):
            wait_until(lambda text=text: [line for line in server.log if text in line])
        assert server.stop() == 0
    with Server(tmp_path, first=SHORT_HEARTBEAT_GAP) as server:
        ada.server = server
        restart_ms, remaining_after_restart = remaining_time_ms(ada, table)
        assert remaining_before - remaining_after_restart <= restart_ms - start_ms - suspended_ms + drift, (
            "the gap is stored"
        )


def test_a_system_without_a_clock_that_runs_during_sleep_uses_the_monotonic_one(monkeypatch):
    monkeypatch.setattr(timekeeping, "sys", SimpleNamespace(platform="freebsd14"))
    monkeypatch.setattr(timekeeping, "time", SimpleNamespace(monotonic_ns=lambda: 5_999_999))
    assert timekeeping.elapsed_ms() == 5
