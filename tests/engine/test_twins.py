"""Nobody can tell two worlds apart that differ only in what they may not know; see tests/twins.py."""

import random

import pytest
from properties import invariants, random_options
from twins import begun, never_made, take_back, twins_cannot_be_told_apart

from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match

pytestmark = pytest.mark.thorough
SEATED = [(name, players) for name in game_ids() for players in find_game(name).players]


@pytest.mark.parametrize(("name", "players"), [(name, players) for name, players in SEATED if find_game(name).hidden])
def test_twins(name, players, long):
    game = find_game(name)
    compared, hidden = twins_cannot_be_told_apart(
        game, players, random.Random(11), 20_000 if long else 1000, 20_000 if long else 100
    )
    assert hidden > compared // 20, "the twins were the same match"


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
    ("name", "method", "mistake", "steps"),
    [("puppet", "_check_legal", naive_check, 3000), ("necklace", "_undone", naive_undo, 6000)],
)
def test_twins_notice_an_oracle(monkeypatch, name, method, mistake, steps):
    """What these games once told: a neighbour's cards by refusals, and what others did in silence by an undo that
    broke the game."""
    monkeypatch.setattr(Match, method, mistake)
    with pytest.raises((AssertionError, IndexError)):
        twins_cannot_be_told_apart(find_game(name), 3, random.Random(11), steps)


def undo_leaves_no_trace(match):
    """Every seat that is offered undo takes it: all is as if its moves had never been made."""
    for seat in range(match.players):
        if not match.can_undo(seat):
            continue
        without, undone = never_made(match, seat), match.copy()
        take_back(undone, seat)
        invariants(match.game.id)(undone.state)
        assert undone.state == without.state
        for eyes in (*range(match.players), None):
            seen, wanted = undone.view(eyes), without.view(eyes)
            assert {**seen, "seq": 0, "undo": 0} == {**wanted, "seq": 0, "undo": 0}, (
                f"seat {eyes}, after seat {seat} took back"
            )
        yield undone


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_what_is_taken_back_was_never_made(name, players, long):
    game, r = find_game(name), random.Random(12)
    offered = 0
    while offered < (2000 if long else 60):
        match = begun(game, players, random_options(game, r))
        for _ in range(r.randrange(600)):
            if match.over:
                break
            actor = r.choice(match.actors)
            match.apply(actor, r.choice(match.legal(actor)))
            if r.random() < 0.15:
                for undone in undo_leaves_no_trace(match):
                    offered += 1
                    if r.random() < 0.1:
                        match = undone
