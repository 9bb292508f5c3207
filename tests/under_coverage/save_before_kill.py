"""A replacement of `os.kill` under coverage: a process saves what it has measured before it is killed.

Tests and servers end many processes with SIGKILL, which leaves a process no time to save. Here SIGUSR1 comes first; its
handler saves. Linux only: elsewhere the data of killed processes are lost.
"""

import os
import signal
import sys
import time

import coverage

SAVE_TIMEOUT_S = 1.0  # a process that is suspended, or in machine code, does not save within any time
POLL_S = 0.005

kill = os.kill


def save_data(*_) -> None:
    if current := coverage.Coverage.current():
        current.save()
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # tells the waiting process that the data are saved


def handles_signal(pid: int) -> bool:
    """Return whether a process has a handler for SIGUSR1."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    except (OSError, StopIteration):  # it has ended
        return False
    return bool(caught >> signal.SIGUSR1 - 1 & 1)


def save_and_kill(pid: int, number: int) -> None:
    if number == signal.SIGKILL and handles_signal(pid):
        kill(pid, signal.SIGUSR1)
        end = time.monotonic() + SAVE_TIMEOUT_S
        while handles_signal(pid) and time.monotonic() < end:
            time.sleep(POLL_S)
    kill(pid, number)


if sys.platform == "linux":
    signal.signal(signal.SIGUSR1, save_data)
    os.kill = save_and_kill
