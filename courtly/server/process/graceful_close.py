"""How a server stops: what people have sent is carried out and answered, then every socket is told to come back. What
has come in part only is not waited for."""

from __future__ import annotations

import asyncio

import h11
from starlette.types import Scope

from courtly.server.process.listener import Pieces, Wire

READING = "courtly.reading"  # in the state of a request: the task that reads its body
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


class Connection(Wire):
    """Ours, but at the server's end a request whose body has not come whole is cut off and answered at once."""

    def shutdown(self) -> None:
        super().shutdown()
        if self.conn.their_state is h11.SEND_BODY and (task := self.scope["state"].get(READING)):
            task.cancel()


def note_reader(scope: Scope) -> None:
    """Remember that the current task reads the body of this request."""
    scope.setdefault("state", {})[READING] = asyncio.current_task()
