"""Driver for the plan of a hint, in games whose policy computes decisions exactly (courtly.engine.native.loader)."""

from courtly.engine.constants import CHANCE
from courtly.engine.native.playout_driver import apply_random_event
from courtly.engine.rules_interface import apply, determinize, legal, solve

ENTRY_POINTS = ("play_turn",)
MAX_TURN_MOVES = 100
TURN_HEAD = 2  # the numbers before the moves of a line


def play_turn(states, seat, move, first_aim, aims, rng, moves, out, notes, line):
    """Make a move in states[0], where what this seat cannot see is dealt again, and continue with its best moves until
    one of the `aims` moves from `first_aim` on is made, or another seat is to move.

    Writes to `line` the number of moves, the number of those before the first random event, and the moves.
    """
    s = states[0]
    determinize(s, seat, rng)
    line[1] = 0
    for i in range(MAX_TURN_MOVES):
        line[0] = i + 1
        line[TURN_HEAD + i] = move
        apply(s, seat, move)
        while s.pending == CHANCE:
            line[1] = line[1] if line[1] else i + 1
            apply_random_event(s, rng, moves, out)
        if s.pending != 1 << seat or first_aim <= move < first_aim + aims:
            break
        n = legal(s, seat, moves)
        move = moves[0]
        if n > 1:
            solve(s, seat, moves, n, out, notes)
            best = 0
            for k in range(n):
                if out[k] > out[best]:
                    best = k
            move = moves[best]
    if line[1] == 0:
        line[1] = line[0]
