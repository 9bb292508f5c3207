"""Whole numbers that several threads read and write at once, for compiled callers. Whoever reads what another has
written finds all that the other had written before.

`numbers` is a flat int64 array, `at` a place in it.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic

ALIGNED = 8


def _place(context: Any, builder: Any, kind: Any, numbers: Any, at: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, numbers).data, [at])


def _read(typing: Any, numbers: Any, at: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], *args)
        return builder.load_atomic(place, "acquire", ALIGNED)

    return types.int64(numbers, types.int64), code


def _write(typing: Any, numbers: Any, at: Any, number: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], *args[:2])
        builder.store_atomic(args[2], place, "release", ALIGNED)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), code


def _add(typing: Any, numbers: Any, at: Any, number: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, signature.args[0], *args[:2])
        return builder.atomic_rmw("add", place, args[2], "acq_rel")

    return types.int64(numbers, types.int64, types.int64), code


def _rest(typing: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), code


read: Any = intrinsic(_read)  # (numbers, at): the number there
write: Any = intrinsic(_write)  # (numbers, at, number)
add: Any = intrinsic(_add)  # (numbers, at, number): the number that was there before
rest: Any = intrinsic(_rest)  # (): lets a moment pass, in which nothing is computed
