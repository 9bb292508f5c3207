"""Tuning of numbers toward goals, and comparison of variants."""

import json
import pickle
from concurrent.futures import Executor, Future
from itertools import product
from math import inf
from pathlib import Path

import numpy as np
import pytest

from courtly.engine.errors import RulesError
from courtly.engine.game import find_game
from courtly.lab.batch import Batch, empty_batch
from courtly.lab.design.compare import Comparison, Variant, comparison_lines, is_significant, make_variants
from courtly.lab.design.goals import InvalidGoalError, parse_goal
from courtly.lab.design.parameters import ComponentNumbers, InvalidParameterError, divide_proportionally
from courtly.lab.design.tune import SearchMismatchError, TuneResult, TuneSearch, _play_trial
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components, Plan
from courtly.lab.runs.batch_runner import run_batches
from courtly.lab.runs.component_override import InvalidComponentsError, own_components
from courtly.lab.statistics.game_measures import Tally
from courtly.lab.statistics.named_measures import MEASURES, MeasureRequest, component_names
from courtly.runtime.process_pool import ProcessPool

NECKLACE, PUPPET = find_game("necklace"), find_game("puppet")
BUILDINGS = component_names(PUPPET)
SMALL = Components(
    "components.toml",
    """# The numbers.
[cards.ring]
ladder = [6, 4, 2, 1]  # dearest first
count = 7
[cards.king]
ladder = [10, 8, 6, 4]
count = 3
""",
)


def toy(first: int, wins: np.ndarray, owned: np.ndarray | None = None, length: np.ndarray | None = None) -> Batch:
    """Return games of two; `wins` has the winning seat of each."""
    games = len(wins)
    batch = empty_batch(first, games, 2, 0 if owned is None else owned.shape[2])
    batch.shares[np.arange(games), wins] = 60
    batch.points[np.arange(games), wins] = 5
    batch.decisions[:] = 10 if length is None else length
    batch.choices[:] = 30
    if owned is not None:
        batch.owned[:] = owned
    return batch


# --- goals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "low", "high", "value", "short"),
    [
        ("length 60..90", 60, 90, 105, 1),
        ("length 60 .. 90", 60, 90, 75, 0),
        ("seats within 1%", -1, 1, 3, 2),
        ("starter within 2", -2, 2, -2.5, 0.25),
        ("ties <= 4%", -inf, 4, 6, 2),
        ("rarest(building) >= 8%", 8, inf, 4, 2),
        ("winners ( building palace ) within 3", -3, 3, 1, 0),
    ],
)
def test_a_goal_is_a_measure_with_a_range(text, low, high, value, short):
    aim = parse_goal(text, BUILDINGS)
    assert (aim.low, aim.high, aim.shortfall(value)) == (low, high, short)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fun >= 3", "unknown measure 'fun'; there are length, turns"),
        ("length", "is not a goal"),
        ("length about 60", "is not a goal"),
        ("length within 10%", "length is measured in decisions, not in %"),
        ("length 90..60", "the lower bound 90 is above the upper bound 60"),
        ("seats(building) within 1%", "it describes whole games"),
        ("winners(castle) within 1%", "no component is called castle; there are building palace"),
    ],
)
def test_unknown_measures_are_reported(text, said):
    with pytest.raises(InvalidGoalError) as refused:
        parse_goal(text, BUILDINGS)
    assert said in str(refused.value) and "\n" not in str(refused.value)


# --- parameters -------------------------------------------------------------------------------------------------------


def test_a_sum_keeps_its_proportions():
    for parts in product(range(4), repeat=3):
        for total in range(12):
            found = divide_proportionally(total, list(parts))
            assert sum(found) == total
            if sum(parts):
                assert all(abs(f - total * part / sum(parts)) < 1 for f, part in zip(found, parts, strict=True))
    assert divide_proportionally(13, [6, 4, 2, 1]) == [6, 4, 2, 1]


def test_parameters_are_numbers_sums_or_one_factor_for_all():
    numbers = ComponentNumbers(SMALL)
    ladders = numbers.parameters(("cards.*.ladder",), ())
    assert [(p.name, p.now, p.low, p.high) for p in ladders] == [
        ("cards.ring.ladder", 13, 6, 20),
        ("cards.king.ladder", 28, 14, 42),
    ]
    (together,) = numbers.parameters((), ("cards.*.ladder=0.5..2",))
    assert (together.now, together.low, together.high, together.step) == (100, 50, 200, 5)
    assert [*together.scaled_numbers(numbers.numbers, 200).values()] == [12, 8, 4, 2, 20, 16, 12, 8]
    (count,) = numbers.parameters(("cards.ring.count",), ())
    assert (count.now, count.low, count.high) == (7, 3, 11)


