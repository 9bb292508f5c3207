"""A sender with few requests waits at most for the jobs that already run, however many requests others send; if jobs
can be preempted, not even for those.
"""

import asyncio
import random
from collections import Counter

import pytest

from courtly.server.services import fair_queue
from courtly.server.services.fair_queue import HALF_LIFE_S, OVERTAKING_FROM_S, FairQueue


class QueueRecorder:
    """Records what happens in a queue. Jobs run until the test ends them."""

    def __init__(self, size=1, **options):
        self.now, self.started, self.running, self.preempting = 0.0, [], {}, []
        self.jobs = {}
        self.queue = FairQueue(size, clock=lambda: self.now, **options)

    def submit(self, guest, address, key=None):
        async def job():
            async with self.queue.turn(guest, address, key or guest) as turn:
                self.started.append(key or guest)
                self.jobs[key or guest] = turn
                self.preempting += [key or guest] if turn.overtaken else []
                finished = self.running[key or guest] = asyncio.Event()
                await finished.wait()

        return asyncio.create_task(job())

    async def settle(self):
        for _ in range(5):
            await asyncio.sleep(0)

    async def end(self, key):
        self.running.pop(key).set()
        await self.settle()


def test_a_flooding_address_waits_for_one_with_few_requests():
    async def main():
        recorder = QueueRecorder()
        tasks = [recorder.submit(f"eve{n % 6}", "10.0.0.1", f"eve{n % 6} {n}") for n in range(30)]
        await recorder.settle()
        for turn in range(5):
            tasks.append(recorder.submit("ada", "10.0.0.2", f"ada {turn}"))
            await recorder.settle()
            assert recorder.queue.places()[f"ada {turn}"] == 0
            await recorder.end(recorder.started[-1])
            assert recorder.started[-1] == f"ada {turn}"
            await recorder.end(recorder.started[-1])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


@pytest.mark.parametrize("number", range(20))
def test_no_address_has_two_turns_while_another_waits_for_one(number):
    """For random senders that all send at once, some of which cancel."""
    rng = random.Random(number)

    async def main():
        recorder, tasks = QueueRecorder(), {}
        for n in range(60):
            key = (f"10.0.0.{rng.randrange(4)}", f"g{rng.randrange(8)}", n)
            tasks[key] = recorder.submit(key[1], key[0], key)
        await recorder.settle()
        while recorder.running:
            if rng.random() < 0.1 and (waiting_keys := [key for key in tasks if key not in recorder.started]):
                tasks.pop(rng.choice(waiting_keys)).cancel()
                await recorder.settle()
            waiting = {key for key in tasks if key not in recorder.started}
            places = recorder.queue.places()
            assert sorted(places.values()) == [*range(len(waiting))]
            await recorder.end(recorder.started[-1])
            if waiting:
                assert places[recorder.started[-1]] == 0
                last_two_addresses = [started_key[0] for started_key in recorder.started[-2:]]
                assert len({*last_two_addresses}) == 2 or {key[0] for key in waiting} == {last_two_addresses[0]}
        assert {*tasks} <= {*recorder.started}
        await asyncio.gather(*tasks.values())

    asyncio.run(main())


def test_reported_positions_in_the_queue_are_kept():
    rng = random.Random(3)

    async def main():
        recorder = QueueRecorder()
        tasks = [recorder.submit(f"g{rng.randrange(9)}", f"10.0.0.{rng.randrange(4)}", n) for n in range(1, 61)]
        await recorder.settle()
        positions = sorted(recorder.queue.places().items(), key=lambda place: place[1])
        while recorder.running:
            await recorder.end(recorder.started[-1])
        assert recorder.started == [1, *(key for key, _ in positions)]
        await asyncio.gather(*tasks)

    asyncio.run(main())


def test_a_cancellation_at_its_turn_passes_the_turn_on():
    async def main():
        recorder = QueueRecorder()
        tasks = [recorder.submit(name, "10.0.0.1") for name in ("ada", "ben", "cleo")]
        await recorder.settle()
        tasks[1].cancel()
        await recorder.end("ada")
        assert recorder.started == ["ada", "cleo"]
        await recorder.end("cleo")
        await asyncio.gather(*tasks, return_exceptions=True)
        tasks = [recorder.submit(name, "10.0.0.1") for name in ("ada", "ben", "cleo")]
        await recorder.settle()
        recorder.running.pop("ada").set()
        await asyncio.sleep(0)
        tasks[1].cancel()
        await recorder.settle()
        assert recorder.started[-2:] == ["ada", "cleo"]
        await recorder.end("cleo")
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_a_cancellation_takes_no_turn_of_others():
    async def main():
        recorder = QueueRecorder()
        first, second, third = (recorder.submit(name, "10.0.0.1") for name in ("ada", "ben", "cleo"))
        await recorder.settle()
        second.cancel()
        await recorder.settle()
        assert recorder.queue.count_waiting("ben") == 0 and recorder.queue.count_waiting_at_address("10.0.0.1") == 1
        await recorder.end("ada")
        assert recorder.started == ["ada", "cleo"]
        first.cancel(), third.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)

    asyncio.run(main())


