"""Driver for games that the search plays against itself, as data for learning (courtly.engine.native.loader).

It records the traits of each seat at each position for which the policy has a value, and the scores at the end.
"""

from courtly.bots.search.tree import BROUGHT, EDGE_WIDTH, REWARD_SCALE, TIMES, search
from courtly.engine.constants import CHANCE, MAX_SEATS
from courtly.engine.native.playout_driver import apply_random_event, lowest_pending_seat
from courtly.engine.rng import draw_below, pick_weighted, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, legal, priors, scores, setup, traits, value

ENTRY_POINTS = ("play_games",)


def choose_index(
    states, words, masks, mover, n, count, total, rng, moves, weights, gains, nodes, moved, habits, path, done, tally,
    wins, dials,
):  # fmt: skip  # as the rows stand in `search` of tree.py
    """Return the index of a move: the most visited one, or without simulations one drawn from the policy."""
    if count == 0:
        all_ = priors(states[2], mover, moves, n, weights)
        return pick_weighted(rng, weights, n) if all_ > 0 else draw_below(rng, n)
    states[0] = states[2]
    for i in range(len(nodes)):
        nodes[i] = 0
    for i in range(len(tally)):
        tally[i] = 0
    search(
        states, words, masks, mover, count, total, rng, moves, weights, gains, nodes, moved, habits, path, done, tally,
        wins, dials,
    )  # fmt: skip  # as the rows stand in `search` of tree.py
    best = 0
    for i in range(1, n):
        more = moved[EDGE_WIDTH * i + TIMES] - moved[EDGE_WIDTH * best + TIMES]
        if more > 0 or more == 0 and moved[EDGE_WIDTH * i + BROUGHT] > moved[EDGE_WIDTH * best + BROUGHT]:
            best = i
    return best


def play_games(
    states, words, masks, number, first, games, whim, noted, finals, count, total, rng, moves, weights, gains, nodes,
    moved, habits, path, done, tally, wins, dials,
):  # fmt: skip  # as the rows stand in `search` of tree.py
    """Play games from the blank state `states[3]`. The share of random moves is `whim` / REWARD_SCALE.

    `noted` gets a row for each seat at each such position: the game, the seat and its traits. `finals` gets the scores.
    Returns the number of rows in `noted`; -1 if a game does not end within its bounds.
    """
    rows = 0
    s = states[2]
    for game in range(games):
        states[2] = states[3]
        seed_generator(rng, number, first + game)
        setup(s)
        steps = 0
        while s.pending > 0:
            steps += 1
            if steps > BOUNDS[0] + BOUNDS[1]:
                return -1
            if rows + MAX_SEATS <= len(noted) and value(s, weights):
                for seat in range(s.players):
                    noted[rows][0] = first + game
                    noted[rows][1] = seat
                    n = traits(s, seat, weights, 0)
                    for i in range(n):
                        noted[rows][2 + i] = weights[i]
                    rows += 1
            if s.pending == CHANCE:
                if apply_random_event(s, rng, moves, weights) < 0:
                    return -1
                continue
            seat = lowest_pending_seat(s)
            n = legal(s, seat, moves)
            if n < 1 or n > BOUNDS[2]:
                return -1
            i = 0
            if n > 1:
                if draw_below(rng, REWARD_SCALE) < whim:
                    i = draw_below(rng, n)
                else:
                    i = choose_index(
                        states, words, masks, seat, n, count, total, rng, moves, weights, gains, nodes, moved,
                        habits, path, done, tally, wins, dials,
                    )  # fmt: skip  # as the rows stand in `search` of tree.py
                    legal(s, seat, moves)
            apply(s, seat, moves[i])
        for seat in range(s.players):
            weights[seat] = 0
        scores(s, weights)
        for seat in range(s.players):
            finals[game][seat] = weights[seat]
    return rows
