"""The files of scenarios, which are stored with the tests of a game."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

from courtly.engine.game import Game
from courtly.engine.scenarios.scenario import Scenario


def find_test_folder(game: Game) -> Path | None:
    """Return the folder of a game's tests: `tests/games/<game>`, `tests/<game>` or `tests` of its project, which is the
    folder with the `pyproject.toml`. Returns None if there is no such folder, or the game is installed from a wheel."""
    for project in game.folder.parents:
        if project.name in ("site-packages", "dist-packages"):
            break
        if (project / "pyproject.toml").exists():
            tests = project / "tests"
            return next(
                (folder for folder in (tests / "games" / game.id, tests / game.id, tests) if folder.is_dir()), None
            )
    return None


def load_module(file: Path) -> Any:
    """Return the module in a file; None if there is no such file."""
    if not file.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"{file.stem}_of_{file.parent.name}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_scenario(game: Game, path: Path) -> Scenario:
    """Return the scenario in a file. Raises ScenarioError if it is invalid."""
    complete = getattr(load_module(path.with_name("position.py")), "complete", None)
    return Scenario(game, tomllib.loads(path.read_text(encoding="utf-8")), complete)
