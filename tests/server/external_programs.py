"""Other programs that run beside a server."""

import shutil
import socket
import subprocess
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from guests import wait_until


def find_program(name, package=""):
    """Return the path of a program; skip the test if it is not installed."""
    path = shutil.which(name, path="/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin")
    return path or pytest.skip(f"there is no {name} on this machine: apt install {package or name}")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def running(command, port, folder):
    """Run a command until the context ends. The context starts when the command listens at the port."""
    with open(folder / "output.log", "w+", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={"HOME": str(folder), "PATH": "/usr/bin"})
        try:
            wait_until(lambda: process.poll() is not None or _listens(port))
            assert process.poll() is None, (folder / "output.log").read_text()
            yield SimpleNamespace(url=f"http://127.0.0.1:{port}", port=port)
        finally:
            process.terminate()
            process.wait(20)


def _listens(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
