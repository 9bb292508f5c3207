"""The command line is an interface that checks rely on."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner
from record_variants import VARIANTS, apply_variant

import courtly as courtly_package
from courtly import cli, cli_common
from courtly.cli import _points_and_places, main
from courtly.cli_common import CommandGroup, replay_record, say
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match, new_match
from courtly.engine.native import loader
from courtly.engine.native.webassembly import module_compiler
from courtly.engine.rng import CommittedChance
from courtly.engine.transcript import write_record
from courtly.server.process import serve
from courtly.visible import escape_invisible

RESULT_KEYS = {
    "game",
    "version",
    "players",
    "games",
    "decisions",
    "chance",
    "seconds",
    "decisions_per_s",
    "native",
    "wins",
    "mean_length",
    "digest",
}


def courtly(*args, env=None):
    return subprocess.run(
        [sys.executable, "-m", "courtly", *args],
        capture_output=True,
        encoding=(env or {}).get("PYTHONIOENCODING"),
        text=True,
        timeout=200,
        env={**os.environ, **(env or {})},
    )


def simulate(*args):
    process = courtly("simulate", "sealed_bids", "--players", "3", "--games", "301", "--seed", "5", "--json", *args)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def test_a_seed_gives_the_same_digest_in_every_form_on_any_number_of_cores():
    results = [
        simulate(*args) for args in ((), ("--cores", "1"), ("--interpreted",), ("--interpreted", "--cores", "1"))
    ]
    assert all(result.keys() >= RESULT_KEYS for result in results)
    assert [result["native"] for result in results] == [True, True, False, False]
    for key in ("digest", "decisions", "chance", "wins", "mean_length"):
        assert len({json.dumps(result[key]) for result in results}) == 1, key
    assert sum(results[0]["wins"]) == pytest.approx(301, abs=0.01)


def test_policies_play_the_same_in_every_form():
    arguments = ("simulate", "puppet", "--bots", "policy,policy", "--games", "12", "--json")
    native, checked, interpreted = (
        json.loads(courtly(*arguments, *options).stdout)
        for options in ((), ("--checked",), ("--interpreted", "--cores", "1"))
    )
    assert [native["native"], checked["native"], interpreted["native"]] == [True, True, False]
    for key in ("digest", "decisions", "chance", "wins"):
        assert native[key] == checked[key] == interpreted[key], key


def run_in_process(*args):
    result = CliRunner().invoke(main, args)
    assert not result.exception or isinstance(result.exception, SystemExit), result.exception
    return result


def test_simulated_games_are_summarized_in_words():
    arguments = ("simulate", "sealed_bids", "--games", "20", "--interpreted", "--cores", "1")
    result = json.loads(run_in_process(*arguments, "--json").stdout)
    first_line, *seats, last_line = run_in_process(*arguments).stdout.splitlines()
    assert re.fullmatch(
        rf"20 games, {result['decisions']} decisions in .* s: .* decisions/s \(interpreted\)", first_line
    )
    assert seats == [f"seat {i} (random): {wins:g} wins, {wins / 20:.1%}" for i, wins in enumerate(result["wins"])]
    assert last_line == f"mean length {result['mean_length']} decisions; digest {result['digest'][:16]}"


def test_speed_is_measured_in_every_form():
    [row] = json.loads(run_in_process("bench", "sealed_bids", "--seconds", "0.1", "--json").stdout)
    rates = [row[f"{form}_{unit}_per_s"] for form in ("interpreted", "native") for unit in ("decisions", "steps")]
    assert min(rates) > 0 and rates[0] < rates[1] and rates[2] < rates[3]
    assert row["cold_compile_s"] > 0 <= row["from_cache_s"] and row["native_decisions_per_s_all_cores"] > 0


def test_without_a_compiler_only_the_interpreted_speed_is_measured(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    result = run_in_process("bench", "sealed_bids", "--seconds", "0.001")
    assert re.fullmatch(
        r"game sealed_bids players 5 interpreted_decisions_per_s \d+ interpreted_steps_per_s \d+\n", result.stdout
    )


def test_another_seed_gives_other_games():
    one = json.loads(courtly("simulate", "sealed_bids", "--games", "20", "--interpreted", "--json").stdout)
    other = json.loads(
        courtly("simulate", "sealed_bids", "--games", "20", "--interpreted", "--seed", "1", "--json").stdout
    )
    assert one["digest"] != other["digest"]


@pytest.mark.parametrize(("game", "bots"), [("petition", "heuristic,random"), ("sealed_bids", "search:20,random")])
def test_bots_play_the_same_on_any_number_of_cores(game, bots):
    rows = [
        json.loads(courtly("simulate", game, "--games", "2", "--bots", bots, "--json", "--cores", n).stdout)
        for n in "12"
    ]
    assert rows[0]["digest"] == rows[1]["digest"] and rows[0]["bots"] == bots.split(",")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("simulate", "chess"), "there is no game 'chess'"),
        (("simulate", "sealed_bids", "--players", "9", "--interpreted"), "players may be one of"),
        (("simulate", "sealed_bids", "--bots", "random", "--interpreted"), "2 players need 2 bots"),
        (("simulate", "sealed_bids", "--bots", "random,deep"), "deep"),
        (("simulate", "sealed_bids", "--bots", "random,search:0"), "search:0"),
        (("simulate", "sealed_bids", "--bots", "random,search", "--interpreted"), "remove --interpreted"),
        (("simulate", "sealed_bids", "--option", "looks=7", "--interpreted"), "looks may be one of"),
        (("simulate", "sealed_bids", "--option", "looks"), "NAME=NUMBER"),
        (("simulate", "sealed_bids", "--games", "0"), "0"),
        (("record", "check", "nowhere.jsonl"), "nowhere.jsonl"),
        (("webassembly", "chess", "folder"), "there is no game 'chess'"),
        (("serve", "--port", "99999"), "99999"),
        (("serve", "--no-browser", "--log-level", "loud"), "debug, info, warning, error"),
    ],
)
def test_errors_are_one_line(args, message):
    process = courtly(*args)
    assert process.returncode != 0 and message in process.stderr and "Traceback" not in process.stderr


def test_a_game_is_written_as_webassembly(tmp_path):
    process = courtly("webassembly", "sealed_bids", str(tmp_path / "new" / "games"))
    assert process.returncode == 0, process.stderr
    code, description = (tmp_path / "new" / "games" / f"sealed_bids.{end}" for end in ("wasm", "json"))
    assert f"{code}: " in process.stdout and str(description) in process.stdout
    assert code.read_bytes().startswith(b"\0asm\1\0\0\0")
    assert json.loads(description.read_text(encoding="utf-8"))["game"] == "sealed_bids"


def test_webassembly_needs_a_compiler(tmp_path):
    start = "import sys; sys.modules['llvmlite'] = None; from courtly.cli import main; main()"
    command = [sys.executable, "-c", start, "webassembly", "sealed_bids", str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert process.returncode == 1 and process.stderr.startswith("Error: llvmlite is not installed: pip install")
    assert process.stderr.count("\n") == 1


def test_an_object_file_that_cannot_be_read_is_an_error_of_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(module_compiler, "compile_program", lambda *_: b"\0asm")
    result = CliRunner().invoke(main, ["webassembly", "sealed_bids", str(tmp_path / "new")])
    assert result.exit_code == 1 and result.stderr.startswith("Error: WebAssembly object file, ")
    assert result.stderr.count("\n") == 1 and not [*(tmp_path / "new").iterdir()]


def test_games_lists_the_playable_games():
    games = json.loads(courtly("games", "--json").stdout)
    assert {"petition", "sealed_bids"} <= {game["id"] for game in games}
    output = courtly("games").stdout
    assert "petition" in output and "Queen’s Necklace" in output


def test_games_in_the_workshop_are_not_offered():
    process = courtly("games", "--json", env={"COURTLY_WORKSHOP": ""})
    assert not any(game.get("workshop") for game in json.loads(process.stdout))


def test_a_record_is_checked(tmp_path):
    import courtly as package

    match = new_match(package.game("sealed_bids"), seed=4)
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    file = tmp_path / "game.jsonl"
    file.write_text(write_record(match), encoding="utf-8")
    assert ": legal: " in courtly("record", "check", str(file)).stdout
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:7], *lines[8:]]), encoding="utf-8")
    process = courtly("record", "check", str(file))
    assert process.returncode == 1 and "line 8:" in process.stderr
    file.write_bytes(b"\xff\xfe")
    assert "line 1: is not JSON" in courtly("record", "check", str(file)).stderr
    for variant in VARIANTS:
        raw, line = apply_variant(write_record(match).encode(), variant)
        file.write_bytes(raw)
        if line:
            with pytest.raises(click.ClickException, match=f"line {line}:"):
                replay_record(file)
        else:
            assert replay_record(file)[0].over, variant


def test_the_command_line_and_the_server_start_without_numpy_or_llvmlite():
    code = """
