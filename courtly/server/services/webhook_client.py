"""Requests to addresses that guests have given (webhooks).

A receiver may hang, answer without end, or have a name that does not resolve. So all of this runs in an event loop of
its own, in a thread of its own with its own resolver threads, and everything that a receiver can cost is bounded: the
time and the bytes of an answer, one request at a time for each receiver, few for each host, and a lane apart for
receivers whose last request failed. Each failure in a row doubles or more the pause before the next request; after the
last pause the receiver is reported as switched off.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from courtly.engine.errors import CourtlyError

if TYPE_CHECKING:
    import httpcore

REQUEST_TIMEOUT_S = 10.0
ANSWER_MAX_BYTES = 64 * 1024  # the TLS handshake included
HOST_MAX_REQUESTS = 4  # at the same time
MAX_REQUESTS = 32  # at the same time, to receivers whose last request succeeded
MAX_RETRIES = 4  # at the same time, to receivers whose last request failed
RESOLVER_THREADS = 48  # more than requests at the same time: a lookup that timed out still holds its thread
URL_MAX_CHARACTERS = 500
INTERNET = ipaddress.IPv6Network("2000::/3")  # of which parts are for tunnels, or for books
TUNNELS = [ipaddress.IPv6Network(net) for net in ("2001::/23", "2002::/16", "3fff::/20")]
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # where a network without IPv4 finds it

T = TypeVar("T")


class DeliveryError(CourtlyError):
    """A message that was not delivered; says why, for the log. `status`: the HTTP status of the answer; 0: none."""

    def __init__(self, why: str, status: int = 0):
        super().__init__(why)
        self.status = status


@dataclass(eq=False)
class Receiver:
    """What is known of one webhook. `failures`: failed requests since the last that succeeded. `next_try`: the
    monotonic time before which nothing is sent."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    failures: int = 0
    next_try: float = 0.0


class Webhooks:
    """Sends requests to webhooks. `inside`: addresses of this machine and its network are allowed."""

    def __init__(self, inside: bool):
        self._inside = inside
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool: httpcore.AsyncConnectionPool | None = None
        self._receivers: dict[str, Receiver] = {}  # those that are used now or failed last, by URL
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._healthy, self._failing = asyncio.Semaphore(MAX_REQUESTS), asyncio.Semaphore(MAX_RETRIES)

    @asynccontextmanager
    async def turn(self, hook: str) -> AsyncIterator[Receiver]:
        """Hold a receiver: nobody else sends to it meanwhile. Entered once its pause after a failure is over."""
        receiver = self._receivers.setdefault(hook, Receiver())
        try:
            async with receiver.lock:
                await asyncio.sleep(max(0.0, receiver.next_try - time.monotonic()))
                yield receiver
        finally:
            if not receiver.failures and not receiver.lock.locked():
                self._receivers.pop(hook, None)

    def forget(self, hook: str) -> None:
        """Treat a receiver as if it had never failed."""
        if receiver := self._receivers.get(hook):
            receiver.failures, receiver.next_try = 0, 0.0

    async def send(
        self, url: str, body: Mapping[str, Any], receiver: Receiver | None = None, pauses_s: Sequence[float] = ()
    ) -> None:
        """Post `body` as JSON.

        Args:
            url: where the request goes.
            body: what is sent.
            receiver: where success or failure is counted; the caller holds its `turn`. None: it is not counted.
            pauses_s: before the request after the first failure in a row, after the second, and so on.

        Raises:
            DeliveryError: no answer with a 2xx status came within the limits of time and bytes.
        """
        lane = self._failing if receiver and receiver.failures else self._healthy
        at_host = self._hosts.setdefault(urlsplit(url).hostname or "", asyncio.Semaphore(HOST_MAX_REQUESTS))
        content = json.dumps(body, ensure_ascii=False).encode()
        try:
            async with at_host, lane:
                await self._in_thread(lambda: self._post(url, content))
        except DeliveryError:
            if receiver:
                receiver.failures += 1
                receiver.next_try = time.monotonic() + (
                    pauses_s[min(receiver.failures, len(pauses_s)) - 1] if pauses_s else 0.0
                )
            raise
        if receiver:
            receiver.failures, receiver.next_try = 0, 0.0

    # --- the thread --------------------------------------------------------------------------------------------------

    async def _in_thread(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a coroutine in the loop of the deliveries; cancelling this cancels it there."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(RESOLVER_THREADS, "resolver"))
            threading.Thread(target=self._loop.run_forever, name="webhooks", daemon=True).start()

        async def run() -> T:
            return await work()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(run(), self._loop))

    async def _post(self, url: str, content: bytes) -> None:
        import httpcore

        if self._pool is None:
            self._pool = httpcore.AsyncConnectionPool(
                ssl_context=ssl.create_default_context(),
                max_connections=MAX_REQUESTS + MAX_RETRIES,
                max_keepalive_connections=0,
                network_backend=_bounded_backend(self._inside),
            )
        headers = [("content-type", "application/json"), ("user-agent", "courtly")]
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                async with self._pool.stream("POST", url, headers=headers, content=content) as answer:
                    if not 200 <= answer.status < 300:
                        raise DeliveryError(f"answered {answer.status}", answer.status)
        except TimeoutError:
            raise DeliveryError(f"no answer within {REQUEST_TIMEOUT_S:g} s") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as wrong:
            raise DeliveryError(str(wrong)) from wrong

    async def close(self) -> None:
        """End the thread; requests that still run are dropped with it."""
        if self._loop is None:
            return
        if self._pool is not None:
            pool = self._pool
            await self._in_thread(pool.aclose)
        self._loop.call_soon_threadsafe(self._loop.stop)


