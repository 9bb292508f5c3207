"""The notebook runs to its end, on an existing data set."""

import json
from pathlib import Path

import matplotlib
import pytest

from courtly.lab.dataset import DataSet
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import run_logged_batches

NOTEBOOK = Path(__file__).parents[2] / "examples" / "laboratory.ipynb"


def test_the_notebooks_cells_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    plan = Plan("necklace", 3, 60, 1, {}, None)
    data = DataSet.create_or_resume(tmp_path / "games", plan)
    for batch, log in run_logged_batches(plan, False, cores=1):
        data.write_batch(batch, log)
    names: dict[str, object] = {}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    output = capsys.readouterr().out
    assert output.startswith("courtly lab play necklace --players 3 --games 60 --seed 1\n")
    assert all(words in output for words in ("seat 2: ", "who begins: ", "in the middle", "card banker", "behind"))
    assert not any(cell["outputs"] for cell in cells), "the notebook is stored without outputs"
