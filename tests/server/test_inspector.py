"""The points of games that the inspector of `--dev` shows. (browser/test_inspector.py tests its page.)"""

import pytest

from courtly.engine.game import find_game
from courtly.engine.position import CommandRefusedError
from courtly.server.dev import inspector
from courtly.server.dev.inspector import InspectRequest, inspect_point

SCENARIO = """title = "A choice"
players = 2
[given]
phase = "CHOOSE"
pending = [0]
hand.0 = ["one"]
[[step]]
do = ["0 choose one"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the game's scenarios."""
    monkeypatch.setattr(inspector, "find_test_folder", lambda game: tmp_path)
    return tmp_path


def request(**fields):
    return InspectRequest(**{"players": 2, "options": {"looks": 0}, "seed": 5, **fields})


def test_the_view_follows_the_seat_to_move(folder):
    point = inspect_point("sealed_bids", request(seat=None, draw=True, follow=True))
    assert point["view"]["seat"] == 0 and point["view"]["pending"] == [0, 1]


def test_a_scenario_begins_with_its_position_and_lists_its_moves(folder):
    (folder / "choice.toml").write_text(SCENARIO, encoding="utf-8")
    point = inspect_point("sealed_bids", request(scenario="choice", seat=0))
    game = find_game("sealed_bids")
    assert point["steps"] == [[0, game.moves.read("choose one")]]
    assert point["view"]["state"]["phase"] == game.rules.Phase.CHOOSE
    assert inspector.scenarios("sealed_bids") == [{"file": "choice", "title": "A choice"}]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (("choose one", "steal one"), "unknown verb 'steal'"),
        (("CHOOSE", "DANCING"), "'DANCING' is neither a value of phase"),
        (("title =", "titel ="), "titel"),
    ],
)
def test_an_invalid_scenario_is_refused_with_its_reason(folder, changes, reason):
    (folder / "choice.toml").write_text(SCENARIO.replace(*changes), encoding="utf-8")
    with pytest.raises(CommandRefusedError) as error:
        inspect_point("sealed_bids", request(scenario="choice"))
    assert error.value.id == "error-options" and reason in error.value.args_["why"]


def test_a_scenario_that_is_no_toml_is_listed_by_its_name(folder):
    (folder / "choice.toml").write_text("title =", encoding="utf-8")
    assert inspector.scenarios("sealed_bids") == [{"file": "choice", "title": "choice"}]
