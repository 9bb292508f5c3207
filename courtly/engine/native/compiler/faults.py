"""What checked machine code reports: a broken promise of the rules, and where.

A fault is a number, so that it needs no memory of its own: its kind, the file among the game's modules, and the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from courtly.engine.errors import CourtlyError

KIND_BITS, FILE_BITS = 4, 12


class FaultError(CourtlyError):
    """Checked machine code found a fault, whose number is the argument. `EntryPoint` raises the error that it means."""


class Fault(IntEnum):
    """The kinds of faults."""

    INDEX = 1
    RANGE = 2
    LOOP = 3
    OVERFLOW = 4
    DIVISION = 5


ERRORS: dict[Fault, tuple[type[Exception], str]] = {
    Fault.INDEX: (IndexError, "index outside of the row"),
    Fault.RANGE: (OverflowError, "number too wide for its field, or outside of its declared range"),
    Fault.LOOP: (RuntimeError, "endless loop"),
    Fault.OVERFLOW: (OverflowError, "number of more than 64 bits"),
    Fault.DIVISION: (ZeroDivisionError, "division by zero"),
}


def encode_fault(kind: Fault, file: int, line: int) -> int:
    """Return the number of a fault. `file`: the place of the file among the game's modules."""
    return (line << FILE_BITS | file) << KIND_BITS | kind


def explain_fault(fault: int, files: Sequence[Path]) -> Exception:
    """Return the error for a fault. `files`: the game's modules, as `list_modules` gives them."""
    kind, file = Fault(fault & (1 << KIND_BITS) - 1), files[fault >> KIND_BITS & (1 << FILE_BITS) - 1]
    error, message = ERRORS[kind]
    return error(f"{message} ({file}:{fault >> KIND_BITS + FILE_BITS})")


def list_modules(folder: Path) -> list[Path]:
    """Return the modules of a game in a fixed order."""
    return sorted(folder.glob("*.py"))
