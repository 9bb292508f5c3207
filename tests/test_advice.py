"""Hints: they follow from the seat's view, and the stated reasons are facts."""

import json
import random
from itertools import islice
from statistics import mean
from types import SimpleNamespace

import pytest

from courtly.bots import advice, move_explanations
from courtly.bots.advice import advise
from courtly.bots.move_explanations import explain_moves
from courtly.bots.registry import find_bot
from courtly.bots.search.search import Search, WinChances
from courtly.bots.secret_choices import find_chances
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import new_match
from courtly.engine.native import loader
from courtly.engine.position import Position
from courtly.engine.rng import make_generator
from courtly.games.necklace.cards import SALES
from courtly.games.necklace.table import MOVES
from courtly.testing.checks.properties import RandomGame, other_world


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch):
    """Use so few simulations that no compiler is needed."""
    monkeypatch.setattr(advice, "_make_search", lambda game, count: Search(game, 16, loader.InterpretedBackend()))


def count_only(*names, parts=()):
    """Return a game that counts these numbers, the first of which consists of the parts."""
    return SimpleNamespace(counted=names, parts=parts)


def decisions(game, number, least=2, players=None):
    """Yield positions of a random game, each with a pending seat that has at least this number of moves."""
    play = RandomGame(game, players or game.players[0], random.Random(number))
    while not play.over:
        for seat in play.pending:
            if len(play.legal(seat)) >= least:
                yield play, seat
        play.apply(*play.next())


@pytest.mark.parametrize("name", game_ids())
def test_indistinguishable_worlds_get_the_same_hints(name):
    game = find_game(name)
    positions = (
        (play, seat) for number in range(7, 40) for play, seat in decisions(game, number, players=game.players[-1])
    )
    worlds = ((play, seat, other_world(play, seat, n)) for n, (play, seat) in enumerate(positions))
    differing_worlds = (entry for entry in worlds if entry[2].state != entry[0].state or not game.hidden)
    world_count = 0
    for play, seat, world in islice(differing_worlds, 1):
        world_count += 1
        for hints in (False, True):
            hints_of_position, hints_of_world = (
                json.dumps(advise(game, position_or_world.view(seat), hints)) for position_or_world in (play, world)
            )
            assert hints_of_position == hints_of_world
    assert world_count


@pytest.mark.parametrize("name", game_ids())
def test_advice_names_up_to_three_moves_in_the_order_of_their_chances(name):
    game = find_game(name)
    play, seat = next(decisions(game, 3))
    view = play.view(seat)
    answer = advise(game, view, True)
    assert 1 <= len(answer["hints"]) <= 3 and len(answer["wins"]) == play.players
    assert all(hint["move"] in view["legal"] for hint in answer["hints"])
    assert answer["hints"] == sorted(answer["hints"], key=lambda hint: -hint["wins"])
    assert answer["wins"][seat] == answer["hints"][0]["wins"], "the chances are those after the best move"
    assert advise(game, view, False)["hints"] == []


@pytest.mark.parametrize("name", game_ids())
def test_an_interleaved_request_changes_nothing(name, monkeypatch):
    monkeypatch.setattr("courtly.bots.search.search.FIRST_SLICE_SIMULATIONS", 3)
    game = find_game(name)
    (_, view), (_, other_view) = [(play, play.view(seat)) for play, seat in islice(decisions(game, 3), 2)]
    expected, expected_other = advise(game, view, True), advise(game, other_view, True)
    interleaved_answers = []
    assert (
        advise(
            game, view, True, lambda: interleaved_answers or interleaved_answers.append(advise(game, other_view, True))
        )
        == expected
    )
    assert interleaved_answers == [expected_other]


@pytest.mark.parametrize("name", game_ids())
def test_without_machine_code_there_is_a_simple_move(name, monkeypatch):
    """Also in a game without a squire of its own."""
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    monkeypatch.setattr(loader, "CompiledBackend", type("NoCompiler", (), {}))  # its constructor takes no arguments
    game = find_game(name)
    play, seat = next(decisions(game, 3))
    view = play.view(seat)
    chosen_move = advice.choose_simple_move(game, view)
    assert chosen_move in [move["id"] for move in view["legal"]] and chosen_move == advice.choose_simple_move(
        game, view
    )


def test_a_seat_that_is_not_pending_gets_only_the_chances():
    game = find_game("petition")
    play, seat = next(decisions(game, 1))
    other = (seat + 1) % play.players
    assert advise(game, play.view(other), True)["hints"] == []


