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
from courtly.bots.runtime.worker_process import bound_memory, die_with_parent
from courtly.engine import transcript
from courtly.engine.safe_traceback import where
from courtly.review.analysis import choices, gathered, judge, searching
from courtly.review.schemas import Decision


def steps(question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is told of the work, its result last."""
    try:
        match, count = transcript.check(question["record"]), int(question["simulations"])
        found = [*choices(match)]
        decisions: list[Decision] = []
        search = searching(match.game.id, count, question.get("native", True))
        search.warm()
        bound_memory(THINKING_MB)  # besides what the game and its machine code take
        for choice in found:
            yield {"done": len(decisions), "of": len(found)}
            decisions.append(judge(search, choice))
        yield {"review": gathered(match, count, decisions)}
    except Exception as error:  # rules may fail in any way
        yield {"error": where(error)}


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    die_with_parent()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)  # ours alone: what anything else prints goes to standard error
    os.dup2(2, 1)
    question = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    for step in steps(question):
        answers.write(json.dumps(step).encode() + b"\n")
    os._exit(0)  # a thread still waits for the end of input, which Python cannot end without


if __name__ == "__main__":
    main()
