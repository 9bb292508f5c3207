"""Reasons for and against a move: what it brings at once, how the seats stand at the player's next turn, whose chances
it reduces, and how much depends on luck. Differences that are not significant are left out.

All moves are compared in the same imagined worlds, which continue as the game's policy plays. `counted` of the game's
facts.py returns what players count: points, money, cards.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import inf, sqrt
from statistics import mean, stdev, variance
from typing import Any, NamedTuple

from courtly.bots.search.search import CONFIDENCE_95_FACTOR, Pause, WinChances
from courtly.engine.constants import MAX_SEATS, POLICY_NOTES_LENGTH
from courtly.engine.game import Game
from courtly.engine.native import loader
from courtly.engine.native.rows import make_row, make_table, pack_state
from courtly.engine.rng import make_generator
from courtly.engine.schemas import PositionView, Reason

WORLDS_PER_MOVE = 20
DRIVER = "courtly.bots.continuation_driver"
MIN_COUNT_DIFFERENCE = 0.5  # in units of what is counted; a smaller difference is ignored
MIN_RIVAL_DIFFERENCE = 1  # the same for what another player counts
MIN_PART_SHARE = 0.5  # of a difference that a part makes up and that is named for it
LATER_TURNS = 4  # the turn until which moves are followed that differ in nothing at the next one
FAVOURABLE_REASONS = {"help-more", "help-denies", "help-rival-less"}
OPEN_SPREAD_RATIO = 1.6  # how many times the spread after the other moves the spread must be to count as open

Counts = list[list[int]]  # for each seat, the numbers in the order of COUNTED and PARTS


class Continuation(NamedTuple):
    """The continuation after a move in one world: the counts right after the move, and at the next turn of its player
    or a later one. `later_counts` is None if the game has no policy that could play the other seats."""

    next_counts: Counts
    later_counts: Counts | None


def explain_moves(
    game: Game, view: PositionView, found: dict[int, WinChances], number: int, pause: Pause | None = None
) -> dict[int, list[Reason]]:
    """Return the reasons for each of these moves, whose chances are known. `pause` is called repeatedly during the
    computation."""
    reasons: dict[int, list[Reason]] = {move: [] for move in found}
    seat = view["seat"]
    assert seat is not None
    count_names = game.counted
    courses = _play_continuations(game, view, found, number, 1, pause)
    state = game.State.from_view(view["state"])
    before = game.count(state, seat) if count_names else []
    immediate = _drop_shared(
        {
            move: _immediate_changes(count_names, before, [course.next_counts[seat] for course in courses[move]])
            for move in found
        }
    )
    later = _turn_changes(game, seat, before, courses)
    rivals = {move: _rival_changes(game, seat, found, courses, move) for move in found}
    for move, reason in reasons.items():
        reason += immediate[move] + _drop_repeated(count_names, immediate[move], later[move]) + rivals[move]
    best = _find_clearly_best(seat, found)
    lacks_favour = best is not None and not _is_favoured(reasons[best])
    if _can_follow(game) and (lacks_favour or not all(reasons.values())):
        courses = _play_continuations(game, view, found, number, LATER_TURNS, pause)
        later = _turn_changes(game, seat, before, courses)
        for move, reason in reasons.items():
            farther = later[move] + _rival_counts(game, seat, found, courses, move)
            if not reason or (move == best and lacks_favour and _is_favoured(farther)):
                reason += [_mark_later(each) for each in farther]
    return reasons


def _find_clearly_best(seat: int, found: dict[int, WinChances]) -> int | None:
    """Return the move with the highest chance of the seat if it exceeds the next by more than the margin of error."""
    ranked = sorted(found, key=lambda move: -found[move].shares[seat])
    if len(ranked) < 2:
        return None
    best, second = (found[move] for move in ranked[:2])
    error = CONFIDENCE_95_FACTOR * sqrt(best.errors[seat] ** 2 + second.errors[seat] ** 2)
    return ranked[0] if best.shares[seat] - second.shares[seat] > error else None


def _is_favoured(reasons: list[Reason]) -> bool:
    """Return True if one of the reasons says that the move is better than the others."""
    return any(reason["id"] in FAVOURABLE_REASONS for reason in reasons)


def _play_continuations(
    game: Game, view: PositionView, found: dict[int, WinChances], number: int, turns: int, pause: Pause | None
) -> dict[int, list[Continuation]]:
    """Return the continuations of each move until the player's turn with this number, in the same worlds."""
    courses: dict[int, list[Continuation]] = {move: [] for move in found}
    for move, world in product(found, range(WORLDS_PER_MOVE if game.counted else 0)):
        courses[move].append(_play_continuation(game, view, move, number, world, turns))
        if pause:
            pause()
    return courses


