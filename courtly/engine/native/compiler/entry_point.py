"""Functions of drivers that Python calls.

The machine code of an entry point includes a function of Python's C interface, which converts the arguments: whole
numbers, floats, and the addresses and lengths of arrays.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from courtly.engine.facts import RECORD_NAME
from courtly.engine.native.compiler.faults import FaultError
from courtly.engine.native.compiler.machine_code import load_object
from courtly.engine.native.compiler.symbol_files import write_symbol_files
from courtly.engine.native.compiler.types import (
    FLOAT,
    FLOAT32,
    INT,
    OWN,
    UNKNOWN_LENGTH,
    VOID,
    RecordType,
    RowType,
    Type,
    is_pointer,
)
from courtly.engine.native.rows import address_of

ELEMENT_BY_DTYPE = {
    "int8": "i8",
    "uint8": "u8",
    "bool": "u8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float32": FLOAT32,
    "float64": FLOAT,
}
PYTHON_FUNCTIONS = (
    "PyErr_BadArgument",
    "PyErr_Occurred",
    "PyErr_SetObject",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyFloat_AsDouble",
    "PyFloat_FromDouble",
    "PyList_New",
    "PyList_SetItem",
    "PyLong_AsLongLong",
    "PyLong_AsVoidPtr",
    "PyLong_FromLongLong",
    "PyTuple_GetItem",
    "Py_DecRef",
    "Py_IncRef",
)
PYTHON_DECLARATIONS = (
    "declare i32 @PyErr_BadArgument()",
    "declare ptr @PyErr_Occurred()",
    "declare void @PyErr_SetObject(ptr, ptr)",
    "@FaultError = external global i8",
    "declare void @PyEval_RestoreThread(ptr)",
    "declare ptr @PyEval_SaveThread()",
    "declare double @PyFloat_AsDouble(ptr)",
    "declare ptr @PyFloat_FromDouble(double)",
    "declare ptr @PyList_New(i64)",
    "declare i32 @PyList_SetItem(ptr, i64, ptr)",
    "declare i64 @PyLong_AsLongLong(ptr)",
    "declare ptr @PyLong_AsVoidPtr(ptr)",
    "declare ptr @PyLong_FromLongLong(i64)",
    "declare ptr @PyTuple_GetItem(ptr, i64)",
    "declare void @Py_DecRef(ptr)",
    "declare void @Py_IncRef(ptr)",
)
LIST_LINES = (  # returns a list of %result items
    "%is_empty = icmp slt i64 %result, 1",
    "%length = select i1 %is_empty, i64 0, i64 %result",
    "%list = call ptr @PyList_New(i64 %length)",
    "%is_missing = icmp eq ptr %list, null",
    "%ends = or i1 %is_missing, %is_empty",
    "br i1 %ends, label %return, label %fill",
    "fill:",
    "br label %each",
    "each:",
    "%i = phi i64 [0, %fill], [%next, %store]",
    "%index_place = getelementptr i64, ptr %own, i64 %i",
    "%index = load i64, ptr %index_place",
    "%item = call ptr @PyTuple_GetItem(ptr %self, i64 %index)",
    "%is_outside = icmp eq ptr %item, null",
    "br i1 %is_outside, label %discard, label %store",
    "store:",
    "call void @Py_IncRef(ptr %item)",
    "call i32 @PyList_SetItem(ptr %list, i64 %i, ptr %item)",
    "%next = add i64 %i, 1",
    "%is_last = icmp eq i64 %next, %result",
    "br i1 %is_last, label %return, label %each",
    "discard:",
    "call void @Py_DecRef(ptr %list)",
    "ret ptr null",
    "return:",
    "ret ptr %list",
    "}",
)
CONVERSIONS = {"ptr": "@PyLong_AsVoidPtr", INT: "@PyLong_AsLongLong", FLOAT: "@PyFloat_AsDouble"}
METH_FASTCALL = 0x80


class MethodDefinition(ctypes.Structure):
    """PyMethodDef of Python's C interface."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    ]


