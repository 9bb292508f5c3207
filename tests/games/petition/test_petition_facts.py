"""The facts of To Court the King agree with the rules."""

import random
from collections import Counter
from pathlib import Path

import pytest

from courtly.engine import transcript
from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.games.petition.dice import dice_in_use, earned
from courtly.games.petition.shown import needs
from courtly.games.petition.table import Card, Phase
from courtly.testing.checks.properties import random_positions

GAME = find_game("petition")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def facts(position, seat=None):
    return GAME.facts(position.view(seat))


def dice(s):
    return Counter({f + 1: s.active[f] + s.taken[f] for f in range(6) if s.active[f] + s.taken[f]})


def every_power(seed):
    """Yield positions of a seat that has each character, with various dice on the table."""
    rng = random.Random(seed)
    for _ in range(60):
        position = Position(GAME, 2, {"first_player": 1})
        s = position.state
        for card in (
            Card.FOOL,
            Card.MAID,
            Card.PHILOSOPHER,
            Card.ASTRONOMER,
            Card.MERCHANT,
            Card.NOBLEWOMAN,
            Card.MAGICIAN,
            Card.ALCHEMIST,
            Card.NOBLEMAN,
            Card.KNIGHT,
        ):
            s.owns[0][card] = int(rng.random() < 0.7)
        s.phase, s.pending, s.rolling = Phase.ACTING, 1, 0
        for _ in range(rng.randrange(1, 8)):
            s.active[rng.randrange(6)] += 1
        s.aside[rng.randrange(6)] += rng.randrange(3)
        for _ in range(30):
            if position.pending != (0,) or position.state.phase == Phase.CLAIMING:
                break
            yield position
            position.play(0, rng.choice(position.legal(0)))


def rolled(active, aside=(), owns=(), kept=0):
    position = Position(GAME, 2, {"first_player": 1})
    s = position.state
    s.phase, s.pending, s.rolling, s.kept = Phase.ACTING, 1, 0, kept
    for face in active:
        s.active[face - 1] += 1
    for face in aside:
        s.aside[face - 1] += 1
    for card in owns:
        s.owns[0][card] = 1
    return position


@pytest.mark.parametrize(
    "position, card, percent, helped",
    [
        (rolled([1, 2, 3]), Card.FARMER, 63, 0),  # one is kept: it forms a pair, or the others do
        (rolled([1, 1, 3]), Card.FARMER, 100, 0),
        (rolled([1, 1, 3]), Card.GUARD, 17, 0),
        (rolled([1], [1, 1], kept=1), Card.GUARD, 100, 0),
        (rolled([2], [1, 1], kept=1), Card.GUARD, 17, 0),
        (rolled([1, 1, 3]), Card.HUNTER, 0, 0),
        (rolled([1, 1], owns=[Card.LABORER]), Card.GUARD, 100, 1),  # with the laborer's die
        (rolled([1, 1, 3], owns=[Card.MAID]), Card.GUARD, 17, 1),
        (rolled([1, 3, 3], owns=[Card.GUARD]), Card.MAID, 100, 1),  # the guard's die would be even, so it is not added
        (rolled([1, 1, 3], owns=[Card.FARMER]), Card.FARMER, None, 0),
    ],
)
def test_the_odds_are_those_of_the_best_player(position, card, percent, helped):
    told = facts(position, 0)
    assert told["odds"][card] == percent and told["helped"] == helped
    assert "odds" not in facts(position, 1) and "odds" not in facts(position)


def test_odds_before_the_first_roll_and_during_a_power():
    position = rolled([])
    position.state.phase, position.state.rolling = Phase.BEFORE, 3
    assert facts(position, 0)["odds"][Card.FARMER] == 79  # W20
    position = rolled([1, 1, 3], owns=[Card.MERCHANT])
    position.play(0, next(move for move in position.legal(0) if move.verb == "merchant"))
    assert set(facts(position, 0)["odds"]) == {None}


def test_powers_have_the_shown_outcomes():
    seen = Counter()
    for position in every_power(1):
        for use in facts(position, 0)["uses"]:
            for picked, moves, to in use["ways"]:
                after = position.now()
                after.play(0, moves)  # each move is legal in turn
                if use["card"] in (Card.FOOL, Card.MERCHANT):
                    assert after.chance
                else:
                    assert to is None or dice(after.state) == before(position, picked, use["card"]) + Counter(to)
                seen[use["card"]] += 1
            for face, move, to in use["each"]:
                after = position.now()
                after.play(0, [move, *use["then"]])
                if use["card"] == Card.MERCHANT:
                    assert to is None and after.chance
                else:
                    assert dice(after.state) == dice(position.state) - Counter([face]) + Counter(to)
                seen[use["card"]] += 1
    turning = {Card.MAID, Card.PHILOSOPHER, Card.ASTRONOMER, Card.MAGICIAN, Card.ALCHEMIST}
    assert seen.keys() >= turning | {Card.FOOL, Card.MERCHANT, Card.NOBLEWOMAN, Card.NOBLEMAN, Card.KNIGHT}


def before(position, picked, card):
    """Return the dice that a character leaves unchanged, without those that the alchemist has already changed."""
    taken = Counter({f + 1: n for f, n in enumerate(position.state.taken) if n and card == Card.ALCHEMIST})
    return dice(position.state) - Counter(picked) - taken


def test_all_moves_of_a_character_are_listed():
    for position in every_power(2):
        told = facts(position, 0)["uses"]
        begun = {move for use in told for _, moves, _ in use["ways"] for move in moves}
        begun |= {move for use in told for _, move, _ in use["each"]}
        for move in position.legal(0):
            if move.verb not in ("roll", "finish", "keep", "pass", "concede", "turn", "claim"):
                assert move.id in begun or move.verb == "philosopher"


