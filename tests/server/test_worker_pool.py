"""Several requests to one worker process: the newest is answered first, and a failing one affects no other."""

import asyncio
import importlib
import sys
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from courtly.bots.runtime import worker_pool, worker_process
from courtly.bots.runtime.worker_pool import GAMES_PER_PROCESS, BotError, BotTimeoutError, WorkerPool
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


def test_a_process_that_writes_nonsense_has_failed(workers, tmp_path):
    (tmp_path / "answering.py").write_text('print("nonsense", flush=True); input(); input()', encoding="utf-8")
    pool = workers()

    async def script():
        with pytest.raises(BotError, match="the connection to its process failed: JSONDecodeError"):
            await pool.ask({"ask": "fail"}, 1000)
        assert not pool._workers

    run_script(pool, script)


def test_a_process_that_has_ended_is_replaced(workers):
    pool = workers()

    async def script():
        assert await pool.ask({"ask": "quick"}, 1000) == {"order": 1}
        (worker,) = pool._workers
        worker.process.kill()
        await worker._read_task
        with pytest.raises(BotError, match="its process ended"):
            await pool.ask({"ask": "quick"}, 1000)
        assert await pool.ask({"ask": "quick"}, 1000) == {"order": 1}, "a new process counts from 1"

    run_script(pool, script)


def test_a_process_that_does_not_start_is_an_error(workers, monkeypatch):
    pool = workers()
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def script():
        with pytest.raises(BotError, match="its process did not start: "):
            await pool.ask({"ask": "quick"}, 1000)

    run_script(pool, script)


def test_a_hanging_process_is_killed(workers):
    pool = workers()

    async def script():
        with pytest.raises(BotTimeoutError, match=r"it did not answer within 0\.2 s"):
            await pool.ask({"ask": "hang"}, 0.2)
        assert not pool._workers

    run_script(pool, script)


def test_a_process_has_only_a_few_games(workers, tmp_path):
    """Another game gets a new process."""
    program = PROGRAM.replace('question["ask"]', 'question.get("ask", "ready")')
    (tmp_path / "answering.py").write_text(program, encoding="utf-8")
    pool = workers()

    async def script():
        orders = []
        for number in range(GAMES_PER_PROCESS + 1):
            answer = await pool.ask({"ask": "quick", "game": f"game {number}", "bot": "squire", "want": "move"}, 1000)
            orders.append(answer["order"])
        assert orders[-2] > orders[-1] and len(pool._workers) == 1

    run_script(pool, script)


def test_a_bot_that_cannot_be_loaded_is_an_error(workers, tmp_path):
    (tmp_path / "answering.py").write_text(PROGRAM.replace('question["ask"]', '"fail"'), encoding="utf-8")
    pool = workers(2)

    async def script():
        with pytest.raises(BotError, match="it failed"):
            await pool.load("sealed_bids", "squire", 1000)

    run_script(pool, script)


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ({"want": "ready", "game": "chess", "bot": "squire"}, "UnknownGameError: there is no game 'chess'"),
        ({"want": "ready", "game": "sealed_bids", "bot": "jester"}, "UnknownBotError: sealed_bids has no bot 'jester'"),
        (
            {"want": "move", "game": "sealed_bids", "bot": "random", "view": {}, "seed": 1},
            "KeyError < choose_at_random, ",
        ),
    ],
)
def test_the_errors_of_a_bot_are_answers(question, error):
    """A bot that has seen a view could disclose it in the message; then it names only the place."""
    answer = worker_process.answer(question, 0, lambda: None)
    assert answer["error"].startswith(error), answer


def test_a_question_that_cannot_be_sent_has_failed():
    async def run():
        stdin = Mock(drain=Mock(side_effect=BrokenPipeError))
        stdout = Mock(readline=lambda: asyncio.sleep(600))
        worker = worker_pool.WorkerProcess(Mock(stdin=stdin, stdout=stdout))
        with pytest.raises(BotError, match="the connection to its process failed: BrokenPipeError"):
            await worker.answer({"ask": "quick"})
        worker._read_task.cancel()

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory by RLIMIT_DATA")
def test_a_process_does_not_raise_the_limit_of_its_memory(monkeypatch):
    resource, limits = importlib.import_module("resource"), []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (4096, 8192))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, bounds: limits.append((kind, bounds)))
    worker_process.limit_memory(1000)
    assert limits == [(resource.RLIMIT_DATA, (8192, 8192))]