def test_a_changed_file_differs_only_in_the_numbers():
    numbers = ComponentNumbers(SMALL)
    ring, _ = numbers.parameters(("cards.*.ladder",), ())
    text = numbers.changed_text(ring.scaled_numbers(numbers.numbers, 17), "tuned:\nfor fun")
    assert text == "# tuned:\n# for fun\n\n" + SMALL.text.replace("[6, 4, 2, 1]", "[8, 5, 3, 1]")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("cards.queen.ladder",), "matches no number in components.toml; cards has ring, king"),
        (("card.*",), "it has cards"),
        (("cards.ring.price",), "cards.ring has ladder, count"),
        (("cards.ring.ladder=2..3",), "the range 2..3 must include 1"),
        (("cards.ring.ladder=wide",), "expected a range of factors after ="),
        (("cards.ring.ladder", "cards.*.ladder.0"), "is named twice"),
        ((), "no parameter is given"),
    ],
)
def test_an_invalid_parameter_is_reported(given, said):
    with pytest.raises(InvalidParameterError) as refused:
        ComponentNumbers(SMALL).parameters(given, ())
    assert said in str(refused.value) and "\n" not in str(refused.value)


# --- measures ---------------------------------------------------------------------------------------------------------


def test_measures_of_known_games():
    owned = np.zeros((4, 2, 2), np.int16)
    owned[:3, 0, 0] = 1  # seat 0 had the first thing in three games, of which it won two
    owned[3, 1, 1] = 2
    tally = Tally(2, ("thing a", "thing b"), 4)
    tally.add(toy(0, np.array([0, 0]), owned[:2], np.array([8, 12])))
    tally.add(toy(2, np.array([1, 1]), owned[2:], np.array([10, 10])))
    value = {name: MeasureRequest(name).estimate(tally).value for name in MEASURES}
    assert (value["length"], value["choices"], value["seats"], value["ties"]) == (10, 3, 0, 0)
    assert value["margin"] == 5 and value["points"] == 2.5
    assert value["rarest"] == pytest.approx(100 / 8)
    assert value["winners"] == pytest.approx(100 * np.sqrt(3 / 4 * (2 / 3 - 3 / 4) ** 2 + 1 / 4 * (1 - 3 / 4) ** 2))


def test_the_division_into_parts_does_not_matter():
    rng = np.random.default_rng(3)
    wins, length, owned = rng.integers(0, 2, 700), rng.integers(5, 50, 700), rng.integers(0, 2, (700, 2, 3))
    figures = []
    for size in (700, 33):
        tally = Tally(2, ("a", "b", "c"), 700)
        for first in range(0, 700, size):
            part = slice(first, first + size)
            tally.add(toy(first, wins[part], owned[part], length[part]))
        figures.append([MeasureRequest(name).estimate(tally) for name in MEASURES])
    assert figures[0] == figures[1]


def of_two(rng: np.random.Generator, chance: float) -> list[Tally]:
    """Return tallies of the same 400 games in two variants. In the second, seat 0 also wins each lost game with this
    probability.
    """
    wins = (rng.random(400) < 0.5).astype(int)
    other = np.where(rng.random(400) < chance, 0, wins)
    tallies = [Tally(2, (), 400) for _ in range(2)]
    for tally, won in zip(tallies, (wins, other), strict=True):
        tally.add(toy(0, won))
    return tallies


def starter(tallies: list[Tally]) -> object:
    plan = Plan("puppet", 2, 400, 0, {}, None)
    compared = Comparison([Variant("a", plan), Variant("b", plan)], tallies)
    return next(row.differences[0] for row in compared.rows() if row.name == "starter")


def test_a_known_difference_is_inside_its_interval_with_the_stated_probability():
    rng = np.random.default_rng(5)
    found = [starter(of_two(rng, 0.1)) for _ in range(200)]
    inside = sum(figure.low <= 5 <= figure.high for figure in found)  # half of a tenth
    assert 0.90 <= inside / len(found) <= 0.99
    assert np.mean([figure.value for figure in found]) == pytest.approx(5, abs=0.3)


def test_equal_variants_do_not_differ():
    figure = starter(of_two(np.random.default_rng(7), 0))
    assert (figure.value, is_significant(figure)) == (0, False)


# --- comparison -------------------------------------------------------------------------------------------------------


