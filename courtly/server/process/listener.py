"""How connections come in. Who says nothing, or does not come to an end, is not waited for; where there is no room, the
one that is silent longest makes it; and none of it is allowed to use up what the process itself needs to go on."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from courtly.server.messaging.send_queue import MessageDeque
from courtly.server.settings import Settings

if sys.platform != "win32":
    import resource

REQUEST_TIMEOUT_S = 10.0  # seconds that a request may take to arrive, its head and its body
WRITE_TIMEOUT_S = 30  # seconds after which a connection is lost whose other side takes nothing
# descriptors for the database, bots and files: 30 at most without bots, and two for each of 8 processes
RESERVED_DESCRIPTORS = 64
PROCESS_DESCRIPTORS = 2  # of each process that bots think in
USUAL_BOT_PROCESSES = 5  # of the settings as they are, for which OURS is enough
MIN_CONNECTIONS = 32  # fewer, and a browser or two use them up: each opens six at once, and a socket for each page
MAX_MESSAGE_FRAMES = 1000  # of a message on a socket
CLOSE_CODE_TOO_LARGE = 1009  # close code
MIN_REQUEST_CONNECTIONS = 256  # connections beside the sockets, at least, if there is room

log = logging.getLogger("courtly.server")


def descriptor_limit() -> int | None:
    """How many this process may have open; None: nobody counts them."""
    if sys.platform == "win32":
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def min_descriptors(settings: Settings) -> int:
    """Return how many files a process must be allowed to open to serve at all."""
    bot_processes = 2 * settings.bot_workers + settings.help_workers
    return RESERVED_DESCRIPTORS + MIN_CONNECTIONS + PROCESS_DESCRIPTORS * max(0, bot_processes - USUAL_BOT_PROCESSES)


def fit_descriptor_limit(settings: Settings) -> Settings:
    """The same with room for all its sockets, or with as many sockets as there is room for. Raises ValueError if the
    system does not let this process open as many files as it needs to serve at all."""
    if sys.platform == "win32":
        return settings
    fewest = min_descriptors(settings)
    wanted = max(settings.sockets + MIN_REQUEST_CONNECTIONS + RESERVED_DESCRIPTORS, fewest)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        except (OSError, ValueError):  # some systems have other bounds too
            pass
        if soft < fewest:
            raise ValueError(
                f"{soft} open files are allowed, and at least {fewest} are needed: raise the limit, by `ulimit -n "
                f"{wanted}` in this shell or by LimitNOFILE={wanted} in the unit"
            )
        if soft < wanted:
            fewer = max(soft - RESERVED_DESCRIPTORS - MIN_REQUEST_CONNECTIONS, (soft - RESERVED_DESCRIPTORS) // 2, 1)
            log.warning("%d open files are allowed: at most %d sockets, not %d", soft, fewer, settings.sockets)
            return replace(settings, sockets=fewer)
    return settings


class ListeningSocket(socket.socket):
    """A listening socket. Where the process may open nothing more, it turns away who comes: asyncio would ask again and
    again, and say so each time."""

    def __init__(self, *given: Any, **more: Any):
        super().__init__(*given, **more)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # inherited by all that come in
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * WRITE_TIMEOUT_S)
        self._spare = -1  # a descriptor to give away
        self._keep_one()

    def _keep_one(self) -> None:
        if self._spare < 0:
            with contextlib.suppress(OSError):  # somebody else was quicker
                self._spare = os.open(os.devnull, os.O_RDONLY)

    def _give_one(self) -> None:
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1

    def __reduce__(self) -> tuple[Callable[..., ListeningSocket], tuple[Any, ...]]:
        """For a process that this one starts."""
        from multiprocessing.reduction import DupFd

        return _wrap_accepted, (DupFd(self.fileno()), self.family, self.type, self.proto)

    def accept(self) -> tuple[socket.socket, Any]:
        try:
            made = super().accept()
            self._keep_one()
            return made
        except OSError as wrong:
            if wrong.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            if not self._turn_away():
                raise  # asyncio looks again in a second
            raise BlockingIOError from None  # for now nobody waits

    def _turn_away(self) -> bool:
        """Whoever is first in the queue; False if there is nothing to do it with."""
        log.warning("too many open files: who comes now is turned away")
        self._give_one()
        try:
            super().accept()[0].close()
        except OSError as wrong:
            return wrong.errno not in (errno.EMFILE, errno.ENFILE)  # gone already
        finally:
            self._keep_one()
        return True

    def close(self) -> None:
        self._give_one()
        super().close()


def _wrap_accepted(descriptor: Any, *kind: int) -> ListeningSocket:
    return ListeningSocket(*kind, fileno=descriptor.detach())


def without_trace(record: logging.LogRecord) -> bool:
    """Text that is none is no fault of ours, and leaves no trace. That the server's end cuts requests off is told
    already, with their number."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


logging.getLogger("uvicorn.error").addFilter(without_trace)


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's socket, but a message comes in few pieces: empty ones are no part of its size. And while it is silent
    it keeps little."""

    def __init__(self, *given: Any, **more: Any):
        super().__init__(*given, **more)
        self.queue = MessageDeque()  # type: ignore[assignment]  # all that is asked of a queue here

    def start_keepalive(self) -> None:
        """It is accepted: what was asked, and answered, is done with."""
        self.request.headers.clear()
        self.scope["headers"].clear()  # type: ignore[attr-defined]  # a list, which nobody looks into again
        del self.request, self.response
        super().start_keepalive()

    def handle_cont(self, event: Frame) -> None:
        if self.close_sent:
            return
        if len(self.frames) < MAX_MESSAGE_FRAMES:
            super().handle_cont(event)
        else:
            self.conn.send_close(CLOSE_CODE_TOO_LARGE)
            self.handle_parser_exception()


class TimedH11Protocol(H11Protocol):
    """Uvicorn's connection, but what it waits for has to come in time."""

    # for a whole request; who waits longest comes first
    waiting: ClassVar[dict[TimedH11Protocol, asyncio.TimerHandle]] = {}

    # asyncio says that it may be any transport; of a TCP connection it is one that reads and writes, as Uvicorn has it
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        allowed = descriptor_limit()
        if allowed is not None and len(self.connections) > allowed - RESERVED_DESCRIPTORS:
            next(iter(TimedH11Protocol.waiting), self).end()
        if not transport.is_closing():
            self._begin()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._begin()  # the first of it is here
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        self._begin()
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._done()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", False):
            self.transport.close()  # what it asked could not be read, and nobody would answer

    def connection_lost(self, exc: Exception | None) -> None:
        self._done()
        super().connection_lost(exc)

    def end(self) -> None:
        self._done()
        self.transport.abort()

    def _begin(self) -> None:
        """From now on a request is waited for."""
        self._done()
        if not self.transport.is_closing():
            TimedH11Protocol.waiting[self] = self.loop.call_later(REQUEST_TIMEOUT_S, self._late)

    def _late(self) -> None:
        """Nothing has come. But it may not have taken all that it was answered yet: the kernel ends it if it takes
        nothing."""
        if self.transport.get_write_buffer_size():
            self._begin()
        else:
            self.end()

    def _look(self) -> None:
        """Has it come?"""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._done()

    def _done(self) -> None:
        if timer := TimedH11Protocol.waiting.pop(self, None):
            timer.cancel()
