"""`make coverage` measures processes that are killed, too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFIGURATION = """
[run]
parallel = true
patch = subprocess
"""
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "child.py"], stdout=subprocess.PIPE)
child.stdout.readline()
child.kill()
print(child.wait())
"""
CHILD = """
import time
print("ready", flush=True) or time.sleep(600)  # one line, so that it has begun when the parent reads the word
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only: elsewhere the data of killed processes are lost")
def test_a_killed_process_has_saved_what_it_measured(tmp_path):
    pytest.importorskip("coverage", reason="coverage is not installed; install it with make check")
    for name, text in {".coveragerc": CONFIGURATION, "parent.py": PARENT, "child.py": CHILD}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment["PYTHONPATH"] = str(ROOT / "tests" / "under_coverage")

    def run_coverage(*arguments):
        command = [sys.executable, "-m", "coverage", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    assert run_coverage("run", "--include=child.py", "parent.py") == "-9\n"
    run_coverage("combine", "--quiet")
    assert run_coverage("report", "--format=total") == "100\n"
