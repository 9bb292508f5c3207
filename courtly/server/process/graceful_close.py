"""Connections that close gracefully when the server stops.

The server carries out and answers every complete message, then closes each WebSocket with a code that makes the client
reconnect. It does not wait for messages and requests that have arrived only in part.
"""

from __future__ import annotations

import h11

from courtly.server.http.body_reader import BODY_READER_KEY
from courtly.server.process.listener import BoundedWebSocketProtocol, TimedH11Protocol
from courtly.server.realtime.close_codes import CLOSE_CODE_RESTART

CLOSE_TIMEOUT_S = 0.5  # seconds for the client's close frame


class GracefulWebSocketProtocol(BoundedWebSocketProtocol):
    """A WebSocket that answers pending messages before it closes. Uvicorn's own class drops them."""

    def shutdown(self) -> None:
        """Queue a disconnect event after the messages that have arrived.

        A connection that is still being accepted gets the event, too; its task would otherwise wait forever.
        """
        if self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        self.close_timeout = CLOSE_TIMEOUT_S
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_CODE_RESTART})


class GracefulHttpProtocol(TimedH11Protocol):
    """An HTTP connection that, when the server stops, answers a request with an incomplete body at once."""

    def shutdown(self) -> None:
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY and (task := self.scope["state"].get(BODY_READER_KEY)):
            task.cancel()
