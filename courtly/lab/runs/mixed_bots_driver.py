"""Plays games in which each seat has a bot of its own: a driver (courtly.engine.native.loader).

Bots that play at random or by the policy run here; at decisions of other bots, `continue_game` returns to ask the
caller for a move. `states` are four records: two for the search of the bot to be asked, the game in progress, and the
initial state. `counts`: decisions, random events, and the seat to ask.
"""

from courtly.engine.constants import CHANCE
from courtly.engine.native.playout_driver import apply_random_event, lowest_pending_seat, share_victory
from courtly.engine.rng import draw_below, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, belief, determinize, legal, setup
from courtly.lab.runs.measured_playout_driver import choose_move

ENTRY_POINTS = ("begin", "imagine", "continue_game", "write_results")
ASK_PYTHON = -1  # in `kinds`: the caller chooses for this seat; other values are a Chooser
DECISIONS, EVENTS, SEAT = 0, 1, 2
WORLD_STREAM = 15 << 28  # offset of the random streams of worlds, beyond those of seats


def seed_streams(states, chance_rng, bot_rngs, number, deal):
    """Seed the game's random stream and one for each seat by the number of the deal."""
    seed_generator(chance_rng, number, deal)
    for seat in range(states[2].players):
        seed_generator(bot_rngs[seat], number, (seat + 1 << 28) + deal)


def begin(states, chance_rng, bot_rngs, number, deal, counts):
    """Set up a game."""
    states[2] = states[3]
    seed_streams(states, chance_rng, bot_rngs, number, deal)
    counts[DECISIONS] = 0
    counts[EVENTS] = 0
    setup(states[2])


def imagine(states, seat, doubts, chance_rng, bot_rngs, number, world, counts):
    """Set up a world that is consistent with what `seat` sees in `states[3]`. The same number gives the same world."""
    states[2] = states[3]
    s = states[2]
    seed_generator(chance_rng, number, WORLD_STREAM + world)
    determinize(s, seat, chance_rng)
    for _ in range(doubts):
        if draw_below(chance_rng, 1000) < belief(s, seat):
            break
        determinize(s, seat, chance_rng)
    seed_streams(states, chance_rng, bot_rngs, number, world)
    counts[DECISIONS] = 0
    counts[EVENTS] = 0
    counts[SEAT] = seat


def continue_game(states, move, kinds, chance_rng, bot_rngs, moves, weights, counts, chosen):
    """Apply the move of the seat that was asked (-1: none) and continue to the next decision for the caller.

    Return the number of its legal moves, which are in `moves`; 0 at the end; -1 if the game does not end within its
    bounds. `chosen` counts each seat's decisions among several moves.
    """
    s = states[2]
    if move >= 0:
        counts[DECISIONS] += 1
        apply(s, counts[SEAT], move)
    while s.pending > 0:
        if counts[DECISIONS] > BOUNDS[0] or counts[EVENTS] > BOUNDS[1]:
            return -1
        if s.pending == CHANCE:
            counts[EVENTS] += 1
            if apply_random_event(s, chance_rng, moves, weights) < 0:
                return -1
            continue
        seat = lowest_pending_seat(s)
        n = legal(s, seat, moves)
        if n < 1 or n > BOUNDS[2]:
            return -1
        best = moves[0]
        if n > 1:
            chosen[seat] += 1
            if kinds[seat] == ASK_PYTHON:
                counts[SEAT] = seat
                return n
            best = choose_move(s, seat, kinds[seat], moves, n, weights, chance_rng, bot_rngs[seat])
        counts[DECISIONS] += 1
        apply(s, seat, best)
    return 0 if counts[DECISIONS] <= BOUNDS[0] and counts[EVENTS] <= BOUNDS[1] else -1


def write_results(states, moves, wins, points):
    """Write each seat's share of the victory in 60ths and its score, for a finished game."""
    share_victory(states[2], moves, wins)
    for seat in range(states[2].players):
        points[seat] = moves[seat]
