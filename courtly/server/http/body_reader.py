"""Which task reads the body of a request: a server that stops ends it."""

from __future__ import annotations

import asyncio

from starlette.types import Scope

BODY_READER_KEY = "courtly.reading"  # in the state of a request: the task that reads its body


def register_body_reader(scope: Scope) -> None:
    """Remember that the current task reads the body of this request."""
    scope.setdefault("state", {})[BODY_READER_KEY] = asyncio.current_task()
