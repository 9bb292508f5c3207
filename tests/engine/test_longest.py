"""No game goes on for ever: whoever plays, it keeps within the bounds of its `game.toml`.

Beside players at random there are some who want a long game, or many moves to choose from: they rank the verbs, always
do what they rank highest, and change the ranking here and there as long as it serves. Who wants many moves also looks
one move ahead.
"""

import random

import pytest
from properties import tables

from courtly.engine.game import CHANCE, NOBODY, BeyondBounds, Game, find_game, game_ids
from courtly.engine.position import Position
from courtly.lab.simulate import Plan, simulate

BIDS = find_game("sealed_bids")


def play(game, players, options, rank, r, ahead=0):
    """A game by a ranking of the verbs; chance brings whatever it can, likely or not. What it came to, as `bounds`.

    Of so many moves that rank the same that one is made which leaves the most moves open.
    """
    position, verb = Position(game, players, options), game.rules.VERB
    moves, weights, widest = [0] * game.room, [0] * game.room, 0
    while not position.over:
        if position.state.pending == CHANCE:
            position.apply(NOBODY, moves[r.randrange(game.rules.chance(position.state, moves, weights))])
            continue
        seat = r.choice(position.pending)
        n = game.rules.legal(position.state, seat, moves)
        widest = max(widest, n)
        highest = max(rank[verb[move]] for move in moves[:n])
        equal = [move for move in moves[:n] if rank[verb[move]] == highest]
        if ahead and len(equal) > 1:
            equal = [max(r.sample(equal, min(ahead, len(equal))), key=lambda move: open_after(position, seat, move))]
        position.apply(seat, r.choice(equal))
    return {"decisions": position.decisions, "events": position.events, "moves": widest}


def open_after(position, seat, move):
    """How many moves the next to decide would have."""
    after = position.now()
    after.apply(seat, move)
    return max((len(after.legal(seat)) for seat in after.pending), default=0)


def changed(rank, r):
    """The same ranking, but for a few verbs."""
    return rank | {verb: r.randrange(4) for verb in r.sample(sorted(rank), min(3, len(rank)))}


def seek(game, goal, steps, r, at=None):
    """The most of this that was come to in so many steps at each of these tables, or of many."""
    most, rank = 0, dict.fromkeys(game.rules.VERB, 0)  # at first they play at random
    for players, options in at or tables(game, r):
        best, left, tried = 0, steps, rank
        while left > 0:
            found = play(game, players, options, tried, r, 3 * (goal == "moves"))
            assert found["moves"] <= game.bounds["moves"]
            left -= found["decisions"] + found["events"]
            if found[goal] >= best:
                best, rank = found[goal], tried
            tried = changed(rank, r)
        most = max(most, best)
    return most


@pytest.mark.parametrize("goal", ["decisions", "events", "moves"])
@pytest.mark.parametrize("name", game_ids())
def test_whoever_plays_it_keeps_within_its_bounds(name, goal, long):
    game = find_game(name)
    steps = (400_000 if long else 8_000) // (8 if goal == "moves" else 1)  # to look ahead takes time
    found = seek(game, goal, steps, random.Random(goal))
    print(f"{name}: {found} of {game.bounds[goal]} {goal}")


@pytest.fixture
def bounds():
    """Bounds of sealed bids, to be changed."""
    before = BIDS.bounds
    BIDS.bounds = dict(before)
    yield BIDS.bounds
    BIDS.bounds = before


@pytest.mark.parametrize("goal", ["decisions", "events"])
def test_who_seeks_a_long_game_finds_bounds_that_are_too_narrow(bounds, goal):
    bounds[goal] //= 2
    with pytest.raises(BeyondBounds, match=f"sealed_bids has more than {bounds[goal]} {goal}"):
        seek(BIDS, goal, 1000, random.Random(1))


def test_the_bounds_of_sealed_bids_are_reached():
    found = {goal: seek(BIDS, goal, 20_000, random.Random(1), [(5, {})]) for goal in BIDS.bounds}
    assert found == BIDS.bounds


def test_a_choice_that_is_too_wide_is_an_error(bounds):
    match = BIDS.match(players=5, seed=1)
    bounds["moves"] = 4
    with pytest.raises(BeyondBounds, match="more than 4 moves"):
        match.legal(0)


@pytest.mark.parametrize("what", ["decisions", "events"])
def test_simulations_of_a_game_that_does_not_end_name_it(bounds, what):
    bounds[what] = 20
    with pytest.raises(BeyondBounds, match="sealed_bids: game 0 of seed 5"):
        simulate(Plan("sealed_bids", 5, 3, 5, {}, None), interpreted=True, cores=1)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[bounds]\ndecisions = 9\nevents = 9\n",
        "[bounds]\ndecisions = 9\nevents = 9\nmoves = 0\n",
        "[bounds]\ndecisions = 9\nevents = 9.5\nmoves = 9\n",
        "[bounds]\ndecisions = 9\nevents = 9\nmoves = 9\nrounds = 9\n",
    ],
    ids=["none", "no moves", "no move", "half an event", "rounds"],
)
def test_a_game_that_does_not_say_its_bounds_is_refused(tmp_path, monkeypatch, said):
    (tmp_path / "boundless").mkdir()
    (tmp_path / "boundless" / "game.toml").write_text(f'id = "boundless"\nversion = 1\n{said}')
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match="boundless: .bounds. of game.toml"):
        Game("boundless")
