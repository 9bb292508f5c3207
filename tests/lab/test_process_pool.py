import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from courtly.runtime.process_pool import ProcessPool

HALF_ANSWER_PROGRAM = """
import os, sys, time
from pathlib import Path
from courtly.runtime.process_pool import ProcessPool

def half_an_answer(begun):
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), (1000).to_bytes(4, "big") + b"and so on")
    Path(begun).touch()
    time.sleep(600)

def main(begun):
    workers = ProcessPool(2)
    answer = workers.submit(half_an_answer, begun)
    while not Path(begun).exists():
        time.sleep(0.01)
    time.sleep(0.1)  # in which its reader begins to read
    workers.shutdown()
    print("ended", answer.done())

if __name__ == "__main__":
    main(sys.argv[1])
"""


def test_closing_during_an_answer_does_not_wait(tmp_path):
    script = tmp_path / "half.py"
    script.write_text(HALF_ANSWER_PROGRAM, "utf-8")
    result = subprocess.run([sys.executable, script, tmp_path / "begun"], capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr) == ("ended True\n", "")


def test_workers_end_with_the_pool_even_while_busy():
    started = time.monotonic()
    with ProcessPool(2) as workers:
        futures = [workers.submit(time.sleep, 600) for _ in range(4)]
        assert workers.submit(abs, -1) and not any(future.done() for future in futures)
    assert time.monotonic() - started < 300


def test_earlier_requests_are_answered():
    with ProcessPool(2, inherit_state=False) as workers:
        assert list(workers.map(abs, range(-100, 0))) == [*range(100, 0, -1)]


def make_temporary_folder():
    folder = tempfile.mkdtemp()
    (Path(folder) / "of a worker").touch()
    return folder


@pytest.mark.parametrize("inherit_state", [True, False])
def test_temporary_files_of_workers_go_with_the_pool(tmp_path, monkeypatch, inherit_state):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with ProcessPool(1, inherit_state) as workers:
        assert Path(workers.submit(make_temporary_folder).result()).is_relative_to(tmp_path)
    assert not list(tmp_path.iterdir())