def python_name(name: str) -> str:
    """Return the name of the function of Python's C interface that calls an entry point."""
    return f"{name}.python"


def operand_types(types: Sequence[Type]) -> list[str]:
    """Return the types of the numbers that Python passes to an entry point: of an array its address and its
    lengths."""
    flat: list[str] = []
    for type in types:
        if isinstance(type, RowType) and type.field == OWN:
            continue
        flat.append("ptr" if is_pointer(type) else str(type))
        if isinstance(type, RowType):
            flat += [INT] * type.lengths.count(UNKNOWN_LENGTH)
    return flat


def write_python_function(
    name: str,
    types: Sequence[Type],
    result_type: str,
    releases_gil: bool,
    is_checked: bool = False,
    gives_list: bool = False,
) -> list[str]:
    """Return the LLVM code of a function of Python's C interface (METH_FASTCALL) that calls an entry point.

    Args:
        name: The entry point.
        types: The types of its arguments. If the last one is a row with the field OWN, the function provides it
            itself, on its stack.
        result_type: The type of its result.
        releases_gil: True to release the GIL meanwhile.
        is_checked: True if the entry point may find a fault; then the function raises FaultError.
        gives_list: True to return a list instead of the result n: the items of the function's tuple (see
            `load_python_function`) whose indexes are the first n numbers of its own row.
    """
    flat = operand_types(types)
    own_rows = [type for type in types if isinstance(type, RowType) and type.field == OWN]
    lines = [
        *PYTHON_DECLARATIONS,
        f'define ptr @"{python_name(name)}"(ptr %self, ptr %objects, i64 %count) {{',
        *(f"%own = alloca [{math.prod(row.lengths)} x i64]" for row in own_rows),
        f"%is_complete = icmp eq i64 %count, {len(flat)}",
        "br i1 %is_complete, label %convert, label %bad",
        "bad:",
        "call i32 @PyErr_BadArgument()",
        "ret ptr null",
        "convert:",
    ]
    for i, kind in enumerate(flat):
        lines += [
            f"%place{i} = getelementptr ptr, ptr %objects, i64 {i}",
            f"%object{i} = load ptr, ptr %place{i}",
            f"%x{i} = call {kind} {CONVERSIONS[kind]}(ptr %object{i})",
        ]
    lines += [
        "%error = call ptr @PyErr_Occurred()",
        "%is_converted = icmp eq ptr %error, null",
        "br i1 %is_converted, label %run, label %failed",
        "failed:",
        "ret ptr null",
        "run:",
    ]
    if releases_gil:
        lines.append("%thread = call ptr @PyEval_SaveThread()")
    operands = ", ".join([*(f"{kind} %x{i}" for i, kind in enumerate(flat)), *["ptr %own"] * len(own_rows)])
    call = f"call {result_type} @{name}({operands})"
    lines.append(call if result_type == VOID else f"%result = {call}")
    if releases_gil:
        lines.append("call void @PyEval_RestoreThread(ptr %thread)")
    if is_checked:
        lines += [
            "%fault = load i64, ptr @fault",
            "store i64 0, ptr @fault",
            "%is_right = icmp eq i64 %fault, 0",
            "br i1 %is_right, label %done, label %wrong",
            "wrong:",
            "%code = call ptr @PyLong_FromLongLong(i64 %fault)",
            "call void @PyErr_SetObject(ptr @FaultError, ptr %code)",
            "ret ptr null",
            "done:",
        ]
    if gives_list:
        return [*lines, *LIST_LINES]
    if result_type == FLOAT:
        lines.append("%number = call ptr @PyFloat_FromDouble(double %result)")
    else:
        lines.append(f"%number = call ptr @PyLong_FromLongLong(i64 {'0' if result_type == VOID else '%result'})")
    return [*lines, "ret ptr %number", "}"]


