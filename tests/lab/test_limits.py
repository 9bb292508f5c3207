"""The laboratory with nothing to measure, with bots and components that fail, and without git and libraries."""

import subprocess
from concurrent.futures import Future
from functools import partial
from math import inf
from types import SimpleNamespace
from unittest.mock import Mock

import click
import numpy as np
import pytest
from click.testing import CliRunner

from courtly.engine.errors import RulesError
from courtly.engine.game import find_game
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.position import Position
from courtly.lab.cli import LabGroup
from courtly.lab.dataset import _describe_setting
from courtly.lab.design import tune
from courtly.lab.design.parameters import ComponentNumbers, InvalidParameterError
from courtly.lab.plan import Components, Plan
from courtly.lab.provenance import source_commit
from courtly.lab.report import collect
from courtly.lab.report.collect import ReportRequest
from courtly.lab.report.plots import draw_histogram
from courtly.lab.runs import checked_rerun, simulate
from courtly.lab.runs.component_override import InvalidComponentsError
from courtly.lab.runs.interpreted_game import choose_move
from courtly.lab.statistics.game_measures import Estimate, GameMeasures, Histogram
from courtly.lab.statistics.named_measures import _win_share_spread
from courtly.lab.statistics.variance_decomposition import MirroredDeals
from courtly.lab.strength.match_runner import PlayedGame
from courtly.lab.strength.ratings import estimate_ratings

BIDS = find_game("sealed_bids")
PLAN = Plan("sealed_bids", 2, 1, 5, {}, None)


# --- statistics -------------------------------------------------------------------------------------------------------


def test_nothing_is_drawn_without_games():
    assert draw_histogram(Histogram()) == ""


def test_a_ratio_to_nothing_is_unknown():
    measures = GameMeasures(2, (), 1)
    assert measures.ratio("decisions", {}) == Estimate(0.0, -inf, inf, measures.games)


def test_components_that_nobody_owned_have_no_spread():
    assert _win_share_spread(SimpleNamespace(held=np.zeros(3), won=np.zeros(3)), [0, 2]) == 0.0


def test_deals_that_all_end_the_same_have_no_parts():
    deals = SimpleNamespace(players=2)
    assert MirroredDeals._parts(deals, 3.0, np.full((2, 2), 3.0), np.full((2, 2, 2), 3.0)) == [0.0] * 4


def test_one_deal_gives_ratings_without_an_interval():
    games = [PlayedGame("sealed_bids", "code", 1, 0, ("random", "squire"), (60, 0), (), ())]
    (first, *interval), (second, *other_interval) = estimate_ratings(["random", "squire"], games, "squire")
    assert first > second == 0 and interval == other_interval == [-inf, inf]


@pytest.mark.parametrize(("value", "expected"), [(0.5, 1.0), (0.75, 0.0)])
def test_exact_figures_differ_or_do_not(value, expected):
    assert collect._p_value(Estimate(0.5, 0.5, 0.5, 9), Estimate(value, value, value, 9)) == expected


# --- plans ------------------------------------------------------------------------------------------------------------


def test_the_command_of_a_report_names_its_options():
    request = ReportRequest("sealed_bids", (2,), 10, 1, "random", {"looks": 0}, ("random",))
    assert request.command.endswith(" --levels random --option looks=0")


@pytest.mark.parametrize("bots", [["random"], ["page", "squire", "random"]])
def test_the_levels_of_a_game_without_a_policy(monkeypatch, bots):
    monkeypatch.setattr(collect, "list_bots", lambda game: bots)
    assert collect.default_levels(BIDS) == (("random", "squire") if "squire" in bots else ("random",))


def test_options_that_the_game_refuses_are_no_variant():
    assert collect._is_possible(BIDS, 2, {"looks": 1}) and not collect._is_possible(BIDS, 2, {"looks": 7})


def test_a_list_of_settings_is_described():
    assert _describe_setting("bots {}", ["random", "squire"]) == "bots random, squire"


def test_a_component_file_without_numbers_has_no_parameter():
    numbers = ComponentNumbers(Components("words.toml", 'name = "court"\n'))
    with pytest.raises(InvalidParameterError, match="matches no number in words.toml; it has no numbers"):
        numbers.parameters(("cards.*",), ())


# --- failures ---------------------------------------------------------------------------------------------------------


def test_a_missing_module_of_courtly_is_a_bug_and_another_is_named():
    def load(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    modules = {"own": "courtly.lab.nowhere", "other": "pyarrow"}
    group = LabGroup(
        commands={word: click.Command(word, callback=partial(load, name)) for word, name in modules.items()}
    )
    assert isinstance(CliRunner().invoke(group, ["own"]).exception, ModuleNotFoundError)
    result = CliRunner().invoke(group, ["other"])
    assert result.exit_code == 1 and 'pyarrow is not installed: pip install "courtly[lab]"' in result.output


def test_without_git_there_is_no_commit(monkeypatch):
    monkeypatch.setattr(subprocess, "run", Mock(side_effect=FileNotFoundError("git")))
    assert source_commit() == ""


def test_a_failure_that_the_checked_rules_do_not_repeat_is_reported_as_it_is():
    error = checked_rerun.explain_failure(PLAN, 7, 1, "the driver stopped")
    assert "the driver stopped" in str(error) and "game 7 of seed 5" in str(error)


def test_a_failure_of_the_rules_inside_a_bot_is_one_of_the_rules():
    error = RulesError("sealed_bids", "a card is lost")

    def choose(game, view, rng):
        raise error

    position = Position(BIDS, 2)
    while position.chance:
        position.apply(-1, position.legal(-1)[0])
    with pytest.raises(RulesError) as raised:
        choose_move(position, 0, "own", choose, [])
    assert raised.value is error


def test_a_state_that_is_too_wide_is_searched_with_checks(monkeypatch):
    played = []

    def play_game(plan, number, kind):
        played.append((number, kind))
        return SimpleNamespace(state=SimpleNamespace(pack=Mock(side_effect=OverflowError("score"))))

    monkeypatch.setattr(simulate, "play_game", play_game)
    with pytest.raises(OverflowError, match="score"):
        simulate._play_bots(PLAN._replace(bots=("random", "random")), 9, 1)
    assert played == [(9, Position), (9, CheckedPosition)]


@pytest.mark.parametrize("error", [InvalidComponentsError("no cards"), RulesError("sealed_bids", "a card is lost")])
def test_components_that_the_rules_reject_are_no_trial(monkeypatch, error):
    monkeypatch.setattr(tune, "_get_swapper", lambda *_: Mock(play=Mock(side_effect=error)))
    assert tune._play_trial(PLAN, "components.toml", "", 1) is None
    failed = Future()
    failed.set_exception(error)
    cluster = Mock(submit=Mock(return_value=failed))
    monkeypatch.setattr(tune.ray_cluster, "make_executor", lambda *_: cluster)
    search = SimpleNamespace(numbers=Mock(file="components.toml"), changed_numbers=lambda values: values)
    assert tune.TuneSearch._play(search, PLAN, {}, 1) is None
    assert cluster.shutdown.called
