"""The King's New Town beyond its scenarios: uses of the dice, housing of residents, layouts, inconsistent data,
presets.
"""

import copy
import random
import time
import tomllib
from itertools import product

import pytest

import courtly
from courtly.engine.constants import NOBODY
from courtly.engine.match import new_match
from courtly.engine.position import Position
from courtly.games.newtown import components, counting, dice
from courtly.games.newtown import rules as r
from courtly.games.newtown import table as t

GAME = courtly.game("newtown")
COMPONENTS = tomllib.loads((GAME.folder / "components.toml").read_text("utf-8"))


def at_the_dice(green, red, black):
    """Return a state in which a player is about to use these dice and has no other option."""
    match = new_match(GAME, players=2, seed=1)
    s = match.state
    s.phase, s.step, s.seat, s.falling, s.going, s.pending, s.turn = t.Phase.ACTING, t.Step.USING, 0, 0, 0, 1, 0
    s.sizes = s.drawn = 0
    for seat in range(2):
        for i, face in enumerate((green, red, black)):
            s.coloured[seat][i], s.used[seat][i], s.white[seat][i], s.times[seat][i] = face, 0, i + 1, 1
        s.craftsman[seat] = 3
    return s


def assignments(s):
    """Return every way to use the three dice: each die as a block, for its effect or not at all, or a triple as one."""
    uses_of_dice = set()
    effect = {t.MOVES.gem: 0, t.MOVES.reroll: 1, t.MOVES.take: 2}

    def explore(s, uses):
        for move in Position(GAME, state=s).legal(0):
            verb = t.VERB[move]
            if verb == t.MOVES.finish:
                uses_of_dice.add(uses)
            elif verb == t.MOVES.triple:
                uses_of_dice.add(("triple", t.X[move]))
            elif verb == t.MOVES.block or verb in effect:
                die = t.X[move] if verb == t.MOVES.block else effect[verb]
                next_uses = uses[:die] + ("block" if verb == t.MOVES.block else "effect",) + uses[die + 1 :]
                state_after = s.copy()
                r.apply(state_after, 0, move)
                settle(state_after)
                if state_after.step == t.Step.USING and state_after.seat == 0:
                    explore(state_after, next_uses)
                else:
                    uses_of_dice.add(next_uses)

    explore(s, ("nothing",) * 3)
    return uses_of_dice


def settle(s):
    """Take what has to be taken, and do not re-roll."""
    position = Position(GAME, state=s)
    while s.seat == 0 and (position.chance or s.phase in (t.Phase.TAKING, t.Phase.REROLLING)):
        if position.chance:
            position.happen(position.legal(NOBODY)[0])
        else:
            position.apply(0, position.legal(0)[-1])  # `stop` is the last legal move


@pytest.mark.parametrize("faces, ways", [((2, 5, 6), 26), ((4, 4, 1), 24), ((6, 6, 6), 24)])
def test_the_dice_have_the_stated_number_of_uses(faces, ways):
    """W3."""
    assert len(assignments(at_the_dice(*faces))) == ways


def test_lands_of_the_white_dice():
    """The King's land is open on 30 of 216 rolls: six triples and 24 sequences."""
    s = at_the_dice(1, 2, 3)
    totals, calls = {}, 0
    for roll in product(range(1, 7), repeat=3):
        s.white[0][:] = roll
        totals[dice.total(s, 0)] = totals.get(dice.total(s, 0), 0) + 1
        calls += dice.king_calls(s, 0)
        assert dice.king_calls(s, 0) == (len(set(roll)) == 1 or sorted(roll) == list(range(min(roll), min(roll) + 3)))
    assert calls == 30
    assert [totals[n] for n in range(3, 19)] == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]


# --- residents --------------------------------------------------------------------------------------------------------


def town_of(rng, houses, cards):
    s = GAME.State(players=2)
    r.setup(s)
    for number, land in enumerate(rng.sample(range(17), houses), start=1):
        s.houses[land] = 1
        s.owner[land * 2] = 0
        s.form[land * 2] = rng.randrange(12)
        s.raised[land * 2] = number
    for card in rng.sample(range(16), cards):
        s.resident_owner[card] = 0
    return s