def test_equivalent_shifts_are_listed_once():
    [use] = facts(rolled([2, 4], owns=[Card.PHILOSOPHER]), 0)["uses"]
    made = [sorted(to) for _, _, to in use["ways"]]
    assert sorted(made) == [[1, 5], [3, 3]]


def test_a_turn_goes_on_after_the_last_die_where_one_can_be_added():
    seen = set()
    for position in every_power(4):
        keeps = [move for move in position.legal(0) if move.verb == "keep"]
        if sum(position.state.active) == 1 and keeps:
            adding = facts(position, 0)["adding"]
            position = position.now()
            position.play(0, keeps[0])
            assert (position.state.phase == Phase.ACTING) == bool(adding)
            seen.add(adding)
    assert seen == {0, 1}


@pytest.mark.parametrize("players", GAME.players)
def test_claimable_characters_are_wanted(players):
    for number, play in enumerate(random_positions(GAME, players, random.Random(players))):
        s, told = play.state, facts(play)
        assert all(
            told["wanted"][card]
            for card in range(Card.QUEEN)
            if told["claimable"][card] and card not in (Card.FOOL, Card.CHARLATAN)
        )
        assert told["free"] == max(0, s.dice_limit - dice_in_use(s))
        if number > 2000:
            break


def test_a_requirement_is_shown_as_met_if_the_dice_meet_it():
    rng, met = random.Random(5), Counter()
    for _ in range(4000):
        row = tuple(rng.sample([rng.randrange(1, 8), *(rng.choice((0, 0, 0, 1, 2, 3)) for _ in range(5))], 6))
        bits = earned(row, (0,) * 6)
        for card in range(Card.FARMER, Card.QUEEN):
            drawn = needs(row)[card]
            places = [place for lot in drawn.get("sets", ()) for place in lot]
            full = drawn["part"] == 100 if "part" in drawn else all(filled for _, filled in places)
            assert full == (bits >> card & 1), (Card[card], row, drawn)
            for f in range(6):
                assert sum(filled for face, filled in places if face == f + 1) <= row[f]
            met[card] += full
    assert all(0 < met[card] < 4000 for card in range(Card.FARMER, Card.QUEEN))


def test_the_example_of_a_requirement_has_no_own_dice():
    for card, drawn in enumerate(needs((0,) * 6)):
        places = [place for lot in drawn.get("sets", ()) for place in lot]
        assert drawn.get("part", 0) == 0 and not any(filled for _, filled in places)
        if places:
            row = [sum(face == f + 1 for face, _ in places) for f in range(6)]
            assert earned(row, (0,) * 6) >> card & 1, "the example meets the requirement"


@pytest.mark.parametrize("players", GAME.players)
def test_characters_shown_as_met_can_be_claimed(players):
    seen = 0
    for number, play in enumerate(random_positions(GAME, players, random.Random(players))):
        s, told = play.state, facts(play)["claimable"]
        if s.phase == Phase.CLAIMING:
            claims = {move.args["card"] for move in play.legal(s.seat) if move.verb == "claim"}
            assert claims == {Card[card] for card, can in enumerate(told) if can}
            seen += 1
        elif s.rolling or s.final or s.phase in (Phase.STARTING, Phase.OVER):
            assert not any(told)
        if number > 2000:
            break
    assert seen > 10


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_the_king_goes_to_the_seat_that_beats_the_shown_group(file):
    match = transcript.check(file.read_text("utf-8"))
    position = Position(GAME, match.players, match.options)
    for entry in match.entries:
        s, seat = position.now().state, position.state.seat
        goal = facts(position, seat)["goal"] if s.final else None
        position.apply(entry.seat, entry.move)
        if not s.final or position.state.seat == seat:
            continue
        group, mark = position.state.results[seat], s.mark
        enough = group >= mark if goal == "equal" else group > mark if goal == "better" else group[0] > mark[0]
        if seat != s.queen or position.state.king != s.king:
            assert enough == (position.state.king == seat)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_the_last_round_has_the_shown_order(file):
    match = transcript.check(file.read_text("utf-8"))
    position = Position(GAME, match.players, match.options)
    order, gone, took, first = [], [], [], []
    for entry in match.entries:
        before = position.now()
        position.apply(entry.seat, entry.move)
        s, told = position.state, facts(position)
        if s.queen != before.state.queen:
            first = list(s.mark)
        assert (told["order"] == []) == (s.king == NOBODY)
        assert order in ([], told["order"]), "the order is fixed once the King is taken"
        order = told["order"]
        if before.state.final and (s.seat, s.phase == Phase.OVER) != (before.state.seat, False):
            gone.append(before.state.seat)
            took.append(s.king != before.state.king)
        if s.final and s.phase != Phase.OVER:
            assert [seat for seat in order if told["rolled"][seat]] == gone and order[len(gone)] == s.seat
    assert gone == order[: len(gone)]
    rolls = facts(position)["rolls"]
    assert [roll["seat"] for roll in rolls] == (order[-1:] + order if order else [])
    assert [roll["why"] in ("taken", "equal") for roll in rolls[1 : 1 + len(took)]] == took
    assert [roll["why"] for roll in rolls[1 + len(took) :]] == ["kept"] * (len(rolls) - 1 - len(took))
    for roll in rolls[:1]:
        assert [roll["count"], roll["face"]] == first
    for roll in rolls[1:-1]:
        assert [roll["count"], roll["face"]] == position.state.results[roll["seat"]]
    for roll in rolls[1:]:
        assert (roll["count"] > 0) == (roll["why"] not in ("kept", "conceded"))
