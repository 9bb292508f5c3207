"""The facts of To Court the King agree with the rules."""

import random
from collections import Counter
from pathlib import Path

import pytest

from courtly.engine import transcript
from courtly.engine.constants import NOBODY
from courtly.engine.game import find_game
from courtly.engine.position import Position
from courtly.engine.scenarios.files import read_scenario
from courtly.games.petition.dice import dice_in_use, earned
from courtly.games.petition.facts import Facts, Need
from courtly.games.petition.facts_needs import show_need
from courtly.games.petition.facts_odds import list_odds
from courtly.games.petition.odds import best_kept, meets
from courtly.games.petition.table import ADDED, ADDER, CHARACTERS, FACES, KINDS, Card, Phase
from courtly.testing.checks.properties import random_positions

GAME = find_game("petition")
GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def facts(position, seat=None):
    return GAME.facts(position.view(seat))


def dice(s):
    return Counter({f + 1: s.active[f] + s.taken[f] for f in range(6) if s.active[f] + s.taken[f]})


def positions_with_powers(seed):
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


def position_with_dice(active_faces, aside_faces=(), owned_cards=(), kept_count=0):
    position = Position(GAME, 2, {"first_player": 1})
    s = position.state
    s.phase, s.pending, s.rolling, s.kept = Phase.ACTING, 1, 0, kept_count
    for face in active_faces:
        s.active[face - 1] += 1
    for face in aside_faces:
        s.aside[face - 1] += 1
    for card in owned_cards:
        s.owns[0][card] = 1
    return position


@pytest.mark.parametrize(
    "position, card, percent, helped",
    [
        (position_with_dice([1, 2, 3]), Card.FARMER, 63, 0),  # one is kept: it forms a pair, or the others do
        (position_with_dice([1, 1, 3]), Card.FARMER, 100, 0),
        (position_with_dice([1, 1, 3]), Card.GUARD, 17, 0),
        (position_with_dice([1], [1, 1], kept_count=1), Card.GUARD, 100, 0),
        (position_with_dice([2], [1, 1], kept_count=1), Card.GUARD, 17, 0),
        (position_with_dice([1, 1, 3]), Card.HUNTER, 0, 0),
        (position_with_dice([1, 1], owned_cards=[Card.LABORER]), Card.GUARD, 100, 1),  # with the laborer's die
        (position_with_dice([1, 1, 3], owned_cards=[Card.MAID]), Card.GUARD, 17, 1),
        (
            position_with_dice([1, 3, 3], owned_cards=[Card.GUARD]),
            Card.MAID,
            100,
            1,
        ),  # the guard's die would be even, so it is not added
        (position_with_dice([1, 1, 3], owned_cards=[Card.FARMER]), Card.FARMER, None, 0),
    ],
)
def test_the_odds_are_those_of_the_best_player(position, card, percent, helped):
    odds_facts = facts(position, 0)
    assert odds_facts["odds"][card] == percent and odds_facts["helped"] == helped
    assert facts(position, 1)["odds"] is None and facts(position)["odds"] is None


def test_odds_before_the_first_roll_and_during_a_power():
    position = position_with_dice([])
    position.state.phase, position.state.rolling = Phase.BEFORE, 3
    assert facts(position, 0)["odds"][Card.FARMER] == 79  # W20
    position = position_with_dice([1, 1, 3], owned_cards=[Card.MERCHANT])
    position.play(0, next(move for move in position.legal(0) if move.verb == "merchant"))
    assert facts(position, 0)["odds"] is None


def random_turn(rng, dice_limit):
    """Return a position before or after a roll, with any dice, kept dice, and cards that add more."""
    position = Position(GAME, 2, {"first_player": 1, "dice_limit": dice_limit})
    s, most = position.state, dice_limit if dice_limit == 12 else 16
    for card in ADDER:
        s.owns[0][card] = int(rng.random() < 0.3)
        s.used[card] = int(s.owns[0][card] and rng.random() < 0.3)
    dice_count, faces = rng.randrange(1, most + 1), rng.sample(range(6), rng.choice((2, 3, 6, 6)))
    if rng.random() < 0.1:
        s.phase, s.rolling = Phase.BEFORE, dice_count
        return position
    s.phase, s.pending, s.rolling, s.kept = Phase.ACTING, 1, 0, rng.randrange(2)
    aside_count = rng.choice((0, rng.randrange(dice_count + 1)))
    for n in range(dice_count):
        row = s.aside if n < aside_count else s.active
        row[rng.choice(faces)] += 1
    return position


