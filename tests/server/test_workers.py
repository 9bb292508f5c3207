"""Questions to one process at once: the newest is answered first, and one that fails takes no other with it."""

import asyncio
from types import SimpleNamespace

import pytest

from courtly.bots.workers import BotFailed, BotTimeoutError, Workers
from courtly.bots.workers import _within as within

PROGRAM = """
import time
from courtly.bots.worker import main

def answer(question, thinking_mb, pause):
    begun, asked = time.monotonic(), question["ask"]
    if asked == "fail":
        return {"error": "it failed"}
    while asked == "hang" or asked == "work" and not answered:
        pause()
        time.sleep(0.001)
    answered.append(asked)
    return {"order": len(answered)}

answered = []
main(answer)
"""


@pytest.fixture
def workers(tmp_path, monkeypatch):
    (tmp_path / "answering.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    return lambda size=1: Workers(size, 0, None, module="answering")


def played(workers, script):
    async def main():
        try:
            await script()
        finally:
            await workers.close()

    asyncio.run(main())


async def begun(workers, what):
    """A question that its process has begun with."""
    task = asyncio.create_task(workers.ask({"ask": what}, 1000))
    while not workers._all:
        await asyncio.sleep(0.01)
    return task


def test_one_that_overtakes_is_answered_first(workers):
    one = workers()

    async def script():
        task = await begun(one, "work")
        assert await one.ask({"ask": "quick"}, 1000, overtaking=True) == {"order": 1}
        assert await task == {"order": 2} and len(one._all) == 1
        assert await one.ask({"ask": "quick"}, 1000) == {"order": 3}

    played(one, script)


def test_what_fails_takes_no_other_question_with_it(workers):
    one = workers()

    async def script():
        task = await begun(one, "work")
        with pytest.raises(BotFailed, match="it failed"):
            await one.ask({"ask": "fail"}, 1000, overtaking=True)
        while not one._all:  # the first question is asked of another process
            await asyncio.sleep(0.01)
        assert await one.ask({"ask": "quick"}, 1000, overtaking=True) == {"order": 1}
        assert await task == {"order": 2}

    played(one, script)


def test_the_time_in_which_another_is_answered_does_not_count():
    async def main():
        worker = SimpleNamespace(answered=0, answer=lambda question: waited())
        late = asyncio.get_running_loop().create_future()

        async def overtaken():
            for _ in range(5):
                await asyncio.sleep(0.04)
                worker.answered += 1
            late.set_result({"order": 6})

        async def waited():
            return await late

        _, answer = await asyncio.gather(overtaken(), within(0.1, worker, {}))
        assert answer == {"order": 6}
        late = asyncio.get_running_loop().create_future()
        with pytest.raises(BotTimeoutError):
            await within(0.1, worker, {})

    asyncio.run(main())
