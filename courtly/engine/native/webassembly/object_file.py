"""Relocatable WebAssembly object files, as LLVM writes them.

The format is the binary format of the WebAssembly core specification with the custom sections of the tool conventions
(https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md, version 2). A program of the dialect needs a
small part of both. Everything else is refused, so that no module is written from a file that was misunderstood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from courtly.engine.errors import CourtlyError

MAGIC_AND_VERSION = b"\0asm\1\0\0\0"
LINKING_VERSION = 2
LAST_SECTION = "target_features"  # without it the file is cut short, and relocations may be missing
SEGMENT_NAMES_SUBSECTION, SYMBOL_TABLE_SUBSECTION = 5, 8
IMPORTED_FUNCTION, IMPORTED_TABLE, IMPORTED_MEMORY, IMPORTED_GLOBAL = range(4)
MUTABLE_I32 = b"\x7f\x01"
I32_CONST, END = 0x41, 0x0B
MAX_ALIGNMENT_EXPONENT = 16
PADDED_BYTES, I32_BYTES = 5, 4  # how long a number is that depends on a symbol: as LEB128, and in data


class Section(IntEnum):
    """The sections of a module that are read or written, by their ids."""

    CUSTOM = 0
    TYPE = 1
    IMPORT = 2
    FUNCTION = 3
    MEMORY = 5
    GLOBAL = 6
    EXPORT = 7
    CODE = 10
    DATA = 11
    DATA_COUNT = 12


OBJECT_SECTIONS = (
    Section.CUSTOM,
    Section.TYPE,
    Section.IMPORT,
    Section.FUNCTION,
    Section.CODE,
    Section.DATA,
    Section.DATA_COUNT,
)


class SymbolKind(IntEnum):
    """What a symbol names."""

    FUNCTION = 0
    DATA = 1
    GLOBAL = 2
    SECTION = 3
    EVENT = 4
    TABLE = 5


class SymbolFlag(IntEnum):
    """The flags of symbols that matter here."""

    LOCAL = 0x02
    UNDEFINED = 0x10
    EXPLICIT_NAME = 0x40
    THREAD_LOCAL = 0x100
    ABSOLUTE = 0x200


class RelocationKind(IntEnum):
    """How a number in code or data depends on a symbol."""

    FUNCTION_INDEX_LEB = 0
    MEMORY_ADDRESS_LEB = 3
    MEMORY_ADDRESS_SIGNED_LEB = 4
    MEMORY_ADDRESS_I32 = 5
    GLOBAL_INDEX_LEB = 7


ADDRESS_KINDS = (
    RelocationKind.MEMORY_ADDRESS_LEB,
    RelocationKind.MEMORY_ADDRESS_SIGNED_LEB,
    RelocationKind.MEMORY_ADDRESS_I32,
)


class ObjectFileError(CourtlyError):
    """An object file is damaged, or holds something that no program of the dialect needs. The message says what was
    expected, what was found, and where."""


class Segment(NamedTuple):
    """Bytes with which memory begins.

    Attributes:
        data: The bytes.
        alignment: Its address is a multiple of this number of bytes.
        place: Where the bytes begin in the data section's contents.
    """

    data: bytes
    alignment: int
    place: int


class Symbol(NamedTuple):
    """A name in the symbol table.

    Attributes:
        kind: What it names.
        flags: Bits of SymbolFlag, and others that do not matter here.
        name: Its name; "" for sections and for imports without a name of their own.
        item: The index of the function, global or data segment.
        offset: The place in the data segment, in bytes.
    """

    kind: SymbolKind
    flags: int
    name: str
    item: int = 0
    offset: int = 0

    @property
    def is_defined(self) -> bool:
        """True if the file holds what the symbol names."""
        return not self.flags & SymbolFlag.UNDEFINED


class Relocation(NamedTuple):
    """A number in code or data that depends on a symbol.

    Attributes:
        kind: How it is encoded.
        place: Where it stands in the section's contents.
        symbol: The index of its symbol.
        addend: What is added to the symbol's address, in bytes.
    """

    kind: RelocationKind
    place: int
    symbol: int
    addend: int


class ObjectFile(NamedTuple):
    """The parts of an object file.

    Attributes:
        types: The contents of the type section.
        functions: The contents of the function section.
        code: The contents of the code section.
        function_count: How many functions there are.
        segments: The data segments.
        symbols: The symbol table.
        code_relocations: The numbers in `code` that depend on symbols.
        data_relocations: The numbers in the data section that depend on symbols.
        uses_stack: True if it imports the stack pointer, which is then global 0.
    """

    types: bytes
    functions: bytes
    code: bytes
    function_count: int
    segments: tuple[Segment, ...]
    symbols: tuple[Symbol, ...]
    code_relocations: tuple[Relocation, ...]
    data_relocations: tuple[Relocation, ...]
    uses_stack: bool


class ByteReader:
    """Reads numbers and names from bytes.

    Args:
        data: The bytes.
        part: The name of this part of the file, for errors.
    """

    def __init__(self, data: bytes, part: str):
        self.data, self.part, self.at = data, part, 0

    def error(self, expected: str, found: object) -> ObjectFileError:
        """Return the error for something unexpected at the current place."""
        return ObjectFileError(
            f"WebAssembly object file, {self.part}, byte {self.at}: expected {expected}, found {found}; "
            "report it together with the version of llvmlite"
        )

    @property
    def is_at_end(self) -> bool:
        """True if everything was read."""
        return self.at == len(self.data)

    def read_bytes(self, count: int, what: str) -> bytes:
        """Return the next bytes. `what`: what they are, for errors."""
        if count > len(self.data) - self.at:
            raise self.error(f"{count} bytes of {what}", f"the end after {len(self.data) - self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def read_byte(self, what: str) -> int:
        """Return the next byte as a number."""
        return self.read_bytes(1, what)[0]

    def read_number(self, what: str) -> int:
        """Return an unsigned number of at most 32 bits, encoded as LEB128."""
        number = shift = 0
        while True:
            byte = self.read_byte(what)
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
            if shift > 28:
                raise self.error(f"{what} of at most {PADDED_BYTES} bytes", "more")
        if number >> 32:
            raise self.error(f"{what} of at most 32 bits", number)
        return number

    def read_signed(self, what: str) -> int:
        """Return a signed number of at most 32 bits, encoded as LEB128."""
        number = shift = 0
        while True:
            byte = self.read_byte(what)
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
            if shift > 28:
                raise self.error(f"{what} of at most {PADDED_BYTES} bytes", "more")
        number -= (byte & 0x40) << shift - 6
        if not -1 << 31 <= number < 1 << 31:
            raise self.error(f"{what} of at most 32 bits", number)
        return number

    def read_name(self, what: str) -> str:
        """Return a name, which is preceded by its length."""
        data = self.read_bytes(self.read_number(f"length of {what}"), what)
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self.error(f"{what} in UTF-8", data) from None

    def read_part(self, what: str) -> ByteReader:
        """Return a reader of the next part, which is preceded by its size."""
        return ByteReader(self.read_bytes(self.read_number(f"size of {what}"), what), what)

    def check_end(self) -> None:
        """Raise ObjectFileError unless everything was read."""
        if not self.is_at_end:
            raise self.error("the end", f"{len(self.data) - self.at} more bytes")


def encode_number(number: int) -> bytes:
    """Return an unsigned number as LEB128, as short as possible."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def encode_signed(number: int) -> bytes:
    """Return a signed number as LEB128, as short as possible."""
    encoded = bytearray()
    while not -0x40 <= number < 0x40:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number & 0x7F])


