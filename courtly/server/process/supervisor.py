"""Several processes behind one listening socket: each is a whole server, and they meet in the database. Uvicorn's
supervisor starts them, starts anew those that die or are stopped, and at SIGHUP replaces them one after another."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from functools import partial
from socket import socket
from tempfile import TemporaryDirectory

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.supervisors import Multiprocess, multiprocess

from courtly.server.app import make_app
from courtly.server.assets.bundle import Statics
from courtly.server.observability.log_setup import write_logs
from courtly.server.observability.metrics import TOGETHER
from courtly.server.persistence.engine import Unusable, open_database
from courtly.server.settings import WEB, Settings

ENDS = 10  # seconds in which a process ends that is asked to: longer than all it does to stop
AGAIN = 1.0  # seconds before another try where the database cannot be used
HUNG = 20  # seconds without a sign of life after which a process is ended; a new one has as long to begin
SLEEP = 1.0  # seconds until its loop is asked again for one

log = logging.getLogger("courtly.server")


class Worker(multiprocess.Process):
    """One of them, whose end is seen at once, and comes. Uvicorn's keeps the worker's end of the pipe open, too, and
    then waits in vain for an answer through it."""

    def start(self) -> None:
        super().start()
        self.child_conn.close()

    def join(self) -> None:
        """One that does not end, because its system has stopped it, is not waited for without end."""
        self.process.join(ENDS)
        if self.process.is_alive():
            log.error("process %s did not end within %g s: it is killed", self.pid, ENDS)
            self.process.kill()
        super().join()


def serve_together(settings: Settings, config: uvicorn.Config, listening: socket) -> None:
    """Until interrupted."""
    config.app, config.factory = partial(_one, settings), True
    config.workers, config.timeout_worker_healthcheck = settings.workers, HUNG
    multiprocess.Process = Worker  # type: ignore[misc]  # the supervisor has no other way to be given one
    with TemporaryDirectory(prefix="courtly-") as folder:
        os.environ[TOGETHER] = folder
        Multiprocess(config, [listening]).run()


def _one(settings: Settings) -> ASGIApp:
    """In a process of its own: the application. A database that cannot be used now may come back."""
    write_logs(settings.log_level, settings.log_json, settings.log_requests)
    threading.Thread(target=_end_with_the_others, daemon=True).start()
    threading.Thread(target=end_if_it_hangs, args=(asyncio.get_running_loop(), HUNG), daemon=True).start()
    try:
        engine = open_database(settings.database_url, pooled=bool(settings.database_direct))
    except Unusable as wrong:
        log.error("%s", wrong)
        time.sleep(AGAIN)
        sys.exit(1)
    return opened_again(make_app(settings, engine, Statics(WEB)))


def opened_again(app: ASGIApp) -> ASGIApp:
    """A house that cannot be opened now may be later. Uvicorn would hold it for broken, and end all others too."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        async def said(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                time.sleep(AGAIN)
                os._exit(1)
            await send(message)

        await app(scope, receive, said if scope["type"] == "lifespan" else send)

    return served


def end_if_it_hangs(loop: asyncio.AbstractEventLoop, patience: float) -> None:
    """The supervisor hears from a thread, which answers for a loop that does nothing any more, too. The loop is asked
    twice: where the whole process was stopped it had no time for the first answer."""
    unheard = 0
    while unheard < 2:
        heard = threading.Event()
        try:
            loop.call_soon_threadsafe(heard.set)
        except RuntimeError:  # it is closed
            return
        unheard = 0 if heard.wait(patience / 2) else unheard + 1
        if heard.is_set():
            time.sleep(SLEEP)
    log.error("nothing was done for %g s: this process ends, and another begins", patience)
    os._exit(1)


def _end_with_the_others() -> None:
    """Where the process that started this one was killed, nobody would end this one."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
