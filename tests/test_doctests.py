"""The examples in the docstrings of the package and its engine are correct."""

import doctest
import importlib

import pytest

import courtly

MODULES = ("courtly", "courtly.engine.match", "courtly.engine.position")


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_correct(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0 and failed == 0


def test_games_can_be_listed_after_a_game_was_loaded():
    courtly.game("petition")
    assert courtly.games() == courtly.games()
