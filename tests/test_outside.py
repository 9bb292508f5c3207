"""A faulty game of another package is reported in one line and affects nothing else."""

import json
import os
import shutil
from pathlib import Path

import pytest
from test_cli import courtly

HERE = Path(__file__).parent


@pytest.fixture
def outside(tmp_path):
    """Make copies of sealed bids with changes: `outside(name, {file: (old, new)})`. It returns the environment in which
    they are installed.
    """
    names = []

    def make(name, changes):
        folder = tmp_path / name
        shutil.copytree(HERE / "sealed_bids", folder, ignore=shutil.ignore_patterns("__pycache__"))
        for file, (old, new) in changes.items():
            text = (folder / file).read_text(encoding="utf-8") if (folder / file).exists() else ""
            assert old in text
            (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        card = folder / "game.toml"
        card.write_text(card.read_text(encoding="utf-8").replace("sealed_bids", name), encoding="utf-8")
        names.append(name)
        path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {"COURTLY_GAMES": ",".join([*names, "sealed_bids"]), "PYTHONPATH": path}

    return make


@pytest.mark.parametrize(
    ("name", "changes", "said"),
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
def test_a_faulty_game_is_reported_and_left_out(outside, name, changes, said):
    done = courtly("games", env=outside(name, changes))
    assert done.returncode == 0 and "sealed_bids" in done.stdout and "petition" in done.stdout
    assert name not in done.stdout and f"skipping game {name}:" in done.stderr
    assert all(words in done.stderr for words in said) and "Traceback" not in done.stderr, done.stderr


def test_missing_optional_files_are_reported_and_the_game_is_playable(outside, tmp_path):
    env = outside(
        "half_done", {"game.toml": ("[bounds]", "[presets.odd]\nnowhere = 1\n[presets]\nodder = 3\n[bounds]")}
    )
    (tmp_path / "half_done" / "ja.ftl").unlink()
    done = courtly("games", "--json", env=env)
    about = next(game for game in json.loads(done.stdout) if game["id"] == "half_done")
    assert list(about["presets"]) == ["plain"]
    for said in (
        "there is no ja.ftl",
        "preset odd is left out: there is no option nowhere",
        "odder is left out: it must be",
    ):
        assert said in done.stderr


def test_a_missing_package_is_left_out(outside):
    done = courtly("games", env=outside("gone", {}) | {"COURTLY_GAMES": "nowhere.at.all,sealed_bids"})
    assert done.returncode == 0 and "sealed_bids" in done.stdout and "skipping game nowhere.at.all" in done.stderr


@pytest.mark.parametrize("answer", ["-1", "10**9", "None", "max(m['id'] for m in view['legal']) + 1"])
@pytest.mark.parametrize("cores", ["1", "2"])
def test_a_bot_with_an_illegal_move_is_reported(outside, answer, cores):
    bot = f"def choose(game, view, rng):\n    return {answer}\n"
    env = outside("cheated", {"bot.py": ("", bot)})
    done = courtly("simulate", "cheated", "--bots", "random,heuristic", "--games", "30", "--cores", cores, env=env)
    assert done.returncode != 0 and not done.stdout
    assert "the bot heuristic chose" in done.stderr and "game 0 of seed 0" in done.stderr
    assert "Traceback" not in done.stderr, done.stderr
