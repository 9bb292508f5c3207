"""Foresight: the view after some of one's own moves, which are not made. It tells what the seat could work out for
itself, and no more."""

import random

import pytest
from properties import random_options
from twins import Twins, begun

from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.position import Refused

BIDS = find_game("sealed_bids")
SEATED = [(name, players) for name in game_ids() for players in find_game(name).players]


def bids(**options):
    return BIDS.match(2, seed=1, options=options)


def legal(match, seat, verb):
    return next(move for move in match.legal(seat) if move.verb == verb)


@pytest.mark.parametrize("name", game_ids())
def test_what_is_foreseen_is_what_is_seen_when_it_is_done(name):
    game, r, foreseen, refused = find_game(name), random.Random(8), 0, 0
    match = begun(game, max(game.players), random_options(game, r))
    while foreseen < 150:
        if match.over:
            match = begun(game, max(game.players), random_options(game, r))
        actor = r.choice(match.actors)
        move = r.choice(match.legal(actor))
        if actor >= 0:
            before = match.state.pack(), match.entries[:], match.view(actor, 0)
            since = match.seq(actor)
            try:
                wanted = match.foresee(actor, move, since)
            except Refused as why:
                assert why.id == "error-unforeseen" and why.args_ == {"move": move.as_json()}
                wanted = None
            assert before == (match.state.pack(), match.entries, match.view(actor, 0)), "nothing came about"
        shown = actor >= 0 and match.reveals(actor, move) >> actor & 1
        match.apply(actor, move)
        if actor >= 0:
            assert (wanted is None) == bool(shown or match.chance)
            assert wanted in (None, match.view(actor, since))
            foreseen, refused = foreseen + (wanted is not None), refused + (wanted is None)
    assert refused


def test_several_moves_in_order():
    match = bids(looks=0)
    choose, ready = legal(match, 0, "choose"), BIDS.moves.read("ready")
    view = match.foresee(0, [choose, ready])
    assert [cue["verb"] for cue in view["cues"]] == ["choose", "ready"] and view["pending"] == [1]
    assert match.pending == (0, 1)


def test_what_cannot_be_made_cannot_be_foreseen():
    match = bids(looks=1)

    def refusal(*arguments):
        with pytest.raises(Refused) as refused:
            match.foresee(*arguments)
        return refused.value.id

    look, ready = legal(match, 0, "look"), BIDS.moves.read("ready")
    assert refusal(0, [look]) == "error-unforeseen"
    assert refusal(0, [look, ready]) == "error-unseen"
    assert refusal(0, [ready]) == "error-illegal"
    assert refusal(0, []) == refusal(0, [100_000]) == "error-unknown-move"
    assert refusal(0, [look], match.seq(0) + 1) == "error-stale"
    assert refusal(5, [look]) == "error-unknown-seat"


def worlds(game, players, r, wanted):
    """Twins at many points of many games, `wanted` answers long."""
    asked = 0
    while asked < wanted:
        twins = Twins(game, players, r.randrange(players), r)
        skip = r.randrange(150)
        for number in range(400):
            if twins.a.over or asked >= wanted:
                break
            if r.random() < 0.05:
                twins.meet()
            if number >= skip and twins.seat in twins.a.pending and r.random() < 0.3:
                asked += twins.every_foresight_is_the_same(8)
            twins.step()


@pytest.mark.parametrize(("name", "players"), SEATED)
def test_foresight_is_the_same_in_worlds_that_a_seat_cannot_tell_apart(name, players, long):
    worlds(find_game(name), players, random.Random(13), 20_000 if long else 200)


def naive(match, seat, moves, seq=None):
    """Looks behind what a move shows."""
    after, since = match.copy(), match.seq(seat)
    for move in match.check(seat, moves, seq):
        after.apply(seat, move)
    return after.view(seat, since)


@pytest.mark.parametrize(("name", "players"), [("sealed_bids", 2), ("puppet", 3), ("necklace", 3)])
def test_the_worlds_notice_foresight_that_tells(monkeypatch, name, players):
    monkeypatch.setattr(Match, "foresee", naive)
    with pytest.raises(AssertionError, match="foresees"):
        worlds(find_game(name), players, random.Random(13), 5000)
