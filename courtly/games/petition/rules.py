"""To Court the King (Tom Lehmann, 2006): the rules, in the order of the rulebook. dice.py evaluates dice, powers.py has
the powers of the characters.

The state counts dice by face. Setting several dice aside takes several moves. A roll is one random event for each die.
"""

from courtly.engine.constants import CHANCE, EVERYONE, NOBODY
from courtly.engine.stdlib.common import enter_phase
from courtly.games.petition.dice import beats, best_face, count_active, earned, pick, roll
from courtly.games.petition.powers import (
    can_add,
    find_faces,
    find_unused,
    legal_adds,
    legal_powers,
    legal_steps,
    list_faces,
    use,
)
from courtly.games.petition.refusals import Refusal as Refusal
from courtly.games.petition.refusals import refusal as refusal
from courtly.games.petition.table import (
    CHARLATAN_DICE,
    COPIES,
    FARMER_DICE,
    FIRST_DICE,
    GENERAL_DICE,
    KINDS,
    MOST_ROUNDS,
    MOVES,
    VERB,
    Card,
    Group,
    Phase,
    X,
    Y,
    Z,
)
from courtly.games.petition.table import State as State

# --- rounds -----------------------------------------------------------------------------------------------------------


def setup(s):
    for card in range(KINDS):
        s.supply[card] = COPIES[s.players][card]
    s.supply[Card.CHARLATAN] = 0
    s.king = NOBODY
    s.queen = NOBODY
    s.seat = NOBODY
    s.round = 1
    if s.first_player:
        s.start = (s.first_player - 1) % s.players
        begin_turn(s)
    else:
        enter_phase(s, Phase.STARTING, CHANCE)


def equal_events(s):
    if s.phase == Phase.STARTING:
        return MOVES.start, s.players
    return MOVES.die, 6


def chance(s, moves, weights):
    first, n = equal_events(s)
    for i in range(n):
        moves[i] = first + i
        weights[i] = 1
    return n


def next_seat(s):
    """Return the seat of the current turn: clockwise from the start player; in the last round, the queen's holder comes
    last."""
    place = s.turn
    if s.final:
        if place == s.players - 1:
            return s.queen
        if place >= (s.queen - s.start) % s.players:
            place += 1
    return (s.start + place) % s.players


def begin_turn(s):
    seat = next_seat(s)
    if s.final and seat == s.queen and seat == s.king:
        game_over(s)  # no other seat took the king, and her own roll cannot lose him
        return
    s.seat = seat
    s.rolling = first_dice(s, seat)
    for card in range(KINDS):
        s.used[card] = 0
    for f in range(6):
        s.active[f] = 0
        s.unrolled[f] = 0
        s.aside[f] = 0
    s.kept = 0
    if s.final or (s.early_powers and can_add(s)):
        enter_phase(s, Phase.BEFORE, 1 << seat)
    else:
        enter_phase(s, Phase.ACTING, CHANCE)


def first_dice(s, seat):
    """Return the number of dice that a seat starts its turns with."""
    own = s.owns[seat]
    return min(
        FIRST_DICE
        + FARMER_DICE * own[Card.FARMER]
        + GENERAL_DICE * own[Card.GENERAL]
        + CHARLATAN_DICE * own[Card.CHARLATAN],
        s.dice_limit,
    )


def end_turn(s):
    s.turn += 1
    if s.turn == s.players:
        end_round(s)
    if s.phase != Phase.OVER:
        begin_turn(s)


def end_round(s):
    """Pass the start marker to the right: the last seat of this round begins the next one."""
    if s.final or (s.king == NOBODY and s.round == (s.round_limit or MOST_ROUNDS)):
        game_over(s)
        return
    s.turn = 0
    s.round += 1
    s.start = (s.start - 1) % s.players
    s.final = 1 if s.king != NOBODY else 0


def game_over(s):
    enter_phase(s, Phase.OVER, 0)
    s.seat = NOBODY


# --- the turn: rolling and keeping ------------------------------------------------------------------------------------


def fall(s, face):
    s.active[face] += 1
    s.rolling -= 1
    if s.rolling == 0:
        s.pending = 1 << s.seat


def keep(s, face):
    is_last = count_active(s) == 1
    pick(s, face)
    s.aside[face] += 1
    s.kept = 1
    if is_last and not can_add(s):
        finish(s)


def finish(s):
    """End the rolling: all dice are set aside, and are the result."""
    if s.final:
        record(s)
    else:
        s.phase = Phase.CLAIMING


# --- the end of the turn ----------------------------------------------------------------------------------------------


def claimable(s, active, aside):
    """Return the bits of the characters that the player at turn can claim with these dice. The fool needs no dice."""
    own = s.owns[s.seat]
    met = earned(active, aside) | 1 << Card.FOOL
    bits = (own[Card.FOOL] > 0) << Card.CHARLATAN
    for card in range(Card.QUEEN):
        bits |= ((met >> card & 1) & (s.supply[card] > 0) & (own[card] == 0)) << card
    return bits


