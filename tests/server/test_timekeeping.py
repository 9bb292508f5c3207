"""The server's time after changes of the system's clock, sleep and suspended processes, and the stored times."""

import logging
import random
import signal
import time
from hashlib import sha256

import pytest
from accelerated_time import SHORT_HEARTBEAT_GAP, START_MS, SUSPENSION_S, remaining_time_ms, suspend
from databases import KINDS, empty_database
from guests import Server, until
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

SECOND, HOUR, DAY = 1000, 3_600_000, 86_400_000
STEPS = [HOUR, 2 * HOUR, DAY, 74 * 365 * DAY, -HOUR, -2 * HOUR, -DAY]


class Machine:
    """A machine's clocks: the system's, which can be set, and a monotonic one."""

    def __init__(self):
        self.wall, self.elapsed = START_MS, 5_000_000
        self.keeper = Timekeeper(lambda: self.wall, lambda: self.elapsed)

    def runs(self, ms):
        self.wall += ms
        self.elapsed += ms

    def beats(self, times):
        for _ in range(times):
            self.runs(SECOND)
            self.keeper.beat()


@pytest.fixture
def machine():
    return Machine()


def test_time_advances(machine):
    assert machine.keeper.now() == START_MS
    machine.runs(1234)
    assert machine.keeper.now() == START_MS + 1234


@pytest.fixture
def gaps(machine):
    """Record the reported gaps."""
    found = []
    machine.keeper.observe(found.append)
    return found


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_the_system_clock_changes_no_time_at_once(machine, gaps, step):
    machine.wall += step
    assert machine.keeper.now() == START_MS
    machine.beats(timekeeping.SETTLED_BEATS)
    passed = machine.keeper.now() - START_MS - timekeeping.SETTLED_BEATS * SECOND
    assert 0 < passed * (1 if step > 0 else -1) <= timekeeping.SETTLED_BEATS * timekeeping.SLEW_MS
    machine.wall -= step
    machine.beats(timekeeping.SETTLED_BEATS)
    assert abs(machine.keeper.now() - machine.wall) <= timekeeping.SLEW_MS and not gaps


@pytest.mark.parametrize("step", [step for step in STEPS if step > 0])
def test_a_lasting_forward_step_is_followed_and_counts_as_a_gap(machine, gaps, caplog, step):
    machine.wall += step
    machine.beats(timekeeping.SETTLED_BEATS + 1)
    assert machine.keeper.now() == machine.wall
    [gap] = gaps
    assert gap.until == machine.wall and 0 <= step - (gap.until - gap.since) <= timekeeping.SETTLED_BEATS
    assert [record.getMessage() for record in caplog.records if "set forward" in record.getMessage()]
    machine.beats(100)
    assert machine.keeper.now() == machine.wall and len(gaps) == 1


@pytest.mark.parametrize("step", [step for step in STEPS if step < 0])
def test_a_backward_step_is_followed_slowly_and_logged_once(machine, gaps, caplog, step):
    machine.wall += step
    machine.beats(1000)
    behind = START_MS + 1000 * SECOND - machine.keeper.now()
    assert 0 < behind <= 1000 * timekeeping.SLEW_MS
    [told] = caplog.records
    assert f"{-step / 1000:.0f} s behind" in told.getMessage() and told.levelno == logging.WARNING and not gaps


def test_a_small_difference_is_corrected(machine):
    machine.wall += 90
    machine.beats(100)
    assert machine.keeper.now() == machine.wall
    machine.wall -= 50
    machine.beats(100)
    assert machine.keeper.now() == machine.wall


def test_time_never_goes_back(machine):
    rng, before = random.Random(4), 0
    for _ in range(5000):
        machine.runs(rng.choice([0, 0, 1, 3, 1000]))
        machine.wall += rng.choice([0, 0, 0, -HOUR, HOUR])
        if rng.random() < 0.5:
            machine.keeper.beat()
        assert machine.keeper.now() >= before
        before = machine.keeper.now()


