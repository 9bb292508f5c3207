"""Servers with accelerated time, and servers that are suspended for a while."""

import os
import signal
import time

START_MS = 1_700_000_000_000
# A program that a server runs first: from the time SINCE on, its time runs FAST times as fast.
ACCELERATED_TIME = f"""
import os, time; from courtly.server.actions import flag_timers as flags; from courtly.server import timekeeping
fast = float(os.environ["FAST"])
since = lambda: (time.time() - float(os.environ["SINCE"])) * fast + {START_MS // 1000}
timekeeping.TIMEKEEPER = timekeeping.Timekeeper(*[lambda: int(since() * 1000)] * 2)
timekeeping.GAP_MS *= fast; flags.LAG_MS *= fast
later, flags.call_later = flags.call_later, lambda seconds, call: later(seconds / fast, call)
"""
# Another such program: a second without a heartbeat counts as a gap.
SHORT_HEARTBEAT_GAP = "from courtly.server import timekeeping; timekeeping.GAP_MS = 1000"
SUSPENSION_S = 3


def suspend(seconds, *processes):
    """Suspend these child processes. Return the minimum time for which all of them stood still, in ms."""
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    for process in processes:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
    start = time.monotonic()
    time.sleep(seconds)
    duration_s = time.monotonic() - start
    for process in processes:
        process.send_signal(signal.SIGCONT)
    return int(1000 * duration_s)


def remaining_time_ms(guest, table):
    """Return the server's time and the time that the first seat had left then, in ms."""
    clocks = guest.table(table)["clocks"]
    return clocks["now"], clocks["seats"][0]["bank"] + clocks["seats"][0]["free"]
