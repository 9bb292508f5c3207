"""A worker process for bots: one question per line on standard input, one answer per line on standard output, in order.

    {"want": "ready", "game": "petition", "bot": "squire"}                             ->  {}
    {"want": "move", "game": "petition", "bot": "squire", "view": {…}, "seed": 7}      ->  {"move": 3}
    {"want": "advice", "game": "petition", "bot": "knight", "view": {…}, "hints": 1}   ->  {"advice": {…}}
    {"want": "simple-move", "game": "petition", "bot": "random", "view": {…}}          ->  {"move": 3}

or {"error": "…"}. The answer to a question with a "number" has the same number. A question that arrives during the
computation of an advice is answered first; then that computation continues.

`python -m courtly.bots.runtime.worker_process NICENESS MEGABYTES` sets its own nice value. MEGABYTES limits the memory
for thinking, in addition to the games that it has loaded and their machine code (0: no limit). The process ends at the
end of its input, so that it never outlives the server, even after a crash.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from courtly.bots.registry import Bot, find_bot, warm_up_bot
from courtly.engine.game import Game, find_game
from courtly.engine.rng import make_generator
from courtly.engine.safe_traceback import describe_place

PR_SET_PDEATHSIG = 1  # from linux/prctl.h


AnswerFunction = Callable[[dict[str, Any], int, Callable[[], None]], dict[str, Any]]


def prepare_bot(_game: Game, bot: Bot, question: dict[str, Any]) -> dict[str, Any]:
    limit_memory(0)  # no limit: compilation takes more memory than thinking, and loaded games take what they need
    warm_up_bot(bot)
    limit_memory(question["thinking_mb"])
    return {}


def choose_move(game: Game, bot: Bot, question: dict[str, Any]) -> dict[str, Any]:
    return {"move": int(bot(game, question["view"], make_generator(question["seed"])))}


def give_advice(game: Game, _bot: Bot, question: dict[str, Any]) -> dict[str, Any]:
    from courtly.bots.advice import advise

    return {"advice": advise(game, question["view"], bool(question["hints"]), question["pause"])}


def choose_simple_move(game: Game, _bot: Bot, question: dict[str, Any]) -> dict[str, Any]:
    from courtly.bots import advice

    return {"move": advice.choose_simple_move(game, question["view"])}


HANDLERS = {"ready": prepare_bot, "move": choose_move, "advice": give_advice, "simple-move": choose_simple_move}


def answer(question: dict[str, Any], thinking_mb: int, pause: Callable[[], None]) -> dict[str, Any]:
    try:
        question |= {"thinking_mb": thinking_mb, "pause": pause}
        game = find_game(question["game"])
        return HANDLERS[question["want"]](game, find_bot(game, question["bot"]), question)
    except Exception as error:  # bots may fail in any way; the server continues without this one
        return {"error": describe_place(error) if "view" in question else describe_error(error)}


def describe_error(error: Exception) -> str:
    """Return the message of an exception: a bot that has seen no view cannot disclose anything."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def limit_memory(more_mb: int) -> None:
    """Limit the data memory of this process to its present amount plus `more_mb`; 0 for no limit. Allocations above it
    raise MemoryError instead of exhausting the machine. Linux only."""
    if sys.platform == "linux":
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_DATA)
        bound = count_data_bytes() + (more_mb << 20) if more_mb else hard_limit
        if hard_limit != resource.RLIM_INFINITY:
            bound = min(bound, hard_limit)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard_limit))


def count_data_bytes() -> int:
    """Return the number of bytes that count towards RLIMIT_DATA. Linux only."""
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmData")) << 10


def die_with_parent() -> None:
    """Ask Linux to kill this process as soon as its parent has ended."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # otherwise the end of the input has the same effect
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def read_lines(lines: queue.SimpleQueue[bytes]) -> None:
    """Read the questions in a thread, so that the end of the input is noticed while a bot thinks."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def main(answer: AnswerFunction = answer) -> None:
    """Answer questions until the input ends. `answer` receives a question, MEGABYTES, and a function that answers the
    questions that have arrived in the meantime."""
    niceness, megabytes = map(int, sys.argv[1:])
    die_with_parent()
    limit_memory(megabytes)
    if sys.platform != "win32":
        os.nice(niceness)
    # for answers only: other output of a bot goes to standard error
    answer_pipe = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=read_lines, args=(lines,), daemon=True).start()

    def reply() -> None:
        question = json.loads(lines.get())
        number = question.pop("number", None)
        left = memoryview(json.dumps(answer(question, megabytes, pause) | {"number": number}).encode() + b"\n")
        while left:  # a pipe may accept only a part of it
            left = left[answer_pipe.write(left) :]

    def pause() -> None:
        while not lines.empty():
            reply()

    while True:
        reply()


if __name__ == "__main__":
    main()
