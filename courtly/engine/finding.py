"""What is wrong with a game, and where its author mends it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Finding(NamedTuple):
    file: Path
    line: int
    said: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.said}"
