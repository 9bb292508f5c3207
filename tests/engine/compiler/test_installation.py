"""An installation that cannot compile gets one line that names the problem, and interpreted rules play on."""

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from courtly.engine.game import find_game
from courtly.engine.native import loader
from courtly.engine.native.compiler import installation, machine_code
from courtly.engine.native.compiler.installation import CompilerUnavailableError, find_obstacle
from courtly.engine.native.native_position import make_fastest_position

ROOT = Path(__file__).parents[3]
SIMULATE = ("simulate", "sealed_bids", "--games", "3", "--cores", "1")
WANTED = "expected llvmlite 0.45 or newer, and older than 0.51, found "


def write_module(folder, text):
    """Write another llvmlite into a folder."""
    (folder / "llvmlite").mkdir(parents=True)
    (folder / "llvmlite" / "__init__.py").write_text(textwrap.dedent(text))
    return folder


def run_courtly(folder, *arguments):
    """Run a command in which llvmlite is that of a folder."""
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    program = f"from courtly.cli import main; main({[*arguments]!r})"
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env=environment, cwd=ROOT
    )


def test_the_supported_versions_are_those_of_the_package():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    [requirement] = (text for text in extras["native"] if text.startswith("llvmlite"))
    least, end = (".".join(map(str, version)) for version in installation.SUPPORTED_LLVMLITE)
    assert requirement == f"llvmlite>={least},<{end}"


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("__version__ = '0.30.1'", WANTED + "0.30.1"),
        ("__version__ = '0.51.0rc1'", WANTED + "0.51.0rc1"),
        ("__version__ = '1.0'", WANTED + "1.0"),
        ("__version__ = '0+unknown'", WANTED + "0+unknown"),
        ("", WANTED + "of unknown version"),
        ("raise OSError('no library')", "llvmlite cannot be imported (OSError: no library)"),
        ("__version__ = '0.48.0'", "llvmlite is installed, but does not load (ModuleNotFoundError: No module named"),
    ],
)
def test_an_unusable_llvmlite_is_named_and_games_are_played_interpreted(tmp_path, module, message):
    process = run_courtly(write_module(tmp_path, module), *SIMULATE)
    assert process.returncode == 0, process.stderr
    assert "(interpreted)" in process.stdout
    [line] = (line for line in process.stderr.splitlines() if "llvmlite" in line)
    assert line.startswith(f"playing interpreted (slow): {message}")
    assert 'pip install "courtly[native]"' in line
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize("module", ["__version__ = '0.30.1'", "__version__ = '0.48.0'"])
def test_a_command_that_needs_machine_code_ends_with_one_line(tmp_path, module):
    folder = write_module(tmp_path, module)
    for arguments in ((*SIMULATE, "--bots", "knight,knight"), ("check", "sealed_bids")):
        process = run_courtly(folder, *arguments)
        assert process.returncode == 1
        assert re.fullmatch(r'Error: .*llvmlite.*pip install "courtly\[native\]".*\n', process.stderr), process.stderr


def test_bots_that_search_are_not_offered_with_an_unsupported_llvmlite(tmp_path):
    program = (
        "import sys; from courtly.bots.registry import list_bots; from courtly.engine.game import find_game; "
        "print(*list_bots(find_game('petition')), 'llvmlite.binding' in sys.modules)"
    )
    folder = write_module(tmp_path, "__version__ = '0.30.1'")
    environment = os.environ | {"PYTHONPATH": f"{folder}"}
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, cwd=ROOT)
    assert process.stdout == "page squire random False\n", process.stderr


def test_simulation_is_compiled_without_numpy():
    program = f"import sys; sys.modules['numpy'] = None; from courtly.cli import main; main({[*SIMULATE]!r})"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert process.returncode == 0 and "(native)" in process.stdout, process.stderr


@pytest.fixture
def no_target(monkeypatch):
    """A machine for which LLVM has no target."""
    llvm = installation.import_llvm()

    def from_triple(triple):
        raise RuntimeError(f"No available targets are compatible with triple {triple!r}")

    monkeypatch.setattr(llvm.Target, "from_triple", from_triple)
    machine_code.host_machine.cache_clear()
    yield
    machine_code.host_machine.cache_clear()


def test_a_machine_without_a_target_is_named_and_positions_are_interpreted(no_target):
    message = "llvmlite has no target for this machine .*set COURTLY_NATIVE=0 to use interpreted rules"
    assert re.fullmatch(message, find_obstacle(loads_llvm=True))
    assert not loader.is_usable()
    with pytest.raises(CompilerUnavailableError, match=message):
        loader.compile_playouts(loader.load_driver(find_game("sealed_bids"), loader.CompiledBackend()))
    with pytest.warns(RuntimeWarning, match=message):
        position = make_fastest_position(find_game("sealed_bids"), 3)
    assert type(position).__name__ == "Position"