def load_python_function(data: bytes, name: str, items: tuple[Any, ...] | None = None) -> Callable[..., Any]:
    """Return the function in an object file that `write_python_function` wrote for this entry point.

    Args:
        data: The object file.
        name: The entry point.
        items: The objects from which it makes lists.

    Raises:
        RuntimeError: The object file is damaged.
    """
    imports = {f: ctypes.cast(getattr(ctypes.pythonapi, f), ctypes.c_void_p).value or 0 for f in PYTHON_FUNCTIONS}
    imports["FaultError"] = id(FaultError)  # the address of an object is its id
    library, addresses = load_object(data, [python_name(name)], imports)
    write_symbol_files(data, python_name(name), addresses[python_name(name)])
    definition = MethodDefinition(name.encode(), addresses[python_name(name)], METH_FASTCALL, None)
    _loaded.append((library, definition))  # machine code is never unloaded
    create = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(MethodDefinition), ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    function: Callable[..., Any] = create(ctypes.byref(definition), items, None)
    return function


_loaded: list[tuple[Any, MethodDefinition]] = []


def argument_type_of(value: Any) -> Type:
    """Return the type of an argument.

    Raises:
        TypeError: It is neither a number, a record nor a contiguous array or memoryview of numbers or records.
    """
    if isinstance(value, float):
        return FLOAT
    if isinstance(value, memoryview):
        return _view_type(value)
    dtype = getattr(value, "dtype", None)
    if dtype is None or not hasattr(value, "shape") or dtype.names is None and not value.shape and value.ndim == 0:
        if not hasattr(value, "__index__"):
            raise TypeError(f"expected a number or an array, found {value!r:.60}")
        return INT
    if dtype.names is not None and not value.shape:
        return RecordType(dtype.itemsize)
    if not value.flags.c_contiguous:
        raise TypeError("expected an array whose elements lie side by side, found one with gaps: use its copy")
    if dtype.names is not None:
        return RowType(RecordType(dtype.itemsize), (UNKNOWN_LENGTH,) * value.ndim)
    if dtype.name not in ELEMENT_BY_DTYPE:
        raise TypeError(f"expected an array of {', '.join(ELEMENT_BY_DTYPE)}, found {dtype.name}")
    return RowType(ELEMENT_BY_DTYPE[dtype.name], (UNKNOWN_LENGTH,) * value.ndim)


