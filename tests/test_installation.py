"""`make` installs by uv where it is installed, from uv.lock, and by venv and pip where it is not."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "uv.lock"
PUBLIC_INDEX = {"https://pypi.org", "https://files.pythonhosted.org"}
INSTALLERS = ["uv", "pip", "old pip"]
OLD_PIP = """#!/bin/sh
case "$*" in *"pip --python"*) exit 2;; esac
exec '{python}' "$@"
"""  # before 22.3, pip could not install into another environment
# how uv and pip say that they reach no server; not that a server lacks a file
CONNECTION_ERRORS = re.compile(r"NewConnectionError|client error \(Connect\)|dns error|Temporary failure in name")

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("make"),
    reason="there is no make, with which a clone is installed; Windows has none, elsewhere: apt install make",
)


@pytest.fixture(params=INSTALLERS)
def installer(request, tmp_path):
    """One of the installers, and the variables of a process that finds it, but not the other."""
    programs = tmp_path / "programs"
    programs.mkdir()
    without_uv = [part for part in os.get_exec_path() if not (Path(part) / "uv").exists()]
    if request.param == "uv":
        uv = shutil.which("uv") or shutil.which("uv", path=Path(sys.executable).parent)
        assert uv, 'uv is missing: pip install "courtly[test]"'
        (programs / "uv").symlink_to(uv)
    if request.param == "old pip":
        (programs / "python3").write_text(OLD_PIP.format(python=sys._base_executable), "utf-8")
        (programs / "python3").chmod(0o755)
    else:
        (programs / "python3").symlink_to(sys._base_executable)
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "VIRTUAL_ENV"))}
    return request.param, variables | {"PATH": os.pathsep.join([str(programs), *without_uv])}


def test_make_uses_uv_if_it_is_installed(installer):
    name, variables = installer
    commands = subprocess.check_output(
        ["make", "--dry-run", "--always-make", "play"], cwd=ROOT, env=variables, text=True
    )
    is_locked = "uv sync --quiet --frozen --inexact --extra native" in commands
    is_pip = "install --quiet --disable-pip-version-check --no-compile --no-deps --editable ." in commands
    assert (is_locked, is_pip) == (name == "uv", name != "uv")
    assert ("-m venv" in commands) == (name != "uv")


def test_make_installs_a_fresh_clone(installer, tmp_path):
    name, variables = installer
    clone = tmp_path / "a clone"
    for file in subprocess.check_output(["git", "ls-files", "-z", "courtly", "tools", "*.*"], cwd=ROOT).split(b"\0"):
        source = ROOT / file.decode()
        if file and source.is_file() and "tests" not in source.parts:
            target = clone / file.decode()
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    shutil.copy(ROOT / "Makefile", clone)
    shutil.copy(ROOT / "LICENSE", clone)
    process = subprocess.run(["make", ".venv/.play"], cwd=clone, env=variables, capture_output=True, text=True)
    if CONNECTION_ERRORS.search(process.stderr):
        pytest.skip("no package index can be reached, and a clone is installed from one: connect to a network")
    assert process.returncode == 0, process.stderr
    output = subprocess.check_output([clone / ".venv/bin/courtly", "games"], cwd=tmp_path, text=True)
    assert "petition" in output
    assert (clone / ".venv/bin/pip").exists() == (name == "old pip")
    again = subprocess.check_output(["make", ".venv/.play"], cwd=clone, env=variables, text=True)
    assert "up to date" in again


def test_a_missing_package_is_no_missing_connection():
    """Otherwise a lock that names files which do not exist would only skip the test above."""
    missing = "Failed to fetch: `https://…`\n  HTTP status client error (404 Not Found) for url (https://…)"
    assert not CONNECTION_ERRORS.search(missing)
    offline = "Failed to fetch: `https://…`\n  client error (Connect)\n  dns error: failed to lookup address"
    assert CONNECTION_ERRORS.search(offline)


def parse_lock():
    return tomllib.loads(LOCK.read_text("utf-8"))


def test_the_lock_has_the_requirements_of_the_project():
    """Otherwise `uv lock` makes it again."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    [own] = [package for package in parse_lock()["package"] if package["name"] == "courtly"]
    extra_of = re.compile(r"extra == '(\w+)'")
    locked = {
        (
            row["name"],
            extra[1] if (extra := extra_of.search(row.get("marker", ""))) else "",
            SpecifierSet(row["specifier"]),
        )
        for row in own["metadata"]["requires-dist"]
        if "specifier" in row
    }
    required = {
        (canonicalize_name(requirement.name), extra, requirement.specifier)
        for extra, texts in {"": project["dependencies"], **project["optional-dependencies"]}.items()
        for requirement in map(Requirement, texts)
        if requirement.name != "courtly"
    }
    assert len(required) > 40 and required <= locked, "run uv lock"
    assert {(name, specifier) for name, _, specifier in locked} == {
        (name, specifier) for name, _, specifier in required
    }
    assert parse_lock()["requires-python"] == project["requires-python"]


def test_the_lock_names_the_public_index_only():
    text = LOCK.read_text("utf-8")
    assert set(re.findall(r"\w+://[^/\"]+", text)) == PUBLIC_INDEX
    unhashed = [
        package["name"]
        for package in parse_lock()["package"]
        for file in [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else [])]
        if not file.get("hash", "").startswith("sha256:")
    ]
    assert not unhashed
