"""`courtly check`: one mistake of each kind in the game that `courtly new` makes is reported once, with its file and
line. (test_guide.py checks that the game itself passes.)
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from courtly.cli import GameName
from courtly.engine.finding import Finding
from courtly.engine.game import find_game
from courtly.scaffold import make_game
from courtly.testing import resources
from courtly.testing import runner as checking
from courtly.testing.failure_location import CheckFailedError

ROOT = Path(__file__).parent.parent
THREE_PLAYERS_ONLY = ("favours/table.py", "option=(2, 3, 4)", "option=(3,)")  # a third of the time


@pytest.fixture
def changed_game(tmp_path):
    """Return a function that makes the game with replacements `(file, old, new)` and returns its folder."""

    def write(*changes):
        folder = make_game("favours", tmp_path, "寵愛")
        shutil.rmtree(folder / "tests" / "golden")  # records of the original rules
        (folder / "tests" / "secrets-count.toml").unlink()  # needs two players
        for file, old, new in changes:
            text = (folder / file).read_text(encoding="utf-8")
            assert text.count(old) == 1, (file, old)
            (folder / file).write_text(text.replace(old, new), encoding="utf-8")
        return folder

    return write


def check(folder, *args, game="favours", games="favours"):
    """Return the exit code, the findings, and other output."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    process = subprocess.run(
        [sys.executable, "-m", "courtly", "check", game, *args],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": path, "COURTLY_GAMES": games, "PYTEST_ADDOPTS": "-n 4"},  # must not affect the checks
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert "Traceback" not in process.stderr, process.stderr
    return process.returncode, process.stdout.splitlines(), process.stderr


def read_findings(folder, *args):
    """Return the findings: file, text of the reported line, message."""
    code, findings, other_output = check(folder, *args)
    assert code == 1, other_output
    for finding in findings:
        file, line, message = re.fullmatch(r"([^:]+):(\d+): (.+)", finding).groups()
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
        yield file, lines[int(line) - 1].strip(), message


PINK_COLOUR = 'colour = "pink"'

RECORD = [
    {"courtly": 1, "game": "favours", "version": 1, "players": 3, "options": {}, "chance": {"seed": 5}, "seats": []},
    {"ply": 0, "event": "deal player=0 rank=wizard"},
    {"over": True, "scores": [1, 2, 3]},
]