def _view_type(view: memoryview) -> Type:
    if not view.c_contiguous:
        raise TypeError("expected a view of bytes that lie side by side, found one with gaps: use a copy")
    if view.format == "q":
        return RowType(INT, (UNKNOWN_LENGTH,) * view.ndim)
    if view.format == "i" and view.ndim == 1:
        return RecordType(view.nbytes, RECORD_NAME)
    if view.format != "B" or view.ndim > 2:
        expected = "64-bit numbers (format q), of facts (format i), or of states (format B) with one or two dimensions"
        raise TypeError(f"expected a view of {expected}, found format {view.format} with {view.ndim} dimensions")
    record = RecordType(view.nbytes // len(view) if view.ndim == 2 else view.nbytes)
    return RowType(record, (UNKNOWN_LENGTH,)) if view.ndim == 2 else record


def is_array(value: Any) -> bool:
    """Return True for a memoryview, or a NumPy array or record, which is passed by its address."""
    return bool(getattr(value, "ndim", 0)) or bool(getattr(getattr(value, "dtype", None), "names", None))


def operands_of(value: Any) -> tuple[Any, ...]:
    """Return the numbers that stand for an argument: of an array its address and its lengths."""
    if isinstance(value, float):
        return (value,)
    if isinstance(value, memoryview):
        lengths: tuple[int, ...] = value.shape or ()
        return (address_of(value), *(lengths if value.format == "q" else lengths[:-1]))
    if getattr(value, "ndim", 0):
        return (value.__array_interface__["data"][0], *value.shape)
    if getattr(getattr(value, "dtype", None), "names", None):
        import numpy as np

        return (np.frombuffer(value, np.uint8).__array_interface__["data"][0],)
    return (value.__index__(),)


class EntryPoint:
    """A function of a driver that Python calls. It is compiled for each combination of argument types when it is first
    called with them.

    Args:
        name: Its name.
        compile: Returns the object file for arguments of these types, which `write_python_function` made callable;
            with True for a function that returns a list.
        explain: Returns the error for a fault that checked code found.
        shared: The places of arguments that may be the bytes of others. The other arrays must not overlap.
    """

    def __init__(
        self,
        name: str,
        compile: Callable[[tuple[Type, ...], bool], bytes],
        explain: Callable[[int], Exception] | None = None,
        shared: frozenset[int] = frozenset(),
    ):
        self.__name__, self._explain, self._shared = name, explain, shared
        self._compile = compile
        self._functions: dict[tuple[Type, ...], Callable[..., Any]] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Call the function.

        Args:
            arguments: Numbers, memoryviews (see `courtly.engine.native.rows`), NumPy records, and contiguous NumPy
                arrays. Memory may be written to.

        Returns:
            Its number, or 0 if it returns none.

        Raises:
            CompileError: It cannot be compiled for these arguments.
            TypeError: An argument is of another kind.
            ValueError: Arrays overlap.
        """
        function = self.function(*arguments)
        return function(*self._operands(arguments))

    def bind(self, *arguments: Any) -> Callable[[], Any]:
        """Return a function without parameters that calls this one with these arguments, which it keeps."""
        function, operands = self.function(*arguments), self._operands(arguments)

        def call(_kept: Sequence[Any] = arguments) -> Any:  # `_kept` keeps the arrays in memory
            return function(*operands)

        return call

    def _operands(self, arguments: Sequence[Any]) -> list[Any]:
        """Return the numbers that stand for all arguments. Raises ValueError if arrays overlap."""
        operands: list[Any] = []
        places: list[tuple[int, int, int]] = []
        for i, value in enumerate(arguments):
            numbers = operands_of(value)
            operands += numbers
            if i not in self._shared and (size := getattr(value, "nbytes", 0)) and is_array(value):
                places.append((numbers[0], numbers[0] + size, i))
        places.sort()
        for (_, end, i), (start, _, j) in pairwise(places):
            if start < end:
                raise ValueError(
                    f"{self.__name__}: arguments {min(i, j)} and {max(i, j)} overlap in memory: pass a copy"
                )
        return operands

    def function(self, *examples: Any) -> Callable[..., Any]:
        """Return the function for arguments of the types of these examples. It takes, without checking them, the
        numbers that `operands_of` returns for each argument."""
        return self.function_for(tuple(map(argument_type_of, examples)))

    def function_for(self, types: tuple[Type, ...]) -> Callable[..., Any]:
        """Return the function for arguments of these types. It takes numbers: of an array its address, and those of its
        lengths that its type does not say; of a row with the field OWN none."""
        if types not in self._functions:
            function = load_python_function(self._compile(types, False), self.__name__)
            self._functions[types] = function if self._explain is None else raise_faults(function, self._explain)
        return self._functions[types]

    def list_function_for(self, types: tuple[Type, ...], items: tuple[Any, ...]) -> Callable[..., list[Any]]:
        """Return a function for arguments of these types, the last of them a row with the field OWN.

        Instead of the number n it returns a list: the items whose indexes are the first n numbers of that row. It
        raises IndexError if there is no such item.
        """
        return load_python_function(self._compile(types, True), self.__name__, items)


def raise_faults(function: Callable[..., Any], explain: Callable[[int], Exception]) -> Callable[..., Any]:
    """Return a function that raises the error for the fault that checked code found."""

    def call(*operands: Any) -> Any:
        try:
            return function(*operands)
        except FaultError as error:
            raise explain(error.args[0]) from None

    return call
