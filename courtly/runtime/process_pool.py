"""Processes of this machine that work, and end with the work, whatever they are thinking about."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import Any


class ProcessPool(ProcessPoolExecutor):
    """`alike`: they play what this process plays; else they begin as ones that have played nothing yet."""

    def __init__(self, cores: int, alike: bool = True):
        self.cores = cores
        super().__init__(cores, multiprocessing.get_context(None if alike else "spawn"), _initialize_worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """They are killed, perhaps in the middle of an answer: this process is the last that could write the rest of
        it, and says that it will not, or its thread that reads would wait for ever."""
        inside: Any = self
        workers = [*(inside._processes or {}).values()]
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()
        if inside._result_queue:
            inside._result_queue._writer.close()
        super().shutdown(wait, cancel_futures=cancel_futures)


def _initialize_worker() -> None:
    """Ctrl-C is for the parent to hear. A worker whose parent was killed has nobody to work for, and may be in rules
    that never come back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
