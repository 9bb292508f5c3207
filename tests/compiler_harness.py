"""Functions of the dialect given as text, interpreted by Python and compiled, for comparison."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np

from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.entry_point import (
    argument_type_of,
    load_python_function,
    operands_of,
    raise_faults,
    write_python_function,
)
from courtly.engine.native.compiler.faults import explain_fault
from courtly.engine.native.compiler.program import Program
from courtly.engine.native.module_loader import is_array
from courtly.engine.state import StateBase, i8, i16, i32


class State(StateBase):
    players = i8(option=(2, 3, 4))
    pending = i16()
    small = i8(most=100)
    signed = i16(least=-300, most=300)
    wide = i32()
    row = i8(5)
    table = i16(3, 4)
    hidden = i32(4, private=True)
    work = i32(6, scratch=True)


GAME = SimpleNamespace(State=State, Facts=None, id="example", folder=Path("missing"))
EDGES = (
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    7,
    -7,
    10,
    63,
    64,
    127,
    -128,
    255,
    1 << 15,
    (1 << 31) - 1,
    -(1 << 31),
    1 << 40,
    -(1 << 45),
)


def make_namespace(source, constants=None):
    """Return the names that a source defines, as the loader sets them up."""
    namespace = {"__name__": "example", **(constants or {})}
    exec(compile(source, "<example>", "exec"), namespace)
    return namespace


def make_compiled_namespace(program, source, constants=None):
    """Return the names that a source defines, converted for a program."""
    namespace = make_namespace(source, constants)
    namespace["GENERATED_SOURCE"] = source
    for key, value in list(namespace.items()):
        if hasattr(value, "__code__") and value.__code__.co_filename == "<example>":
            namespace[key] = program.function(value, driver=False)
        elif is_array(value):
            namespace[key] = program.array(value)
    return namespace


class Both:
    """A function in both forms.

    Args:
        source: Source with one or more functions.
        name: The function to call.
        examples: Arguments whose types it is compiled for: numbers, arrays, and "state" for a state.
        constants: More global names.
        is_checked: Compile it with checks.
    """

    def __init__(self, source, name="f", examples=(0,), constants=None, is_checked=False):
        self.interpreted = make_namespace(source, constants)[name]
        program = Program(GAME, is_checked=is_checked, has_lines=True)
        if is_checked:
            program.checked_files = {"<example>": 0}
        namespace = make_compiled_namespace(program, source, constants)
        examples = [np.zeros(1, State.layout())[0] if isinstance(example, str) else example for example in examples]
        types = [argument_type_of(example) for example in examples]
        writer = program.export(namespace[name], types)
        machine = machine_code.host_machine()
        python_function = write_python_function(
            writer.name, types, writer.result_type, releases_gil=False, is_checked=is_checked
        )
        self.text = program.text(machine.triple, str(machine.target_data), python_function)
        self.compiled = load_python_function(machine_code.compile_module(self.text, machine), writer.name)
        if is_checked:
            self.compiled = raise_faults(self.compiled, lambda fault: explain_fault(fault, [Path("example.py")]))

    def run(self, *arguments):
        """Return what each form returns, and its arguments afterwards: rows as lists, states as bytes."""
        lists = [a.copy() if isinstance(a, StateBase) else a.tolist() if hasattr(a, "tolist") else a for a in arguments]
        result = self.interpreted(*lists)
        arrays = [pack(a) if isinstance(a, StateBase) else a.copy() if hasattr(a, "copy") else a for a in arguments]
        records = [isinstance(a, StateBase) for a in arguments]
        operands = [x for a, record in zip(arrays, records, strict=True) for x in operands_of(a[0] if record else a)]
        compiled = self.compiled(*operands)
        size = State.packing.size
        return (
            (0 if result is None else result, [a.pack() if isinstance(a, StateBase) else a for a in lists]),
            (
                compiled,
                [
                    a.tobytes()[:size] if record else a.tolist() if hasattr(a, "tolist") else a
                    for a, record in zip(arrays, records, strict=True)
                ],
            ),
        )

    def check(self, *arguments):
        """Assert that both forms do the same."""
        interpreted, compiled = self.run(*arguments)
        assert compiled == interpreted, arguments
        return compiled[0]


def pack(state):
    """Return a state as an array of one record."""
    array = np.zeros(1, State.layout())
    array.view(np.uint8)[: State.packing.size] = np.frombuffer(state.pack(), np.uint8)
    return array


def make_state(**fields):
    """Return a state with these fields."""
    state = State()
    for name, value in fields.items():
        setattr(state, name, value)
    return state
