"""Replays a simulated game as a match, whose record can be exported, verified and viewed."""

from __future__ import annotations

from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.rng import SimulatedChance, make_generator
from courtly.lab.plan import Plan
from courtly.lab.runs.interpreted_game import SEAT_STREAM_SHIFT, choose_move


def play_recorded(plan: Plan, number: int) -> Match:
    """Play one game of a plan as a match.

    Args:
        plan: The plan.
        number: The game's number.

    Returns:
        The finished match, with the moves that every other form of the game makes.

    Raises:
        RulesError: The rules or a bot fail.
    """
    from courtly.bots.registry import find_bot

    game = find_game(plan.game)
    source = SimulatedChance(plan.seed, number, moves=plan.bots is None)
    match = Match(game, plan.players, plan.options, source)
    choosers = [find_bot(game, name) for name in plan.bots or ()]
    rngs = [make_generator(plan.seed, (seat + 1 << SEAT_STREAM_SHIFT) + number) for seat in range(plan.players)]
    while not match.over:
        seat = match.pending[0]
        if plan.bots is None:
            moves = match.legal(seat)
            move = int(moves[source.below(len(match.entries), len(moves))])
        else:
            move = choose_move(match, seat, plan.bots[seat], choosers[seat], rngs[seat])
        match.play(seat, move)
    return match
