"""The facts for the board that follow from the public state. Faces are numbered from 1, characters by their index in
Card."""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from courtly.engine.constants import NOBODY
from courtly.games.petition.dice import beats, best_face, dice_in_use
from courtly.games.petition.odds import best_kept, meets
from courtly.games.petition.powers import can_add
from courtly.games.petition.rules import claimable, end_round, first_dice, legal, next_seat
from courtly.games.petition.table import (
    ADDED,
    ADDER,
    CHARACTERS,
    COPIES,
    FACES,
    KINDS,
    MOVES,
    NEEDS,
    PARITY,
    RUNS,
    VERB,
    Card,
    Group,
    Phase,
    X,
    Y,
    Z,
)

NO_DICE = (0,) * 6
# Characters whose powers can increase the chance of a requirement above that of rolling alone.
HELPING = [card for card, about in enumerate(CHARACTERS) if about["family"] in ("adds", "turns", "rolls")]
SAMPLES = (4, 2, 5)  # example faces of groups without any die
HALF_USED = {
    Phase.MERCHANT: Card.MERCHANT,
    Phase.NOBLEWOMAN: Card.NOBLEWOMAN,
    Phase.NOBLEMAN: Card.NOBLEMAN,
    Phase.ALCHEMIST: Card.ALCHEMIST,
    Phase.TURNING: Card.ALCHEMIST,
}
POWERS = {
    MOVES.queen: Card.QUEEN,
    MOVES.fool: Card.FOOL,
    MOVES.merchant: Card.MERCHANT,
    MOVES.maid: Card.MAID,
    MOVES.philosopher: Card.PHILOSOPHER,
    MOVES.astronomer: Card.ASTRONOMER,
    MOVES.magician: Card.MAGICIAN,
    MOVES.noblewoman: Card.NOBLEWOMAN,
    MOVES.nobleman: Card.NOBLEMAN,
    MOVES.alchemist: Card.ALCHEMIST,
}
TAKERS = (Card.MERCHANT, Card.NOBLEWOMAN, Card.NOBLEMAN)  # they take any number of dice, with a move for each
# Characters without a requirement for dice: the one on whose back they are, or with which they come.
INSTEAD = {Card.CHARLATAN: Card.FOOL, Card.QUEEN: Card.KING}
# For two or three dice: all other faces with the same sum.
_SETS = [dice for n in (2, 3) for dice in combinations_with_replacement(FACES, n)]
TURNED = {
    dice: [list(to) for to in _SETS if to != dice and len(to) == len(dice) and sum(to) == sum(dice)] for dice in _SETS
}


COUNTED = ("characters",)


def facts(s, seat):
    order = last_order(s)
    dice = tuple(s.active[f] + s.aside[f] + s.taken[f] for f in range(6))
    can_win = [wanted(s, card) for card in range(KINDS)]
    return {
        "copies": [copies(s, card) for card in range(KINDS)],
        "instead": [INSTEAD.get(card, NOBODY) for card in range(KINDS)],
        "start": [first_dice(s, other) for other in range(s.players)],
        "wanted": [int(can) for can in can_win],
        "needs": [needs(dice if can else NO_DICE)[card] for card, can in enumerate(can_win)],
        "claimable": in_reach(s, dice),
        "sum": sum(dice[f] * (f + 1) for f in range(6)),
        "best": [max(dice), best_face(dice) + 1],
        "free": max(0, s.dice_limit - dice_in_use(s)),
        "using": HALF_USED.get(s.phase, NOBODY),
        "goal": goal(s, seat),
        "order": order,
        "rolled": [
            int(s.phase == Phase.OVER or s.final == 1 and order.index(other) < s.turn) for other in range(s.players)
        ],
        "rolls": rolls(s, order) if s.phase == Phase.OVER else [],
        **(turn(s, seat, can_win) if seat == s.seat and s.pending == 1 << seat else {}),
    }


def copies(s, card):
    """Return the number of copies at the start, without flipped ones; None if it is unlimited."""
    return None if card == Card.FOOL and not s.fools else 0 if card == Card.CHARLATAN else COPIES[s.players][card]


def wanted(s, card):
    """Return True if the player at turn can still win this character with dice."""
    return (
        not s.final
        and s.seat != NOBODY
        and s.supply[card] > 0
        and not s.owns[s.seat][card]
        and card not in (Card.FOOL, Card.QUEEN)
    )


