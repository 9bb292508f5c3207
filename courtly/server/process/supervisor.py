"""Several worker processes behind one listening socket.

Each worker is a complete server; the workers share the database. Uvicorn's supervisor starts them, restarts those that
end, and on SIGHUP replaces them one after another.
"""

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

STOP_TIMEOUT_S = 10  # seconds for a worker to end before it is killed; longer than a regular shutdown takes
STARTUP_RETRY_DELAY_S = 1.0  # seconds before a worker ends, and is restarted, after a failed start
HANG_TIMEOUT_S = 20  # seconds after which a worker with a blocked event loop ends; also the time for its start
HANG_POLL_S = 1.0  # seconds between the watchdog's checks of the event loop

log = logging.getLogger("courtly.server")


class ServerProcess(multiprocess.Process):
    """A worker process whose end the supervisor notices at once, and that is killed if it does not end.

    Uvicorn's own class leaves the worker's end of the pipe open in the supervisor, which then waits for an answer from
    a process that has ended.
    """

    def start(self) -> None:
        super().start()
        self.child_conn.close()

    def join(self) -> None:
        """Wait for the process to end. Kills it after STOP_TIMEOUT_S, for example if it is suspended."""
        self.process.join(STOP_TIMEOUT_S)
        if self.process.is_alive():
            log.error("process %s did not end within %g s: killing it", self.pid, STOP_TIMEOUT_S)
            self.process.kill()
        super().join()


def run_supervisor(settings: Settings, config: uvicorn.Config, listener: socket) -> None:
    """Run the supervisor and its workers until interrupted."""
    config.app, config.factory = partial(_run_worker, settings), True
    config.workers, config.timeout_worker_healthcheck = settings.workers, HANG_TIMEOUT_S
    multiprocess.Process = ServerProcess  # type: ignore[misc]  # uvicorn offers no parameter for the class
    with TemporaryDirectory(prefix="courtly-") as folder:
        os.environ[MULTIPROCESS_FOLDER_VARIABLE] = folder
        Multiprocess(config, [listener]).run()


def _run_worker(settings: Settings) -> ASGIApp:
    """Return the application of a worker process.

    Ends the process after STARTUP_RETRY_DELAY_S if the database cannot be used; the supervisor then restarts it.
    """
    configure_logging(settings.log_level, settings.log_json, settings.log_requests)
    threading.Thread(target=_run_orphan_watchdog, daemon=True).start()
    threading.Thread(target=run_hang_watchdog, args=(asyncio.get_running_loop(), HANG_TIMEOUT_S), daemon=True).start()
    try:
        engine = open_database(settings.database_url, is_pooled=bool(settings.database_direct))
    except DatabaseUnusableError as error:
        log.error("%s", error)
        time.sleep(STARTUP_RETRY_DELAY_S)
        sys.exit(1)
    return retry_startup(make_app(settings, engine, AssetBundle(WEB)))


def retry_startup(app: ASGIApp) -> ASGIApp:
    """Return an application that ends its process after a failed startup, so that the supervisor restarts it.

    On a reported startup failure, uvicorn would stop all workers instead.
    """

    async def serve_or_exit(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_or_exit(message: Message) -> None:
            if message["type"] == "lifespan.startup.failed":
                time.sleep(STARTUP_RETRY_DELAY_S)
                os._exit(1)
            await send(message)

        await app(scope, receive, send_or_exit if scope["type"] == "lifespan" else send)

    return serve_or_exit


def run_hang_watchdog(loop: asyncio.AbstractEventLoop, patience: float) -> None:
    """End this process if its event loop is blocked for `patience` seconds.

    Uvicorn's own health check is answered by a thread, so it does not notice a blocked event loop. This watchdog checks
    twice, for half of the time each: after the whole process was suspended, the first check may fail without a hang.
    """
    unheard = 0
    while unheard < 2:
        is_answered = threading.Event()
        try:
            loop.call_soon_threadsafe(is_answered.set)
        except RuntimeError:  # the loop is closed
            return
        unheard = 0 if is_answered.wait(patience / 2) else unheard + 1
        if is_answered.is_set():
            time.sleep(HANG_POLL_S)
    log.error("event loop blocked for %g s: exiting so that the supervisor restarts this worker", patience)
    os._exit(1)


def _run_orphan_watchdog() -> None:
    """End this process when its supervisor ends, for example because it was killed."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
