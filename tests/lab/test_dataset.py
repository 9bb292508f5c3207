"""Data sets of games: the same bytes in every way of making them, interrupted or not, and a one-line message for each
error.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.lab import dataset
from courtly.lab.batch import Batch
from courtly.lab.dataset import DataSet, DatasetError, component_labels
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


def line(done: Result) -> str:
    """Return the one-line error message of a failed command."""
    assert done.exit_code == 1 and done.stderr.splitlines()[-1].startswith("Error: "), done.output
    return done.stderr.splitlines()[-1]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set with its decisions, played on one core."""
    folder = tmp_path_factory.mktemp("lab") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURTLY_NATIVE", "0")
        patch.setitem(GAMES_PER_BATCH, "native", 40)
        patch.setattr("courtly.lab.runs.batch_runner.LOGGED_GAMES_PER_BATCH", 40)
        done = play(*WORDS, "--decisions", "--cores", "1", "--out", str(folder))
    assert done.exit_code == 0, done.output
    return folder


def test_it_is_the_same_on_two_cores_to_the_byte(whole: Path, tmp_path: Path) -> None:
    assert play(*WORDS, "--decisions", "--cores", "2", "--out", str(tmp_path / "two")).exit_code == 0
    assert contents(tmp_path / "two") == contents(whole)


def test_an_interrupted_run_continues_with_the_missing_parts(whole: Path, tmp_path: Path) -> None:
    half = tmp_path / "half"
    data = DataSet.create_or_resume(half, PLAN, True)
    for name in ("decisions", "components", "games"):
        (half / name / "part-00001.parquet").write_bytes((whole / name / "part-00001.parquet").read_bytes())
    (half / "components" / "part-00000.parquet").write_bytes(b"of a part whose games were not written any more")
    kept = (half / "games" / "part-00001.parquet").stat().st_mtime_ns
    with pytest.raises(DatasetError, match="lacks 2 of 3 parts: resume with courtly lab play sealed_bids"):
        DataSet.read(half)
    done = play(*WORDS, "--decisions", "--out", str(half), "--json")
    assert contents(half) == contents(whole)
    assert (half / "games" / "part-00001.parquet").stat().st_mtime_ns == kept
    assert json.loads(done.stdout)["games"] == 90 and data.games == 0
    assert "playing interpreted (slow): install courtly[native]" in done.stderr


def test_it_contains_the_measures(whole: Path) -> None:
    data = DataSet.read(whole)
    measured = list(run_batches(PLAN, cores=1))
    for mine, there in zip(measured, data.read_batches(), strict=True):
        for name in Batch._fields:
            assert np.array_equal(getattr(mine, name), getattr(there, name)), name
    told = dataset.summarize(data)
    assert told["wins"] == [round(sum(p.shares[:, seat].sum() for p in measured) / 60, 3) for seat in range(3)]
    assert told["decisions"] == sum(p.decisions.sum() for p in measured)


def test_components_round_trip(tmp_path: Path) -> None:
    plan = Plan("puppet", 2, 3, 1, {}, None)
    data = DataSet.create_or_resume(tmp_path, plan)
    (batch,) = run_batches(plan, cores=1)
    data.write_batch(batch, np.zeros((0, 5)))
    (there,) = DataSet.read(tmp_path).read_batches()
    assert there.owned.any() and np.array_equal(there.owned, batch.owned)
    rows = pq.read_table(tmp_path / "components").to_pylist()
    names = component_labels(find_game("puppet"))
    assert names[0] == "building palace"
    counts = {(row["game"], row["seat"], row["component"]): row["count"] for row in rows}
    where = zip(*batch.owned.nonzero(), strict=True)
    assert counts == {(game, seat, names[at]): batch.owned[game, seat, at] for game, seat, at in where}


def test_other_components_are_stored_with_their_games(tmp_path: Path) -> None:
    own = find_game("necklace").folder / "components.toml"
    (tmp_path / "rich.toml").write_text(own.read_text().replace("budget = 10 ", "budget = 40 "))
    words = ["necklace", "--games", "3", "--out", str(tmp_path / "rich"), "--components", str(tmp_path / "rich.toml")]
    assert play(*words, "--decisions").exit_code == 0
    assert (tmp_path / "rich" / "components.toml").read_text() == (tmp_path / "rich.toml").read_text()
    data = DataSet.read(tmp_path / "rich")
    assert [p.decisions.tolist() for p in data.read_batches()] == [p.decisions.tolist() for p in run_batches(data.plan)]
    assert "component numbers" in line(play(*words[:-2], "--decisions"))


def test_every_stored_decision_is_correct(whole: Path) -> None:
    rows = pq.read_table(whole / "decisions").to_pylist()
    for number in (0, 41, 89):
        made: list[tuple[object, ...]] = []

        def watch(
            position: Position, seat: int, legal: list[int], move: int, made: list[tuple[object, ...]] = made
        ) -> None:
            ply, words = position.decisions + position.events, str(position.moves.decode(move))
            made.append((ply, seat, move, words, len(legal)))

        play_game(PLAN, number, Position, watch)
        there = [row for row in rows if row["game"] == number]
        assert [(r["ply"], r["seat"], r["move"], r["words"], r["legal"]) for r in there] == made
        assert all(row["forced"] == (row["legal"] == 1) for row in there)


