"""Errors of broken rules are reported with the game, the move and the author's line: at a position, in a match, in
simulations of every kind. Machine code reports them too, or detects that it went wrong and the game is replayed by the
interpreter.
"""

import os
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from interpreted_drivers import load_interpreted
from test_cli import courtly

from courtly.adapters import arrays
from courtly.adapters.arrays import BatchedGames
from courtly.bots import policy
from courtly.engine.errors import RulesError
from courtly.engine.game import BoundsError, Game, _load_games, register
from courtly.engine.match import new_match
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.engine.rng import seed_generator
from courtly.lab.plan import Plan
from courtly.lab.runs import measured_playout_driver
from courtly.lab.runs.batch_runner import MeasuringRunner
from courtly.lab.runs.checked_rerun import play_trial_games
from courtly.lab.runs.native_runner import NativeRunner
from courtly.lab.runs.simulate import simulate
from courtly.lab.strength.match_runner import NativeTable

SOURCE = Path(__file__).parent / "faulty_rules.py"
GAME_TOML = """id = "faulty"
version = 1
minutes = 1
colour = "azure"
designers = []
publishers = []
year = 2026
[bounds]
decisions = 6
events = 7
moves = 3
"""
ROLL, TAKE = 8, 9  # the plies of the fifth turn
# fault, message, ply, context; the first word of the context names the function
REPORTED = [
    ("NO_MOVE", "no legal move", TAKE, "legal, seat 0, after roll n="),
    ("NO_EVENT", "none with a weight", ROLL, "chance, after take n="),
    ("NO_WEIGHT", "none with a weight", ROLL, "chance, after take n="),
    ("ABOVE", "index 2 of a row of 2", TAKE, "apply, seat 0, take n="),
    ("BELOW", "index -2 of a row of 2", TAKE, "apply, seat 0, take n="),
    ("TABLE", "index 3 of an array of 3", TAKE, "apply, seat 0, take n="),
    ("WIDE_ROW", "is not from -128 to 127", TAKE, "apply, seat 0, take n="),
    ("WIDE", "wide must be from -128 to 127, not 400", TAKE, "apply, seat 0, take n="),
    ("LOOP", "endless loop", TAKE, "apply, seat 0, take n="),
    ("BESIDE", "index 20 of a row of 6", TAKE, "legal, seat 0, after roll n="),
    ("LONG", "more than 6 decisions", 13, "after roll n="),
    ("NO_SEAT", "`pending` is 4", ROLL, "apply, roll n="),
]
FAULTS = pytest.mark.parametrize(("fault", "message", "ply", "context"), REPORTED, ids=[row[0] for row in REPORTED])
UNDETECTED = {"ABOVE", "BELOW", "TABLE", "WIDE_ROW", "WIDE"}  # by unchecked machine code, whose result is undefined


def write_faulty_package(folder: Path, *changes: tuple[str, str]) -> Path:
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "faulty").mkdir()
    for name, content in {"__init__.py": "", "game.toml": GAME_TOML, "rules.py": text}.items():
        (folder / "faulty" / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(write_faulty_package(tmp_path_factory.mktemp("outside"))))
        game = Game("faulty")
        assert game.rules
        register(game)
        yield game
        del _load_games()["faulty"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "faulty"]:
            del sys.modules[name]


def options(game: Game, fault: str) -> dict[str, int]:
    return {"fault": game.rules.Fault.names.index(fault.lower())}


def plan(game: Game, fault: str, checked: bool = False) -> Plan:
    return Plan("faulty", 2, 4, 7, options(game, fault), None, checked)


def fault_line(game: Game, fault: str) -> str:
    """Return the file and line of the error."""
    if fault == "LONG":
        return f"{game.folder / 'game.toml'}:9"
    lines = (game.folder / "rules.py").read_text(encoding="utf-8").splitlines()
    (number,) = (n for n, text in enumerate(lines, 1) if fault in text.partition("# ")[2].split(", "))
    # the endless loop is reported at its header
    return f"{game.folder / 'rules.py'}:{number - (fault == 'LOOP')}"


def check_report(game, error, fault, message, ply, context, run="game 0 of seed 7"):
    assert (error.game, error.run, error.ply, error.line) == ("faulty", run, ply, fault_line(game, fault)), str(error)
    assert message in error.problem and error.activity.startswith(context), str(error)
    assert all(str(part) in str(error) for part in (run, f"ply {ply}", error.activity, error.line)) and "\n" not in str(
        error
    )
    assert isinstance(error, BoundsError) == (fault == "LONG")


@FAULTS
def test_a_checked_position_reports_each_fault(game, fault, message, ply, context):
    with pytest.raises(RulesError) as error:
        play(CheckedPosition(game, options=options(game, fault)))
    check_report(game, error.value, fault, message, ply, context, run="")


