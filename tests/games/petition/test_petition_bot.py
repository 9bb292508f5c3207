"""The bot of To Court the King: it always finds a legal move, beats chance and ends its games, and its odds are
correct.
"""

from functools import cache
from itertools import combinations, product

import pytest

from courtly.bots.registry import choose_at_random
from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.position import Position
from courtly.engine.rng import SeededChance, draw_below, make_generator
from courtly.games.petition import bot, odds
from courtly.games.petition import rules as r
from courtly.games.petition.dice import earned
from courtly.games.petition.table import Card

GAME = find_game("petition")


def play(bots, seed, **options):
    match, rng = Match(GAME, len(bots), options, SeededChance(seed)), make_generator(seed)
    while not match.over:
        seat = match.pending[0]
        match.play(seat, bots[seat](GAME, match.view(seat), rng))
    return match


def test_the_bot_beats_chance():
    for seed in range(4):
        bots = [choose_at_random, choose_at_random]
        bots[seed % 2] = bot.choose
        scores = play(bots, seed).scores
        assert scores[seed % 2] > scores[1 - seed % 2]


@pytest.mark.parametrize("players, options", [(2, {}), (4, dict(early_powers=0, fools=0)), (5, dict(dice_limit=30))])
def test_the_bots_games_end_in_good_time(players, options):
    match = play([bot.choose] * players, 3, **options)
    assert 6 <= match.state.round <= 20


@pytest.mark.parametrize("options", [{}, dict(dice_limit=30, fools=0), dict(early_powers=0)], ids=str)
def test_the_bot_always_finds_a_legal_move(options):
    """Also with hands and dice that its own play does not lead to. The time is bounded with a dozen dice and every
    character.
    """
    position, rng = Position(GAME, 2, options), make_generator(9)
    for step in range(12_000):
        if position.over:
            break
        [seat] = position.actors
        legal = position.legal(seat)
        if seat != NOBODY and step % 60 == 0:
            view = position.view(seat)
            assert bot.choose(GAME, view, rng) in legal
            turn = bot.Turn(r.State.from_view(view["state"]), legal)
            turn.choose()
            assert len(turn.known) < 5_000
        position.apply(seat, legal[draw_below(rng, len(legal))])


def test_the_bot_moves_pips_to_a_wanted_face():
    s = r.State(players=2, first_player=1)
    r.setup(s)
    s.owns[0][Card.PHILOSOPHER] = 1
    r.begin_turn(s)
    position, rng = Position(GAME, state=s), make_generator(1)
    position.apply(0, r.MOVES.roll)
    while position.chance:
        position.happen(rng)
    for f, (active, aside) in enumerate([(1, 0), (1, 0), (0, 0), (2, 0), (0, 2), (0, 0)]):
        position.state.active[f], position.state.aside[f] = active, aside
    move = bot.choose(GAME, position.view(0), rng)
    assert r.MOVES.words(move).startswith("philosopher ")
    position.apply(0, move)
    assert position.state.active[4] == 1, "a third five"


def best_expected_worth(free_dice, kept_dice, worth, keeps):
    """Return the best expected worth, by trying every roll and every set of dice to keep (in any order)."""

    @cache
    def best_worth(free_dice, kept_dice):
        if free_dice == 0:
            return worth(kept_dice)
        sum_of_worths = 0.0
        for dice in product(range(6), repeat=free_dice):
            sum_of_worths += max(
                best_worth(free_dice - len(kept_now), tuple(sorted(kept_dice + kept_now))) for kept_now in keeps(dice)
            )
        return sum_of_worths / 6**free_dice

    return best_worth(free_dice, kept_dice)


def keep_wanted_or_one(wanted_faces):
    """Keep every die that helps, or else one."""
    return lambda dice: [tuple(d for d in dice if d in wanted_faces) or dice[:1]]


def test_odds_of_a_face():
    for k, p in enumerate(odds.of_a_face(3)):
        assert p == pytest.approx(
            best_expected_worth(3, (), lambda dice, k=k: dice.count(5) == k, keep_wanted_or_one({5}))
        )


def every_set(dice):
    """Return all ways to keep some of these dice, at least one."""
    return {tuple(sorted(some)) for n in range(1, len(dice) + 1) for some in combinations(dice, n)}


@pytest.mark.parametrize("card", bot.AIMS, ids=lambda card: Card[card])
@pytest.mark.parametrize("kept", [(), (0,), (3,), (2, 2), (0, 5), (1, 2, 3), (4, 4, 4), (1, 1, 3, 3, 3)], ids=str)
def test_the_chance_to_meet_a_requirement(card, kept):
    """The best player may choose any face: two dice show a pair with probability 11/36, not 2/27."""

    def is_met(dice):
        return earned(counts_by_face(dice), bot.NOTHING) >> card & 1

    for free in range(3 if kept else 4):
        exact_chance = best_expected_worth(free, kept, is_met, every_set)
        assert odds.meets(card, counts_by_face(kept), free) == pytest.approx(exact_chance, abs=1e-6)


def counts_by_face(dice):
    return tuple(dice.count(face) for face in range(6))


def test_dice_beyond_the_tables_are_ignored():
    aside = (12, 0, 0, 0, 0, 0)
    assert odds.meets(Card.GENERAL, aside, 3) == 1 and odds.meets(Card.ALCHEMIST, aside, 3) == 0
    assert odds.meets(Card.BISHOP, bot.NOTHING, 30) == odds.meets(Card.BISHOP, bot.NOTHING, 12)


def test_a_power_gives_a_die_the_needed_face():
    one, two = bot.ONE[0], bot.plus(bot.ONE[0], bot.ONE[1])
    assert bot.chance_of(Card.FARMER, one, 1, 1) == 1
    assert (
        bot.chance_of(Card.GUARD, two, 2, 1)
        == odds.meets(Card.GUARD, bot.plus(two, one), 1)
        == pytest.approx(1 / 6, abs=1e-6)
    )


def test_the_biggest_group():
    rolls_by_group = [0] * 4
    for dice in product(range(6), repeat=3):
        rolls_by_group[max(dice.count(d) for d in dice)] += 1
    group = odds.biggest_group(3)
    assert sum(group) == pytest.approx(1)
    three = (
        rolls_by_group[3] + rolls_by_group[2] * odds.of_a_face(1)[1] + rolls_by_group[1] * odds.of_a_face(2)[2]
    ) / 216
    assert group[3] == pytest.approx(three)
