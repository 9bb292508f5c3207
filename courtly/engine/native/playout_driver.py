"""Random games, in the dialect. The loader binds this module to the functions of one game."""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.rng import draw_below, pick_weighted, seed_generator
from courtly.engine.rules_interface import (
    BOUNDS,
    apply,
    audience,
    chance,
    determinize,
    equal_events,
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
)  # that Python may call
# the lowest seat of each mask; CHANCE together with seats does not occur, but is a valid index
LOWEST_SEAT_BY_MASK = tuple((mask & -mask).bit_length() - 1 for mask in range(CHANCE << 1))


def begin(s):
    """Set up a new game."""
    setup(s)


def lowest_pending_seat(s):
    """Return the lowest seat that may move."""
    return LOWEST_SEAT_BY_MASK[s.pending]


def apply_random_event(s, rng, moves, weights):
    """Apply the random event that is due, and return its id; -1 if chance() lists none, which is a fault of the
    rules."""
    first, n = equal_events(s)
    if n > 0:
        event = first + draw_below(rng, n)
        apply(s, NOBODY, event)
        return event
    n = chance(s, moves, weights)
    choice = pick_weighted(rng, weights, n)
    if n < 1 or weights[choice] < 1:
        return -1
    apply(s, NOBODY, moves[choice])
    return moves[choice]


def step(s, rng, moves, weights):
    """Apply a random event or a random legal move, and return its id; -1 if there is none, which is a fault of the
    rules."""
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
    """Write the audience and the seats that learn from a move to out[0] and out[1]; if the game is over, the scores to
    `out` instead."""
    out[0] = audience(s, seat, move)
    out[1] = reveals(s, seat, move)
    if s.pending == 0:
        scores(s, out)


def imagine_world(s, seat, rng):
    """Deal again what a seat cannot see."""
    determinize(s, seat, rng)


def play_to_end(s, rng, moves, weights, counts):
    """Play to the end of the game. Add the numbers of decisions and of random events to `counts`.

    Returns False if the game exceeds its bounds or cannot go on.
    """
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
    """Play the games first to first + games - 1 of a seed, each with its own random stream.

    `states`: two records; states[1] holds a blank state with its options set. `finals`: records for the final states.
    Adds the numbers of decisions and of random events to `counts`, and each seat's victories, in 60ths, to `shares`.

    Returns how many games were played: fewer than `games` if one did not end within its bounds.
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
    """Return the first of the n moves with the highest prior; without priors, a random move."""
    if priors(s, seat, moves, n, weights) == 0:
        return moves[draw_below(mind, n)]
    best = 0
    for i in range(n):
        if weights[i] > weights[best]:
            best = i
    return moves[best]


def share_victory(s, out, shares):
    """Split 60 points among the winners, and add them to `shares`."""
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
