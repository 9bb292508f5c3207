"""Two worlds that differ only in what a seat may not know are indistinguishable to it; see
courtly/testing/checks/noninterference.py.
"""

import random

import pytest

from courtly.engine.errors import RulesError
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.testing.checks.noninterference import (
    check_twins_indistinguishable,
    check_undo_leaves_no_trace,
    start_match,
)
from courtly.testing.checks.properties import (
    MIN_HIDDEN_FRACTION,
    MIN_SECRET_STEP_FRACTION,
    is_enough_hidden,
    is_sought,
    random_options,
)
from courtly.testing.resources import reason_for_few_secrets


def naive_check(match, seat, moves):
    """Plays a batch on a copy of the true state before checking that all of it is legal."""
    position = match.now()
    for move in moves:
        if move not in position.legal(seat):
            raise position._refusal(seat, move)
        position.apply(seat, move)


def naive_undo(match, seat, last):
    """Assumes that others' silent moves could have come first."""
    position = match._position_before(seat, last.start)
    for move_done in match._done_moves[last.stop :]:
        position.apply(move_done.seat, move_done.move)
    return position


@pytest.mark.parametrize(
    ("name", "method", "mistake", "seed", "steps"),
    [("puppet", "_check_legal", naive_check, 11, 3000), ("necklace", "_position_without", naive_undo, 2, 6000)],
)
def test_an_oracle_is_detected(monkeypatch, name, method, mistake, seed, steps):
    """Former leaks of these games: error messages revealed a neighbour's cards, and an undo revealed silent moves by
    breaking the game.
    """
    monkeypatch.setattr(Match, method, mistake)
    with pytest.raises((AssertionError, IndexError, RulesError)):
        check_twins_indistinguishable(find_game(name), 3, random.Random(seed), steps)


def test_only_a_game_with_few_secrets_has_a_lower_threshold():
    """A special threshold for one game had weakened the check of all others."""
    for name in [*game_ids(), "sealed_bids"]:
        game, has_few_secrets = find_game(name), name == "newtown"
        assert bool(reason_for_few_secrets(name)) == has_few_secrets
        assert (
            is_enough_hidden(game, 2, 100, MIN_SECRET_STEP_FRACTION)
            == is_enough_hidden(game, 4, 100, MIN_HIDDEN_FRACTION)
            == has_few_secrets
        )
        assert is_enough_hidden(game, 6, 100, MIN_SECRET_STEP_FRACTION) and is_enough_hidden(
            game, 11, 100, MIN_HIDDEN_FRACTION
        )
        assert not is_enough_hidden(game, 0, 0, MIN_HIDDEN_FRACTION) and not is_enough_hidden(
            game, 1, 100, MIN_SECRET_STEP_FRACTION
        )
        assert is_sought(game, 1, 100) == has_few_secrets


@pytest.mark.parametrize("name", game_ids())
def test_every_game_of_ours_has_moves_that_can_be_undone(name):
    """Otherwise the property that undos leave no trace would be vacuous."""
    game, rng, undos_offered = find_game(name), random.Random(12), 0
    match = start_match(game, game.players[-1], random_options(game, rng))
    while undos_offered < 10:
        assert not match.over
        actor = rng.choice(match.actors)
        match.apply(actor, rng.choice(match.legal(actor)))
        undos_offered += sum(1 for _ in check_undo_leaves_no_trace(match))