def expected_percent(s, card, added):
    """Return the chance in percent by the table of all dice that can be kept (odds.py)."""
    active, aside = tuple(map(int.__add__, s.active, added)), tuple(s.aside)
    if s.phase == Phase.BEFORE:
        chance = meets(card, added, s.rolling)
    else:
        chance = best_kept(card, active, aside, s.kept == 1) if any(active) else meets(card, aside, 0)
    return int(chance) * 100 if chance in (0, 1) else min(99, max(1, round(100 * chance)))


@pytest.mark.parametrize("dice_limit, count", [(12, 250), (30, 50)])
def test_the_odds_are_those_of_the_best_of_all_dice_that_can_be_kept(dice_limit, count):
    rng, odds_seen = random.Random(7), Counter()
    for _ in range(count):
        s, out = random_turn(rng, dice_limit).state, Facts()
        added, room = [0] * 6, dice_limit - dice_in_use(s)
        for card, face in zip(ADDER, ADDED, strict=True):
            added[face] += int(s.owns[0][card] and not s.used[card] and sum(added) < room)
        cards = range(Card.FARMER, Card.QUEEN)
        for card in range(KINDS):
            out.wanted[card] = int(card in cards)
        list_odds(s, out)
        for card in cards:
            counted_dice = (0,) * 6 if "all" in CHARACTERS[card]["needs"] else tuple(added)
            assert out.odds[card] == expected_percent(s, card, counted_dice), (Card[card], s.active, s.aside, added)
            odds_seen[out.odds[card]] += 1
    assert odds_seen[0] and odds_seen[100] and len(odds_seen) > 30


def test_powers_have_the_shown_outcomes():
    checked_uses = Counter()
    for position in positions_with_powers(1):
        for way in facts(position, 0)["ways"]:
            card, resulting_faces = way["card"], way["to"]
            position_after = position.now()
            position_after.play(0, way["moves"] + way["then"])  # each move is legal in turn
            if card in (Card.FOOL, Card.MERCHANT):
                assert not resulting_faces and position_after.chance
            elif resulting_faces:
                unchanged = unchanged_dice(position, way["dice"], card)
                assert dice(position_after.state) == unchanged + Counter(resulting_faces)
            checked_uses[card] += 1
    turning = {Card.MAID, Card.PHILOSOPHER, Card.ASTRONOMER, Card.MAGICIAN, Card.ALCHEMIST}
    assert checked_uses.keys() >= turning | {Card.FOOL, Card.MERCHANT, Card.NOBLEWOMAN, Card.NOBLEMAN, Card.KNIGHT}


def unchanged_dice(position, picked, card):
    """Return the dice that a character leaves unchanged, without those that the alchemist has already changed."""
    taken = Counter({f + 1: n for f, n in enumerate(position.state.taken) if n and card == Card.ALCHEMIST})
    return dice(position.state) - Counter(picked) - taken


def test_all_moves_of_a_character_are_listed():
    for position in positions_with_powers(2):
        listed_moves = {move for way in facts(position, 0)["ways"] for move in way["moves"]}
        for move in position.legal(0):
            if move.verb not in ("roll", "finish", "keep", "pass", "concede", "turn", "claim"):
                assert move.id in listed_moves or move.verb == "philosopher"


def test_equivalent_shifts_are_listed_once():
    ways = facts(position_with_dice([2, 4], owned_cards=[Card.PHILOSOPHER]), 0)["ways"]
    assert sorted(sorted(way["to"]) for way in ways) == [[1, 5], [3, 3]]


def test_a_turn_goes_on_after_the_last_die_where_one_can_be_added():
    adding_values = set()
    for position in positions_with_powers(4):
        keeps = [move for move in position.legal(0) if move.verb == "keep"]
        if sum(position.state.active) == 1 and keeps:
            adding = facts(position, 0)["adding"]
            position = position.now()
            position.play(0, keeps[0])
            assert (position.state.phase == Phase.ACTING) == bool(adding)
            adding_values.add(adding)
    assert adding_values == {0, 1}


@pytest.mark.parametrize("players", GAME.players)
def test_claimable_characters_are_wanted(players):
    for number, position in enumerate(random_positions(GAME, players, random.Random(players))):
        s, table_facts = position.state, facts(position)
        assert all(
            table_facts["wanted"][card]
            for card in range(Card.QUEEN)
            if table_facts["claimable"][card] and card not in (Card.FOOL, Card.CHARLATAN)
        )
        assert table_facts["free"] == max(0, s.dice_limit - dice_in_use(s))
        if number > 2000:
            break


