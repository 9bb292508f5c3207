"""Data sets of games: the same bytes in every way of making them, interrupted or not, and a one-line message for each
error.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import click
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.lab import cli as lab_cli
from courtly.lab import dataset
from courtly.lab.batch import Batch
from courtly.lab.dataset import DataSet, DatasetError, component_labels
from courtly.lab.execution.ray_cluster import ClusterUnavailableError
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import GAMES_PER_BATCH, run_batches, run_logged_batches
from courtly.lab.runs.interpreted_game import play_game

ROOT = Path(__file__).parents[2]
PLAN = Plan("sealed_bids", 3, 90, 5, {"looks": 0}, None)
WORDS = ["sealed_bids", "--players", "3", "--games", "90", "--seed", "5", "--option", "looks=0"]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setitem(GAMES_PER_BATCH, "native", 40)
    monkeypatch.setattr("courtly.lab.runs.batch_runner.LOGGED_GAMES_PER_BATCH", 40)


def play(*words: str) -> Result:
    return CliRunner().invoke(main, ["lab", "play", *words])


def error_line(result: Result) -> str:
    """Return the one-line error message of a failed command."""
    assert result.exit_code == 1 and result.stderr.splitlines()[-1].startswith("Error: "), result.output
    return result.stderr.splitlines()[-1]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def complete_data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set with its decisions, played on one core."""
    folder = tmp_path_factory.mktemp("lab") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURTLY_NATIVE", "0")
        patch.setitem(GAMES_PER_BATCH, "native", 40)
        patch.setattr("courtly.lab.runs.batch_runner.LOGGED_GAMES_PER_BATCH", 40)
        result = play(*WORDS, "--decisions", "--cores", "1", "--out", str(folder))
    assert result.exit_code == 0, result.output
    return folder


def test_a_data_set_is_the_same_on_two_cores_to_the_byte(complete_data_set: Path, tmp_path: Path) -> None:
    assert play(*WORDS, "--decisions", "--cores", "2", "--out", str(tmp_path / "two")).exit_code == 0
    assert contents(tmp_path / "two") == contents(complete_data_set)


def test_an_interrupted_run_continues_with_the_missing_parts(complete_data_set: Path, tmp_path: Path) -> None:
    half_folder = tmp_path / "half"
    data = DataSet.create_or_resume(half_folder, PLAN, True)
    for name in ("decisions", "components", "games"):
        (half_folder / name / "part-00001.parquet").write_bytes(
            (complete_data_set / name / "part-00001.parquet").read_bytes()
        )
    (half_folder / "components" / "part-00000.parquet").write_bytes(b"of a part whose games were not written any more")
    assert data.games == 40
    modified_at = (half_folder / "games" / "part-00001.parquet").stat().st_mtime_ns
    with pytest.raises(DatasetError, match="lacks 2 of 3 parts: resume with courtly lab play sealed_bids"):
        DataSet.read(half_folder)
    result = play(*WORDS, "--decisions", "--out", str(half_folder), "--json")
    assert contents(half_folder) == contents(complete_data_set)
    assert (half_folder / "games" / "part-00001.parquet").stat().st_mtime_ns == modified_at
    assert json.loads(result.stdout)["games"] == data.games == 90
    assert "playing interpreted (slow): COURTLY_NATIVE=0 turns the compiler off" in result.stderr


def test_a_data_set_contains_the_measures(complete_data_set: Path) -> None:
    data = DataSet.read(complete_data_set)
    batches = list(run_batches(PLAN, cores=1))
    for own, stored in zip(batches, data.read_batches(), strict=True):
        for name in Batch._fields:
            assert np.array_equal(getattr(own, name), getattr(stored, name)), name
    summary = dataset.summarize(data)
    assert summary["wins"] == [
        round(sum(batch.shares[:, seat].sum() for batch in batches) / 60, 3) for seat in range(3)
    ]
    assert summary["decisions"] == sum(batch.decisions.sum() for batch in batches)


def test_components_round_trip(tmp_path: Path) -> None:
    plan = Plan("puppet", 2, 3, 1, {}, None)
    data = DataSet.create_or_resume(tmp_path, plan)
    (batch,) = run_batches(plan, cores=1)
    data.write_batch(batch, np.zeros((0, 5)))
    (stored,) = DataSet.read(tmp_path).read_batches()
    assert stored.owned.any() and np.array_equal(stored.owned, batch.owned)
    rows = pq.read_table(tmp_path / "components").to_pylist()
    names = component_labels(find_game("puppet"))
    assert names[0] == "building palace"
    counts = {(row["game"], row["seat"], row["component"]): row["count"] for row in rows}
    positions = zip(*batch.owned.nonzero(), strict=True)
    assert counts == {(game, seat, names[index]): batch.owned[game, seat, index] for game, seat, index in positions}


