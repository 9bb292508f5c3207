"""The facts of the last round of To Court the King."""

from courtly.engine.constants import NOBODY
from courtly.engine.enums import NamedInt
from courtly.games.petition.dice import beats, best_face
from courtly.games.petition.rules import end_round, next_seat
from courtly.games.petition.table import Group, Phase


class Goal(NamedInt):
    """The group that a seat needs for the king. BIGGER: no face is higher than that of the mark."""

    EQUAL, BETTER, BIGGER = range(3)


class Why(NamedInt):
    """What came of a seat's roll."""

    FIRST, CONCEDED, TAKEN, NOT_BETTER, KEPT, EQUAL = range(6)


def show_goal(s, seat, out):
    """Show what this seat needs for the king, in the last round, unless it already has him."""
    if not s.final or seat == NOBODY or seat == s.king:
        return
    if seat == s.queen:
        out.goal = Goal.EQUAL
    else:
        out.goal = Goal.BETTER if s.mark[Group.FACE] < 6 else Goal.BIGGER


def list_order(s, out):
    """List the order of the last round, once the king is taken, and which seats have finished it; at the end also the
    rolls.

    This changes the state."""
    for seat in range(s.players):
        out.rolled[seat] = 1 if s.phase == Phase.OVER else 0
    if s.king == NOBODY:
        return
    finished = s.turn if s.final else 0
    if not s.final:
        end_round(s)
    for place in range(s.players):
        s.turn = place
        seat = next_seat(s)
        out.order[place] = seat
        if place < finished:
            out.rolled[seat] = 1
    if s.phase == Phase.OVER:
        list_rolls(s, out, finished)


def list_rolls(s, out, finished):
    count = s.took[Group.COUNT]
    face = s.took[Group.FACE]
    show_roll(out.rolls[0], s.queen, count, face, Why.FIRST)
    for place in range(s.players - 1):
        seat = out.order[place]
        group = s.results[seat]
        why = Why.NOT_BETTER
        if s.conceded[seat]:
            why = Why.CONCEDED
        elif beats(group[Group.COUNT], group[Group.FACE], count, face):
            why = Why.TAKEN
        show_roll(out.rolls[place + 1], seat, group[Group.COUNT], group[Group.FACE], why)
        if beats(group[Group.COUNT], group[Group.FACE], count, face):
            count = group[Group.COUNT]
            face = group[Group.FACE]
    show_queens_roll(s, out.rolls[s.players], finished, count, face)


def show_queens_roll(s, roll, finished, count, face):
    """Show the last roll, that of the queen's holder, against the best group of the others."""
    if s.conceded[s.queen]:
        show_roll(roll, s.queen, 0, 0, Why.CONCEDED)
    elif finished < s.players:
        show_roll(roll, s.queen, 0, 0, Why.KEPT)
    else:
        last = best_face(s.aside)  # her dice still lie there, because her turn is the last
        why = Why.NOT_BETTER
        if s.king == s.queen:
            why = Why.EQUAL if s.aside[last] == count and last + 1 == face else Why.TAKEN
        show_roll(roll, s.queen, s.aside[last], last + 1, why)


def show_roll(roll, seat, count, face, why):
    roll.seat = seat
    roll.count = count
    roll.face = face
    roll.why = why
