"""Several requests to one worker process: the newest is answered first, and a failing one affects no other."""

import asyncio
from types import SimpleNamespace

import pytest

from courtly.bots.runtime.worker_pool import BotError, BotTimeoutError, WorkerPool
from courtly.bots.runtime.worker_pool import _answer_within as answer_within

PROGRAM = """
import time
from courtly.bots.runtime.worker_process import main

def answer(question, thinking_mb, pause):
    request = question["ask"]
    if request == "fail":
        return {"error": "it failed"}
    while request == "hang" or request.startswith("work") and not answered:
        pause()
        time.sleep(0.001)
    answered.append(request)
    return {"order": len(answered)}

answered = []
main(answer)
"""


@pytest.fixture
def workers(tmp_path, monkeypatch):
    (tmp_path / "answering.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    return lambda size=1: WorkerPool(size, 0, None, module="answering")


def run_script(workers, script):
    async def main():
        try:
            await script()
        finally:
            await workers.close()

    asyncio.run(main())


async def start_request(workers, question):
    """Start a request and wait until its process works on it. Its job name allows to preempt it."""
    count_before = len(workers._workers)
    task = asyncio.create_task(workers.ask({"ask": question}, 1000, job=question))
    while len(workers._workers) == count_before:
        await asyncio.sleep(0.01)
    return task


def test_a_preempting_request_is_answered_first(workers):
    pool = workers()

    async def script():
        task = await start_request(pool, "work")
        assert await pool.ask({"ask": "quick"}, 1000, overtaken="work") == {"order": 1}
        assert await task == {"order": 2} and len(pool._workers) == 1
        assert await pool.ask({"ask": "quick"}, 1000) == {"order": 3}

    run_script(pool, script)


@pytest.mark.parametrize("number", range(4))
def test_the_process_of_the_preempted_job_answers(workers, number):
    pool = workers(4)

    async def script():
        tasks = [await start_request(pool, f"work {n}") for n in range(4)]
        assert await pool.ask({"ask": f"{number}"}, 1000, overtaken=f"work {number}") == {"order": 1}
        done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        assert done == {tasks[number]} and tasks[number].result() == {"order": 2} and len(pool._workers) == 4
        for task in others:
            task.cancel()
        await asyncio.wait(others)

    run_script(pool, script)


def test_a_failing_request_affects_no_other(workers):
    pool = workers()

    async def script():
        task = await start_request(pool, "work")
        with pytest.raises(BotError, match="it failed"):
            await pool.ask({"ask": "fail"}, 1000, overtaken="work")
        while not pool._workers:  # another process works on the first request
            await asyncio.sleep(0.01)
        assert await pool.ask({"ask": "quick"}, 1000, overtaken="work") == {"order": 1}
        assert await task == {"order": 2}

    run_script(pool, script)


def test_preempted_time_does_not_count_towards_the_limit():
    async def main():
        worker = SimpleNamespace(answer_count=0, answer=lambda question: wait_for_answer())
        answer_future = asyncio.get_running_loop().create_future()

        async def answer_others():
            for _ in range(5):
                await asyncio.sleep(0.04)
                worker.answer_count += 1
            answer_future.set_result({"order": 6})

        async def wait_for_answer():
            return await answer_future

        _, answer = await asyncio.gather(answer_others(), answer_within(0.1, worker, {}))
        assert answer == {"order": 6}
        answer_future = asyncio.get_running_loop().create_future()
        with pytest.raises(BotTimeoutError):
            await answer_within(0.1, worker, {})

    asyncio.run(main())
