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
from courtly.server.assets.bundle import AssetBundle
from courtly.server.observability.log_setup import configure_logging
from courtly.server.observability.metrics import MULTIPROCESS_FOLDER_VARIABLE
from courtly.server.persistence.engine import DatabaseUnusableError, open_database
from courtly.server.settings import WEB, Settings

STOP_TIMEOUT_S = 10  # seconds in which a process ends that is asked to: longer than all it does to stop
STARTUP_RETRY_DELAY_S = 1.0  # seconds before another try where the database cannot be used
HANG_TIMEOUT_S = 20  # seconds without a sign of life after which a process is ended; a new one has as long to begin
HANG_POLL_S = 1.0  # seconds until its loop is asked again for one

log = logging.getLogger("courtly.server")


class ServerProcess(multiprocess.Process):
    """One of them, whose end is seen at once, and comes. Uvicorn's keeps the worker's end of the pipe open, too, and
    then waits in vain for an answer through it."""

    def start(self) -> None:
        super().start()
        self.child_conn.close()

    def join(self) -> None:
        """One that does not end, because its system has stopped it, is not waited for without end."""
        self.process.join(STOP_TIMEOUT_S)
        if self.process.is_alive():
            log.error("process %s did not end within %g s: it is killed", self.pid, STOP_TIMEOUT_S)
            self.process.kill()
        super().join()


def run_supervisor(settings: Settings, config: uvicorn.Config, listening: socket) -> None:
    """Until interrupted."""
    config.app, config.factory = partial(_run_worker, settings), True
    config.workers, config.timeout_worker_healthcheck = settings.workers, HANG_TIMEOUT_S
    multiprocess.Process = ServerProcess  # type: ignore[misc]  # the supervisor has no other way to be given one
    with TemporaryDirectory(prefix="courtly-") as folder:
        os.environ[MULTIPROCESS_FOLDER_VARIABLE] = folder
        Multiprocess(config, [listening]).run()


def _run_worker(settings: Settings) -> ASGIApp:
    """In a process of its own: the application. A database that cannot be used now may come back."""
    configure_logging(settings.log_level, settings.log_json, settings.log_requests)
    threading.Thread(target=_run_orphan_watchdog, daemon=True).start()
    threading.Thread(target=run_hang_watchdog, args=(asyncio.get_running_loop(), HANG_TIMEOUT_S), daemon=True).start()
    try:
        engine = open_database(settings.database_url, pooled=bool(settings.database_direct))
    except DatabaseUnusableError as wrong:
        log.error("%s", wrong)
        time.sleep(STARTUP_RETRY_DELAY_S)
        sys.exit(1)
    return retry_startup(make_app(settings, engine, AssetBundle(WEB)))


def retry_startup(app: ASGIApp) -> ASGIApp:
    """A house that cannot be opened now may be later. Uvicorn would hold it for broken, and end all others too."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        async def said(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                time.sleep(STARTUP_RETRY_DELAY_S)
                os._exit(1)
            await send(message)

        await app(scope, receive, said if scope["type"] == "lifespan" else send)

    return served


def run_hang_watchdog(loop: asyncio.AbstractEventLoop, patience: float) -> None:
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
            time.sleep(HANG_POLL_S)
    log.error("nothing was done for %g s: this process ends, and another begins", patience)
    os._exit(1)


def _run_orphan_watchdog() -> None:
    """Where the process that started this one was killed, nobody would end this one."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
