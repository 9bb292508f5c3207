"""Helpers for tests that control when an analysis starts and ends."""

import sys

# This program replaces the analysis worker. It records that it was started, and waits for the file `go`.
STUB_WORKER = """
import json, os, sys, time
question = json.loads(sys.stdin.readline())
open({folder!r} + "/begun", "a").write(question["record"].partition(chr(10))[0] + chr(10))
print(json.dumps(dict(judged=0, total=2)), flush=True)
while not os.path.exists({folder!r} + "/go"):
    time.sleep(0.02)
if os.path.exists({folder!r} + "/fail") or question.get("native", True) and os.path.exists({folder!r} + "/no-code"):
    sys.exit(3)
print(json.dumps(dict(review=dict(form=1, simulations=question["simulations"]))), flush=True)
"""


def controlled_worker(folder):
    """Return the program that a server runs first, so that files in `folder` control its analyses and record them."""
    program = [sys.executable, "-c", STUB_WORKER.format(folder=str(folder))]
    return f"""
import courtly.server.services.analysis_jobs as reviews; reviews.WORKER_COMMAND = {program!r}
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import BotError
import asyncio, os
async def compiled(self, game):  # no search
    while os.path.exists({str(folder)!r} + "/compiling"):
        await asyncio.sleep(0.02)
    if os.path.exists({str(folder)!r} + "/no-compiler"):
        raise BotError("no room")
BotService.wait_until_compiled = compiled
"""


def started_analyses(folder):
    return (folder / "begun").read_text().splitlines() if (folder / "begun").exists() else []
