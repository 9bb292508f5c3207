"""Starting the server."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import uvicorn
from platformdirs import user_data_path

from courtly import __version__
from courtly.engine.game import log_warnings
from courtly.server.app import make_app
from courtly.server.assets.bundle import AssetBundle
from courtly.server.http.middleware.request_guard import MAX_BODY_BYTES
from courtly.server.observability.log_setup import configure_logging
from courtly.server.persistence.engine import DatabaseUnusableError, open_database
from courtly.server.process.graceful_close import GracefulHttpProtocol, GracefulWebSocketProtocol
from courtly.server.process.listener import ListeningSocket, fit_descriptor_limit
from courtly.server.process.supervisor import run_supervisor
from courtly.server.settings import WEB, Settings, split_names
from courtly.server.tables.table_seeds import DETERMINISTIC_WARNING

__all__ = ["DatabaseUnusableError", "default_data", "serve"]

log = logging.getLogger("courtly.server")


def default_data() -> Path:
    """Where data is kept unless told otherwise."""
    return user_data_path("courtly", appauthor=False)


DEFAULT_PORT = 8000  # taken when it is free and no other is asked for


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    data: Path | None = None,
    open_browser: bool = False,
    log_level: str | None = None,
    dev: bool = False,
    workers: int | None = None,
) -> int | None:
    """Serve until interrupted, in one process or several. Prints the address. Port 0 takes any that is free; None takes
    8000 if it is free.

    Returns the port if an author's rules have changed: another process should serve there.

    OSError if the port is taken, Unusable if the database cannot be used, ValueError if a setting cannot be read.
    """
    settings = Settings.from_environment(data or default_data())
    if log_level is not None:
        settings = replace(settings, log_level=log_level)
    if dev:
        settings = replace(settings, dev=True)
    if workers is not None:
        settings = replace(settings, workers=workers)
    settings.check()
    configure_logging(settings.log_level, settings.log_json, settings.log_requests)
    settings = fit_descriptor_limit(settings)
    listening = _bind_any(host) if port is None else _bind(host, port)
    if not settings.database:
        settings.data.mkdir(parents=True, exist_ok=True)
    taken: int = listening.getsockname()[1]
    again: int | None = None

    def start_again() -> None:
        nonlocal again
        again, server.should_exit = taken, True

    engine = open_database(settings.database_url, pooled=bool(settings.database_direct))
    address = _browser_address(host, taken)
    _print_address(address)
    log.info("Courtly %s is open at %s", __version__, address)
    log_warnings()
    if settings.predictable:
        log.warning(DETERMINISTIC_WARNING)
    if open_browser:
        timer = threading.Timer(0.3, webbrowser.open, [address])  # once there is somebody to answer
        timer.daemon = True
        timer.start()
    config = uvicorn.Config(
        make_app(settings, engine, AssetBundle(WEB, settings.dev), start_again) if settings.workers == 1 else "",
        loop="asyncio",
        http=GracefulHttpProtocol,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=[form for name in split_names(settings.proxies) for form in address_forms(name)],
        ws=GracefulWebSocketProtocol,
        ws_max_size=MAX_BODY_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        log_config=None,
        access_log=False,
        server_header=False,
    )
    server = uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn shuts down and then raises the signal again
        if settings.workers == 1:
            server.run(sockets=[listening])
        else:
            engine.dispose()  # each of them opens its own
            run_supervisor(settings, config, listening)
    log.info("closed")
    return again


def address_forms(proxy: str) -> list[str]:
    """An address or network, also as it comes to a socket that takes both kinds."""
    try:
        net = ip_network(proxy, strict=False)
    except ValueError:
        return [proxy]
    return [proxy, f"::ffff:{net.network_address}/{96 + net.prefixlen}"] if net.version == 4 else [proxy]


def _bind_any(host: str) -> socket.socket:
    try:
        return _bind(host, DEFAULT_PORT)
    except OSError:
        return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    """A listening socket. OSError says that the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # named, or asyncio would not switch Nagle's delay off
    made = ListeningSocket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would share the port with another server
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(1024)
    except OSError as wrong:
        made.close()
        raise OSError(
            wrong.errno, f"{host}, port {port}: {wrong.strerror}; choose another with --host and --port"
        ) from None
    return made


def _print_address(address: str) -> None:
    """Print the address. Where nobody reads it any more it is not needed."""
    try:
        print(f"Courtly: {address}", flush=True)
    except OSError as wrong:
        log.warning("the address %s cannot be written to standard output: %s", address, wrong.strerror)
        with open(os.devnull, "w") as nowhere:  # or Python would fail once more when it ends
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _browser_address(host: str, port: int) -> str:
    """What to open in a browser on this machine."""
    shown = {"0.0.0.0": "localhost", "::": "localhost", "127.0.0.1": "localhost"}.get(
        host, f"[{host}]" if ":" in host else host
    )
    return f"http://{shown}:{port}/"
