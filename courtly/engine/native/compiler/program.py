"""A program: all functions and tables that an entry point needs, as one LLVM module."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from courtly.engine.enums import NamedIntType
from courtly.engine.facts import NUMBER_BYTES, Fact, lay_out_facts, list_records
from courtly.engine.game import Game
from courtly.engine.moves import Moves
from courtly.engine.native.compiler.faults import list_modules
from courtly.engine.native.compiler.function_writer import FunctionWriter
from courtly.engine.native.compiler.types import (
    ELEMENT_BYTES,
    SHARED,
    UNKNOWN_ROOT,
    CompileError,
    ConstantTable,
    RecordType,
    RowType,
    Type,
    is_pointer,
)
from courtly.engine.state import Field, StateType

# modules whose numbers may exceed 64 bits and then wrap around: random generators, hashes
WRAPPING_MODULES = ("courtly.engine.rng", "courtly.bots.", "courtly.lab.", "courtly.adapters.")
PENDING_BOUNDS = (0, 127)  # `pending` holds one bit for each seat and one for chance
SHARED_ROWS = ("words",)  # parameters of entry points whose rows may be the bytes of other arguments
TABLE_ELEMENTS = ("i8", "i16", "i32", "i64")
DECLARATIONS = (
    "declare double @llvm.sqrt.f64(double)",
    "declare double @llvm.exp.f64(double)",
    "declare float @llvm.sqrt.f32(float)",
    "declare float @llvm.exp.f32(float)",
    "declare i64 @llvm.abs.i64(i64, i1)",
    "declare double @llvm.fabs.f64(double)",
    "declare i64 @llvm.smin.i64(i64, i64)",
    "declare i64 @llvm.smax.i64(i64, i64)",
    *(f"declare {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64, i64)" for name in ("add", "sub", "mul")),
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
)
# a browser has no strlen, which LLVM recognizes in loops over bytes
FUNCTION_ATTRIBUTES = 'nofree nounwind mustprogress "no-builtin-strlen" "no-builtin-wcslen"'


class DialectFunction:
    """A function of the dialect, which is written for each combination of argument types that it is called with.

    Attributes:
        function: The Python function.
        tree: Its syntax tree.
        parameters: The names of its parameters.
        results: How many numbers it returns.
        inline: True to copy it into each caller, False for a call; None: the compiler decides.
        wraps: True if numbers may exceed 64 bits in it.
        stores: How often each variable is assigned.
    """

    def __init__(self, function: Any, tree: ast.FunctionDef):
        self.function, self.tree = function, tree
        self.scope: dict[str, Any] = function.__globals__
        self.name: str = function.__name__
        self.file: str = function.__code__.co_filename
        self.inline: bool | None = getattr(function, "inline", None)
        self.parameters = [argument.arg for argument in tree.args.args]
        self.wraps = f"{function.__module__}.".startswith(tuple(f"{name.rstrip('.')}." for name in WRAPPING_MODULES))
        self.results = max((_count_results(n) for n in ast.walk(tree) if isinstance(n, ast.Return)), default=0)
        names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.stores = {name: names.count(name) for name in {*names}}


def _count_results(node: ast.Return) -> int:
    return 0 if node.value is None else len(node.value.elts) if isinstance(node.value, ast.Tuple) else 1


@cache
def _parse_file(file: str, modified: int) -> dict[int, ast.FunctionDef]:
    return _functions_by_line(Path(file).read_text(encoding="utf-8"))


def _functions_by_line(source: str) -> dict[int, ast.FunctionDef]:
    return {node.lineno: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def lay_out_record(state: StateType) -> tuple[dict[str, int], int]:
    """Return the place of each field in a record, and the size of a record, in bytes, as a C compiler lays it out."""
    offsets: dict[str, int] = {}
    end, alignment = 0, 1
    for field in state.stored + state.scratch:
        offsets[field.name] = -(-end // field.size) * field.size
        end = offsets[field.name] + field.length * field.size
        alignment = max(alignment, field.size)
    return offsets, -(-end // alignment) * alignment


class Program:
    """A backend of the loader that writes functions as LLVM code.

    Args:
        game: The game whose state the functions use.
        is_checked: True to check every index, number and loop in the game's own functions.
        has_lines: True to tell debuggers and profilers the author's file and line of each instruction.
        is_for_gpu: True to use the forms of functions for graphics cards.
    """

    def __init__(self, game: Game, *, is_checked: bool = False, has_lines: bool = False, is_for_gpu: bool = False):
        self.game, self.is_checked, self.has_lines, self.is_for_gpu = game, is_checked, has_lines, is_for_gpu
        self.checked_files = {f"{file}": i for i, file in enumerate(list_modules(game.folder))} if is_checked else {}
        offsets, _ = lay_out_record(game.State)
        self.layouts = {"": {name: (_state_row(field), offsets[name]) for name, field in game.State.fields.items()}}
        for name, facts in list_records(game.Facts).items() if game.Facts else ():
            self.layouts[name] = {
                field: (_fact_row(facts.fields[field]), NUMBER_BYTES * offset)
                for field, offset in lay_out_facts(facts).items()
            }
        self._tables: dict[Any, ConstantTable] = {}
        self._globals: list[str] = []
        self._functions: dict[tuple[DialectFunction, tuple[Type, ...], str], FunctionWriter] = {}
        self._metadata: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._unit = self.metadata('!{!"courtly"}')
        self._generated: dict[str, dict[int, ast.FunctionDef]] = {}

    # --- the backend of the loader ----------------------------------------------------------------------------------

    def function(self, f: Any, driver: bool) -> Any:
        """Return a function of the dialect, to be written when it is called."""
        if hasattr(f, "intrinsic"):  # an instruction
            return f
        f = (self.is_for_gpu and getattr(f, "gpu", None)) or getattr(f, "compiled", f)
        file, line = f.__code__.co_filename, f.__code__.co_firstlineno
        if file.startswith("<"):  # the loader generated it for this game
            source = f.__globals__["GENERATED_SOURCE"]
            if source not in self._generated:
                self._generated[source] = _functions_by_line(source)
            return DialectFunction(f, self._generated[source][line])
        return DialectFunction(f, _parse_file(file, Path(file).stat().st_mtime_ns)[line])

    def top(self, f: DialectFunction) -> DialectFunction:
        """Return the function: `export` writes it."""
        return f

    def names(self, numbers: NamedIntType | Moves) -> NamedIntType | Moves:
        """Return the object, whose attributes are constants."""
        return numbers

    def array(self, t: tuple[Any, ...]) -> ConstantTable:
        """Return a tuple of whole numbers, or of such tuples, as a table with the narrowest possible elements."""
        if t not in self._tables:
            lengths, numbers = _flatten_table(t)
            least, most = min(numbers), max(numbers)
            for element in TABLE_ELEMENTS:
                limit = 1 << 8 * ELEMENT_BYTES[element] - 1
                if -limit <= least and most < limit:
                    break
            name = f"@table{len(self._tables)}"
            values = ", ".join(f"{element} {number}" for number in numbers)
            self._globals.append(
                f"{name} = internal unnamed_addr constant [{len(numbers)} x {element}] [{values}], align 16"
            )
            self._tables[t] = ConstantTable(name, RowType(element, lengths, "table", least, most))
        return self._tables[t]

    # --- functions --------------------------------------------------------------------------------------------------

    def instance(self, function: DialectFunction, types: tuple[Type, ...], export_name: str = "") -> FunctionWriter:
        """Return a function for arguments of these types, written once; as an entry point in addition, since other
        functions call it in another way."""
        key = function, types, export_name
        if key not in self._functions:
            name = export_name or f"{function.name if function.name.isascii() else 'f'}.{len(self._functions)}"
            writer = self._functions[key] = FunctionWriter(self, function, types, name, bool(export_name))
            writer.write()
        return self._functions[key]

    def export(self, function: DialectFunction, types: Sequence[Type], name: str = "") -> FunctionWriter:
        """Write an entry point for arguments of these types.

        Raises:
            CompileError: The function, or one that it calls, cannot be compiled.
        """
        if len(types) != len(function.parameters):
            raise CompileError(
                function.file,
                function.tree.lineno,
                function.name,
                f"expected {len(function.parameters)} arguments, found {len(types)}",
            )
        marked = tuple(
            t._replace(field=SHARED if parameter in SHARED_ROWS else "") if isinstance(t, RowType) else t
            for t, parameter in zip(types, function.parameters, strict=True)
        )
        return self.instance(function, marked, name or function.name)

    def text(self, triple: str = "", data_layout: str = "", more: Sequence[str] = ()) -> str:
        """Return the LLVM module of everything that was exported. `more`: lines that use the exported functions."""
        self._find_separate_arguments()
        head = [f'target datalayout = "{data_layout}"'] * bool(data_layout) + [f'target triple = "{triple}"'] * bool(
            triple
        )
        head += ["@fault = internal global i64 0"] * self.is_checked
        bodies = [line for writer in self._functions.values() for line in writer.text()]
        tail = [f"attributes #0 = {{ {FUNCTION_ATTRIBUTES} }}"]
        tail += self._line_flags()
        tail += [f"!{number} = {node}" for node, number in self._metadata.items()]
        return "\n".join([*head, *self._globals, *DECLARATIONS, *bodies, *more, *tail, ""])

    def _find_separate_arguments(self) -> None:
        """Find the pointer arguments of each function that never point into the memory of another argument, from the
        entry points down: an argument is separate if it is at every call."""
        writers = list(self._functions.values())
        for writer in writers:
            pointers = {i for i, t in enumerate(writer.types) if is_pointer(t)}
            writer.separate = (
                {i for i in pointers if not _may_overlap(writer.types, i)} if writer.is_exported else pointers
            )
        changed = True
        while changed:
            changed = False
            for writer in writers:
                for caller, roots in writer.calls:
                    for i in sorted(writer.separate):
                        others = [root for j, root in roots.items() if j != i]
                        if (
                            roots[i] == UNKNOWN_ROOT
                            or roots[i] in others
                            or UNKNOWN_ROOT in others
                            or isinstance(roots[i], int)
                            and roots[i] not in caller.separate
                        ):
                            writer.separate.discard(i)
                            changed = True

    # --- metadata ---------------------------------------------------------------------------------------------------

    def metadata(self, node: str) -> int:
        """Return the number of a metadata node."""
        return self._metadata.setdefault(node, len(self._metadata))

    def function_scope(self, function: DialectFunction, name: str) -> int | None:
        """Return the number of the node that describes a function to debuggers; None without lines."""
        if not self.has_lines:
            return None
        file = self._file(function.file)
        types = self.metadata(f"!DISubroutineType(types: !{self.metadata('!{}')})")
        return self.metadata(
            f'distinct !DISubprogram(name: "{function.name}", linkageName: "{name}", scope: !{file}, file: !{file}, '
            f"line: {function.tree.lineno}, scopeLine: {function.tree.lineno}, type: !{types}, "
            f"spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{self._lines_unit()})"
        )

    def location(self, scope: int | None, line: int) -> str:
        """Return what tells debuggers the line of an instruction, in a function of this scope; "" without lines."""
        return "" if scope is None else f", !dbg !{self.metadata(f'!DILocation(line: {line}, scope: !{scope})')}"

    def _file(self, file: str) -> int:
        path = Path(file)
        return self.metadata(f'!DIFile(filename: "{_quote(path.name)}", directory: "{_quote(str(path.parent))}")')

    def _lines_unit(self) -> int:
        return self.metadata(
            f"distinct !DICompileUnit(language: DW_LANG_C99, file: !{self._file(str(self.game.folder / 'rules.py'))}, "
            'producer: "Courtly", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)'
        )

    def _line_flags(self) -> list[str]:
        """Return the lines that name the kind of line tables."""
        if not self.has_lines:
            return []
        flags = [
            self.metadata('!{i32 2, !"Debug Info Version", i32 3}'),
            self.metadata('!{i32 7, !"Dwarf Version", i32 4}'),
        ]
        return [f"!llvm.dbg.cu = !{{!{self._lines_unit()}}}", f"!llvm.module.flags = !{{!{flags[0]}, !{flags[1]}}}"]

    def access_metadata(self, element: str, field: str) -> str:
        """Return what tells LLVM which accesses to memory cannot touch the same bytes: those to elements of different
        types, and to different fields."""
        if field in (SHARED, "table"):
            return ""
        kind = self._access_kind(element, self._unit)
        if field:
            kind = self._access_kind(f"{element} {field}", kind)
        return f", !tbaa !{self.metadata(f'!{{!{kind}, !{kind}, i64 0}}')}"

    def _access_kind(self, name: str, parent: int) -> int:
        if name not in self._kinds:
            self._kinds[name] = self.metadata(f'!{{!"{name}", !{parent}, i64 0}}')
        return self._kinds[name]

    def range_metadata(self, row: RowType) -> str:
        """Return what tells LLVM the least and greatest number that an element can hold. 0 always is among them, since
        records begin with zeros."""
        if self.is_checked or row.least is None or row.most is None or not isinstance(row.element, str):
            return ""
        bits = 8 * ELEMENT_BYTES[row.element]
        least, end = min(row.least, 0), max(row.most, 0) + 1
        if end - least >= 1 << bits:
            return ""
        if end == 1 << bits - 1:
            end = -end
        return f", !range !{self.metadata(f'!{{{row.element} {least}, {row.element} {end}}}')}"


def _state_row(field: Field) -> RowType:
    """Return the type of a field of a state as a row; a single number is a row without dimensions."""
    least, most = PENDING_BOUNDS if field.name == "pending" else (field.least, field.most)
    return RowType(f"i{8 * field.size}", field.shape, field.name, least, most)


def _fact_row(fact: Fact) -> RowType:
    """Return the type of a field of facts as a row; a single number or record is a row without dimensions."""
    if fact.record is None:
        return RowType(f"i{8 * NUMBER_BYTES}", fact.shape, fact.name)
    return RowType(RecordType(NUMBER_BYTES * fact.record.length, fact.record.__name__), fact.shape, fact.name)


def _quote(text: str) -> str:
    """Return a text as it stands between quotation marks in LLVM code."""
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else _escape(c) for c in text)


def _escape(character: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in character.encode())


def _may_overlap(types: Sequence[Type], i: int) -> bool:
    """Return True if argument i of an entry point may share memory with another: a row that is marked as shared, or
    rows of states if there is one."""
    type = types[i]
    return isinstance(type, RowType) and (
        type.field == SHARED
        or isinstance(type.element, RecordType)
        and any(isinstance(other, RowType) and other.field == SHARED for other in types)
    )


def _flatten_table(t: tuple[Any, ...]) -> tuple[tuple[int, ...], list[int]]:
    """Return the lengths of a table, and its numbers row by row. Raises ValueError if rows have different lengths."""
    if not isinstance(t[0], tuple):
        return (len(t),), [int(number) for number in t]
    parts = [_flatten_table(row) for row in t]
    if len({lengths for lengths, _ in parts}) != 1:
        raise ValueError(f"expected rows of one length in the table {t!r:.60}")
    return (len(t), *parts[0][0]), [number for _, numbers in parts for number in numbers]
