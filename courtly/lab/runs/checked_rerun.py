"""Games played once more, or for the first time, with everything looked at: RulesError says what is wrong where."""

from __future__ import annotations

from courtly.engine.errors import RulesError, errors_name_game
from courtly.engine.game import Game, find_game
from courtly.engine.native.sanitizer import CheckedPosition
from courtly.engine.rng import draw_below, make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.interpreted_game import play_game

TRIAL_GAMES = 3  # games that are looked at whatever is asked for


def rerun_game(plan: Plan, number: int) -> None:
    """One game of a plan, move for move what drivers play."""
    if plan.bots:
        with errors_name_game(number, plan.seed):
            play_game(plan, number, CheckedPosition)
    else:
        play_random_checked(find_game(plan.game), plan.players, plan.options, plan.seed, number)


def play_random_checked(game: Game, players: int, options: dict[str, int], seed: int, number: int) -> None:
    """One in which everybody moves at random, at any table."""
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
        assert position.scores is not None  # they can be told


def explain_failure(plan: Plan, first: int, games: int, what: str) -> RulesError:
    """Why one of these games did not go as it must: `what`, if nothing is found when they are played again."""
    try:
        for number in range(first, first + games):
            rerun_game(plan, number)
    except RulesError as wrong:
        return wrong
    return RulesError(plan.game, what, run=f"game {first} of seed {plan.seed}")


def play_trial_games(plan: Plan) -> None:
    """The first games, so that the most common mistakes are found, and before a compiler has worked for nothing."""
    for number in range(min(TRIAL_GAMES, plan.games)):
        rerun_game(plan, number)
