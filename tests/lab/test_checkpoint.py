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


def lab(command, out, *words):
    return CliRunner().invoke(main, ["lab", command, *COMMANDS[command], "--out", str(out), *words])


def found(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def ended_at(patch, number, wrong):
    """Make the save of this number the last: it raises `wrong`, with the file's name."""
    keep, times = Checkpoint.save, iter(range(100))

    def ended(self, done, whole):
        if next(times) == number:
            raise wrong(str(self.file))
        keep(self, done, whole)

    patch.setattr(Checkpoint, "save", ended)


def stopped(file):
    return KeyboardInterrupt()


def full(file):
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("wrong", "said"), [(stopped, "stopped"), (full, "No space left on device")])
def test_an_interrupted_command_continues(command, wrong, said, tmp_path, monkeypatch):
    at_once = lab(command, tmp_path / "once", "--json")
    assert at_once.exit_code == 0, at_once.output
    with monkeypatch.context() as patch:
        ended_at(patch, 1, wrong)
        done = lab(command, tmp_path / "parts")
    last = done.stderr.splitlines()[-1]
    assert done.exit_code == 1 and last.startswith("Error: ") and said in last
    assert last.endswith(f"; progress is saved in {tmp_path / 'parts'}: the same command resumes")
    assert not found(tmp_path / "parts")
    begun = []

    class Watched(Checkpoint):
        def __init__(self, *args):
            super().__init__(*args)
            begun.append(self.done)

    with monkeypatch.context() as patch:
        for module in (checkpoint, position_probe):
            patch.setattr(module, "Checkpoint", Watched)
        assert lab(command, tmp_path / "parts", "--json").stdout == at_once.stdout
    assert begun[0] > 0, "it starts from the checkpoint"
    assert found(tmp_path / "parts") == found(tmp_path / "once")


def test_more_worlds_continue_from_fewer(tmp_path):
    for words in (["--worlds", "25"], []):
        assert lab("probe", tmp_path / "more", *words).exit_code == 0
    assert lab("probe", tmp_path / "once").exit_code == 0
    assert found(tmp_path / "more") == found(tmp_path / "once")


def test_a_checkpoint_of_another_run_is_not_used(tmp_path):
    plans = [Plan(BIDS, 2, 40, seed, {}, None) for seed in (0, 1)]
    sums = []
    for plan in (*plans, plans[0]):
        sums.append(GameMeasures(2, (), 40))
        checkpoint.accumulate(sums[-1], plan, folder=tmp_path, cores=1)
    first, other, again = ([of.of("decisions"), of.extremes, of.spread["points"].counts.tolist()] for of in sums)
    assert first == again != other
    files = list((tmp_path / checkpoint.SUMS_FOLDER).iterdir())
    assert len(files) == 2


def test_the_seatings_of_a_deal_are_continued_together(tmp_path, monkeypatch):
    monkeypatch.setitem(batch_runner.GAMES_PER_BATCH, "native", 2)
    asked = seat_turns(Plan("necklace", 2, 6, 0, {}, None), "policy", "random")
    at_once, begun, whole = (MirroredDeals(2, 6) for _ in range(3))
    checkpoint.accumulate(at_once, *asked, cores=1)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        ended_at(patch, 2, stopped)
        checkpoint.accumulate(begun, *asked, folder=tmp_path, cores=1)
    played = []
    checkpoint.accumulate(whole, *asked, folder=tmp_path, cores=1, tell=played.append)
    assert played == [8, 2, 2] and whole.estimate() == at_once.estimate()


@pytest.mark.parametrize("data", [b"", b"PK", b"no sum"])
def test_a_damaged_checkpoint_is_ignored(data, tmp_path):
    plan = Plan(BIDS, 2, 40, 0, {}, None)
    checkpoint.accumulate(GameMeasures(2, (), 40), plan, folder=tmp_path, cores=1)
    (file,) = (tmp_path / checkpoint.SUMS_FOLDER).iterdir()
    file.write_bytes(data)
    assert Checkpoint(tmp_path, GameMeasures(2, (), 40), BIDS, (plan,)).done == 0


# --- other components, and clusters ---------------------------------------------------------------------------------


def mine(tmp_path):
    file = tmp_path / "mine.toml"
    own = find_game("puppet").folder / "components.toml"
    file.write_text(own.read_text("utf-8").replace("goal = 10 ", "goal = 4 "), encoding="utf-8")
    return file


OTHERS = {
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


@pytest.mark.parametrize("command", OTHERS)
def test_other_components_are_used_only_for_one_run(command, tmp_path):
    def told(*words):
        done = CliRunner().invoke(main, ["lab", command, *OTHERS[command], "--cores", "1", "--json", *words])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    report = ["--out", str(tmp_path / "report")] if command == "report" else []
    with_mine = told("--components", str(mine(tmp_path)), *report)
    assert has_components("puppet", None)
    own = told(*(["--out", str(tmp_path / "own")] if command == "report" else []))
    assert with_mine != own
    if command == "report":
        lengths = [of["games"][0]["tables"][0]["figures"]["decisions"]["value"] for of in (with_mine, own)]
        assert lengths[0] < lengths[1] and with_mine["games"][0]["components"] == "components.toml"
        page = (tmp_path / "report" / "report.html").read_text("utf-8")
        assert "#record=" not in page and "with the numbers of components.toml" in page
        assert not list((tmp_path / "report").glob("*.jsonl")), "no server could replay them"


@pytest.mark.parametrize("command", OTHERS)
def test_an_invalid_component_file_gives_a_one_line_error(command, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[castles]\n")
    out = ["--out", str(tmp_path / "out")]
    done = CliRunner().invoke(main, ["lab", command, *OTHERS[command], "--components", str(file), *out])
    (line,) = [line for line in done.output.splitlines() if line.startswith("Error: ")]
    assert done.exit_code == 1 and str(file) in line and not (tmp_path / "out").exists()


class Far(Executor):
    """A simulated cluster in this process, which pickles everything sent and received."""

    cores = 2

    def __init__(self, game):
        self.game, self.asked = game, 0

    def submit(self, work, /, *args, **kwargs):
        self.asked += 1
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
        ["match", *OTHERS["match"], "--cores", "1"],
        ["arena", *OTHERS["arena"], "--cores", "1"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_runs_on_a_cluster(words, tmp_path, monkeypatch):
    def told(out):
        done = CliRunner().invoke(main, ["lab", *words, "--json", "--out", str(tmp_path / out)])
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)
        return told.get("found", told) | {"folder": ""}

    far = Far(words[1])
    here = told("here")
    monkeypatch.setattr(ray_cluster, "make_executor", lambda game, cores: far)
    assert told("far") == here and far.asked


def test_components_rejected_by_the_rules_are_reported_with_their_file(tmp_path):
    file = tmp_path / "mine.toml"
    own = (find_game("puppet").folder / "components.toml").read_text("utf-8")
    file.write_text(own.replace("gain = { gold = 2 }", "gain = { gold = 200 }", 1), encoding="utf-8")
    done = CliRunner().invoke(main, ["lab", "arena", *OTHERS["arena"], "--components", str(file)])
    assert done.output.endswith(f"Error: {file}: servants.alchemist.gain.gold is 200; it may be 1 to 20\n")