def encode_padded(number: int) -> bytes:
    """Return a number of 32 bits as five bytes of LEB128. A signed one continues its sign bit."""
    return bytes([*(number >> shift & 0x7F | 0x80 for shift in (0, 7, 14, 21)), number >> 28 & 0x7F])


def is_padded(encoded: bytes) -> bool:
    """Return True if these bytes are one number of five bytes of LEB128."""
    return len(encoded) == PADDED_BYTES and all(byte & 0x80 for byte in encoded[:-1]) and encoded[-1] < 0x80


def read_object_file(data: bytes) -> ObjectFile:
    """Read an object file.

    Raises:
        ObjectFileError: It is damaged, imports functions, or holds something that no program of the dialect needs.
    """
    sections = _read_sections(data)
    contents = {kind: reader for kind, reader in sections if kind is not Section.CUSTOM}
    custom = {reader.part: (i, reader) for i, (kind, reader) in enumerate(sections) if kind is Section.CUSTOM}
    for kind in (Section.TYPE, Section.IMPORT, Section.FUNCTION, Section.CODE):
        if kind not in contents:
            raise _file_error(f"a section {kind.name}")
    for part in ("linking", LAST_SECTION):
        if part not in custom:
            raise _file_error(f"a section {part}")
    uses_stack = _read_imports(contents[Section.IMPORT])
    function_count = contents[Section.FUNCTION].read_number("number of functions")
    code = contents[Section.CODE]
    if (bodies := code.read_number("number of functions")) != function_count:
        raise code.error(f"{function_count} functions", bodies)
    plain_segments = _read_segments(contents[Section.DATA]) if Section.DATA in contents else []
    symbols, alignments = _read_linking(custom["linking"][1])
    if len(alignments) != len(plain_segments):
        raise _file_error(f"{len(plain_segments)} names of data segments, one for each: there are {len(alignments)}")
    segments = tuple(
        segment._replace(alignment=alignment) for segment, alignment in zip(plain_segments, alignments, strict=True)
    )
    _check_symbols(symbols, function_count, segments, uses_stack)
    index_by_kind = {kind: i for i, (kind, _) in enumerate(sections) if kind is not Section.CUSTOM}
    relocations = [
        _read_relocations(custom[part][1], index_by_kind[kind], len(contents[kind].data), symbols)
        if (part := f"reloc.{kind.name}") in custom and kind in contents
        else ()
        for kind in (Section.CODE, Section.DATA)
    ]
    for relocation in relocations[1]:
        if not any(0 <= relocation.place - s.place <= len(s.data) - I32_BYTES for s in segments):
            raise _file_error(f"relocations inside of data segments, not at byte {relocation.place} of the data")
    return ObjectFile(
        contents[Section.TYPE].data,
        contents[Section.FUNCTION].data,
        code.data,
        function_count,
        segments,
        symbols,
        relocations[0],
        relocations[1],
        uses_stack,
    )


