"""A sender with few requests waits at most for the jobs that already run, however many requests others send; if jobs
can be preempted, not even for those.
"""

import asyncio
import random
from collections import Counter

import pytest

from courtly.server.services.fair_queue import HALF_LIFE_S, OVERTAKING_FROM_S, FairQueue


class Course:
    """Records what happens in a queue. Jobs run until the test ends them."""

    def __init__(self, size=1, **more):
        self.now, self.began, self.running, self.overtook = 0.0, [], {}, []
        self.jobs = {}
        self.queue = FairQueue(size, clock=lambda: self.now, **more)

    def ask(self, guest, address, key=None):
        async def job():
            async with self.queue.turn(guest, address, key or guest) as turn:
                self.began.append(key or guest)
                self.jobs[key or guest] = turn
                self.overtook += [key or guest] if turn.overtaken else []
                done = self.running[key or guest] = asyncio.Event()
                await done.wait()

        return asyncio.create_task(job())

    async def settle(self):
        for _ in range(5):
            await asyncio.sleep(0)

    async def end(self, key):
        self.running.pop(key).set()
        await self.settle()


def test_a_flooding_address_waits_for_one_with_few_requests():
    async def main():
        course = Course()
        tasks = [course.ask(f"eve{n % 6}", "10.0.0.1", f"eve{n % 6} {n}") for n in range(30)]
        await course.settle()
        for turn in range(5):
            tasks.append(course.ask("ada", "10.0.0.2", f"ada {turn}"))
            await course.settle()
            assert course.queue.places()[f"ada {turn}"] == 0
            await course.end(course.began[-1])
            assert course.began[-1] == f"ada {turn}"
            await course.end(course.began[-1])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


@pytest.mark.parametrize("number", range(20))
def test_no_address_has_two_turns_while_another_waits_for_one(number):
    """For random senders that all send at once, some of which cancel."""
    rng = random.Random(number)

    async def main():
        course, tasks = Course(), {}
        for n in range(60):
            key = (f"10.0.0.{rng.randrange(4)}", f"g{rng.randrange(8)}", n)
            tasks[key] = course.ask(key[1], key[0], key)
        await course.settle()
        while course.running:
            if rng.random() < 0.1 and (left := [key for key in tasks if key not in course.began]):
                tasks.pop(rng.choice(left)).cancel()
                await course.settle()
            waiting = {key for key in tasks if key not in course.began}
            places = course.queue.places()
            assert sorted(places.values()) == [*range(len(waiting))]
            await course.end(course.began[-1])
            if waiting:
                assert places[course.began[-1]] == 0
                two = [began[0] for began in course.began[-2:]]
                assert len({*two}) == 2 or {key[0] for key in waiting} == {two[0]}
        assert {*tasks} <= {*course.began}
        await asyncio.gather(*tasks.values())

    asyncio.run(main())


def test_reported_positions_in_the_queue_are_kept():
    rng = random.Random(3)

    async def main():
        course = Course()
        tasks = [course.ask(f"g{rng.randrange(9)}", f"10.0.0.{rng.randrange(4)}", n) for n in range(1, 61)]
        await course.settle()
        told = sorted(course.queue.places().items(), key=lambda place: place[1])
        while course.running:
            await course.end(course.began[-1])
        assert course.began == [1, *(key for key, _ in told)]
        await asyncio.gather(*tasks)

    asyncio.run(main())


