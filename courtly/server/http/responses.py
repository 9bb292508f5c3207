"""What several HTTP endpoints respond with: records as JSON Lines, and work that ends when the client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request, Response

DISCONNECT_POLL_S = 0.5  # seconds between checks whether a waiting client is still connected
T = TypeVar("T")


class RecordResponse(Response):
    """A response in JSON Lines."""

    media_type = "application/x-ndjson"


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """Return the result of `work`. If the client disconnects, cancel the work and return None."""
    task = asyncio.create_task(work)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=DISCONNECT_POLL_S)
            if not task.done() and await request.is_disconnected():
                return None
        return task.result()
    finally:
        task.cancel()