import sys
import courtly.bots, courtly.cli, courtly.server.process.serve
print([module for module in ('numpy', 'llvmlite') if module in sys.modules])
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert process.stdout.strip() == "[]", process.stderr


ENDLESS_BOT_PROGRAM = """
import multiprocessing
import courtly.bots.registry
from courtly.lab.plan import Plan
from courtly.lab.runs.simulate import simulate

choose_at_random = courtly.bots.registry.choose_at_random

def choose(game, view, rng):
    if multiprocessing.parent_process():
        print("working", flush=True)
        while True:
            pass
    return choose_at_random(game, view, rng)

courtly.bots.registry.choose_at_random = choose
multiprocessing.set_start_method("fork")  # the workers have that too
simulate(Plan("sealed_bids", 2, 100, 1, {}, ("random", "random")), cores=2)
"""


def test_workers_end_with_their_parent():
    with subprocess.Popen([sys.executable, "-c", ENDLESS_BOT_PROGRAM], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "working\n"
        process.kill()
        process.communicate(timeout=60)  # until no process holds the other end


# --- output -----------------------------------------------------------------------------------------------------------

HOSTILE = {"\x1b[31m": "\\u001b[31m", "\x9b2J": "\\u009b2J", "\u202e": "\\u202e"}


def _record_with_names(folder, *names, **changed_fields):
    match = new_match(find_game("sealed_bids"), seed=4)
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    head, *lines = write_record(match, seats=names).splitlines()
    file = folder / "game.jsonl"
    file.write_text("\n".join([json.dumps(json.loads(head) | changed_fields), *lines]), encoding="utf-8")
    return file


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp932"])
def test_output_in_any_encoding_is_complete_and_json_stays_json(encoding, tmp_path):
    env = {"PYTHONIOENCODING": encoding}

    def output_of(*args):
        process = subprocess.run(
            [sys.executable, "-m", "courtly", *args], capture_output=True, env={**os.environ, **env}
        )
        assert process.returncode == 0 and b"Traceback" not in process.stderr, process.stderr.decode(errors="replace")
        return process.stdout.decode(encoding)

    assert json.loads(output_of("games", "--json")) == json.loads(courtly("games", "--json").stdout)
    assert "games" in output_of("--help")
    file = _record_with_names(tmp_path, "Zoë", "王様")
    assert output_of("record", "check", str(file))


def test_every_text_is_written_whatever_the_encoding(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "cp1252", write_through=True))

    @click.group(cls=CommandGroup)
    def group():
        pass

    @group.command()
    def print_text():
        say("’ 王 −1")

    group.main(["print-text"], standalone_mode=False)
    assert raw.getvalue().decode("cp1252").split() == ["’", "\\u738b", "\\u22121"]


