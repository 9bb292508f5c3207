"""A process that plays back records, so that no record keeps the server's loop: one question a line on standard input,
one answer a line on standard output, as courtly/bots/runtime/worker_process.py has it.

    {"record": "…", "eyes": "all"}   ->   {"plain": base64, "packed": base64}   or   {"refused": {"id", "args"}}

or {"error": "…"}. Both forms are those of `statics.File`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from courtly.bots.runtime.worker_process import limit_memory, main
from courtly.engine.position import CommandRefusedError
from courtly.engine.safe_traceback import describe_place
from courtly.server.assets.bundle import compress, json_bytes
from courtly.session.record_replay import RecordReplay

MEMORY_MB = 256  # for one record


def replay(question: dict[str, Any], _thinking_mb: int, _pause: Callable[[], None]) -> dict[str, Any]:
    """Return what the eyes of the question saw in the game of its record."""
    try:
        brought = RecordReplay(question["record"], question["eyes"])
        for match in brought.steps():
            brought.past.look(match)
        file = compress("application/json", json_bytes(brought.answer()))
        assert file.packed is not None
        return {"plain": b64encode(file.plain).decode(), "packed": b64encode(file.packed).decode()}
    except CommandRefusedError as refused:
        return {"refused": {"id": refused.id, "args": refused.args_}}
    except Exception as error:  # rules may fail in any way
        return {"error": describe_place(error)}


if __name__ == "__main__":
    limit_memory(MEMORY_MB)
    main(replay)
