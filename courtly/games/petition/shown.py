"""What follows by the rules from what lies on the table, for the board. Faces are numbered from 1, characters by
their place in CARDS."""

from itertools import combinations_with_replacement

from courtly.engine.game import NOBODY
from courtly.games.petition.rules import beats, best_face, can_add, dice_in_use, end_round, first_dice, legal, next_seat
from courtly.games.petition.table import *

ADDS = {card: DATA["characters"][card]["adds"] for card in ADDERS}
RAISES = {card: DATA["characters"][card]["raise"][0] for card in ("noblewoman", "nobleman")}
# Two or three dice: every other way to show their sum.
_SETS = [dice for n in (2, 3) for dice in combinations_with_replacement(FACES, n)]
TURNED = {
    dice: [list(to) for to in _SETS if to != dice and len(to) == len(dice) and sum(to) == sum(dice)] for dice in _SETS
}


def facts(s, seat):
    order = last_order(s)
    dice = [s.active[f] + s.aside[f] + s.taken[f] for f in range(6)]
    return {
        "copies": list(COPIES[s.players]),
        "adds": ADDS,
        "raises": RAISES,
        "start": [first_dice(s, other) for other in range(s.players)],
        "wanted": [int(wanted(s, card)) for card in range(len(CARDS))],
        "sum": sum(dice[f] * (f + 1) for f in range(6)),
        "best": [max(dice), best_face(dice) + 1],
        "free": max(0, s.dice_limit - dice_in_use(s)),
        "order": order,
        "rolled": [int(s.phase == OVER or s.final == 1 and order.index(other) < s.turn) for other in range(s.players)],
        "rolls": rolls(s, order) if s.phase == OVER else [],
        **(turn(s, seat) if seat == s.seat and s.pending == 1 << seat else {}),
    }


def wanted(s, card):
    """May the player at turn still win this character with dice?"""
    return (
        not s.final
        and s.seat != NOBODY
        and s.supply[card] > 0
        and not s.owns[s.seat][card]
        and card not in (FOOL, QUEEN)
    )


# --- the turn ---------------------------------------------------------------------------------------------------------


def turn(s, seat):
    """What the player at turn can do with the dice: for each legal move the faces that the dice named in it get (None:
    rolled, or not changed); how many more dice each character takes; sets of dice and what the alchemist can make of
    them; may a die be added?"""
    moves = [0] * MOVES.total
    moves = moves[: legal(s, seat, moves)]
    taken = sum(s.taken)
    alchemist = s.phase == ALCHEMIST_TAKES or any(VERB[move] == TAKE for move in moves)
    return {
        "become": [become(VERB[move], X[move], Y[move], Z[move]) for move in moves],
        "takes": [
            card.get("dice", taken + count_active(s) if card["family"] in ("rolls", "turns") else 0) - taken
            for card in CHARACTERS
        ],
        "turned": turned(s) if alchemist else [],
        "adding": int(can_add(s)),
    }


def become(verb, x, y, z):
    if verb == RAISE:
        return [x + y + 2]
    if verb == SHIFT:
        return [x - z, y + z + 2]
    if verb in (COPY, CHANGE):
        return [y + 1]
    if verb == RAISE_BY_1:
        return [x + 2]
    if verb == RAISE_BY_2:
        return [x + 3]
    return [x + 1] if verb == ADD_ANY else None


def turned(s):
    """Sets of two or three dice, those that the alchemist has among them, and the faces that they can get."""
    return [
        [list(dice), ways]
        for dice, ways in TURNED.items()
        if ways and all(s.taken[f] <= dice.count(f + 1) <= s.taken[f] + s.active[f] for f in range(6))
    ]


# --- the last round ---------------------------------------------------------------------------------------------------


def last_order(s):
    """The seats as they come in the last round; none until the king is taken."""
    if s.king == NOBODY:
        return []
    last = s.copy()
    if not last.final:
        end_round(last)
    order = []
    for last.turn in range(s.players):
        order.append(next_seat(last))
    return order


def rolls(s, order):
    """How the king came to whoever has him: each seat's group (of 0: none, or not known) and the id of what came of it.

    What the queen's holder first took the king with is known unless she has since won him back.
    """
    if not order:
        return []
    queen, rolled = s.queen, s.turn == s.players
    won_back = rolled and s.king == queen
    best = [KING_NEEDS, 0] if won_back else s.results[queen]
    out = [roll(queen, [0, 0] if won_back else best, "first")]
    for seat in order[:-1]:
        better = beats(*s.results[seat], *best)
        best = s.results[seat] if better else best
        out.append(roll(seat, s.results[seat], "conceded" if s.conceded[seat] else "taken" if better else "not-better"))
    if won_back:
        return [*out, roll(queen, s.results[queen], "equal" if s.results[queen] == best else "taken")]
    return [*out, roll(queen, [0, 0], "kept" if not rolled else "conceded" if s.conceded[queen] else "not-better")]


def roll(seat, group, why):
    return {"seat": seat, "count": group[0], "face": group[1], "why": why}