def test_the_chances_are_calibrated(monkeypatch):
    """Measured on games of squires, the chances are much better than a uniform forecast, and calibrated."""
    monkeypatch.undo()
    game, squire = find_game("puppet"), find_bot(find_game("puppet"), "squire")
    search, r, forecasts = advice._make_search(game, 400), random.Random(1), []
    for number in range(24):
        position, rng, game_forecasts = Position(game, 2), make_generator(5, number), []
        while not position.over:
            if position.chance:
                position.happen(rng)
                continue
            seat = position.pending[0]
            view = position.view(seat)
            if r.random() < 0.05:
                game_forecasts.append(search.chances(view, None, 1).shares)
            position.apply(seat, squire(game, view, rng))
        best = max(position.scores)
        results = [(score == best) / position.scores.count(best) for score in position.scores]
        forecasts += [pair for shares in game_forecasts for pair in zip(shares, results, strict=True)]
    assert mean((forecast - result) ** 2 for forecast, result in forecasts) < 0.7 * mean(
        (0.5 - result) ** 2 for _, result in forecasts
    )
    for low, high in ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.01)):
        range_forecasts = [(forecast, result) for forecast, result in forecasts if low <= forecast < high]
        assert (
            abs(mean(forecast for forecast, _ in range_forecasts) - mean(result for _, result in range_forecasts))
            < 0.25
        )


def test_at_a_sale_not_every_player_is_ahead(monkeypatch):
    """Each sees only the own cards, yet the chances that two players see add up to about 1: the other is imagined to
    lay cards as well as oneself."""
    monkeypatch.undo()
    game, squire, sums = find_game("necklace"), find_bot(find_game("necklace"), "squire"), []
    for number in range(16):
        match, rng, seen = new_match(game, players=2, seed=number), make_generator(1, number), {}
        while not match.over:
            seat = match.pending[0]
            view = match.view(seat)
            move = squire(game, view, rng)
            if move == MOVES.commit and view["state"]["sales"] == SALES - 1:
                seen[seat] = find_chances(Search(game, 200), view, move, 1).shares[seat]
            match.play(seat, [move])
        sums.append(sum(seen.values()))
    assert mean(sums) == pytest.approx(1, abs=0.05)


GAMES_WITH_COUNTED_VALUES = [name for name in game_ids() if find_game(name).counted]


@pytest.mark.parametrize("name", GAMES_WITH_COUNTED_VALUES)
def test_immediate_gains_of_a_hint_are_certain(name):
    game, gain_count = find_game(name), 0
    value_names = game.counted
    for number, (play, seat) in enumerate(islice(decisions(game, 11), 0, 240, 6)):
        view = play.view(seat)
        move = random.Random(number).choice(view["legal"])["id"]
        reasons = explain_moves(game, view, {move: WinChances([0.5] * play.players, [0.1] * play.players)}, 1)[move]
        values_before = game.count(game.State.from_view(view["state"]), seat)
        changes = [reason["args"]["counted"] for reason in reasons if reason["id"] == "help-at-once"]
        expected = dict(zip(value_names, values_before, strict=False))  # what follows are parts of the first
        for change in changes[0] if changes else ():
            expected[change["name"]] += change["n"]
            gain_count += 1
        world = other_world(play, seat, 1000 + number)
        world.apply(seat, move)
        if not world.chance and changes:
            assert dict(zip(value_names, game.count(world.state, seat), strict=False)) == expected
    assert gain_count


def test_what_all_moves_bring_is_no_reason_for_one():
    """Drawing a card brings a card, whichever it is."""
    game = find_game("cardinal")
    play, seat = next(
        (play, seat)
        for play, seat in decisions(game, 3)
        if len(play.legal(seat)) > 1 and all(move.verb in ("take", "draw") for move in play.legal(seat))
    )
    chances = WinChances([0.5] * play.players, [0.1] * play.players)
    found = {move.id: chances for move in play.legal(seat)[:2]}
    reasons = explain_moves(game, play.view(seat), found, 1)
    assert all(reason["id"] != "help-at-once" for each in reasons.values() for reason in each)
    single = dict.fromkeys(list(found)[:1], chances)
    (alone,) = explain_moves(game, play.view(seat), single, 1).values()
    assert {"id": "help-at-once", "args": {"counted": [{"name": "cards", "n": 1}]}} in alone


