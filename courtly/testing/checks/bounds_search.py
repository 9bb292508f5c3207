"""No game goes on for ever: whoever plays, it keeps within the bounds of its `game.toml`.

Beside players at random there are some who want a long game, or many moves to choose from: they rank the verbs, always
do what they rank highest, and change the ranking here and there as long as it serves. Who wants many moves also looks
one move ahead.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from courtly.engine.constants import NOBODY
from courtly.engine.game import Game
from courtly.engine.position import Position
from courtly.testing.checks.properties import option_tables


def play_ranked(
    game: Game, players: int, options: dict[str, int], rank: dict[int, int], r: random.Random, ahead: int = 0
) -> dict[str, int]:
    """A game by a ranking of the verbs; chance brings whatever it can, likely or not. What it came to, as `bounds`.

    Of so many moves that rank the same that one is made which leaves the most moves open.
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
        equal = [move for move in moves if rank[verb[move]] == highest]
        if ahead and len(equal) > 1:
            equal = [
                max(r.sample(equal, min(ahead, len(equal))), key=lambda move: count_moves_after(position, seat, move))
            ]
        position.apply(seat, r.choice(equal))
    return {"decisions": position.decisions, "events": position.events, "moves": widest}


def count_moves_after(position: Position, seat: int, move: int) -> int:
    """How many moves the next to decide would have."""
    after = position.now()
    after.apply(seat, move)
    return max((len(after.legal(seat)) for seat in after.pending), default=0)


def mutate_ranking(rank: dict[int, int], r: random.Random) -> dict[int, int]:
    """The same ranking, but for a few verbs."""
    return rank | {verb: r.randrange(4) for verb in r.sample(sorted(rank), min(3, len(rank)))}


def search_bounds(
    game: Game, goal: str, steps: int, r: random.Random, at: Iterable[tuple[int, dict[str, int]]] | None = None
) -> int:
    """The most of this that was come to in so many steps at each of these tables, or of many."""
    most, rank = 0, dict.fromkeys(game.rules.VERB, 0)  # at first they play at random
    for players, options in at or option_tables(game, r):
        best, left, tried = 0, steps, rank
        while left > 0:
            found = play_ranked(game, players, options, tried, r, 3 * (goal == "moves"))
            left -= found["decisions"] + found["events"]
            if found[goal] >= best:
                best, rank = found[goal], tried
            tried = mutate_ranking(rank, r)
        most = max(most, best)
    return most
