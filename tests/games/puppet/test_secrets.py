"""A seat of Puppet Kingdom learns exactly what follows from what it has seen."""

import json
import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.match import new_match
from courtly.engine.rng import make_generator
from courtly.games.puppet.table import DEPTH, KINDS, Phase
from courtly.testing.checks.mutation import make_mutant

GAME = find_game("puppet")


def deductions(game, players, seed):
    """Yield some moments of a random game: the deductions shown to a seat, and the union of the worlds that it cannot
    distinguish.
    """
    rng = random.Random(seed)
    match = new_match(game, players=players, seed=seed, options={"deduction": 1})
    while match.state.round < 5 and not match.over:
        seat = rng.choice(match.pending)
        match.play(seat, rng.choice(match.legal(seat)))
        s = match.state
        if s.seat < 0 or rng.random() < 0.7:
            continue
        seat = rng.randrange(players)
        possible_servants = [[0] * KINDS for _ in range(players)]
        for number in range(120):
            world = s.copy()
            game.rules.determinize(world, seat, make_generator(number))
            for other in range(players):
                for servant in range(KINDS):
                    possible_servants[other][servant] |= world.down[other][servant] if other != seat else 0
        yield s.possible[seat][:players], possible_servants


@pytest.mark.parametrize("players", [2, 3])
def test_deductions_are_exact(players):
    checked = 0
    for shown_deductions, possible_servants in deductions(GAME, players, 3):
        assert shown_deductions == possible_servants
        checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    "mutant",
    [
        (
            "deductions know the truth",
            "worlds.py",
            "            s.possible[me][other][servant] = 1 if can else 0",
            "            s.possible[me][other][servant] = s.down[other][servant]",
        ),
        (
            "deductions forget the passed cards",
            "worlds.py",
            "        if s.passed[me][servant]:\n                knows_second = True\n",
            "        if s.passed[me][servant]:\n                knows_first = True\n",
        ),
    ],
    ids=lambda m: m[0],
)
def test_a_mistake_in_deductions_is_detected(mutant):
    game = make_mutant(GAME, mutant)
    assert any(
        shown_deductions != possible_servants
        for players in (2, 3)
        for shown_deductions, possible_servants in deductions(game, players, 3)
    )


def test_others_learn_only_that_a_choice_was_made():
    r = random.Random(6)
    hidden = 0
    for seed in range(6):
        match = new_match(GAME, players=2 + seed % 2, seed=seed)
        while not match.over:
            seat = r.choice(match.pending)
            match.play(seat, r.choice(match.legal(seat)))
        for watcher in (*range(match.players), None):
            for cue in match.view(watcher, 0)["cues"]:
                if (
                    cue["verb"] in ("keep", "decide")
                    and cue["seat"] != watcher
                    or watcher is None
                    and cue["verb"] in ("deal", "peek")
                ):
                    assert cue["args"] is None
                    hidden += 1
        dealt = [
            sum(cue["verb"] == "deal" and cue["args"] is not None for cue in match.view(w, 0)["cues"])
            for w in range(match.players)
        ]
        assert dealt == [3 * match.state.round] * match.players
        peeks = [
            sum(cue["verb"] == "peek" and cue["args"] is not None for cue in match.view(w, 0)["cues"])
            for w in range(match.players)
        ]
        assert sum(peeks) == sum(
            e.move >= GAME.moves.peek and GAME.moves.decode(e.move).verb == "peek" for e in match.entries
        )
    assert hidden > 100


def choose_in_both_worlds(first_world, second_world, watcher, rng):
    """Make a secret choice of the same seat in two worlds. The watcher chooses the same in both where possible; others
    choose freely, about the same building. Return whether the choices are equal.
    """
    seat = rng.choice(first_world.pending)
    first_choice = rng.choice(first_world.legal(seat))
    choices = second_world.legal(seat)
    if seat == watcher and first_choice in choices:
        choices = [first_choice]
    elif "building" in first_choice.args:
        choices = [move for move in choices if move.args == first_choice.args]
    second_choice = rng.choice(choices)
    first_world.play(seat, first_choice)
    second_world.play(seat, second_choice)
    return first_choice == second_choice


