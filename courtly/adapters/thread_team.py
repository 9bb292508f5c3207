"""Threads that do the steps of many games together; what each of them does is `advance` of batch.py.

Between steps that follow each other at once they wait in machine code, for a tenth of a millisecond at most. After that
they sleep until the next step wakes them, which does not wait for them. A process that was forked has none of them, and
does all by itself.
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

GAMES_PER_BLOCK = 4  # games, some microseconds


def make_team_words(games: int, threads: int) -> NDArray[np.int64]:
    """What the threads tell each other (batch.py), for so many games: not more threads than these."""
    made = np.zeros((2 + threads) * WORDS_PER_LINE, np.int64)
    made[SIZE] = size = min(GAMES_PER_BLOCK, games // threads)
    blocks = -(-games // size)
    ends = [blocks * k // threads for k in range(threads + 1)]
    made[FIRST::WORDS_PER_LINE], made[OWN::WORDS_PER_LINE], made[ASLEEP::WORDS_PER_LINE] = ends[:-1], np.diff(ends), 1
    return made


class ThreadTeam:
    """`works`: what each thread calls, the first of them whoever asks for a step. They are let go of when nobody has
    the crew any more, or when it is closed."""

    def __init__(self, works: Sequence[Callable[[], object]], words: NDArray[np.int64]):
        self._work, self._words, self._one = works[0], words, Lock()
        self._calls: list[SimpleQueue[bool]] = []
        for work in works[1:]:
            calls: SimpleQueue[bool] = SimpleQueue()
            Thread(target=_run_thread, args=(calls, work), daemon=True).start()
            finalize(self, calls.put, False)
            self._calls.append(calls)

    def step(self, task: int, number: int) -> int:
        """One step of all games, BEGIN, MOVE or DRAW. Which game could not go on; -1: all could. RuntimeError while
        another thread is at it."""
        if not self._one.acquire(blocking=False):
            raise RuntimeError("a step of these games is under way in another thread")
        try:
            return self._step(task, number)
        finally:
            self._one.release()

    def _step(self, task: int, number: int) -> int:
        words = self._words
        self._settle()  # it may be that a step was interrupted
        words[TASK], words[NUMBER], words[STUCK] = task, number, 0
        for k, calls in enumerate(self._calls, 1):
            if words[ASLEEP + k * WORDS_PER_LINE]:
                words[ASLEEP + k * WORDS_PER_LINE] = 0
                calls.put(True)
        self._work()
        self._settle()
        return int(words[STUCK]) - 1

    def _settle(self) -> None:
        """Wait until nobody is at work."""
        while self._words[UNDONE]:
            time.sleep(1e-5)

    def close(self) -> None:
        """End the threads."""
        for calls in self._calls:
            calls.put(False)
        self._calls = []


def _run_thread(calls: SimpleQueue[bool], work: Callable[[], object]) -> None:
    """What a thread does until False comes."""
    while calls.get():
        work()
