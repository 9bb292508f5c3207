"""Driver for operations on a single position. A call of machine code takes longer than most of these operations, so
there is one entry point with few arguments: two arrays and three numbers, and one number as the result."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.rng import pick_weighted
from courtly.engine.rules_interface import BOUNDS, apply, audience, chance, determinize, legal, reveals, scores

ENTRY_POINTS = ("run_operation",)
INVALID_REQUEST = -1 << 32  # the request is impossible here, or the rules are faulty
MOVES, WEIGHTS, RNG, MOVE_COUNTS = range(
    4
)  # the rows; MOVE_COUNTS: the number of moves, and the number of moves and events


class Operation(NamedInt):
    """The operations of `run_operation`."""

    LEGAL, PLAY, OUTCOMES, HAPPEN, EVENT, AUDIENCE, REVEALS, SCORES, IMAGINE = range(9)


def run_operation(states, rows, operation, seat, move):
    """Carry out one operation on states[0].

    LEGAL, OUTCOMES: write the moves (and weights) to the rows, and return how many there are. PLAY applies a move,
    EVENT a random event, HAPPEN the event that the random word `move` selects: they return the new `pending` plus 65536
    times the move or event. AUDIENCE, REVEALS: return the bits. SCORES, IMAGINE: fill their rows and return 0. The
    first five return INVALID_REQUEST, with nothing changed, if they are not possible.
    """
    s = states[0]
    if operation == Operation.LEGAL:
        return list_legal(s, rows, seat)
    if operation == Operation.PLAY:
        if seat < 0 or seat >= s.players or not s.pending >> seat & 1:
            return INVALID_REQUEST
        return apply_listed(s, rows, list_legal(s, rows, seat), seat, move)
    if operation == Operation.OUTCOMES:
        return list_outcomes(s, rows)
    if operation == Operation.HAPPEN:
        n = list_outcomes(s, rows)
        if n < 1:
            return INVALID_REQUEST
        rows[RNG][0] = 0
        rows[RNG][4] = move
        return apply_listed(s, rows, n, NOBODY, rows[MOVES][pick_weighted(rows[RNG], rows[WEIGHTS], n)])
    if operation == Operation.EVENT:
        return apply_listed(s, rows, list_outcomes(s, rows), NOBODY, move)
    if operation == Operation.AUDIENCE:
        return audience(s, seat, move)
    if operation == Operation.REVEALS:
        return reveals(s, seat, move)
    if operation == Operation.SCORES:
        scores(s, rows[MOVES])
    else:
        determinize(s, seat, rows[RNG])
    return 0


def list_legal(s, rows, seat):
    """Write the legal moves to the row, and return how many; INVALID_REQUEST if the rules list invalid ones."""
    n = legal(s, seat, rows[MOVES])
    if n > BOUNDS[2]:
        return INVALID_REQUEST
    for i in range(n):
        if rows[MOVES][i] < 0 or rows[MOVES][i] >= rows[MOVE_COUNTS][0]:
            return INVALID_REQUEST
    return n


def list_outcomes(s, rows):
    """Write the random events and weights to the rows, and return how many; INVALID_REQUEST if the rules list invalid
    ones."""
    n = chance(s, rows[MOVES], rows[WEIGHTS])
    total = 0
    for i in range(n):
        total += rows[WEIGHTS][i]
        if rows[MOVES][i] < rows[MOVE_COUNTS][0] or rows[MOVES][i] >= rows[MOVE_COUNTS][1] or rows[WEIGHTS][i] < 0:
            return INVALID_REQUEST
    return n if 0 < total < 1 << 31 else INVALID_REQUEST


def apply_listed(s, rows, n, seat, move):
    """Apply a move or event if it is one of the n in the row, and return it with `pending`; else INVALID_REQUEST."""
    for i in range(n):
        if rows[MOVES][i] == move:
            apply(s, seat, move)
            return move << 16 | s.pending & 0xFFFF
    return INVALID_REQUEST
