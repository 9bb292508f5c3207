"""Games played interpreted with every check on, so that a RulesError names the faulty line."""

from __future__ import annotations

from courtly.engine.errors import RulesError, errors_name_game
from courtly.engine.game import Game, find_game
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.rng import draw_below, make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.interpreted_game import play_game

TRIAL_GAMES = 3  # first games of every plan that are played with checks


def rerun_game(plan: Plan, number: int) -> None:
    """Play one game of a plan with checks, with the same moves as the drivers. Raises RulesError if the rules fail."""
    if plan.bots:
        with errors_name_game(number, plan.seed):
            play_game(plan, number, CheckedPosition)
    else:
        play_random_checked(find_game(plan.game), plan.players, plan.options, plan.seed, number)


def play_random_checked(game: Game, players: int, options: dict[str, int], seed: int, number: int) -> None:
    """Play one random game with checks, for any players and options. Raises RulesError if the rules fail."""
    with errors_name_game(number, seed):
        position = CheckedPosition(game, players, options)
        rng = make_generator(seed, number)
        while not position.over:
            if position.chance:
                position.happen(rng)
            else:
                seat = position.pending[0]
                moves = position.legal(seat)
                position.apply(seat, moves[draw_below(rng, len(moves))])
        assert position.scores is not None  # computing the scores must not fail


def explain_failure(plan: Plan, first: int, games: int, problem: str) -> RulesError:
    """Play games with checks and return the error that they raise; if none fails, a RulesError with `problem`."""
    try:
        for number in range(first, first + games):
            rerun_game(plan, number)
    except RulesError as error:
        return error
    return RulesError(plan.game, problem, run=f"game {first} of seed {plan.seed}")


def play_trial_games(plan: Plan) -> None:
    """Play the first games with checks, to find common mistakes before a long compilation. Raises RulesError."""
    for number in range(min(TRIAL_GAMES, plan.games)):
        rerun_game(plan, number)