def test_addresses_of_one_network_count_as_one():
    async def main():
        recorder = QueueRecorder()
        tasks = [recorder.submit(f"eve{n}", f"2001:db8::{n:x}") for n in range(5)]
        await recorder.settle()
        tasks.append(recorder.submit("ada", "10.0.0.2"))
        await recorder.settle()
        await recorder.end("eve0")
        assert recorder.started == ["eve0", "ada"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def run_script(script):
    """Run a script with preemption, and cancel what still waits at its end."""

    async def main():
        recorder, tasks = QueueRecorder(overtaking=True), []

        async def submit(guest, address="10.0.0.1", key=None):
            tasks.append(recorder.submit(guest, address, key))
            await recorder.settle()

        await script(recorder, submit)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_a_sender_with_few_requests_preempts_one_with_many():
    async def script(recorder, submit):
        for n in range(6):
            await submit(f"eve{n}", key=f"eve {n}")
        recorder.now = 0.5
        await submit("ada", "10.0.0.2", "ada 0")
        assert recorder.started == ["eve 0"]  # which has used too little to be preempted
        recorder.now += 5
        await recorder.end("eve 0")
        recorder.now += 0.1
        await recorder.end("ada 0")
        for turn in range(1, 5):
            recorder.now += 5
            await recorder.end(recorder.started[-1])
            recorder.now += 2
            await submit("ada", "10.0.0.2", f"ada {turn}")
            assert recorder.started[-1] == f"ada {turn}" == recorder.preempting[-1]
            recorder.now += 0.1
            await recorder.end(f"ada {turn}")
            assert recorder.started.pop() == f"ada {turn}" and recorder.running  # the preempted job continues

    run_script(script)


def test_similar_use_is_not_preempted():
    async def script(recorder, submit):
        for guest, address, seconds in (("ada", "10.0.0.1", 2), ("ben", "10.0.0.2", 2)):
            await submit(guest, address)
            recorder.now += seconds
            await recorder.end(guest)
        await submit("ben", "10.0.0.2", "ben again")
        await submit("ada", key="ada again")
        assert recorder.started[2:] == ["ben again"]
        await submit("cleo", "10.0.0.3")
        assert recorder.started[3:] == recorder.preempting == ["cleo"]
        await submit("dan", "10.0.0.4")  # cleo has used nothing before, either
        recorder.now += 5
        assert recorder.started[3:] == ["cleo"]
        await recorder.end("cleo")
        assert recorder.started[3:] == recorder.preempting == ["cleo", "dan"]
        await recorder.end("dan")
        await recorder.end("ben again")
        assert recorder.started[5:] == ["ada again"] and recorder.preempting == ["cleo", "dan"]

    run_script(script)


def test_past_use_decays():
    async def script(recorder, submit):
        for guest, address, seconds in (("ada", "10.0.0.1", 30), ("eve", "10.0.0.2", 30)):
            await submit(guest, address)
            recorder.now += seconds
            await recorder.end(guest)
        recorder.now += 600
        await submit("eve", "10.0.0.2", "work")
        recorder.now += 30
        await recorder.end("work")
        await submit("eve", "10.0.0.2", "more")
        await submit("ada", key="ada again")
        assert recorder.preempting == ["ada again"]

    run_script(script)


def test_guests_at_one_address_count_separately():
    async def script(recorder, submit):
        await submit("eve")
        recorder.now += 20
        await recorder.end("eve")
        await submit("eve", key="more")
        await submit("eve", key="still more")
        assert recorder.started == ["eve", "more"]
        await submit("ada")
        assert recorder.preempting == ["ada"]

    run_script(script)


def test_preempted_time_is_not_counted():
    async def script(recorder, submit):
        for guest, address, seconds in (("eve", "10.0.0.1", 5), ("ada", "10.0.0.2", 1)):
            await submit(guest, address)
            recorder.now += seconds
            await recorder.end(guest)
        await submit("eve", key="more")
        await submit("ada", "10.0.0.2", "ada again")
        assert recorder.preempting == ["ada again"]
        recorder.now += 20  # earlier use now counts a quarter
        await recorder.end("ada again")
        await recorder.end("more")
        await submit("ada", "10.0.0.2", "ada once more")
        await submit("eve", key="eve at last")
        assert recorder.preempting == ["ada again", "eve at last"]

    run_script(script)


def test_first_requests_do_not_preempt_each_other():
    """Among many senders with a first request none preempts another, however long each job takes."""

    async def script(recorder, submit):
        for n in range(20):
            await submit(f"g{n}", f"10.0.0.{n}")
            recorder.now += 3
        assert len(recorder.running) == 1 and not recorder.preempting

    run_script(script)


class TwoJobRecorder(QueueRecorder):
    """Two jobs run at a time. The test counts each sender's use itself."""

    def __init__(self):
        super().__init__(2, overtaking=True)
        self.use_seconds, self.work_seconds = Counter(), Counter()

    def working_keys(self):
        preempted_jobs = {self.jobs[key].overtaken for key in self.running}
        return [key for key in self.running if self.jobs[key] not in preempted_jobs]

    def wait(self, seconds):
        for key in self.working_keys():
            self.work_seconds[key] += seconds
        for sender in self.use_seconds:
            self.use_seconds[sender] *= 0.5 ** (seconds / HALF_LIFE_S)
        self.now += seconds

    async def end(self, key):
        for sender in senders(key):
            self.use_seconds[sender] += self.work_seconds[key]
        await super().end(key)

    def use_of(self, key):
        """Return the use of the job's address, and of its guest there."""
        return [self.use_seconds[sender] for sender in senders(key)]

    def margin(self, key, other):
        """Return the seconds by which a job's sender has used less than that of another job and of those that it
        preempted, minus the margin that preemption requires.
        """
        margins, job = [], self.jobs[other]
        while job:
            index = key[0] == job.key[0]  # at one address, guests count separately
            margins.append(self.use_of(job.key)[index] - self.use_of(key)[index] - OVERTAKING_FROM_S)
            job = job.overtaken
        return min(margins)


def senders(key):
    address, guest, _ = key
    return address, (address, guest)


ROUNDING = 1e-6


@pytest.mark.parametrize("number", range(20))
def test_the_job_of_the_sender_with_most_use_is_preempted(number):
    """Whichever senders ask, however much time passes, and whichever jobs end."""
    rng = random.Random(number)

    async def main():
        recorder, tasks, waiting = TwoJobRecorder(), [], []
        for n in range(300):
            working_before = recorder.working_keys()
            if rng.random() < 0.4 and len(waiting) < 5:
                waiting.append((rng.choice("aaabbc"), rng.choice("xxy"), n))
                tasks.append(recorder.submit(waiting[-1][1], waiting[-1][0], waiting[-1]))
            elif recorder.running:
                recorder.wait(rng.expovariate(0.3))
                await recorder.end(rng.choice([*recorder.running] if rng.random() < 0.2 else recorder.working_keys()))
            await recorder.settle()
            started_keys = [key for key in waiting if key in recorder.running]
            waiting = [key for key in waiting if key not in started_keys]
            for key in started_keys:
                if overtaken := recorder.jobs[key].overtaken:
                    assert recorder.margin(key, overtaken.key) > -ROUNDING
                    for other in set(working_before) & set(recorder.working_keys()):
                        if recorder.margin(key, other) > ROUNDING:
                            assert recorder.use_of(overtaken.key) > [
                                seconds - ROUNDING for seconds in recorder.use_of(other)
                            ]
            assert len(recorder.working_keys()) <= 2
            if waiting:
                least_used = min(waiting, key=recorder.use_of)
                assert len(recorder.working_keys()) == 2
                assert all(recorder.margin(least_used, other) < ROUNDING for other in recorder.working_keys())
        assert len(recorder.preempting) > 5
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_the_sender_whose_value_is_oldest_is_forgotten(monkeypatch):
    monkeypatch.setattr(fair_queue, "REMEMBERED_SENDERS", 2)
    values = {}
    for sender in ("ada", "ben", "ada", "cleo"):
        fair_queue.FairQueue._remember(values, sender, len(values))
    assert list(values) == ["ada", "cleo"]
