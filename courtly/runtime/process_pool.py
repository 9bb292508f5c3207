"""A pool of worker processes that can be ended in the middle of a task."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import Any


class ProcessPool(ProcessPoolExecutor):
    """A pool of `cores` worker processes.

    Their temporary files lie in one folder that is removed with the pool, because a killed worker removes nothing.

    Args:
        inherit_state: On platforms that fork, the workers start with the state of this process, such as its registered
            games; else they start without any state.
    """

    def __init__(self, cores: int, inherit_state: bool = True):
        self.cores = cores
        self.temporary_folder = tempfile.TemporaryDirectory(prefix="courtly-", ignore_cleanup_errors=True)
        context = multiprocessing.get_context(None if inherit_state else "spawn")
        super().__init__(cores, context, _initialize_worker, (self.temporary_folder.name,))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kill the workers, perhaps in the middle of a result. This process closes its own writing end of the result
        queue; otherwise its reading thread would wait for ever for the rest of that result."""
        inside: Any = self
        workers = [*(inside._processes or {}).values()]
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()
        if inside._result_queue:
            inside._result_queue._writer.close()
        super().shutdown(wait, cancel_futures=cancel_futures)
        self.temporary_folder.cleanup()


def _initialize_worker(temporary_folder: str) -> None:
    """Ignore Ctrl-C, which the parent handles, make temporary files in this folder, and end this worker as soon as its
    parent has ended, even during endless rules."""
    tempfile.tempdir = temporary_folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
