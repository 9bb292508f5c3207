"""The substitute bot is much better than chance, with both sets of rules."""

import random

import pytest

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance
from courtly.games.newtown import bot
from courtly.games.newtown import table as t

GAME = find_game("newtown")
GAMES = 10


def bot_wins(ruleset, players, seed):
    """Play a game against random players; the bot's seat depends on the seed. Return whether the bot wins."""
    match, rng, bot_seat = (
        Match(GAME, players, {"ruleset": ruleset}, SeededChance(seed)),
        random.Random(seed),
        seed % players,
    )
    while not match.over:
        seat = match.pending[0]
        view = match.view(seat, 0)
        move = bot.choose(GAME, view, None) if seat == bot_seat else rng.choice(view["legal"])["id"]
        match.play(seat, [move], seq=match.seq(seat))
    return match.scores[bot_seat] == max(match.scores)


@pytest.mark.parametrize("ruleset", [t.Ruleset.SIMPLE, t.Ruleset.ORIGINAL])
@pytest.mark.parametrize("players", [2, 4])
def test_the_bot_beats_players_that_move_at_random(ruleset, players):
    assert sum(bot_wins(ruleset, players, seed) for seed in range(GAMES)) >= GAMES * 0.9
