"""Plans of hints: their moves can be made, they are the best ones, and they lead where they say."""

import random
from itertools import pairwise
from math import sqrt

import pytest

from courtly.bots import turn_plan
from courtly.bots.advice import MAX_HINTS, advise
from courtly.bots.search.search import EXACT_DRIVER, Search
from courtly.bots.turn_plan import MAX_TURNS, MIN_AIM_SHARE, TurnPlan, explain_plan, find_aims, plan_turn
from courtly.engine.game import find_game, game_ids
from courtly.engine.native import loader
from courtly.games.petition.table import Card
from courtly.testing.checks.properties import RandomGame

PETITION = find_game("petition")
NAMES = list(Card.names)


def list_decisions(number, count, step=1):
    """Return positions of a random game of To Court the King, whose pending seat has a choice."""
    game, found = RandomGame(PETITION, 3, random.Random(number)), []
    while not game.over and len(found) < count * step:
        found += [game.copy() for seat in game.pending if len(game.legal(seat)) > 1]
        game.apply(*game.next())
    return found[::step]


def test_only_games_that_solve_decisions_have_plans():
    assert [name for name in game_ids() if turn_plan.has_plans(find_game(name))] == ["petition"]
    assert [PETITION.moves.decode(move).verb for move in find_aims(PETITION)] == ["claim"] * len(find_aims(PETITION))


@pytest.mark.parametrize("number", range(3))
def test_the_moves_of_a_plan_are_the_best_until_chance_decides(number):
    search, lengths = Search(PETITION, turn_plan.SIMULATIONS), set()
    for position in list_decisions(number, 12, 5):
        seat = position.pending[0]
        for first in position.legal_ids(seat)[:3]:
            plan = plan_turn(PETITION, position.view(seat), first, 1, turns=2)
            assert plan.moves[0] == first
            world = position.copy()
            for move, following in pairwise(plan.moves):
                world.apply(seat, move)
                assert not world.chance and list(world.pending) == [seat]
                view = world.view(seat)
                legal = [legal_move["id"] for legal_move in view["legal"]]
                assert [following] == (legal if len(legal) == 1 else [search.think(view, 1).lines[0].move])
            world.apply(seat, plan.moves[-1])
            assert world.chance or list(world.pending) != [seat] or plan.moves[-1] in find_aims(PETITION)
            lengths.add(len(plan.moves))
    assert len(lengths) > 1


def test_interpreted_and_compiled_plans_are_equal(monkeypatch):
    drivers = [
        loader.load_driver(PETITION, loader.InterpretedBackend(), name) for name in (turn_plan.DRIVER, EXACT_DRIVER)
    ]
    for position in list_decisions(7, 3, 4):
        seat = position.pending[0]
        view, move = position.view(seat), position.legal_ids(seat)[-1]
        compiled = plan_turn(PETITION, view, move, 3, turns=2)
        with monkeypatch.context() as patch:
            patch.setattr(turn_plan, "_load_drivers", lambda game: drivers)
            assert plan_turn(PETITION, view, move, 3, turns=2) == compiled


def test_each_hint_has_another_plan():
    """Keeping the same dice in another order is the same plan."""
    aims_told = 0
    for position in list_decisions(11, 8, 6):
        seat = position.pending[0]
        view = position.view(seat)
        hints = advise(PETITION, view, True)["hints"]
        assert 1 <= len(hints) <= MAX_HINTS
        plans = set()
        for hint in hints:
            reasons = {reason["id"]: reason["args"] for reason in hint["reasons"]}
            following = reasons.get("help-plan", {"moves": []})["moves"]
            assert all(PETITION.moves.decode(move["id"]).as_json() == move for move in following)
            plans.add(tuple(sorted([hint["move"]["id"], *(move["id"] for move in following)])))
            for aim in reasons.get("help-aims", {"aims": []})["aims"]:
                assert aim["move"]["verb"] == "claim" and 0 < aim["percent"] <= 100 and aim["margin"] > 0
                aims_told += 1
        assert len(plans) == len(hints)
    assert aims_told


def test_what_a_plan_rarely_or_surely_leads_to_is_not_told():
    keep, claim = PETITION.moves.keep, find_aims(PETITION)
    sure, usual, rare = claim[1], claim[2], claim[3]
    aims = {sure: 70, usual: 240, rare: int(MIN_AIM_SHARE * MAX_TURNS) - 1}
    [plan, told] = explain_plan(PETITION, TurnPlan((keep, sure), aims, MAX_TURNS))
    assert plan == {"id": "help-plan", "args": {"moves": [PETITION.moves.decode(sure).as_json()]}}
    assert told["args"]["aims"] == [{"move": PETITION.moves.decode(usual).as_json(), "percent": 60, "margin": 5}]
    [always] = explain_plan(PETITION, TurnPlan((keep,), {usual: 20}, 20))
    assert always["args"]["aims"][0] | {"move": None} == {"move": None, "percent": 92, "margin": 11}, "not certain"
    assert explain_plan(PETITION, TurnPlan((keep,), {}, MAX_TURNS)) == []


def test_a_plan_leads_nowhere_more_often_than_its_seat_can_get_there():
    """Without powers, no way to play wins a character more often than the chance that its card shows."""
    told = 0
    for number in range(6):
        [position] = list_decisions(number, 1)
        view = position.view(position.pending[0])
        odds = PETITION.facts(view)["odds"]
        for move in view["legal"]:
            plan = plan_turn(PETITION, view, move["id"], 1)
            for aim, count in plan.aims.items():
                chance = odds[NAMES.index(PETITION.moves.decode(aim).args["card"])]
                if chance:  # the fool can be had with any dice
                    error = sqrt(chance / 100 * (1 - chance / 100) / plan.turns)
                    assert count / plan.turns <= chance / 100 + 4 * error + 0.005, (number, move, aim)
                    told += 1
            assert plan.turns == MAX_TURNS
    assert told


def test_the_same_view_gives_the_same_plan():
    for position in list_decisions(5, 3, 9):
        view = position.view(position.pending[0])
        move = view["legal"][0]["id"]
        assert plan_turn(PETITION, view, move, 1) == plan_turn(PETITION, view, move, 1)