def _turn_changes(
    game: Game, seat: int, before: list[int], courses: dict[int, list[Continuation]]
) -> dict[int, list[Reason]]:
    """Return, for each move, how it compares with the others at the end of the continuations, or what is expected
    then."""
    if not game.counted:
        return {move: [] for move in courses}
    expected = _drop_shared({move: _expected_changes(game.counted, seat, before, courses[move]) for move in courses})
    return {
        move: _later_changes(game, seat, courses, move, [other for other in courses if other != move]) or expected[move]
        for move in courses
    }


def _mark_later(reason: Reason) -> Reason:
    """Return a reason about a later turn than the next one."""
    return {"id": reason["id"], "args": {**reason["args"], "later": 1}}


def _can_follow(game: Game) -> bool:
    """Return True if the game has a policy that can play the other seats, and numbers to compare."""
    return bool(game.counted) and hasattr(game.policy, "priors")


def _drop_shared(reasons: dict[int, list[Reason]]) -> dict[int, list[Reason]]:
    """Return the reasons of each move; none if several moves all have the same, which do not tell them apart."""
    first, *others = reasons.values()
    return dict.fromkeys(reasons, []) if others and all(other == first for other in others) else reasons


def _immediate_changes(count_names: tuple[str, ...], before: list[int], after: list[list[int]]) -> list[Reason]:
    """Return what a move changes before any other seat acts, as far as it is the same in all worlds."""
    changes = [
        {"name": name, "n": after[0][i] - before[i]}
        for i, name in enumerate(count_names)
        if after[0][i] != before[i] and all(row[i] == after[0][i] for row in after)
    ]
    return [{"id": "help-at-once", "args": {"counted": changes}}] if changes else []