def claim(s, card):
    own = s.owns[s.seat]
    if card == Card.CHARLATAN:
        own[Card.FOOL] = 0  # the fool is flipped
    elif card != Card.FOOL or s.fools:
        s.supply[card] -= 1
    own[card] += 1
    if card == Card.KING:
        s.supply[Card.QUEEN] -= 1
        own[Card.QUEEN] = 1
        s.queen = s.seat
        note(s)
        crown(s)
        s.took[Group.COUNT] = s.mark[Group.COUNT]
        s.took[Group.FACE] = s.mark[Group.FACE]
    end_turn(s)


def note(s):
    """Store the best group as the seat's result, unless it already has a better one (that of the queen's holder)."""
    result = s.results[s.seat]
    face = best_face(s.aside)
    if beats(s.aside[face], face + 1, result[Group.COUNT], result[Group.FACE]):
        result[Group.COUNT] = s.aside[face]
        result[Group.FACE] = face + 1


def crown(s):
    """Give the king to the active player, whose group becomes the mark to beat."""
    if s.king != NOBODY:
        s.owns[s.king][Card.KING] = 0
    s.owns[s.seat][Card.KING] = 1
    s.king = s.seat
    face = best_face(s.aside)
    s.mark[Group.COUNT] = s.aside[face]
    s.mark[Group.FACE] = face + 1


def record(s):
    """Evaluate a result in the last round: a better group takes the king; for the queen's holder, an equal one is
    enough."""
    face = best_face(s.aside)
    count = s.aside[face]
    if beats(count, face + 1, s.mark[Group.COUNT], s.mark[Group.FACE]) or (
        s.seat == s.queen and count == s.mark[Group.COUNT] and face + 1 == s.mark[Group.FACE]
    ):
        crown(s)
    note(s)
    end_turn(s)


def concede(s):
    s.conceded[s.seat] = 1
    end_turn(s)


def scores(s, out):
    """Write each seat's score with three digits: the size of the best group, its face, and the rank among equals (9 for
    the queen's holder; else higher for earlier seats).

    849 is eight fours by the queen's holder. A seat that conceded has 0. All seats have 0 if the round limit ended the
    game.
    """
    for seat in range(s.players):
        out[seat] = 0
        if s.results[seat][Group.COUNT]:
            # at most 4; leaving out the queen's holder does not change the order of the others
            place = (seat - s.start) % s.players
            out[seat] = (
                100 * s.results[seat][Group.COUNT]
                + 10 * s.results[seat][Group.FACE]
                + (9 if seat == s.queen else 5 - place)
            )


# --- legal moves ------------------------------------------------------------------------------------------------------


def legal(s, seat, moves):
    if not s.pending >> seat & 1:
        return 0
    if s.phase == Phase.ACTING:
        return legal_acts(s, moves)
    if s.phase == Phase.CLAIMING:
        return legal_claims(s, moves)
    if s.phase == Phase.BEFORE:
        return legal_before(s, moves)
    return legal_steps(s, moves)


def legal_before(s, moves):
    moves[0] = MOVES.roll
    n = 1
    if s.final:
        moves[1] = MOVES.concede
        n = 2
    return legal_adds(s, find_unused(s), moves, n) if s.early_powers else n


def legal_acts(s, moves):
    faces = find_faces(s)
    n = list_faces(faces, 5, moves, 0, MOVES.keep)
    if n == 0:
        moves[0] = MOVES.finish
        return legal_adds(s, find_unused(s), moves, 1)
    if s.kept:
        moves[n] = MOVES.roll
        n += 1
    unused = find_unused(s)
    return legal_powers(s, unused, faces, moves, legal_adds(s, unused, moves, n))


def legal_claims(s, moves):
    bits = claimable(s, s.active, s.aside)
    moves[0] = MOVES.pass_
    n = 1
    for card in range(Card.QUEEN):
        moves[n] = MOVES.claim + card
        n += bits >> card & 1
    return n


def apply(s, seat, move):
    if seat == NOBODY:
        apply_event(s, move)
    else:
        apply_move(s, move)


def apply_event(s, event):
    if event < MOVES.start:  # the faces of a die are the first events
        fall(s, event - MOVES.die)
    else:
        s.start = event - MOVES.start
        begin_turn(s)


def apply_move(s, move):
    verb = VERB[move]
    x = X[move]
    y = Y[move]
    if verb == MOVES.keep:
        keep(s, x)
    elif verb == MOVES.roll:
        roll(s)
    elif verb == MOVES.claim:
        claim(s, x)
    elif verb == MOVES.pass_:
        end_turn(s)
    elif verb == MOVES.finish:
        finish(s)
    elif verb == MOVES.concede:
        concede(s)
    else:
        use(s, verb, x, y, Z[move])


# --- visibility: everything is public ---------------------------------------------------------------------------------


def audience(s, seat, move):
    return EVERYONE


def reveals(s, seat, move):
    return 0


def determinize(s, seat, rng):
    pass