def _file_error(expected: str) -> ObjectFileError:
    return ObjectFileError(f"WebAssembly object file: expected {expected}; report it with the version of llvmlite")


def _read_sections(data: bytes) -> list[tuple[Section, ByteReader]]:
    """Return the sections in order, each with a reader of its contents. The reader of a custom section has its name."""
    reader = ByteReader(data, "header")
    if (found := reader.read_bytes(len(MAGIC_AND_VERSION), "the header")) != MAGIC_AND_VERSION:
        reader.at = 0
        raise reader.error(f"{MAGIC_AND_VERSION!r}", f"{found!r}")
    sections: list[tuple[Section, ByteReader]] = []
    seen: set[Section | str] = set()
    while not reader.is_at_end:
        reader.part = f"section {len(sections)}"
        number = reader.read_byte("id of a section")
        if number not in OBJECT_SECTIONS:
            raise reader.error("a section of a program in the dialect", f"a section with the id {number}")
        kind = Section(number)
        contents = reader.read_part(f"section {kind.name}")
        if kind is Section.CUSTOM:
            name = contents.read_name("name of a section")
            contents = ByteReader(contents.data[contents.at :], name)
        if (key := contents.part if kind is Section.CUSTOM else kind) in seen:
            raise reader.error("each section once", f"{contents.part} again")
        seen.add(key)
        sections.append((kind, contents))
    return sections