def test_variants_are_every_value_of_an_option_and_every_file(tmp_path):
    plan = Plan("necklace", 3, 10, 0, {}, None)
    file = tmp_path / "mine.toml"
    file.write_text(own_components(NECKLACE).text)
    found = make_variants(plan, [("ladders", 0), ("ladders", 1), ("row_size", 4)], [file])
    assert [v.name for v in found] == ["ladders=0 own", "ladders=0 mine.toml", "ladders=1 own", "ladders=1 mine.toml"]
    assert all(v.plan.options["row_size"] == 4 for v in found)
    with pytest.raises(ValueError, match="nothing to compare"):
        make_variants(plan, [("ladders", 1)], [])


def test_a_comparison_is_printed_as_a_table_and_as_json(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    plan = Plan("necklace", 2, 4, 0, {}, None)
    compared = [Variant(f"ladders={n}", plan._replace(options={"ladders": n})) for n in (0, 1)]
    tallies = []
    for variant in compared:
        tallies.append(Tally(2, component_names(NECKLACE), 4))
        for batch in run_batches(variant.plan, cores=1):
            tallies[-1].add(batch)
    comparison = Comparison(compared, tallies)
    told = json.loads(json.dumps(comparison.as_json()))
    assert told["measures"].keys() == MEASURES.keys() and len(told["components"]) == 24
    text = list(comparison_lines(comparison))
    assert "ladders=1" in text[0] and any(line.startswith("card ring") for line in text)


# --- search -----------------------------------------------------------------------------------------------------------


def test_machine_code_compiled_once_plays_with_other_components(monkeypatch):
    plan = Plan("puppet", 2, 40, 5, {}, ("policy",) * 2)
    base = own_components(PUPPET)
    dear = base.text.replace("points = 2", "points = 1")
    long = dear.replace("goal = 10 ", "goal = 12 ")
    refused = base.text.replace("gain = { gold = 2 }", "gain = { gold = 20 }", 1)
    with ProcessPool(1, alike=False) as executor:
        opened = [
            executor.submit(_play_trial, plan, base.file, text, 2).result() for text in (base.text, dear, long, refused)
        ]
    assert opened.pop() is None
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    for text, tally in zip((base.text, dear, long), opened, strict=True):
        fixed = Tally(2, tally.components, plan.games)
        for batch in run_batches(plan._replace(components=Components(base.file, text)), cores=1):
            fixed.add(batch)
        assert np.array_equal(fixed.facts, tally.facts) and np.array_equal(fixed.won, tally.won)


def search(out: Path) -> TuneSearch:
    """Return a search toward a length that few games have, with numbers that are known to change it."""
    numbers = ComponentNumbers(own_components(PUPPET))
    plan = Plan("puppet", 2, 200, 5, {}, ("policy",) * 2)
    parameters = numbers.parameters(("buildings.palace.points",), ("buildings.*.cost",))
    return TuneSearch(plan, numbers, parameters, [parse_goal("length 100..120", BUILDINGS)], out)


def test_an_interrupted_search_continues_with_the_same_result(tmp_path):
    with search(tmp_path / "whole") as whole, search(tmp_path / "parts") as parts:
        found = whole.run(24, 1)
        parts.run(7, 1)
        assert parts.run(24, 2)._replace(text="") == found._replace(text="")  # the text contains the commit
        file = parts.write(found)
    with search(tmp_path / "parts") as other, pytest.raises(SearchMismatchError, match="contains another search"):
        TuneSearch(other.plan, other.numbers, other.parameters[:1], other.goals, other.out).run(1, 1)
    before, after = found.before[0].value, found.after[0].value
    assert abs(after - 110) < abs(before - 110), "it is nearer to the goal in other games"
    assert file.read_text().startswith("# tuned: ") and "buildings" in file.read_text()
    report = json.loads((tmp_path / "parts" / "report.json").read_text())
    assert report["trials"] == 24 and report["goals"][0]["after"]["value"] == after


class Far(Executor):
    """A simulated cluster in this process, which pickles everything sent and received."""

    def submit(self, work, /, *args, **kwargs):
        work, args = pickle.loads(pickle.dumps((work, args)))
        future = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(work(*args))))
        except (InvalidComponentsError, RulesError) as wrong:
            future.set_exception(wrong)
        return future


def far_away(out: Path) -> TuneResult:
    """Run in a process that plays nothing else."""
    ray_cluster.make_executor = lambda game, cores: Far()
    with search(out) as far:
        return far.run(3, 1)


@pytest.mark.long
def test_a_search_is_the_same_on_a_cluster(tmp_path):
    with ProcessPool(1, alike=False) as executor, search(tmp_path / "here") as here:
        assert executor.submit(far_away, tmp_path / "far").result() == here.run(3, 2)
