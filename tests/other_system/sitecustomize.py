"""Makes a Linux process look like one on Windows or macOS to Courtly's own code, as far as that can be done.

COURTLY_TEST_SYSTEM is "win32" or "darwin". Other libraries are imported before, since they would look for parts that
only the other system has. What the other system does not have is gone, and what it refuses is refused.
"""

import asyncio
import errno
import fcntl
import importlib
import importlib.util
import multiprocessing
import os
import signal
import socket
import stat
import sys
import time

SYSTEM = os.environ.get("COURTLY_TEST_SYSTEM", "")
LIBRARIES = (  # they look at the system's name when they are imported
    *("concurrent.futures.process", "ctypes.util", "mimetypes", "multiprocessing.popen_spawn_posix"),
    *("multiprocessing.resource_tracker", "shutil", "subprocess", "tempfile", "urllib.request", "webbrowser"),
    *("click._termui_impl", "llvmlite.binding", "numpy", "platformdirs", "sqlalchemy.dialects.sqlite", "uvicorn"),
)
HIDDEN = {
    "win32": {
        os: "fork forkpty getuid geteuid getgid kill killpg nice setpriority getpriority sched_getaffinity fchmod "
        "fchown mkfifo uname getppid sysconf statvfs posix_fallocate pread pwrite O_NOFOLLOW O_DIRECTORY O_CLOEXEC",
        signal: "SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGQUIT SIGCHLD SIGALRM alarm setitimer pthread_sigmask sigwait",
        socket: "TCP_USER_TIMEOUT SO_REUSEPORT",
        time: "clock_gettime clock_gettime_ns CLOCK_BOOTTIME CLOCK_MONOTONIC_RAW",
    },
    "darwin": {
        os: "sched_getaffinity posix_fallocate memfd_create eventfd pidfd_open",
        socket: "TCP_USER_TIMEOUT SOCK_CLOEXEC",
        time: "CLOCK_BOOTTIME",
    },
}
MISSING_MODULES = {"win32": ("fcntl", "resource", "pwd", "grp", "termios", "tty"), "darwin": ()}


def refuse_what_windows_refuses() -> None:
    """Opening and flushing folders, flushing what is open for reading only, moving over existing files, and deleting or
    replacing open files are errors."""
    open_file, flush, get_flags = os.open, os.fsync, fcntl.fcntl
    rename, replace, unlink = os.rename, os.replace, os.unlink

    def open_but_no_folder(path, flags, *arguments, **options):
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return open_file(path, flags, *arguments, **options)

    def flush_if_writable(descriptor):
        if get_flags(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "Bad file descriptor")
        flush(descriptor)

    def refuse_open_file(path):
        place = os.path.realpath(path)
        for descriptor in os.listdir("/proc/self/fd"):
            try:
                is_open = os.readlink(f"/proc/self/fd/{descriptor}") == place
            except OSError:
                continue
            if is_open:
                raise PermissionError(errno.EACCES, "used by another process", path)

    def rename_to_new(old, new, **options):
        if os.path.exists(new):
            raise FileExistsError(errno.EEXIST, "File exists", new)
        refuse_open_file(old)
        rename(old, new, **options)

    def replace_closed(old, new, **options):
        refuse_open_file(old)
        refuse_open_file(new)
        replace(old, new, **options)

    def unlink_closed(path, **options):
        if options.get("dir_fd") is None and stat.S_ISREG(os.lstat(path).st_mode):
            refuse_open_file(path)
        unlink(path, **options)

    os.open, os.fsync, os.rename, os.replace = open_but_no_folder, flush_if_writable, rename_to_new, replace_closed
    os.unlink = os.remove = unlink_closed


def become(system: str) -> None:
    """Look like this system from now on."""
    for library in LIBRARIES:
        if importlib.util.find_spec(library.partition(".")[0]):
            importlib.import_module(library)
    multiprocessing.set_start_method("spawn")
    kill, signal_to_kill = os.kill, signal.SIGKILL
    for name in ("multiprocessing.popen_spawn_posix", "subprocess"):
        process = sys.modules[name].Popen
        process.kill = process.terminate = lambda self: self.returncode is None and kill(self.pid, signal_to_kill)
    if system == "win32":
        refuse_what_windows_refuses()
        sys.modules["shutil"]._use_fd_functions = False  # it opens folders otherwise
        asyncio.ProactorEventLoop = asyncio.SelectorEventLoop
    for module, names in HIDDEN[system].items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in MISSING_MODULES[system]:
        sys.modules[name] = None
    sys.platform = system


if SYSTEM:
    become(SYSTEM)