def test_a_reason_about_a_rival_follows_from_the_chances():
    game = find_game("puppet")

    def rival_reasons(players, error, counted=True):
        play, seat = next(decisions(game, 5, least=3, players=players))
        view, rival = play.view(seat), (seat + 1) % players
        moves = [move["id"] for move in view["legal"]][:2]
        shares = [[chance if other == rival else 0.3 for other in range(players)] for chance in (0.1, 0.5)]
        chances = {
            move: WinChances(share, [error] * players, counted) for move, share in zip(moves, shares, strict=True)
        }
        return [
            [(reason["id"], reason["args"]["seat"] == rival, reason["args"]["percent"]) for reason in reasons]
            for reasons in (
                [reason for reason in reasons if "seat" in reason["args"]]
                for reasons in explain_moves(game, view, chances, 1).values()
            )
        ]

    assert rival_reasons(3, 0.01) == [[("help-denies", True, 40)], [("help-helps", True, 40)]]
    assert rival_reasons(3, 0.2) == [[], []], "an uncertain reason is not given"
    assert rival_reasons(3, 0.01, counted=False) == [[], []], "a reason that was not counted is not given"
    assert rival_reasons(2, 0.01) == [[], []], "the only rival's chance follows from one's own"


def test_what_a_rival_counts_is_a_reason():
    """The only rival's chance follows from one's own, but not its points."""
    game = find_game("necklace")

    def compare(own, other, counted=True):
        courses = {
            move: [SimpleNamespace(later_counts=[[0], [number]])] * 20 for move, number in enumerate((own, other))
        }
        found = dict.fromkeys(courses, WinChances([0.5] * 2, [0.1] * 2, counted))
        return move_explanations._rival_counts(game, 0, found, courses, 0)

    def reason(id, n):
        return [{"id": id, "args": {"seat": 1, "counted": [{"name": "pounds", "n": n}]}}]

    assert compare(7, 5) == reason("help-rival-more", 2)
    assert compare(5, 8) == reason("help-rival-less", 3)
    assert compare(5, 5) == [] and compare(5, 5.5) == [], "too little"
    assert compare(7, 5, counted=False) == [], "a solved turn says nothing about others"


def test_the_best_move_has_a_reason_in_its_favour(monkeypatch):
    """What brings less at the next turn may bring more later."""
    game, (play, seat) = find_game("necklace"), next(decisions(find_game("necklace"), 4))
    view, rival = play.view(seat), 1 - seat
    best, other = [move["id"] for move in view["legal"]][:2]
    pounds_at_turn = {1: {best: 100, other: 150}, move_explanations.LATER_TURNS: {best: 300, other: 200}}

    def play_continuations(game, view, found, number, turns, pause):
        def counts(pounds):
            return [[pounds if each == seat else 0, 0, 0, 0] for each in (0, 1)]

        return {
            move: [move_explanations.Continuation(counts(0), counts(pounds))] * 20
            for move, pounds in pounds_at_turn[turns].items()
        }

    monkeypatch.setattr(move_explanations, "_play_continuations", play_continuations)
    shares = {best: [0.6, 0.4], other: [0.4, 0.6]}
    found = {move: WinChances(share if seat == 0 else share[::-1], [0.01] * 2) for move, share in shares.items()}
    reasons = explain_moves(game, view, found, 1)
    assert [reason["id"] for reason in reasons[best]][-2:] == ["help-less", "help-more"], rival
    assert reasons[best][-1]["args"]["later"] == 1
    assert [reason["id"] for reason in reasons[other]][-1] == "help-more"


def test_a_solved_turn_gives_no_reasons_about_rivals():
    game = find_game("petition")
    for number, (play, seat) in enumerate(islice(decisions(game, 9), 0, 40, 4)):
        answer = advise(game, play.view(seat), True)
        assert not answer["counted"] and answer["margin"], number
        assert not [reason for hint in answer["hints"] for reason in hint["reasons"] if "seat" in reason["args"]]


def test_a_range_that_is_unusually_wide_is_a_reason():
    wide, narrow = (
        [SimpleNamespace(later_counts=[[n]]) for n in counts] for counts in (range(0, 40, 2), [19, 20] * 10)
    )
    open_reason = {"id": "help-open", "args": {"name": "points", "low": 4, "high": 34}}
    assert open_reason in move_explanations._later_changes(count_only("points"), 0, {1: wide, 2: narrow}, 1, [2])
    assert move_explanations._later_changes(count_only("points"), 0, {1: narrow, 2: wide}, 1, [2]) == []
    assert move_explanations._later_changes(count_only("points"), 0, {1: wide}, 1, []) == [], "with nothing to compare"