def shown_need(card, row):
    """Return the percentage of a sum, and the places of all sets."""
    need = Need()
    show_need(card, row, [0] * 6, need)
    need_facts = need.as_json(2)
    return need_facts["part"], [face for places in need_facts["sets"] for face in places]


def test_a_requirement_is_shown_as_met_if_the_dice_meet_it():
    rng, met_counts = random.Random(5), Counter()
    for _ in range(4000):
        row = tuple(rng.sample([rng.randrange(1, 8), *(rng.choice((0, 0, 0, 1, 2, 3)) for _ in range(5))], 6))
        bits = earned(row, (0,) * 6)
        for card in range(Card.FARMER, Card.QUEEN):
            part, places = shown_need(card, row)
            is_met = all(face > 0 for face in places) if part is None else part == 100
            assert is_met == (bits >> card & 1), (Card[card], row, part, places)
            for f in range(6):
                assert places.count(f + 1) <= row[f]
            met_counts[card] += is_met
    assert all(0 < met_counts[card] < 4000 for card in range(Card.FARMER, Card.QUEEN))


def test_the_example_of_a_requirement_has_no_own_dice():
    for card in range(Card.FARMER, Card.QUEEN):
        part, places = shown_need(card, (0,) * 6)
        assert not part and all(face < 0 for face in places)
        if places:
            row = [places.count(-face) for face in FACES]
            assert earned(row, (0,) * 6) >> card & 1, "the example meets the requirement"


@pytest.mark.parametrize("players", GAME.players)
def test_characters_shown_as_met_can_be_claimed(players):
    claiming_positions = 0
    for number, position in enumerate(random_positions(GAME, players, random.Random(players))):
        s, claimable = position.state, facts(position)["claimable"]
        if s.phase == Phase.CLAIMING:
            claims = {move.args["card"] for move in position.legal(s.seat) if move.verb == "claim"}
            assert claims == {Card[card] for card, is_claimable in enumerate(claimable) if is_claimable}
            claiming_positions += 1
        elif s.rolling or s.final or s.phase in (Phase.STARTING, Phase.OVER):
            assert not any(claimable)
        if number > 2000:
            break
    assert claiming_positions > 10


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
    order, finished_seats, took_king, queens_group = [], [], [], []
    for entry in match.entries:
        position_before = position.now()
        position.apply(entry.seat, entry.move)
        s, table_facts = position.state, facts(position)
        if s.queen != position_before.state.queen:
            queens_group = list(s.mark)
        assert (table_facts["order"] == []) == (s.king == NOBODY)
        assert order in ([], table_facts["order"]), "the order is fixed once the King is taken"
        order = table_facts["order"]
        if position_before.state.final and (s.seat, s.phase == Phase.OVER) != (position_before.state.seat, False):
            finished_seats.append(position_before.state.seat)
            took_king.append(s.king != position_before.state.king)
        if s.final and s.phase != Phase.OVER:
            assert [seat for seat in order if table_facts["rolled"][seat]] == finished_seats and order[
                len(finished_seats)
            ] == s.seat
    assert finished_seats == order[: len(finished_seats)]
    rolls = facts(position)["rolls"]
    assert [roll["seat"] for roll in rolls] == (order[-1:] + order if order else [])
    assert [roll["why"] in ("taken", "equal") for roll in rolls[1 : 1 + len(took_king)]] == took_king
    assert [roll["why"] for roll in rolls[1 + len(took_king) :]] == ["kept"] * (len(rolls) - 1 - len(took_king))
    for roll in rolls[:1]:
        assert [roll["count"], roll["face"]] == queens_group
    for roll in rolls[1:-1]:
        assert [roll["count"], roll["face"]] == position.state.results[roll["seat"]]
    for roll in rolls[1:]:
        assert (roll["count"] > 0) == (roll["why"] not in ("kept", "conceded"))


def test_the_last_roll_shows_that_the_queens_holder_gave_up():
    given = read_scenario(GAME, Path(__file__).parent / "the-holder-of-the-queen-gives-up.toml")
    given.run()
    assert given.position.over
    *_, last = facts(given.position)["rolls"]
    assert (last["seat"], last["count"], last["face"], last["why"]) == (0, 0, 0, "conceded")