def _read_imports(reader: ByteReader) -> bool:
    """Check that only the memory and the stack pointer are imported, and return True if the latter is."""
    functions: list[str] = []
    has_memory = uses_stack = False
    for _ in range(reader.read_number("number of imports")):
        name = f"{reader.read_name('module of an import')}.{reader.read_name('name of an import')}"
        kind = reader.read_byte("kind of an import")
        if kind == IMPORTED_FUNCTION:
            reader.read_number("type of a function")
            functions.append(name)
        elif kind == IMPORTED_MEMORY and name == "env.__linear_memory" and not has_memory:
            if (limits := reader.read_byte("kind of limits")) != 0:
                raise reader.error("a memory without maximum", f"limits of kind {limits}")
            reader.read_number("size of the memory")
            has_memory = True
        elif kind == IMPORTED_GLOBAL and name == "env.__stack_pointer" and not uses_stack:
            if (type := reader.read_bytes(2, "type of a global")) != MUTABLE_I32:
                raise reader.error("a mutable i32 as the stack pointer", type)
            uses_stack = True
        else:
            raise reader.error("no imports other than the memory and the stack pointer", name)
    reader.check_end()
    if functions:
        raise ObjectFileError(
            f"the driver needs {', '.join(sorted(functions))}, which WebAssembly does not have: compile entry points "
            "that do without it"
        )
    return uses_stack


def _read_segments(reader: ByteReader) -> list[Segment]:
    """Return the data segments, whose alignment stands elsewhere."""
    segments: list[Segment] = []
    for _ in range(reader.read_number("number of data segments")):
        if kind := reader.read_number("kind of a data segment"):
            raise reader.error("a data segment of kind 0, which is copied to the memory at the start", kind)
        if (instruction := reader.read_byte("address of a data segment")) != I32_CONST:
            raise reader.error("the address of a data segment as i32.const", f"instruction {instruction}")
        reader.read_signed("address of a data segment")
        if (instruction := reader.read_byte("end of an address")) != END:
            raise reader.error("the end of an address", f"instruction {instruction}")
        size = reader.read_number("size of a data segment")
        place = reader.at
        segments.append(Segment(reader.read_bytes(size, "a data segment"), 1, place))
    reader.check_end()
    return segments


def _read_linking(reader: ByteReader) -> tuple[tuple[Symbol, ...], list[int]]:
    """Return the symbols, and the alignment of each data segment in bytes."""
    if (version := reader.read_number("version")) != LINKING_VERSION:
        raise reader.error(f"version {LINKING_VERSION}", version)
    symbols: tuple[Symbol, ...] | None = None
    alignments: list[int] = []
    while not reader.is_at_end:
        kind = reader.read_byte("kind of a part")
        part = reader.read_part(f"part {kind} of the section linking")
        if kind == SYMBOL_TABLE_SUBSECTION:
            symbols = tuple(_read_symbols(part))
        elif kind == SEGMENT_NAMES_SUBSECTION:
            alignments = list(_read_alignments(part))
        else:
            raise reader.error("names of data segments or the symbol table", f"part {kind}")
        part.check_end()
    if symbols is None:
        raise reader.error("a symbol table", "none")
    return symbols, alignments


def _read_symbols(reader: ByteReader) -> Iterator[Symbol]:
    for _ in range(reader.read_number("number of symbols")):
        number = reader.read_byte("kind of a symbol")
        if number not in tuple(SymbolKind):
            raise reader.error("a kind of symbol from 0 to 5", number)
        kind, flags = SymbolKind(number), reader.read_number("flags of a symbol")
        is_defined = not flags & SymbolFlag.UNDEFINED
        if kind is SymbolKind.SECTION:
            yield Symbol(kind, flags, "", reader.read_number("section of a symbol"))
        elif kind is SymbolKind.DATA:
            name, index, offset = reader.read_name("name of a symbol"), 0, 0
            if is_defined:
                index, offset = reader.read_number("segment of a symbol"), reader.read_number("place of a symbol")
                reader.read_number("size of a symbol")
            yield Symbol(kind, flags, name, index, offset)
        else:
            index = reader.read_number("index of a symbol")
            has_name = is_defined or flags & SymbolFlag.EXPLICIT_NAME
            yield Symbol(kind, flags, reader.read_name("name of a symbol") if has_name else "", index)


