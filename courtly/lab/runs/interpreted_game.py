"""Interpreted games between bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from courtly.bots.registry import Bot
from courtly.engine.errors import RulesError, find_author_line, find_definition
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.engine.rng import Row, draw_below, make_generator
from courtly.lab.plan import Plan

SEAT_STREAM_SHIFT = 28  # a bot's random stream has the number of the game plus (seat + 1) << this


def play_game(
    plan: Plan,
    number: int,
    kind: type[Position],
    watch: Callable[[Position, int, Sequence[int], int], None] = lambda position, seat, legal, move: None,
) -> Position:
    """Play one game of a plan to its end.

    Args:
        plan: The plan.
        number: The game's number.
        kind: The class of the position.
        watch: Called before each decision with the position, the seat, its legal moves and the chosen move.

    Returns:
        The final position.

    Raises:
        RulesError: A bot fails or chooses an illegal move, or the rules fail.
    """
    from courtly.bots.registry import find_bot

    game = find_game(plan.game)
    names = plan.bots or ()
    choosers = [find_bot(game, name) for name in names]
    position = kind(game, plan.players, plan.options)
    rng = make_generator(plan.seed, number)
    rngs = [make_generator(plan.seed, (seat + 1 << SEAT_STREAM_SHIFT) + number) for seat in range(plan.players)]
    while not position.over:
        if position.chance:
            position.happen(rng)
        else:
            seat = position.pending[0]
            legal = position.legal(seat)
            move = (
                choose_move(position, seat, names[seat], choosers[seat], rngs[seat])
                if names
                else legal[draw_below(rng, len(legal))]
            )
            watch(position, seat, legal, move)
            position.apply(seat, move)
    return position


def choose_move(position: Position, seat: int, name: str, choose: Bot, rng: Row) -> int:
    """Return a bot's move. Raises RulesError if the bot fails or the move is not legal."""
    game, view = position.game, position.view(seat)
    ply, line = position.decisions + position.events, find_definition(choose)
    try:
        move = choose(game, view, rng)
    except RulesError:
        raise
    except Exception as error:
        message = f"the bot {name} failed: {type(error).__name__}: {error}"
        raise RulesError(game.id, message, ply, f"seat {seat}", find_author_line(error, game.folder) or line) from error
    if move not in {legal["id"] for legal in view["legal"]}:
        raise RulesError(game.id, f"the bot {name} chose {move!r}, which is not legal", ply, f"seat {seat}", line)
    return move
