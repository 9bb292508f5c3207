"""Types and values of the dialect, as the compiler sees them.

Every whole number is an int64 once it is read from memory. Comparisons give truth values, which become 0 or 1 where a
number is needed. Floats occur only outside of rules: in the search and in adapters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from courtly.engine.errors import CourtlyError

INT, BOOL, FLOAT, FLOAT32, VOID = "i64", "i1", "double", "float", "void"
NUMBERS = (INT, BOOL, FLOAT, FLOAT32)
ELEMENT_BYTES = {"i8": 1, "u8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8}
UNKNOWN_LENGTH = -1  # a length that is known only when the code runs
SHARED = "*"  # as the field of a row: it may be the bytes of another row
OWN = "own"  # as the field of an entry point's row: no argument of Python, but room that each call has for itself
UNKNOWN_ROOT = -1


class RecordType(NamedTuple):
    """The state of a game, or a record of its facts.

    Attributes:
        size: Bytes from one to the next.
        name: The name of the facts' class; "" for a state.
    """

    size: int
    name: str = ""


class RowType(NamedTuple):
    """Elements side by side in memory.

    Attributes:
        element: The type of one element: a key of ELEMENT_BYTES, or a RecordType.
        lengths: The length of each dimension; UNKNOWN_LENGTH if it is known only when the code runs.
        field: The field of the state that it belongs to, "" if unknown, SHARED if it may be the bytes of another row,
            OWN for room that an entry point has for itself.
        least: The least number that an element may hold, None if not declared.
        most: The greatest number that an element may hold, None if not declared.
    """

    element: str | RecordType
    lengths: tuple[int, ...]
    field: str = ""
    least: int | None = None
    most: int | None = None


Type = str | RecordType | RowType


class Value(NamedTuple):
    """The value of an expression.

    Attributes:
        type: Its type.
        operand: A constant, or the name of a register.
        lengths: The operands of its unknown lengths.
        root: The argument of the function that it points into; UNKNOWN_ROOT if unknown.
    """

    type: Type
    operand: str
    lengths: tuple[str, ...] = ()
    root: int = UNKNOWN_ROOT


class ConstantTable(NamedTuple):
    """A constant row of numbers, or of rows.

    Attributes:
        name: Its name in the LLVM module.
        row: Its type.
    """

    name: str
    row: RowType


class CompileError(CourtlyError):
    """A function cannot be compiled.

    Attributes:
        line: The line, from 1.
        reason: The function, and why it cannot be compiled.
        places: The files and lines of the place and of the calls that lead to it, innermost first.
    """

    def __init__(self, file: str, line: int, function: str, reason: str):
        super().__init__(f"{file}:{line}: {function}: {reason}")
        self.line, self.reason = line, f"{function}: {reason}"
        self.places = [(file, line)]


def is_pointer(type: Type) -> bool:
    """Return True if values of this type are addresses."""
    return isinstance(type, RowType | RecordType)


def llvm_type(type: Type) -> str:
    """Return the name of a type in LLVM code."""
    return type if isinstance(type, str) else "ptr"


def argument_type(type: Type, is_checked: bool) -> Type:
    """Return the type of an argument for a value of this type. A function is not written again for another field or
    other bounds of a row, only for other elements or lengths; with checks, for other bounds as well."""
    if isinstance(type, RowType) and not is_checked:
        return RowType(type.element, type.lengths, type.field if type.field == SHARED else "")
    return INT if type == BOOL else type


def is_literal(operand: str) -> bool:
    """Return True if an operand is a whole number."""
    return operand.lstrip("-").isdigit()


def wrap(number: int, bits: int = 64) -> int:
    """Return a number as a signed one of this width holds it."""
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def describe_type(type: Any) -> str:
    """Return a type in words, for errors."""
    if isinstance(type, RecordType):
        return "a record of facts" if type.name else "a state"
    if isinstance(type, RowType):
        kind = "numbers"
        if isinstance(type.element, RecordType):
            kind = "records of facts" if type.element.name else "states"
        return f"a row of {kind}" if len(type.lengths) < 2 else f"rows of {kind}"
    return {INT: "a whole number", BOOL: "a truth value", FLOAT: "a float", FLOAT32: "a float", VOID: "nothing"}.get(
        type, "several numbers"
    )
