"""Entry points of drivers as one WebAssembly module, with a description for JavaScript.

    module = compile_webassembly(find_game("petition"))
    Path("petition.wasm").write_bytes(module.code)
    Path("petition.json").write_text(json.dumps(module.description))

The results are those of machine code, bit for bit. The module imports nothing. It exports `memory`, `heap_base` (the
first free address; memory from there on belongs to the caller, who lets it grow) and the entry points. A parameter
becomes one or several operands, by its kind:

| kind | operands |
|---|---|
| `number` | the number, i64 |
| `state` | the address of a record, i32 |
| `states` | the address of records side by side, i32; how many, i64 |
| `numbers` | the address of 64-bit numbers, i32; how many, i64 |
| `facts` | the address of facts, numbers of 32 bits, i32 |
| `rows` | the address of rows of 64-bit numbers, one behind the other, i32; how many rows, i64; their length, i64 |

In JavaScript an i64 is a BigInt. Numbers in memory are little-endian. Records and rows begin at a multiple of 8, and
arguments of one call must not overlap. After a trap, such as a division by zero in faulty rules, the module must be
instantiated again.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

from courtly.engine.constants import CHANCE, EVERYONE, MAX_SEATS, NOBODY, SILENT
from courtly.engine.facts import NUMBER_BYTES, RECORD_NAME, describe_facts
from courtly.engine.game import Game
from courtly.engine.native.compiler import machine_code
from courtly.engine.native.compiler.driver import compile_program
from courtly.engine.native.compiler.entry_point import operand_types
from courtly.engine.native.compiler.program import Program, lay_out_record
from courtly.engine.native.compiler.types import FLOAT, INT, UNKNOWN_LENGTH, VOID, RecordType, RowType, Type
from courtly.engine.native.module_loader import FACTS_DRIVER, PLAYOUT_DRIVER, ModuleLoader
from courtly.engine.native.native_position import POSITION_DRIVER
from courtly.engine.native.webassembly.linker import link_module
from courtly.engine.native.webassembly.runtime_functions import WIDE_PRODUCT
from courtly.engine.rng import GENERATOR_SIZE

FORMAT = 5  # of descriptions: raised when their meaning changes
WORD_BYTES = 8
FACTS, NUMBER, NUMBERS, ROWS, STATE, STATES = "facts", "number", "numbers", "rows", "state", "states"
OPERAND_NAMES = {INT: "i64", FLOAT: "f64", "ptr": "i32"}


class EntryPointSignature(NamedTuple):
    """An entry point of a driver, and how it is called.

    Attributes:
        driver: The name of the driver's module.
        name: The name of the function.
        kinds: The kind of each parameter.
    """

    driver: str
    name: str
    kinds: tuple[str, ...]


DEFAULT_ENTRY_POINTS = (
    EntryPointSignature(PLAYOUT_DRIVER, "begin", (STATE,)),
    EntryPointSignature(PLAYOUT_DRIVER, "playouts", (STATES, STATES, NUMBER, NUMBER, NUMBER, *[NUMBERS] * 5)),
    EntryPointSignature(POSITION_DRIVER, "list_moves", (STATES, NUMBER, NUMBERS)),
    EntryPointSignature(POSITION_DRIVER, "make_move", (STATES, NUMBER, NUMBER, NUMBERS)),
    EntryPointSignature(POSITION_DRIVER, "run_operation", (STATES, ROWS, NUMBER, NUMBER, NUMBER)),
    EntryPointSignature(POSITION_DRIVER, "find_refusal", (STATES, NUMBER, NUMBER)),
)
FACTS_ENTRY_POINT = EntryPointSignature(FACTS_DRIVER, "find_facts", (STATES, NUMBER, FACTS, NUMBERS))


class WebAssemblyModule(NamedTuple):
    """A game as WebAssembly.

    Attributes:
        code: The bytes of the module.
        description: What a program in JavaScript needs to know, as JSON: see `describe_rules`. `entry_points` has for
            each entry point its `parameters`, with name, kind and types of operands, and the type of its `result`,
            None if it returns nothing.
    """

    code: bytes
    description: dict[str, Any]


def compile_webassembly(game: Game, entry_points: Sequence[EntryPointSignature] | None = None) -> WebAssemblyModule:
    """Compile entry points of drivers to one module.

    Args:
        game: The game whose rules the drivers use.
        entry_points: The entry points, whose names must differ; None for those of `list_entry_points`.

    Raises:
        DialectError: The rules use Python outside of the dialect.
        RulesError: A line cannot be compiled.
        ObjectFileError: A driver needs a function that WebAssembly does not have, such as `exp`, or this version of
            llvmlite writes object files that this package does not understand.
        CompilerUnavailableError: llvmlite is missing or unsupported, or was built without WebAssembly.
        ValueError: Two entry points have one name, a kind is unknown, or an entry point returns several numbers.
    """
    if entry_points is None:
        entry_points = list_entry_points(game)
    names = [entry_point.name for entry_point in entry_points]
    if len({*names}) < len(names):
        raise ValueError(f"expected entry points of different names, found {', '.join(names)}")
    program, machine = Program(game), machine_code.webassembly_machine()
    described: dict[str, Any] = {}

    def write() -> str:
        drivers = [entry_point.driver for entry_point in entry_points]
        loader = ModuleLoader(game, program, *dict.fromkeys(drivers))
        for driver, name, kinds in entry_points:
            types = [_type_of(kind, game) for kind in kinds]
            result = program.export(getattr(loader.module(driver), name), types, name).result_type
            described[name] = _describe_entry_point(driver, name, kinds, types, result)
        return program.text(machine.triple, str(machine.target_data), [WIDE_PRODUCT])

    code = link_module(compile_program(game, write, machine), names)
    return WebAssemblyModule(code, {**describe_rules(game), "entry_points": described})


def list_entry_points(game: Game) -> tuple[EntryPointSignature, ...]:
    """Return `begin` and `playouts` of playout_driver.py, all of single_position_driver.py, for single questions, and
    `find_facts` of facts_driver.py if the game has facts."""
    return (*DEFAULT_ENTRY_POINTS, *([FACTS_ENTRY_POINT] if game.Facts else []))


def _record_bytes(game: Game) -> int:
    """Return the bytes from one record to the next: whole words, since the search reads records as words."""
    _, size = lay_out_record(game.State)
    return -(-size // WORD_BYTES) * WORD_BYTES


def _type_of(kind: str, game: Game) -> Type:
    """Return the type of a parameter. Raises ValueError if the kind is unknown."""
    record = RecordType(_record_bytes(game))
    types: dict[str, Type] = {
        FACTS: RecordType(NUMBER_BYTES * game.Facts.length if game.Facts else 0, RECORD_NAME),
        NUMBER: INT,
        STATE: record,
        STATES: RowType(record, (UNKNOWN_LENGTH,)),
        NUMBERS: RowType(INT, (UNKNOWN_LENGTH,)),
        ROWS: RowType(INT, (UNKNOWN_LENGTH, UNKNOWN_LENGTH)),
    }
    if kind not in types:
        raise ValueError(f"expected one of the kinds {', '.join(types)}, found {kind!r}")
    return types[kind]


def _describe_entry_point(
    driver: str, name: str, kinds: Sequence[str], types: Sequence[Type], result_type: str
) -> dict[str, Any]:
    """Return the description of an entry point. Raises ValueError if it returns several numbers."""
    if result_type not in (VOID, INT, FLOAT):
        raise ValueError(f"expected an entry point that returns at most one number, found {driver}.{name}")
    parameters = inspect.signature(getattr(importlib.import_module(driver), name)).parameters
    return {
        "parameters": [
            {"name": parameter, "kind": kind, "operands": [OPERAND_NAMES[operand] for operand in operand_types([type])]}
            for parameter, kind, type in zip(parameters, kinds, types, strict=True)
        ],
        "result": OPERAND_NAMES.get(result_type),
    }


def describe_rules(game: Game) -> dict[str, Any]:
    """Return what a program in JavaScript needs to know of a game, as JSON.

    Returns:
        A dictionary with

        - `format`: the version of this description; `game`, `version`: of the game;
        - `record`: `size` in bytes, from one record to the next; `stored`, the number of bytes that make up the state
          (working space follows); and `fields`, each with its `offset` and the `size` of one number in bytes, its
          `shape` ([] for a single number), `signed`, `visible` ("public", "private", "secret" or "scratch"), and
          `option`, the values that a table may choose from, the default first. A record begins with zeros and a value
          for each option; `begin` sets the game up;
        - `move_count`, the number of moves, and `total_count`, with random events; `row_length`, of rows for moves,
          weights or scores; `generator_length`; `max_seats`;
        - `moves` and `events`: for each verb of players, or of chance, the number of its `first` move and the `values`
          of its `args` (`Moves.describe`); `hidden`: for each secret verb, the verb that others see; `public_args`: the
          arguments of each verb that every audience sees; `refusals`: the names of the reasons why a move is not legal,
          by the number that `find_refusal` returns; `logged`: the fields whose changes cues name (`Logged`);
        - `earlier`: for each earlier version whose records can be replayed, the options that these imply;
        - `bounds`: the most decisions, events and legal moves of a game;
        - `chance`: the value of `pending` if a random event is due; `event_seat`: the seat of random events;
          `everyone`: the audience of all seats and all spectators; `silent`: the bit of an audience whose others
          receive no cue;
        - `single_position`: for the entry points of single_position_driver.py: the results `invalid_request` and
          `fault`, and for `run_operation` the number of each of the `operations`, the place of each of the `rows`, and
          their `row_length`;
        - `facts`: how to read what `find_facts` of facts_driver.py writes (`describe_facts` in facts.py); None if the
          game has no facts.
    """
    position_driver = importlib.import_module(POSITION_DRIVER)
    offsets, _ = lay_out_record(game.State)
    return {
        "format": FORMAT,
        "game": game.id,
        "version": game.version,
        "record": {
            "size": _record_bytes(game),
            "stored": game.State.packing.size,
            "fields": {
                field.name: {
                    "offset": offsets[field.name],
                    "size": field.size,
                    "shape": list(field.shape),
                    "signed": True,
                    "visible": field.visible,
                    "option": list(field.option),
                }
                for field in game.State.stored + game.State.scratch
            },
        },
        "move_count": game.moves.count,
        "total_count": game.moves.total,
        "row_length": game.room,
        "generator_length": GENERATOR_SIZE,
        "max_seats": MAX_SEATS,
        "moves": game.moves.describe(chance=False),
        "events": game.moves.describe(chance=True),
        "hidden": game.moves.hidden,
        "public_args": game.moves.public_args,
        "refusals": list(game.refusals),
        "logged": [logged._asdict() for logged in game.logged],
        "earlier": game.card.get("earlier", {}),
        "bounds": {name: game.bounds[name] for name in ("decisions", "events", "moves")},
        "chance": CHANCE,
        "event_seat": NOBODY,
        "everyone": EVERYONE,
        "silent": SILENT,
        "single_position": {
            "operations": {name: number for number, name in enumerate(position_driver.Operation.names)},
            "rows": {row.lower(): getattr(position_driver, row) for row in ("MOVES", "WEIGHTS", "RNG")},
            "row_length": max(game.room, GENERATOR_SIZE),
            "invalid_request": position_driver.INVALID_REQUEST,
            "fault": position_driver.FAULT,
        },
        "facts": describe_facts(game.Facts) if game.Facts else None,
    }
