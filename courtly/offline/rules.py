"""The Python that a browser needs to play alone, as one archive: the same bytes for the same files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import typing_extensions

PACKAGE = Path(__file__).parent.parent
HOUSE = ("__init__", "brought", "nowhere", "past", "shapes", "written")
PARTS = ("engine", "bots", "games", "offline", *(f"server/{name}.py" for name in HOUSE))
TYPES = {".py", ".toml", ".json"}
NEEDED_ELSEWHERE = {"board", "search", "__pycache__"}  # folders


@cache
def archive() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for path in [PACKAGE / "__init__.py", *(path for part in PARTS for path in _files(PACKAGE / part))]:
            made.writestr(zipfile.ZipInfo(f"courtly/{path.relative_to(PACKAGE).as_posix()}"), path.read_bytes(), 8)
        made.writestr(zipfile.ZipInfo("typing_extensions.py"), Path(typing_extensions.__file__).read_bytes(), 8)
    return held.getvalue()


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
        if path.suffix in TYPES and not NEEDED_ELSEWHERE & set(path.relative_to(PACKAGE).parts):
            yield path