def _later_changes(
    game: Game, seat: int, courses: dict[int, list[Continuation]], move: int, others: list[int]
) -> list[Reason]:
    """Return by how much a counted number differs at the next turn from its mean after the other moves, in the same
    worlds: the first number if it differs, with the part of it that differs most, else the one that differs most
    clearly; and the range of the first if that is unusually wide."""
    own_counts = _later_numbers(courses[move], seat, 0)
    rest = [_later_numbers(courses[other], seat, 0) for other in others]
    if own_counts is None or not rest or any(row is None for row in rest):
        return []
    reasons: list[Reason] = []
    clearest = 1.0  # the least ratio of a difference to what could be chance
    for i, name in enumerate(game.counted):
        ratio, difference = _compare_numbers(courses, seat, i, move, others)
        if ratio >= clearest and (i == 0 or ratio > clearest or not reasons):
            id = "help-more" if difference > 0 else "help-less"
            reasons = [{"id": id, "args": {"counted": [{"name": name, "n": _round_amount(abs(difference))}]}}]
            if i == 0 and (part := _find_main_part(game, seat, courses, move, others, difference)):
                reasons[0]["args"]["part"] = part
            clearest = ratio if i else inf
    deviation = stdev(own_counts)
    if deviation >= 1 and deviation > OPEN_SPREAD_RATIO * mean(stdev(row) for row in rest if row):
        low, high = sorted(own_counts)[len(own_counts) // 10], sorted(own_counts)[-1 - len(own_counts) // 10]
        reasons.append({"id": "help-open", "args": {"name": game.counted[0], "low": low, "high": high}})
    return reasons


def _drop_repeated(count_names: tuple[str, ...], immediate: list[Reason], later: list[Reason]) -> list[Reason]:
    """Return the later reasons without one that only repeats what the move changes at once: that a card more is a card
    more later, too. The goal of the game is always named."""
    changes = {(change["name"], change["n"] > 0) for reason in immediate for change in reason["args"]["counted"]}
    return [
        reason
        for reason in later
        if reason["id"] not in ("help-more", "help-less")
        or (name := reason["args"]["counted"][0]["name"]) == count_names[0]
        or (name, reason["id"] == "help-more") not in changes
    ]


def _find_main_part(
    game: Game, seat: int, courses: dict[int, list[Continuation]], move: int, others: list[int], whole: float
) -> str | None:
    """Return the part of the first number that makes up most of its difference `whole`, at least half of it; None if
    there is no such part."""
    parts = [
        (difference / whole, name)
        for i, name in enumerate(game.parts, len(game.counted))
        for ratio, difference in [_compare_numbers(courses, seat, i, move, others)]
        if ratio >= 1
    ]
    share, name = max(parts, default=(0, ""), key=lambda part: part[0])
    return name if share >= MIN_PART_SHARE else None


def _expected_changes(
    count_names: tuple[str, ...], seat: int, before: list[int], courses: list[Continuation]
) -> list[Reason]:
    """Return by how much what players count will have changed at the player's next turn, on average."""
    later_counts = [course.later_counts[seat] for course in courses if course.later_counts is not None]
    if not later_counts:
        return []
    differences = [mean(row[i] for row in later_counts) - before[i] for i in range(len(count_names))]
    changes = [
        {"name": name, "n": _round_amount(difference) if difference > 0 else -_round_amount(-difference)}
        for name, difference in zip(count_names, differences, strict=True)
        if _round_amount(abs(difference))
    ]
    return [{"id": "help-expected", "args": {"counted": changes}}] if changes else []


def _compare_numbers(
    courses: dict[int, list[Continuation]], seat: int, i: int, move: int, others: list[int]
) -> tuple[float, float]:
    """Return the mean difference of a counted number from its mean after the other moves, as a multiple of the least
    difference that counts as one, and itself."""
    own, *rest = (_later_numbers(courses[each], seat, i) or [] for each in (move, *others))
    differences = [number - mean(row[k] for row in rest) for k, number in enumerate(own)]
    difference = mean(differences)
    least = max(MIN_COUNT_DIFFERENCE, 2 * sqrt(variance(differences) / len(differences)))
    return abs(difference) / least, difference


def _later_numbers(courses: list[Continuation], seat: int, i: int) -> list[int] | None:
    """Return one of the counted numbers in each world; None if one world has no continuation."""
    later_counts = [course.later_counts[seat][i] for course in courses if course.later_counts is not None]
    return later_counts if len(later_counts) == len(courses) else None


def _rival_changes(
    game: Game, seat: int, found: dict[int, WinChances], courses: dict[int, list[Continuation]], move: int
) -> list[Reason]:
    """Return the opponent whose chance falls most, and the one whose chance rises most, compared with the other moves;
    if there is none, the one whose count differs."""
    return _rival_chances(seat, found, move) or _rival_counts(game, seat, found, courses, move)


def _rival_chances(seat: int, found: dict[int, WinChances], move: int) -> list[Reason]:
    """Return the opponent whose chance falls most, and the one whose chance rises most."""
    others = [other for other in found if other != move]
    if not others or not found[move].counted:  # an exact solution only computes the seat's own chance
        return []
    if len(found[move].shares) == 2:  # the only opponent's chance is what the seat's own leaves
        return []
    reasons: list[Reason] = []
    changes = []
    for rival, share in enumerate(found[move].shares):
        usual = mean(found[other].shares[rival] for other in others)
        error = sqrt(found[move].errors[rival] ** 2 + mean(found[other].errors[rival] ** 2 for other in others))
        if rival != seat and abs(share - usual) > max(0.02, CONFIDENCE_95_FACTOR * error):
            changes.append((share - usual, rival))
    if changes and min(changes)[0] < 0:
        less, rival = min(changes)
        reasons.append({"id": "help-denies", "args": {"seat": rival, "percent": round(-100 * less)}})
    if changes and max(changes)[0] > 0:
        largest_change, rival = max(changes)
        reasons.append({"id": "help-helps", "args": {"seat": rival, "percent": round(100 * largest_change)}})
    return reasons


def _rival_counts(
    game: Game, seat: int, found: dict[int, WinChances], courses: dict[int, list[Continuation]], move: int
) -> list[Reason]:
    """Return the opponent whose first number at the end of the continuations differs most clearly from that after the
    other moves."""
    others = [other for other in found if other != move]
    if not others or not found[move].counted or not _can_follow(game):
        return []
    rivals = [rival for rival in range(len(found[move].shares)) if rival != seat]
    compared = [(*_compare_numbers(courses, rival, 0, move, others), rival) for rival in rivals]
    ratio, difference, rival = max(compared, key=lambda each: each[0])
    if ratio < 1 or abs(difference) < MIN_RIVAL_DIFFERENCE:
        return []
    counted = [{"name": game.counted[0], "n": _round_amount(abs(difference))}]
    id = "help-rival-more" if difference > 0 else "help-rival-less"
    return [{"id": id, "args": {"seat": rival, "counted": counted}}]


def _round_amount(amount: float) -> int | float:
    """Round an amount to its precision: halves below 2, whole numbers above."""
    return round(amount) if amount >= 2 else round(2 * amount) / 2


def _play_continuation(game: Game, view: PositionView, move: int, number: int, world: int, turns: int) -> Continuation:
    """Make the move in an imagined world, and continue until its player's turn with this number."""
    driver, state, follows = _load_driver(game), game.State.from_view(view["state"]), turns * _can_follow(game)
    rng, moves, weights = make_generator(number, world), [0] * game.room, [0] * (game.room + POLICY_NOTES_LENGTH)
    width = len(game.counted + game.parts)
    counts: Any = [[0] * width for _ in range(3 * MAX_SEATS)]
    if driver.native:
        counts = make_table(3 * MAX_SEATS, width)
        rows = map(make_row, (rng, moves, weights))
        driver.continue_match(pack_state(state), view["seat"], move, follows, *rows, counts)
    else:
        driver.continue_match([state], view["seat"], move, follows, rng, moves, weights, counts)
    numbers: Counts = counts.tolist() if driver.native else counts
    _, next_counts, later_counts = (numbers[MAX_SEATS * i : MAX_SEATS * i + state.players] for i in range(3))
    return Continuation(next_counts, later_counts if follows else None)


@cache
def _load_driver(game: Game) -> Any:
    return loader.load_driver(game, None if loader.is_usable() else loader.InterpretedBackend(), DRIVER)
