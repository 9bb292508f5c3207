"""Test the compiler with the oldest and the newest llvmlite that pyproject.toml allows, each in an environment of its
own.

    python tools/llvmlite_range.py [VERSION …]

Without arguments, the versions are those of the bounds: the lowest one, and the newest that pip finds.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEST_PACKAGES = ("hypothesis>=6.100,<7", "pytest-timeout>=2.3,<3", "pytest-xdist>=3.7,<4")
TESTS = ("tests/engine/compiler", "tests/engine/test_drivers.py", "tests/engine/test_native_position.py")


def read_bounds() -> tuple[str, str]:
    """Return the requirement for llvmlite, and the lowest version that it allows."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    requirement = next(text for text in extras["native"] if text.startswith("llvmlite"))
    lowest = re.search(r">=([\d.]+)", requirement)
    if lowest is None:
        sys.exit(f"expected a lower bound in pyproject.toml, found {requirement}")
    return requirement, lowest[1]


def run_tests(requirement: str) -> int:
    """Install Courtly with this llvmlite, run the tests, and return pytest's exit status."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        packages = [f"{ROOT}[testing]", requirement, *TEST_PACKAGES]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        version = "import llvmlite.binding as llvm; print('llvmlite', llvmlite.__version__, llvm.llvm_version_info)"
        subprocess.run([python, "-c", f"import llvmlite; {version}"], check=True)
        return subprocess.run([python, "-m", "pytest", *TESTS], cwd=ROOT).returncode


def main() -> None:
    requirement, lowest = read_bounds()
    requirements = [f"llvmlite=={version}" for version in sys.argv[1:]] or [f"llvmlite=={lowest}.*", requirement]
    sys.exit(max(map(run_tests, requirements)))


if __name__ == "__main__":
    main()
