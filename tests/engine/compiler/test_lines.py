"""Object files have the author's lines, and debuggers and profilers find them."""

import os
import struct
import sys
from pathlib import Path

import compiler_harness
import llvmlite.binding as llvm
import numpy as np
import pytest
from compiler_harness import Both

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.native.compiler import machine_code, symbol_files
from courtly.engine.native.compiler.entry_point import load_python_function, python_name
from courtly.engine.native.compiler.object_cache import HASH_BYTES
from courtly.engine.native.compiler.program import Program
from courtly.engine.native.compiler.types import INT

GAME = find_game("sealed_bids")
SOURCE = """
def helper(row, i):
    if row[i] > 5:
        row[i] = 0
    return row[i]

def f(row, a):
    n = helper(row, a & 3)
    row[1] = n * 7
    for i in range(a):
        row[2] ^= i * n
    return n
"""


def read_line_table(data):
    """Return the lines of an object file by file name, from its section .debug_line (DWARF 4)."""
    sections = llvm.ObjectFileRef.from_data(data).sections()
    [table] = (bytes(s.data()) for s in sections if s.name() in (b".debug_line", b"__debug_line"))
    length, version, header_length = struct.unpack_from("<IHI", table)
    assert version == 4 and length == len(table) - 4
    line_base, line_range, opcode_base = struct.unpack_from("<bBB", table, 13)
    opcode_lengths = table[16 : 15 + opcode_base]
    at, files = 15 + opcode_base, [""]
    while table[at]:  # folders
        at = table.index(0, at) + 1
    at += 1
    while table[at]:
        end = table.index(0, at)
        files.append(table[at:end].decode())
        at = end + 1
        for _ in range(3):
            _, at = read_number(table, at)
    lines = {name: set() for name in files}
    at, file, line = 10 + header_length, 1, 1
    while at < len(table):
        opcode, at = table[at], at + 1
        if opcode >= opcode_base:
            line += line_base + (opcode - opcode_base) % line_range
            lines[files[file]].add(line)
        elif opcode == 0:  # extended: its length, its number, its operands
            size, at = read_number(table, at)
            if table[at] == 1:  # the end of a sequence
                file = line = 1
            at += size
        elif opcode == 3:  # advance the line
            number, at = read_number(table, at, signed=True)
            line += number
        elif opcode == 4:
            file, at = read_number(table, at)
        elif opcode == 9:  # a fixed advance of the address
            at += 2
        else:
            for _ in range(opcode_lengths[opcode - 1]):
                _, at = read_number(table, at)
            if opcode == 1:
                lines[files[file]].add(line)
    return lines


def read_number(table, at, signed=False):
    """Return a LEB128 number, and where it ends."""
    number = shift = 0
    while True:
        number |= (table[at] & 127) << shift
        shift += 7
        at += 1
        if not table[at - 1] & 128:
            break
    return (number - (1 << shift) if signed and table[at - 1] & 64 else number), at


@pytest.mark.parametrize("is_checked", [False, True])
def test_the_lines_of_a_program_are_in_its_object_file(is_checked):
    both = Both(SOURCE, examples=(np.zeros(4, np.int64), 0), is_checked=is_checked)
    both.check(np.arange(4), 3)
    lines = read_line_table(machine_code.compile_module(both.text, machine_code.host_machine()))["<example>"]
    assert {3, 9, 11} <= lines, "a condition and two stores"
    assert lines <= {0, *range(2, 13)}


def test_the_lines_of_a_games_rules_are_in_its_object_file(tmp_path):
    loader.compile_playouts(loader.load_driver(GAME, loader.CompiledBackend(tmp_path)))
    [file] = tmp_path.glob("*.o")
    tables = read_line_table(file.read_bytes()[HASH_BYTES:])
    source = (GAME.folder / "rules.py").read_text(encoding="utf-8").splitlines()
    stores = {number for number, text in enumerate(source, 1) if text.strip().startswith("s.phase = ")}
    assert stores & tables["rules.py"], "LLVM may merge some with others"
    assert all(source[line - 1].strip() for line in tables["rules.py"] - {0}), "no line of the table is blank"
    assert tables["playout_driver.py"]


def test_the_name_of_a_file_may_have_any_character():
    name = '<Höfe, "and" 100%>'
    namespace = {"GENERATED_SOURCE": "def f(a):\n    return a + 1\n"}
    exec(compile(namespace["GENERATED_SOURCE"], name, "exec"), namespace)
    program, machine = Program(compiler_harness.GAME, has_lines=True), machine_code.host_machine()
    program.export(program.function(namespace["f"], driver=False), [INT])
    text = program.text(machine.triple, str(machine.target_data))
    assert read_line_table(machine_code.compile_module(text, machine))[name] == {2}


@pytest.mark.skipif(sys.platform != "linux", reason="GDB and perf read these files on Linux only: use Linux")
def test_debuggers_and_profilers_find_the_functions(tmp_path, monkeypatch):
    both = Both(SOURCE, examples=(np.zeros(4, np.int64), 0))
    data = machine_code.compile_module(both.text, machine_code.host_machine())
    monkeypatch.setenv("COURTLY_SYMBOLS", str(tmp_path / "symbols"))
    monkeypatch.setattr(symbol_files, "PERF_FOLDER", tmp_path)
    for _ in range(2):
        load_python_function(data, "f")
    known = {function.name: function for function in symbol_files.list_functions(data)}
    symbols = [line.split() for line in (tmp_path / f"perf-{os.getpid()}.map").read_text().splitlines()]
    commands = [line.split() for line in (tmp_path / "symbols" / f"{os.getpid()}.gdb").read_text().splitlines()]
    assert len(commands) == 2
    for command, file, _, section, start in commands:
        assert command == "add-symbol-file" and Path(file).read_bytes() == data
        function = known[python_name("f")]
        assert section == function.section and function.size > 0
        assert [f"{int(start, 16) + function.offset:x}", f"{function.size:x}", function.name] in symbols


def test_without_the_setting_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv("COURTLY_SYMBOLS", raising=False)
    monkeypatch.setattr(symbol_files, "PERF_FOLDER", tmp_path)
    Both("def f(a):\n    return a")
    assert not [*tmp_path.iterdir()]