def play(position: Position) -> None:
    while not position.over:
        if position.chance:
            position.happen([0] * 68)
        else:
            position.play(position.pending[0], position.legal(position.pending[0])[0])


@pytest.mark.parametrize("fault", ["NO_MOVE", "NO_EVENT", "NO_WEIGHT", "ABOVE", "TABLE", "WIDE", "WIDE_ROW", "LONG"])
def test_a_match_reports_the_faulty_line(game, fault):
    match = new_match(game, seed=1, options=options(game, fault))
    with pytest.raises(RulesError) as error:
        play(match)
    assert error.value.line == fault_line(game, fault) and "ply " in str(error.value), str(error.value)


@pytest.mark.parametrize("fault", ["NO_MOVE", "NO_EVENT", "LONG"])
def test_every_driver_stops_at_a_fault(game, fault, monkeypatch):
    """As machine code must, but interpreted."""
    faulty_plan = plan(game, fault)
    monkeypatch.setattr(loader, "load_driver", load_interpreted)
    monkeypatch.setattr(arrays, "load_driver", partial(load_interpreted, driver="courtly.adapters.batch_driver"))
    for driver, bots in ((faulty_plan.driver, None), (policy.__name__, ("random", "random"))):
        with pytest.raises(RulesError):
            NativeRunner(load_interpreted(game, driver=driver), faulty_plan._replace(bots=bots)).play(0, 1)
    measuring_runner = MeasuringRunner(load_interpreted(game, driver=measured_playout_driver.__name__), faulty_plan)
    with pytest.raises(RulesError):
        measuring_runner.measure(0, 1)
    table = NativeTable(game)
    table.set_initial_state(game.State(**options(game, fault)))
    with pytest.raises(RulesError, match="does not end within its bounds"):
        table.play(7, 0, ("random", "random"))
    if fault != "LONG":  # there it is cut
        games = BatchedGames(game, 1, options=options(game, fault))
        games.reset(7)
        with pytest.raises(RulesError, match="cannot go on"):
            for _ in range(7):
                games.step()


def test_hidden_information_is_no_fault(game):
    """A position made from a view may ask the rules about information of other seats only."""
    match = new_match(game, seed=1)
    bare = Position.from_view(game, match.view(None))
    bare.state.turn, bare.state.fault = 4, game.rules.Fault.NO_MOVE
    assert bare.legal(0) == [] and bare.now().legal(0) == [] and bare.copy().legal(0) == []


@FAULTS
def test_an_interpreted_simulation_reports_each_fault(game, fault, message, ply, context):
    with pytest.raises(RulesError) as error:
        simulate(plan(game, fault, checked=fault in {"BELOW", "LOOP", "NO_SEAT"}), interpreted=True, cores=1)
    check_report(game, error.value, fault, message, ply, context)


@FAULTS
def test_the_first_games_are_checked_before_compilation(game, fault, message, ply, context):
    with pytest.raises(RulesError) as error:
        play_trial_games(plan(game, fault))
    check_report(game, error.value, fault, message, ply, context)


@pytest.mark.parametrize("fault", ["NO_MOVE", "BELOW", "WIDE"])
def test_a_simulation_of_bots_reports_the_faulty_line(game, fault):
    with pytest.raises(RulesError) as error:
        simulate(plan(game, fault)._replace(bots=("random", "random")), cores=1)
    assert error.value.line == fault_line(game, fault) and error.value.run == "game 0 of seed 7"


def test_a_failing_bot_is_reported_with_its_line(game, monkeypatch):
    def choose(game, view, rng):
        raise KeyError("the third drawer")

    monkeypatch.setattr("courtly.bots.registry.choose_at_random", choose)
    with pytest.raises(
        RulesError, match="game 0 of seed 7, ply 1, seat 0: the bot random failed: KeyError.*test_rules_errors.py:"
    ):
        simulate(plan(game, "NONE")._replace(bots=("random", "random")), cores=1)


# --- the command line -------------------------------------------------------------------------------------------------


def error_output(folder: Path, *args: str, **environment: str) -> str:
    """Return the error message of the command."""
    path = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
    game_environment = {"COURTLY_GAMES": "faulty", "PYTHONPATH": path, "COURTLY_CACHE": str(folder / "cache")}
    process = courtly("simulate", "faulty", "--games", "5", *args, env=game_environment | environment)
    assert process.returncode == 1 and not process.stdout
    return process.stderr


@pytest.mark.parametrize(
    "options", [(), ("--checked",), ("--interpreted",), ("--bots", "random,random", "--cores", "2")]
)
def test_the_command_reports_an_error_of_the_rules_in_one_message(game, options):
    output = error_output(game.folder.parent, "--option", "fault=1", *options)
    context = "legal, seat 0, after roll n="
    assert f"Error: faulty: game 0 of seed 0, ply 9, {context}" in output and fault_line(game, "NO_MOVE") in output, (
        output
    )
    assert "Traceback" not in output and len(output.strip().splitlines()) <= 2, output


