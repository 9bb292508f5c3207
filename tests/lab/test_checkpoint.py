"""An interrupted command continues where it stopped, and gives the same result as without an interruption."""

import errno
import json
import os
import pickle
from concurrent.futures import Executor, Future

import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.lab import position_probe
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Plan
from courtly.lab.runs import batch_runner, checkpoint
from courtly.lab.runs.checkpoint import Checkpoint
from courtly.lab.runs.component_override import has_components
from courtly.lab.statistics.game_measures import GameMeasures
from courtly.lab.statistics.variance_decomposition import MirroredDeals, seat_turns

BIDS = "sealed_bids"
PLAN = [BIDS, "--seed", "3", "--cores", "1", "--language", "en"]
COMMANDS = {
    "report": [*PLAN, "--players", "2", "--games", "60", "--bots", "random", "--levels", "random"],
    "compare": [*PLAN, "--players", "2", "--games", "60", "--option", "looks=0", "--option", "looks=1"],
    "probe": [*PLAN, "--players", "2", "--bots", "random", "--worlds", "40", "--ply"],
}
COMMANDS["probe"].append(str(len(new_match(find_game(BIDS), players=2, seed=1).entries)))  # after the deal


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setitem(batch_runner.GAMES_PER_BATCH, "native", 20)
    monkeypatch.setattr(position_probe, "GAMES_PER_BATCH", 20)
    monkeypatch.setattr(checkpoint, "SAVE_INTERVAL_S", -1)


def run_lab(command, out, *words):
    return CliRunner().invoke(main, ["lab", command, *COMMANDS[command], "--out", str(out), *words])


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stop_at_save(patch, number, make_error):
    """Make the save of this number the last: it raises `wrong`, with the file's name."""
    original_save, save_numbers = Checkpoint.save, iter(range(100))

    def save_or_stop(self, done, total):
        if next(save_numbers) == number:
            raise make_error(str(self.file))
        original_save(self, done, total)

    patch.setattr(Checkpoint, "save", save_or_stop)


def stopped(file):
    return KeyboardInterrupt()


def disk_full(file):
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("make_error", "message"), [(stopped, "stopped"), (disk_full, "No space left on device")])
def test_an_interrupted_command_continues(command, make_error, message, tmp_path, monkeypatch):
    uninterrupted = run_lab(command, tmp_path / "once", "--json")
    assert uninterrupted.exit_code == 0, uninterrupted.output
    with monkeypatch.context() as patch:
        stop_at_save(patch, 1, make_error)
        result = run_lab(command, tmp_path / "parts")
    last_line = result.stderr.splitlines()[-1]
    assert result.exit_code == 1 and last_line.startswith("Error: ") and message in last_line
    assert last_line.endswith(f"; progress is saved in {tmp_path / 'parts'}: the same command resumes")
    assert not files_in(tmp_path / "parts")
    counts_at_start = []

    class RecordingCheckpoint(Checkpoint):
        def __init__(self, *args):
            super().__init__(*args)
            counts_at_start.append(self.games_done)

    with monkeypatch.context() as patch:
        for module in (checkpoint, position_probe):
            patch.setattr(module, "Checkpoint", RecordingCheckpoint)
        assert run_lab(command, tmp_path / "parts", "--json").stdout == uninterrupted.stdout
    assert counts_at_start[0] > 0, "it starts from the checkpoint"
    assert files_in(tmp_path / "parts") == files_in(tmp_path / "once")


def test_more_worlds_continue_from_fewer(tmp_path):
    for words in (["--worlds", "25"], []):
        assert run_lab("probe", tmp_path / "more", *words).exit_code == 0
    assert run_lab("probe", tmp_path / "once").exit_code == 0
    assert files_in(tmp_path / "more") == files_in(tmp_path / "once")


def test_a_checkpoint_of_another_run_is_not_used(tmp_path):
    plans = [Plan(BIDS, 2, 40, seed, {}, None) for seed in (0, 1)]
    sums = []
    for plan in (*plans, plans[0]):
        sums.append(GameMeasures(2, (), 40))
        checkpoint.accumulate(sums[-1], plan, folder=tmp_path, cores=1)
    first_figures, other_figures, repeated_figures = (
        [measures.mean("decisions"), measures.extremes, measures.spread["points"].counts.tolist()] for measures in sums
    )
    assert first_figures == repeated_figures != other_figures
    files = list((tmp_path / checkpoint.SUMS_FOLDER).iterdir())
    assert len(files) == 2


