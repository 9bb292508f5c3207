"""The task that reads the body of a request. The server cancels it when it stops."""

from __future__ import annotations

import asyncio

from starlette.types import Scope

BODY_READER_KEY = "courtly.reading"  # key of the task in the state of a request


def register_body_reader(scope: Scope) -> None:
    """Register the current task as the one that reads the body of this request."""
    scope.setdefault("state", {})[BODY_READER_KEY] = asyncio.current_task()
