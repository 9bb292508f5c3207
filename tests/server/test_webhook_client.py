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
async def receiver_of(handler):
    """A receiver on this machine; `answer(reader, writer)` serves each connection. Yields its URL."""

    async def serve(reader, writer):
        with contextlib.suppress(OSError):
            await handler(reader, writer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()


@contextlib.asynccontextmanager
async def open_webhooks():
    sender = Webhooks(inside=True)
    try:
        yield sender
    finally:
        await sender.close()


async def accept(reader, writer):
    await reader.readuntil(b"}")
    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
    await writer.drain()


@pytest.mark.parametrize("chunk", [EARLY_HINT, b"x" * 1000, b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 100])
def test_an_endless_answer_is_cut_off(chunk):
    sent_bytes = 0

    async def answer(_reader, writer):
        nonlocal sent_bytes
        while True:
            writer.write(chunk)
            await writer.drain()
            sent_bytes += len(chunk)

    async def main():
        async with receiver_of(answer) as url, open_webhooks() as sender:
            with pytest.raises(DeliveryError):
                await sender.send(url, {})

    asyncio.run(main())
    assert sent_bytes < webhook_client.ANSWER_MAX_BYTES + 16 * 2**20  # the kernel's buffers


def test_a_missing_answer_times_out(monkeypatch):
    monkeypatch.setattr(webhook_client, "REQUEST_TIMEOUT_S", 0.2)

    async def answer(reader, _writer):
        await reader.read()

    async def main():
        async with receiver_of(answer) as url, open_webhooks() as sender:
            with pytest.raises(DeliveryError, match=r"within 0\.2 s"):
                await sender.send(url, {})

    asyncio.run(main())


def test_requests_do_not_run_in_the_servers_event_loop():
    loops = set()

    async def main():
        async with receiver_of(accept) as url, open_webhooks() as sender:
            post = sender._post

            async def post_and_record(*args):
                loops.add((threading.current_thread(), asyncio.get_running_loop()))
                await post(*args)

            sender._post = post_and_record
            await sender.send(url, {})
            assert threading.current_thread() not in {thread for thread, _ in loops}
            assert asyncio.get_running_loop() not in {loop for _, loop in loops}

    asyncio.run(main())


def test_requests_per_host_are_limited():
    release, concurrent, max_concurrent = None, 0, 0

    async def hang(reader, writer):
        nonlocal concurrent, max_concurrent
        concurrent += 1
        max_concurrent = max(max_concurrent, concurrent)
        await release.wait()
        concurrent -= 1
        await accept(reader, writer)

    async def main():
        nonlocal release
        release = asyncio.Event()
        async with receiver_of(hang) as hanging_url, receiver_of(accept) as accepting_url, open_webhooks() as sender:
            hanging_requests = [asyncio.create_task(sender.send(hanging_url, {})) for _ in range(20)]
            while concurrent < webhook_client.HOST_MAX_REQUESTS:
                await asyncio.sleep(0.01)
            await asyncio.wait_for(sender.send(accepting_url.replace("127.0.0.1", "localhost"), {}), PATIENCE)
            release.set()
            await asyncio.gather(*hanging_requests)

    asyncio.run(main())
    assert max_concurrent == webhook_client.HOST_MAX_REQUESTS


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
        async with receiver_of(accept) as url, open_webhooks() as sender:
            hanging_requests = [asyncio.create_task(sender.send("http://slow.example/", {})) for _ in range(40)]
            await asyncio.sleep(0.1)
            await asyncio.wait_for(asyncio.to_thread(int), PATIENCE / 2)
            await asyncio.wait_for(sender.send(url, {}), PATIENCE / 2)
            release.set()
            results = await asyncio.gather(*hanging_requests, return_exceptions=True)
            assert all(isinstance(result, DeliveryError) for result in results)

    asyncio.run(main())


def test_consecutive_failures_increase_the_pause_until_a_success():
    statuses = iter([b"500", b"500", b"204", b"500"])

    async def answer(reader, writer):
        await reader.readuntil(b"}")
        writer.write(b"HTTP/1.1 " + next(statuses) + b" status\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()

    async def main():
        now = asyncio.get_running_loop().time
        async with receiver_of(answer) as url, open_webhooks() as sender:
            pauses, receiver = [], Receiver()
            for _ in range(4):
                with contextlib.suppress(DeliveryError):
                    await sender.send(url, {}, receiver, (10_000, 30_000))
                pauses.append((receiver.failures, round(max(0.0, receiver.next_try - now()), -4)))
            return pauses

    assert asyncio.run(main()) == [(1, 10_000), (2, 30_000), (0, 0), (1, 10_000)]


@pytest.mark.parametrize(
    ("url", "inside", "message"),
    [("http://a..b/", True, "invalid host name"), ("http://127.0.0.1:1/", False, "the address is not a public one")],
)
def test_an_address_that_cannot_be_used_is_a_delivery_error(url, inside, message):
    async def main():
        sender = Webhooks(inside=inside)
        with pytest.raises(DeliveryError, match=message):
            await sender.send(url, {})
        await sender.close()

    asyncio.run(main())


def test_a_receiver_that_does_not_encrypt_gets_no_message():
    received = []

    async def answer(reader, writer):
        received.append(await reader.read(1000))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await writer.drain()

    async def main():
        async with receiver_of(answer) as url, open_webhooks() as sender:
            with pytest.raises(DeliveryError):
                await sender.send(url.replace("http:", "https:"), {"text": "secret"})

    asyncio.run(main())
    assert b"secret" not in b"".join(received)


def test_a_receiver_whose_failures_are_forgotten_is_tried_at_once():
    async def main():
        sender = Webhooks(inside=True)
        async with sender.turn("http://a.example/") as receiver:
            receiver.failures, receiver.next_try = 3, float("inf")
            sender.forget("http://a.example/")
        async with asyncio.timeout(PATIENCE), sender.turn("http://a.example/") as receiver:
            assert not receiver.failures

    asyncio.run(main())
