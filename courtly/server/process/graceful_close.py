"""How a server stops: what people have sent is carried out and answered, then every socket is told to come back. What
has come in part only is not waited for."""

from __future__ import annotations

import h11

from courtly.server.http.body_reader import BODY_READER_KEY
from courtly.server.process.listener import BoundedWebSocketProtocol, TimedH11Protocol
from courtly.server.realtime.close_codes import CLOSE_CODE_RESTART

CLOSE_TIMEOUT_S = 0.5  # seconds that the other side has to close too


class GracefulWebSocketProtocol(BoundedWebSocketProtocol):
    """Uvicorn's, but for its end: uvicorn cuts the connection, and whoever has just moved would not hear of it."""

    def shutdown(self) -> None:
        """The server stops. What has come in is still read; then whoever reads is told that it was the last: also
        for who is just being let in, whose task would wait for ever if the door were shut before it."""
        if self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        self.close_timeout = CLOSE_TIMEOUT_S
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_CODE_RESTART})


class GracefulHttpProtocol(TimedH11Protocol):
    """Ours, but at the server's end a request whose body has not come whole is cut off and answered at once."""

    def shutdown(self) -> None:
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY and (task := self.scope["state"].get(BODY_READER_KEY)):
            task.cancel()
