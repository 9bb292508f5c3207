"""What other systems do differently, played on this one: no fork, no fcntl, other encodings, odd paths, no IPv6.

docs/systems.md says what has really run where.
"""

import errno
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from guests import Server, wait_until

from courtly.server.process import serve
from courtly.server.settings import Settings

HERE = Path(__file__).parent
ROOT = HERE.parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="plays other systems on Linux")
SYSTEMS = ["win32", "darwin"]
# a space, parts of escapes and formats, Japanese, and a letter that Unicode writes in two ways
ODD_NAME = "50%20 of 100% {x} 遊び ü"
FORBIDDEN_ON_WINDOWS = re.compile(r'[<>:"\\|?*\x00-\x1f]|[ .]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)', re.IGNORECASE)
ENCODING_WARNINGS = """
import warnings
warnings.filterwarnings("error", category=EncodingWarning, module="courtly")
from courtly.cli import main
main()
"""


def environment_of(system):
    """Return the environment in which processes look like those of another system."""
    path = os.pathsep.join([str(HERE / "other_system"), os.environ["PYTHONPATH"]])
    return {"PYTHONPATH": path, "COURTLY_TEST_SYSTEM": system}


def courtly(*arguments, program=("-m", "courtly"), **options):
    environment = os.environ | options.pop("env", {})
    command = [sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=300, **options)


def play_move(guest, table):
    """Return whether a move was made: it fails while it is the bot's turn, or if the bot was quicker."""
    view = guest.view(table, 0)
    return view["legal"] and guest.play(table, 0, view["seq"], view["legal"][0]["id"]).status == 200


# --- Windows and macOS ------------------------------------------------------------------------------------------------


@LINUX
@pytest.mark.parametrize("system", SYSTEMS)
def test_processes_without_fork_give_the_same_games(system):
    command = ("simulate", "sealed_bids", "--games", "40", "--cores", "2", "--json")
    here, there = courtly(*command), courtly(*command, env=environment_of(system))
    assert there.returncode == 0, there.stderr
    results = [json.loads(process.stdout) for process in (here, there)]
    assert results[0]["digest"] == results[1]["digest"] and results[1]["native"]


@LINUX
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_server_is_played_on_and_backed_up(system, tmp_path):
    environment = environment_of(system)
    with Server(tmp_path / "data", **environment, COURTLY_NATIVE="1", COURTLY_METRICS="secret") as server:
        ada = server.guest("Ada")
        table = ada.open("me", "squire", game="puppet", options=None)
        for _ in range(3):
            wait_until(lambda: play_move(ada, table))
        assert ada.get("/metrics", headers={"authorization": "Bearer secret"}).status == 200
        backup = courtly("backup", tmp_path / "copy.db", "--data", tmp_path / "data", env=environment)
        assert backup.returncode == 0, backup.stderr
        assert server.stop() == 0
        assert not [line for line in server.log if "Traceback" in line], "".join(server.log)
    restored = courtly("restore", tmp_path / "copy.db", "--data", tmp_path / "other", env=environment)
    assert restored.returncode == 0, restored.stderr
    assert courtly("doctor", "--data", tmp_path / "other", env=environment).returncode == 0


@LINUX
def test_several_processes_are_refused_on_windows(monkeypatch):
    settings = Settings(None, workers=2, database="postgresql://localhost/courtly")
    settings.check()
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ValueError, match="Windows"):
        settings.check()


@LINUX
@pytest.mark.parametrize("system", SYSTEMS)
def test_machine_code_is_stored(system, tmp_path):
    environment = environment_of(system) | {"COURTLY_CACHE": str(tmp_path)}
    for _ in range(2):
        process = courtly("simulate", "sealed_bids", "--games", "4", "--json", env=environment)
        assert process.returncode == 0 and "cannot be stored" not in process.stderr, process.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "lock"]


# --- names and folders ------------------------------------------------------------------------------------------------


def test_file_names_exist_everywhere():
    """No two differ by case alone, and Windows allows each."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    names = [name for name in listed.stdout.split("\0") if name] or pytest.skip("git lists no files here: use a clone")
    assert len(names) > 500 and len({name.casefold() for name in names}) == len(names)
    assert [name for name in names if any(map(FORBIDDEN_ON_WINDOWS.search, name.split("/")))] == []


def test_modules_are_imported_by_the_exact_case_of_their_files():
    """On Windows and macOS another case would be found too, and then not on Linux."""
    files = {str(path.relative_to(ROOT)) for path in ROOT.glob("courtly/web/**/*.js")}
    imports = re.compile(r"""\bfrom "(\.[^"]+\.js)";""")
    for name in files:
        for imported in imports.findall((ROOT / name).read_text("utf-8")):
            path = os.path.normpath(os.path.join(os.path.dirname(name), imported))
            assert path in files or not path.startswith("courtly/web"), f"{name} imports {imported}"