def test_a_sleep_is_a_gap_and_the_time_is_correct_afterwards(machine, gaps, caplog):
    """Whichever clock the process reads first after it resumes."""
    machine.beats(10)
    last = machine.keeper.now()
    machine.runs(90 * SECOND)
    assert machine.keeper.now() == machine.wall
    assert gaps == [Gap(last, last + 90 * SECOND)] and "did not run for 90.0 s" in caplog.text
    machine.beats(10)
    machine.runs(timekeeping.GAP_MS)
    machine.keeper.beat()
    assert len(gaps) == 1, "a late heartbeat only means a busy process"
    machine.runs(timekeeping.GAP_MS + 1)
    machine.keeper.beat()
    assert [gap.until - gap.since for gap in gaps] == [90 * SECOND, timekeeping.GAP_MS + 1]


def test_a_removed_observer_is_not_called(machine):
    gaps = []
    machine.keeper.observe(tell := gaps.append)
    machine.keeper.ignore(tell)
    machine.runs(HOUR)
    assert machine.keeper.now() == machine.wall and not gaps


def test_time_before_the_first_observer_is_no_gap(machine):
    gaps = []
    machine.runs(HOUR)
    machine.keeper.observe(gaps.append)
    machine.keeper.now()
    assert not gaps


def test_a_process_adopts_the_time_of_the_others(machine):
    for ms in (HOUR, -2 * HOUR):
        before = machine.keeper.now()
        machine.keeper.shift(ms)
        assert machine.keeper.now() == before + ms


def test_the_clocks_of_this_machine():
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
        signatures.read_ticket: (signatures.ticket("table", 1, 2), ("table", 1, 2, 0), DAY),
        signatures.read_recall: (signatures.recall("table", 1, 2, "ada"), ("table", 1, 2, "ada"), 2 * DAY),
        signatures.read_carrier: (signatures.carrier("ada", 3), ("ada", 3), DAY),
        signatures.read_mail: (signatures.mail("confirm", "ada", "a@b.c"), ("confirm", "ada", "a@b.c"), 7 * DAY),
    }


@pytest.mark.parametrize("step", STEPS)
def test_links_stay_valid_when_the_system_clock_is_set(links, machine, step):
    machine.wall += step
    machine.beats(3)
    for read, (link, expected, _) in links.items():
        assert read(link) == expected


@pytest.mark.parametrize("step", [HOUR, -HOUR, -2 * HOUR, -DAY])
def test_links_stay_valid_after_a_restart_with_a_corrected_clock(links, machine, monkeypatch, step):
    machine.runs(2 * SECOND)
    machine.wall += step
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", Timekeeper(lambda: machine.wall, lambda: machine.elapsed))
    for read, (link, expected, _) in links.items():
        assert read(link) == expected


def test_links_expire(links, machine):
    made = machine.elapsed
    for age in [DAY, DAY + SECOND, 2 * DAY, 2 * DAY + SECOND, 7 * DAY, 7 * DAY + SECOND]:
        machine.elapsed = made + age
        for read, (link, expected, good) in links.items():
            assert read(link) == (expected if age <= good else None)


def test_links_of_earlier_versions_are_read(monkeypatch):
    """They contain the system's time."""
    signer = TimestampSigner("key", salt="courtly.ticket", digest_method=sha256)
    link = signer.sign("table-1-2").decode()
    monkeypatch.setattr(timekeeping, "TIMEKEEPER", Timekeeper())
    assert Signatures("key").read_ticket(link) == ("table", 1, 2, 0)


# --- stored times -----------------------------------------------------------------------------------------------------


@pytest.fixture(params=KINDS)
def connection(request, tmp_path):
    """A connection to an empty database."""
    engine = open_database(empty_database(request.param, tmp_path))
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def with_clock(connection, name="table1", begun=START_MS, falls=None):
    """Create a table with this name and a running game with clocks."""
    row = TableRow(name, "sealed_bids", 1, 1, {}, False, "ada", "00" * 32, begun, begun, clock={"days": 1})
    repository.insert_table(connection, row, [Seat(0, "person", "ada")], ())
    if falls:
        repository.append_entries(connection, [JournalAppend(name, (), None, (falls,))])


