"""The wheel, installed into an empty environment with what it requires and nothing else."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import venv
from importlib.metadata import distribution
from pathlib import Path
from types import SimpleNamespace

import pytest
from guests import FAST, PATIENCE, Guest, wait_until
from packaging.requirements import Requirement

from courtly.server.assets.compiled_games import FOLDER

ROOT = Path(__file__).parents[2]
MAX_WHEEL_BYTES = 8_000_000
MAX_INSTALLED_BYTES = 60_000_000
BROWSER = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"


def required_distributions(requirement, found):
    """Collect the installed distributions that a requirement needs, by name."""
    if requirement.name not in found:
        found[requirement.name] = distribution(requirement.name)
        for text in found[requirement.name].requires or ():
            needed = Requirement(text)
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
            ):
                required_distributions(needed, found)


def copy_distribution(source, target):
    for file in source.files:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target / file)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release")
    subprocess.run([sys.executable, ROOT / "tools" / "release.py", folder], check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """An environment with the wheel; its requirements are copied from this one, so that no registry is needed."""
    folder = tmp_path_factory.mktemp("empty environment")
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    answer = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    target = Path(answer.strip())
    before = folder_size(target)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    metadata = json.loads(
        subprocess.check_output(
            [python, "-c", "import importlib.metadata as m, json; print(json.dumps(m.requires('courtly')))"], text=True
        )
    )
    found = {}
    for text in metadata:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            required_distributions(requirement, found)
    for needed in found.values():
        copy_distribution(needed, target)
    names = {path.name for path in target.iterdir()}
    assert not names & {"llvmlite", "numpy", "pytest"}
    return SimpleNamespace(
        python=python, program=python.with_name("courtly" + python.suffix), size=folder_size(target) - before
    )


def folder_size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def clean_environment(home, **settings):
    """The variables of a process that finds nothing of this environment, and nothing of the user's."""
    kept = {name: os.environ[name] for name in os.environ if not name.startswith(("COURTLY_", "PYTHON", "XDG_"))}
    folders = {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home)}
    fast = {name: value for name, value in FAST.items() if name not in ("COURTLY_NATIVE", "COURTLY_COMPILE_AHEAD")}
    return kept | folders | fast | settings


def test_the_wheel_and_its_installation_are_small(wheel, environment):
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    assert environment.size < MAX_INSTALLED_BYTES


def test_one_word_opens_a_table_in_a_browser_and_a_game_is_played(environment, tmp_path):
    opened = tmp_path / "opened"
    browser = f'{sys.executable} -c "{BROWSER}" {opened} %s'
    process = subprocess.Popen(
        [environment.program],
        env=clean_environment(tmp_path, BROWSER=browser),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    log = []
    reader = threading.Thread(target=lambda: log.extend(process.stderr), daemon=True)
    reader.start()
    try:
        first_line = process.stdout.readline()
        assert first_line.startswith("Courtly: http://localhost:"), (first_line, log)
        address = first_line.split()[1]
        wait_until(lambda: opened.exists() and opened.read_text() == address)
        play_a_game(address.rstrip("/"))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    reader.join(PATIENCE)
    [line] = log  # one line explains what is missing
    assert "squires play in place of knights and masters, and the server reviews no games: " in line
    assert "llvmlite is not installed" in line
    assert 'pip install "courtly[native]"' in line


def play_a_game(url):
    guest, chooser = Guest(SimpleNamespace(url=url)), random.Random(7)
    page = guest.get("/").body.decode()
    base = page[page.index("/s/") :].split("/")[2]
    code = guest.get(f"/s/{base}/{FOLDER}petition.wasm")
    assert code.status == 200 and code.body.startswith(b"\0asm")  # hints and games without a server
    assert guest.get("/api/games/petition").json["help_available"] is True
    table = guest.open("me", "squire", game="petition", options={}, help_consent=True)
    assert guest.table(table)["help"] == "on"
    with guest.connect(table) as connection:
        while not (view := connection.view())["over"]:
            if view["legal"]:
                connection.play(view, chooser.choice(view["legal"])["id"])
    assert len(view["scores"]) == 2


def test_the_command_line_plays_games(environment, tmp_path):
    arguments = ["simulate", "petition", "--games", "2", "--seed", "7", "--json"]
    results = []
    for program, variables in (
        ([environment.program], clean_environment(tmp_path)),
        ([sys.executable, "-m", "courtly"], os.environ | {"COURTLY_NATIVE": "0"}),
    ):
        output = subprocess.check_output([*program, *arguments], env=variables, cwd=tmp_path, stderr=subprocess.PIPE)
        results.append(json.loads(output))
    assert results[0]["digest"] == results[1]["digest"] and results[0]["native"] is False
    assert b"Commands:" in subprocess.check_output([environment.program, "--help"], env=clean_environment(tmp_path))