def best_by_brute_force(s):
    """Return the maximum worth over all assignments, with the tie-breaks."""
    cards = [c for c in range(16) if s.resident_owner[c] == 0]
    houses = sorted((h for h in range(34) if h % 2 < s.houses[h // 2]), key=lambda h: s.raised[h])
    best_assignment = None
    for assignment in product([*houses, -1], repeat=len(cards)):
        is_allowed = all(h < 0 or counting.welcome_at(c, h) for c, h in zip(cards, assignment, strict=True))
        is_allowed = is_allowed and all(
            sum(t.PERSONS[c] for c, home in zip(cards, assignment, strict=True) if home == h)
            <= t.FORM_BASE[s.tables][s.form[h]]
            for h in houses
        )
        if is_allowed and s.one_card_per_house:
            is_allowed = all(assignment.count(h) <= 1 for h in houses)
        if is_allowed:
            points = sum(
                (t.POINTS[s.tables][c] if h >= 0 else -t.POINTS[s.tables][c])
                + (c >= 14) * (3.5 if h // 2 == 16 else -3.5 if h < 0 else 0)
                for c, h in zip(cards, assignment, strict=True)
            )
            rank = (points, sum(h >= 0 for h in assignment))
            if (
                best_assignment is None or rank > best_assignment[0]
            ):  # assignments are generated in the order of the tie-break
                best_assignment = rank, dict(zip(cards, assignment, strict=True))
    return best_assignment[1]


@pytest.mark.parametrize("seed", range(40))
def test_residents_are_housed_in_the_best_way(seed):
    rng = random.Random(seed)
    s = town_of(rng, rng.randint(1, 4), rng.randint(1, 5))
    s.one_card_per_house = seed % 4 == 0
    counting.house_residents(s, 0)
    assert {c: s.home[c] for c in range(16) if s.resident_owner[c] == 0} == best_by_brute_force(s)


def test_housing_is_quick_for_the_fullest_table():
    started = time.process_time()
    for seed in range(30):
        counting.house_residents(town_of(random.Random(seed), 8, 8), 0)
    assert time.process_time() - started < 30 * 0.05


# --- components -------------------------------------------------------------------------------------------------------


def test_lines_and_squares_of_the_layouts():
    """Every land is in a line and a square of the pinwheel; the sets are those of the two drawings."""
    for name in ("pinwheel", "cross"):
        cells = components.cells_of(name, COMPONENTS["layouts"][name])
        lines, squares = components.lines_of(cells), components.squares_of(cells)
        assert len(lines) == 8 and len(squares) == 8
        if name == "pinwheel":
            assert {p for line in lines for p in line} == {p for square in squares for p in square} == set(range(17))


def broken_components(change):
    box = copy.deepcopy(COMPONENTS)
    change(box)
    return box


@pytest.mark.parametrize(
    "change, named",
    [
        (lambda b: b["grounds"]["lawn"]["numbers"].remove(6), "land 6 is missing"),
        (lambda b: b["grounds"]["lawn"]["numbers"].append(19), "there is no land 19"),
        (lambda b: b["grounds"]["mud"]["numbers"].append(6), "land 6 has two grounds"),
        (
            lambda b: b["layouts"].update(pinwheel=["..XX.", "XXXX.", "XXKXX", ".XXXX", ".X..."]),
            "layout pinwheel has 15 lands",
        ),
        (lambda b: b["layouts"].update(odd=["XXXXXXXX", "XXXXXXXX"]), "layout odd has 0 King's lands"),
        (lambda b: b["layouts"].update(odd=["XXXXXXXX", "XXXXXXX?"]), "'?' is not a place"),
        (lambda b: b["blocks"].update({"7": [[i, 0] for i in range(7)]}), "no block of size 7"),
        (lambda b: b["blocks"].update({"6": [[i, 0] for i in range(7)]}), "block 6 has 7 cells"),
        (lambda b: b["residents"]["r03"].update(grounds=["sand"]), "resident r03 lives on 'sand'"),
        (lambda b: b["residents"].pop("r07"), "resident cards are r01 to r16"),
        (lambda b: b["houses"].pop("2x4"), "house 2x4 is missing"),
    ],
)
def test_inconsistent_components_are_rejected(change, named):
    with pytest.raises(components.InvalidTownDataError, match=named.replace("?", r"\?")):
        components.checked(broken_components(change))


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "players, markers, starts",
    [
        (2, t.Markers.LAST, [0, 1, 1, 0]),
        (2, t.Markers.NEXT, [0, 1, 0, 1]),
        (3, t.Markers.LAST, [0, 1, 2, 0]),
        (3, t.Markers.NEXT, [0, 1, 2, 0]),
        (4, t.Markers.LAST, [0, 1, 2, 3]),
    ],
)
def test_start_players_of_the_rounds(players, markers, starts):
    match = new_match(GAME, players=players, seed=5, options={"markers": markers})
    rng = random.Random(1)
    first_seats = {}
    while not match.over:
        first_seats.setdefault(match.state.round, match.state.first)
        seat = match.pending[0]
        match.play(seat, rng.choice(match.legal(seat)).id)
    assert [(first_seats[n] - first_seats[1]) % players for n in (1, 2, 3, 4)] == starts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_start_players_follow_the_markers(players):
    """The rule in the words of its source: squares and markers, the last empty square behind all markers."""
    squares = [seat if seat < players else None for seat in range(4)]
    starts = []
    for square in range(4):
        seat = squares[square]
        starts.append(seat)
        squares[square] = None
        empty_squares = [n for n in range(square + 1, 4) if squares[n] is None]
        if empty_squares:
            squares[empty_squares[-1]] = seat
    match, rng, first_seats = new_match(GAME, players=players, seed=2), random.Random(2), {}
    while not match.over:
        first_seats.setdefault(match.state.round, match.state.first)
        seat = match.pending[0]
        match.play(seat, rng.choice(match.legal(seat)).id)
    assert [(first_seats[n] - first_seats[1]) % players for n in (1, 2, 3, 4)] == starts


@pytest.mark.parametrize("ruleset", [t.Ruleset.SIMPLE, t.Ruleset.ORIGINAL])
def test_lands_are_laid_by_the_players(ruleset):
    """The players lay the lands in turn, the start player first; then the game goes on."""
    match, rng, laying_seats = (
        new_match(GAME, players=3, seed=4, options={"lands": 1, "ruleset": ruleset}),
        random.Random(4),
        [],
    )
    while len(laying_seats) < 32:
        [seat] = match.pending
        laying_seats.append(seat)
        match.play(seat, rng.choice(match.legal(seat)).id)
    first_seat = match.state.first
    assert laying_seats == [(first_seat + n // 2) % 3 for n in range(32)]
    assert sorted(match.state.land_at) == list(range(17)) and match.state.land_at[t.KING] == t.KING
    assert match.state.round == 1


def test_a_choice_in_the_dice_phase_is_secret_and_can_be_undone():
    for seed in range(200):
        match = new_match(GAME, players=3, seed=seed)
        if len(match.pending) > 1:
            break
    first_seat, second_seat = match.pending[:2]
    views_before = {seat: match.view(seat) for seat in (*range(3), None) if seat != first_seat}
    twin = match.copy()
    match.play(first_seat, match.legal(first_seat)[0])
    twin.play(first_seat, twin.legal(first_seat)[1])
    for seat, view in views_before.items():
        assert match.view(seat, 0) == twin.view(seat, 0)
        assert match.view(seat)["pending"] == view["pending"][1:]
    assert match.can_undo(first_seat) == 1 and not match.can_undo(second_seat)
    match.undo(first_seat)
    assert tuple(match.pending[:2]) == (first_seat, second_seat)
    match.play(second_seat, match.legal(second_seat)[1])
    match.play(first_seat, match.legal(first_seat)[0])
    while len(match.pending) == 1 and match.state.phase == t.Phase.AIMING:
        match.play(match.pending[0], match.legal(match.pending[0])[0])
    assert match.state.craftsman[second_seat] == t.KING and match.state.craftsman[first_seat] != t.KING


def test_a_finite_supply_runs_out():
    """Whole games with the fewest blocks, counted by the invariants."""
    rng = random.Random(3)
    for seed in range(3):
        match = new_match(GAME, players=4, seed=seed, options={"finite_supply": 1})
        match.state.supply[:] = [1, 0, 1, 0, 1, 1]
        while not match.over:
            seat = match.pending[0]
            match.play(seat, rng.choice(match.legal(seat)).id)
            assert min(match.state.supply) >= 0
