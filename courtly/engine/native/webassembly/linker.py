"""From an object file to a WebAssembly module that runs.

Memory begins with the stack, which grows down, so that a stack that grows too long ends in a trap instead of in other
data. The tables of the rules follow, and then free space: `heap_base` is its first address. The module exports
`memory`, `heap_base` and the entry points, and imports nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from courtly.engine.native.webassembly.object_file import (
    ADDRESS_KINDS,
    END,
    I32_BYTES,
    I32_CONST,
    MAGIC_AND_VERSION,
    MUTABLE_I32,
    PADDED_BYTES,
    ObjectFile,
    ObjectFileError,
    Relocation,
    RelocationKind,
    Section,
    SymbolFlag,
    SymbolKind,
    encode_number,
    encode_padded,
    encode_signed,
    is_padded,
    read_object_file,
)

PAGE_BYTES = 1 << 16
STACK_BYTES = 1 << 16
HEAP_ALIGNMENT = 16
IMMUTABLE_I32 = b"\x7f\x00"
EXPORTED_FUNCTION, EXPORTED_MEMORY, EXPORTED_GLOBAL = 0, 2, 3


def link_module(data: bytes, exports: Sequence[str]) -> bytes:
    """Return the module that an object file becomes.

    Args:
        data: The object file.
        exports: The functions that the module exports.

    Raises:
        ObjectFileError: The object file is damaged or holds something unexpected, or one of the functions is missing.
    """
    found = read_object_file(data)
    addresses, end = _place_segments(found)
    heap_base = _align(end, HEAP_ALIGNMENT)
    functions = _find_functions(found, exports)
    globals_ = [MUTABLE_I32 + _constant(STACK_BYTES)] * found.uses_stack + [IMMUTABLE_I32 + _constant(heap_base)]
    exported = [("memory", EXPORTED_MEMORY, 0), ("heap_base", EXPORTED_GLOBAL, len(globals_) - 1)]
    exported += [(name, EXPORTED_FUNCTION, index) for name, index in functions.items()]
    segments = [
        b"\0" + _constant(address) + encode_number(len(data)) + data
        for address, data in zip(addresses, _relocate_segments(found, addresses), strict=True)
    ]
    sections = [
        (Section.TYPE, found.types),
        (Section.FUNCTION, found.functions),
        (Section.MEMORY, _vector([b"\0" + encode_number(-(-heap_base // PAGE_BYTES))])),
        (Section.GLOBAL, _vector(globals_)),
        (Section.EXPORT, _vector([_name(name) + bytes([kind]) + encode_number(i) for name, kind, i in exported])),
        (Section.CODE, _relocate(found, found.code, found.code_relocations, addresses)),
        *([(Section.DATA, _vector(segments))] if segments else []),
    ]
    return MAGIC_AND_VERSION + b"".join(
        bytes([kind]) + encode_number(len(contents)) + contents for kind, contents in sections
    )


def _align(address: int, alignment: int) -> int:
    return -(-address // alignment) * alignment


def _vector(items: Sequence[bytes]) -> bytes:
    return encode_number(len(items)) + b"".join(items)


def _name(name: str) -> bytes:
    return encode_number(len(name.encode())) + name.encode()


def _constant(number: int) -> bytes:
    """Return an expression of this i32."""
    return bytes([I32_CONST]) + encode_signed(number) + bytes([END])


def _place_segments(found: ObjectFile) -> tuple[list[int], int]:
    """Return the address of each data segment, and the end of the last one."""
    addresses: list[int] = []
    end = STACK_BYTES
    for segment in found.segments:
        addresses.append(_align(end, segment.alignment))
        end = addresses[-1] + len(segment.data)
    return addresses, end


def _find_functions(found: ObjectFile, names: Sequence[str]) -> dict[str, int]:
    """Return the index of each function that is exported. Raises ObjectFileError if one is missing."""
    functions = {
        symbol.name: symbol.item
        for symbol in found.symbols
        if symbol.kind is SymbolKind.FUNCTION and not symbol.flags & SymbolFlag.LOCAL
    }
    if missing := [name for name in names if name not in functions]:
        raise ObjectFileError(
            f"WebAssembly object file: expected the functions {', '.join(missing)}, found {', '.join(functions)}"
        )
    return {name: functions[name] for name in names}


def _relocate_segments(found: ObjectFile, addresses: Sequence[int]) -> list[bytes]:
    """Return the data segments with final addresses in them."""
    relocated = []
    for segment in found.segments:
        first, end = segment.place, segment.place + len(segment.data)
        own = [r._replace(place=r.place - first) for r in found.data_relocations if first <= r.place < end]
        relocated.append(_relocate(found, segment.data, own, addresses))
    return relocated


def _relocate(found: ObjectFile, data: bytes, relocations: Sequence[Relocation], addresses: Sequence[int]) -> bytes:
    """Return code or data with final numbers in the places that depend on symbols."""
    relocated = bytearray(data)
    for kind, place, index, addend in relocations:
        symbol = found.symbols[index]
        number = symbol.item
        if kind in ADDRESS_KINDS:
            number = addresses[symbol.item] + symbol.offset + addend
            if not 0 <= number < 1 << 31:
                raise ObjectFileError(
                    f"WebAssembly object file: expected an address inside of memory for {symbol.name}, found {number}; "
                    "report it with the version of llvmlite"
                )
        if kind is RelocationKind.MEMORY_ADDRESS_I32:
            relocated[place : place + I32_BYTES] = number.to_bytes(I32_BYTES, "little")
            continue
        if not is_padded(before := bytes(relocated[place : place + PADDED_BYTES])):
            raise ObjectFileError(
                f"WebAssembly object file: expected a number of {PADDED_BYTES} bytes at byte {place} of the code, for "
                f"{symbol.name or kind.name}, found {before!r}; report it with the version of llvmlite"
            )
        relocated[place : place + PADDED_BYTES] = encode_padded(number)
    return bytes(relocated)