def test_moves_are_compared_by_the_goal_or_by_the_number_that_differs_most():
    def compare(*rows):
        courses = {move: [SimpleNamespace(later_counts=[list(row)])] * 20 for move, row in enumerate(rows)}
        return move_explanations._later_changes(count_only("pounds", "cards", "stones"), 0, courses, 0, [1])

    def more(name, n):
        return [{"id": "help-more", "args": {"counted": [{"name": name, "n": n}]}}]

    assert compare((7, 5, 9), (5, 4, 5)) == more("pounds", 2), "the goal of the game, where it differs"
    assert compare((5, 5, 9), (5, 4, 5)) == more("stones", 4)
    assert compare((5, 5, 5), (5, 4, 5)) == more("cards", 1)
    assert compare((5, 5, 5), (5, 5, 5)) == []


def test_what_a_move_brings_at_once_is_not_said_again_for_later():
    def reason(id, *changes):
        return {"id": id, "args": {"counted": [{"name": name, "n": n} for name, n in changes]}}

    def drop(later):
        at_once = [reason("help-at-once", ("cards", 1), ("points", 2))]
        return move_explanations._drop_repeated(("points", "cards", "gold"), at_once, [later])

    assert drop(reason("help-more", ("cards", 1))) == []
    for kept in (("help-less", ("cards", 1)), ("help-more", ("gold", 1)), ("help-more", ("points", 2))):
        assert drop(reason(*kept)) == [reason(*kept)]


def test_the_part_that_makes_up_most_of_a_difference_is_named():
    """A part that differs otherwise, or makes up less than half, is not named; nor is one for another number."""

    def find_part(*rows):
        game = count_only("points", "cards", parts=("chains", "alliances"))
        courses = {move: [SimpleNamespace(later_counts=[list(row)])] * 20 for move, row in enumerate(rows)}
        [reason] = move_explanations._later_changes(game, 0, courses, 0, [1])
        return reason["args"].get("part")

    assert find_part((9, 4, 2, 7), (3, 4, 1, 2)) == "alliances"
    assert find_part((3, 4, 1, 2), (9, 4, 2, 7)) == "alliances", "a move that brings less"
    assert find_part((9, 4, 6, 3), (3, 4, 2, 1)) == "chains"
    assert find_part((9, 4, 3, 3), (3, 4, 1, 1)) is None, "a third each; the rest is something else"
    assert find_part((9, 4, 1, 3), (3, 4, 6, 3)) is None
    assert find_part((3, 9, 5, 3), (3, 4, 1, 3)) is None


@pytest.mark.parametrize("name", GAMES_WITH_COUNTED_VALUES)
def test_parts_add_up(name):
    """During a game the parts add up to the first number, without the points of Web of Power's interim scoring."""
    game = find_game(name)
    for play, _ in islice(decisions(game, 12), 0, 200, 5):
        for seat in range(play.players if game.parts else 0):
            numbers = game.count(play.state, seat)
            scored = play.state.score[seat] if name == "cardinal" else 0
            assert numbers[0] == scored + sum(numbers[len(game.counted) :])


@pytest.mark.parametrize(("name", "verb"), [("puppet", "keep"), ("newtown", "welcome")])
def test_a_choice_that_shows_later_has_a_reason(name, verb):
    """The servants of a draft bring something only turns later, and residents at the end of the turn."""
    game, chances = find_game(name), WinChances([0.5] * 3, [0.1] * 3)
    hints = 0
    for play, seat in islice(decisions(game, 8, players=3), 2000):
        moves = [move.id for move in play.legal(seat) if move.verb == verb][:3]
        if len(moves) < 2:
            continue
        reasons = explain_moves(game, play.view(seat), dict.fromkeys(moves, chances), 1)
        assert any(reasons.values()), (name, moves)
        hints += 1
        if hints == 3:
            break
    assert hints == 3


def test_the_expected_changes_are_means_rounded_to_their_precision():
    courses = [SimpleNamespace(later_counts=[[points, 1, 4]]) for points in (5, 6, 9, 9)]
    names = ("points", "cards", "gold")
    changes = [{"name": "points", "n": 4}, {"name": "cards", "n": -1}]
    expected = [{"id": "help-expected", "args": {"counted": changes}}]
    assert move_explanations._expected_changes(names, 0, [3, 2, 4], courses) == expected
    assert move_explanations._expected_changes(names, 0, [3, 2, 4], [SimpleNamespace(later_counts=None)]) == []
