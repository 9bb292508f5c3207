"""Start of the server."""

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

__all__ = ["DatabaseUnusableError", "default_data", "serve"]

log = logging.getLogger("courtly.server")


def default_data() -> Path:
    """Return the default data folder."""
    return user_data_path("courtly", appauthor=False)


DEFAULT_PORT = 8000  # used if no port is given and this one is free
# each names where a browser can be shown, or the browser itself; Windows and macOS do not need them
DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    data: Path | None = None,
    open_browser: bool = False,
    log_level: str | None = None,
    dev: bool = False,
    workers: int | None = None,
) -> int | None:
    """Serve until interrupted, in one process or several. Prints the address.

    Args:
        host: The name or IP address to listen on.
        port: The port; 0: any free port; None: DEFAULT_PORT if it is free, else any free port.
        data: The data folder; None: `default_data()`.
        open_browser: Open the address in a browser, if there is one.
        log_level: Replaces COURTLY_LOG_LEVEL; None: as in the environment.
        dev: Turns on the mode for rules authors, as COURTLY_DEV=1 does.
        workers: Replaces COURTLY_WORKERS; None: as in the environment.

    Returns:
        The port if a game's rules have changed in `--dev` and a new process must serve there; otherwise None.

    Raises:
        OSError: The port is in use.
        DatabaseUnusableError: The database cannot be used.
        ValueError: A setting is invalid, or the limit of open files is too low.
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
    listener = _bind_any(host) if port is None else _bind(host, port)
    if not settings.database:
        _create_folder(settings.data)
    bound_port: int = listener.getsockname()[1]
    restart_port: int | None = None

    def restart() -> None:
        nonlocal restart_port
        restart_port, server.should_exit = bound_port, True

    engine = open_database(settings.database_url, is_pooled=bool(settings.database_direct))
    address = _browser_address(host, bound_port)
    _print_address(address)
    log.info("courtly version=%s listening at %s", __version__, address)
    log_warnings()
    if open_browser:
        timer = threading.Timer(0.3, _open_page, [address])  # after the server has started
        timer.daemon = True
        timer.start()
    config = uvicorn.Config(
        make_app(settings, engine, AssetBundle(WEB, settings.dev), restart) if settings.workers == 1 else "",
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
            server.run(sockets=[listener])
        else:
            engine.dispose()  # each worker opens its own connections
            run_supervisor(settings, config, listener)
    log.info("closed")
    return restart_port


def _create_folder(data: Path) -> None:
    """Create the data folder, if it is missing. Raises OSError if it cannot be created."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"the data folder {data} cannot be created: {error.strerror}; choose another with --data"
        raise OSError(error.errno, text) from None


def address_forms(proxy: str) -> list[str]:
    """Return an address or network in all forms in which a client's address may match it.

    An IPv4 address is also returned as an IPv4-mapped IPv6 address, the form that a dual-stack socket reports. Text
    that is no address is returned as it is.
    """
    try:
        net = ip_network(proxy, strict=False)
    except ValueError:
        return [proxy]
    return [proxy, f"::ffff:{net.network_address}/{96 + net.prefixlen}"] if net.version == 4 else [proxy]


def _bind_any(host: str) -> socket.socket:
    """Return a listening socket on DEFAULT_PORT, or on any free port if that one is in use."""
    try:
        return _bind(host, DEFAULT_PORT)
    except OSError:
        return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises OSError if the port is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = None
    try:
        # asyncio turns Nagle's algorithm off only if the protocol is named
        listener = ListeningSocket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # on Windows the option lets two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        if listener:
            listener.close()
        raise OSError(
            error.errno, f"{host}, port {port}: {error.strerror}; choose another with --host and --port"
        ) from None
    return listener


def _print_address(address: str) -> None:
    """Print the address. A closed standard output is logged and is no error."""
    try:
        print(f"Courtly: {address}", flush=True)
    except OSError as error:
        log.warning("the address %s cannot be written to standard output: %s", address, error.strerror)
        with open(os.devnull, "w", encoding="utf-8") as devnull:  # otherwise Python fails again when it flushes at exit
            os.dup2(devnull.fileno(), sys.stdout.fileno())


def _open_page(address: str) -> None:
    """Open an address in a browser, or log that there is none.

    Without a display, Python's `webbrowser` would start a text browser in the server's own terminal.
    """
    has_display = sys.platform in ("win32", "darwin") or any(map(os.environ.get, DISPLAY_VARIABLES))
    if not has_display or not webbrowser.open(address):
        log.warning("no browser was found here: open %s yourself", address)


def _browser_address(host: str, port: int) -> str:
    """Return the URL for a browser on this machine."""
    browser_host = {"0.0.0.0": "localhost", "::": "localhost", "127.0.0.1": "localhost"}.get(
        host, f"[{host}]" if ":" in host else host
    )
    return f"http://{browser_host}:{port}/"
