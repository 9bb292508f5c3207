"""Kernels for NVIDIA's graphics cards: a function of a driver, which each thread of the card calls with its number.

A kernel takes the function's arguments, whole numbers and the addresses and lengths of rows in the card's memory. Rows
that belong to one thread are not arguments: the kernel reserves them in the thread's local memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from courtly.engine.game import Game
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.driver import compile_program
from courtly.engine.native.compiler.entry_point import operand_types
from courtly.engine.native.compiler.object_cache import load_or_compile
from courtly.engine.native.compiler.program import Program, lay_out_record
from courtly.engine.native.compiler.types import ELEMENT_BYTES, INT, UNKNOWN_LENGTH, RecordType, RowType, Type
from courtly.engine.native.loader import cache_folder
from courtly.engine.native.module_loader import ModuleLoader

LOCAL_ALIGNMENT_BYTES = 16
GPU_THREAD = (
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
    "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
)
READ_GPU_THREAD = (
    "%gpu.place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "%gpu.size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
    "%gpu.block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
    "%gpu.before = mul i32 %gpu.block, %gpu.size",
    "%gpu.number = add i32 %gpu.before, %gpu.place",
    "%thread = zext i32 %gpu.number to i64",
)


class LocalRow(NamedTuple):
    """A row in the local memory of each thread. What it holds at the start is undefined.

    Attributes:
        row: Its type; all lengths are known.
        memory: The parameter whose memory it shares; "" if it has its own.
    """

    row: RowType
    memory: str = ""


KernelParameters = Mapping[str, Type | LocalRow | int]  # a number is a constant, and no argument of the kernel


def kernel_name(function: str) -> str:
    """Return the name of the kernel that calls a function."""
    return f"{function}_kernel"


def state_row(game: Game, length: int) -> RowType:
    """Return the type of a row of states."""
    return RowType(RecordType(lay_out_record(game.State)[1]), (length,))


def write_kernel(
    game: Game, driver: str, function: str, parameters: KernelParameters, triple: str, data_layout: str, *, on_gpu: bool
) -> str:
    """Return the LLVM module of a kernel.

    Args:
        game: The game whose rules the driver uses.
        driver: The name of the driver's module.
        function: The function. Its first parameter is the number of the thread.
        parameters: The type of each further parameter by its name.
        triple: The target.
        data_layout: The target's data layout.
        on_gpu: True for a kernel that reads the number of its thread from the card's registers; False for a function
            with the same arguments after that number, for a processor.

    Raises:
        CompileError: The function, or one that it calls, cannot be compiled.
    """
    program = Program(game, is_for_gpu=True)
    copy = ModuleLoader(game, program, driver).module(driver)
    types: list[Type] = [INT]
    arguments, locals, operands = [], [], ["i64 %thread"]
    for name, kind in parameters.items():
        types.append(INT if isinstance(kind, int) else kind.row if isinstance(kind, LocalRow) else kind)
        if isinstance(kind, int):
            operands.append(f"i64 {kind}")
        elif isinstance(kind, LocalRow):
            operands.append(f"ptr %{kind.memory or name}")
            if not kind.memory:
                sharing = (p for p in parameters.values() if isinstance(p, LocalRow) and p.memory == name)
                size = max(_row_bytes(row) for row in (kind.row, *(p.row for p in sharing)))
                locals.append(f"%{name} = alloca [{size} x i8], align {LOCAL_ALIGNMENT_BYTES}")
        else:
            flat = operand_types([kind])
            own = [f"{type} %{name}" + (f".{i}" if i else "") for i, type in enumerate(flat)]
            arguments += own
            operands += own
    program.export(getattr(copy, function), types)
    definition = f"void @{kernel_name(function)}({', '.join(arguments if on_gpu else ['i64 %thread', *arguments])})"
    body = [
        *(GPU_THREAD if on_gpu else ()),
        f"define ptx_kernel {definition} {{" if on_gpu else f"define {definition} {{",
        *(READ_GPU_THREAD if on_gpu else ()),
        *locals,
        f"call void @{function}({', '.join(operands)})",
        "ret void",
        "}",
    ]
    return program.text(triple, data_layout, body)


def _row_bytes(row: RowType) -> int:
    """Return the size of a row with known lengths."""
    assert UNKNOWN_LENGTH not in row.lengths
    size = row.element.size if isinstance(row.element, RecordType) else ELEMENT_BYTES[row.element]
    for length in row.lengths:
        size *= length
    return size


def compile_kernel(game: Game, driver: str, function: str, parameters: KernelParameters) -> bytes:
    """Return a kernel as PTX text, compiled or from the cache of machine code. No card is needed.

    Args:
        game: The game whose rules the driver uses.
        driver: The name of the driver's module.
        function: The function. Its first parameter is the number of the thread.
        parameters: The type of each further parameter by its name.

    Raises:
        DialectError: The rules use Python outside of the dialect.
        RulesError: A line cannot be compiled.
    """

    machine = machine_code.gpu_machine()
    layout = str(machine.target_data)

    def write() -> str:
        return write_kernel(game, driver, function, parameters, machine.triple, layout, on_gpu=True)

    digest = hashlib.sha256(repr(parameters).encode()).hexdigest()[:16]
    name = f"{function}-{digest}.ptx"
    return load_or_compile(cache_folder(game, driver), name, lambda: compile_program(game, write, machine))