def test_a_receipt_is_read_with_a_byte_order_mark(tmp_path):
    """As the /proof page and all other readers of records do (record_variants.py)."""
    secret, number = bytes(range(32)), bytes(range(32, 64))
    match = Match(find_game("sealed_bids"), 2, None, CommittedChance(secret, "t", [number.hex()] * 2))
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[-1])
    record, receipt = tmp_path / "game.jsonl", tmp_path / "receipt.json"
    record.write_text(write_record(match, table="t"), encoding="utf-8")
    content = {
        "courtly-receipt": 2,
        "table": "t",
        "game": "sealed_bids",
        "commitment": CommittedChance.commitment(secret),
        "pledges": [hashlib.sha256(number).hexdigest()] * 2,
        "numbers": {"0": number.hex()},
        "attempts": 1,
    }
    outcomes = []
    for encoding in ("utf-8", "utf-8-sig"):
        receipt.write_text(json.dumps(content), encoding=encoding)
        process = courtly("record", "check", str(record), "--receipt", str(receipt))
        outcomes.append((process.returncode, process.stdout, process.stderr))
    assert outcomes[0] == outcomes[1] and "number is in it" in outcomes[0][1]


def test_a_receipt_that_contradicts_the_record_is_reported(tmp_path):
    record, receipt = tmp_path / "game.jsonl", tmp_path / "receipt.json"
    match = Match(find_game("sealed_bids"), 2, None, CommittedChance(bytes(32), "t", ["", ""]))
    while match.chance:
        match.happen(None)
    lines = write_record(match, table="t").splitlines()
    without_outcomes = [json.dumps({k: v for k, v in json.loads(line).items() if k != "of"}) for line in lines]
    record.write_text("\n".join(without_outcomes), encoding="utf-8")
    result = run_in_process("record", "check", str(record))
    assert result.exit_code == 0 and "points [0, 0], not over" in result.stdout
    assert "  ? the record does not list the other possible outcomes" in result.stdout
    receipt.write_text("{}", encoding="utf-8")
    result = run_in_process("record", "check", str(record), "--receipt", str(receipt))
    assert result.exit_code == 1 and f"{receipt}: is not a receipt" in result.stderr
    content = {"courtly-receipt": 2, "table": "u", "commitment": "", "pledges": [], "numbers": {}, "attempts": 1}
    receipt.write_text(json.dumps(content), encoding="utf-8")
    result = run_in_process("record", "check", str(record), "--receipt", str(receipt))
    assert result.exit_code == 1 and "NOT valid" in result.stderr
    assert "  ! the server took no number from the browser" in result.stdout


