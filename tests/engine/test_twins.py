"""Nobody can tell two worlds apart that differ only in what they may not know; see
courtly/testing/checks/noninterference.py."""

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
    """Plays a batch on a copy of the true state before all of it is known to be legal."""
    position = match.now()
    for move in moves:
        if move not in position.legal(seat):
            raise position._refusal(seat, move)
        position.apply(seat, move)


def naive_undo(match, seat, last):
    """Takes for granted that what others did in silence could have come first."""
    position = match._position_before(seat, last.start)
    for done in match._done[last.stop :]:
        position.apply(done.seat, done.move)
    return position


@pytest.mark.parametrize(
    ("name", "method", "mistake", "seed", "steps"),
    [("puppet", "_check_legal", naive_check, 11, 3000), ("necklace", "_undone", naive_undo, 2, 6000)],
)
def test_twins_notice_an_oracle(monkeypatch, name, method, mistake, seed, steps):
    """What these games once told: a neighbour's cards by refusals, and what others did in silence by an undo that
    broke the game."""
    monkeypatch.setattr(Match, method, mistake)
    with pytest.raises((AssertionError, IndexError, RulesError)):
        check_twins_indistinguishable(find_game(name), 3, random.Random(seed), steps)


def test_only_a_game_that_seldom_hides_anything_may_show_it_seldom():
    """One game that hides little asked less of all others."""
    for name in [*game_ids(), "sealed_bids"]:
        game, rare = find_game(name), name == "newtown"
        assert bool(reason_for_few_secrets(name)) == rare
        assert (
            is_enough_hidden(game, 2, 100, MIN_SECRET_STEP_FRACTION)
            == is_enough_hidden(game, 4, 100, MIN_HIDDEN_FRACTION)
            == rare
        )
        assert is_enough_hidden(game, 6, 100, MIN_SECRET_STEP_FRACTION) and is_enough_hidden(
            game, 11, 100, MIN_HIDDEN_FRACTION
        )
        assert not is_enough_hidden(game, 0, 0, MIN_HIDDEN_FRACTION) and not is_enough_hidden(
            game, 1, 100, MIN_SECRET_STEP_FRACTION
        )
        assert is_sought(game, 1, 100) == rare


@pytest.mark.parametrize("name", game_ids())
def test_every_game_of_ours_has_moves_that_can_be_taken_back(name):
    """Or the property that they leave no trace would hold of nothing."""
    game, r, offered = find_game(name), random.Random(12), 0
    match = start_match(game, game.players[-1], random_options(game, r))
    while offered < 10:
        assert not match.over
        actor = r.choice(match.actors)
        match.apply(actor, r.choice(match.legal(actor)))
        offered += sum(1 for _ in check_undo_leaves_no_trace(match))
