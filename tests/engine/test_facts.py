"""Facts: what the rules derive from a view. They cannot reveal more than the view, since they have no other input."""

import json
import random
from types import SimpleNamespace

from courtly.engine.game import Game, find_game
from courtly.engine.match import new_match
from courtly.engine.position import Position
from courtly.testing.checks.properties import audience_of, other_world, random_positions

BIDS = find_game("sealed_bids")


def with_facts(facts):
    """Return sealed bids with these facts."""
    game = Game(BIDS.package)
    game.__dict__["shown"] = SimpleNamespace(facts=facts)
    return game


def test_facts_cannot_reveal_hidden_information():
    game = with_facts(lambda s, seat: {name: getattr(s, name) for name in s.fields})
    rng, differences = random.Random(1), 0
    for position in random_positions(game, 3, rng):
        seat = rng.randrange(-1, 3)
        world = other_world(position, seat, rng.randrange(1 << 30))
        facts = [game.facts(world_position.view(audience_of(seat))) for world_position in (position, world)]
        assert facts[0] == facts[1], f"the facts reveal hidden information to seat {seat}"
        differences += any(getattr(position.state, name) != getattr(world.state, name) for name in ("hand", "deck"))
        assert set(facts[0]["deck"]) == {0}
        assert all(set(hand) == {0} for other, hand in enumerate(facts[0]["hand"]) if other != seat)
    assert differences > 10


def test_facts_may_change_the_state_they_receive():
    def facts(s, seat):
        s.prize = 99
        s.score[0] = 99
        return {"seat": -1 if seat is None else seat}

    game = with_facts(facts)
    position = Position(game, 2)
    view = position.view(1)
    view_and_state_before = json.dumps(view), position.state.pack()
    assert game.facts(view) == {"seat": 1}
    assert (json.dumps(view), position.state.pack()) == view_and_state_before


def test_people_get_facts_and_bots_compute_them():
    match = new_match(with_facts(lambda s, seat: {"n": s.players}), 3, seed=1)
    assert match.view(0)["facts"] == match.view(None)["facts"] == {"n": 3}
    assert "facts" not in match.now().view(0)


def test_a_game_without_facts_sends_none():
    view = new_match(BIDS, 3, seed=1).view(0)
    assert "facts" not in view and BIDS.facts(view) is None
