"""Servers forked from a process that has imported the program. The import takes longer than most tests.

Run as a program, with the number of a socket as its argument, this module is that process. For each request it forks a
server, and a process that waits for the server's end.
"""

import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

INT_FORMAT = struct.Struct("i")


class ForkedServer:
    """A forked server, with the interface of `subprocess.Popen`."""

    def __init__(self, program: str, arguments: list[str], environment: dict[str, str]):
        out, err, status = os.pipe(), os.pipe(), os.pipe()
        request = json.dumps([program, arguments, environment]).encode()
        socket.send_fds(fork_server_socket(), [request], [out[1], err[1], status[1]])
        for fd in (out[1], err[1], status[1]):
            os.close(fd)
        self.stdout, self.stderr, self._status_pipe = (
            os.fdopen(out[0]),
            os.fdopen(err[0]),
            os.fdopen(status[0], "rb", buffering=0),
        )
        self.returncode: int | None = None
        self.pid = INT_FORMAT.unpack(self._status_pipe.read(INT_FORMAT.size))[0]

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status_pipe], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a server", timeout)
            self.returncode = os.waitstatus_to_exitcode(INT_FORMAT.unpack(self._status_pipe.read(INT_FORMAT.size))[0])
            self._status_pipe.close()
        return self.returncode

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


@cache
def fork_server_socket() -> socket.socket:
    """Return a socket to the forking process, which ends with this one."""
    parent_end, child_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with child_end:
        subprocess.Popen([sys.executable, Path(__file__), str(child_end.fileno())], pass_fds=[child_end.fileno()])
    return parent_end


def main(request_socket: socket.socket) -> None:
    import_module("courtly.server.process.serve")  # takes long
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt from the terminal is for pytest
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the waiting processes are not waited for
    while True:
        request, fds, _, _ = socket.recv_fds(request_socket, 1 << 20, 3)
        if not request:
            return
        if not os.fork():
            break
        for fd in fds:
            os.close(fd)
    request_socket.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    out, err, status_fd = fds
    if child := os.fork():
        os.write(status_fd, INT_FORMAT.pack(child))
        for fd in (0, 1, 2, out, err):
            os.close(fd)
        os.write(status_fd, INT_FORMAT.pack(os.waitpid(child, 0)[1]))
        os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.close(status_fd)
    for fd, number in ((out, 1), (err, 2)):
        os.dup2(fd, number)
        os.close(fd)
    program, arguments, environment = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    exec(program, {"__name__": "__main__"})


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
