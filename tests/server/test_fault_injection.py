"""A short run of fault_injection.py: whatever happens to the processes, no acknowledged move is lost."""

import json
import subprocess
import sys
from pathlib import Path

from databases import POSTGRESQL


@POSTGRESQL
def test_no_acknowledged_move_is_lost():
    program = [sys.executable, Path(__file__).with_name("fault_injection.py"), "--json", "--minutes", "0.3"]
    small_run = ["--processes", "3", "--tables", "6", "--bots", "2", "--stop", "3", "--cut", "3"]
    process = subprocess.run([*program, *small_run], capture_output=True, text=True, timeout=600)
    assert process.returncode == 0, process.stdout + process.stderr
    result = json.loads(process.stdout)
    assert result["moves"] > 0 and result["happened"], result