def test_several_mistakes_are_found_together(changed_game):
    folder = changed_game(
        THREE_PLAYERS_ONLY,
        ("favours/rules.py", "verb == MOVES.deal or verb == MOVES.draw", "verb in (MOVES.deal, MOVES.draw)"),
        ("favours/ja.ftl", "favours-rank-cook = 料理人\n", ""),
        ("favours/ja.ftl", "    .hidden = { $name }は札を1枚密かに贈った\n", ""),
        ("favours/en.ftl", "favours-hand = Your hand", "favours-hand = The hand of { $name }"),
        ("favours/en.ftl", ".log = { $player } draws", ".log = You, { $player }, draw"),
        ("favours/board/board.js", '"favours-over"', '"favours-ended"'),
        ("favours/board/board.js", "n > 1 ? html`<i>×${n}</i>`", "n > 1 ? html`<i>+${n}</i>`"),
        ("favours/bot.py", "return max(view", "return 0 if len(view['legal']) == 3 else max(view"),
        ("favours/facts.py", "out.worth[other] = 0", "out.worth[other] = 0.5"),
        ("tests/drives-away.toml", "gone = { heir = 3 }", "gone = { heir = 2 }"),
    )
    (folder / "tests" / "golden").mkdir()
    (folder / "tests" / "golden" / "whole.jsonl").write_text("\n".join(map(json.dumps, RECORD)), encoding="utf-8")
    (folder / "tests" / "mistakes.py").write_text(
        'MISTAKES = [\n    ("a card is lost", "rules.py", "no such text", ""),\n]\n', encoding="utf-8"
    )
    (folder / "favours" / "notes.txt").write_text("later\n", encoding="utf-8")
    assert list(read_findings(folder, "--quick")) == [
        ("favours/notes.txt", "later", "notes.txt is not part of a game's folder, and no module of the game uses it"),
        ("favours/facts.py", "out.worth[other] = 0.5", "constant 0.5: must be a whole number"),
        ("favours/rules.py", "if verb in (MOVES.deal, MOVES.draw):", "In is not in the dialect"),
        (
            "tests/drives-away.toml",
            'expect = { gone = { heir = 2 }, given.0 = ["heir"], given.1 = ["page"], given.2 = [] }',
            "gone is {'heir': 3}, not {'heir': 2}",
        ),
        (
            "tests/golden/whole.jsonl",
            json.dumps(RECORD[1]),
            "cannot be read: deal: rank is 'wizard', not one of page, maid, cook, knight, priest, duchess, heir",
        ),
        ("favours/ja.ftl", "favours-do-hide = { $rank }を密かに贈る", "favours-do-hide.hidden is missing"),
        ("favours/ja.ftl", "favours-rank-maid = 侍女", "favours-rank-cook is missing"),
        ("favours/ja.ftl", "favours-hand = 手札", "favours-hand has other variables than in en.ftl"),
        (
            "favours/en.ftl",
            ".log = You, { $player }, draw { $rank }",
            "favours-do-draw.log addresses one player: the log names players",
        ),
        (
            "favours/board/board.js",
            'if (!view.pending.length) return ui.t("favours-ended");',
            '"favours-ended" is used but not defined',
        ),
        ("favours/en.ftl", "favours-over = All cards are given", "favours-over is not used"),
        (
            "favours/board/board.js",
            "<b>${rank + 1}</b><span>${ui.t(`favours-rank-${ui.values.rank[rank]}`)}</span>"
            "${n > 1 ? html`<i>+${n}</i>` : nothing}",
            "format signed numbers with ui.formatPlus or ui.formatSigned instead of >+${",
        ),
        (
            "favours/bot.py",
            "def choose(game: Game, view: PositionView, rng: Row) -> int:",
            "the bot chose 0 in seat 0, which is not legal",
        ),
    ]


@pytest.mark.parametrize(
    ("change", "file", "line", "message"),
    [
        (
            ("favours/rules.py", "        if s.size[seat]:", "        if s.sizes[seat]:"),
            *("favours/rules.py", "if s.sizes[seat]:", "there is no s.sizes"),
        ),
        (
            ("favours/game.toml", "decisions = 21", "decisions = 20"),
            *("favours/game.toml", "decisions = 20", "more than 20 decisions, the bound in game.toml"),
        ),
        (
            ("favours/worlds.py", "EVERYONE if cards == 1 else 0", "0"),
            *("favours/worlds.py", "def reveals(s, seat, move):", "something that reveals() does not declare"),
        ),
        (
            ("tests/invariants.py", "def check(s):\n", "def check(s):\n    assert sum(s.size) < 9\n"),
            *("tests/invariants.py", "assert sum(s.size) < 9", "assert sum(s.size) < 9"),
        ),
        (
            ("favours/rules.py", "out[seat] += (rank + 1)", "out[seat - 3] += (rank + 1)"),
            *("favours/rules.py", "out[seat - 3] +=", "IndexError: index -3 of a row of"),
        ),
        (
            (
                "favours/rules.py",
                "    s.size[seat] -= 1\n",
                "    while s.size[seat]:\n        s.phase = Phase.GIVING\n",
            ),
            *("favours/rules.py", "while s.size[seat]:", "RuntimeError: endless loop"),
        ),
        (
            ("favours/rules.py", "    s.phase = Phase.DEALING\n    s.pending = CHANCE\n", "    s.pending = 0\n"),
            *("favours/rules.py", "def setup(s):", "the game is over before the first move or random event"),
        ),
        (
            ("favours/refusals.py", "        return Refusal.NOT_IN_HAND\n", "        return 7\n"),
            *("favours/refusals.py", "def refusal(s, seat, move):", "refusal 7 is not a member of Refusal"),
        ),
    ],
    ids=["field", "bound", "leak", "invariant", "row", "loop", "over", "refusal"],
)
def test_a_mistake_that_breaks_many_properties_is_reported_once(changed_game, change, file, line, message):
    [(reported_file, reported_line, reported_message)] = read_findings(
        changed_game(THREE_PLAYERS_ONLY, change), "--quick"
    )
    assert reported_file == file and reported_line.startswith(line) and message in reported_message