def closed(connection):
    return [tuple(still)[1:] for still in repository.load_pauses(connection, None)]


def falls(connection):
    return {row.id: row.next_flag_at for row in connection.execute(select(TABLES.c.id, TABLES.c.next_flag_at))}


def test_a_gap_is_stored_as_a_pause(connection):
    with_clock(connection, falls=START_MS + DAY)
    repository.open_server(connection, START_MS)
    repository.save_open_note(connection, START_MS + 60 * SECOND)
    gap = Gap(START_MS + 100 * SECOND, START_MS + 200 * SECOND)
    assert repository.save_open_note(connection, START_MS + 200 * SECOND, [gap]) == 100 * SECOND
    assert closed(connection) == [tuple(gap)]
    assert falls(connection) == {"table1": START_MS + DAY + 100 * SECOND}
    assert not repository.save_open_note(connection, START_MS + 201 * SECOND, [gap]), "stored only once"
    assert repository.open_server(connection, START_MS + 301 * SECOND).closed[1:] == [
        repository.ClockPause(None, START_MS + 201 * SECOND, START_MS + 301 * SECOND)
    ]


def test_only_time_in_which_no_process_ran_is_a_pause(connection):
    with_clock(connection, falls=START_MS + DAY)
    repository.open_server(connection, START_MS)
    one, other = Gap(START_MS + 100_000, START_MS + 200_000), Gap(START_MS + 100_500, START_MS + 200_300)
    repository.save_open_note(connection, START_MS + 199_000)  # by a third process
    assert not repository.save_open_note(connection, one.until, [one])
    assert closed(connection) == [] and falls(connection) == {"table1": START_MS + DAY}

    later = 300_000
    one, other = (Gap(gap.since + later, gap.until + later) for gap in (one, other))
    repository.save_open_note(connection, START_MS + later + 100_000)
    assert repository.save_open_note(connection, one.until, [one])
    assert not repository.save_open_note(connection, other.until, [other]), "the other processes had the same gap"
    assert closed(connection) == [tuple(one)]

    last = Gap(other.until + 1000, other.until + 100_000)
    repository.save_open_note(connection, last.until - 40_000)  # another process was suspended, too, and for longer
    assert repository.save_open_note(connection, last.until, [last])
    assert closed(connection)[1:] == [(last.until - 40_000, last.until)]

    before = repository.load_pauses(connection, None)
    repository.save_open_note(connection, last.until - 1000)  # by a process that lags behind
    assert not repository.save_open_note(connection, last.until + 10, [Gap(last.until - 1000, last.until + 10)])
    assert repository.load_pauses(connection, None) == before


def test_without_clocks_no_gap_is_stored(connection):
    repository.open_server(connection, START_MS)
    assert not repository.save_open_note(connection, START_MS + HOUR, [Gap(START_MS, START_MS + HOUR)])
    assert closed(connection) == []


