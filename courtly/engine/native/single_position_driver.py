"""What Python asks of one position: a driver (loader.py). The way into machine code takes longer than most answers, so
there is one door, and a narrow one: two arrays and three numbers, and one number back."""

from courtly.engine.enums import Names
from courtly.engine.game import NOBODY
from courtly.engine.rng import pick
from courtly.engine.rules_interface import BOUNDS, apply, audience, chance, determinize, legal, reveals, scores

TOP = ("ask",)
BROKEN = -1 << 32  # what is asked for cannot be, or the rules do what they must not
MOVES, WEIGHTS, RNG, KNOWN = range(4)  # the rows; KNOWN: how many moves there are, then how many with events


class Ask(Names):
    LEGAL, PLAY, OUTCOMES, HAPPEN, EVENT, AUDIENCE, REVEALS, SCORES, IMAGINE = range(9)


def ask(states, rows, what, seat, move):
    """`states` holds one record.

    LEGAL, OUTCOMES: how many there are; they stand in the rows. PLAY a move, an EVENT, or what HAPPENs by the random
    word `move`: `pending` afterwards and, times 65536, what was done. IMAGINE and SCORES fill their rows. All but these
    two may answer BROKEN, with nothing changed.
    """
    s = states[0]
    if what == Ask.LEGAL:
        return open_to(s, rows, seat)
    if what == Ask.PLAY:
        if seat < 0 or seat >= s.players or not s.pending >> seat & 1:
            return BROKEN
        return done(s, rows, open_to(s, rows, seat), seat, move)
    if what == Ask.OUTCOMES:
        return possible(s, rows)
    if what == Ask.HAPPEN:
        n = possible(s, rows)
        if n < 1:
            return BROKEN
        rows[RNG][0] = 0
        rows[RNG][4] = move
        return done(s, rows, n, NOBODY, rows[MOVES][pick(rows[RNG], rows[WEIGHTS], n)])
    if what == Ask.EVENT:
        return done(s, rows, possible(s, rows), NOBODY, move)
    if what == Ask.AUDIENCE:
        return audience(s, seat, move)
    if what == Ask.REVEALS:
        return reveals(s, seat, move)
    if what == Ask.SCORES:
        scores(s, rows[MOVES])
    else:
        determinize(s, seat, rows[RNG])
    return 0


def open_to(s, rows, seat):
    n = legal(s, seat, rows[MOVES])
    if n > BOUNDS[2]:
        return BROKEN
    for i in range(n):
        if rows[MOVES][i] < 0 or rows[MOVES][i] >= rows[KNOWN][0]:
            return BROKEN
    return n


def possible(s, rows):
    n = chance(s, rows[MOVES], rows[WEIGHTS])
    total = 0
    for i in range(n):
        total += rows[WEIGHTS][i]
        if rows[MOVES][i] < rows[KNOWN][0] or rows[MOVES][i] >= rows[KNOWN][1] or rows[WEIGHTS][i] < 0:
            return BROKEN
    return n if 0 < total < 1 << 31 else BROKEN


def done(s, rows, n, seat, move):
    """One of the n that stand in the row is done."""
    for i in range(n):
        if rows[MOVES][i] == move:
            apply(s, seat, move)
            return move << 16 | s.pending & 0xFFFF
    return BROKEN
