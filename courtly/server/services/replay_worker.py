"""A process that replays records, so that a long record does not block the server's event loop.

It reads one question per line from standard input and writes one answer per line to standard output, as described in
courtly/bots/runtime/worker_process.py:

    {"record": "…", "viewpoint": "all"}   ->   {"plain": base64, "packed": base64}   or   {"refused": {"id", "args"}}

or {"error": "…"}. `plain` and `packed` are those of `bundle.Asset`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from courtly.bots.runtime.worker_process import limit_memory, main
from courtly.engine.position import CommandRefusedError
from courtly.engine.safe_traceback import describe_place
from courtly.server.assets.asset import compress, json_bytes
from courtly.session.record_replay import RecordReplay

MEMORY_MB = 256  # for one record


def replay(question: dict[str, Any], _thinking_mb: int, _pause: Callable[[], None]) -> dict[str, Any]:
    """Return the replay of a record, as the audience `viewpoint` of the question saw the game."""
    try:
        record_replay = RecordReplay(question["record"], question["viewpoint"])
        for match in record_replay.iter_steps():
            record_replay.history.record_moment(match)
        file = compress("application/json", json_bytes(record_replay.replay()))
        assert file.packed is not None
        return {"plain": b64encode(file.plain).decode(), "packed": b64encode(file.packed).decode()}
    except CommandRefusedError as refused:
        return {"refused": {"id": refused.id, "args": refused.args_}}
    except Exception as error:  # rules may raise any exception
        return {"error": describe_place(error)}


if __name__ == "__main__":
    limit_memory(MEMORY_MB)
    main(replay)
