"""A faulty game of another package is reported in one line and affects nothing else."""

import json
import os
import shutil
from pathlib import Path

import pytest
from test_cli import courtly

TESTS_FOLDER = Path(__file__).parent


@pytest.fixture
def install_copy(tmp_path):
    """Make copies of sealed bids with changes: `install_copy(name, {file: (old, new)})`. It returns the environment in
    which they are installed.
    """
    names = []

    def install(name, changes):
        folder = tmp_path / name
        shutil.copytree(TESTS_FOLDER / "sealed_bids", folder, ignore=shutil.ignore_patterns("__pycache__"))
        for file, (old, new) in changes.items():
            text = (folder / file).read_text(encoding="utf-8") if (folder / file).exists() else ""
            assert old in text
            (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        game_toml = folder / "game.toml"
        game_toml.write_text(game_toml.read_text(encoding="utf-8").replace("sealed_bids", name), encoding="utf-8")
        names.append(name)
        path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {"COURTLY_GAMES": ",".join([*names, "sealed_bids"]), "PYTHONPATH": path}

    return install


@pytest.mark.parametrize(
    ("name", "changes", "messages"),
    [
        ("no_such_name", {"rules.py": ("PLAYERS = 5", "PLAYERS = FIVE")}, ("'FIVE' is not defined", "rules.py:")),
        ("no_python", {"rules.py": ("PLAYERS = 5", "PLAYERS = (5")}, ("SyntaxError", "rules.py:")),
        ("no_bounds", {"game.toml": ("events = 21", "")}, ("[bounds]",)),
        ("no_card", {"game.toml": ("version = 1", "version =")}, ("Invalid value", "line")),
        ("no_colour", {"game.toml": ('colour = "azure"', "")}, ("colour is missing", "game.toml:1)")),
        ("no_json", {"game.toml": ("year = 2026", "year = 2026\nsince = 2026-01-01")}, ("not JSON",)),
        ("no_data", {"components.toml": ("", "stones =")}, ("Invalid value",)),
        ("too_many", {"rules.py": ("(2, 3, 4, 5)", "(2, 3, 40)")}, ("too_many is for up to 40 players",)),
    ],
)
def test_a_faulty_game_is_reported_and_left_out(install_copy, name, changes, messages):
    process = courtly("games", env=install_copy(name, changes))
    assert process.returncode == 0 and "sealed_bids" in process.stdout and "petition" in process.stdout
    assert name not in process.stdout and f"skipping game {name}:" in process.stderr
    assert all(message in process.stderr for message in messages) and "Traceback" not in process.stderr, process.stderr


def test_missing_optional_files_are_reported_and_the_game_is_playable(install_copy, tmp_path):
    env = install_copy(
        "half_done", {"game.toml": ("[bounds]", "[presets.odd]\nnowhere = 1\n[presets]\nodder = 3\n[bounds]")}
    )
    (tmp_path / "half_done" / "ja.ftl").unlink()
    process = courtly("games", "--json", env=env)
    game_entry = next(game for game in json.loads(process.stdout) if game["id"] == "half_done")
    assert list(game_entry["presets"]) == ["plain"]
    for message in (
        "there is no ja.ftl",
        "preset odd is left out: there is no option nowhere",
        "odder is left out: it must be",
    ):
        assert message in process.stderr


def test_a_missing_package_is_left_out(install_copy):
    process = courtly("games", env=install_copy("gone", {}) | {"COURTLY_GAMES": "nowhere.at.all,sealed_bids"})
    assert (
        process.returncode == 0 and "sealed_bids" in process.stdout and "skipping game nowhere.at.all" in process.stderr
    )


@pytest.mark.parametrize("choice", ["-1", "10**9", "None", "max(m['id'] for m in view['legal']) + 1"])
@pytest.mark.parametrize("cores", ["1", "2"])
def test_a_bot_with_an_illegal_move_is_reported(install_copy, choice, cores):
    bot = f"def choose(game, view, rng):\n    return {choice}\n"
    env = install_copy("cheated", {"bot.py": ("", bot)})
    process = courtly("simulate", "cheated", "--bots", "random,heuristic", "--games", "30", "--cores", cores, env=env)
    assert process.returncode != 0 and not process.stdout
    assert "the bot heuristic chose" in process.stderr and "game 0 of seed 0" in process.stderr
    assert "Traceback" not in process.stderr, process.stderr