@pytest.mark.parametrize(
    ("change", "file", "line", "message"),
    [
        (("favours/rules.py", "def take(s, rank):", "def take(s, rank:"), "favours/rules.py", "def take", "closed"),
        (("favours/table.py", "HAND = 3", "HAND = THREE"), "favours/table.py", "HAND =", "name 'THREE' is not defined"),
        (("favours/game.toml", "version = 1", "version ="), "favours/game.toml", "version =", "Invalid value"),
        (("favours/game.toml", "events = 21\n", ""), "favours/game.toml", "[bounds]", "needs decisions"),
        (("favours/game.toml", 'colour = "purpure"\n', ""), "favours/game.toml", "id =", "colour is missing"),
        (("tests/invariants.py", "import COPIES", "import COPPERS"), "tests/invariants.py", "from", "COPPERS"),
        (
            ("tests/invariants.py", "def check(", "def holds("),
            "tests/invariants.py",
            "from",
            "invariants.py has no check",
        ),
    ],
    ids=["syntax", "name", "card", "bounds", "colour", "invariants", "check"],
)
def test_a_load_error_is_reported_in_one_line(changed_game, change, file, line, message):
    [(reported_file, reported_line, reported_message)] = read_findings(
        changed_game(THREE_PLAYERS_ONLY, change), "--quick"
    )
    assert reported_file == file and reported_line.startswith(line) and message in reported_message


def test_a_missing_file_is_reported_once(changed_game):
    folder = changed_game(
        THREE_PLAYERS_ONLY,
        ("favours/game.toml", "secrets = 0", "secrets = 7"),
        ("favours/game.toml", 'colour = "purpure"', PINK_COLOUR),
    )
    game_toml = (folder / "favours" / "game.toml").read_text(encoding="utf-8").splitlines()
    for name in ("ja.ftl", "board/art/emblem.svg"):
        (folder / "favours" / name).unlink()
    code, findings, _ = check(folder, "--quick")
    assert code == 1 and findings == [
        "favours/board/art/emblem.svg:1: there is no emblem.svg: the lobby shows the default emblem",
        f"favours/game.toml:{game_toml.index(PINK_COLOUR) + 1}: "
        "the colour pink is not one of gules, azure, vert, purpure, tenne, sable, or",
        f"favours/game.toml:{game_toml.index('[presets.open-court]') + 1}: "
        "the preset open-court is left out: secrets is 2, 1, 0, not 7",
        "favours/ja.ftl:1: there is no ja.ftl",
    ]


def test_a_field_without_a_row_for_a_seat_is_reported_at_its_declaration(changed_game):
    findings = read_findings(
        changed_game(THREE_PLAYERS_ONLY, ("favours/table.py", "PLAYERS = 4", "PLAYERS = 2")), "--quick"
    )
    reported = [(line.partition(" =")[0], text) for file, line, text in findings if file.endswith("table.py")]
    text = "{} is private: its first axis must be seats(3), a row for each possible seat"
    assert reported == [(name, text.format(name)) for name in ("hand", "secret")]


def test_an_endless_loop_is_reported(changed_game):
    loop = "    while s.size[seat]:\n        s.phase = Phase.GIVING\n"
    folder = changed_game(THREE_PLAYERS_ONLY, ("favours/rules.py", "    s.size[seat] -= 1\n", loop))
    code, _, other_output = check(folder, "--quick")
    failed_checks, skipped_checks = re.search(
        r" of (\d+) checks failed[^\n]*\n(\d+) more checks did not run: an endless loop", other_output
    ).groups()
    assert code == 1 and int(failed_checks) and int(skipped_checks)


