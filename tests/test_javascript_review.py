"""Reviews in a browser: node judges the decisions of finished games as Python does."""

import copy
import json
import random

import pytest
from node_program import needs_node
from test_local_match import add_game, answer_in_node, folder

from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.engine.transcript import write_record
from courtly.review.analysis import iter_choices, judge, load_search, make_review

__all__ = ["folder"]  # a fixture
SIMULATIONS = 800  # of each move, as many as a browser makes
FEW_SIMULATIONS = 40
JUDGED_CHOICES = 8  # of a game
UNDO_SHARE = 0.1


def play_game(name, seed):
    """Return a finished match of random moves, some of which were taken back."""
    game, generator = find_game(name), random.Random(seed)
    match = Match(game, generator.choice(game.players), None, SeededChance(seed))
    while not match.over:
        undoing_seats = [seat for seat in range(match.players) if match.can_undo(seat)]
        if undoing_seats and generator.random() < UNDO_SHARE:
            match.undo(generator.choice(undoing_seats))
            continue
        seat = generator.choice(match.pending)
        match.play(seat, generator.choice(match.legal(seat)))
    return match


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_decisions_are_judged_the_same(folder, name):
    add_game(folder, name)
    match = play_game(name, 5)
    choices = [*iter_choices(match)]
    indices = random.Random(name).sample(range(len(choices)), min(JUDGED_CHOICES, len(choices)))
    commands = [("begin_review", write_record(match)), *(("judge", index) for index in indices)]
    seats, *judged = answer_in_node(folder, commands)
    assert seats == {"answer": [choice.seat for choice in choices]}
    search = load_search(name, SIMULATIONS)
    assert [answer["answer"] for answer in judged] == [judge(search, choices[index]) for index in indices]


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_judged_decisions_make_the_same_review(folder, name):
    add_game(folder, name)
    match = play_game(name, 6)
    search = load_search(name, FEW_SIMULATIONS)
    decisions = [judge(search, choice) for choice in iter_choices(match)]
    assert any(decision["goes_on"] for decision in decisions) or name == "sealed_bids"
    commands = [("begin_review", write_record(match)), ("finish_review", copy.deepcopy(decisions))]
    _, found = answer_in_node(folder, commands)
    assert found == {"answer": make_review(match, SIMULATIONS, decisions)}


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_decisions_of_a_growing_review_are_those_of_the_whole_one(folder, name):
    """Whichever have been judged. Only those are missing whose loss is not known yet."""
    add_game(folder, name)
    match, generator = play_game(name, 8), random.Random(name)
    search, choices = load_search(name, FEW_SIMULATIONS), [*iter_choices(match)]
    decisions = [judge(search, choice) for choice in choices]
    subsets = [
        [copy.deepcopy(decision) if generator.random() < share else None for decision in decisions]
        for share in (0, 0.2, 0.5, 0.8, 0.95, 1)
    ]
    commands = [("begin_review", write_record(match)), *(("summarize_review", subset) for subset in subsets)]
    _, *answers = answer_in_node(folder, copy.deepcopy(commands))
    whole = make_review(match, SIMULATIONS, decisions)["decisions"]
    for subset, answer in zip(subsets, answers, strict=True):
        growing = answer["answer"]
        assert growing["choiceCount"] == len(choices)
        for number, decision in zip(growing["numbers"], growing["decisions"], strict=True):
            assert decision | {"goes_on": None} == whole[number] | {"goes_on": None}
        for number in {i for i, decision in enumerate(subset) if decision} - {*growing["numbers"]}:
            following = next(i for i in range(number + 1, len(choices)) if choices[i].seat == choices[number].seat)
            assert subset[following] is None and choices[following].goes_on
    assert answers[-1]["answer"]["numbers"] == [*range(len(choices))]


@needs_node
def test_what_cannot_be_reviewed_is_said(folder):
    add_game(folder, "sealed_bids")
    record = write_record(play_game("sealed_bids", 7))
    [*lines, _] = record.splitlines(keepends=True)
    unfinished = "".join(lines[:1]) + json.dumps({"over": False, "scores": None})
    found = answer_in_node(
        folder, [("judge", 0), ("begin_review", unfinished), ("begin_review", "".join(lines)), ("begin_review", record)]
    )
    assert found[0] == {"wrong": "no review has begun"}
    assert found[1] == {"wrong": "the game is not over"} and "ends with" in found[2]["wrong"]
    assert found[3]["answer"]
