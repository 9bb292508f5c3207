"""The listening socket and the connections that it accepts.

Idle connections and incomplete requests time out. When no descriptor is free for a new connection, the one that has
been idle longest is closed. Connections never use the descriptors that the process itself needs.
"""

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

REQUEST_TIMEOUT_S = 10.0  # seconds for a complete request, head and body, to arrive
WRITE_TIMEOUT_S = 30  # seconds after which a connection is closed whose client acknowledges no data
# descriptors for the database, files and bots: 30 at most without bots, and two for each of 8 bot processes
RESERVED_DESCRIPTORS = 64
PROCESS_DESCRIPTORS = 2  # descriptors for each bot process
USUAL_BOT_PROCESSES = 5  # bot processes with the default settings; RESERVED_DESCRIPTORS covers them
MIN_CONNECTIONS = 32  # enough for two browsers: each opens six connections at once, and a WebSocket for each page
MAX_MESSAGE_FRAMES = 1000  # frames of one WebSocket message
CLOSE_CODE_TOO_LARGE = 1009
MIN_REQUEST_CONNECTIONS = 256  # connections for HTTP requests beside the WebSockets, if the limit allows

log = logging.getLogger("courtly.server")


def descriptor_limit() -> int | None:
    """Return how many descriptors this process may have open, or None if there is no limit."""
    if sys.platform == "win32":
        return None
    soft_limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft_limit == resource.RLIM_INFINITY else soft_limit


def min_descriptors(settings: Settings) -> int:
    """Return how many files a process must be allowed to open to serve at all."""
    bot_processes = 2 * settings.bot_workers + settings.hint_workers
    return RESERVED_DESCRIPTORS + MIN_CONNECTIONS + PROCESS_DESCRIPTORS * max(0, bot_processes - USUAL_BOT_PROCESSES)


def fit_descriptor_limit(settings: Settings) -> Settings:
    """Raise the limit of open files for the configured number of sockets.

    Returns the settings, with fewer sockets if the limit cannot be raised far enough. Raises ValueError if the limit is
    below `min_descriptors`.
    """
    if sys.platform == "win32":
        return settings
    fewest = min_descriptors(settings)
    needed = max(settings.sockets + MIN_REQUEST_CONNECTIONS + RESERVED_DESCRIPTORS, fewest)
    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < needed:
        target = needed if hard_limit == resource.RLIM_INFINITY else min(hard_limit, needed)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard_limit))
            soft_limit = target
        except (OSError, ValueError):  # some systems have further limits
            pass
        if soft_limit < fewest:
            raise ValueError(
                f"{soft_limit} open files are allowed, and at least {fewest} are needed: raise the limit, with `ulimit "
                f"-n {needed}` in this shell or with LimitNOFILE={needed} in the systemd unit"
            )
        if soft_limit < needed:
            fewer = max(
                soft_limit - RESERVED_DESCRIPTORS - MIN_REQUEST_CONNECTIONS, (soft_limit - RESERVED_DESCRIPTORS) // 2, 1
            )
            log.warning(
                "%d open files are allowed: at most %d sockets instead of %d; raise the limit to %d",
                soft_limit,
                fewer,
                settings.sockets,
                needed,
            )
            return replace(settings, sockets=fewer)
    return settings