def _bounded_backend(inside: bool) -> Any:
    """Connections to the world alone: an address that somebody gives must not reach what is open to this machine only.
    The name is resolved once, so that the address that was checked is the one that is used. Each connection reads at
    most ANSWER_MAX_BYTES."""
    import httpcore

    class Stream(httpcore.AsyncNetworkStream):
        def __init__(self, stream: httpcore.AsyncNetworkStream):
            self._stream = stream
            self._left = ANSWER_MAX_BYTES

        async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            if self._left <= 0:
                raise httpcore.ReadError(f"the answer is longer than {ANSWER_MAX_BYTES} bytes")
            found = await self._stream.read(min(max_bytes, self._left), timeout)
            self._left -= len(found)
            return found

        async def write(self, buffer: bytes, timeout: float | None = None) -> None:
            await self._stream.write(buffer, timeout)

        async def aclose(self) -> None:
            await self._stream.aclose()

        async def start_tls(
            self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
        ) -> httpcore.AsyncNetworkStream:
            return Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

        def get_extra_info(self, info: str) -> Any:
            return self._stream.get_extra_info(info)

    class Outside(httpcore.AnyIOBackend):
        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> Any:
            try:
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except UnicodeError:  # a part of it is empty, or too long
                raise OSError("that is no name of a machine") from None
            addresses = [str(entry[4][0]) for entry in found]
            if not inside and not all(map(is_outside, addresses)):
                raise OSError("that address is not open to the world")
            return Stream(await super().connect_tcp(addresses[0], port, timeout, local_address, socket_options))

    return Outside()


def is_outside(text: str) -> bool:
    """Does this address lead to the world, and not, by whatever way, to what is near?"""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        v4 = ipaddress.IPv4Address(address.packed[-4:]) if address in NAT64 else address.ipv4_mapped
        if v4 is None:
            return address.is_global and address in INTERNET and not any(address in net for net in TUNNELS)
        address = v4
    return address.is_global and not address.is_multicast


def is_hook(text: str) -> bool:
    try:
        url = urlsplit(text)
        return (
            url.scheme in ("http", "https")
            and bool(url.hostname)
            and url.port != 0
            and text.isascii()
            and text.isprintable()
            and " " not in text
            and len(text) <= URL_MAX_CHARACTERS
        )
    except ValueError:
        return False
