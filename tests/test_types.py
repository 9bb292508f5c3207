"""mypy checks programs that use `courtly` with its real types."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README_PROGRAMS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)

PROGRAM = """\
from typing import Any, assert_type

import courtly
from courtly.engine.rng import make_generator
from courtly.engine.state import StateBase

game = courtly.game("necklace")
assert_type(game, courtly.Game)
assert_type(courtly.games(), list[str])
assert_type(game.about(), courtly.GameInfo)
assert_type(game.about()["options"], dict[str, list[int]])
assert_type(game.State(players=2).copy(), StateBase)
assert_type(game.moves.read("keep 4"), int)

match = courtly.new_match("necklace", players=3, seed=7)
assert_type(match, courtly.Match)
assert_type(match.copy(), courtly.Match)
assert_type(match.pending, tuple[int, ...])
assert_type(match.scores, list[int] | None)
assert_type(match.view(0), courtly.View)
assert_type(match.view()["cues"], list[courtly.Cue])
assert_type(match.view(None, 0)["cues"][0]["args"], dict[str, Any] | None)

position = courtly.Position(game, players=2, options={"thin_deck": 1})
assert_type(position.legal(0), list[courtly.Move])
assert_type(position.legal(0)[0].verb, str)
assert_type(position.outcomes(), list[tuple[courtly.Move, int]])
assert_type(position.happen(make_generator(1)), courtly.Move)
assert_type(position.imagine(0, make_generator(1)), courtly.Position)
assert_type(position.state, StateBase)
assert_type(position.view(0)["legal"][0]["id"], int)
courtly.Position.from_view(game, match.view(0))

for either in (position, match):
    either.play(0, 3)
    either.play(0, "keep 4")
    either.play(0, either.legal(0)[0])
    either.play(0, [3, "keep 4", either.legal(0)[0]])
    either.play(0, either.legal(0))
try:
    match.play(0, 3, seq=1)
except courtly.CommandRefusedError as refused:
    assert_type(refused.id, str)

match.play("Ada", 3)                    # wrong
match.play(0, 1.5)                      # wrong
position.play(0, ["keep 4", None])      # wrong
match.shuffle()                         # wrong
match.view(0)["deck"]                   # wrong
game.about()["player"]                  # wrong
courtly.game(3)                         # wrong
"""


def check_types(tmp_path, programs):
    """Run mypy on these programs as for a user with Courtly installed and without a configuration. Return the lines
    with errors, by program.
    """
    assert (ROOT / "courtly" / "py.typed").exists()
    for name, text in programs.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    process = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file=",
            "--cache-dir",
            str(tmp_path / "cache"),
            *(f"{name}.py" for name in programs),
        ],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert process.returncode in (0, 1), process.stdout + process.stderr
    errors = [line for line in process.stdout.splitlines() if ": error: " in line]
    error_lines = {
        name: {int(line.split(":")[1]) for line in errors if line.startswith(f"{name}.py:")} for name in programs
    }
    assert sum(map(len, error_lines.values())) == len(errors), process.stdout
    return error_lines, process.stdout


def test_programs_that_use_courtly_have_real_types(tmp_path):
    readme_programs = {f"shown{i}": text for i, text in enumerate(README_PROGRAMS)}
    error_lines, output = check_types(tmp_path, {"program": PROGRAM, **readme_programs})
    assert readme_programs and all(not error_lines[name] for name in readme_programs), output
    assert error_lines["program"] == {
        i for i, line in enumerate(PROGRAM.splitlines(), start=1) if line.endswith("# wrong")
    }, output


PACKAGES = [ROOT / "courtly" / "template", *(file.parent for file in sorted(ROOT.glob("examples/*/pyproject.toml")))]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.name)
def test_a_game_package_is_checked_strictly(tmp_path, package):
    """With the package's own settings, in its folder."""
    process = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache")],
        cwd=package,
        env={"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    assert "no issues" in process.stdout