def _read_alignments(reader: ByteReader) -> Iterator[int]:
    for _ in range(reader.read_number("number of data segments")):
        name = reader.read_name("name of a data segment")
        exponent = reader.read_number(f"alignment of {name}")
        if exponent > MAX_ALIGNMENT_EXPONENT:
            raise reader.error(f"an alignment of at most 2**{MAX_ALIGNMENT_EXPONENT} bytes", f"2**{exponent}")
        reader.read_number(f"flags of {name}")
        yield 1 << exponent


def _check_symbols(
    symbols: Sequence[Symbol], function_count: int, segments: Sequence[Segment], uses_stack: bool
) -> None:
    """Raise ObjectFileError unless each symbol names something that the file holds, or the stack pointer."""
    limits = {SymbolKind.FUNCTION: function_count, SymbolKind.DATA: len(segments), SymbolKind.GLOBAL: int(uses_stack)}
    for symbol in symbols:
        if symbol.kind is SymbolKind.SECTION:
            continue
        place = f"symbol {symbol.name or symbol.item}"
        if symbol.kind not in limits or symbol.flags & (SymbolFlag.THREAD_LOCAL | SymbolFlag.ABSOLUTE):
            raise _file_error(f"no symbols other than functions, data and the stack pointer, not {place}")
        if not symbol.is_defined and symbol.kind is not SymbolKind.GLOBAL:
            raise _file_error(f"{place} in the file, which does not hold it")
        if symbol.item >= limits[symbol.kind]:
            raise _file_error(
                f"an index below {limits[symbol.kind]} as {symbol.kind.name} of {place}, not {symbol.item}"
            )
        if symbol.kind is SymbolKind.DATA and symbol.offset > len(segments[symbol.item].data):
            raise _file_error(f"{place} inside its data segment, not at byte {symbol.offset}")


def _read_relocations(
    reader: ByteReader, section_index: int, size: int, symbols: Sequence[Symbol]
) -> tuple[Relocation, ...]:
    """Return the relocations of a section. `size`: of its contents, in bytes."""
    if (found := reader.read_number("index of a section")) != section_index:
        raise reader.error(f"relocations of section {section_index}", f"of section {found}")
    relocations: list[Relocation] = []
    for _ in range(reader.read_number("number of relocations")):
        number = reader.read_byte("kind of a relocation")
        if number not in tuple(RelocationKind):
            raise reader.error("a relocation of a function, a global or an address", f"one of kind {number}")
        kind, place = RelocationKind(number), reader.read_number("place of a relocation")
        index = reader.read_number("symbol of a relocation")
        addend = reader.read_signed("addend of a relocation") if kind in ADDRESS_KINDS else 0
        if place + (I32_BYTES if kind is RelocationKind.MEMORY_ADDRESS_I32 else PADDED_BYTES) > size:
            raise reader.error(f"a place inside the section of {size} bytes", place)
        if index >= len(symbols):
            raise reader.error(f"one of {len(symbols)} symbols", f"symbol {index}")
        if symbols[index].kind is not _symbol_kind(kind):
            raise reader.error(f"a symbol of kind {_symbol_kind(kind).name}", symbols[index].kind.name)
        relocations.append(Relocation(kind, place, index, addend))
    reader.check_end()
    return tuple(relocations)


def _symbol_kind(kind: RelocationKind) -> SymbolKind:
    """Return the kind of symbol that a relocation of this kind has."""
    if kind in ADDRESS_KINDS:
        return SymbolKind.DATA
    return SymbolKind.FUNCTION if kind is RelocationKind.FUNCTION_INDEX_LEB else SymbolKind.GLOBAL
