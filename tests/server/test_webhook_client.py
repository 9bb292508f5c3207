"""The cost of hostile webhook receivers, with real sockets on this machine."""

import asyncio
import contextlib
import socket
import threading

import pytest
from guests import PATIENCE

from courtly.server.services import webhook_client
from courtly.server.services.webhook_client import DeliveryError, Receiver, Webhooks

EARLY_HINT = b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"


@contextlib.asynccontextmanager
async def receiving(answer):
    """A receiver on this machine; `answer(reader, writer)` serves each connection. Yields its URL."""

    async def serve(reader, writer):
        with contextlib.suppress(OSError):
            await answer(reader, writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()


@contextlib.asynccontextmanager
async def sending():
    sender = Webhooks(inside=True)
    try:
        yield sender
    finally:
        await sender.close()


async def accept(reader, writer):
    await reader.readuntil(b"}")
    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
    await writer.drain()


@pytest.mark.parametrize("endless", [EARLY_HINT, b"x" * 1000, b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100])
def test_an_endless_answer_is_cut_off(endless):
    sent = 0

    async def answer(_reader, writer):
        nonlocal sent
        while True:
            writer.write(endless)
            await writer.drain()
            sent += len(endless)

    async def main():
        async with receiving(answer) as url, sending() as sender:
            with pytest.raises(DeliveryError):
                await sender.send(url, {})

    asyncio.run(main())
    assert sent < webhook_client.ANSWER_MAX_BYTES + 16 * 2**20  # the kernel's buffers


def test_a_missing_answer_times_out(monkeypatch):
    monkeypatch.setattr(webhook_client, "REQUEST_TIMEOUT_S", 0.2)

    async def answer(reader, _writer):
        await reader.read()

    async def main():
        async with receiving(answer) as url, sending() as sender:
            with pytest.raises(DeliveryError, match=r"within 0\.2 s"):
                await sender.send(url, {})

    asyncio.run(main())


def test_requests_do_not_run_in_the_servers_event_loop():
    loops = set()

    async def main():
        async with receiving(accept) as url, sending() as sender:
            post = sender._post

            async def spied(*args):
                loops.add((threading.current_thread(), asyncio.get_running_loop()))
                await post(*args)

            sender._post = spied
            await sender.send(url, {})
            assert threading.current_thread() not in {thread for thread, _ in loops}
            assert asyncio.get_running_loop() not in {loop for _, loop in loops}

    asyncio.run(main())


def test_requests_per_host_are_limited():
    release, now, most = None, 0, 0

    async def hang(reader, writer):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await release.wait()
        now -= 1
        await accept(reader, writer)

    async def main():
        nonlocal release
        release = asyncio.Event()
        async with receiving(hang) as bad, receiving(accept) as good, sending() as sender:
            hanging = [asyncio.create_task(sender.send(bad, {})) for _ in range(20)]
            while now < webhook_client.HOST_MAX_REQUESTS:
                await asyncio.sleep(0.01)
            await asyncio.wait_for(sender.send(good.replace("127.0.0.1", "localhost"), {}), PATIENCE)
            release.set()
            await asyncio.gather(*hanging)

    asyncio.run(main())
    assert most == webhook_client.HOST_MAX_REQUESTS


def test_slow_name_resolution_does_not_block_other_threads(monkeypatch):
    """The default executor also draws pictures and resolves other names."""
    release, resolve = threading.Event(), socket.getaddrinfo

    def slow(host, *args, **kwargs):
        if host == "slow.example":
            release.wait(PATIENCE)
            raise OSError("no such name")
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slow)

    async def main():
        async with receiving(accept) as good, sending() as sender:
            hanging = [asyncio.create_task(sender.send("http://slow.example/", {})) for _ in range(40)]
            await asyncio.sleep(0.1)
            await asyncio.wait_for(asyncio.to_thread(int), PATIENCE / 2)
            await asyncio.wait_for(sender.send(good, {}), PATIENCE / 2)
            release.set()
            done = await asyncio.gather(*hanging, return_exceptions=True)
            assert all(isinstance(wrong, DeliveryError) for wrong in done)

    asyncio.run(main())


def test_consecutive_failures_increase_the_pause_until_a_success():
    statuses = iter([b"500", b"500", b"204", b"500"])

    async def answer(reader, writer):
        await reader.readuntil(b"}")
        writer.write(b"HTTP/1.1 " + next(statuses) + b" said\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()

    async def main():
        now = asyncio.get_running_loop().time
        async with receiving(answer) as url, sending() as sender:
            found, receiver = [], Receiver()
            for _ in range(4):
                with contextlib.suppress(DeliveryError):
                    await sender.send(url, {}, receiver, (10_000, 30_000))
                found.append((receiver.failures, round(max(0.0, receiver.next_try - now()), -4)))
            return found

    assert asyncio.run(main()) == [(1, 10_000), (2, 30_000), (0, 0), (1, 10_000)]
