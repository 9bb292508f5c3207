"""A short run of storm.py: whatever happens to the processes, no acknowledged move is lost."""

import json
import subprocess
import sys
from pathlib import Path

from databases import POSTGRESQL


@POSTGRESQL
def test_no_acknowledged_move_is_lost():
    program = [sys.executable, Path(__file__).with_name("storm.py"), "--json", "--minutes", "0.3"]
    few = ["--processes", "3", "--tables", "6", "--bots", "2", "--stop", "3", "--cut", "3"]
    ended = subprocess.run([*program, *few], capture_output=True, text=True, timeout=600)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    result = json.loads(ended.stdout)
    assert result["moves"] > 0 and result["happened"], result