def test_it_documents_its_origin_and_is_readable_without_courtly(whole: Path) -> None:
    told = json.loads((whole / "plan.json").read_text())
    assert told["command"] == f"courtly lab play {' '.join(WORDS)} --decisions"
    for path in whole.rglob("*.parquet"):
        assert json.loads(pq.read_schema(path).metadata[b"courtly"]) == told
    asked = "select count(*), round(sum(share_0 + share_1 + share_2)), min(bot_0) from '{}/games/*.parquet'"
    asking = f"import duckdb; print(duckdb.sql({asked.format(whole)!r}).fetchall())"
    done = subprocess.run([sys.executable, "-c", asking], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[(90, 90.0, 'random')]\n", done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seed", "6"], "holds seed 5, not seed 6"),
        (["--games", "91"], "holds 90 games, not 91 games"),
        (["--option", "looks=1"], "holds the options looks=0, not the options looks=1"),
        (["--players", "2"], "holds 3 players, not 2 players"),
    ],
)
def test_another_data_set_is_not_changed(whole: Path, words: list[str], said: str) -> None:
    before = contents(whole)
    assert said in line(play(*WORDS, *words, "--decisions", "--out", str(whole)))
    assert contents(whole) == before


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("form", 0, "holds form 0 of data sets, not form 1 of data sets"),
        ("courtly", "0.0.1", "holds courtly 0.0.1, not courtly"),
        ("version", 99, "holds version 99 of the game, not version 1 of the game"),
        ("sources", "", "holds the sources unknown, not"),
    ],
)
def test_a_data_set_of_another_version_is_not_continued(
    name: str, value: object, said: str, whole: Path, tmp_path: Path
) -> None:
    told = json.loads((whole / "plan.json").read_text()) | {name: value}
    monkey = "0123456789" if name == "sources" else dataset.source_commit()
    (tmp_path / "plan.json").write_text(json.dumps(told))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "source_commit", lambda: monkey)
        assert said in line(play(*WORDS, "--decisions", "--out", str(tmp_path)))
    if name in dataset.SETTINGS_NEEDED_TO_READ:
        with pytest.raises(DatasetError, match=f"was made with .* {value}.*; this installation has"):
            DataSet.read(tmp_path)


def test_an_invalid_data_set_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    assert "is not empty and contains no data set" in line(play(*WORDS, "--out", str(tmp_path)))
    for text, said in (("{", "cannot be read"), ("[]", "was not written"), ('{"form": 1}', "was not written")):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(DatasetError, match=said):
            DataSet.read(tmp_path)
    with pytest.raises(DatasetError, match="plan.json is missing"):
        DataSet.read(tmp_path / "nowhere")


def test_a_damaged_part_is_reported(whole: Path, tmp_path: Path) -> None:
    for name, data in contents(whole).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "games" / "part-00002.parquet").write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match=r"games.part-00002.parquet cannot be read"):
        list(DataSet.read(tmp_path).read_batches())


def test_an_unwritable_folder_gives_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Not a directory" in line(play(*WORDS, "--out", str(tmp_path / "file" / "below")))


def test_finished_parts_are_kept_on_a_full_disk(whole: Path, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    data = DataSet.create_or_resume(tmp_path / "full", PLAN, True)
    first, second, _ = run_logged_batches(PLAN, True, cores=1)
    data.write_batch(*first)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        with pytest.raises(OSError):
            data.write_batch(*second)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert data.games == 40 and not list((tmp_path / "full").rglob(".*"))
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
        said = line(play(*WORDS, "--decisions", "--cores", "1", "--out", str(tmp_path / "full")))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "40 of 90 games are saved: the same command resumes" in said
    assert play(*WORDS, "--decisions", "--out", str(tmp_path / "full")).exit_code == 0
    assert contents(tmp_path / "full") == contents(whole)


def test_ctrl_c_stops_it_and_its_workers(tmp_path: Path) -> None:
    words = ["levee", "--bots", "squire", "--games", "100000", "--cores", "2", "--out", str(tmp_path / "games")]
    running = subprocess.Popen(
        [sys.executable, "-m", "courtly", "lab", "play", *words],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background process ignores it by default
        env=os.environ | {"COURTLY_GAMES": "levee", "PYTHONPATH": f"{ROOT / 'examples' / 'levee'}{os.pathsep}{ROOT}"},
    )
    while not list((tmp_path / "games").glob("games/*.parquet")):
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    kept = len(list((tmp_path / "games").glob("games/part-*.parquet")))
    assert f"Error: stopped; {40 * kept} of 100000 games are saved: the same command resumes\n" in said
    assert "Traceback" not in said and not list((tmp_path / "games").rglob(".*"))
    with pytest.raises(ProcessLookupError):  # no process of the group is left
        while True:
            os.killpg(running.pid, 0)
            time.sleep(0.05)
