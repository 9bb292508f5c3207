"""The server's sockets and output."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from external_programs import free_port
from guests import PATIENCE, wait_until

from courtly.server.process import serve
from courtly.server.process.serve import _bind, address_forms


def can_listen(host):
    """Return whether a program can listen at this address."""
    try:
        socket.create_server((host, 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


IPV6 = pytest.mark.skipif(not can_listen("::1"), reason="IPv6 is disabled on this machine: ::1 is not available")
FAMILIES = [pytest.param("127.0.0.1", id="IPv4"), pytest.param("::1", id="IPv6", marks=IPV6)]


@pytest.mark.parametrize("host", FAMILIES)
def test_a_view_does_not_wait_for_an_acknowledgement(host):
    """Data sent in two pieces leaves at once, because Nagle's algorithm is off on accepted connections."""

    async def get_nodelay_option():
        accepted = asyncio.get_running_loop().create_future()

        class Protocol(asyncio.Protocol):
            def connection_made(self, transport):
                accepted.set_result(
                    transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                )

        listening_socket = _bind(host, 0)
        async with await asyncio.get_running_loop().create_server(Protocol, sock=listening_socket):
            _, writer = await asyncio.open_connection(*listening_socket.getsockname()[:2])
            try:
                return await accepted
            finally:
                writer.close()

    assert asyncio.run(get_nodelay_option()) != 0


@contextmanager
def closed_pipe():
    """A pipe without a reader."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as pipe:
        yield pipe


def full_device():
    if not os.path.exists("/dev/full"):
        pytest.skip("only Linux has /dev/full, which rejects all writes")
    return open("/dev/full", "w", encoding="utf-8")


@pytest.mark.parametrize("output", [closed_pipe, full_device])
def test_a_server_with_unwritable_output_serves(tmp_path, output):
    """It used to end silently."""
    port = free_port()
    arguments = [
        "-c",
        "from courtly.cli import main; main()",
        "serve",
        "--port",
        str(port),
        "--no-browser",
        "--data",
        str(tmp_path),
    ]
    environment = os.environ | {"COURTLY_COMPILE_AHEAD": "0"}
    with open(tmp_path / "stderr.log", "w+", encoding="utf-8") as error_log, output() as unwritable:
        process = subprocess.Popen([sys.executable, *arguments], stdout=unwritable, stderr=error_log, env=environment)
        try:
            wait_until(lambda: process.poll() is not None or is_answering(port))
            assert process.poll() is None, (tmp_path / "stderr.log").read_text()
        finally:
            process.send_signal(signal.SIGINT)
            exit_code = process.wait(PATIENCE)
    assert exit_code in (0, 1, -signal.SIGINT), exit_code  # not 120: Python has nothing left to flush
    lines = (tmp_path / "stderr.log").read_text().splitlines()
    assert len(lines) == 1 and f":{port}/ cannot be written to standard output: " in lines[0]


def is_answering(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as response:
            return response.status == 200
    except OSError:
        return False


def test_a_proxy_is_recognized_by_either_form_of_its_address():
    assert address_forms("127.0.0.1") == ["127.0.0.1", "::ffff:127.0.0.1/128"]
    assert address_forms("10.0.0.0/8") == ["10.0.0.0/8", "::ffff:10.0.0.0/104"]
    assert address_forms("::1") == ["::1"] and address_forms("*") == ["*"]


@pytest.fixture
def started(monkeypatch):
    """Replace the application and its server: the settings and the function that restarts it, once `serve` runs."""
    started = SimpleNamespace(settings=None, restart=None, run=lambda: None)

    def make_app(settings, engine, assets, restart):
        started.settings, started.restart = settings, restart
        engine.dispose()

    def run(server, sockets):
        started.run()
        sockets[0].close()

    monkeypatch.setattr(serve, "make_app", make_app)
    monkeypatch.setattr(serve, "configure_logging", lambda *_: None)
    monkeypatch.setattr(serve.uvicorn.Server, "run", run)
    return started


def test_arguments_replace_settings(started, tmp_path):
    assert serve.serve(port=0, data=tmp_path, log_level="error", dev=True, workers=1) is None
    assert (started.settings.log_level, started.settings.dev, started.settings.workers) == ("error", True, 1)


def test_a_server_whose_rules_changed_starts_again_at_its_port(started, tmp_path, capsys):
    started.run = lambda: started.restart()
    port = serve.serve(port=0, data=tmp_path)
    assert capsys.readouterr().out == f"Courtly: http://localhost:{port}/\n"


def test_the_lobby_is_opened_in_a_browser(started, tmp_path, monkeypatch, capsys):
    opened, is_opened = [], threading.Event()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(serve.webbrowser, "open", lambda address: opened.append(address) or is_opened.set() or True)
    started.run = lambda: is_opened.wait(60)
    serve.serve(port=0, data=tmp_path, open_browser=True)
    assert capsys.readouterr().out == f"Courtly: {opened[0]}\n"


def test_without_a_browser_the_server_names_the_address_and_serves_on(monkeypatch, caplog):
    opened = []
    monkeypatch.setattr(serve.webbrowser, "open", lambda address: bool(opened.append(address)))
    monkeypatch.setattr(sys, "platform", "linux")
    for variable in serve.DISPLAY_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    serve._open_page("http://localhost:1/")
    assert not opened  # Python would start a text browser in the terminal
    monkeypatch.setenv("BROWSER", "missing")
    serve._open_page("http://localhost:2/")
    assert opened == ["http://localhost:2/"]
    assert caplog.messages == [f"no browser was found here: open http://localhost:{n}/ yourself" for n in (1, 2)]
