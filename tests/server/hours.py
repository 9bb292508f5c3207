"""Servers with accelerated time, and servers that are suspended for a while."""

import os
import signal
import time

BEGIN = 1_700_000_000_000
# A program that a server runs first: from the time SINCE on, its time runs FAST times as fast.
QUICK = f"""
import os, time; from courtly.server.actions import flag_timers as flags; from courtly.server import timekeeping
fast = float(os.environ["FAST"])
since = lambda: (time.time() - float(os.environ["SINCE"])) * fast + {BEGIN // 1000}
timekeeping.TIMEKEEPER = timekeeping.Timekeeper(*[lambda: int(since() * 1000)] * 2)
timekeeping.GAP_MS *= fast; flags.LAG_MS *= fast
later, flags.call_later = flags.call_later, lambda seconds, call: later(seconds / fast, call)
"""
# Another such program: a second without a heartbeat counts as a gap.
SHORT = "from courtly.server import timekeeping; timekeeping.GAP_MS = 1000"
STOPPED_S = 3


def stop_for(seconds, *processes):
    """Suspend these child processes. Return the minimum time for which all of them stood still, in ms."""
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    for process in processes:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
    began = time.monotonic()
    time.sleep(seconds)
    stood = time.monotonic() - began
    for process in processes:
        process.send_signal(signal.SIGCONT)
    return int(1000 * stood)


def left(guest, table):
    """Return the server's time and the time that the first seat had left then, in ms."""
    told = guest.table(table)["clocks"]
    return told["now"], told["seats"][0]["bank"] + told["seats"][0]["free"]
