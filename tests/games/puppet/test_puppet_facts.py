"""The facts of Puppet Kingdom agree with the rules."""

import random

from courtly.engine.game import find_game
from courtly.games.puppet.cards import Event, Good
from courtly.games.puppet.table import Phase
from courtly.testing.checks.properties import random_positions

GAME = find_game("puppet")


def test_points_are_honour_and_buildings():
    for position in random_positions(GAME, 3, random.Random(2)):
        s = position.state
        assert GAME.facts(position.view(None))["built"] == [s.points[n] - s.goods[n][Good.HONOUR] for n in range(3)]


def test_an_effect_is_listed_while_it_can_be_used():
    effects = set()
    for seed in range(4):
        for position in random_positions(GAME, 3, random.Random(seed)):
            s = position.state
            if s.phase != Phase.ACTING:
                continue
            effect = GAME.facts(position.view(s.seat))["effect"]
            verbs = {move.verb for move in position.legal(s.seat)} - {"take", "buy", "end"}
            assert (effect == "open") == bool(verbs) and (effect == "used") <= s.used
            assert GAME.facts(position.view((s.seat + 1) % 3))["effect"] is None
            effects.add(effect)
    assert effects == {"open", "used", "gone"}


def test_drawn_events_were_in_the_listed_pile_and_place():
    certain_draws = 0
    for seed in range(8):
        for position in random_positions(GAME, 3, random.Random(seed)):
            possible_events = {event.args["event"] for event, _ in position.outcomes() if event.verb == "event"}
            for seat in range(3) if possible_events else ():
                pile = {Event.names[event]: place for event, place in GAME.facts(position.view(seat))["pile"]}
                assert possible_events <= pile.keys()
                for event, place in pile.items():
                    if place == 0 and possible_events == {event}:
                        certain_draws += 1
                    assert place != 0 or event in possible_events
    assert certain_draws > 2
