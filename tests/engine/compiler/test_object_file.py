"""Object files that LLVM does not write are refused, each with what is wrong. They are made by hand."""

import pytest

from courtly.engine.native.webassembly.linker import link_module
from courtly.engine.native.webassembly.object_file import (
    I32_CONST,
    MAGIC_AND_VERSION,
    MUTABLE_I32,
    ObjectFileError,
    RelocationKind,
    Section,
    SymbolFlag,
    SymbolKind,
    encode_number,
    encode_padded,
    encode_signed,
    read_object_file,
)

MEMORY, STACK_POINTER = 2, 3
CODE_INDEX, DATA_INDEX = 3, 4  # which section it is
TOO_LONG, TOO_LARGE = b"\x80" * 5 + b"\1", b"\xff" * 4 + b"\x7f"
END = b"\x0b"


def name(text):
    return encode_number(len(text)) + text.encode()


def part(kind, contents):
    return bytes([kind]) + encode_number(len(contents)) + contents


def custom(text, contents):
    return part(Section.CUSTOM, name(text) + contents)


def listed(*items):
    return encode_number(len(items)) + b"".join(items)


def function_symbol(flags=0):
    return bytes([SymbolKind.FUNCTION]) + encode_number(flags) + encode_number(0) + name("play")


def data_symbol(flags=0, offset=0):
    place = b"" if flags else encode_number(0) + encode_number(offset) + encode_number(4)
    return bytes([SymbolKind.DATA]) + encode_number(flags) + name("table") + place


SECTION_SYMBOL = bytes([SymbolKind.SECTION, 0]) + encode_number(CODE_INDEX)


def segment_name(exponent=2):
    return name(".rodata") + encode_number(exponent) + encode_number(0)


def relocation(kind=RelocationKind.MEMORY_ADDRESS_LEB, place=2, symbol=1, addend=0):
    return bytes([kind]) + encode_number(place) + encode_number(symbol) + encode_signed(addend)


SEGMENT_NAMES, SYMBOLS, CODE_RELOCATIONS = (segment_name(),), (function_symbol(), data_symbol()), (relocation(),)


def make_object_file(
    count=b"\1",
    limits=b"\0\0",
    stack_pointer=MUTABLE_I32,
    address=b"\0",
    segment_names=SEGMENT_NAMES,
    symbols=SYMBOLS,
    code_relocations=CODE_RELOCATIONS,
    data_relocations=(),
    more=b"",
):
    """Return an object file with one function and one data segment of four bytes. The function's body holds an address,
    two bytes behind its beginning."""
    imports = (
        name("env") + name("__linear_memory") + bytes([MEMORY]) + limits,
        name("env") + name("__stack_pointer") + bytes([STACK_POINTER]) + stack_pointer,
    )
    body = b"\0" + encode_padded(0) + END
    parts = [part(5, listed(*segment_names))] if segment_names else []
    parts += [part(8, listed(*symbols))] if symbols else []
    sections = (
        part(Section.TYPE, listed(b"\x60\0\0")),
        part(Section.IMPORT, listed(*imports)),
        part(Section.FUNCTION, count + encode_number(0)),
        part(Section.CODE, listed(body)),
        part(Section.DATA, listed(b"\0" + bytes([I32_CONST]) + address + END + encode_number(4) + b"data")),
        custom("linking", encode_number(2) + b"".join(parts)),
        custom("reloc.CODE", encode_number(CODE_INDEX) + listed(*code_relocations)),
        custom("reloc.DATA", encode_number(DATA_INDEX) + listed(*data_relocations)),
        custom("target_features", listed()),
    )
    return MAGIC_AND_VERSION + b"".join(sections) + more


def test_a_file_made_by_hand_is_read_and_linked():
    data = make_object_file(symbols=(*SYMBOLS, SECTION_SYMBOL))
    found = read_object_file(data)
    assert [segment.data for segment in found.segments] == [b"data"] and found.segments[0].alignment == 4
    assert [symbol.kind for symbol in found.symbols] == [SymbolKind.FUNCTION, SymbolKind.DATA, SymbolKind.SECTION]
    assert link_module(data, ["play"]).startswith(MAGIC_AND_VERSION)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(count=TOO_LONG), "number of functions of at most 5 bytes, found more"),
        (dict(count=TOO_LARGE), "number of functions of at most 32 bits, found "),
        (dict(address=TOO_LONG), "address of a data segment of at most 5 bytes, found more"),
        (dict(address=b"\x80" * 4 + b"\x10"), "address of a data segment of at most 32 bits, found 4294967296"),
        (dict(limits=b"\1\0\1"), "a memory without maximum, found limits of kind 1"),
        (dict(stack_pointer=b"\x7f\0"), "a mutable i32 as the stack pointer"),
        (dict(segment_names=()), "1 names of data segments, one for each: there are 0"),
        (dict(segment_names=(segment_name(17),)), r"an alignment of at most 2\*\*16 bytes, found 2\*\*17"),
        (dict(symbols=()), "a symbol table, found none"),
        (dict(symbols=(function_symbol(SymbolFlag.THREAD_LOCAL),)), "no symbols other than .*, not symbol play"),
        (dict(symbols=(data_symbol(SymbolFlag.UNDEFINED),)), "symbol table in the file, which does not hold it"),
        (dict(symbols=(data_symbol(offset=5),)), "symbol table inside its data segment, not at byte 5"),
        (dict(code_relocations=(relocation(place=5),)), "a place inside the section of 8 bytes, found 5"),
        (dict(code_relocations=(relocation(symbol=2),)), "one of 2 symbols, found symbol 2"),
        (
            dict(data_relocations=(relocation(RelocationKind.MEMORY_ADDRESS_I32, place=0),)),
            "relocations inside of data segments, not at byte 0 of the data",
        ),
        (dict(more=part(Section.TYPE, listed())), "each section once, found section TYPE again"),
        (dict(code_relocations=(relocation(addend=-(1 << 30)),)), "an address inside of memory for table, found -"),
    ],
)
def test_what_is_wrong_is_said(changes, message):
    with pytest.raises(ObjectFileError, match=message):
        link_module(make_object_file(**changes), ["play"])
