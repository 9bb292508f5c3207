"""The search in JavaScript: node finds in the same views what Python finds."""

import json
import random
import subprocess
from functools import cache
from pathlib import Path

import pytest
from node_program import copy_modules, find_node, needs_node

from courtly.bots.advice import advise
from courtly.bots.registry import find_bot, has_move_policy, level_number
from courtly.bots.search.search import Search
from courtly.bots.secret_choices import find_chances
from courtly.bots.webassembly import compile_with_search, describe_search
from courtly.engine.game import find_game, game_ids
from courtly.engine.match import Match
from courtly.engine.rng import SeededChance, draw_below, draw_word, make_generator

HARNESS = Path(__file__).parents[2] / "search_harness.mjs"
SIMULATIONS = 48
SEED = 2**61 + 5  # not a number of JavaScript
ENDLESS_OVERTIME = ("bots/search.js", "const MAX_OVERTIME_RATIO = 4;", "const MAX_OVERTIME_RATIO = Infinity;")


@cache
def compile_game(name):
    return compile_with_search(find_game(name))


def run_in_node(folder, name, jobs, plants=()):
    """Return the results of the harness. `plants`: changes of the modules, as (file, text, other text)."""
    folder.mkdir(exist_ok=True)
    copy_modules(folder / "web")
    for file, text, other in plants:
        source = (folder / "web" / file).read_text("utf-8")
        assert source.count(text) == 1, text
        (folder / "web" / file).write_text(source.replace(text, other), "utf-8")
    module = compile_game(name)
    (folder / "game.wasm").write_bytes(module.code)
    (folder / "game.json").write_text(json.dumps(module.description))
    process = subprocess.run(
        [find_node(), HARNESS, folder / "web", folder / "game.wasm", folder / "game.json"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


@cache
def find_views(name, count=6):
    """Return views with several legal moves from random games: a few of the pending seat, and of another one."""
    game, choice, views = find_game(name), random.Random(name), []
    while len(views) < count:
        match = Match(game, choice.choice(game.players), {}, SeededChance(choice.getrandbits(32)))
        for _ in range(choice.randrange(60)):
            if match.over:
                break
            seat = choice.choice(match.pending)
            match.play(seat, [choice.choice(match.legal(seat)).id])
        seats = [] if match.over else [seat for seat in match.pending if len(match.legal(seat)) > 1]
        views += [match.view(seat) for seat in seats[:1]]
    return json.loads(json.dumps(views))


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_the_same_moves_are_found(tmp_path, name):
    game, views = find_game(name), find_views(name)
    jobs = [
        {"job": "think", "view": view, "simulations": SIMULATIONS, "seed": str(SEED), "pauses": i % 2}
        for i, view in enumerate(views)
    ]
    found = run_in_node(tmp_path, name, jobs)
    for view, result in zip(views, found, strict=True):
        expected = Search(game, SIMULATIONS).think(view, SEED)
        assert result == {"lines": [line._asdict() for line in expected.lines], "wins": expected.wins}


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_the_same_chances_are_found(tmp_path, name):
    game, views = find_game(name), find_views(name)
    moves = [view["legal"][-1]["id"] if i % 2 else None for i, view in enumerate(views)]
    jobs = [
        {"job": "chances", "view": view, "simulations": SIMULATIONS, "seed": str(SEED), "move": move}
        for view, move in zip(views, moves, strict=True)
    ]
    for view, move, result in zip(views, moves, run_in_node(tmp_path, name, jobs), strict=True):
        expected = find_chances(Search(game, SIMULATIONS), view, move, SEED)
        assert result["shares"] == pytest.approx(expected.shares, abs=1e-12)
        assert result["errors"] == pytest.approx(expected.errors, abs=1e-12)
        assert result["counted"] == expected.counted


@needs_node
def test_after_the_time_limit_a_third_of_the_simulations_are_made(tmp_path):
    view = find_views("cardinal")[0]
    job = {"view": view, "simulations": SIMULATIONS, "seed": str(SEED), "limit": 0}
    jobs = [job | {"job": "think", "pauses": True}, job | {"job": "chances", "move": None}]
    found, chances = run_in_node(tmp_path, "cardinal", jobs, [ENDLESS_OVERTIME])
    assert sum(line["visits"] for line in found["lines"]) == SIMULATIONS // 3
    unlimited = Search(find_game("cardinal"), SIMULATIONS).chances(view, None, SEED)
    assert max(chances["errors"]) > max(unlimited.errors)


@needs_node
def test_a_slow_device_ends_a_search_with_fewer(tmp_path):
    view = find_views("cardinal")[0]
    job = {"view": view, "simulations": 100 * SIMULATIONS, "seed": str(SEED), "limit": 0}
    jobs = [job | {"job": "think", "pauses": True}, job | {"job": "chances", "move": None}]
    found, chances = run_in_node(tmp_path, "cardinal", jobs)
    assert 0 < sum(line["visits"] for line in found["lines"]) < 100 * SIMULATIONS // 3
    assert sum(chances["shares"]) == pytest.approx(1) and max(chances["errors"]) > 0


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_the_same_advice_is_given(tmp_path, name):
    game, views = find_game(name), find_views(name)[:3]
    jobs = [{"job": "advise", "view": view, "hints": bool(i)} for i, view in enumerate(views)]
    for view, job, advice in zip(views, jobs, run_in_node(tmp_path, name, jobs), strict=True):
        assert advice == json.loads(json.dumps(advise(game, view, job["hints"])))


@needs_node
def test_without_time_a_plan_has_its_moves_only(tmp_path):
    views = find_views("petition")
    jobs = [{"job": "advise", "view": view, "hints": True, "limit": limit} for view in views for limit in (1e9, 0)]
    found = run_in_node(tmp_path, "petition", jobs)
    told = 0
    for complete, hurried in zip(found[::2], found[1::2], strict=True):
        for hint, same in zip(complete["hints"], hurried["hints"], strict=True):
            told += any(reason["id"] == "help-aims" for reason in hint["reasons"])
            expected = [reason for reason in hint["reasons"] if reason["id"] != "help-aims"]
            assert same == hint | {"reasons": expected}
    assert told


@needs_node
@pytest.mark.parametrize("name", game_ids())
def test_bots_make_the_same_moves(tmp_path, name):
    game, views = find_game(name), find_views(name)
    bots = ["random", "search:20", *(["policy", "policy:2"] if has_move_policy(game) else [])]
    cases = [(bot, view, seed) for bot in bots for view in views for seed in range(3)]
    jobs = [{"job": "choose", "view": view, "bot": bot, "seed": str(seed)} for bot, view, seed in cases]
    expected = [find_bot(game, bot)(game, view, make_generator(seed)) for bot, view, seed in cases]
    assert run_in_node(tmp_path, name, jobs) == expected


def test_bots_of_a_browser_exist():
    """Each level is a bot that Python has, too."""
    for game in map(find_game, game_ids()):
        for level, bot in describe_search(game)["levels"].items():
            assert callable(find_bot(game, bot)) and (bot == f"search:{level_number(game, level)}") == (
                level in ("knight", "master")
            )


@needs_node
def test_a_generator_draws_the_same(tmp_path):
    [found] = run_in_node(tmp_path, "sealed_bids", [{"job": "draw", "seed": str(SEED), "stream": 3, "below": 52}])
    rng = make_generator(SEED, 3)
    assert found == [[draw_word(rng), draw_below(rng, 52)] for _ in range(100)]


@needs_node
def test_views_in_which_nothing_is_to_be_chosen(tmp_path):
    view = find_views("sealed_bids")[0]
    wrong = [{**view, "seat": None}, {**view, "legal": view["legal"][:1]}]
    jobs = [{"job": "think", "view": other, "simulations": 1, "seed": "1"} for other in wrong]
    jobs += [{"job": "chances", "view": {**view, "pending": []}, "simulations": 1, "seed": "1", "move": None}]
    jobs += [{"job": "chances", "view": view, "simulations": 1, "seed": "1", "move": -5}]
    assert run_in_node(tmp_path, "sealed_bids", jobs) == [{"error": "there is nothing to choose"}] * 4


PLANTS = {
    "another seed": ("bots/search.js", "generator: new Generator(seed) }", "generator: new Generator(1) }"),
    "hidden fields are seen": (
        "bots/search.js",
        "about.masks.map(readHexWords)",
        "about.masks.map((mask) => readHexWords(mask).fill(-1n))",
    ),
    "other settings": (
        "bots/search.js",
        "Object.values({ ...about.settings",
        "Object.values({ ...about.settings, tries: 1",
    ),
}


@needs_node
@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS.keys())
def test_a_planted_difference_is_found(tmp_path, plant):
    views = find_views("sealed_bids")
    jobs = [{"job": "think", "view": view, "simulations": 200, "seed": "7"} for view in views]
    assert run_in_node(tmp_path / "same", "sealed_bids", jobs) != run_in_node(
        tmp_path / "other", "sealed_bids", jobs, [plant]
    )
