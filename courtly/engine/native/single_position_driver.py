"""Driver for operations on a single position.

A call of machine code takes longer than most of these operations, so the entry points have few arguments. `list_moves`
and `make_move` are for the most frequent questions, `run_operation` for all others. Only WebAssembly has
`find_refusal`: Python asks the interpreted rules why a move is refused.
"""

from courtly.engine.constants import CHANCE, NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.rng import pick_weighted
from courtly.engine.rules_interface import BOUNDS, apply, audience, chance, determinize, legal, refusal, reveals, scores

ENTRY_POINTS = ("list_moves", "make_move", "run_operation")
INVALID_REQUEST = -1 << 32  # the request is impossible here, or the rules are faulty
FAULT = -1 << 16  # added to a `pending` that is neither a set of seats of this table nor CHANCE; the sum is below 0
MOVES, WEIGHTS, RNG = range(3)  # the rows


class Operation(NamedInt):
    """The operations of `run_operation`."""

    OUTCOMES, HAPPEN, EVENT, AUDIENCE, REVEALS, SCORES, IMAGINE = range(7)


def list_moves(states, seat, moves):
    """Write the legal moves of a seat in states[0] to the row, and return how many; INVALID_REQUEST if the rules list
    invalid ones."""
    s = states[0]
    if seat < 0 or seat >= s.players or not s.pending >> seat & 1:
        return 0
    n = legal(s, seat, moves)
    if n > BOUNDS[2]:
        return INVALID_REQUEST
    for i in range(n):
        if moves[i] < 0 or moves[i] >= BOUNDS[3]:
            return INVALID_REQUEST
    return n


def make_move(states, seat, move, moves):
    """Apply a move of a seat in states[0], and return the new `pending`, plus FAULT if that is impossible;
    INVALID_REQUEST, with nothing changed, if the move is not legal. `moves`: a row to work with."""
    s = states[0]
    if not apply_listed(s, moves, list_moves(states, seat, moves), seat, move):
        return INVALID_REQUEST
    if s.pending != CHANCE and s.pending >> s.players:
        return s.pending + FAULT
    return s.pending


def run_operation(states, rows, operation, seat, move):
    """Carry out one operation on states[0].

    OUTCOMES writes the random events and weights to the rows, and returns how many there are. EVENT applies a random
    event, HAPPEN the event that the random word `move` selects: they return the new `pending` plus 65536 times the
    event. AUDIENCE, REVEALS: return the bits. SCORES, IMAGINE: fill their rows and return 0. The first three return
    INVALID_REQUEST, with nothing changed, if they are not possible.
    """
    s = states[0]
    if operation == Operation.OUTCOMES:
        return list_outcomes(s, rows)
    if operation == Operation.HAPPEN:
        n = list_outcomes(s, rows)
        if n < 1:
            return INVALID_REQUEST
        rows[RNG][0] = 0
        rows[RNG][4] = move
        return apply_event(s, rows, n, rows[MOVES][pick_weighted(rows[RNG], rows[WEIGHTS], n)])
    if operation == Operation.EVENT:
        return apply_event(s, rows, list_outcomes(s, rows), move)
    if operation == Operation.AUDIENCE:
        return audience(s, seat, move)
    if operation == Operation.REVEALS:
        return reveals(s, seat, move)
    if operation == Operation.SCORES:
        scores(s, rows[MOVES])
    else:
        determinize(s, seat, rows[RNG])
    return 0


def find_refusal(states, seat, move):
    """Return the number of the reason why a move of a pending seat is not legal in states[0], or -1 if the rules give
    none."""
    return refusal(states[0], seat, move)


def list_outcomes(s, rows):
    """Write the random events and weights to the rows, and return how many; INVALID_REQUEST if the rules list invalid
    ones."""
    n = chance(s, rows[MOVES], rows[WEIGHTS])
    total = 0
    for i in range(n):
        total += rows[WEIGHTS][i]
        if rows[MOVES][i] < BOUNDS[3] or rows[MOVES][i] >= BOUNDS[4] or rows[WEIGHTS][i] < 0:
            return INVALID_REQUEST
    return n if 0 < total < 1 << 31 else INVALID_REQUEST


def apply_event(s, rows, n, event):
    """Apply a random event, and return it with `pending`; INVALID_REQUEST if it is not one of the n in the row."""
    return event << 16 | s.pending & 0xFFFF if apply_listed(s, rows[MOVES], n, NOBODY, event) else INVALID_REQUEST


def apply_listed(s, moves, n, seat, move):
    """Apply a move or event, and return 1; 0 if it is not one of the n in the row."""
    for i in range(n):
        if moves[i] == move:
            apply(s, seat, move)
            return 1
    return 0
