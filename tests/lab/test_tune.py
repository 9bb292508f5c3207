"""Tuning of numbers toward goals, and comparison of variants."""

import json
import pickle
from concurrent.futures import Executor, Future
from itertools import product
from math import inf
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from courtly.cli import main
from courtly.engine.errors import RulesError
from courtly.engine.game import find_game
from courtly.lab.batch import Batch, empty_batch
from courtly.lab.design.compare import Comparison, Variant, comparison_lines, is_significant, make_variants
from courtly.lab.design.goals import InvalidGoalError, parse_goal
from courtly.lab.design.parameters import ComponentNumbers, InvalidParameterError, divide_proportionally
from courtly.lab.design.tune import SearchMismatchError, TuneResult, TuneSearch, _play_trial, judge_goal
from courtly.lab.execution import ray_cluster
from courtly.lab.plan import Components, Plan
from courtly.lab.runs.batch_runner import run_batches
from courtly.lab.runs.component_override import InvalidComponentsError, own_components
from courtly.lab.statistics.game_measures import Estimate, Tally
from courtly.lab.statistics.named_measures import MEASURES, MeasureRequest, component_names
from courtly.runtime.process_pool import ProcessPool

NECKLACE, PUPPET = find_game("necklace"), find_game("puppet")
BUILDINGS = component_names(PUPPET)
SMALL_COMPONENTS = Components(
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


def toy_batch(first: int, wins: np.ndarray, owned: np.ndarray | None = None, length: np.ndarray | None = None) -> Batch:
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
    ("text", "low", "high", "value", "shortfall"),
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
def test_a_goal_is_a_measure_with_a_range(text, low, high, value, shortfall):
    goal = parse_goal(text, BUILDINGS)
    assert (goal.low, goal.high, goal.shortfall(value)) == (low, high, shortfall)


@pytest.mark.parametrize(
    ("text", "message"),
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
def test_unknown_measures_are_reported(text, message):
    with pytest.raises(InvalidGoalError) as error:
        parse_goal(text, BUILDINGS)
    assert message in str(error.value) and "\n" not in str(error.value)


# --- parameters -------------------------------------------------------------------------------------------------------


def test_a_sum_keeps_its_proportions():
    for parts in product(range(4), repeat=3):
        for total in range(12):
            shares = divide_proportionally(total, list(parts))
            assert sum(shares) == total
            if sum(parts):
                assert all(abs(f - total * part / sum(parts)) < 1 for f, part in zip(shares, parts, strict=True))
    assert divide_proportionally(13, [6, 4, 2, 1]) == [6, 4, 2, 1]


def test_parameters_are_numbers_sums_or_one_factor_for_all():
    numbers = ComponentNumbers(SMALL_COMPONENTS)
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
    numbers = ComponentNumbers(SMALL_COMPONENTS)
    ring, _ = numbers.parameters(("cards.*.ladder",), ())
    text = numbers.changed_text(ring.scaled_numbers(numbers.numbers, 17), "tuned:\nfor fun")
    assert text == "# tuned:\n# for fun\n\n" + SMALL_COMPONENTS.text.replace("[6, 4, 2, 1]", "[8, 5, 3, 1]")


def test_a_changed_json_file_differs_only_in_the_numbers():
    content = {"cards": {"ring": {"ladder": [6, 4], "name": "Ring"}}}
    numbers = ComponentNumbers(Components("components.json", json.dumps(content)))
    assert numbers.json
    changes = {("cards", "ring", "ladder", 1): 5}
    content["cards"]["ring"]["ladder"][1] = 5
    assert json.loads(numbers.changed_text(changes)) == content
    with_note = json.loads(numbers.changed_text(changes, "for fun"))
    assert with_note == {**content, "provenance": {"tuned": "for fun"}}


@pytest.mark.parametrize(
    ("patterns", "message"),
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
def test_an_invalid_parameter_is_reported(patterns, message):
    with pytest.raises(InvalidParameterError) as error:
        ComponentNumbers(SMALL_COMPONENTS).parameters(patterns, ())
    assert message in str(error.value) and "\n" not in str(error.value)


# --- measures ---------------------------------------------------------------------------------------------------------


def test_measures_of_known_games():
    owned = np.zeros((4, 2, 2), np.int16)
    owned[:3, 0, 0] = 1  # seat 0 had the first thing in three games, of which it won two
    owned[3, 1, 1] = 2
    tally = Tally(2, ("thing a", "thing b"), 4)
    tally.add(toy_batch(0, np.array([0, 0]), owned[:2], np.array([8, 12])))
    tally.add(toy_batch(2, np.array([1, 1]), owned[2:], np.array([10, 10])))
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
            tally.add(toy_batch(first, wins[part], owned[part], length[part]))
        figures.append([MeasureRequest(name).estimate(tally) for name in MEASURES])
    assert figures[0] == figures[1]


def tallies_of_two_variants(rng: np.random.Generator, chance: float) -> list[Tally]:
    """Return tallies of the same 400 games in two variants. In the second, seat 0 also wins each lost game with this
    probability.
    """
    wins = (rng.random(400) < 0.5).astype(int)
    other_wins = np.where(rng.random(400) < chance, 0, wins)
    tallies = [Tally(2, (), 400) for _ in range(2)]
    for tally, variant_wins in zip(tallies, (wins, other_wins), strict=True):
        tally.add(toy_batch(0, variant_wins))
    return tallies


def starter_difference(tallies: list[Tally]) -> object:
    plan = Plan("puppet", 2, 400, 0, {}, None)
    comparison = Comparison([Variant("a", plan), Variant("b", plan)], tallies)
    return next(row.differences[0] for row in comparison.rows() if row.name == "starter")


def test_a_known_difference_is_inside_its_interval_with_the_stated_probability():
    rng = np.random.default_rng(5)
    figures = [starter_difference(tallies_of_two_variants(rng, 0.1)) for _ in range(200)]
    inside = sum(figure.low <= 5 <= figure.high for figure in figures)  # half of a tenth
    assert 0.90 <= inside / len(figures) <= 0.99
    assert np.mean([figure.value for figure in figures]) == pytest.approx(5, abs=0.3)


def test_equal_variants_do_not_differ():
    figure = starter_difference(tallies_of_two_variants(np.random.default_rng(7), 0))
    assert (figure.value, is_significant(figure)) == (0, False)


# --- comparison -------------------------------------------------------------------------------------------------------


def test_variants_are_every_value_of_an_option_and_every_file(tmp_path):
    plan = Plan("necklace", 3, 10, 0, {}, None)
    file = tmp_path / "mine.toml"
    file.write_text(own_components(NECKLACE).text)
    variants = make_variants(plan, [("ladders", 0), ("ladders", 1), ("row_size", 4)], [file])
    assert [variant.name for variant in variants] == [
        "ladders=0 own",
        "ladders=0 mine.toml",
        "ladders=1 own",
        "ladders=1 mine.toml",
    ]
    assert all(variant.plan.options["row_size"] == 4 for variant in variants)
    with pytest.raises(ValueError, match="nothing to compare"):
        make_variants(plan, [("ladders", 1)], [])


def test_a_comparison_is_printed_as_a_table_and_as_json(monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    plan = Plan("necklace", 2, 4, 0, {}, None)
    variants = [Variant(f"ladders={n}", plan._replace(options={"ladders": n})) for n in (0, 1)]
    tallies = []
    for variant in variants:
        tallies.append(Tally(2, component_names(NECKLACE), 4))
        for batch in run_batches(variant.plan, cores=1):
            tallies[-1].add(batch)
    comparison = Comparison(variants, tallies)
    comparison_json = json.loads(json.dumps(comparison.as_json()))
    assert comparison_json["measures"].keys() == MEASURES.keys() and len(comparison_json["components"]) == 24
    text = list(comparison_lines(comparison))
    assert "ladders=1" in text[0] and any(line.startswith("card ring") for line in text)


# --- search -----------------------------------------------------------------------------------------------------------


def test_machine_code_compiled_once_plays_with_other_components(monkeypatch):
    plan = Plan("puppet", 2, 40, 5, {}, ("policy",) * 2)
    base = own_components(PUPPET)
    fewer_points = base.text.replace("points = 2", "points = 1")
    longer_game = fewer_points.replace("goal = 10 ", "goal = 12 ")
    rejected_text = base.text.replace("gain = { gold = 2 }", "gain = { gold = 20 }", 1)
    with ProcessPool(1, inherit_state=False) as executor:
        trials = [
            executor.submit(_play_trial, plan, base.file, text, 2).result()
            for text in (base.text, fewer_points, longer_game, rejected_text)
        ]
    assert trials.pop() is None
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    for text, tally in zip((base.text, fewer_points, longer_game), trials, strict=True):
        expected = Tally(2, tally.components, plan.games)
        for batch in run_batches(plan._replace(components=Components(base.file, text)), cores=1):
            expected.add(batch)
        assert np.array_equal(expected.facts, tally.facts) and np.array_equal(expected.won, tally.won)


def make_search(out: Path, components: Components | None = None) -> TuneSearch:
    """Return a search toward a length that few games have, with numbers that are known to change it."""
    numbers = ComponentNumbers(components or own_components(PUPPET))
    plan = Plan("puppet", 2, 200, 5, {}, ("policy",) * 2)
    parameters = numbers.parameters(("buildings.palace.points",), ("buildings.*.cost",))
    return TuneSearch(plan, numbers, parameters, [parse_goal("length 100..120", BUILDINGS)], out)


def test_trials_of_another_search_are_reported(tmp_path):
    with make_search(tmp_path) as search:
        trial = {"values": {p.name: p.now + 1 for p in search.parameters}, "figures": [90.0]}
        search.file.write_text(f"{json.dumps({'search': search.name})}\n{json.dumps(trial)}\n")
        with pytest.raises(SearchMismatchError, match="trials.jsonl, line 2: the trial differs from the one that"):
            search.run(1, 1)


def test_original_numbers_that_the_rules_reject_are_reported(tmp_path):
    own = own_components(PUPPET)
    rejected_text = own.text.replace("gain = { gold = 2 }", "gain = { gold = 20 }", 1)
    with (
        make_search(tmp_path, Components(own.file, rejected_text)) as search,
        pytest.raises(SearchMismatchError, match=f"the rules reject the original numbers of {own.file}"),
    ):
        search.run(2, 1)
    assert [json.loads(line)["figures"] for line in search.file.read_text().splitlines()[1:]] == [None, None]


def test_a_goal_is_judged_with_its_interval():
    goal = parse_goal("length 60..90", BUILDINGS)
    for value, low, high, text in (
        (95, 80, 99, "not reached"),
        (85, 80, 95, "reached, if barely"),
        (80, 60, 90, "reached"),
    ):
        assert judge_goal(goal, Estimate(value, low, high, 50)) == text


def test_an_interrupted_search_continues_with_the_same_result(tmp_path):
    with make_search(tmp_path / "whole") as whole_search, make_search(tmp_path / "parts") as interrupted_search:
        result = whole_search.run(24, 1)
        interrupted_search.run(7, 1)
        assert interrupted_search.run(24, 2)._replace(text="") == result._replace(
            text=""
        )  # the text contains the commit
        file = interrupted_search.write(result)
    with (
        make_search(tmp_path / "parts") as other_search,
        pytest.raises(SearchMismatchError, match="contains another search"),
    ):
        TuneSearch(
            other_search.plan, other_search.numbers, other_search.parameters[:1], other_search.goals, other_search.out
        ).run(1, 1)
    value_before, value_after = result.before[0].value, result.after[0].value
    assert abs(value_after - 110) < abs(value_before - 110), "it is nearer to the goal in other games"
    assert file.read_text().startswith("# tuned: ") and "buildings" in file.read_text()
    report = json.loads((tmp_path / "parts" / "report.json").read_text())
    assert report["trials"] == 24 and report["goals"][0]["after"]["value"] == value_after


class FakeCluster(Executor):
    """A simulated cluster in this process, which pickles everything sent and received."""

    def submit(self, work, /, *args, **kwargs):
        work, args = pickle.loads(pickle.dumps((work, args)))
        future = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(work(*args))))
        except (InvalidComponentsError, RulesError) as error:
            future.set_exception(error)
        return future


def search_on_a_cluster(out: Path) -> TuneResult:
    """Run in a process that plays nothing else."""
    ray_cluster.make_executor = lambda game, cores: FakeCluster()
    with make_search(out) as cluster_search:
        return cluster_search.run(3, 1)


def test_the_command_gives_the_same_on_a_cluster(tmp_path):
    with ProcessPool(1, inherit_state=False) as executor:
        expected = executor.submit(search_on_a_cluster, tmp_path / "far").result()
    words = ["--players", "2", "--games", "200", "--seed", "5", "--bots", "policy", "--trials", "3", "--json"]
    words += ["--parameter", "buildings.palace.points", "--together", "buildings.*.cost"]
    words += ["--goal", "length 100..120", "--cores", "2", "--out", str(tmp_path / "here")]
    result = CliRunner().invoke(main, ["lab", "tune", "puppet", *words])
    report = json.loads(result.stdout)
    assert {name: row["after"] for name, row in report["parameters"].items()} == expected.values
    assert report["goals"][0]["after"]["value"] == expected.after[0].value and report["trials"] == 3
    again = CliRunner().invoke(main, ["lab", "tune", "puppet", *[word for word in words if word != "--json"]])
    assert again.stdout.endswith(f"wrote {tmp_path / 'here' / 'tuned.toml'}\n")


def test_the_command_needs_machine_code(tmp_path, monkeypatch):
    monkeypatch.setenv("COURTLY_NATIVE", "0")
    words = ["--parameter", "buildings.palace.points", "--goal", "length 100..120", "--out", str(tmp_path)]
    result = CliRunner().invoke(main, ["lab", "tune", "puppet", *words])
    assert result.exit_code == 1 and "a search needs compiled bots (random or policy)" in result.stderr
