"""Atomic reads and writes of int64 arrays, for compiled callers: Numba intrinsics.

Reads acquire and writes release: a thread that reads a value also sees everything written before that value.

`numbers` is a flat int64 array, `at` an index into it.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic

ALIGNMENT_BYTES = 8


def _pointer(context: Any, builder: Any, kind: Any, numbers: Any, position: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, numbers).data, [position])


def _read(typing: Any, numbers: Any, position: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args)
        return builder.load_atomic(place, "acquire", ALIGNMENT_BYTES)

    return types.int64(numbers, types.int64), code


def _write(typing: Any, numbers: Any, position: Any, number: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args[:2])
        builder.store_atomic(args[2], place, "release", ALIGNMENT_BYTES)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), code


def _add(typing: Any, numbers: Any, position: Any, number: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _pointer(context, builder, signature.args[0], *args[:2])
        return builder.atomic_rmw("add", place, args[2], "acq_rel")

    return types.int64(numbers, types.int64, types.int64), code


def _pause(typing: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), code


atomic_read: Any = intrinsic(_read)  # (numbers, at) -> value
atomic_write: Any = intrinsic(_write)  # (numbers, at, value)
atomic_add: Any = intrinsic(_add)  # (numbers, at, value) -> previous value
spin_pause: Any = intrinsic(_pause)  # (): a memory fence, to slow down a spinning loop
