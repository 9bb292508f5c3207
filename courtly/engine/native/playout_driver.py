"""Playing a game at random, in the dialect. The loader gives this module the functions of one game."""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.rng import draw_below, pick_weighted, seed_generator
from courtly.engine.rules_interface import (
    BOUNDS,
    apply,
    audience,
    chance,
    determinize,
    legal,
    priors,
    reveals,
    scores,
    setup,
)

ENTRY_POINTS = (
    "begin",
    "step",
    "play_to_end",
    "describe_move",
    "imagine_world",
    "share_victory",
    "playouts",
)  # what Python may call
# of a mask of seats: the lowest; CHANCE with seats cannot be, but lies within
LOWEST_SEAT_BY_MASK = tuple((mask & -mask).bit_length() - 1 for mask in range(CHANCE << 1))


def begin(s):
    setup(s)


def lowest_pending_seat(s):
    """The lowest seat that may move."""
    return LOWEST_SEAT_BY_MASK[s.pending]


def apply_random_event(s, rng, moves, weights):
    """The random event that is due. Returns its id; -1 if there is none, which cannot be."""
    n = chance(s, moves, weights)
    at = pick_weighted(rng, weights, n)
    if n < 1 or weights[at] < 1:
        return -1
    apply(s, NOBODY, moves[at])
    return moves[at]


def step(s, rng, moves, weights):
    """One random move or event. Returns its id; -1 if there is none, which cannot be."""
    if s.pending == CHANCE:
        return apply_random_event(s, rng, moves, weights)
    seat = lowest_pending_seat(s)
    n = legal(s, seat, moves)
    if n < 1 or n > BOUNDS[2] or seat >= s.players:
        return -1
    move = moves[draw_below(rng, n)]
    apply(s, seat, move)
    return move


def describe_move(s, seat, move, out):
    """What the whole contract says of a move that is about to be made: audience, reveals, then the scores as they
    stand."""
    out[0] = audience(s, seat, move)
    out[1] = reveals(s, seat, move)
    if s.pending == 0:
        scores(s, out)


def imagine_world(s, seat, rng):
    determinize(s, seat, rng)


def play_to_end(s, rng, moves, weights, counts):
    """To the end of the game, or till it is longer than it can be or cannot go on; adds to `counts` the decisions and
    the random events. Was that the end?"""
    most = BOUNDS[0] + BOUNDS[1]
    steps = 0
    events = 0
    while s.pending > 0 and steps <= most:
        steps += 1
        if s.pending == CHANCE:
            events += 1
        if step(s, rng, moves, weights) < 0:
            break
    counts[0] += steps - events
    counts[1] += events
    return s.pending == 0 and steps - events <= BOUNDS[0] and events <= BOUNDS[1]


def playouts(states, finals, number, first, games, rng, moves, weights, counts, shares):
    """Whole games first to first + games - 1 of a seed, each with a stream of its own.

    `states`: room for two; states[1] holds a blank state with its options set. `finals`: room for the last state of
    each game. Adds to `counts` the decisions and the random events, to `shares` each seat's victories in 60ths.
    Returns how many were played: fewer if one did not end as it must.
    """
    s = states[0]
    for game in range(games):
        states[0] = states[1]
        seed_generator(rng, number, first + game)
        setup(s)
        if not play_to_end(s, rng, moves, weights, counts):
            return game
        share_victory(s, moves, shares)
        finals[game] = states[0]
    return games


def choose_preferred(s, seat, moves, n, weights, mind):
    """The first of the n moves that the policy prefers most; where it has nothing to say, any."""
    if priors(s, seat, moves, n, weights) == 0:
        return moves[draw_below(mind, n)]
    best = 0
    for i in range(n):
        if weights[i] > weights[best]:
            best = i
    return moves[best]


def share_victory(s, out, shares):
    """60 points for the winners to share."""
    for seat in range(s.players):
        out[seat] = 0
    scores(s, out)
    best = out[0]
    for seat in range(1, s.players):
        best = max(best, out[seat])
    n = 0
    for seat in range(s.players):
        n += out[seat] == best
    for seat in range(s.players):
        if out[seat] == best:
            shares[seat] += 60 // n
