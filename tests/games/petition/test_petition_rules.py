"""To Court the King beyond the worked examples: requirements by brute force, invariants of random games, rounds,
powers.
"""

import random
from itertools import combinations, combinations_with_replacement

import pytest
from games.petition import position

from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.petition import rules as r
from courtly.games.petition.dice import earned
from courtly.games.petition.refusals import Refusal
from courtly.games.petition.table import CHARACTERS, MOVES, VERB, Card, Phase, X

GAME = find_game("petition")

TABLES = [
    dict(players=n, **options)
    for n in (2, 3, 4, 5)
    for options in ({}, dict(early_powers=0, fools=0), dict(dice_limit=30, fools=0), dict(round_limit=20))
]


@pytest.mark.parametrize("size", range(1, 9))
def test_requirements_of_all_dice(size):
    """Every multiset of up to eight dice, against a search for dice that form the pattern."""
    needs = [(card, c["needs"]) for card, c in enumerate(CHARACTERS) if c["needs"] and "king" not in c["needs"]]
    for dice in combinations_with_replacement(range(1, 7), size):
        row = [dice.count(face) for face in range(1, 7)]
        active_counts = [min(n, 1) for n in row]
        bits = earned(active_counts, [a - b for a, b in zip(row, active_counts, strict=True)])
        assert bits == sum(1 << card for card, requirement in needs if position.contains(dice, requirement)), dice


class Game:
    """A random game whose internal state can be inspected."""

    def __init__(self, seed, **options):
        self.random = random.Random(seed)
        self.position = Position(GAME, options.pop("players", None), options)
        self.s = self.position.state

    def choices(self):
        """Return the pending seat and its legal moves."""
        [seat] = self.position.actors
        return seat, self.position.legal(seat)

    def step(self):
        seat, choices = self.choices()
        move = self.random.choice(choices)
        self.position.apply(seat, move)
        return seat, move


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_invariants_of_random_games(options):
    for seed in range(2):
        game = Game(seed, **options)
        for _ in range(2500):
            if not game.s.pending:
                break
            seat, choices = game.choices()
            assert choices and len(set(choices)) == len(choices)
            position.check(game.s)
            game.step()
        game.s.pack()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_start_player_rotates_counterclockwise(players):
    """Each player has one turn in each round, clockwise; the last player of a round starts the next one."""
    game = Game(players, players=players, first_player=2)
    turns = []
    while len(turns) < 3 * players * players and game.s.pending:
        current_turn = (game.s.round, game.s.turn, game.s.seat)
        if not turns or turns[-1] != current_turn:
            turns.append(current_turn)
        game.step()
    first_seat = 1 % players
    for i, (round_number, turn, seat) in enumerate(turns):
        assert (round_number, turn) == (i // players + 1, i % players)
        assert seat == (first_seat - (round_number - 1) + turn) % players


def test_the_first_player_is_uniformly_distributed():
    outcomes = Position(GAME, 3).outcomes()
    assert [(str(event), weight) for event, weight in outcomes] == [
        ("start player=0", 1),
        ("start player=1", 1),
        ("start player=2", 1),
    ]


def test_the_alchemist_reaches_exactly_what_the_rules_allow():
    """For every set of up to five active dice: two or three of them become any others with the same sum, and each
    result is reached in exactly one way per set of dice taken.
    """
    for size in range(1, 6):
        for dice in combinations_with_replacement(range(6), size):
            s = r.State(players=2, first_player=1)
            r.setup(s)
            s.pending, s.rolling, s.active = 1, 0, [dice.count(f) for f in range(6)]
            s.owns[0][Card.ALCHEMIST] = 1
            assert alchemist_results(s) == expected_results(dice), dice


def expected_results(dice):
    results = set()
    for size in (2, 3):
        for taken_dice in set(combinations(sorted(dice), size)):
            rest = list(dice)
            for f in taken_dice:
                rest.remove(f)
            for new_dice in combinations_with_replacement(range(6), size):
                if sum(new_dice) == sum(taken_dice) and new_dice != taken_dice:
                    results.add((taken_dice, tuple(sorted([*rest, *new_dice]))))
    return results


def alchemist_results(s):
    """Return all (dice taken, dice afterwards) that the moves of the rules reach. A dead end is an error."""
    results, visited = set(), set()
    pending_states = [(s, ())]
    while pending_states:
        state, taken_dice = pending_states.pop()
        choices = [m for m in Position(GAME, state=state).legal(0) if VERB[m] in (MOVES.alchemist, MOVES.turn)]
        assert choices or state.phase == Phase.ACTING
        for move in choices:
            state_after = state.copy()
            r.apply(state_after, 0, move)
            taken_now = tuple(sorted((*taken_dice, X[move]))) if VERB[move] == MOVES.alchemist else taken_dice
            if state_after.phase == Phase.ACTING:
                results.add((taken_now, tuple(f for f in range(6) for _ in range(state_after.active[f]))))
            elif (key := state_after.pack()) not in visited:
                visited.add(key)
                pending_states.append((state_after, taken_now))
    return results


@pytest.mark.parametrize("options", TABLES[:4], ids=str)
def test_every_illegal_move_has_a_reason(options):
    game = Game(5, **options)
    for _ in range(3000):
        if not game.s.pending:
            break
        seat, choices = game.choices()
        if seat != NOBODY and game.random.random() < 0.05:
            state_before = game.s.copy()
            for move in set(range(MOVES.count)) - set(choices):
                assert 0 <= r.refusal(game.s, seat, move) < len(Refusal)
            assert game.s == state_before
            assert r.refusal(game.s, (seat + 1) % options["players"], choices[0]) == Refusal.NOT_YOUR_TURN
        game.step()
