"""Memory that Python shares with machine code: rows of 64-bit numbers, and states, as memoryviews without NumPy.

Machine code takes a view of format "q" as numbers. It takes a view of format "B" as states: with one dimension as one
state, with two as a row of states; and one of format "i" as the facts of a game.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Iterable
from typing import Any

from courtly.engine.native.compiler.program import lay_out_record
from courtly.engine.state import StateBase, StateType

WORD_BYTES = 8
PAGED_BYTES = 1 << 16  # from this length on, memory is paged
PRIVATE = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}  # Windows: always
NO_BYTES = ctypes.c_char * 0


def make_bytes(length: int) -> memoryview:
    """Return `length` zeros as bytes.

    Long ones get pages of their own: those that nothing is written to take no memory, and all go back to the system
    when the last view ends, while memory of the heap would remain with the process. Short ones are on the heap: rows
    that all begin with a page compete for the same places in the processor's cache.

    Raises:
        MemoryError: There is not that much memory.
    """
    if length < PAGED_BYTES:
        return memoryview(bytearray(length))
    try:
        return memoryview(mmap.mmap(-1, length, **PRIVATE))
    except OSError as error:
        raise MemoryError(f"{length} bytes for machine code: {error.strerror}") from None


def make_row(given: int | Iterable[int]) -> memoryview[int]:
    """Return a row of 64-bit numbers: this many zeros, or these numbers."""
    return make_bytes(WORD_BYTES * given).cast("q") if isinstance(given, int) else memoryview(array("q", given))


def make_table(rows: int, length: int) -> memoryview[int]:
    """Return rows of 64-bit zeros, shape (rows, length)."""
    return make_bytes(WORD_BYTES * rows * length).cast("q", (rows, length))


def make_records(state: StateType, count: int) -> memoryview:
    """Return blank states side by side, shape (count, bytes), as machine code and `State.layout()` lay them out."""
    size = lay_out_record(state)[1]
    return make_bytes(size * count).cast("B", (count, size))


def make_states(state: StateType, count: int) -> tuple[memoryview, memoryview]:
    """Return blank states, each padded to whole words, as bytes; and the same memory as 64-bit numbers. Shapes
    (count, bytes) and (count, words)."""
    words = -(-lay_out_record(state)[1] // WORD_BYTES)
    data = make_bytes(WORD_BYTES * words * count)
    return data.cast("B", (count, WORD_BYTES * words)), data.cast("q", (count, words))


def pack_state(state: StateBase) -> memoryview:
    """Return a state as machine code lays it out, shape (1, bytes); scratch fields are 0."""
    states, _ = make_states(type(state), 1)
    packed = state.pack()
    states.cast("B")[: len(packed)] = packed
    return states


def address_of(data: Any) -> int:
    """Return where bytes, a view or a NumPy array lie in memory. Bytes stay there as long as their number does not
    change.

    Raises:
        TypeError: They are read-only, or do not lie side by side.
    """
    return ctypes.addressof(NO_BYTES.from_buffer(data))


def mask_visible(state: StateType, seat: int | None) -> bytearray:
    """Return a mask with all bits of the stored fields that a seat sees, or a spectator (None), as long as a packed
    state."""
    offsets, _ = lay_out_record(state)
    mask = bytearray(state.packing.size)
    for field in state.stored:
        start, length = offsets[field.name], field.length * field.size
        if field.visible == "private" and seat is not None and seat < field.shape[0]:
            length //= field.shape[0]
            start += seat * length
        elif field.visible != "public":
            continue
        mask[start : start + length] = b"\xff" * length
    return mask
