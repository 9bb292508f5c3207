"""The properties of every game notice mistakes in its rules: those that stand in the game's mistakes.py."""

import pytest
from mutants import caught, mistakes

from courtly.engine.game import find_game, game_ids

pytestmark = pytest.mark.thorough
MISTAKES = [
    pytest.param(name, mistake, id=f"{name}: {mistake[0]}", marks=[pytest.mark.long] * rare)
    for name in game_ids()
    for rare in (False, True)
    for mistake in mistakes(name, rare)
]


@pytest.mark.parametrize(("name", "mistake"), MISTAKES)
def test_a_mistake_is_caught(name, mistake):
    assert caught(find_game(name), mistake, 60_000)


@pytest.mark.parametrize("name", [name for name in game_ids() if mistakes(name, rare=False)])
def test_the_rules_themselves_pass(name):
    assert not caught(find_game(name), ("nothing", "rules.py", "def setup(s):", "def setup(s):"), 500)
