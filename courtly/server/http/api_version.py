"""The paths of version 1 of the API, which other programs use: `/api/v1/…` and `/ws/v1/…`.

They lead to the routes of the same path without the version. Courtly's own pages use those, because a page always
belongs to the version that serves it.
"""

from __future__ import annotations

import re
from typing import Any

from starlette.types import Scope

VERSIONED_PATH = re.compile(r"/(api|ws)/v1/")
UNVERSIONED_API = "/api/"
VERSIONED_API = "/api/v1/"


def resolve_version(scope: Scope) -> Scope:
    """Return the scope of a request with the path that has no version."""
    if "path" not in scope or not VERSIONED_PATH.match(scope["path"]):
        return scope
    path = VERSIONED_PATH.sub(r"/\1/", scope["path"], count=1)
    return {**scope, "path": path, "raw_path": path.encode()}


def name_versions(paths: dict[str, Any]) -> dict[str, Any]:
    """Return the paths of an OpenAPI description with the version."""
    return {path.replace(UNVERSIONED_API, VERSIONED_API, 1): operations for path, operations in paths.items()}
