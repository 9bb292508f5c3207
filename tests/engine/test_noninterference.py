"""Two worlds that differ only in what a seat may not know are indistinguishable to it; see
courtly/testing/checks/noninterference.py.
"""

import random

import pytest

from courtly.engine.errors import RulesError
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.testing.checks.mutation import make_mutant
from courtly.testing.checks.noninterference import (
    TwinMatches,
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
from courtly.testing.failure_location import PropertyFailedError
from courtly.testing.resources import mistakes, reason_for_few_secrets


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


def make_faulty_game(mistake):
    """Return sealed bids with one of the mistakes of tests/games/sealed_bids/mistakes.py."""
    return make_mutant(
        find_game("sealed_bids"), next(found for found in mistakes("sealed_bids") if found[0] == mistake)
    )


def test_determinize_reveals_what_it_must_not_use():
    game = make_faulty_game("determinize peeks at the deck")
    with pytest.raises(PropertyFailedError, match="determinize used what .* cannot see"):
        check_twins_indistinguishable(game, 2, random.Random(1), 2000)


def test_a_silent_move_that_is_counted_is_detected(monkeypatch):
    monkeypatch.setattr(Match, "seq", lambda match, seat: len(match.entries))
    with pytest.raises(PropertyFailedError, match="is silent, but .* received an event"):
        check_twins_indistinguishable(find_game("sealed_bids"), 2, random.Random(1), 2000)


def deal_cards(game):
    """Return a match of two players that choose their first cards. The first player has two jesters and a one."""
    match = start_match(game, 2, {"looks": 0})
    while match.chance:
        match.apply(-1, match.legal(-1)[0])
    return match


def test_an_undo_that_only_one_twin_shows_is_not_made():
    choice = "    if verb == MOVES.choose:\n"
    shown = ("a chosen jester is shown", "rules.py", choice, choice.replace(":", " and X[move]:"))
    twins = TwinMatches(make_mutant(find_game("sealed_bids"), shown), 2, 1, random.Random(1))
    twins.a = deal_cards(twins.game)
    jester, one = twins.a.legal(0)
    twins.a.apply(0, jester)
    twins.b = twins.a.copy()
    twins.a.apply(0, one)  # silent, while the twin would take back the jester
    before = twins.a, twins.b, twins.compared
    assert twins.a.can_undo(0) and twins.b.can_undo(0)
    assert not twins._undo() and (twins.a, twins.b, twins.compared) == before


def keep_a_point(take_back, match, *arguments):
    position = take_back(match, *arguments)
    position.state.score[0] += 1
    return position


def end_after_an_undo(legal, match, seat):
    return [] if any(entry.undo for entry in match.entries) else legal(match, seat)


@pytest.mark.parametrize(
    ("method", "fault", "message"),
    [
        ("_position_without", keep_a_point, "the state differs from the one before its moves"),
        ("legal", end_after_an_undo, "the view of seat 0 differs from the one before its moves"),
    ],
    ids=["state", "view"],
)
def test_an_undo_that_leaves_a_trace_is_detected(monkeypatch, method, fault, message):
    match = deal_cards(find_game("sealed_bids"))
    match.apply(0, match.legal(0)[0])
    original = getattr(Match, method)
    monkeypatch.setattr(Match, method, lambda *arguments: fault(original, *arguments))
    with pytest.raises(PropertyFailedError, match=message):
        for _ in check_undo_leaves_no_trace(match):
            pass


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