def test_the_seatings_of_a_deal_are_continued_together(tmp_path, monkeypatch):
    monkeypatch.setitem(batch_runner.GAMES_PER_BATCH, "native", 2)
    seatings = seat_turns(Plan("necklace", 2, 6, 0, {}, None), "policy", "random")
    uninterrupted, interrupted, continued = (MirroredDeals(2, 6) for _ in range(3))
    checkpoint.accumulate(uninterrupted, *seatings, cores=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        stop_at_save(patch, 2, stopped)
        checkpoint.accumulate(interrupted, *seatings, folder=tmp_path, cores=1)
    progress = []
    checkpoint.accumulate(continued, *seatings, folder=tmp_path, cores=1, report_progress=progress.append)
    assert progress == [8, 2, 2] and continued.estimate() == uninterrupted.estimate()


@pytest.mark.parametrize("data", [b"", b"PK", b"no sum"])
def test_a_damaged_checkpoint_is_ignored(data, tmp_path):
    plan = Plan(BIDS, 2, 40, 0, {}, None)
    checkpoint.accumulate(GameMeasures(2, (), 40), plan, folder=tmp_path, cores=1)
    (file,) = (tmp_path / checkpoint.SUMS_FOLDER).iterdir()
    file.write_bytes(data)
    assert Checkpoint(tmp_path, GameMeasures(2, (), 40), BIDS, (plan,)).games_done == 0


# --- other components, and clusters ---------------------------------------------------------------------------------


def changed_components(tmp_path):
    file = tmp_path / "mine.toml"
    original = find_game("puppet").folder / "components.toml"
    file.write_text(original.read_text("utf-8").replace("goal = 10 ", "goal = 4 "), encoding="utf-8")
    return file


COMPONENT_COMMANDS = {
    "report": [
        "puppet",
        "--players",
        "2",
        "--games",
        "3",
        "--bots",
        "random",
        "--levels",
        "random",
        "--language",
        "en",
    ],
    "arena": ["puppet", "--bots", "random,policy", "--games", "4"],
    "match": ["puppet", "random", "policy", "--games", "4"],
    "probe": ["puppet", "--ply", "12", "--worlds", "2", "--bots", "random", "--language", "en"],
}


@pytest.mark.parametrize("command", COMPONENT_COMMANDS)
def test_other_components_are_used_only_for_one_run(command, tmp_path):
    def run_command(*words):
        result = CliRunner().invoke(
            main, ["lab", command, *COMPONENT_COMMANDS[command], "--cores", "1", "--json", *words]
        )
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    report = ["--out", str(tmp_path / "report")] if command == "report" else []
    changed_report = run_command("--components", str(changed_components(tmp_path)), *report)
    assert has_components("puppet", None)
    own_report = run_command(*(["--out", str(tmp_path / "own")] if command == "report" else []))
    assert changed_report != own_report
    if command == "report":
        lengths = [
            report_json["games"][0]["tables"][0]["figures"]["decisions"]["value"]
            for report_json in (changed_report, own_report)
        ]
        assert lengths[0] < lengths[1] and changed_report["games"][0]["components"] == "components.toml"
        page = (tmp_path / "report" / "report.html").read_text("utf-8")
        assert "#record=" not in page and "with the numbers of components.toml" in page
        assert not list((tmp_path / "report").glob("*.jsonl")), "no server could replay them"


@pytest.mark.parametrize("command", COMPONENT_COMMANDS)
def test_an_invalid_component_file_gives_a_one_line_error(command, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[castles]\n")
    out = ["--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, ["lab", command, *COMPONENT_COMMANDS[command], "--components", str(file), *out])
    (line,) = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert result.exit_code == 1 and str(file) in line and not (tmp_path / "out").exists()


class FakeCluster(Executor):
    """A simulated cluster in this process, which pickles everything sent and received."""

    cores = 2

    def __init__(self, game):
        self.game, self.requests = game, 0

    def submit(self, work, /, *args, **kwargs):
        self.requests += 1
        work, args = pickle.loads(pickle.dumps((work, args)))
        future = Future()
        future.set_result(
            pickle.loads(
                pickle.dumps(ray_cluster._run_on_node({}, ray_cluster.hash_sources(self.game), self.game, work, *args))
            )
        )
        return future


@pytest.mark.parametrize(
    "words",
    [
        *([command, *words] for command, words in COMMANDS.items()),
        ["play", BIDS, "--games", "40", "--cores", "1"],
        ["match", *COMPONENT_COMMANDS["match"], "--cores", "1"],
        ["arena", *COMPONENT_COMMANDS["arena"], "--cores", "1"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_runs_on_a_cluster(words, tmp_path, monkeypatch):
    def run_command(out):
        result = CliRunner().invoke(main, ["lab", *words, "--json", "--out", str(tmp_path / out)])
        assert result.exit_code == 0, result.output
        report = json.loads(result.stdout)
        return report.get("result", report) | {"folder": ""}

    cluster = FakeCluster(words[1])
    local_result = run_command("here")
    monkeypatch.setattr(ray_cluster, "make_executor", lambda game, cores: cluster)
    assert run_command("far") == local_result and cluster.requests


def test_components_rejected_by_the_rules_are_reported_with_their_file(tmp_path):
    file = tmp_path / "mine.toml"
    original = (find_game("puppet").folder / "components.toml").read_text("utf-8")
    file.write_text(original.replace("gain = { gold = 2 }", "gain = { gold = 200 }", 1), encoding="utf-8")
    result = CliRunner().invoke(main, ["lab", "arena", *COMPONENT_COMMANDS["arena"], "--components", str(file)])
    assert result.output.endswith(f"Error: {file}: servants.alchemist.gain.gold is 200; it may be 1 to 20\n")