def test_other_components_are_stored_with_their_games(tmp_path: Path) -> None:
    original = find_game("necklace").folder / "components.toml"
    (tmp_path / "rich.toml").write_text(original.read_text().replace("budget = 10 ", "budget = 40 "))
    words = ["necklace", "--games", "3", "--out", str(tmp_path / "rich"), "--components", str(tmp_path / "rich.toml")]
    assert play(*words, "--decisions").exit_code == 0
    assert (tmp_path / "rich" / "components.toml").read_text() == (tmp_path / "rich.toml").read_text()
    data = DataSet.read(tmp_path / "rich")
    assert [p.decisions.tolist() for p in data.read_batches()] == [p.decisions.tolist() for p in run_batches(data.plan)]
    assert "component numbers" in error_line(play(*words[:-2], "--decisions"))


def test_every_stored_decision_is_correct(complete_data_set: Path) -> None:
    rows = pq.read_table(complete_data_set / "decisions").to_pylist()
    for number in (0, 41, 89):
        decisions_made: list[tuple[object, ...]] = []

        def watch(
            position: Position,
            seat: int,
            legal: list[int],
            move: int,
            decisions_made: list[tuple[object, ...]] = decisions_made,
        ) -> None:
            ply, words = position.decisions + position.events, str(position.moves.decode(move))
            decisions_made.append((ply, seat, move, words, len(legal)))

        play_game(PLAN, number, Position, watch)
        game_rows = [row for row in rows if row["game"] == number]
        assert [(r["ply"], r["seat"], r["move"], r["words"], r["legal"]) for r in game_rows] == decisions_made
        assert all(row["forced"] == (row["legal"] == 1) for row in game_rows)


def test_a_data_set_documents_its_origin_and_is_readable_without_courtly(complete_data_set: Path) -> None:
    plan = json.loads((complete_data_set / "plan.json").read_text())
    assert plan["command"] == f"courtly lab play {' '.join(WORDS)} --decisions"
    for path in complete_data_set.rglob("*.parquet"):
        assert json.loads(pq.read_schema(path).metadata[b"courtly"]) == plan
    query = "select count(*), round(sum(share_0 + share_1 + share_2)), min(bot_0) from '{}/games/*.parquet'"
    program = f"import duckdb; print(duckdb.sql({query.format(complete_data_set)!r}).fetchall())"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert result.stdout == "[(90, 90.0, 'random')]\n", result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", "6"], "holds seed 5, not seed 6"),
        (["--games", "91"], "holds 90 games, not 91 games"),
        (["--option", "looks=1"], "holds the options looks=0, not the options looks=1"),
        (["--players", "2"], "holds 3 players, not 2 players"),
    ],
)
def test_another_data_set_is_not_changed(complete_data_set: Path, words: list[str], message: str) -> None:
    contents_before = contents(complete_data_set)
    assert message in error_line(play(*WORDS, *words, "--decisions", "--out", str(complete_data_set)))
    assert contents(complete_data_set) == contents_before


def test_a_data_set_with_decisions_is_not_continued_without(complete_data_set: Path) -> None:
    contents_before = contents(complete_data_set)
    message = error_line(play(*WORDS, "--out", str(complete_data_set)))
    assert "holds decisions: yes, not decisions: no" in message
    assert contents(complete_data_set) == contents_before


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("form", 0, "holds form 0 of data sets, not form 1 of data sets"),
        ("courtly", "0.0.1", "holds courtly 0.0.1, not courtly"),
        ("version", 99, "holds version 99 of the game, not version 1 of the game"),
        ("sources", "", "holds the sources unknown, not"),
    ],
)
def test_a_data_set_of_another_version_is_not_continued(
    name: str, value: object, message: str, complete_data_set: Path, tmp_path: Path
) -> None:
    plan = json.loads((complete_data_set / "plan.json").read_text()) | {name: value}
    commit = "0123456789" if name == "sources" else dataset.source_commit()
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "source_commit", lambda: commit)
        assert message in error_line(play(*WORDS, "--decisions", "--out", str(tmp_path)))
    if name in dataset.SETTINGS_NEEDED_TO_READ:
        with pytest.raises(DatasetError, match=f"was made with .* {value}.*; this installation has"):
            DataSet.read(tmp_path)


def test_an_invalid_data_set_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    assert "is not empty and contains no data set" in error_line(play(*WORDS, "--out", str(tmp_path)))
    for text, message in (("{", "cannot be read"), ("[]", "was not written"), ('{"form": 1}', "was not written")):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(DatasetError, match=message):
            DataSet.read(tmp_path)
    with pytest.raises(DatasetError, match="plan.json is missing"):
        DataSet.read(tmp_path / "nowhere")


