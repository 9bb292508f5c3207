"""WebAssembly of every game: node plays the same games as Python, and damaged object files are refused."""

import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import compiler_harness
import numpy as np
import pytest
from node_program import find_node, needs_node
from program_generator import CONSTANTS, Generator, make_arguments, make_wrapping_state

from courtly.bots.search.search import EXACT_DRIVER, TREE_DRIVER, Search
from courtly.bots.webassembly import compile_with_search, describe_search
from courtly.engine.constants import MAX_SEATS, NOBODY
from courtly.engine.errors import RulesError
from courtly.engine.game import Game, find_game, game_ids
from courtly.engine.native import loader
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.installation import CompilerUnavailableError
from courtly.engine.native.compiler.program import Program
from courtly.engine.native.compiler.types import INT, UNKNOWN_LENGTH, RecordType, RowType
from courtly.engine.native.webassembly import module_compiler, object_file
from courtly.engine.native.webassembly.linker import link_module
from courtly.engine.native.webassembly.module_compiler import (
    EntryPointSignature,
    WebAssemblyModule,
    compile_webassembly,
)
from courtly.engine.native.webassembly.object_file import ObjectFileError
from courtly.engine.native.webassembly.runtime_functions import WIDE_PRODUCT
from courtly.engine.position import Position
from courtly.engine.rng import make_generator, seed_generator

ROOT = Path(__file__).parents[3]
HARNESS = ROOT / "tests" / "webassembly_harness.mjs"
SEED = 7
PROGRAMS = int(os.environ.get("COURTLY_RANDOM_PROGRAMS", "40"))
CASES = [(name, players) for name in game_ids() for players in find_game(name).players]


@cache
def compile_game(game):
    return compile_with_search(game)


