"""Our games have everything that a game's folder can have, and errors in a folder are detected."""

import shutil
from pathlib import Path

import pytest

from courtly.engine.game import Game, find_game, game_ids
from courtly.testing.checks.package_layout import find_layout_errors

GAME_FILES = ("table.py", "facts.py", "bot.py", "rules.en.md", "rules.ja.md")
BOARD_FILES = ("board.js", "board.css", "position.js", "cues.js", "say.js", "art/emblem.svg")


@pytest.mark.parametrize("name", [name for name in game_ids() if not find_game(name).card.get("test")])
def test_our_games_are_complete(name):
    folder = find_game(name).folder
    assert [
        file for file in (*GAME_FILES, *(f"board/{file}" for file in BOARD_FILES)) if not (folder / file).exists()
    ] == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of sealed bids, with a board of two modules and an emblem."""
    folder = tmp_path / f"of_{tmp_path.name}"  # its own package
    shutil.copytree(find_game("sealed_bids").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "board" / "art").mkdir(parents=True)
    (folder / "board" / "art" / "emblem.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>\n')
    (folder / "board" / "board.js").write_text('export { board } from "./felt.js";\n')
    (folder / "board" / "felt.js").write_text("export const board = () => null;\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_a_complete_folder_passes(folder):
    assert list(find_layout_errors(Game(folder.name))) == []


@pytest.mark.parametrize(
    ("declaration", "replacement", "message"),
    [
        ("score = i8(SEATS, most=12)", "score = i8(SEATS)", "score must declare what its numbers mean"),
        ("known = i8(SEATS,", "known = i8(PLAYERS,", "known is private: its first axis must be seats(5)"),
        ("known = i8(SEATS,", "known = i8(seats(4),", "known is private: its first axis must be seats(5)"),
    ],
)
def test_an_unclear_field_is_reported_in_its_line(folder, declaration, replacement, message):
    rules = folder / "rules.py"
    source = rules.read_text()
    assert source.count(declaration) == 1
    rules.write_text(source.replace(declaration, replacement))
    [finding] = find_layout_errors(Game(folder.name))
    assert message in finding.text and finding.file == rules
    assert replacement in rules.read_text().splitlines()[finding.line - 1]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("notes.txt", "", "notes.txt is not part of a game's folder"),
        ("chapter.py", "", "chapter.py is not part of a game's folder"),
        ("tables.json", "{}", "tables.json is not part of a game's folder"),
        ("board/chart.js", "", "board.js does not import chart.js"),
        ("board/more.css", "", "board.js does not import more.css"),
        ("ja.ftl", None, "there is no ja.ftl"),
        ("board/board.js", None, "board.js is missing"),
        ("board/art/emblem.svg", None, "there is no emblem.svg"),
        ("rules.py", "from {package}.bot import choose\n", "the rules must not import bot"),
        ("rules.py", "del determinize\n", "rules.py has no determinize"),
    ],
)
def test_errors_in_a_folder_are_reported(folder, file, text, message):
    (folder / "bot.py").write_text("def choose(game, view, rng):\n    return 0\n")
    if text is None:
        (folder / file).unlink()
    else:
        with (folder / file).open("a") as opened_file:
            opened_file.write(text.replace("{package}", folder.name))
    findings = {finding.text: finding.file.name for finding in find_layout_errors(Game(folder.name))}
    assert message in " ".join(findings) and set(findings.values()) == {Path(file).name}