def test_odd_folders(tmp_path):
    """Data, compiled games, records and the package itself are in a folder with such a name."""
    folder = tmp_path / ODD_NAME
    folder.mkdir()
    shutil.copytree(ROOT / "courtly", folder / "installed" / "courtly", copy_function=os.symlink)
    path = os.pathsep.join([str(folder / "installed"), os.environ["PYTHONPATH"]])
    environment = {"PYTHONPATH": path, "COURTLY_CACHE": str(folder / "cache")}
    with Server(folder / "data", **environment) as server:
        ada = server.guest("Ada")
        table = ada.open("me", "local")
        while views := [view for seat in (0, 1) if (view := ada.view(table, seat))["legal"]]:
            assert ada.play(table, views[0]["seat"], views[0]["seq"], views[0]["legal"][0]["id"]).status == 200
        (folder / "game.jsonl").write_bytes(ada.get(f"/api/tables/{table}/record").body)
        page = ada.get(f"/t/{table}", headers={"accept": "text/html"}).body.decode()
        assert ada.get(re.search(r'src="(/s/[^"]+)"', page)[1]).status == 200
        assert server.stop() == 0, "".join(server.log)
    for command in (
        ("backup", folder / "copy.db", "--data", folder / "data"),
        ("restore", folder / "copy.db", "--data", folder / "restored"),
        ("doctor", "--data", folder / "restored"),
        ("record", "check", folder / "game.jsonl"),
        ("simulate", "sealed_bids", "--games", "4", "--cores", "2"),
        ("new", "odd"),
    ):
        process = courtly(*command, env=environment, cwd=folder)
        assert process.returncode == 0, f"{command}: {process.stderr}"
    assert any((folder / "cache").rglob("*")) and (folder / "odd").is_dir()


@LINUX
def test_a_home_that_cannot_be_written(tmp_path):
    """A server says what to do; games are compiled without being stored."""
    home = {"HOME": "/sys/firmware", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "", "COURTLY_CACHE": "/sys/firmware/none"}
    process = courtly("serve", "--no-browser", "--port", "0", env=home)
    assert process.returncode != 0 and "Traceback" not in process.stderr
    assert "/sys/firmware" in process.stderr and "--data" in process.stderr
    process = courtly("simulate", "sealed_bids", "--games", "4", "--json", env=home)
    assert process.returncode == 0 and json.loads(process.stdout)["native"], process.stderr
    assert process.stderr.count("cannot be stored") == 1
    with Server(tmp_path / "data", PYTHONPATH=os.environ["PYTHONPATH"], **home) as server:
        assert server.guest("Ada").open("me", "random")
        assert server.stop() == 0


# --- encodings --------------------------------------------------------------------------------------------------------


def test_no_file_is_read_in_the_encoding_of_the_system(tmp_path):
    """Python warns of it; the commands that people use most read and write all kinds of files."""
    environment = {"PYTHONWARNDEFAULTENCODING": "1"}
    for command in (
        ("games",),
        ("new", "mygame"),
        ("simulate", "sealed_bids", "--games", "2"),
        ("lab", "play", "sealed_bids", "--games", "4", "--out", "games"),
    ):
        process = courtly(*command, program=("-c", ENCODING_WARNINGS), env=environment, cwd=tmp_path)
        assert process.returncode == 0, f"{command}: {process.stderr}"
    first = 'import warnings; warnings.filterwarnings("error", category=EncodingWarning, module="courtly")'
    with Server(tmp_path / "data", first=first, PYTHONWARNDEFAULTENCODING="1") as server:
        ada = server.guest("Ada")
        assert ada.get("/", headers={"accept": "text/html"}).status == ada.get("/rules/puppet").status == 200
        assert ada.open("me", "random")
        assert server.stop() == 0
        assert "EncodingWarning" not in "".join(server.log)


# --- network ----------------------------------------------------------------------------------------------------------


@contextmanager
def without_ipv6(monkeypatch):
    create = socket.socket.__init__

    def refuse(self, family=-1, *arguments, **options):
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        create(self, family, *arguments, **options)

    with monkeypatch.context() as context:
        context.setattr(socket.socket, "__init__", refuse)
        yield


def test_a_machine_without_ipv6(monkeypatch):
    with without_ipv6(monkeypatch):
        serve._bind("127.0.0.1", 0).close()
        with pytest.raises(OSError, match="::1, port 0: .*choose another with --host"):
            serve._bind("::1", 0)