def in_reach(s, dice):
    """Return, for each character, 1 if it could be claimed with the dice as they lie; all 0 before the first roll."""
    if s.final or s.rolling or s.seat == NOBODY:
        return [0] * KINDS
    bits = claimable(s, dice, NO_DICE)
    return [bits >> card & 1 for card in range(KINDS)]


# --- requirements -----------------------------------------------------------------------------------------------------


@lru_cache(4096)
def needs(dice):
    """Return how these dice meet the requirement of each character."""
    return [places(need, dice) for _, need in NEEDS]


def places(need, dice):
    """Return how dice meet a requirement: for a sum, the percentage reached; else the places in sets, each with its
    face and 1 if a die fills it, or with an example face and 0."""
    if "sum" in need:
        total = sum(dice[f] * (f + 1) for f in range(6))
        return {"part": min(100, 100 * total // need["sum"])}
    if "straight" in need:
        return {"sets": [straight(RUNS[need["straight"]], dice)]}
    if "all" in need:
        return {"sets": [all_of(PARITY[need["all"]], dice)]}
    return {"sets": groups(sizes(need), dice)}


def sizes(need):
    """Return the sizes of the required groups of equal dice."""
    if "full_house" in need:
        return [3, 2]
    return [need["of_a_kind"]] if "of_a_kind" in need else [2] * need.get("pairs", 0) or [3] * need.get("triples", 0)


def groups(asked, dice):
    """Fill the groups in order: each takes the face with the most remaining dice, and among equals the highest."""
    left, found = list(dice), []
    for n, size in enumerate(asked):
        there, f = max((min(count, size), f) for f, count in enumerate(left))
        left[f] -= there
        found.append([[(f if there else SAMPLES[n]) + 1, int(i < there)] for i in range(size)])
    return found


def straight(runs, dice):
    """Return the places of the run that needs the fewest dice."""
    best = max(runs, key=lambda run: sum(run >> f & (dice[f] > 0) for f in range(6)))
    return [[f + 1, int(dice[f] > 0)] for f in range(6) if best >> f & 1]


def all_of(right, dice):
    """Return all dice on the table, each with 1 if its face matches; without dice, the matching faces."""
    if not any(dice):
        return [[f + 1, 0] for f in range(6) if right >> f & 1]
    return [[f + 1, right >> f & 1] for f in range(6) for _ in range(dice[f])]


# --- the turn ---------------------------------------------------------------------------------------------------------


def turn(s, seat, can_win):
    """Return what the player at turn can do with the dice. `adding`: 1 if a die can be added."""
    return {
        "uses": uses(s, MOVES.listed(legal, s, seat)),
        "adding": int(can_add(s)),
        "odds": odds(s, can_win),
        "helped": int(any(s.owns[seat][card] and not s.used[card] for card in HELPING)),
    }


def odds(s, can_win):
    """Return the chance, in percent, to win each character by rolling for it alone, if dice added by cards are kept as
    they come.

    0 and 100 mean impossible and certain. None: it cannot be won, or a power is in use.
    """
    if s.phase not in (Phase.BEFORE, Phase.ACTING):
        return [None] * KINDS
    added, room = [0] * 6, s.dice_limit - dice_in_use(s)
    for adder, face in zip(ADDER, ADDED, strict=True):
        if s.owns[s.seat][adder] and not s.used[adder] and sum(added) < room:
            added[face] += 1
    return [
        percent(s, card, NO_DICE if "all" in CHARACTERS[card]["needs"] else tuple(added)) if can else None
        for card, can in enumerate(can_win)
    ]


def percent(s, card, added):
    if s.phase == Phase.BEFORE:
        chance = meets(card, added, s.rolling)
    else:
        active, aside = tuple(map(int.__add__, s.active, added)), tuple(s.aside)
        chance = best_kept(card, active, aside, s.kept == 1) if any(active) else meets(card, aside, 0)
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, round(100 * chance)))


