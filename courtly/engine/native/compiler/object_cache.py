"""Object files, kept between processes in a folder.

A file begins with the SHA-256 of its folder's name, its own name and the rest: one that is damaged, cut short or copied
from elsewhere is compiled again. Of several processes
that need the same file, one compiles, and the others wait. A folder that cannot be written is reported once.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

HASH_BYTES = 32
logger = logging.getLogger(__name__)
_reported_folders: set[Path] = set()


def load_or_compile(folder: Path | None, name: str, compile: Callable[[], bytes]) -> bytes:
    """Return an object file from a folder. If it is missing or damaged, compile it, and store it there.

    Args:
        folder: The folder; None to store nothing.
        name: The name of the file, which must change with everything that the code depends on.
        compile: Returns the object file.
    """
    if folder is None:
        return compile()
    file = folder / name
    data = read_stored(file)
    if data is not None:
        return data
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder):
            data = read_stored(file)  # another process may have been quicker
            if data is None:
                data = compile()
                _write(file, data)
            return data
    except OSError as error:
        if folder not in _reported_folders:
            _reported_folders.add(folder)
            logger.warning("machine code cannot be stored in %s, so every start compiles it again: %s", folder, error)
        return data if data is not None else compile()


def read_stored(file: Path) -> bytes | None:
    """Return the content of a stored file; None if it is missing or damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    data = content[HASH_BYTES:]
    return data if content[:HASH_BYTES] == _hash(file, data) else None


def _hash(file: Path, data: bytes) -> bytes:
    """Return the SHA-256 of an object file and its place: a file of other rules is sound machine code too."""
    return hashlib.sha256(f"{file.parent.name}/{file.name}\0".encode() + data).digest()


def _write(file: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(_hash(file, data) + data)
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise


@contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with its process. On Windows each process compiles for itself."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with open(folder / "lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # a forked process may still hold the open file, and so the lock