@pytest.mark.parametrize("options", [("--interpreted",), ("--bots", "random,random")])
@pytest.mark.parametrize("fault", ["BELOW", "LOOP"])
def test_the_first_games_are_checked_without_a_compiler_too(game, fault, options):
    number = game.rules.Fault.names.index(fault.lower())
    assert fault_line(game, fault) in error_output(game.folder.parent, "--option", f"fault={number}", *options)


def test_the_command_prints_a_traceback_on_request(game):
    output = error_output(game.folder.parent, "--option", "fault=4", "--interpreted", COURTLY_DEBUG="1")
    assert "Traceback" in output and "IndexError" in output and "RulesError: faulty: game 0 of seed 0" in output


def test_the_dialect_comes_before_the_compiler(tmp_path):
    write_faulty_package(tmp_path, ("    s.wide = s.wide\n", "    s.wide = s.wide / 1\n    s.pile = 1\n"))
    output = error_output(tmp_path)
    assert (
        "faulty: outside the dialect" in output
        and "Div" in output
        and "no field pile" in output
        and "Traceback" not in output
    )
    assert output.count("rules.py:") == 2 and not list(tmp_path.rglob("*.nbi"))


# --- machine code -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unchecked_driver(game):
    return loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend()))


@pytest.fixture(scope="module")
def checked_driver(game):
    return loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend(is_checked=True)))


@pytest.mark.parametrize(
    ("fault", "message", "ply", "context"), [t for t in REPORTED if t[0] not in {*UNDETECTED, "LOOP"}]
)
def test_machine_code_detects_a_fault_and_the_game_is_replayed(game, unchecked_driver, fault, message, ply, context):
    with pytest.raises(RulesError) as error:
        simulate(plan(game, fault), cores=1, driver=unchecked_driver)
    check_report(game, error.value, fault, message, ply, context)


@FAULTS
def test_checked_machine_code_reports_each_fault(game, checked_driver, fault, message, ply, context):
    with pytest.raises(RulesError) as error:
        simulate(plan(game, fault, checked=True), cores=1, driver=checked_driver)
    check_report(game, error.value, fault, message, ply, context)


def test_all_forms_play_the_same_games(game, unchecked_driver, checked_driver):
    faultless_plan = plan(game, "NONE")
    digests = {
        simulate(chosen_plan, cores=1, **form_options)["digest"]
        for chosen_plan, form_options in (
            (faultless_plan, {"driver": unchecked_driver}),
            (faultless_plan._replace(checked=True), {"driver": checked_driver}),
            (faultless_plan, {"interpreted": True}),
            (faultless_plan._replace(checked=True), {"interpreted": True}),
        )
    }
    assert len(digests) == 1


@pytest.mark.parametrize("expression", ["max(s.score, 1)", "s.pile"])
def test_compilation_errors_are_reported_with_their_line(tmp_path, monkeypatch, expression):
    """The linter does not detect this error, since only the type is wrong."""
    faulty_line = f"    s.wide = {expression}\n"
    monkeypatch.syspath_prepend(
        str(write_faulty_package(tmp_path, ("    s.score[seat] += STEPS[X[move]]\n", faulty_line)))
    )
    monkeypatch.setattr("courtly.engine.native.compiler.driver.check_game", lambda game: [])
    for name in [name for name in sys.modules if name.partition(".")[0] == "faulty"]:
        monkeypatch.delitem(sys.modules, name)
    game = Game("faulty")
    text = (game.folder / "rules.py").read_text(encoding="utf-8")
    with pytest.raises(RulesError, match="faulty: compilation failed") as error:
        loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend()))
    assert error.value.line == f"{game.folder / 'rules.py'}:{text[: text.index(faulty_line)].count(chr(10)) + 1}", (
        error.value
    )


def test_a_game_in_an_endless_loop_is_replayed_after_a_timeout(game, monkeypatch):
    """After a timeout, the running game is replayed by the interpreter, and the stuck thread is abandoned."""
    monkeypatch.setattr("courtly.lab.runs.native_runner.BATCH_TIMEOUT_S", 0.01)
    end = threading.Event()

    class Stuck:
        def __init__(self):
            self.game = game

        def playouts(self, states, finals, number, first, games, rng, *rest):
            seed_generator(rng, number, first + 1)
            end.wait()

    try:
        with pytest.raises(RulesError) as error:
            simulate(plan(game, "LOOP"), cores=1, driver=Stuck())
        assert error.value.line == fault_line(game, "LOOP") and error.value.run == "game 1 of seed 7"
    finally:
        end.set()
