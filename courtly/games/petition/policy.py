"""To Court the King: the policy. solver.py computes the turn exactly. The possible results of the turn have estimated
chances to win: before the king is taken, from fitted values of the characters and dice (weights.json); after that, from
the groups that the other seats may roll in the last round, as approximate as in bot.py."""

from math import exp
from pathlib import Path

from courtly.engine.constants import NOBODY
from courtly.engine.stdlib.value_network import InvalidWeightsError, load_rows
from courtly.games.petition import odds
from courtly.games.petition.dice import beats, best_face
from courtly.games.petition.rules import claimable
from courtly.games.petition.solver import (
    ACTIVE,
    ADDING,
    ADDS,
    ASIDE,
    AT_ONCE,
    BEST,
    CARD,
    CARDS,
    CHANCES,
    CLAIM,
    COUNT,
    FIRST,
    FREE,
    LIMIT,
    MEAN,
    MOST,
    NEVER,
    PICK,
    PICK_MOST,
    RESULT,
    ROLL,
    SETS,
    TALLY,
    build,
    dice_of,
    lay_out,
    means,
    rank,
    rolled,
    row_of,
    work_out,
)
from courtly.games.petition.table import (
    ADDER,
    CHARLATAN_DICE,
    FARMER_DICE,
    FIRST_DICE,
    GENERAL_DICE,
    KINDS,
    MOVES,
    VERB,
    Card,
    Group,
    Phase,
    X,
    Y,
    Z,
)

# Powers and added dice whose use can be delayed. If a turn is too large to compute, the solver drops the first of
# these, or uses it at once if it adds a die.
LEAST_FIRST = (
    Card.LABORER,
    Card.GUARD,
    Card.HUNTER,
    Card.PAWNBROKER,
    Card.KNIGHT,
    Card.BISHOP,
    Card.QUEEN,
    Card.FOOL,
    Card.PHILOSOPHER,
    Card.NOBLEMAN,
    Card.NOBLEWOMAN,
    Card.MERCHANT,
    Card.MAID,
    Card.ASTRONOMER,
    Card.ALCHEMIST,
    Card.MAGICIAN,
)
LEAST = len(LEAST_FIRST)
WEIGHTS = Path(__file__).with_name("weights.json")
# The value of a seat's characters and dice, in thousandths of a logit: for each character, for each die at the start of
# a turn and each die in total from the fourth on, and for a turn that is still to come in this round.
CHARACTER, STARTING, IN_ALL, TO_COME = load_rows(WEIGHTS, "card", "start", "total", "to_come")
if (len(CHARACTER), len(STARTING), len(IN_ALL), len(TO_COME)) != (KINDS, MOST + 1, MOST + 1, 1):
    raise InvalidWeightsError(f"{WEIGHTS}: not as many weights as there are characters and dice")
HELP = {
    Card.FOOL: 2,
    Card.MERCHANT: 4,
    Card.MAID: 7,
    Card.PHILOSOPHER: 7,
    Card.ASTRONOMER: 9,
    Card.NOBLEWOMAN: 5,
    Card.MAGICIAN: 10,
    Card.ALCHEMIST: 10,
    Card.NOBLEMAN: 5,
    Card.QUEEN: 7,
}
HELPS = tuple(HELP.get(card, 0) for card in range(KINDS))  # tenths of a die of the wanted face that each power is worth
ONE = 1_000_000_000  # stands for a chance of 1
STEPS = 64  # per logit
LOWEST = 16 * STEPS
FALL = tuple(int(1_000_000 * exp(-i / STEPS)) for i in range(LOWEST))  # exp(-x), in millionths
# The chance that the largest group of `dice` dice has at least `count`.
AT_LEAST = tuple(tuple(int(ONE * sum(odds.biggest_group(dice)[count:])) for count in range(20)) for dice in range(19))


# --- chances to win ---------------------------------------------------------------------------------------------------


def dice_to_begin(s, seat):
    own = s.owns[seat]
    more = FARMER_DICE * own[Card.FARMER] + GENERAL_DICE * own[Card.GENERAL] + CHARLATAN_DICE * own[Card.CHARLATAN]
    return min(FIRST_DICE + more, s.dice_limit)


