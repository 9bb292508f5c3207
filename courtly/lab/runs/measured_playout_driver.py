"""Plays games at random or by the game's policy and measures them meanwhile: a driver (courtly.engine.native.loader) in
the dialect."""

from courtly.engine.constants import CHANCE, MAX_SEATS, NOBODY
from courtly.engine.enums import NamedInt
from courtly.engine.native.playout_driver import apply_random_event, choose_preferred, lowest_pending_seat
from courtly.engine.rng import draw_below, seed_generator
from courtly.engine.rules_interface import BOUNDS, apply, legal, owned, points, scores, setup, starter

ENTRY_POINTS = ("clear_notes", "update_notes", "write_figures", "playouts")


class Chooser(NamedInt):
    """How a seat chooses: DICE draws from the game's random stream, RANDOM from the seat's own, POLICY follows the
    policy. POLICY + n follows the policy, but moves at random once in n decisions on average."""

    DICE, RANDOM, POLICY = range(3)


# Indices of the notes that are taken during a game. The last three have a number for each seat: decisions made when it
# was last behind, its largest deficit in points, and whether it is behind now.
START, DECISIONS, EVENTS, TURNS, FORCED, CHOICES, LEADS, LEADER, LAST_SEAT = range(9)
BEHIND_SINCE, MAX_BEHIND, CURRENT_POINTS = range(9, 9 + 3 * MAX_SEATS, MAX_SEATS)
LED, BEHIND = LEADER, LAST_SEAT  # `write_figures` uses the two places for these results
FIGURE_NAMES = ("start", "decisions", "events", "turns", "forced", "choices", "leads", "led", "behind")
NOTES_SIZE = CURRENT_POINTS + MAX_SEATS


def clear_notes(notes):
    """Reset the notes before a game."""
    for i in range(NOTES_SIZE):
        notes[i] = 0
    notes[START] = NOBODY
    notes[LEADER] = NOBODY
    notes[LAST_SEAT] = NOBODY


def note_standing(s, notes, out):
    """Note the leader and the deficits in points."""
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


def update_notes(s, seat, n, notes, out):
    """Update the notes before a decision among n moves."""
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


def write_figures(s, notes, out, figures, standing, results, shares, things, components):
    """Write a finished game's results. With several winners, `led` and `behind` are the largest of theirs."""
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


def choose_move(s, seat, how, moves, n, weights, rng, bot_rng):
    """Return a seat's move among n. `how`: a Chooser."""
    if how == Chooser.DICE:
        return moves[draw_below(rng, n)]
    if how == Chooser.RANDOM or how > Chooser.POLICY and draw_below(bot_rng, how - Chooser.POLICY) == 0:
        return moves[draw_below(bot_rng, n)]
    return choose_preferred(s, seat, moves, n, weights, bot_rng)


def playouts(
    states, number, first, games, rng, moves, weights, bot_rngs, choosers, notes,
    figures, standing, results, shares, things, components, log, room
):  # fmt: skip  # the same lines as the call in batch_runner.py
    """Play the games first to first + games - 1 of a seed, each with its own random stream and one for each seat.

    `states`: two records; states[1] is a blank state with the options. `choosers`: a Chooser for each seat. The results
    of each game go to its row of `figures` (the notes from START to BEHIND), `standing` (points), `results` (scores),
    `shares` and `things` (by seat and component). Decisions go to `log`, `room` rows of: game, number of earlier
    decisions and events, seat, move, number of legal moves.

    Return the number of games played: fewer than `games` if one did not end within its bounds.
    """
    s = states[0]
    logged = 0
    for game in range(games):
        states[0] = states[1]
        seed_generator(rng, number, first + game)
        for seat in range(s.players):
            seed_generator(bot_rngs[seat], number, (seat + 1 << 28) + first + game)
        clear_notes(notes)
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
                update_notes(s, seat, n, notes, weights)
                move = choose_move(s, seat, choosers[seat], moves, n, weights, rng, bot_rngs[seat])
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
        write_figures(
            s, notes, weights, figures[game], standing[game], results[game], shares[game], things[game], components
        )  # fmt: skip  # the same line as the parameters of `write_figures`
    return games
