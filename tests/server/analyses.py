"""Analyses that tests begin and end as they like."""

import sys

# In place of the one that thinks. It writes down that it was begun, and waits until it may go on.
IDLE = """
import json, os, sys, time
question = json.loads(sys.stdin.readline())
open({folder!r} + "/begun", "a").write(question["record"].partition(chr(10))[0] + chr(10))
print(json.dumps(dict(done=0, of=2)), flush=True)
while not os.path.exists({folder!r} + "/go"):
    time.sleep(0.02)
if os.path.exists({folder!r} + "/fail") or question.get("native", True) and os.path.exists({folder!r} + "/no-code"):
    sys.exit(3)
print(json.dumps(dict(review=dict(form=1, simulations=question["simulations"]))), flush=True)
"""


def idle(folder):
    """What a server runs before, so that `folder` says what becomes of analyses."""
    program = [sys.executable, "-c", IDLE.format(folder=str(folder))]
    return f"""
import courtly.server.services.analysis_jobs as reviews; reviews.WORKER_COMMAND = {program!r}
from courtly.bots.runtime.bot_service import BotService
from courtly.bots.runtime.worker_pool import BotError
import asyncio, os
async def compiled(self, game):  # nothing is searched
    while os.path.exists({str(folder)!r} + "/compiling"):
        await asyncio.sleep(0.02)
    if os.path.exists({str(folder)!r} + "/no-compiler"):
        raise BotError("no room")
BotService.compiled = compiled
"""


def begun(folder):
    return (folder / "begun").read_text().splitlines() if (folder / "begun").exists() else []