def run_in_node(folder, module, *jobs):
    """Return the results of jobs, and everything that the harness prints. `module`: a game, or its module."""
    module = compile_game(module) if isinstance(module, Game) else module
    (folder / "game.wasm").write_bytes(module.code)
    (folder / "game.json").write_text(json.dumps(module.description))
    process = subprocess.run(
        [find_node(), HARNESS, folder / "game.wasm", folder / "game.json"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert process.returncode == 0, process.stderr
    printed = json.loads(process.stdout)
    return printed["results"], printed


def play_interpreted(game, options, seed, number):
    """Return the final state of a random game, and its numbers of decisions and events."""
    driver, (rng, moves, weights) = loader.load_driver(game, loader.InterpretedBackend()), loader.make_rows(game)
    state, counts = game.State(**options), [0, 0]
    seed_generator(rng, seed, number)
    driver.begin(state)
    assert driver.play_to_end(state, rng, moves, weights, counts)
    return state, counts


def score(game, state):
    scores = [0] * MAX_SEATS
    game.rules.scores(state, scores)
    return scores[: state.players]


def check_playouts(folder, game, options, games=4):
    """Compare random games in node with interpreted ones."""
    first = 3
    expected = [play_interpreted(game, options, SEED, first + i) for i in range(games)]
    packed = [state.pack().hex() for state, _ in expected]
    [played, *scores], _ = run_in_node(
        folder,
        game,
        {"job": "playouts", "options": options, "seed": SEED, "first": first, "games": games},
        *({"job": "scores", "state": state, "players": options["players"]} for state in packed),
    )
    assert played["finals"] == packed
    assert played["counts"] == [sum(column) for column in zip(*(counts for _, counts in expected), strict=True)]
    assert played["played"] == games
    assert scores == [score(game, state) for state, _ in expected]
    shares = [0] * MAX_SEATS
    for _, row in zip(expected, scores, strict=True):
        for seat, points in enumerate(row):
            shares[seat] += 60 // row.count(max(row)) * (points == max(row))
    assert played["shares"] == shares


@needs_node
@pytest.mark.parametrize(("name", "players"), CASES)
def test_random_games_in_node_equal_interpreted_ones(tmp_path, name, players):
    check_playouts(tmp_path, find_game(name), {"players": players})


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_options_are_respected(tmp_path, name):
    game = find_game(name)
    choice = random.Random(1)
    options = {option: choice.choice(values) for option, values in game.options.items()}
    check_playouts(tmp_path, game, {"players": game.players[0], **options}, games=2)


@needs_node
def test_an_outside_game(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "levee"))
    game = Game("levee")
    for players in game.players:
        check_playouts(tmp_path, game, {"players": players})


def walk_through_game(game, players, seed, most):
    """Yield operations of a random game with what the interpreted rules answer: (step, result, rows, record)."""
    choice, generator = random.Random(seed), make_generator(seed)
    position = Position(game, players)
    rules = game.rules

    def answer(operation, seat=0, move=0, result=0, rows=(), **more):
        names = [name for name, _ in rows]
        step = {"operation": operation, "seat": seat, "move": move, "read": names, **more}
        return step, result, [row for _, row in rows], position.state.pack().hex()

    for _ in range(most):
        if position.over:
            return
        if position.chance:
            ids, weights = position.outcome_ids()
            yield answer("outcomes", result=len(ids), rows=[("moves", ids), ("weights", weights)])
            event = choice.choices(ids, weights)[0]
            yield answer("audience", NOBODY, event, rules.audience(position.state, NOBODY, event))
            position.apply(NOBODY, event)
            yield answer("event", NOBODY, event, event << 16 | position.state.pending)
            continue
        seat = choice.choice(position.pending)
        ids = position.legal_ids(seat)
        move = choice.choice(ids)
        yield answer("list_moves", seat, result=len(ids), rows=[("moves", ids)])
        yield answer("audience", seat, move, rules.audience(position.state, seat, move))
        yield answer("reveals", seat, move, rules.reveals(position.state, seat, move))
        if choice.random() < 0.2:
            before = list(generator)
            state = position.state.copy()
            rules.determinize(state, seat, generator)
            position = Position(game, state=state)
            yield answer("imagine", seat, rows=[("rng", list(generator))], generator=before)
            if move not in position.legal_ids(seat):
                raise AssertionError("another world has other legal moves")
        position.apply(seat, move)
        yield answer("make_move", seat, move, position.state.pending)
        yield answer("make_move", seat, game.moves.total, -(1 << 32))


@needs_node
@pytest.mark.parametrize(("name", "players"), CASES)
def test_single_positions_in_node_equal_interpreted_ones(tmp_path, name, players):
    game = find_game(name)
    beginning = Position(game, players).state.pack().hex()
    walks = [list(walk_through_game(game, players, seed, 60)) for seed in (1, 2)]
    jobs = [{"job": "operations", "state": beginning, "steps": [step for step, *_ in walk]} for walk in walks]
    [begun, *answers], _ = run_in_node(tmp_path, game, {"job": "begin", "options": {"players": players}}, *jobs)
    assert begun == beginning
    for walk, answered in zip(walks, answers, strict=True):
        for (step, result, rows, record), answer in zip(walk, answered, strict=True):
            assert answer == {"result": result, "written": rows, "record": record}, step


def find_decision(game, seed):
    """Return a position with several legal moves, from the middle of a random game, and its seat."""
    choice, position = random.Random(seed), Position(game)
    found = []
    while not position.over:
        if position.chance:
            position.happen(make_generator(seed, position.events))
            continue
        seat = position.pending[0]
        legal = position.legal_ids(seat)
        if len(legal) > 1:
            found.append((position.state.copy(), seat, len(legal)))
        position.apply(seat, choice.choice(legal))
    return found[len(found) // 2]


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_the_search_in_node_equals_the_native_one(tmp_path, name):
    game = find_game(name)
    state, seat, legal = find_decision(game, 3)
    job = {"state": state.pack().hex(), "seat": seat, "legal": legal, "count": 100, "generator": make_generator(5, 0)}
    if hasattr(game.policy, "solve"):
        [[found]] = [run_in_node(tmp_path, game, {"job": "solve", **job})[0]]
        about = describe_search(game)
        moves, out = (np.zeros(about["lengths"][part], np.int64) for part in ("moves", "out"))
        notes = np.zeros(about["notes_per_simulation"] * job["count"], np.int64)
        notes[0] = len(notes)
        states = np.zeros(1, game.State.layout())
        states.view(np.uint8)[: game.State.packing.size] = np.frombuffer(state.pack(), np.uint8)
        n = loader.load_driver(game, driver=EXACT_DRIVER).solve_decision(states[0], seat, moves, out, notes)
        assert found == {"moves": moves[:n].tolist(), "out": out[: n + MAX_SEATS].tolist()}
        return
    [found], _ = run_in_node(tmp_path, game, {"job": "search", **job})
    assert loader.load_driver(game, driver=TREE_DRIVER).native
    result = Search(game, 100).ponder(state, seat, Position(game, state=state).legal_ids(seat), 5)
    visits = {line.move: line.visits for line in result.lines}
    assert found["moved"][::3] == [visits[move] for move in Position(game, state=state).legal_ids(seat)]
    assert [won / 60 / 100 for won in found["wins"][: state.players]] == result.wins


@needs_node
def test_the_module_imports_nothing(tmp_path):
    _, printed = run_in_node(tmp_path, find_game("sealed_bids"))
    assert printed["imports"] == []
    assert printed["exports"] == [
        "memory",
        "heap_base",
        *(entry_point.name for entry_point in module_compiler.DEFAULT_ENTRY_POINTS),
        "search",
        "choose_move",
        "continue_match",
    ]


def test_the_description_matches_the_layout_of_numpy():
    for name in game_ids():
        game = find_game(name)
        record = module_compiler.describe_rules(game)["record"]
        layout = game.State.layout()
        assert {field: part["offset"] for field, part in record["fields"].items()} == {
            field: layout.fields[field][1] for field in layout.names
        }
        assert 0 <= record["size"] - layout.itemsize < 8 and record["size"] % 8 == 0
        assert record["stored"] == game.State.packing.size


# --- drivers ----------------------------------------------------------------------------------------------------------

FIBONACCI = """
def pair(n):
    if n < 1:
        return 0, 1
    a, b = pair(n - 1)
    return b, a + b

def f(n):
    a, b = pair(n)
    return a
"""
CHOICE = """
A, B, C, D, E = (1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16), (17, 18, 19, 20)

def f(row):
    chosen = A
    if row[0] == 1:
        chosen = B
    elif row[0] == 2:
        chosen = C
    elif row[0] == 3:
        chosen = D
    elif row[0] == 4:
        chosen = E
    return chosen[row[1]]
"""


@pytest.fixture
def write_driver(tmp_path, monkeypatch):
    """Return a function that writes a driver, and returns its name."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text):
        (tmp_path / "own_driver.py").write_text(text)
        return "own_driver"

    yield write
    sys.modules.pop("own_driver", None)


def compile_driver(driver, kinds, objects=None):
    """Return the module of the function `f` of a driver. `objects`: a list to which its object file is added."""
    with pytest.MonkeyPatch.context() as patch:
        if objects is not None:
            patch.setattr(
                module_compiler, "link_module", lambda data, names: [objects.append(data), link_module(data, names)][1]
            )
        return compile_webassembly(find_game("sealed_bids"), [EntryPointSignature(driver, "f", kinds)])


SUMS = """
def f(n):
    total = 0
    for i in range(n):
        total += i * i
    return total
"""


@needs_node
def test_sums_that_llvm_replaces_by_a_wide_product(tmp_path, write_driver):
    """LLVM calls a library function for products of 128 bits, which the module therefore holds."""
    objects = []
    module = compile_driver(write_driver(SUMS), ("number",), objects)
    module = module._replace(code=link_module(objects[0], ["f", "__multi3"]))
    choice = random.Random(1)
    counts = [-1, 0, 1, 2, 1000, 200_000]
    factors = [[choice.getrandbits(choice.randrange(1, 129)) for _ in "ab"] for _ in range(200)] + [
        [(1 << 128) - 1] * 2
    ]
    results, _ = run_in_node(
        tmp_path,
        module,
        *({"job": "call", "name": "f", "values": [n]} for n in counts),
        *({"job": "wide_product", "factors": [f"{a}", f"{b}"]} for a, b in factors),
    )
    assert results[: len(counts)] == [f"{sum(i * i for i in range(n))}" for n in counts]
    assert results[len(counts) :] == [f"{a * b % (1 << 128)}" for a, b in factors]


@needs_node
def test_results_on_the_stack(tmp_path, write_driver):
    """A function that returns several numbers writes them to the stack."""
    objects = []
    module = compile_driver(write_driver(FIBONACCI), ("number",), objects)
    assert object_file.read_object_file(objects[0]).uses_stack
    results, _ = run_in_node(tmp_path, module, *({"job": "call", "name": "f", "values": [n]} for n in (0, 1, 10, 90)))
    assert results == ["0", "1", "55", "2880067194370816120"]
    [result], _ = run_in_node(tmp_path, module, {"job": "call", "name": "f", "values": [10_000]})
    assert result == {"trap": "memory access out of bounds"}


@needs_node
def test_addresses_in_data(tmp_path, write_driver):
    """LLVM makes a table of addresses of a choice among tables."""
    objects = []
    module = compile_driver(write_driver(CHOICE), ("numbers",), objects)
    assert object_file.read_object_file(objects[0]).data_relocations
    places = [(table, place) for table in range(6) for place in range(4)]
    jobs = [{"job": "call", "name": "f", "values": [[*place]]} for place in places]
    results, _ = run_in_node(tmp_path, module, *jobs)
    assert results == [f"{4 * (table if table < 5 else 0) + place + 1}" for table, place in places]


@needs_node
def test_random_programs_do_the_same_in_node(tmp_path):
    program, machine = Program(compiler_harness.GAME), machine_code.webassembly_machine()
    size = compiler_harness.State.layout().itemsize
    types = RecordType(size), INT, INT, RowType(INT, (UNKNOWN_LENGTH,))
    jobs, expected, names = [], [], []
    for number in range(PROGRAMS):
        generator, values = Generator(number), random.Random(number)
        source, name = generator.source(), f"program{number}"
        constants = CONSTANTS | ({"__name__": "courtly.engine.rng"} if generator.wraps else {})
        program.export(compiler_harness.make_compiled_namespace(program, source, constants)["f"], types, name)
        names.append(name)
        for _ in range(6):
            state, a, b, row = make_arguments(values)
            jobs.append({"job": "program", "name": name, "state": state.pack().hex(), "numbers": [a, b], "row": row})
            interpreted, row = make_wrapping_state(state), list(row)
            result = compiler_harness.make_namespace(source, constants)["f"](interpreted, a, b, row)
            expected.append([f"{result}", interpreted.pack().hex(), row])
    text = program.text(machine.triple, str(machine.target_data), [WIDE_PRODUCT])
    operands = [["i32"], ["i64"], ["i64"], ["i32", "i64"]]
    entry_point = {"parameters": [{"operands": kinds} for kinds in operands]}
    description = {
        "record": {"size": size, "stored": compiler_harness.State.packing.size},
        "entry_points": dict.fromkeys(names, entry_point),
    }
    code = link_module(machine_code.compile_module(text, machine), names)
    results, _ = run_in_node(tmp_path, WebAssemblyModule(code, description), *jobs)
    different = {job["name"] for job, a, b in zip(jobs, results, expected, strict=True) if a != b}
    assert different == set(), "\n\n".join(Generator(int(name.removeprefix("program"))).source() for name in different)


# --- errors -----------------------------------------------------------------------------------------------------------


def test_an_entry_point_that_another_one_calls(write_driver):
    driver = write_driver("def g(row):\n    return len(row)\n\ndef f(row):\n    return g(row) + g(row)\n")
    signatures = [EntryPointSignature(driver, name, ("numbers",)) for name in "fg"]
    for order in (signatures, signatures[::-1]):
        module = compile_webassembly(find_game("sealed_bids"), order)
        assert {*module.description["entry_points"]} == {"f", "g"}
        assert module.description["entry_points"]["f"] == {
            "parameters": [{"name": "row", "kind": "numbers", "operands": ["i32", "i64"]}],
            "result": "i64",
        }


@pytest.mark.parametrize(
    ("text", "kinds", "error", "message"),
    [
        (
            "from math import exp\n\ndef f(x):\n    return int(exp(x))\n",
            ("number",),
            ObjectFileError,
            "needs env.exp, ",
        ),
        ("def f(x):\n    return x, x\n", ("number",), ValueError, "returns at most one number, found own_driver.f"),
        ("def f(x):\n    return x\n", ("word",), ValueError, "one of the kinds facts, .* found 'word'"),
        ("def f(x):\n    return x\n", (), RulesError, "expected 1 arguments, found 0"),
        ("def f(x):\n    return x[0][0]\n", ("numbers",), RulesError, "own_driver.py:2"),
    ],
)
def test_entry_points_that_cannot_be_compiled(write_driver, text, kinds, error, message):
    driver = write_driver(text)
    with pytest.raises(error, match=message):
        compile_driver(driver, kinds)


def test_names_must_differ():
    twice = module_compiler.DEFAULT_ENTRY_POINTS[:1] * 2
    with pytest.raises(ValueError, match="different names, found begin, begin"):
        compile_webassembly(find_game("sealed_bids"), twice)


def test_an_llvm_without_webassembly_is_reported(monkeypatch):
    monkeypatch.setattr(machine_code, "WEBASSEMBLY_TRIPLE", "vax-unknown-unknown")
    with pytest.raises(CompilerUnavailableError, match="built without WebAssembly"):
        machine_code.webassembly_machine.__wrapped__()


@cache
def compile_object_file():
    """Return the object file of the default entry points."""
    found = []

    def keep(data, names):
        found.append((data, names))
        return b""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module_compiler, "link_module", keep)
        compile_webassembly(find_game("sealed_bids"))
    return found[0]


def test_the_object_file_has_functions_tables_and_relocations():
    data, names = compile_object_file()
    found = object_file.read_object_file(data)
    assert found.function_count and found.segments and found.code_relocations
    assert link_module(data, names).startswith(object_file.MAGIC_AND_VERSION)


def test_a_file_that_ends_early_is_refused():
    data, names = compile_object_file()
    for size in range(len(data)):
        with pytest.raises(ObjectFileError, match="expected "):
            link_module(data[:size], names)


def test_a_file_with_changed_bytes_is_refused_or_linked():
    """Changes that a reader cannot notice give a module; none gives another exception."""
    data, names = compile_object_file()
    choice = random.Random(1)
    refused = 0
    for _ in range(2000):
        damaged = bytearray(data)
        damaged[choice.randrange(len(data))] ^= 1 << choice.randrange(8)
        try:
            link_module(bytes(damaged), names)
        except ObjectFileError:
            refused += 1
    assert refused > 20


def replace_section(data, kind, change):
    """Return an object file in which a function changes the contents of a section: an id, or the name of a custom
    one."""
    at, out = 8, data[:8]
    while at < len(data):
        reader = object_file.ByteReader(data, "test")
        reader.at = at + 1
        contents = reader.read_part("a section").data
        name = contents[1 : 1 + contents[0]].decode() if data[at] == 0 else ""
        if kind in (data[at], name):
            contents = change(contents)
        if contents is not None:
            out += data[at : at + 1] + object_file.encode_number(len(contents)) + contents
        at = reader.at
    return out


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (1, lambda contents: None, "expected a section TYPE"),
        (10, lambda contents: None, "expected a section CODE"),
        (10, lambda contents: b"\1" + contents[1:], "expected \\d+ functions, found 1"),
        (11, lambda contents: contents[:1] + b"\1" + contents[2:], "data segment of kind 0, .* found 1"),
        (11, lambda contents: contents + b"\0", "section DATA, byte \\d+: expected the end, found 1 more bytes"),
        ("linking", lambda contents: None, "expected a section linking"),
        (
            "linking",
            lambda contents: contents[:8] + b"\1" + contents[9:],
            "linking, byte 1: expected version 2, found 1",
        ),
        ("linking", lambda contents: contents + b"\6\1\0", "found part 6"),
        ("reloc.CODE", lambda contents: contents[:11] + b"\7" + contents[12:], "relocations of section"),
    ],
)
def test_the_error_says_what_is_wrong(kind, change, message):
    data, names = compile_object_file()
    with pytest.raises(ObjectFileError, match=message):
        link_module(replace_section(data, kind, change), names)


def test_other_files_are_refused():
    for data in (b"", b"\x7fELF\2\1\1\0", b"\0asm\2\0\0\0"):
        with pytest.raises(ObjectFileError, match="header, byte 0: expected"):
            link_module(data, [])
    data, _ = compile_object_file()
    with pytest.raises(ObjectFileError, match="expected the functions begone, found begin, "):
        link_module(data, ["begone"])
    with pytest.raises(ObjectFileError, match="found a section with the id 5"):  # memory of its own
        link_module(link_module(*compile_object_file()), [])


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 8191, 65536, (1 << 31) - 1])
def test_numbers_are_encoded(number):
    reader = object_file.ByteReader
    assert reader(object_file.encode_number(number), "test").read_number("number") == number
    for signed in (number, -number):
        assert reader(object_file.encode_signed(signed), "test").read_signed("number") == signed
    padded = object_file.encode_padded(number)
    assert len(padded) == 5 and object_file.is_padded(padded)
    assert reader(padded, "test").read_number("number") == reader(padded, "test").read_signed("number") == number


def test_the_machine_is_that_of_webassembly():
    assert machine_code.webassembly_machine().triple == machine_code.WEBASSEMBLY_TRIPLE
