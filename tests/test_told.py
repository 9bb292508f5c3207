"""Errors of broken rules are reported with the game, the move and the author's line: at a position, in a match, in
simulations of every kind. Machine code reports them too, or detects that it went wrong and the game is replayed by the
interpreter.
"""

import os
import sys
import threading
from pathlib import Path

import pytest
from test_cli import courtly

from courtly.engine.errors import RulesError
from courtly.engine.game import BoundsError, Game, _load_games, register
from courtly.engine.match import new_match
from courtly.engine.native import loader
from courtly.engine.native.sanitizer import CheckedCompiledBackend, CheckedPosition
from courtly.engine.position import Position
from courtly.engine.rng import seed_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.checked_rerun import play_trial_games
from courtly.lab.runs.simulate import simulate

SOURCE = Path(__file__).parent / "faulty_rules.py"
CARD = """id = "faulty"
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
FAULTS = pytest.mark.parametrize(("fault", "what", "ply", "doing"), REPORTED, ids=[row[0] for row in REPORTED])
UNDETECTED = {"ABOVE", "BELOW", "TABLE", "WIDE_ROW", "WIDE"}  # by unchecked machine code, whose result is undefined


def package(folder: Path, *changes: tuple[str, str]) -> Path:
    text = SOURCE.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "faulty").mkdir()
    for name, content in {"__init__.py": "", "game.toml": CARD, "rules.py": text}.items():
        (folder / "faulty" / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(package(tmp_path_factory.mktemp("outside"))))
        made = Game("faulty")
        assert made.rules
        register(made)
        yield made
        del _load_games()["faulty"]
        for name in [name for name in sys.modules if name.partition(".")[0] == "faulty"]:
            del sys.modules[name]


def options(game: Game, fault: str) -> dict[str, int]:
    return {"fault": game.rules.Fault.names.index(fault.lower())}


def plan(game: Game, fault: str, checked: bool = False) -> Plan:
    return Plan("faulty", 2, 4, 7, options(game, fault), None, checked)


def line(game: Game, fault: str) -> str:
    """Return the file and line of the error."""
    if fault == "LONG":
        return f"{game.folder / 'game.toml'}:9"
    lines = (game.folder / "rules.py").read_text(encoding="utf-8").splitlines()
    (number,) = (n for n, text in enumerate(lines, 1) if fault in text.partition("# ")[2].split(", "))
    # the endless loop is reported at its header
    return f"{game.folder / 'rules.py'}:{number - (fault == 'LOOP')}"


def check_report(game, wrong, fault, what, ply, doing, run="game 0 of seed 7"):
    assert (wrong.game, wrong.run, wrong.ply, wrong.line) == ("faulty", run, ply, line(game, fault)), str(wrong)
    assert what in wrong.what and wrong.doing.startswith(doing), str(wrong)
    assert all(str(part) in str(wrong) for part in (run, f"ply {ply}", wrong.doing, wrong.line)) and "\n" not in str(
        wrong
    )
    assert isinstance(wrong, BoundsError) == (fault == "LONG")


@FAULTS
def test_a_checked_position(game, fault, what, ply, doing):
    with pytest.raises(RulesError) as wrong:
        play(CheckedPosition(game, options=options(game, fault)))
    check_report(game, wrong.value, fault, what, ply, doing, run="")


def play(position: Position) -> None:
    while not position.over:
        if position.chance:
            position.happen([0] * 68)
        else:
            position.play(position.pending[0], position.legal(position.pending[0])[0])


@pytest.mark.parametrize("fault", ["NO_MOVE", "NO_EVENT", "NO_WEIGHT", "ABOVE", "TABLE", "WIDE", "WIDE_ROW", "LONG"])
def test_a_match(game, fault):
    match = new_match(game, seed=1, options=options(game, fault))
    with pytest.raises(RulesError) as wrong:
        play(match)
    assert wrong.value.line == line(game, fault) and "ply " in str(wrong.value), str(wrong.value)


def test_hidden_information_is_no_fault(game):
    """A position made from a view may ask the rules about information of other seats only."""
    match = new_match(game, seed=1)
    bare = Position.from_view(game, match.view(None))
    bare.state.turn, bare.state.fault = 4, game.rules.Fault.NO_MOVE
    assert bare.legal(0) == [] and bare.now().legal(0) == [] and bare.copy().legal(0) == []


@FAULTS
def test_interpreted(game, fault, what, ply, doing):
    with pytest.raises(RulesError) as wrong:
        simulate(plan(game, fault, checked=fault in {"BELOW", "LOOP", "NO_SEAT"}), interpreted=True, cores=1)
    check_report(game, wrong.value, fault, what, ply, doing)


@FAULTS
def test_the_first_games_are_checked_before_compilation(game, fault, what, ply, doing):
    with pytest.raises(RulesError) as wrong:
        play_trial_games(plan(game, fault))
    check_report(game, wrong.value, fault, what, ply, doing)


@pytest.mark.parametrize("fault", ["NO_MOVE", "BELOW", "WIDE"])
def test_bots(game, fault):
    with pytest.raises(RulesError) as wrong:
        simulate(plan(game, fault)._replace(bots=("random", "random")), cores=1)
    assert wrong.value.line == line(game, fault) and wrong.value.run == "game 0 of seed 7"


def test_a_bot_that_fails(game, monkeypatch):
    def choose(game, view, rng):
        raise KeyError("the wrong drawer")

    monkeypatch.setattr("courtly.bots.registry.choose_at_random", choose)
    with pytest.raises(
        RulesError, match="game 0 of seed 7, ply 1, seat 0: the bot random failed: KeyError.*test_told.py:"
    ):
        simulate(plan(game, "NONE")._replace(bots=("random", "random")), cores=1)


# --- the command line -------------------------------------------------------------------------------------------------


def error_output(folder: Path, *args: str, **environment: str) -> str:
    """Return the error message of the command."""
    path = os.pathsep.join([str(folder), os.environ["PYTHONPATH"]])
    places = {"COURTLY_GAMES": "faulty", "PYTHONPATH": path, "COURTLY_CACHE": str(folder / "cache")}
    done = courtly("simulate", "faulty", "--games", "5", *args, env=places | environment)
    assert done.returncode == 1 and not done.stdout
    return done.stderr


@pytest.mark.parametrize("how", [(), ("--checked",), ("--interpreted",), ("--bots", "random,random", "--cores", "2")])
def test_one_message(game, how):
    said = error_output(game.folder.parent, "--option", "fault=1", *how)
    where = "legal, seat 0, after roll n="
    assert f"Error: faulty: game 0 of seed 0, ply 9, {where}" in said and line(game, "NO_MOVE") in said, said
    assert "Traceback" not in said and len(said.strip().splitlines()) <= 2, said


@pytest.mark.parametrize("how", [("--interpreted",), ("--bots", "random,random")])
@pytest.mark.parametrize("fault", ["BELOW", "LOOP"])
def test_the_first_games_are_checked_without_a_compiler_too(game, fault, how):
    number = game.rules.Fault.names.index(fault.lower())
    assert line(game, fault) in error_output(game.folder.parent, "--option", f"fault={number}", *how)


def test_a_traceback_on_request(game):
    said = error_output(game.folder.parent, "--option", "fault=4", "--interpreted", COURTLY_DEBUG="1")
    assert "Traceback" in said and "IndexError" in said and "RulesError: faulty: game 0 of seed 0" in said


def test_the_dialect_comes_before_the_compiler(tmp_path):
    package(tmp_path, ("    s.wide = s.wide\n", "    s.wide = s.wide / 1\n    s.pile = 1\n"))
    said = error_output(tmp_path)
    assert (
        "faulty: outside the dialect" in said and "Div" in said and "no field pile" in said and "Traceback" not in said
    )
    assert said.count("rules.py:") == 2 and not list(tmp_path.rglob("*.nbi"))


# --- machine code -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fast(game):
    return loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend()))


@pytest.fixture(scope="module")
def looking(game):
    return loader.compile_playouts(loader.load_driver(game, CheckedCompiledBackend(game)))


@pytest.mark.parametrize(("fault", "what", "ply", "doing"), [t for t in REPORTED if t[0] not in {*UNDETECTED, "LOOP"}])
def test_machine_code_detects_it_and_the_game_is_replayed(game, fast, fault, what, ply, doing):
    with pytest.raises(RulesError) as wrong:
        simulate(plan(game, fault), cores=1, driver=fast)
    check_report(game, wrong.value, fault, what, ply, doing)


@FAULTS
def test_checked_machine_code(game, looking, fault, what, ply, doing):
    with pytest.raises(RulesError) as wrong:
        simulate(plan(game, fault, checked=True), cores=1, driver=looking)
    check_report(game, wrong.value, fault, what, ply, doing)


def test_all_forms_play_the_same_games(game, fast, looking):
    right = plan(game, "NONE")
    found = {
        simulate(chosen, cores=1, **form)["digest"]
        for chosen, form in (
            (right, {"driver": fast}),
            (right._replace(checked=True), {"driver": looking}),
            (right, {"interpreted": True}),
            (right._replace(checked=True), {"interpreted": True}),
        )
    }
    assert len(found) == 1


@pytest.mark.parametrize("changed", ["max(s.score, 1)", "s.pile"])
def test_compilation_errors_are_reported_with_their_line(tmp_path, monkeypatch, changed):
    """The linter does not detect this error, since only the type is wrong."""
    wrong = f"    s.wide = {changed}\n"
    monkeypatch.syspath_prepend(str(package(tmp_path, ("    s.score[seat] += STEPS[X[move]]\n", wrong))))
    monkeypatch.setattr(loader, "_require_dialect", lambda game: None)
    for name in [name for name in sys.modules if name.partition(".")[0] == "faulty"]:
        monkeypatch.delitem(sys.modules, name)
    game = Game("faulty")
    text = (game.folder / "rules.py").read_text(encoding="utf-8")
    with pytest.raises(RulesError, match="faulty: compilation failed") as error_output:
        loader.compile_playouts(loader.load_driver(game, loader.CompiledBackend()))
    assert error_output.value.line == f"{game.folder / 'rules.py'}:{text[: text.index(wrong)].count(chr(10)) + 1}", (
        error_output.value
    )


def test_machine_code_that_does_not_return(game, monkeypatch):
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
        with pytest.raises(RulesError) as wrong:
            simulate(plan(game, "LOOP"), cores=1, driver=Stuck())
        assert wrong.value.line == line(game, "LOOP") and wrong.value.run == "game 1 of seed 7"
    finally:
        end.set()
