"""A process that analyses a finished game: the record on its standard input, a line of JSON for each step on its
standard output.

    {"record": "…", "simulations": 800}   ->   {"done": 0, "of": 67}   …   {"review": {…}}   or   {"error": "…"}

With `"native": false` it takes no machine code.

It ends when its input does, so it never outlives the server, however that ends.
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
    """What is told of the work, its result last."""
    try:
        match, count = transcript.check(question["record"]), int(question["simulations"])
        found = [*iter_choices(match)]
        decisions: list[Decision] = []
        search = load_search(match.game.id, count, question.get("native", True))
        search.warm()
        limit_memory(THINKING_MB)  # besides what the game and its machine code take
        for choice in found:
            yield {"done": len(decisions), "of": len(found)}
            decisions.append(judge(search, choice))
        yield {"review": make_review(match, count, decisions)}
    except Exception as error:  # rules may fail in any way
        yield {"error": describe_place(error)}


def _exit_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    die_with_parent()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)  # ours alone: what anything else prints goes to standard error
    os.dup2(2, 1)
    question = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_exit_with_input, daemon=True).start()
    for step in iter_steps(question):
        answers.write(json.dumps(step).encode() + b"\n")
    os._exit(0)  # a thread still waits for the end of input, which Python cannot end without


if __name__ == "__main__":
    main()