@pytest.mark.parametrize(("raw", "expected"), HOSTILE.items())
def test_text_from_a_file_cannot_control_the_terminal(raw, expected, tmp_path):
    file = _record_with_names(tmp_path, "A", "B", options={f"looks{raw}": 1})
    process = courtly("record", "check", str(file))
    assert process.returncode == 1 and expected in process.stderr and raw not in process.stderr
    process = courtly("simulate", f"che{raw}ss")
    assert process.returncode and raw not in process.stderr  # shown as a Python literal
    assert escape_invisible(f"a{raw}b") == f"a{expected}b"
    assert json.loads(escape_invisible(json.dumps(raw, ensure_ascii=False))) == raw or raw < " "


def test_text_of_users_is_printed_unchanged():
    for text in ("Zoë\tand 王様\n", "👩\u200d👧", "−1 “so”"):
        assert escape_invisible(text) == text
    assert escape_invisible("\U000e0001\u2028\ud800\u200b\u2066") == r"\udb40\udc01\u2028\ud800\u200b\u2066"


@pytest.mark.parametrize("name", game_ids())
def test_a_checked_record_has_points_and_places_for_ties(name):
    def standing(points, scores):
        return _points_and_places(SimpleNamespace(points=points, scores=scores))

    assert standing([10, 9], [1099922, 1099833]) == "points [10, 9]"
    assert standing([10, 10], [1099922, 1099933]) == "points [10, 10], places [2, 1]"
    assert standing([3, 3], [3, 3]) == "points [3, 3]"
    match = new_match(find_game(name), seed=1)
    while not match.over:
        match.play(match.pending[0], match.legal(match.pending[0])[0])
    assert str(match.points) in _points_and_places(match)


def test_commands_print_only_through_say():
    folder = Path(courtly_package.__file__).parent
    files = [*folder.rglob("cli.py")]
    assert len(files) >= 3
    for file in files:
        assert "click.echo(" not in file.read_text(encoding="utf-8"), file


def test_system_errors_are_one_line_in_every_command(tmp_path):
    (tmp_path / "file").touch()
    inside = str(tmp_path / "file" / "inside")
    for args in (
        ("site", inside),
        ("webassembly", "petition", inside),
        ("serve", "--no-browser", "--port", "0", "--data", inside),
        ("lab", "play", "petition", "--games", "1", "--cores", "1", "--out", inside),
        ("bots", "ladder", "petition", "--games", "1", "--bots", "random", "--cores", "1", "--file", inside),
    ):
        process = courtly(*args, env={"COURTLY_NATIVE": "0"})
        assert process.returncode == 1 and "Traceback" not in process.stderr, process.stderr
        assert process.stderr.splitlines()[-1].startswith("Error: ") and "file" in process.stderr.splitlines()[-1], args


def test_a_restarted_server_keeps_its_arguments_and_port(monkeypatch):
    programs = []
    monkeypatch.setattr(serve, "serve", lambda *_: 8123)
    monkeypatch.setattr(os, "execv", lambda program, arguments: programs.append((program, arguments)))
    added = ["--port", "8123", "--no-browser"]
    for given in (["--dev"], ["--dev", *added]):
        monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "courtly", "serve", *given])
        CliRunner().invoke(main, ["serve", *given])
    assert programs == [(sys.executable, [sys.executable, "-m", "courtly", "serve", "--dev", *added])] * 2


def test_without_a_command_the_server_starts(monkeypatch):
    calls, programs = [], []
    monkeypatch.setattr(serve, "serve", lambda *arguments: calls.append(arguments))
    for arguments in ([], ["serve"]):
        assert CliRunner().invoke(main, arguments).exit_code == 0
    assert calls[0] == calls[1] and calls[0][3] is True  # the lobby is opened in a browser
    monkeypatch.setattr(serve, "serve", lambda *_: 8123)
    monkeypatch.setattr(os, "execv", lambda program, arguments: programs.append(arguments))
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "courtly"])
    CliRunner().invoke(main, [])
    assert programs == [[sys.executable, "-m", "courtly", "serve", "--port", "8123", "--no-browser"]]
    assert "Commands:" in CliRunner().invoke(main, ["--help"]).output and len(calls) == 2


def test_missing_packages_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["bots", "ladder", "sealed_bids", "--file", str(tmp_path / "games")])
    assert result.exit_code == 1 and 'pip install "courtly[lab]"' in result.output
    monkeypatch.setattr(loader, "find_obstacle", lambda **_: "")
    monkeypatch.setitem(sys.modules, "courtly.review.text", None)
    result = CliRunner().invoke(main, ["record", "review", __file__])
    assert result.exit_code == 1 and 'pip install "courtly[review]", or use --json' in result.output


def test_a_closed_pipe_is_left_to_click(monkeypatch):
    def fail(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(cli_common.click, "echo", fail)
    with pytest.raises(BrokenPipeError):
        cli_common.say("a line")
