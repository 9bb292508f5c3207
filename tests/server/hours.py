"""Houses in which hours are short, and such as stand still for a while."""

import os
import signal
import time

BEGIN = 1_700_000_000_000
# What a server runs before: since the time SINCE everything takes 1/FAST of its time.
QUICK = f"""
import os, time; from courtly.server.actions import flag_timers as flags; from courtly.server import timekeeping
fast = float(os.environ["FAST"])
since = lambda: (time.time() - float(os.environ["SINCE"])) * fast + {BEGIN // 1000}
timekeeping.TIMEKEEPER = timekeeping.Timekeeper(*[lambda: int(since() * 1000)] * 2)
timekeeping.GAP_MS *= fast; flags.LAG_MS *= fast
later, flags.call_later = flags.call_later, lambda seconds, call: later(seconds / fast, call)
"""
# And before: it takes a second without a sign of life for a gap.
SHORT = "from courtly.server import timekeeping; timekeeping.GAP_MS = 1000"
STOPPED_S = 3


def stop_for(seconds, *processes):
    """These children of this process. Returns the milliseconds for which all of them stood still, at least."""
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
    """The server's time, and how much the first seat has left then."""
    told = guest.table(table)["clocks"]
    return told["now"], told["seats"][0]["bank"] + told["seats"][0]["free"]
