"""Atomic reads and writes of int64 arrays, for machine code: the compiler replaces the calls by instructions.

Reads acquire and writes release: a thread that reads a value also sees everything written before that value.
Interpreted, they are not atomic: only one thread may call them.

`numbers` is a flat int64 array, `position` an index into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _instruction(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a function as an instruction of the compiler."""

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        vars(function)["intrinsic"] = name
        return function

    return mark


@_instruction("load")
def atomic_read(numbers: Any, position: int) -> int:
    """Return numbers[position]."""
    number: int = numbers[position]
    return number


@_instruction("store")
def atomic_write(numbers: Any, position: int, number: int) -> None:
    """Set numbers[position]."""
    numbers[position] = number


@_instruction("add")
def atomic_add(numbers: Any, position: int, number: int) -> int:
    """Add to numbers[position], and return its previous value."""
    previous: int = numbers[position]
    numbers[position] = previous + number
    return previous


@_instruction("fence")
def spin_pause() -> None:
    """Execute a memory fence, to slow down a spinning loop."""
