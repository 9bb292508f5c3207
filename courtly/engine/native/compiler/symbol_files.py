"""Files from which debuggers and profilers learn about the machine code of a process, on Linux.

Every object file has line tables: the author's file and line of each instruction. But llvmlite's LLJIT does not
announce its code through GDB's interface for compilers, and perf knows no code that is not in a file. If
COURTLY_SYMBOLS names a folder, object files are written there as they are loaded, with a script for GDB, and the
addresses of all functions to the file that perf reads:

    COURTLY_SYMBOLS=symbols courtly simulate petition --games 100000
    gdb -p PID -x symbols/PID.gdb               # then: break rules.py:120
    perf record -p PID; perf report             # reads perf-PID.map in PERF_FOLDER
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PERF_FOLDER = Path("/tmp")  # perf looks only there
SYMBOL_TABLE, FUNCTION = 2, 2  # the type of a section, and of a symbol
SECTION_LAYOUT, SYMBOL_LAYOUT = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")


class FunctionSymbol(NamedTuple):
    """A function in an object file.

    Attributes:
        name: Its name.
        section: The name of its section.
        offset: Its place in the section, in bytes.
        size: Its bytes.
    """

    name: str
    section: str
    offset: int
    size: int


def list_functions(data: bytes) -> Iterator[FunctionSymbol]:
    """Yield the functions of an ELF object file for a 64-bit little-endian processor."""
    [headers_at] = struct.unpack_from("<Q", data, 0x28)
    count, names_index = struct.unpack_from("<HH", data, 0x3C)
    sections = [SECTION_LAYOUT.unpack_from(data, headers_at + i * SECTION_LAYOUT.size) for i in range(count)]
    contents = [data[section[4] : section[4] + section[5]] for section in sections]
    for section, content in zip(sections, contents, strict=True):
        if section[1] == SYMBOL_TABLE:
            for name, info, _, index, offset, size in SYMBOL_LAYOUT.iter_unpack(content):
                if info & 15 == FUNCTION and index < count:
                    section_name = _text_at(contents[names_index], sections[index][0])
                    yield FunctionSymbol(_text_at(contents[section[6]], name), section_name, offset, size)


def _text_at(texts: bytes, start: int) -> str:
    return texts[start : texts.index(0, start)].decode()


def write_symbol_files(data: bytes, name: str, address: int) -> None:
    """Write the files about an object file that was just loaded, if COURTLY_SYMBOLS names a folder.

    Args:
        data: The object file.
        name: One of its functions.
        address: Where this function was loaded.
    """
    folder = os.environ.get("COURTLY_SYMBOLS")
    if not folder or sys.platform != "linux":
        return
    functions = [*list_functions(data)]
    known = next(function for function in functions if function.name == name)
    start = address - known.offset  # of the section
    place = Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    file = place / f"{os.getpid()}-{start:x}.o"
    file.write_bytes(data)
    with open(place / f"{os.getpid()}.gdb", "a", encoding="utf-8") as script:
        script.write(f"add-symbol-file {file} -s {known.section} {start:#x}\n")
    with open(PERF_FOLDER / f"perf-{os.getpid()}.map", "a", encoding="utf-8") as symbols:
        symbols.writelines(
            f"{start + function.offset:x} {function.size:x} {function.name}\n"
            for function in functions
            if function.section == known.section
        )
