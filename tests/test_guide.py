"""The game that `courtly new` makes, and docs/a-whole-game.md builds, works under any name."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import guide_page
import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.scaffold import TEMPLATE_FOLDER, ScaffoldError, make_game
from courtly.testing.checks import scenario_checks

ROOT = Path(__file__).parent.parent
NAME, JAPANESE = "tulip_fever", "チューリップ熱"
FILES_NOT_ON_THE_PAGE = {"README.md", "favours/__init__.py"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return make_game(NAME, tmp_path_factory.mktemp("new"), JAPANESE)


def run(package, *args):
    """Run a program in the package's folder, with its game installed."""
    env = os.environ | {"PYTHONPATH": f"{package}{os.pathsep}{ROOT}", "COURTLY_GAMES": NAME, "PYTEST_ADDOPTS": ""}
    process = subprocess.run(
        [sys.executable, "-m", *args], cwd=package, env=env, capture_output=True, text=True, timeout=1200
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_a_new_game_passes_the_tests_of_a_game(package):
    output = run(package, "pytest", "--collect-only", "-q", "-m", "not thorough")
    for name in (
        *("scenario[drives-away]", "scenario[secrets-count]", "record[players-4]"),
        *("the_folder_has_the_plan", "secrets_are_kept[4]", "everything_is_said[ja]"),
    ):
        assert f"tests/test_game.py::TestGame::test_{name}" in output
    assert run(package, "courtly", "check", NAME, "--quick") == "", "unexpected findings"


def test_thorough_checks_pass(package):
    run(package, "pytest", "-q", "-m", "thorough", "-k", "believed or twins or native or mistake")


def test_the_bot_of_a_package_is_better_than_chance(package):
    output = run(
        package,
        *("courtly", "simulate", NAME, "--players", "2", "--games", "200", "--bots", "heuristic,random", "--json"),
    )
    assert json.loads(output)["wins"][0] > 100


def test_the_name_of_a_new_game_is_used_everywhere(package):
    texts_by_path = {
        path: path.read_text(encoding="utf-8") for path in package.rglob("*") if path.suffix not in ("", ".pyc")
    }
    assert [
        path for path, text in texts_by_path.items() if "favours" in f"{path.name} {text}".lower() or "寵愛" in text
    ] == []
    texts = {path.name: text for path, text in texts_by_path.items()}
    assert texts["en.ftl"].startswith(f"{NAME} = Tulip fever\n") and texts["rules.en.md"].startswith("# Tulip fever\n")
    assert texts["ja.ftl"].startswith(f"{NAME} = {JAPANESE}\n") and texts["rules.ja.md"].startswith(f"# {JAPANESE}\n")


def test_the_app_can_be_installed(package):
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["courtly.games"] == {NAME: NAME}
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == [NAME]
    assert (package / NAME / "__init__.py").exists() and (package / project["project"]["readme"]).exists()


@pytest.mark.parametrize(
    "name, reason",
    [
        ("Tulips", "is not a valid name"),
        ("tulip-fever", "is not a valid name"),
        ("../tulips", "is not a valid name"),
        ("7up", "beginning with a letter"),
        ("", "is not a valid name"),
        ("class", "a Python keyword"),
        ("petition", "a game "),
        ("sealed_bids", "a game "),
        ("json", "a Python module"),
        ("tests", "a Python module"),
        ("invariants", "a Python module"),
        ("seat", "the web interface's texts"),
    ],
)
def test_invalid_names_are_rejected(tmp_path, name, reason):
    with pytest.raises(ScaffoldError, match=reason):
        make_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("title", ["", " ", "a\nb", "{ $name }"])
def test_invalid_titles_are_rejected(tmp_path, title):
    with pytest.raises(ScaffoldError, match="not a valid title"):
        make_game(NAME, tmp_path, title)
    assert not list(tmp_path.iterdir())


def test_an_existing_folder_is_not_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(main, ["new", "my_game"])
    assert first.exit_code == 0 and "cd my_game" in first.output
    assert Path("my_game/my_game/ja.ftl").read_text(encoding="utf-8").startswith("my_game = My game\n")
    Path("my_game/my_game/rules.py").write_text("mine", encoding="utf-8")
    second = CliRunner().invoke(main, ["new", "my_game"])
    assert second.exit_code == 1 and second.output.startswith("Error: my_game already exists")
    assert Path("my_game/my_game/rules.py").read_text(encoding="utf-8") == "mine"


def test_the_page_shows_the_current_files():
    page = guide_page.PAGE.read_text(encoding="utf-8")
    assert guide_page.updated_page(page) == page, "run python tests/guide_page.py to copy the files"
    files = {path.relative_to(TEMPLATE_FOLDER).as_posix() for path in TEMPLATE_FOLDER.rglob("*") if path.is_file()}
    assert {
        name for name in files if not name.endswith((".pyc", ".jsonl"))
    } - FILES_NOT_ON_THE_PAGE == guide_page.shown_files(page)


def test_the_guide_explains_scenarios():
    example = "".join(
        line[4:] or "\n" for line in scenario_checks.__doc__.splitlines(True) if line[:4] in ("    ", "\n")
    )
    assert example.strip() in (ROOT / "docs" / "writing-a-game.md").read_text(encoding="utf-8")
