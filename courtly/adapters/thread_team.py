"""Threads that share the steps of `BatchedGames`; each runs `advance` of batch_driver.py.

Between steps in quick succession the threads spin in compiled code, for 0.1 ms at most. Then they sleep until the next
step wakes them; the step does not wait for that. A forked process has none of the threads, and its caller does all the
work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING
from weakref import finalize

import numpy as np

from courtly.adapters.batch_driver import ASLEEP, FIRST, NUMBER, OWN, SIZE, STUCK, TASK, UNDONE, WORDS_PER_LINE

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMES_PER_BLOCK = 4  # a block takes some microseconds


def make_team_words(games: int, threads: int) -> NDArray[np.int64]:
    """Return the threads' shared memory, laid out as batch_driver.py describes. `threads` must not exceed `games`."""
    words = np.zeros((2 + threads) * WORDS_PER_LINE, np.int64)
    words[SIZE] = size = min(GAMES_PER_BLOCK, games // threads)
    blocks = -(-games // size)
    ends = [blocks * k // threads for k in range(threads + 1)]
    words[FIRST::WORDS_PER_LINE], words[OWN::WORDS_PER_LINE], words[ASLEEP::WORDS_PER_LINE] = (
        ends[:-1],
        np.diff(ends),
        1,
    )
    return words


class ThreadTeam:
    """`works[0]` runs in the thread that calls `step`, each other function in a thread of its own. The threads end when
    the team is garbage collected or closed."""

    def __init__(self, works: Sequence[Callable[[], object]], words: NDArray[np.int64]):
        self._work, self._words, self._step_lock = works[0], words, Lock()
        self._calls: list[SimpleQueue[bool]] = []
        for work in works[1:]:
            calls: SimpleQueue[bool] = SimpleQueue()
            Thread(target=_run_thread, args=(calls, work), daemon=True).start()
            finalize(self, calls.put, False)
            self._calls.append(calls)

    def step(self, task: int, number: int) -> int:
        """Run one step of all games.

        Args:
            task: BEGIN, MOVE or DRAW.
            number: The seed, for BEGIN.

        Returns:
            The row of a game that could not go on, or -1.

        Raises:
            RuntimeError: A step is running in another thread.
        """
        if not self._step_lock.acquire(blocking=False):
            raise RuntimeError("a step of these games is running in another thread")
        try:
            return self._step(task, number)
        finally:
            self._step_lock.release()

    def _step(self, task: int, number: int) -> int:
        words = self._words
        self._settle()  # the previous step may have been interrupted
        words[TASK], words[NUMBER], words[STUCK] = task, number, 0
        for k, calls in enumerate(self._calls, 1):
            if words[ASLEEP + k * WORDS_PER_LINE]:
                words[ASLEEP + k * WORDS_PER_LINE] = 0
                calls.put(True)
        self._work()
        self._settle()
        return int(words[STUCK]) - 1

    def _settle(self) -> None:
        """Wait until no thread works on a step."""
        while self._words[UNDONE]:
            time.sleep(1e-5)

    def close(self) -> None:
        """End the threads. Later steps run in the caller alone."""
        for calls in self._calls:
            calls.put(False)
        self._calls = []


def _run_thread(calls: SimpleQueue[bool], work: Callable[[], object]) -> None:
    """Call `work` for each True from the queue; return at the first False."""
    while calls.get():
        work()
