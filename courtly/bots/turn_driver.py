"""Driver for the plan of a hint, in games whose policy computes decisions exactly (courtly.engine.native.loader)."""

from courtly.engine.constants import CHANCE
from courtly.engine.native.playout_driver import apply_random_event
from courtly.engine.rules_interface import apply, determinize

ENTRY_POINTS = ("continue_turn",)
SAME_SEAT, AFTER_CHANCE, TURN_OVER = range(3)  # what a move leads to


def continue_turn(states, seat, move, first, rng, moves, weights):
    """Make a move in states[0], and the random events that are due after it. Before the first move of a turn, what this
    seat cannot see is dealt again.

    Returns SAME_SEAT if only this seat is to move then, AFTER_CHANCE if it is and there were random events, otherwise
    TURN_OVER.
    """
    s = states[0]
    if first:
        determinize(s, seat, rng)
    apply(s, seat, move)
    result = SAME_SEAT
    while s.pending == CHANCE:
        result = AFTER_CHANCE
        apply_random_event(s, rng, moves, weights)
    return result if s.pending == 1 << seat else TURN_OVER
