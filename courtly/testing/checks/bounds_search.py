"""Checks that games stay within the bounds of their `game.toml` under any play.

Besides random players, a local search looks for long games or for many legal moves: players rank the verbs, always play
the highest one, and mutate the ranking as long as that helps. The search for many moves also looks one move ahead.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import option_tables


def play_ranked(
    game: Game, players: int, options: dict[str, int], rank: dict[int, int], r: random.Random, lookahead: int = 0
) -> dict[str, int]:
    """Play a game by a ranking of verbs, with random events drawn uniformly, and return its decisions, events and
    largest number of legal moves.

    `lookahead`: among this many equally ranked moves, choose the one after which most moves are legal; 0 chooses at
    random.
    """
    position, verb = Position(game, players, options), game.rules.VERB
    widest = 0
    while not position.over:
        if position.chance:
            position.apply(NOBODY, r.choice(position.legal(NOBODY)))
            continue
        seat = r.choice(position.pending)
        moves = position.legal(seat)
        widest = max(widest, len(moves))
        highest = max(rank[verb[move]] for move in moves)
        best_moves = [move for move in moves if rank[verb[move]] == highest]
        if lookahead and len(best_moves) > 1:
            best_moves = [
                max(
                    r.sample(best_moves, min(lookahead, len(best_moves))),
                    key=lambda move: count_moves_after(position, seat, move),
                )
            ]
        position.apply(seat, r.choice(best_moves))
    return {"decisions": position.decisions, "events": position.events, "moves": widest}


def count_moves_after(position: Position, seat: int, move: int) -> int:
    """Return the largest number of legal moves of a pending seat after this move."""
    after = position.now()
    after.apply(seat, move)
    return max((len(after.legal(seat)) for seat in after.pending), default=0)


def mutate_ranking(rank: dict[int, int], r: random.Random) -> dict[int, int]:
    """Return the ranking with up to three verbs changed."""
    return rank | {verb: r.randrange(4) for verb in r.sample(sorted(rank), min(3, len(rank)))}


def search_bounds(
    game: Game, goal: str, steps: int, r: random.Random, tables: Iterable[tuple[int, dict[str, int]]] | None = None
) -> int:
    """Search for the largest value of a bound.

    Args:
        game: The game.
        goal: "decisions", "events" or "moves".
        steps: Moves and events to play for each table.
        r: Random generator.
        tables: Tables as (players, options). Default: tables in which every option value occurs.

    Returns:
        The largest value that was reached.

    Raises:
        BoundsError: A game exceeds a bound.
    """
    largest, rank = 0, dict.fromkeys(game.rules.VERB, 0)  # equal ranks: random play
    for players, options in tables or option_tables(game, r):
        best, left, tried_rank = 0, steps, rank
        while left > 0:
            reached = play_ranked(game, players, options, tried_rank, r, 3 * (goal == "moves"))
            left -= reached["decisions"] + reached["events"]
            if reached[goal] >= best:
                best, rank = reached[goal], tried_rank
            tried_rank = mutate_ranking(rank, r)
        largest = max(largest, best)
    return largest
