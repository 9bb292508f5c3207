"""A process that analyses a finished game. It reads the record on standard input and writes one line of JSON for each
step to standard output.

    {"record": "…", "simulations": 800}   ->   {"judged": 0, "total": 67}   …   {"review": {…}}   or   {"error": "…"}

With `"native": false` it does not use machine code.

It ends at the end of its input, so that it never outlives the server, even after a crash.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from courtly.bots.runtime.worker_pool import THINKING_MB
from courtly.bots.runtime.worker_process import die_with_parent, limit_memory
from courtly.engine import transcript
from courtly.engine.safe_traceback import describe_place
from courtly.review.analysis import iter_choices, judge, load_search, make_review
from courtly.review.schemas import Decision


def iter_steps(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the messages about the progress, and the result last."""
    try:
        match, count = transcript.check(question["record"]), int(question["simulations"])
        choices = [*iter_choices(match)]
        decisions: list[Decision] = []
        search = load_search(match.game.id, count, question.get("native", True))
        search.warm()
        limit_memory(THINKING_MB)  # in addition to the memory of the game and its machine code
        for choice in choices:
            yield {"judged": len(decisions), "total": len(choices)}
            decisions.append(judge(search, choice))
        yield {"review": make_review(match, count, decisions)}
    except Exception as error:  # rules may fail in any way
        yield {"error": describe_place(error)}


def _exit_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    die_with_parent()
    answer_pipe = os.fdopen(os.dup(1), "wb", buffering=0)  # for messages only: other output goes to standard error
    os.dup2(2, 1)
    question = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_exit_with_input, daemon=True).start()
    for step in iter_steps(question):
        answer_pipe.write(json.dumps(step).encode() + b"\n")
    os._exit(0)  # without waiting for the thread that reads the input


if __name__ == "__main__":
    main()
