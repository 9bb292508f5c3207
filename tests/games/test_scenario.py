"""The scenario runner: invalid scenarios and failed expectations raise errors with the reason."""

import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from games.petition import position

from courtly.engine.game import find_game
from courtly.engine.scenarios import files, scenario

VALID_SCENARIO = {
    "title": "a turn",
    "players": 2,
    "options": {"first_player": 1},
    "given": {"phase": "ACTING", "active": [6, 5, 2], "owns": {"0": ["guard"]}},
    "step": [
        {
            "do": ["0 keep 2"],
            "legal": ["0 roll"],
            "illegal": ["0 finish"],
            "refused": {"0 finish": "dice-left"},
            "choices": ["0 keep 5, keep 6, roll, add guard"],
            "expect": {"aside": [2], "kept": 1, "pending": [0], "owns": {"0": {"guard": 1}}},
        }
    ],
}


def run(**changes):
    data = {**VALID_SCENARIO, **{k: v for k, v in changes.items() if k in scenario.SCENARIO_KEYS}}
    step = {k: v for k, v in changes.items() if k in scenario.STEP_KEYS}
    if step:
        data["step"] = [step]
    scenario.Scenario(find_game("petition"), data, position.complete).run()


def test_a_correct_scenario_passes():
    run()


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"do": ["0 keep 3"]}, "keep face=3 is not legal"),
        ({"do": ["1 keep 2"]}, "is not legal"),
        ({"do": ["* die 2"]}, "is not legal"),
        ({"do": ["0 steal 2"]}, "unknown verb 'steal'"),
        ({"do": ["0 keep 7"]}, "not one of"),
        ({"do": ["keep 2"]}, "must begin with a seat"),
        ({"legal": ["0 roll"]}, "is not legal"),
        ({"illegal": ["0 keep 2"]}, "is legal"),
        ({"choices": ["0 keep 2"]}, "may also"),
        ({"refused": {"0 roll": "dice-left"}}, "keep-first"),
        ({"refused": {"0 keep 2": "keep-first"}}, "is legal"),
        ({"expect": {"aside": [2]}}, "aside is"),
        ({"expect": {"kept": 1}}, "kept is 0"),
        ({"expect": {"owns": {"0": ["maid"]}}}, "owns.0 is"),
        ({"expect": {"hats": 1}}, "no field"),
        ({"expect": {"active": [9]}}, "no 9"),
        ({"expect": {"phase": "DANCING"}}, "'DANCING' is neither"),
        ({"scores": [0, 0]}, "not over"),
        ({"given": {"phase": "ACTING", "active": [6, 5, 2, 1]}}, "3 dice at the start"),
        ({"given": {"phase": "ACTING", "active": [6, 5, 2], "used": ["guard"]}}, "is impossible"),
        ({"given": {"hats": 1}}, "no field"),
        ({"given": {"owns": {"0": ["jester"]}}}, "no 'jester'"),
        ({"given": {"owns": [["guard"]]}}, "owns needs a list of 5 rows"),
        ({"given": {"conceded": [1, 0]}}, "conceded has 5 numbers, not 2"),
        ({"expect": {"kept": 0.5}}, "0.5 is not a whole number"),
        ({"step": []}, "at least one step"),
        ({"step": [{"dance": []}]}, "keys of a step: dance"),
    ],
)
def test_an_incorrect_scenario_fails_with_the_reason(changes, reason):
    with pytest.raises((scenario.ScenarioError, ValueError), match=reason):
        run(**changes)


def test_other_scores_at_the_end_are_reported():
    file = Path(position.__file__).parent / "the-holder-of-the-queen-gives-up.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    data["step"][-1]["scores"] = [865, 759]
    with pytest.raises(scenario.ScenarioError, match=r"the scores are \[759, 865\], not \[865, 759\]"):
        scenario.Scenario(find_game("petition"), data, position.complete).run()


def test_a_game_without_a_project_or_from_a_wheel_has_no_tests(tmp_path):
    for folder in (tmp_path / "game", tmp_path / "site-packages" / "game"):
        assert files.find_test_folder(SimpleNamespace(id="game", folder=folder)) is None