class ListeningSocket(socket.socket):
    """A listening socket that rejects new connections while no descriptor is free.

    Without this, asyncio would retry `accept` every second and log an error each time. The socket keeps one spare
    descriptor, which it gives up to accept and close a waiting connection.
    """

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # accepted connections inherit it
            self.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * WRITE_TIMEOUT_S)
        self._spare = -1  # a descriptor of os.devnull; -1: none
        self._reserve_descriptor()

    def _reserve_descriptor(self) -> None:
        if self._spare < 0:
            with contextlib.suppress(OSError):  # no descriptor is free
                self._spare = os.open(os.devnull, os.O_RDONLY)

    def _free_descriptor(self) -> None:
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1

    def __reduce__(self) -> tuple[Callable[..., ListeningSocket], tuple[Any, ...]]:
        """Pickle the socket for a process that this one starts."""
        from multiprocessing.reduction import DupFd

        return _wrap_accepted, (DupFd(self.fileno()), self.family, self.type, self.proto)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection. Raises BlockingIOError if it was rejected because no descriptor is free."""
        try:
            connection = super().accept()
            self._reserve_descriptor()
            return connection
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            if not self._reject_connection():
                raise  # asyncio retries in a second
            raise BlockingIOError from None  # asyncio treats this as an empty queue

    def _reject_connection(self) -> bool:
        """Close the first waiting connection. Returns False if there is no spare descriptor to accept it with."""
        log.warning("file descriptor limit reached: rejecting new connections")
        self._free_descriptor()
        try:
            super().accept()[0].close()
        except OSError as error:
            return error.errno not in (errno.EMFILE, errno.ENFILE)  # any other error: the client is gone
        finally:
            self._reserve_descriptor()
        return True

    def close(self) -> None:
        self._free_descriptor()
        super().close()


def _wrap_accepted(descriptor: Any, *kind: int) -> ListeningSocket:
    return ListeningSocket(*kind, fileno=descriptor.detach())


def filter_record(record: logging.LogRecord) -> bool:
    """Filter uvicorn's log: drop cancelled requests, and remove the traceback of text that is not UTF-8.

    Uvicorn logs the number of cancelled requests itself when the server stops. Invalid text is the client's fault.
    """
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        return False
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


logging.getLogger("uvicorn.error").addFilter(filter_record)


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket with a limit on the frames of a message, which uses little memory while it is idle.

    The limit is needed because empty frames do not count towards the size of a message.
    """

    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        self.queue = MessageDeque()  # type: ignore[assignment]  # has every method that uvicorn calls

    def start_keepalive(self) -> None:
        """Free the request and the response of the handshake. Called once the connection is accepted."""
        self.request.headers.clear()
        self.scope["headers"].clear()  # type: ignore[attr-defined]  # a list, which is not read again
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
    """An HTTP connection that is closed if no complete request arrives within REQUEST_TIMEOUT_S."""

    # connections that wait for a complete request, each with its timer; the one that has waited longest comes first
    waiting: ClassVar[dict[TimedH11Protocol, asyncio.TimerHandle]] = {}

    # asyncio declares BaseTransport; for TCP it passes a Transport, which uvicorn declares
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        allowed = descriptor_limit()
        if allowed is not None and len(self.connections) > allowed - RESERVED_DESCRIPTORS:
            next(iter(TimedH11Protocol.waiting), self).end()
        if not transport.is_closing():
            self._start_timer()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._start_timer()  # first bytes of a request
        super().data_received(data)
        self._update_timer()

    def on_response_complete(self) -> None:
        self._start_timer()
        super().on_response_complete()
        self._update_timer()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade(event)
        if not getattr(self.transport.get_protocol(), "handshake_initiated", False):
            self.transport.close()  # the handshake is invalid; uvicorn would leave the connection open

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once."""
        self._stop_timer()
        self.transport.abort()

    def _start_timer(self) -> None:
        """Start the timer for a complete request, or restart it."""
        self._stop_timer()
        if not self.transport.is_closing():
            TimedH11Protocol.waiting[self] = self.loop.call_later(REQUEST_TIMEOUT_S, self._handle_timeout)

    def _handle_timeout(self) -> None:
        """Close the connection after the timeout.

        While the client still reads the last response, the timer starts again; if the client stops reading, the kernel
        closes the connection (WRITE_TIMEOUT_S).
        """
        if self.transport.get_write_buffer_size():
            self._start_timer()
        else:
            self.end()

    def _update_timer(self) -> None:
        """Stop the timer if the request is complete."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timer()

    def _stop_timer(self) -> None:
        """Stop the timer."""
        if timer := TimedH11Protocol.waiting.pop(self, None):
            timer.cancel()
