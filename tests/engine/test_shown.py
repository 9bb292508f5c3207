"""Facts: what the rules make of a view. They can tell no more than the view does, because they are made of nothing
else."""

import json
import random
import re
from types import SimpleNamespace

import pytest
from properties import eyes, other_world, positions

from courtly.engine.game import NOBODY, Game, find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.position import Position

BIDS = find_game("sealed_bids")
SHOWN = [name for name in game_ids() if find_game(name).shown]


def with_facts(facts):
    """Sealed bids, with this beside its rules."""
    game = Game(BIDS.package)
    game.__dict__["shown"] = SimpleNamespace(facts=facts)
    return game


def test_facts_that_would_tell_everything_tell_what_the_view_shows():
    game = with_facts(lambda s, seat: {name: getattr(s, name) for name in s.fields})
    r, hidden = random.Random(1), 0
    for play in positions(game, 3, r):
        seat = r.randrange(-1, 3)
        world = other_world(play, seat, r.randrange(1 << 30))
        told = [game.facts(p.view(eyes(seat))) for p in (play, world)]
        assert told[0] == told[1], f"seat {seat} is told of what it cannot see"
        hidden += any(getattr(play.state, name) != getattr(world.state, name) for name in ("hand", "deck"))
        assert set(told[0]["deck"]) == {0}
        assert all(set(hand) == {0} for other, hand in enumerate(told[0]["hand"]) if other != seat)
    assert hidden > 10


def test_facts_may_be_worked_out_on_the_state_that_they_are_given():
    def facts(s, seat):
        s.prize = 99
        s.score[0] = 99
        return {"seat": -1 if seat is None else seat}

    game = with_facts(facts)
    position = Position(game, 2)
    view = position.view(1)
    before = json.dumps(view), position.state.pack()
    assert game.facts(view) == {"seat": 1}
    assert (json.dumps(view), position.state.pack()) == before


def test_people_get_facts_and_bots_work_them_out_themselves():
    match = with_facts(lambda s, seat: {"n": s.players}).match(3, seed=1)
    assert match.view(0)["facts"] == match.view(None)["facts"] == {"n": 3}
    assert "facts" not in match.now().view(0)


def test_a_game_without_facts_sends_none():
    view = BIDS.match(3, seed=1).view(0)
    assert "facts" not in view and BIDS.facts(view) is None


def plain(value):
    """Is this a number, an id or nothing, or a row or names of such? No words."""
    if isinstance(value, dict):
        return all(key.isidentifier() and plain(part) for key, part in value.items())
    if isinstance(value, str):
        return re.fullmatch("[a-z][a-z_-]*", value)
    return all(map(plain, value)) if isinstance(value, list) else value is None or type(value) is int


@pytest.mark.parametrize("name", SHOWN)
def test_facts_are_numbers_and_ids_that_come_through_json(name):
    game = find_game(name)
    for players in game.players:
        for number, play in enumerate(positions(game, players, random.Random(players))):
            seat = number % (players + 1) - 1
            view = play.view(None if seat == NOBODY else seat)
            found = game.facts(view)
            assert isinstance(found, dict) and plain(found), found
            assert json.loads(json.dumps(found)) == found == game.facts(json.loads(json.dumps(view)))
            if number > 1500:
                break


@pytest.mark.parametrize("name", SHOWN)
def test_the_facts_of_a_match_are_those_of_its_view(name):
    match = find_game(name).match(seed=5)
    assert isinstance(match, Match)
    for seat in (*range(match.players), None):
        view = match.view(seat)
        assert view["facts"] == match.game.facts(view)
