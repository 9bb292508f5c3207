"""How a server stops: what people have sent is carried out and answered, then every socket is told to come back."""

from __future__ import annotations

from courtly.server.door import Pieces

RESTART = 1012  # close code: the server stops; another answers, or soon the same
GOODBYE = 0.5  # seconds that the other side has to close too


class Socket(Pieces):
    """Uvicorn's, but for its end: uvicorn cuts the connection, and whoever has just moved would not hear of it."""

    def shutdown(self) -> None:
        """The server stops. What has come in is still read; then whoever reads is told that it was the last: also
        for who is just being let in, whose task would wait for ever if the door were shut before it."""
        if self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        self.close_timeout = GOODBYE
        self.queue.put_nowait({"type": "websocket.disconnect", "code": RESTART})
