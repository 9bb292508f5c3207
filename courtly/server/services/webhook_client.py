"""Requests to webhooks, whose addresses come from guests.

A receiver may hang, send an endless answer, or have a name that does not resolve. Requests therefore run in a separate
event loop, in a thread with its own resolver threads, and every resource is bounded: time and bytes of an answer, one
request at a time for each receiver, HOST_MAX_REQUESTS for each host, and a separate limit for receivers whose last
request failed. The caller sets the pauses after failures and switches a receiver off.
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
ANSWER_MAX_BYTES = 64 * 1024  # with the TLS handshake
HOST_MAX_REQUESTS = 4  # concurrent requests
MAX_REQUESTS = 32  # concurrent requests to receivers whose last request succeeded
MAX_RETRIES = 4  # concurrent requests to receivers whose last request failed
RESOLVER_THREADS = 48  # more than concurrent requests: a lookup that timed out still occupies its thread
URL_MAX_CHARACTERS = 500
INTERNET = ipaddress.IPv6Network("2000::/3")  # global unicast addresses, except TUNNELS
TUNNELS = [ipaddress.IPv6Network(net) for net in ("2001::/23", "2002::/16", "3fff::/20")]  # tunnels, documentation
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 addresses in networks that have IPv6 only (RFC 6052)

T = TypeVar("T")


class DeliveryError(CourtlyError):
    """A message was not delivered. The text gives the reason; `status` is the HTTP status, 0 without an answer."""

    def __init__(self, reason: str, status: int = 0):
        super().__init__(reason)
        self.status = status


@dataclass(eq=False)
class Receiver:
    """The state of one webhook.

    Attributes:
        lock: Held while a request is sent.
        failures: Failed requests since the last success.
        next_try: The monotonic time in seconds before which nothing is sent.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    failures: int = 0
    next_try: float = 0.0


class Webhooks:
    """Sends requests to webhooks. `inside`: whether addresses of this machine and its network are allowed."""

    def __init__(self, inside: bool):
        self._inside = inside
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pool: httpcore.AsyncConnectionPool | None = None
        self._receivers: dict[str, Receiver] = {}  # by URL; only those in use, or whose last request failed
        self._hosts: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._request_slots, self._retry_slots = asyncio.Semaphore(MAX_REQUESTS), asyncio.Semaphore(MAX_RETRIES)

    @asynccontextmanager
    async def turn(self, hook: str) -> AsyncIterator[Receiver]:
        """Hold a receiver exclusively. The block starts once the pause after its last failure is over."""
        receiver = self._receivers.setdefault(hook, Receiver())
        try:
            async with receiver.lock:
                await asyncio.sleep(max(0.0, receiver.next_try - time.monotonic()))
                yield receiver
        finally:
            if not receiver.failures and not receiver.lock.locked():
                self._receivers.pop(hook, None)

    def forget(self, hook: str) -> None:
        """Forget the failures of a receiver."""
        if receiver := self._receivers.get(hook):
            receiver.failures, receiver.next_try = 0, 0.0

    async def send(
        self, url: str, body: Mapping[str, Any], receiver: Receiver | None = None, pauses_s: Sequence[float] = ()
    ) -> None:
        """Post `body` as JSON.

        Args:
            url: The address of the webhook.
            body: The message.
            receiver: Counts the success or failure; the caller holds its `turn`. None: it is not counted.
            pauses_s: Seconds to wait after the first failure in a row, after the second, and so on.

        Raises:
            DeliveryError: No answer with a 2xx status arrived within the limits of time and bytes.
        """
        lane = self._retry_slots if receiver and receiver.failures else self._request_slots
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
        """Run a coroutine in the event loop of the thread. Cancelling this call also cancels the coroutine."""
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
                async with self._pool.stream("POST", url, headers=headers, content=content) as response:
                    if not 200 <= response.status < 300:
                        raise DeliveryError(f"answered {response.status}", response.status)
        except TimeoutError:
            raise DeliveryError(f"no answer within {REQUEST_TIMEOUT_S:g} s") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError) as error:
            raise DeliveryError(str(error)) from error

    async def close(self) -> None:
        """End the thread. Running requests are dropped."""
        if self._loop is None:
            return
        if self._pool is not None:
            pool = self._pool
            await self._in_thread(pool.aclose)
        self._loop.call_soon_threadsafe(self._loop.stop)


def _bounded_backend(inside: bool) -> Any:
    """Return httpcore's network backend, restricted against server-side request forgery (SSRF).

    Unless `inside`, connections to addresses of this machine and its network are refused. The name is resolved once, so
    that the checked address is the one that is used. Each connection reads at most ANSWER_MAX_BYTES.
    """
    import httpcore

    class Stream(httpcore.AsyncNetworkStream):
        def __init__(self, stream: httpcore.AsyncNetworkStream):
            self._stream = stream
            self._left = ANSWER_MAX_BYTES

        async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
            if self._left <= 0:
                raise httpcore.ReadError(f"the answer is longer than {ANSWER_MAX_BYTES} bytes")
            chunk = await self._stream.read(min(max_bytes, self._left), timeout)
            self._left -= len(chunk)
            return chunk

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
                entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
            except UnicodeError:  # a label is empty or too long
                raise OSError("invalid host name") from None
            addresses = [str(entry[4][0]) for entry in entries]
            if not inside and not all(map(is_outside, addresses)):
                raise OSError("the address is not a public one")
            return Stream(await super().connect_tcp(addresses[0], port, timeout, local_address, socket_options))

    return Outside()


def is_outside(text: str) -> bool:
    """Return whether an IP address is public: neither local nor a tunnel that could lead to a local address."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        v4 = ipaddress.IPv4Address(address.packed[-4:]) if address in NAT64 else address.ipv4_mapped
        if v4 is None:
            return address.is_global and address in INTERNET and not any(address in net for net in TUNNELS)
        address = v4
    return address.is_global and not address.is_multicast


def is_hook(text: str) -> bool:
    """Return whether a text is a valid http or https URL for a webhook."""
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
