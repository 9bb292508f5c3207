"""A file that browsers load."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import Any

MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ftl": "text/plain; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
HTML_TYPE = "text/html; charset=utf-8"
JSON_TYPE = "application/json"
INCOMPRESSIBLE_SUFFIXES = {".png", ".woff2"}  # gzip does not make them smaller


@dataclass(frozen=True, slots=True)
class Asset:
    """A file: its media type, its content, and its content in gzip (None: not smaller)."""

    type: str
    plain: bytes
    packed: bytes | None


def json_bytes(value: Any) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def compress(type: str, plain: bytes) -> Asset:
    """Return a file with its content also in gzip."""
    return Asset(type, plain, gzip.compress(plain, 6, mtime=0))


def make_asset(suffix: str, plain: bytes) -> Asset:
    """Return a file of this suffix, also in gzip if that makes it smaller."""
    return (
        Asset(MEDIA_TYPES[suffix], plain, None)
        if suffix in INCOMPRESSIBLE_SUFFIXES
        else compress(MEDIA_TYPES[suffix], plain)
    )