def test_progress_is_shown_on_a_terminal(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(checking, "PROGRESS_DELAY_S", 0)
    monkeypatch.setattr(sys, "stderr", Terminal())
    reporter = checking.CheckReporter()
    with reporter.report_progress():
        reporter.pytest_runtest_logstart("cli_common.py::TestAsked::test_a_mistake_is_caught[hands are public]")
        while not re.search(r"a mistake is caught \(hands are public\), \d+ s", reporter.err.getvalue()):
            time.sleep(0.05)  # otherwise the time limit of the test passes
        reporter.pytest_runtest_logfinish()
    assert reporter.done_count == 1


def test_an_unknown_game_or_package_is_reported(tmp_path):
    code, findings, other_output = check(tmp_path, game="nowhere", games="nowhere.at.all")
    assert code == 1 and not findings and "there is no game 'nowhere'" in other_output
    code, findings, other_output = check(tmp_path, game="nowhere.at.all", games="nowhere.at.all")
    assert code == 1 and not findings and "there is no package nowhere.at.all" in other_output


def test_a_packages_tests_may_be_elsewhere(changed_game):
    folder = changed_game(THREE_PLAYERS_ONLY, ("tests/drives-away.toml", "gone = { heir = 3 }", "gone = { heir = 2 }"))
    (folder / "tests").rename(folder / "trials")
    [(file, _, _)] = read_findings(folder, "--quick", "--tests", "trials")
    assert file == "trials/drives-away.toml"


def test_missing_requirements_are_reported(tmp_path):
    (tmp_path / "pytest.py").write_text("raise ModuleNotFoundError(name='pytest')\n", encoding="utf-8")
    code, findings, other_output = check(tmp_path, game="petition", games="")
    assert code == 1 and not findings and 'pytest is not installed: pip install "courtly[testing]"' in other_output


@pytest.mark.parametrize(("typed", "offered"), [("pe", ["petition"]), ("n", ["necklace", "newtown"])])
def test_the_shell_completes_the_names_of_games(typed, offered):
    assert [item.value for item in GameName().shell_complete(None, None, typed)] == offered


def test_an_interrupted_run_is_aborted(monkeypatch):
    monkeypatch.setattr(checking.pytest, "main", lambda *_, **__: pytest.ExitCode.INTERRUPTED)
    monkeypatch.setenv("COURTLY_GAMES", "sealed_bids")
    with pytest.raises(click.Abort):
        checking.run_checks("sealed_bids", resources.TEST_FOLDERS["sealed_bids"], [])


def test_a_run_without_checks_has_not_passed():
    reporter = checking.CheckReporter()
    reporter.err = io.StringIO()
    reporter.begin(find_game("sealed_bids"), None)
    assert not reporter.end() and "sealed_bids: no checks could run in 0 s" in click.unstyle(reporter.err.getvalue())


def test_errors_of_pytest_and_of_the_collection_are_failures():
    reporter = checking.CheckReporter()
    reporter.err, reporter.out = io.StringIO(), io.StringIO()
    reporter.begin(find_game("sealed_bids"), None)
    finding = Finding(find_game("sealed_bids").folder / "game.toml", 3, "the version is missing")
    for error in (pytest.Collector.CollectError("cannot collect"), CheckFailedError([finding])):
        error.__cause__ = CheckFailedError([finding]) if isinstance(error, pytest.Collector.CollectError) else None
        reporter.pytest_exception_interact(SimpleNamespace(excinfo=SimpleNamespace(value=error)))
    assert click.unstyle(reporter.out.getvalue()).count("game.toml:3: the version is missing\n") == 1
    reporter.pytest_internalerror("INTERNALERROR> a plug-in fails")
    assert "a plug-in fails" in reporter.err.getvalue() and reporter.failed_count == 3