def test_a_cancellation_at_its_turn_passes_the_turn_on():
    async def main():
        course = Course()
        tasks = [course.ask(name, "10.0.0.1") for name in ("ada", "ben", "cleo")]
        await course.settle()
        tasks[1].cancel()
        await course.end("ada")
        assert course.began == ["ada", "cleo"]
        await course.end("cleo")
        await asyncio.gather(*tasks, return_exceptions=True)
        tasks = [course.ask(name, "10.0.0.1") for name in ("ada", "ben", "cleo")]
        await course.settle()
        course.running.pop("ada").set()
        await asyncio.sleep(0)
        tasks[1].cancel()
        await course.settle()
        assert course.began[-2:] == ["ada", "cleo"]
        await course.end("cleo")
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_a_cancellation_takes_no_turn_of_others():
    async def main():
        course = Course()
        first, second, third = (course.ask(name, "10.0.0.1") for name in ("ada", "ben", "cleo"))
        await course.settle()
        second.cancel()
        await course.settle()
        assert course.queue.held("ben") == 0 and course.queue.held_by_address("10.0.0.1") == 1
        await course.end("ada")
        assert course.began == ["ada", "cleo"]
        first.cancel(), third.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)

    asyncio.run(main())


def test_addresses_of_one_network_count_as_one():
    async def main():
        course = Course()
        tasks = [course.ask(f"eve{n}", f"2001:db8::{n:x}") for n in range(5)]
        await course.settle()
        tasks.append(course.ask("ada", "10.0.0.2"))
        await course.settle()
        await course.end("eve0")
        assert course.began == ["eve0", "ada"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def played(script):
    """Run a script with preemption, and cancel what still waits at its end."""

    async def main():
        course, tasks = Course(overtaking=True), []

        async def ask(guest, address="10.0.0.1", key=None):
            tasks.append(course.ask(guest, address, key))
            await course.settle()

        await script(course, ask)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def test_a_sender_with_few_requests_preempts_one_with_many():
    async def script(course, ask):
        for n in range(6):
            await ask(f"eve{n}", key=f"eve {n}")
        course.now = 0.5
        await ask("ada", "10.0.0.2", "ada 0")
        assert course.began == ["eve 0"]  # which has used too little to be preempted
        course.now += 5
        await course.end("eve 0")
        course.now += 0.1
        await course.end("ada 0")
        for turn in range(1, 5):
            course.now += 5
            await course.end(course.began[-1])
            course.now += 2
            await ask("ada", "10.0.0.2", f"ada {turn}")
            assert course.began[-1] == f"ada {turn}" == course.overtook[-1]
            course.now += 0.1
            await course.end(f"ada {turn}")
            assert course.began.pop() == f"ada {turn}" and course.running  # the preempted job continues

    played(script)


def test_similar_use_is_not_preempted():
    async def script(course, ask):
        for guest, address, used in (("ada", "10.0.0.1", 2), ("ben", "10.0.0.2", 2)):
            await ask(guest, address)
            course.now += used
            await course.end(guest)
        await ask("ben", "10.0.0.2", "ben again")
        await ask("ada", key="ada again")
        assert course.began[2:] == ["ben again"]
        await ask("cleo", "10.0.0.3")
        assert course.began[3:] == course.overtook == ["cleo"]
        await ask("dan", "10.0.0.4")  # cleo has used nothing before, either
        course.now += 5
        assert course.began[3:] == ["cleo"]
        await course.end("cleo")
        assert course.began[3:] == course.overtook == ["cleo", "dan"]
        await course.end("dan")
        await course.end("ben again")
        assert course.began[5:] == ["ada again"] and course.overtook == ["cleo", "dan"]

    played(script)


def test_past_use_decays():
    async def script(course, ask):
        for guest, address, used in (("ada", "10.0.0.1", 30), ("eve", "10.0.0.2", 30)):
            await ask(guest, address)
            course.now += used
            await course.end(guest)
        course.now += 600
        await ask("eve", "10.0.0.2", "work")
        course.now += 30
        await course.end("work")
        await ask("eve", "10.0.0.2", "more")
        await ask("ada", key="ada again")
        assert course.overtook == ["ada again"]

    played(script)


def test_guests_at_one_address_count_separately():
    async def script(course, ask):
        await ask("eve")
        course.now += 20
        await course.end("eve")
        await ask("eve", key="more")
        await ask("eve", key="still more")
        assert course.began == ["eve", "more"]
        await ask("ada")
        assert course.overtook == ["ada"]

    played(script)


def test_preempted_time_is_not_counted():
    async def script(course, ask):
        for guest, address, used in (("eve", "10.0.0.1", 5), ("ada", "10.0.0.2", 1)):
            await ask(guest, address)
            course.now += used
            await course.end(guest)
        await ask("eve", key="more")
        await ask("ada", "10.0.0.2", "ada again")
        assert course.overtook == ["ada again"]
        course.now += 20  # earlier use now counts a quarter
        await course.end("ada again")
        await course.end("more")
        await ask("ada", "10.0.0.2", "ada once more")
        await ask("eve", key="eve at last")
        assert course.overtook == ["ada again", "eve at last"]

    played(script)


def test_first_requests_do_not_preempt_each_other():
    """Among many senders with a first request none preempts another, however long each job takes."""

    async def script(course, ask):
        for n in range(20):
            await ask(f"g{n}", f"10.0.0.{n}")
            course.now += 3
        assert len(course.running) == 1 and not course.overtook

    played(script)


class Several(Course):
    """Two jobs run at a time. The test counts each sender's use itself."""

    def __init__(self):
        super().__init__(2, overtaking=True)
        self.used, self.took = Counter(), Counter()

    def working(self):
        resting = {self.jobs[key].overtaken for key in self.running}
        return [key for key in self.running if self.jobs[key] not in resting]

    def wait(self, seconds):
        for key in self.working():
            self.took[key] += seconds
        for sender in self.used:
            self.used[sender] *= 0.5 ** (seconds / HALF_LIFE_S)
        self.now += seconds

    async def end(self, key):
        for sender in senders(key):
            self.used[sender] += self.took[key]
        await super().end(key)

    def uses(self, key):
        """Return the use of the job's address, and of its guest there."""
        return [self.used[sender] for sender in senders(key)]

    def margin(self, key, other):
        """Return the seconds by which a job's sender has used less than that of another job and of those that it
        preempted, minus the margin that preemption requires.
        """
        found, job = [], self.jobs[other]
        while job:
            level = key[0] == job.key[0]  # at one address, guests count separately
            found.append(self.uses(job.key)[level] - self.uses(key)[level] - OVERTAKING_FROM_S)
            job = job.overtaken
        return min(found)


def senders(key):
    address, guest, _ = key
    return address, (address, guest)


ROUNDING = 1e-6


@pytest.mark.parametrize("number", range(20))
def test_the_job_of_the_sender_with_most_use_is_preempted(number):
    """Whichever senders ask, however much time passes, and whichever jobs end."""
    rng = random.Random(number)

    async def main():
        course, tasks, waiting = Several(), [], []
        for n in range(300):
            before = course.working()
            if rng.random() < 0.4 and len(waiting) < 5:
                waiting.append((rng.choice("aaabbc"), rng.choice("xxy"), n))
                tasks.append(course.ask(waiting[-1][1], waiting[-1][0], waiting[-1]))
            elif course.running:
                course.wait(rng.expovariate(0.3))
                await course.end(rng.choice([*course.running] if rng.random() < 0.2 else course.working()))
            await course.settle()
            began = [key for key in waiting if key in course.running]
            waiting = [key for key in waiting if key not in began]
            for key in began:
                if overtaken := course.jobs[key].overtaken:
                    assert course.margin(key, overtaken.key) > -ROUNDING
                    for other in set(before) & set(course.working()):
                        if course.margin(key, other) > ROUNDING:
                            assert course.uses(overtaken.key) > [used - ROUNDING for used in course.uses(other)]
            assert len(course.working()) <= 2
            if waiting:
                least = min(waiting, key=course.uses)
                assert len(course.working()) == 2
                assert all(course.margin(least, other) < ROUNDING for other in course.working())
        assert len(course.overtook) > 5
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())