@pytest.mark.parametrize("ahead", [HOUR, DAY, 74 * 365 * DAY])
def test_future_times_are_not_used_for_clocks(connection, ahead):
    with_clock(connection, falls=START_MS + DAY)
    repository.open_server(connection, START_MS)
    repository.append_entries(connection, [JournalAppend("table1", [repository.Entry(0, 0, 0, START_MS, 0, 0)])])
    wrong = START_MS + 10 * SECOND + ahead
    assert not repository.open_server(connection, wrong).corrected
    repository.append_entries(connection, [JournalAppend("table1", [repository.Entry(1, 0, 0, wrong + 5, 1, 0)])])
    repository.save_pauses(connection, "table1", [0], [], wrong + 6)
    with_clock(connection, "table2", wrong + 7, wrong + 7 + DAY)
    repository.save_open_note(connection, wrong + 20 * SECOND)

    at = START_MS + 60 * SECOND
    opening = repository.open_server(connection, at)
    assert opening.corrected
    assert all(still.since < still.until <= at for still in opening.closed)
    assert falls(connection) == {"table1": at + DAY - 20 * SECOND, "table2": at + DAY - 20 * SECOND + 7}
    for column in (TABLES.c.started_at, JOURNAL.c.played_at, CLOCK_PAUSES.c.started_at, CLOCK_PAUSES.c.ended_at):
        assert max(filter(None, connection.execute(select(column)).scalars())) <= at
    assert [entry.at for entry in repository.load_entries(connection, "table1")] == [START_MS, at]
    assert not repository.open_server(connection, at + SECOND).corrected


@pytest.mark.parametrize("clock", [None, {"days": 1}])
def test_games_that_are_over_or_have_no_clock_keep_their_times(connection, clock):
    later = START_MS + DAY
    row = TableRow("table1", "sealed_bids", 1, 1, {}, False, "ada", "00" * 32, later, later, clock=clock)
    repository.insert_table(connection, row, [Seat(0, "person", "ada")], [repository.Entry(0, 0, 0, later, 0, 0)])
    if clock:
        repository.end_game(connection, "table1", later, [repository.SeatResult(0, 1, None)])
    repository.save_open_note(connection, later)
    before = connection.execute(select(TABLES)).all()
    assert repository.open_server(connection, START_MS).corrected
    assert connection.execute(select(TABLES)).all() == before
    assert [entry.at for entry in repository.load_entries(connection, "table1")] == [later]


def test_a_server_with_a_correct_clock_changes_nothing(connection):
    with_clock(connection)
    repository.open_server(connection, START_MS)
    repository.save_pauses(connection, "table1", [0], [], START_MS + 10)
    before = connection.execute(select(TABLES)).all(), repository.load_pauses(connection, "table1")
    assert not repository.open_server(connection, START_MS + HOUR).corrected
    assert (connection.execute(select(TABLES)).all(), repository.load_pauses(connection, "table1")) == before


def test_messages_keep_their_order_of_arrival(connection):
    """Whatever their times."""
    with_clock(connection)
    for n, at in enumerate([5000, 5000, 1000, 9000, 8000, 0]):
        repository.save_chat_message(
            connection, "table1", ChatMessage(START_MS + at, "ada", (0, None)[n % 2], "", None, str(n))
        )
    assert [said.text for said in repository.load_chat_messages(connection, "table1", True, None, 50)] == list("012345")


# --- a real process ---------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system has no SIGSTOP")
def test_suspended_time_is_given_back_and_announced(tmp_path):
    with Server(tmp_path, first=SHORT_HEARTBEAT_GAP) as server:
        ada, ben = server.guest("Ada"), server.guest("Ben")
        table = ada.open("me", "open", clock={"minutes": 5, "seconds": 10})
        assert ben.command(table, "sit").status == 200
        until(lambda: ada.table(table)["status"] == "playing")
        began, before = remaining_time_ms(ada, table)
        stood = suspend(SUSPENSION_S, server.process)
        ended, after = remaining_time_ms(ada, table)
        drift = 2 * timekeeping.SLEW_MS * (ended - began) // 1000 + 10
        assert ended - began >= stood - drift, "the server's time is correct again"
        assert before - after <= ended - began - stood + drift, "the gap costs no player time"
        until(lambda: remaining_time_ms(ada, table)[1] < after)  # the clock runs again
        for words in ("did not run for", "clocks stood still"):
            until(lambda words=words: [line for line in server.log if words in line])
        assert server.stop() == 0
    with Server(tmp_path, first=SHORT_HEARTBEAT_GAP) as server:
        ada.server = server
        again, there = remaining_time_ms(ada, table)
        assert before - there <= again - began - stood + drift, "the gap is stored"
