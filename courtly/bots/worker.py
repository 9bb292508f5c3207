"""A process that bots think in: one question a line on standard input, one answer a line on standard output, in order.

A question without a view only loads the bot.

    {"game": "petition", "bot": "heuristic", "view": {…}, "seed": 7}   ->   {"move": 3}   or   {"error": "…"}

It ends when its input does, so it never outlives the server, however that ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from typing import Any

from courtly.bots import find_bot, make_ready
from courtly.engine.chance import generator
from courtly.engine.game import find_game
from courtly.trouble import where

PR_SET_PDEATHSIG = 1  # from linux/prctl.h


def answer(question: dict[str, Any]) -> dict[str, Any]:
    try:
        game = find_game(question["game"])
        bot = find_bot(game, question["bot"])
        if not question["view"]:
            make_ready(bot)
            return {"move": -1}
        return {"move": int(bot(game, question["view"], generator(question["seed"])))}
    except Exception as error:  # a bot may fail in any way; the server plays on without it
        return {"error": where(error)}


def die_with_parent() -> None:
    """Ask Linux to end this process as soon as its parent has ended."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # without it the end of input will do
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def read(lines: queue.SimpleQueue[bytes]) -> None:
    """A thread of its own, so that the end of input is noticed while a bot thinks."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def main() -> None:
    die_with_parent()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)  # ours alone: what a bot prints goes to standard error
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    while True:
        answers.write(json.dumps(answer(json.loads(lines.get()))).encode() + b"\n")


if __name__ == "__main__":
    main()
