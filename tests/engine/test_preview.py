"""Preview: the view after some of a seat's own moves, which are not made. It contains only what the seat could derive
itself.
"""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.match import Match, new_match
from courtly.engine.position import CommandRefusedError
from courtly.testing.checks.noninterference import check_previews_equal

BIDS = find_game("sealed_bids")


def new_bids(**options):
    return new_match(BIDS, 2, seed=1, options=options)


def legal_move(match, seat, verb):
    return next(move for move in match.legal(seat) if move.verb == verb)


def test_several_moves_in_order():
    match = new_bids(looks=0)
    choose, ready = legal_move(match, 0, "choose"), BIDS.moves.read("ready")
    view = match.preview(0, [choose, ready])
    assert [cue["verb"] for cue in view["cues"]] == ["choose", "ready"] and view["pending"] == [1]
    assert match.pending == (0, 1)


def test_illegal_moves_cannot_be_previewed():
    match = new_bids(looks=1)

    def refusal(*arguments):
        with pytest.raises(CommandRefusedError) as error:
            match.preview(*arguments)
        return error.value.id

    look, ready = legal_move(match, 0, "look"), BIDS.moves.read("ready")
    assert refusal(0, [look]) == "error-unforeseen"
    assert refusal(0, [look, ready]) == "error-unseen"
    assert refusal(0, [ready]) == "error-illegal"
    assert refusal(0, []) == refusal(0, [100_000]) == "error-unknown-move"
    assert refusal(0, [look], match.seq(0) + 1) == "error-stale"
    assert refusal(5, [look]) == "error-unknown-seat"


def naive_preview(match, seat, moves, seq=None):
    """Reveals what a move shows."""
    after, since = match.copy(), match.seq(seat)
    for move in match.check(seat, moves, seq):
        after.apply(seat, move)
    return after.view(seat, since)


@pytest.mark.parametrize(("name", "players"), [("sealed_bids", 2), ("puppet", 3), ("necklace", 3)])
def test_a_leaking_preview_is_detected(monkeypatch, name, players):
    monkeypatch.setattr(Match, "preview", naive_preview)
    with pytest.raises(AssertionError, match="the preview of"):
        check_previews_equal(find_game(name), players, random.Random(13), 5000)
