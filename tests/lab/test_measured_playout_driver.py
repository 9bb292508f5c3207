"""The measures of games: the points of the score sheet, and the same numbers in every form."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from joined_batches import join_batches

from courtly.bots.registry import has_move_policy
from courtly.engine.game import find_game, game_ids
from courtly.engine.position import Position
from courtly.lab.batch import Batch
from courtly.lab.plan import Plan
from courtly.lab.runs.batch_runner import GAMES_PER_BATCH, play_batch, run_batches
from courtly.lab.runs.interpreted_game import play_game
from courtly.lab.runs.measured_playout_driver import FIGURE_NAMES
from courtly.lab.runs.simulate import simulate
from courtly.testing.checks.measure_checks import check_measures
from courtly.testing.failure_location import PropertyFailedError

SHORT_OPTIONS = {"petition": {"round_limit": 20}}
# where the score sheet is in the view of a finished game
SCORE_SHEETS = {
    "petition": lambda s, seat: 10 * s["results"][seat][0] + s["results"][seat][1],
    "cardinal": lambda s, seat: s["score"][seat],
    "puppet": lambda s, seat: s["points"][seat],
    "necklace": lambda s, seat: s["score"][seat],
    "newtown": lambda s, seat: s["score"][seat],
}


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURTLY_NATIVE", "0")


def plan(name: str, players: int, games: int, **changes: object) -> Plan:
    return Plan(name, players, games, 11, SHORT_OPTIONS.get(name, {}), None)._replace(**changes)


def assert_equal_batches(first: Batch, second: Batch) -> None:
    for name in Batch._fields:
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


@pytest.mark.parametrize("name", sorted(SCORE_SHEETS))
def test_points_are_those_of_the_score_sheet(name: str, interpreted: None) -> None:
    game = find_game(name)
    for players in game.players:
        run_plan = plan(name, players, 2)
        batch, _ = play_batch(run_plan, 0, 2)
        for number in range(2):
            final_position = play_game(run_plan, number, Position)
            view = final_position.view(0)["state"]
            assert [SCORE_SHEETS[name](view, seat) for seat in range(players)] == batch.points[number].tolist()
            assert final_position.scores == batch.scores[number].tolist()
            assert (final_position.decisions, final_position.events) == (batch.decisions[number], batch.events[number])


def play_with_log(run_plan: Plan, number: int) -> tuple[Position, list[int], list[int], list[list[int]]]:
    """Play a game to its end. Return it, with each decision's seat, number of moves, and standings."""
    seats, counts, standings = [], [], []

    def log_decision(position: Position, seat: int, legal: list[int], move: int) -> None:
        seats.append(seat)
        counts.append(len(legal))
        standings.append(position.standing())

    return play_game(run_plan, number, Position, log_decision), seats, counts, standings


def test_a_game_is_measured_as_it_is_played(interpreted: None) -> None:
    """Compared with an independent count."""
    run_plan = plan("sealed_bids", 3, 20)
    batch, _ = play_batch(run_plan, 0, 20)
    for number in range(20):
        final_position, seats, counts, standings = play_with_log(run_plan, number)
        standings.append(final_position.standing())
        best = max(standings[-1])
        winners = [seat for seat in range(3) if standings[-1][seat] == best]
        gaps = {seat: [max(standing) - standing[seat] for standing in standings] for seat in winners}
        last_behind = [max((i + 1 for i, gap in enumerate(gaps[seat]) if gap), default=0) for seat in winners]
        sole_leaders = [standing.index(max(standing)) for standing in standings if standing.count(max(standing)) == 1]
        expected = dict(
            start=seats[0],
            decisions=len(counts),
            events=final_position.events,
            turns=sum(a != b for a, b in zip([None, *seats], seats, strict=False)),
            forced=counts.count(1),
            choices=sum(counts),
            leads=sum(a != b for a, b in zip(sole_leaders, sole_leaders[1:], strict=False)),
            led=max(last_behind),
            behind=max(max(gaps[seat]) for seat in winners),
        )
        assert {name: getattr(batch, name)[number] for name in FIGURE_NAMES} == expected
        assert batch.shares[number].tolist() == [60 // len(winners) * (seat in winners) for seat in range(3)]
    assert batch.leads.any() and batch.behind.any() and (batch.led == 0).any()


def test_parts_are_the_same_on_any_number_of_cores(interpreted: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES_PER_BATCH, "native", 40)
    run_plan = plan("sealed_bids", 2, 90)
    on_one_core, on_two_cores = (join_batches(run_batches(run_plan, cores=cores)) for cores in (1, 2))
    assert on_one_core.games == 90
    assert_equal_batches(on_one_core, on_two_cores)
    remaining = list(run_batches(run_plan, cores=1, skipped={0, 80}))
    assert [(batch.first, batch.games) for batch in remaining] == [(40, 40)]


def test_machine_code_measures_the_same_parts_on_two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES_PER_BATCH, "native", 40)
    run_plan = plan("sealed_bids", 2, 90)
    native = list(run_batches(run_plan, cores=2))
    assert [(batch.first, batch.games) for batch in native] == [(0, 40), (40, 40), (80, 10)]
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    assert_equal_batches(join_batches(native), join_batches(run_batches(run_plan, cores=1)))


@pytest.mark.parametrize("name", game_ids())
def test_machine_code_measures_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game(name)
    kinds = [None, ("policy", "random", *["policy:3"] * (game.players[-1] - 2)) if has_move_policy(game) else None]
    for bots in kinds:
        run_plan = plan(name, game.players[-1], 12, bots=bots)
        native, log = play_batch(run_plan, 0, 12, decisions=True)
        monkeypatch.setenv("COURTLY_NATIVE", "0")
        interpreted_batch, interpreted_log = play_batch(run_plan, 0, 12, decisions=True)
        monkeypatch.undo()
        assert_equal_batches(native, interpreted_batch)
        assert np.array_equal(log, interpreted_log)
    native, _ = play_batch(plan(name, game.players[-1], 12), 0, 12)
    report = simulate(plan(name, game.players[-1], 12), cores=1, interpreted=True)
    assert (report["decisions"], report["chance"]) == (native.decisions.sum(), native.events.sum())
    assert report["wins"] == [round(float(n) / 60, 3) for n in native.shares.sum(0)]


def omits_a_seat(s, out):
    for seat in range(s.players - 1):
        out[seat] = s.score[seat]


def reverses_points(s, out):
    for seat in range(s.players):
        out[seat] = -s.score[seat]


def changes_state(s, out):
    for seat in range(s.players):
        s.score[seat] += 1
        out[seat] = s.score[seat]


@pytest.mark.parametrize(
    ("points", "message"),
    [(omits_a_seat, "leaves out number 1"), (reverses_points, "same order"), (changes_state, "changes the state")],
)
def test_faulty_measures_are_detected(points: object, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("sealed_bids")
    monkeypatch.setattr(game, "measures", SimpleNamespace(points=points))
    with pytest.raises(PropertyFailedError, match=message):
        for number in range(9):
            check_measures(game, 2, Random(number))


@pytest.mark.parametrize(
    ("changes", "message"), [({"games": 0}, "at least"), ({"bots": ("random",)}, "2 players need 2 bots, not 1")]
)
def test_an_invalid_plan_is_refused(changes: dict[str, object], message: str, interpreted: None) -> None:
    invalid_plan = plan("sealed_bids", 2, 3)._replace(**changes)
    with pytest.raises(ValueError, match=message):
        list(run_batches(invalid_plan, cores=1))
    with pytest.raises(ValueError, match=message):
        simulate(invalid_plan, cores=1)
