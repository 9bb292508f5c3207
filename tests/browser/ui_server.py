"""A running server for tests of the user interface."""

import os
import subprocess
import sys
from contextlib import contextmanager

from predictable import INSTALL

NO_DELAYS = {
    "COURTLY_BOT_PAUSE": "0",
    "COURTLY_BOT_LIMIT": "120",
    "COURTLY_NATIVE": "0",
    "COURTLY_COMPILE_AHEAD": "0",
    "COURTLY_COMMANDS_PER_SECOND": "1000",
    "COURTLY_TABLES_PER_MINUTE": "1000",
    "COURTLY_CHAT_MESSAGES_PER_MINUTE": "60000",
}


@contextmanager
def run_server(data, port=0, first="", seeded=True, **settings):
    """Run a server with this data folder and yield its address.

    The process first runs the program `first`. `seeded`: what is dealt follows from the seed in a request's header.
    """
    start = ["-c", f"{INSTALL if seeded else ''}\n{first}\nfrom courtly.cli import main; main()"]
    process = subprocess.Popen(
        [sys.executable, "-u", *start, "serve", "--port", str(port), "--data", data, "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | NO_DELAYS | settings,
    )
    try:
        yield next(word for word in process.stdout.readline().split() if word.startswith("http")).rstrip("/")
    finally:
        process.terminate()
        process.wait(10)