def uses(s, moves):
    """Return how each character can be used now. `ways`: the picked dice, the moves that use it on them, and the
    resulting faces of these dice (for the queen: of the new die), or None if they are rolled. `each`: the same for a
    power on any number of dice, with one move for each die; the moves of `then` follow."""
    found: dict[int, dict[str, Any]] = {}
    shifts: list[tuple[set[int], list[int]]] = []  # either die may give to the other: ways to the same dice count once
    for move in moves:
        verb, x, y = VERB[move], X[move], Y[move]
        card = ADDER[x] if verb == MOVES.add else POWERS.get(verb, NOBODY)
        if card == NOBODY:
            continue
        use = found.setdefault(card, {"card": card, "ways": [], "each": [], "then": []})
        to = become(verb, x, y, Z[move])
        if card in TAKERS:
            use["each"].append([x + 1, int(move), to])
            use["then"] = [MOVES.done]
        elif verb == MOVES.philosopher:
            same = {x + 1, y + 1}, sorted(to)
            if same not in shifts:
                shifts.append(same)
                use["ways"].append([[x + 1, y + 1], [int(move)], to])
        elif verb in (MOVES.add, MOVES.queen):
            use["ways"].append([[], [int(move)], to])
        elif verb != MOVES.alchemist:
            use["ways"].append([[x + 1], [int(move)], to])
    using = HALF_USED.get(s.phase, NOBODY)
    if using in TAKERS:
        use = found.setdefault(using, {"card": using, "ways": [], "each": [], "then": []})
        use["ways"].append([[], [MOVES.done], []])
    if s.phase == Phase.ALCHEMIST or Card.ALCHEMIST in found:
        found[Card.ALCHEMIST] = {"card": Card.ALCHEMIST, "ways": turned(s), "each": [], "then": []}
    return list(found.values())


def become(verb, x, y, z):
    if verb == MOVES.maid:
        return [x + y + 2]
    if verb == MOVES.philosopher:
        return [x - z, y + z + 2]
    if verb in (MOVES.astronomer, MOVES.magician):
        return [y + 1]
    if verb == MOVES.noblewoman:
        return [x + 2]
    if verb == MOVES.nobleman:
        return [x + 3]
    return [x + 1] if verb == MOVES.queen else None


def turned(s):
    """Return all that the alchemist can make of sets of two or three dice that include the taken ones: the moves take
    the rest of the set, then give all new faces."""
    ways = []
    for dice, others in TURNED.items():
        more = [dice.count(f + 1) - s.taken[f] for f in range(6)]
        if all(0 <= n <= there for n, there in zip(more, s.active, strict=True)):
            taken = [f for f in range(6) for _ in range(more[f])]
            take = [MOVES.alchemist + f for f in taken]
            ways += [[[f + 1 for f in taken], take + [MOVES.turn + face - 1 for face in to], to] for to in others]
    return ways


# --- the last round ---------------------------------------------------------------------------------------------------


def goal(s, seat):
    """Return the group that this seat needs for the king: "equal" to the mark, "better", or "bigger" if no face is
    higher. None if it is not the last round, or the seat already has the king."""
    if not s.final or seat is None or seat == s.king:
        return None
    if seat == s.queen:
        return "equal"
    return "better" if s.mark[Group.FACE] < len(FACES) else "bigger"


def last_order(s):
    """Return the seats in the order of the last round; an empty list until the king is taken."""
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
    """Return the history of the king in the last round: each seat's group (0: none) and the id of the outcome."""
    if not order:
        return []
    queen, best = s.queen, list(s.took)
    out = [roll(queen, best, "first")]
    for seat in order[:-1]:
        better = beats(*s.results[seat], *best)
        best = list(s.results[seat]) if better else best
        out.append(roll(seat, s.results[seat], "conceded" if s.conceded[seat] else "taken" if better else "not-better"))
    if s.turn < s.players or s.conceded[queen]:
        return [*out, roll(queen, [0, 0], "conceded" if s.conceded[queen] else "kept")]
    last = best_face(s.aside)  # her dice still lie there, because her turn is the last
    group = [s.aside[last], last + 1]
    return [*out, roll(queen, group, "not-better" if s.king != queen else "equal" if group == best else "taken")]


def roll(seat, group, why):
    return {"seat": seat, "count": group[0], "face": group[1], "why": why}


def counted(s, seat):
    """Return the numbers that players count, in the order of COUNTED; the most important one comes first."""
    return [sum(s.owns[seat])]
