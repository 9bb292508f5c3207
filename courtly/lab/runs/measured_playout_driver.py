"""Games that are measured as they are played, in the dialect: at random, or by the game's policy. A driver
(courtly.engine.native.loader)."""

from courtly.engine.constants import CHANCE, MAX_SEATS, NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.native.playout_driver import apply_random_event, choose_preferred, lowest_pending_seat
from courtly.engine.rng import draw_below, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, legal, owned, points, scores, setup, starter

ENTRY_POINTS = ("blank", "notice", "close", "playouts")


class Chooser(NamedInt):
    """How a seat chooses: at random with the dice of the game, at random by itself, by the policy. So much above that:
    by the policy, but once in so many decisions at random."""

    DICE, RANDOM, POLICY = range(3)


# What is noted while a game is played. The last three have a number for each seat: the decisions made when it was last
# behind, the most points by which it was, whether it is now.
START, DECISIONS, EVENTS, TURNS, FORCED, CHOICES, LEADS, LEADER, LAST_SEAT = range(9)
BEHIND_SINCE, MAX_BEHIND, CURRENT_POINTS = range(9, 9 + 3 * MAX_SEATS, MAX_SEATS)
LED, BEHIND = LEADER, LAST_SEAT  # what stands there when the game is over:
FIGURE_NAMES = ("start", "decisions", "events", "turns", "forced", "choices", "leads", "led", "behind")
NOTES_SIZE = CURRENT_POINTS + MAX_SEATS


def blank(notes):
    """Nothing is noted yet."""
    for i in range(NOTES_SIZE):
        notes[i] = 0
    notes[START] = NOBODY
    notes[LEADER] = NOBODY
    notes[LAST_SEAT] = NOBODY


def note_standing(s, notes, out):
    """How it stands."""
    for seat in range(s.players):
        out[seat] = 0
    points(s, out)
    best = out[0]
    leader = 0
    for seat in range(1, s.players):
        if out[seat] > best:
            best = out[seat]
            leader = seat
        elif out[seat] == best:
            leader = NOBODY
    for seat in range(s.players):
        if out[seat] < best:
            notes[CURRENT_POINTS + seat] = 1
            notes[MAX_BEHIND + seat] = max(notes[MAX_BEHIND + seat], best - out[seat])
        elif notes[CURRENT_POINTS + seat]:
            notes[CURRENT_POINTS + seat] = 0
            notes[BEHIND_SINCE + seat] = notes[DECISIONS]
    if leader != NOBODY and leader != notes[LEADER]:
        if notes[LEADER] != NOBODY:
            notes[LEADS] += 1
        notes[LEADER] = leader


def notice(s, seat, n, notes, out):
    """Before a decision among n moves."""
    note_standing(s, notes, out)
    if notes[DECISIONS] == 0:
        notes[START] = starter(s)
    notes[DECISIONS] += 1
    notes[CHOICES] += n
    if n == 1:
        notes[FORCED] += 1
    if seat != notes[LAST_SEAT]:
        notes[LAST_SEAT] = seat
        notes[TURNS] += 1


def close(s, notes, out, figures, standing, results, shares, things, components):
    """The game is over: what it gave. Of several winners it counts who was behind latest, and most."""
    note_standing(s, notes, out)
    for seat in range(s.players):
        standing[seat] = out[seat]
        out[seat] = 0
    scores(s, out)
    best = out[0]
    for seat in range(1, s.players):
        best = max(best, out[seat])
    winners = 0
    led = 0
    behind = 0
    for seat in range(s.players):
        results[seat] = out[seat]
        shares[seat] = 0
        if out[seat] == best:
            winners += 1
            led = max(led, notes[BEHIND_SINCE + seat])
            behind = max(behind, notes[MAX_BEHIND + seat])
    for seat in range(s.players):
        if results[seat] == best:
            shares[seat] = 60 // winners
        for i in range(components):
            out[i] = 0
        owned(s, seat, out)
        for i in range(components):
            things[seat][i] = out[i]
    for i in range(LEADER):
        figures[i] = notes[i]
    figures[LED] = led
    figures[BEHIND] = behind


def choose_move(s, seat, how, moves, n, weights, rng, mind):
    """The move of a seat, of n. `how`: a Chooser."""
    if how == Chooser.DICE:
        return moves[draw_below(rng, n)]
    if how == Chooser.RANDOM or how > Chooser.POLICY and draw_below(mind, how - Chooser.POLICY) == 0:
        return moves[draw_below(mind, n)]
    return choose_preferred(s, seat, moves, n, weights, mind)


def playouts(
    states, number, first, games, rng, moves, weights, minds, choosers, notes,
    figures, standing, results, shares, things, components, log, room
):  # fmt: skip  # in two lines, as batch_runner.py gives them
    """Whole games first to first + games - 1 of a seed, each with a stream of its own, and one for each seat.

    `states`: room for two; states[1] holds a blank state with its options set. `choosers`: how each seat chooses, a
    Chooser. What games gave stands in their rows of `figures` (the notes from START to BEHIND), of
    `standing` (points), `results` (scores), `shares` and `things` (by seat and component); in `log`, which has `room`,
    each decision: the game, how many decisions and events came before, the seat, the move, how many were legal.
    Returns how many were played: fewer if one did not end as it must.
    """
    s = states[0]
    logged = 0
    for game in range(games):
        states[0] = states[1]
        seed_generator(rng, number, first + game)
        for seat in range(s.players):
            seed_generator(minds[seat], number, (seat + 1 << 28) + first + game)
        blank(notes)
        setup(s)
        while s.pending > 0 and notes[DECISIONS] <= BOUNDS[0] and notes[EVENTS] <= BOUNDS[1]:
            if s.pending == CHANCE:
                notes[EVENTS] += 1
                if apply_random_event(s, rng, moves, weights) < 0:
                    return game
            else:
                seat = lowest_pending_seat(s)
                n = legal(s, seat, moves)
                if n < 1 or n > BOUNDS[2] or seat >= s.players:
                    return game
                notice(s, seat, n, notes, weights)
                move = choose_move(s, seat, choosers[seat], moves, n, weights, rng, minds[seat])
                if logged < room:
                    log[logged][0] = first + game
                    log[logged][1] = notes[DECISIONS] + notes[EVENTS] - 1
                    log[logged][2] = seat
                    log[logged][3] = move
                    log[logged][4] = n
                    logged += 1
                apply(s, seat, move)
        if s.pending > 0 or notes[DECISIONS] > BOUNDS[0] or notes[EVENTS] > BOUNDS[1]:
            return game
        close(
            s, notes, weights, figures[game], standing[game], results[game], shares[game], things[game], components
        )  # fmt: skip  # in a line, as `close` has them
    return games
