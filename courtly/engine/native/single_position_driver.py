"""What Python asks of one position: a driver (loader.py). The way into machine code takes longer than most answers, so
there is one door, and a narrow one: two arrays and three numbers, and one number back."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.rng import pick_weighted
from courtly.engine.rules_interface import BOUNDS, apply, audience, chance, determinize, legal, reveals, scores

ENTRY_POINTS = ("run_operation",)
INVALID_REQUEST = -1 << 32  # what is asked for cannot be, or the rules do what they must not
MOVES, WEIGHTS, RNG, MOVE_COUNTS = range(
    4
)  # the rows; MOVE_COUNTS: how many moves there are, then how many with events


class Operation(NamedInt):
    LEGAL, PLAY, OUTCOMES, HAPPEN, EVENT, AUDIENCE, REVEALS, SCORES, IMAGINE = range(9)


def run_operation(states, rows, what, seat, move):
    """`states` holds one record.

    LEGAL, OUTCOMES: how many there are; they stand in the rows. PLAY a move, an EVENT, or what HAPPENs by the random
    word `move`: `pending` afterwards and, times 65536, what was done. IMAGINE and SCORES fill their rows. All but these
    two may answer INVALID_REQUEST, with nothing changed.
    """
    s = states[0]
    if what == Operation.LEGAL:
        return list_legal(s, rows, seat)
    if what == Operation.PLAY:
        if seat < 0 or seat >= s.players or not s.pending >> seat & 1:
            return INVALID_REQUEST
        return apply_listed(s, rows, list_legal(s, rows, seat), seat, move)
    if what == Operation.OUTCOMES:
        return list_outcomes(s, rows)
    if what == Operation.HAPPEN:
        n = list_outcomes(s, rows)
        if n < 1:
            return INVALID_REQUEST
        rows[RNG][0] = 0
        rows[RNG][4] = move
        return apply_listed(s, rows, n, NOBODY, rows[MOVES][pick_weighted(rows[RNG], rows[WEIGHTS], n)])
    if what == Operation.EVENT:
        return apply_listed(s, rows, list_outcomes(s, rows), NOBODY, move)
    if what == Operation.AUDIENCE:
        return audience(s, seat, move)
    if what == Operation.REVEALS:
        return reveals(s, seat, move)
    if what == Operation.SCORES:
        scores(s, rows[MOVES])
    else:
        determinize(s, seat, rows[RNG])
    return 0


def list_legal(s, rows, seat):
    n = legal(s, seat, rows[MOVES])
    if n > BOUNDS[2]:
        return INVALID_REQUEST
    for i in range(n):
        if rows[MOVES][i] < 0 or rows[MOVES][i] >= rows[MOVE_COUNTS][0]:
            return INVALID_REQUEST
    return n


def list_outcomes(s, rows):
    n = chance(s, rows[MOVES], rows[WEIGHTS])
    total = 0
    for i in range(n):
        total += rows[WEIGHTS][i]
        if rows[MOVES][i] < rows[MOVE_COUNTS][0] or rows[MOVES][i] >= rows[MOVE_COUNTS][1] or rows[WEIGHTS][i] < 0:
            return INVALID_REQUEST
    return n if 0 < total < 1 << 31 else INVALID_REQUEST


def apply_listed(s, rows, n, seat, move):
    """One of the n that stand in the row is done."""
    for i in range(n):
        if rows[MOVES][i] == move:
            apply(s, seat, move)
            return move << 16 | s.pending & 0xFFFF
    return INVALID_REQUEST
