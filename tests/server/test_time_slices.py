"""Long computations yield to the event loop, and a resent command gets the stored answer."""

import asyncio

import pytest

from courtly.runtime import time_slices
from courtly.runtime.time_slices import collect_in_slices, run_in_slices
from courtly.server.messaging.send_queue import SendQueue
from courtly.server.tables import response_cache
from courtly.server.tables.response_cache import ResponseCache


def test_other_tasks_run_between_slices(monkeypatch):
    monkeypatch.setattr(time_slices, "SLICE_S", 0)
    steps_taken = []

    def steps(name):
        for n in range(3):
            yield steps_taken.append((name, n))

    async def run_both():
        await asyncio.gather(*(collect_in_slices(steps(name)) for name in "ab"))

    asyncio.run(run_both())
    assert steps_taken == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_the_last_step_is_returned_and_errors_are_raised():
    assert asyncio.run(run_in_slices(iter("abc"))) == "c" and asyncio.run(collect_in_slices(iter("abc"))) == [
        "a",
        "b",
        "c",
    ]
    assert asyncio.run(collect_in_slices([])) == []
    with pytest.raises(ValueError):
        asyncio.run(run_in_slices([]))
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_in_slices(1 // n for n in (1, 0)))
    assert time_slices._running == 0


def test_stored_answers_are_limited_in_bytes(monkeypatch):
    monkeypatch.setattr(response_cache, "MAX_BYTES", 100)
    cache = ResponseCache()
    for n in range(50):
        cache.store("table", "ada", str(n), {"seq": n})
    assert cache.find("table", "ada", "49") == {"seq": 49} and cache.find("table", "ada", "0") is None
    assert cache._bytes <= 100 and cache._bytes == sum(map(len, cache._texts.values()))
    assert cache.find("table", "ben", "49") is None and cache.find("other", "ada", "49") is None


def test_a_readers_queue_is_limited_in_bytes(monkeypatch):
    monkeypatch.setattr("courtly.server.messaging.send_queue.MAX_QUEUED_CHARACTERS", 10)
    dropped = []

    async def fill_queue():
        async def send(text):
            await asyncio.Event().wait()

        outbox = SendQueue(100, send, lambda: dropped.append(outbox.length))
        outbox.put("long: one message is sent whatever its size")
        await asyncio.sleep(0)
        for _ in range(2):
            outbox.put("12345")
        assert not dropped and outbox.length == 2
        outbox.put("1")
        outbox.stop()

    asyncio.run(fill_queue())
    assert dropped == [0]