def dice_in_all(s, seat):
    dice = dice_to_begin(s, seat)
    for card in range(KINDS):
        dice += ADDING[card] * s.owns[seat][card]
    return min(dice, s.dice_limit)


def court(s, seat):
    """Return the value of a seat's characters and dice."""
    own = s.owns[seat]
    good = 0
    for card in range(KINDS):
        good += CHARACTER[card] * own[card]
    for dice in range(min(dice_to_begin(s, seat), MOST) + 1):
        good += STARTING[dice]
    for dice in range(min(dice_in_all(s, seat), MOST) + 1):
        good += IN_ALL[dice]
    return good


def tell_chances(s, row, at, done):
    """Write each seat's chance to win before the king is taken, after `done` turns of the round."""
    top = NEVER
    for seat in range(s.players):
        row[at + seat] = court(s, seat)
        if done < s.players and (seat - s.start) % s.players >= done:
            row[at + seat] += TO_COME[0]
        top = max(top, row[at + seat])
    total = 0
    for seat in range(s.players):
        row[at + seat] = fall(top - row[at + seat])
        total += row[at + seat]
    for seat in range(s.players):
        row[at + seat] = row[at + seat] * ONE // total


def fall(below):
    """Return 1,000,000 * exp(-x), where x is `below` thousandths of a logit."""
    step = below * STEPS
    i = min(step // 1000, LOWEST - 2)
    part = min(step - 1000 * i, 1000)
    return (FALL[i] * (1000 - part) + FALL[i + 1] * part) // 1000


def at_least(dice, count, tenths):
    """Return the chance of a group of at least `count` dice, with powers worth `tenths` tenths of a die."""
    dice = min(dice, 18)
    if count > dice:
        return 0
    more = tenths // 10
    part = tenths % 10
    return (AT_LEAST[dice][max(count - more, 0)] * (10 - part) + AT_LEAST[dice][max(count - more - 1, 0)] * part) // 10


def chance_to_beat(s, seat, count, face, equal):
    """Return the chance that a seat rolls a better group, or an equal one if `equal`."""
    own = s.owns[seat]
    tenths = 0
    for card in range(KINDS):
        tenths += HELPS[card] * min(own[card], 1)
    dice = dice_in_all(s, seat)
    bigger = at_least(dice, count + 1, tenths)
    as_big = at_least(dice, count, tenths) - bigger
    return bigger + as_big * (7 - face if equal else 6 - face) // 6


def tell_last_round(s, row, at, holder, count, face, queen, start, turn):
    """Write each seat's chance to hold the king at the end, if `holder` has him with this group and the last round
    continues with turn number `turn`."""
    for seat in range(s.players):
        row[at + seat] = 0
    row[at + holder] = ONE
    for place in range(turn, s.players):
        seat = (start + place + (1 if place >= (queen - start) % s.players else 0)) % s.players
        if place == s.players - 1:
            seat = queen
        first = chance_to_beat(s, seat, count, face, seat == queen)
        later = chance_to_beat(s, seat, count + 1, 3, seat == queen)  # the seat that took him has a better group
        for other in range(s.players):
            if other != seat:
                lost = row[at + other] * (first if other == holder else later) // ONE
                row[at + other] -= lost
                row[at + seat] += lost


# --- values of the results of a turn ----------------------------------------------------------------------------------


def last_result(s, notes, count, face):
    """Return the value of a group in the last round. Among groups that do not win, the better one has the higher
    value."""
    better = 1000 * (6 * count + face)
    if beats(count, face, s.mark[Group.COUNT], s.mark[Group.FACE]) or (
        s.seat == s.queen and count == s.mark[Group.COUNT] and face == s.mark[Group.FACE]
    ):
        tell_last_round(s, notes, CHANCES, s.seat, count, face, s.queen, s.start, s.turn + 1)
        better += notes[CHANCES + s.seat]
    return better


def worth(s, row, at, card, count, face):
    """Return the chance to win after claiming a character (NOBODY for none); the king with this group."""
    own = s.owns[s.seat]
    before = (s.start - 1) % s.players
    if card == Card.KING:
        own[Card.QUEEN] += 1
        tell_last_round(s, row, at, s.seat, count, face, s.seat, before, 0)
        own[Card.QUEEN] -= 1
        return row[at + s.seat] + 1000 * (6 * count + face)
    if card != NOBODY:
        own[card] += 1
    fools = own[Card.FOOL]
    if card == Card.CHARLATAN:  # it replaces a Fool; without one it cannot be claimed
        own[Card.FOOL] = max(0, fools - 1)
    if s.king == NOBODY:
        tell_chances(s, row, at, s.turn + 1)
    else:
        tell_last_round(s, row, at, s.king, s.mark[Group.COUNT], s.mark[Group.FACE], s.queen, before, 0)
    if card != NOBODY:
        own[card] -= 1
    if card == Card.CHARLATAN:
        own[Card.FOOL] = fools
    return row[at + s.seat]


def best_result(s, notes):
    """Return the value of ending the turn with the dice aside. `notes` already holds the value of each character."""
    face = best_face(s.aside)
    count = s.aside[face]
    if s.final:
        return last_result(s, notes, count, face + 1)
    bits = claimable(s, s.active, s.aside)
    best = notes[CLAIM + KINDS]
    for card in range(Card.KING):
        if bits >> card & 1:
            best = max(best, notes[CLAIM + card])
    if bits >> Card.KING & 1:
        best = max(best, worth(s, notes, CHANCES, Card.KING, count, face + 1))
    return best


def tell_claims(s, notes):
    for card in range(Card.KING):
        notes[CLAIM + card] = worth(s, notes, CHANCES, card, 0, 0)
    notes[CLAIM + KINDS] = worth(s, notes, CHANCES, NOBODY, 0, 0)


def tell_results(s, notes, first, last):
    """Compute the values of all results of the dice aside with `first` to `last` more dice."""
    for f in range(6):
        s.active[f] = 0
    for i in range(FIRST[first], FIRST[last + 1]):
        for f in range(6):
            s.aside[f] = notes[ASIDE + f] + notes[COUNT + 6 * i + f]
        notes[RESULT + i] = best_result(s, notes)
    for f in range(6):
        s.active[f] = notes[ACTIVE + f]
        s.aside[f] = notes[ASIDE + f]


# --- the turn ---------------------------------------------------------------------------------------------------------


def tell_standing(s, row, at):
    """Write each seat's current chance to win."""
    if s.king == NOBODY:
        tell_chances(s, row, at, s.turn)
    elif s.final:
        tell_last_round(s, row, at, s.king, s.mark[Group.COUNT], s.mark[Group.FACE], s.queen, s.start, s.turn)
    else:
        before = (s.start - 1) % s.players
        tell_last_round(s, row, at, s.king, s.mark[Group.COUNT], s.mark[Group.FACE], s.queen, before, 0)


def value(s, out):
    """Write each seat's expected placement, as if the order of two seats had the same odds as their chances to win."""
    if s.pending == 0 or s.seat == NOBODY:
        return 0
    at = s.players
    tell_standing(s, out, at)
    for seat in range(s.players):
        out[seat] = 0
        for other in range(s.players):
            if other != seat:
                out[seat] += 1000 * (out[at + seat] + 1) // (out[at + seat] + out[at + other] + 2)
        out[seat] = out[seat] // (s.players - 1)
    return 1


def solve(s, seat, moves, n, out, notes):
    """Write the chance to win with each of the seat's moves; then all seats' chances after the best move."""
    for i in range(n):
        out[i] = NEVER
    face = best_face(s.aside)
    tell_standing(s, out, n)
    if s.phase == Phase.BEFORE:
        for i in range(n):  # to add a die to the first roll is worth about as much as to wait with it
            verb = VERB[moves[i]]
            out[i] = 0 if verb == MOVES.concede else out[n + seat] - (verb == MOVES.add)
    elif s.phase == Phase.CLAIMING:
        for i in range(n):
            card = NOBODY if moves[i] == MOVES.pass_ else X[moves[i]]
            out[i] = worth(s, out, n + s.players, card, s.aside[face], face + 1)
    elif begin(s, seat, notes):
        work_out(notes)
        tell_moves(s, moves, n, out, notes)
    else:
        simply(s, moves, n, out, out[n + seat])
    best = 0
    for i in range(n):
        out[i] = min(max(out[i], 0), ONE)
        best = max(best, out[i])
    others = max(ONE - out[n + seat], 1)
    for other in range(s.players):
        out[n + other] = best if other == seat else out[n + other] * (ONE - best) // others
    return 1


def begin(s, seat, notes):
    """Prepare the data from which the turn is computed. Returns 0 if the turn is too large."""
    free = 0
    aside = 0
    for f in range(6):
        notes[ASIDE + f] = s.aside[f]
        notes[ACTIVE + f] = s.active[f]
        notes[AT_ONCE + f] = 0
        free += s.active[f] + s.taken[f]
        aside += s.aside[f]
    notes[FREE] = free
    notes[LIMIT] = min(MOST, s.dice_limit - aside)
    notes[CARDS] = 0
    if not s.final:
        tell_claims(s, notes)
    for i in range(LEAST):
        card = LEAST_FIRST[i]
        if s.owns[seat][card] and not s.used[card]:
            notes[CARD + notes[CARDS]] = card
            notes[CARDS] += 1
    if free > MOST:
        return 0
    while lay_out(notes) > notes[0]:
        if notes[CARDS] == 0:
            return 0
        do_without(s, notes)
    most = min(dice_of(notes, 0), notes[LIMIT])
    build(notes, most)
    tell_results(s, notes, free, most)
    return 1


def do_without(s, notes):
    """Remove the first power from the computation: if it adds a die, use it at once."""
    card = notes[CARD]
    for i in range(1, notes[CARDS]):
        notes[CARD + i - 1] = notes[CARD + i]
    notes[CARDS] -= 1
    if ADDING[card] and notes[FREE] < notes[LIMIT]:
        notes[FREE] += 1
        notes[AT_ONCE + added_face(s, card)] += 1


def added_face(s, card):
    if card != Card.QUEEN:
        return ADDS[card]
    best = 5
    for f in range(5):
        if s.active[f] + s.aside[f] > s.active[best] + s.aside[best]:
            best = f
    return best


def simply(s, moves, n, out, chance):
    """Prefer the moves that collect the most frequent face."""
    best = 5
    for f in range(4, -1, -1):
        if s.active[f] + s.aside[f] > s.active[best] + s.aside[best]:
            best = f
    for i in range(n):
        verb = VERB[moves[i]]
        good = 0
        if verb == MOVES.keep:
            good = 10 * s.active[X[moves[i]]] + X[moves[i]] + (1000 if X[moves[i]] == best else 0)
        elif verb == MOVES.roll:
            good = 500
        elif verb == MOVES.add:
            good = 2000
        elif verb == MOVES.finish or verb == MOVES.turn or verb == MOVES.done:
            good = 1
        out[i] = max(chance - 1000 * (2000 - good), good)


def credit(moves, n, out, move, gain):
    for i in range(n):
        if moves[i] == move:
            out[i] = max(out[i], gain)


def without(notes, card):
    """Return the bits of the powers that are unused after this one; -1 if it is not one of them."""
    for i in range(notes[CARDS]):
        if notes[CARD + i] == card:
            return (1 << notes[CARDS]) - 1 - (1 << i)
    return -1


def lie(s, notes):
    """Write all dice that are not set aside to TALLY."""
    for f in range(6):
        notes[TALLY + f] = s.active[f] + s.taken[f] + notes[AT_ONCE + f]


def after(s, notes, unused):
    """Return the value of the turn with the dice in TALLY active."""
    if unused < 0:
        return NEVER
    dice = dice_of(notes, unused)
    if dice > notes[LIMIT]:
        return NEVER
    best = notes[row_of(notes, unused, dice, 0, 0) + rank(notes, TALLY) - FIRST[dice]]
    return max(best, notes[rolled(notes, unused, dice, 0)]) if s.kept else best


def changed(s, notes, unused, face, to):
    lie(s, notes)
    notes[TALLY + face] -= 1
    notes[TALLY + to] += 1
    return after(s, notes, unused)


def tell_moves(s, moves, n, out, notes):
    every = (1 << notes[CARDS]) - 1
    for i in range(n):
        verb = VERB[moves[i]]
        x = X[moves[i]]
        y = Y[moves[i]]
        if verb == MOVES.keep:
            out[i] = keeping(s, notes, every, x)
        elif verb == MOVES.roll:
            out[i] = notes[ROLL] if added(notes) == 0 else NEVER
        elif verb == MOVES.finish:
            out[i] = best_result(s, notes)
        elif verb == MOVES.add:
            out[i] = adding(s, notes, every, ADDER[x], ADDS[ADDER[x]])
        elif verb == MOVES.queen:
            out[i] = adding(s, notes, every, Card.QUEEN, x)
        elif verb == MOVES.maid:
            out[i] = changed(s, notes, without(notes, Card.MAID), x, x + y + 1)
        elif verb == MOVES.astronomer:
            out[i] = changed(s, notes, without(notes, Card.ASTRONOMER), x, y)
        elif verb == MOVES.magician:
            out[i] = changed(s, notes, without(notes, Card.MAGICIAN), x, y)
        elif verb == MOVES.philosopher:
            lie(s, notes)
            notes[TALLY + x] -= 1
            notes[TALLY + y] -= 1
            notes[TALLY + x - Z[moves[i]] - 1] += 1
            notes[TALLY + y + Z[moves[i]] + 1] += 1
            out[i] = after(s, notes, without(notes, Card.PHILOSOPHER))
        elif verb == MOVES.fool:
            mean = 0
            for to in range(6):
                mean += changed(s, notes, without(notes, Card.FOOL), x, to)
            out[i] = max(mean // 6, NEVER)
    tell_raised(s, moves, n, out, notes, every, Card.NOBLEWOMAN, Phase.NOBLEWOMAN, MOVES.noblewoman, 1)
    tell_raised(s, moves, n, out, notes, every, Card.NOBLEMAN, Phase.NOBLEMAN, MOVES.nobleman, 2)
    tell_merchant(s, moves, n, out, notes, every)
    tell_alchemist(s, moves, n, out, notes, every)


def keeping(s, notes, unused, face):
    lie(s, notes)
    dice = notes[FREE]
    one = FIRST[1] + 5 - face
    notes[TALLY + face] -= 1
    others = rank(notes, TALLY) - FIRST[dice - 1]
    return max(notes[row_of(notes, unused, dice, 1, one) + others], notes[rolled(notes, unused, dice, one)])


def added(notes):
    n = 0
    for f in range(6):
        n += notes[AT_ONCE + f]
    return n


def adding(s, notes, every, card, face):
    """Return the value of adding a die. A die whose use cannot be delayed is already counted."""
    lie(s, notes)
    unused = without(notes, card)
    if unused < 0:
        return after(s, notes, every) if notes[AT_ONCE + face] else NEVER
    notes[TALLY + face] += 1
    return after(s, notes, unused)


# --- powers of several steps ------------------------------------------------------------------------------------------


def first_pick(s, notes, highest):
    """Start the enumeration of picks, with no dice picked: active dice with faces up to `highest`."""
    for f in range(6):
        notes[PICK + f] = 0
        notes[PICK_MOST + f] = s.active[f] if f <= highest else 0


def next_pick(notes):
    """Advance to the next set of picked dice. Returns 0 after the last one."""
    for f in range(6):
        if notes[PICK + f] < notes[PICK_MOST + f]:
            notes[PICK + f] += 1
            return 1
        notes[PICK + f] = 0
    return 0


def picked(notes):
    n = 0
    for f in range(6):
        n += notes[PICK + f]
    return n


def left_of(s, notes, card, phase, every):
    """Return the bits of the powers that are unused after this one, if it is in use or can be used; else -1."""
    return every if s.phase == phase else without(notes, card) if s.phase == Phase.ACTING else -1


def credit_pick(notes, moves, n, out, verb, gain):
    for f in range(6):
        if notes[PICK + f]:
            credit(moves, n, out, verb + f, gain)


def tell_raised(s, moves, n, out, notes, every, card, phase, verb, by):
    unused = left_of(s, notes, card, phase, every)
    if unused < 0:
        return
    first_pick(s, notes, 5 - by)
    while next_pick(notes):
        lie(s, notes)
        for f in range(6 - by):
            notes[TALLY + f] -= notes[PICK + f]
            notes[TALLY + f + by] += notes[PICK + f]
        credit_pick(notes, moves, n, out, verb, after(s, notes, unused))
    if s.phase == phase:
        lie(s, notes)
        credit(moves, n, out, MOVES.done, after(s, notes, unused))


def tell_merchant(s, moves, n, out, notes, every):
    unused = left_of(s, notes, Card.MERCHANT, Phase.MERCHANT, every)
    if unused < 0:
        return
    dice = notes[FREE]
    here = row_of(notes, unused, dice, 0, 0)
    for i in range(SETS[dice]):
        best = notes[here + i]
        notes[BEST + FIRST[dice] + i] = max(best, notes[rolled(notes, unused, dice, 0)]) if s.kept else best
    means(notes, BEST + FIRST[dice], dice)
    first_pick(s, notes, 5)
    while next_pick(notes):
        lie_still(s, notes)
        credit_pick(notes, moves, n, out, MOVES.merchant, notes[MEAN + rank(notes, TALLY)])
    lie_still(s, notes)
    if s.phase == Phase.MERCHANT:
        credit(moves, n, out, MOVES.done, notes[MEAN + rank(notes, TALLY)])


def lie_still(s, notes):
    """Write the dice that the merchant does not roll to TALLY."""
    for f in range(6):
        notes[TALLY + f] = s.active[f] - notes[PICK + f] + notes[AT_ONCE + f]


def tell_alchemist(s, moves, n, out, notes, every):
    unused = every if s.phase == Phase.TURNING else left_of(s, notes, Card.ALCHEMIST, Phase.ALCHEMIST, every)
    if unused < 0:
        return
    taken = 0
    for f in range(6):
        taken += s.taken[f]
    first_pick(s, notes, -1 if s.phase == Phase.TURNING else 5)
    more = 1
    while more:
        size = taken + picked(notes)
        if 2 <= size <= 3:
            tell_turned(s, moves, n, out, notes, unused, size)
        more = next_pick(notes)


def tell_turned(s, moves, n, out, notes, unused, size):
    """Give the taken and picked dice all other faces of the same sum."""
    total = 0
    given = 0
    for f in range(6):
        total += f * (s.taken[f] + notes[PICK + f])
        given += s.turned[f]
    for low in range(6):
        for middle in range(low, 6):
            high = total - low - middle
            if size == 2:
                high = middle if low + middle == total else -1
            if middle <= high <= 5 and fits(s, notes, size, low, middle, high):
                lie(s, notes)
                for f in range(6):
                    notes[TALLY + f] -= s.taken[f] + notes[PICK + f]
                notes[TALLY + low] += 1
                notes[TALLY + middle] += 1
                if size == 3:
                    notes[TALLY + high] += 1
                gain = after(s, notes, unused)
                if picked(notes):
                    credit_pick(notes, moves, n, out, MOVES.alchemist, gain)
                else:
                    credit(moves, n, out, MOVES.turn + (low if given == 0 else middle if given == 1 else high), gain)


def fits(s, notes, size, low, middle, high):
    """Return True if these faces differ from those of the taken and picked dice, and begin with those already given."""
    differs = 0
    given = 0
    for f in range(6):
        new = (low == f) + (middle == f) + (high == f and size == 3)
        differs += new != s.taken[f] + notes[PICK + f]
        given += s.turned[f]
    begins = (given < 1 or s.turned[low] > 0) and (given < 2 or s.turned[middle] > (1 if low == middle else 0))
    return differs > 0 and begins
