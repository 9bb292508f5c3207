"""Driver for the reasons of hints: the continuation after a move in one world (courtly.engine.native.loader)."""

from courtly.engine.constants import CHANCE, MAX_SEATS
from courtly.engine.native.playout_driver import apply_random_event, choose_preferred, lowest_pending_seat
from courtly.engine.rules_interface import apply, counted, determinize, legal

ENTRY_POINTS = ("continue_match",)
MAX_FOLLOWED_DECISIONS = 60  # stop waiting for the player's next turn after these decisions


def continue_match(states, seat, move, follows, rng, moves, weights, counts):
    """Deal again what this seat cannot see in states[0], make its move, and continue as the policy plays until its next
    turn, or a later one.

    What players count of each seat is written to `counts`: MAX_SEATS rows before the move, as many right after it, and
    as many at the end. `follows`: the number of the turn to end at; 0 to end right after the move, for games whose
    policy has no priors.
    """
    s = states[0]
    for other in range(s.players):
        counted(s, other, counts[other])
    determinize(s, seat, rng)
    make_move(s, seat, move, rng, moves, weights)
    for other in range(s.players):
        counted(s, other, counts[MAX_SEATS + other])
    others = 0
    turns = 0
    for _ in range(MAX_FOLLOWED_DECISIONS * follows):
        if others and s.pending >> seat & 1:
            others = 0
            turns += 1
        if s.pending == 0 or turns == follows:
            break
        mover = lowest_pending_seat(s)
        if mover != seat:
            others = 1
        n = legal(s, mover, moves)
        make_move(s, mover, choose_preferred(s, mover, moves, n, weights, rng), rng, moves, weights)
    for other in range(s.players):
        counted(s, other, counts[2 * MAX_SEATS + other])


def make_move(s, seat, move, rng, moves, weights):
    """Make a move, and the random events that are due after it."""
    apply(s, seat, move)
    while s.pending == CHANCE:
        apply_random_event(s, rng, moves, weights)
