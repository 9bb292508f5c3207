"""A process that bots think in: one question a line on standard input, one answer a line on standard output, in order.

    {"want": "ready", "game": "petition", "bot": "squire"}                             ->  {}
    {"want": "move", "game": "petition", "bot": "squire", "view": {…}, "seed": 7}      ->  {"move": 3}
    {"want": "advice", "game": "petition", "bot": "knight", "view": {…}, "hints": 1}   ->  {"advice": {…}}
    {"want": "simple-move", "game": "petition", "bot": "random", "view": {…}}          ->  {"move": 3}

or {"error": "…"}. A question with a "number" is answered with the same number. One that comes while advice is worked
out is answered first, and then the work on the advice goes on.

`python -m courtly.bots.runtime.worker_process NICENESS MEGABYTES` gives way to other processes. MEGABYTES bound what
it takes to think, besides the games that it has loaded and their machine code (0: no bound). It ends when its input
does, so it never outlives the server, however that ends.
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
    limit_memory(0)  # to compile takes more than to think, and what is loaded takes what each game takes
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
    except Exception as error:  # a bot may fail in any way; the server plays on without it
        return {"error": describe_place(error) if "view" in question else describe_error(error)}


def describe_error(error: Exception) -> str:
    """Of a bot that has seen nothing yet its complaint may be told."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def limit_memory(more_mb: int) -> None:
    """Let this process take so much more memory than it has now, and no more; 0: as much as it wants. What takes more
    gets a MemoryError, where the system can tell, and does not harm the whole machine."""
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        bound = count_data_bytes() + (more_mb << 20) if more_mb else most
        if most != resource.RLIM_INFINITY:
            bound = min(bound, most)
        resource.setrlimit(resource.RLIMIT_DATA, (bound, most))


def count_data_bytes() -> int:
    """Return what counts against RLIMIT_DATA. Linux."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmData")) << 10


def die_with_parent() -> None:
    """Ask Linux to end this process as soon as its parent has ended."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # without it the end of input will do
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def read_lines(lines: queue.SimpleQueue[bytes]) -> None:
    """A thread of its own, so that the end of input is noticed while a bot thinks."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def main(answer: AnswerFunction = answer) -> None:
    """Answer questions until the input ends. `answer` is given a question, MEGABYTES, and what it may call so that
    questions that have come meanwhile are answered first."""
    niceness, megabytes = map(int, sys.argv[1:])
    die_with_parent()
    limit_memory(megabytes)
    if sys.platform != "win32":
        os.nice(niceness)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)  # ours alone: what a bot prints goes to standard error
    os.dup2(2, 1)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=read_lines, args=(lines,), daemon=True).start()

    def reply() -> None:
        question = json.loads(lines.get())
        number = question.pop("number", None)
        left = memoryview(json.dumps(answer(question, megabytes, pause) | {"number": number}).encode() + b"\n")
        while left:  # a pipe may take a part of it
            left = left[answers.write(left) :]

    def pause() -> None:
        while not lines.empty():
            reply()

    while True:
        reply()


if __name__ == "__main__":
    main()
