"""Runs the tests with the oldest and the newest packages that pyproject.toml allows, and with every Python found.

    python tools/matrix.py            all environments
    python tools/matrix.py 3.13       only those with this Python

The oldest packages are tested with the oldest Python, the newest with each. Needs uv, which also finds the Pythons:
those on the PATH. Each environment is made in a temporary folder. SUITES names the tests.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
UV = [sys.executable, "-m", "uv"]
# what users install; `cluster` and `cuda` need machines of their own, `bench` and `learn` have versions of their own
EXTRAS = ["lab", "native", "notices", "pictures", "postgres", "research", "review", "testing", "train"]
SUITES = {  # packages: the tests that concern them
    "the server's": ["tests/server", "tests/test_cli.py", "tests/test_dependency_internals.py"],
    "llvmlite, numpy": ["tests/engine"],
    "gymnasium, open_spiel, pettingzoo": [
        "tests/adapters/test_gymnasium.py",
        "tests/adapters/test_openspiel.py",
        "tests/adapters/test_pettingzoo.py",
        "tests/adapters/test_vector.py",
    ],
    "the laboratory's": ["tests/lab", "tests/test_review.py"],
}
# these need Ray, of the extra `cluster`
LEFT_OUT = ["tests/lab/test_ray_cluster.py", "tests/lab/test_checkpoint.py::test_every_command_runs_on_a_cluster"]
PYTEST = [
    "-m",
    "not slow",
    "-n",
    "2",
    "--dist",
    "loadfile",
    "-p",
    "no:cacheprovider",
    *(f"--deselect={name}" for name in LEFT_OUT),
]


class Environment(NamedTuple):
    """A Python and which packages it gets: `resolution` is a word of uv's."""

    python: str
    version: str
    resolution: str

    @property
    def name(self) -> str:
        return f"Python {self.version}, {'oldest' if self.resolution == 'lowest-direct' else 'newest'} packages"


def read_project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def find_pythons() -> dict[str, str]:
    """Return the programs of the Pythons that the project allows, by minor version, the oldest first."""
    command = [*UV, "python", "list", "--only-installed", "--no-python-downloads", "--output-format", "json"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return choose_pythons(json.loads(output), SpecifierSet(read_project()["requires-python"]))


def choose_pythons(listed: list[dict], allowed: SpecifierSet) -> dict[str, str]:
    """Return one program for each minor version of CPython among those that uv lists."""
    found = {}
    for row in sorted(listed, key=lambda row: [row["version_parts"][part] for part in ("major", "minor", "patch")]):
        is_usual = row["implementation"] == "cpython" and row.get("variant", "default") == "default"
        if is_usual and row["version"] in allowed:
            minor = f"{row['version_parts']['major']}.{row['version_parts']['minor']}"
            found[minor] = row["path"]
    return found


def plan_environments(pythons: dict[str, str]) -> list[Environment]:
    """Return the environments: the oldest packages with the oldest Python, and the newest with each."""
    oldest = next(iter(pythons))
    newest = [Environment(path, version, "highest") for version, path in pythons.items()]
    return [Environment(pythons[oldest], oldest, "lowest-direct"), *newest]


def list_test_tools() -> list[str]:
    """Return the requirements of the tests themselves, which are the newest in every environment."""
    tests = read_project()["optional-dependencies"]["test"]
    return [text for text in tests if Requirement(text).name != "courtly"]


def install(environment: Environment, folder: Path) -> Path:
    """Install Courtly with the packages of an environment. Returns the environment's Python."""
    requirements = folder / "requirements.txt"
    extras = [word for extra in EXTRAS for word in ("--extra", extra)]
    run_uv("venv", "--python", environment.python, folder / "venv")
    python = folder / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    target = ("--python", python)
    resolution = ("--resolution", environment.resolution, "--no-header", "--no-annotate")
    run_uv("pip", "compile", *target, *resolution, *extras, "pyproject.toml", "--output-file", requirements)
    run_uv("pip", "install", *target, "--requirements", requirements)
    run_uv("pip", "install", *target, "--constraints", requirements, "--no-deps", "--editable", ".")
    run_uv("pip", "install", *target, "--constraints", requirements, *list_test_tools())
    names = {Requirement(text).name.replace("_", "-") for text in list_user_requirements()}
    versions = [line for line in requirements.read_text().splitlines() if line.partition("==")[0] in names]
    print(f"{environment.name}: {' '.join(versions)}", flush=True)
    return python


def list_user_requirements() -> list[str]:
    project = read_project()
    return [*project["dependencies"], *(text for name in EXTRAS for text in project["optional-dependencies"][name])]


def run_uv(*arguments: str | Path) -> None:
    subprocess.run([*UV, *map(str, arguments), "--quiet"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    wanted, pythons = sys.argv[1:], find_pythons()
    if missing := [version for version in wanted if version not in pythons]:
        sys.exit(f"Python {', '.join(missing)} was not found; found {', '.join(pythons) or 'none'}")
    failed = []
    for environment in plan_environments(pythons):
        if wanted and environment.version not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            python = install(environment, Path(folder))
            for packages, tests in SUITES.items():
                started = time.monotonic()
                variables = os.environ | {"COURTLY_CACHE": str(Path(folder) / "cache")}
                status = subprocess.run([python, "-m", "pytest", *PYTEST, *tests], cwd=ROOT, env=variables).returncode
                outcome = "failed" if status else "passed"
                row = f"{environment.name}: {packages}: {outcome} in {time.monotonic() - started:.0f} s"
                print(row, flush=True)
                if status:
                    failed.append(row)
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