def cues_about_others(match, watcher, since):
    """Return the watcher's messages about other seats since then, without random events."""
    return [json.dumps(cue) for cue in match.view(watcher, since)["cues"] if cue["seat"] not in (watcher, -1)]


def test_the_seats_shown_cards_by_a_choice_are_declared_exactly():
    """The first choice passes cards on: to the left neighbour if it has chosen, and to the chooser if the right
    neighbour has. No other choice shows cards to a seat.
    """
    rng = random.Random(1)
    revealed_count = 0
    for seed in range(30):
        match = new_match(GAME, players=2 + seed % 2, seed=seed)
        while match.state.phase == Phase.DRAFTING:
            seat = rng.choice(match.pending)
            move = rng.choice(match.legal(seat)).id
            revealed_mask = GAME.rules.reveals(match.state, seat, move)
            received_before = [row[:] for row in match.state.received]
            match.play(seat, move)
            assert revealed_mask == sum(
                1 << n for n, row in enumerate(match.state.received) if row != received_before[n]
            )
            revealed_count += revealed_mask.bit_count()
    assert revealed_count == 30 * 5 // 2


def count_unnoticed_choices(game, players):
    """In some random games, every secret choice is made differently in two worlds, which no watcher may notice. Return
    how many choices differed, by phase.
    """
    rng = random.Random(players)
    differing_choices = {Phase.DRAFTING: 0, Phase.TAXING: 0}
    for seed in range(6):
        match = new_match(game, players=players, seed=seed)
        while not match.over:
            round, phase = match.state.round, match.state.phase
            for watcher in (*range(players), None) if phase in differing_choices else ():
                first_world, second_world, seq = match.copy(), match.copy(), match.seq(watcher)
                while (first_world.state.round, first_world.state.phase) == (round, phase):
                    differing_choices[phase] += not choose_in_both_worlds(first_world, second_world, watcher, rng)
                    assert cues_about_others(first_world, watcher, seq) == cues_about_others(second_world, watcher, seq)
            seat = rng.choice(match.pending)
            match.play(seat, rng.choice(match.legal(seat)))
    return differing_choices


@pytest.mark.parametrize("players", [2, 3])
def test_messages_do_not_depend_on_secret_choices(players):
    assert min(count_unnoticed_choices(GAME, players).values()) > 20


def test_a_verb_that_reveals_a_decision_is_detected():
    mutant = make_mutant(
        GAME,
        (
            "the last decision about taxes tells what it was",
            "table.py",
            '    hidden=dict(pay="decide", forgo="decide"),\n',
            "",
        ),
    )
    with pytest.raises(AssertionError, match="forgo"):
        count_unnoticed_choices(mutant, 2)


def test_events_seen_by_the_hermit_are_uniform_for_others():
    match = new_match(GAME, players=2, seed=1)
    r = random.Random(2)
    while not any(match.state.looked[0]):
        if match.over:
            match = new_match(GAME, players=2, seed=r.randrange(1000))
        seat = r.choice(match.pending)
        match.play(seat, r.choice(match.legal(seat)))
    place = match.state.looked[0].index(1)
    pile = [e for e in range(DEPTH) if e + 1 not in (match.state.newest, match.state.older)]
    for watcher in (1, -1):
        count = dict.fromkeys(pile, 0)
        for number in range(600):
            world = match.state.copy()
            GAME.rules.determinize(world, watcher, make_generator(number))
            count[world.order[place] - 1] += 1
            assert world.known[0][place] == world.order[place]
        assert all(abs(n - 600 / len(pile)) < 75 for n in count.values())
    world = match.state.copy()
    GAME.rules.determinize(world, 0, make_generator(1))
    assert world.order == match.state.order