def test_a_damaged_part_is_reported(complete_data_set: Path, tmp_path: Path) -> None:
    for name, data in contents(complete_data_set).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "games" / "part-00002.parquet").write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match=r"games.part-00002.parquet cannot be read"):
        list(DataSet.read(tmp_path).read_batches())
    shutil.copy(tmp_path / "components" / "part-00002.parquet", tmp_path / "games")
    with pytest.raises(DatasetError, match=r"part-00002.parquet was not written by courtly lab play"):
        list(DataSet.read(tmp_path).read_batches())


def test_a_data_set_of_a_game_that_is_not_installed_is_reported(complete_data_set: Path, tmp_path: Path) -> None:
    plan = json.loads((complete_data_set / "plan.json").read_text())
    (tmp_path / "plan.json").write_text(json.dumps(plan | {"game": "chess"}))
    with pytest.raises(DatasetError, match="there is no game 'chess'"):
        DataSet.read(tmp_path)


def test_missing_libraries_and_broken_workers_are_one_line_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_with(error: Exception) -> str:
        with pytest.raises(click.ClickException) as raised, lab_cli.exit_with_message(tmp_path):
            raise error
        return raised.value.message

    assert fail_with(BrokenProcessPool()) == "a worker process was killed"
    (tmp_path / "part").touch()
    saved = f"; progress is saved in {tmp_path}: the same command resumes"
    assert fail_with(BrokenProcessPool()) == f"a worker process was killed{saved}"
    assert fail_with(ClusterUnavailableError("ray has no CPUs")) == f"ray has no CPUs{saved}"
    with pytest.raises(click.ClickException, match="no_such_package.part is not installed"):
        lab_cli.require_modules("json", "no_such_package.part")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "courtly.lab.dataset")
    assert "pyarrow is not installed: pip install" in error_line(play(*WORDS, "--out", str(tmp_path / "new")))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["report", "puppet", "necklace", "--components", "FILE"], "--components fits a single game, not puppet, neck"),
        (
            ["probe", "puppet", "--ply", "1", "--record", "FILE", "--components", "FILE"],
            "--components applies to a simulated game: use it without --record",
        ),
    ],
)
def test_a_component_file_that_does_not_apply(words: list[str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.touch()
    result = CliRunner().invoke(main, ["lab", *(word.replace("FILE", str(file)) for word in words)])
    assert message in error_line(result)


def test_an_unwritable_folder_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Not a directory" in error_line(play(*WORDS, "--out", str(tmp_path / "file" / "below")))


def test_finished_parts_are_kept_on_a_full_disk(complete_data_set: Path, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    data = DataSet.create_or_resume(tmp_path / "full", PLAN, True)
    first_part, second_part, _ = run_logged_batches(PLAN, True, cores=1)
    data.write_batch(*first_part)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        with pytest.raises(OSError):
            data.write_batch(*second_part)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert data.games == 40 and not list((tmp_path / "full").rglob(".*"))
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
        message = error_line(play(*WORDS, "--decisions", "--cores", "1", "--out", str(tmp_path / "full")))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "40 of 90 games are saved: the same command resumes" in message
    assert play(*WORDS, "--decisions", "--out", str(tmp_path / "full")).exit_code == 0
    assert contents(tmp_path / "full") == contents(complete_data_set)


def test_a_part_counts_though_its_writing_was_interrupted_after_the_last_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DataSet.create_or_resume(tmp_path / "games", PLAN, decisions=False)
    batch, log = next(run_logged_batches(PLAN, False, cores=1, skipped=set()))

    def write_and_interrupt(path: Path, content: Any) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        if "games" in path.parent.name:
            raise KeyboardInterrupt

    monkeypatch.setattr(dataset, "write_atomically", write_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        data.write_batch(batch, log)
    assert data.games == batch.games


def test_ctrl_c_stops_a_run_and_its_workers(tmp_path: Path) -> None:
    words = ["levee", "--bots", "squire", "--games", "100000", "--cores", "2", "--out", str(tmp_path / "games")]
    process = subprocess.Popen(
        [sys.executable, "-m", "courtly", "lab", "play", *words],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background process ignores it by default
        env=os.environ | {"COURTLY_GAMES": "levee", "PYTHONPATH": f"{ROOT / 'examples' / 'levee'}{os.pathsep}{ROOT}"},
    )
    while not list((tmp_path / "games").glob("games/*.parquet")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    part_count = len(list((tmp_path / "games").glob("games/part-*.parquet")))
    assert f"Error: stopped; {40 * part_count} of 100000 games are saved: the same command resumes\n" in stderr
    assert "Traceback" not in stderr and not list((tmp_path / "games").rglob(".*"))
    with pytest.raises(ProcessLookupError):  # no process of the group is left
        while True:
            os.killpg(process.pid, 0)
            time.sleep(0.05)
