"""The board is data: an invalid file is rejected with its line and the violated rule; another board can be played."""

import json
import random
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from courtly.engine import rng as engine_rng
from courtly.engine.game import Game, find_game
from courtly.engine.match import new_match
from courtly.engine.native import loader
from courtly.games.cardinal.map import InvalidBoardError, read

GAME = find_game("cardinal")
TEXT = (GAME.folder / "board.json").read_text("utf-8")

BROKEN_BOARDS = [
    ('"schema": "cardinal-board/1"', '"schema": "map"', "'schema' must be", "{"),
    ('"id": "FR", "name_de"', '"id": "EN", "name_de"', "country 'EN' is named twice", '"id": "FR", "name_de"'),
    (
        '"card_type": "orange", "seal": {"x": 255',
        '"card_type": "pink", "seal": {"x": 255',
        "whose card type is pink",
        '"id": "orange"',
    ),
    (
        '"card_type": "orange", "seal": {"x": 255',
        '"card_type": "red", "seal": {"x": 255',
        "whose card type is red",
        '"id": "orange"',
    ),
    ('"countries": ["EN", "SW"]', '"countries": ["SW"]', "which does not list it", '"id": "EN", "name_de"'),
    (
        '"seal": {"x": 335, "y": 340}',
        '"seal": {"x": 3350, "y": 340}',
        "the seal of FR must have an x and a y on a map of 1000 by 800",
    ),
    ('"seal": {"x": 335, "y": 340}', '"seal": {"x": 335}', "the seal of FR"),
    ('"site_count": 8', '"site_count": 9', "says 9 sites and has 8"),
    ('"site_count": 8', '"site_count": "8"', "'site_count' must be a number"),
    ('"countries": ["FR"], "count": 9', '"countries": ["FX"], "count": 9', "there is no country 'FX'"),
    ('"countries": ["FR"], "count": 9', '"countries": [], "count": 9', "good for no country"),
    ('"countries": ["FR"], "count": 9', '"countries": ["FR"], "count": 1', "a count of 2 to 120 cards"),
    ('{"id": "FR1", "country": "FR"', '{"id": "FR1", "country": "XX"', "there is no country 'XX'"),
    ('{"id": "FR1", "country"', '{"id": "FR 1", "country"', "letters, digits"),
    ('{"id": "FR1", "country"', '{"id": "FR2", "country"', "'FR2' is named twice", '{"id": "FR2", "country"'),
    ('"name": "Rouen", "x": 335', '"name": "Rouen", "x": -1', "site FR1 must have an x and a y"),
    ('"name": "Rouen", ', "", "site FR1 has no 'name'"),
    ('{"a": "EN1", "b": "EN2"', '{"a": "EN1", "b": "EN9"', "a road to nowhere: there is no site 'EN9'"),
    ('{"a": "EN1", "b": "EN2"', '{"a": "EN1", "b": "EN1"', "a road from EN1 to itself"),
    ('{"a": "EN1", "b": "EN2"', '{"a": "EN4", "b": "EN2"', "is there twice", '{"a": "EN2", "b": "EN4"'),
    ('"a": "FR3", "b": "LO4", "kind": "border"', '"a": "FR3", "b": "LO4", "kind": "bridge"', "a road's kind"),
    ('"a": "FR3", "b": "LO4", "kind": "border"', '"a": "FR3", "b": "LO4", "kind": "internal"', "internal just if"),
    ('{"number": 2, "a": "EN"', '{"number": 2, "a": "XX"', "there is no country 'XX'"),
    ('{"number": 2, "a": "EN"', '{"number": 1, "a": "EN"', "alliance 1 is there twice"),
    ('{"number": 2, "a": "EN", "b": "FR"', '{"number": 2, "a": "LO", "b": "EN"', "allied twice"),
    ('{"number": 2, "a": "EN"', '{"number": 2, "a": "FR"', "joins FR to itself"),
    ('"drawing": "square", "label": {"x": 295', '"drawing": "round", "label": {"x": 295', "'drawing' is one of"),
    ('"label": {"x": 295, "y": 218}', '"label": {"x": 295, "y": 2180}', "the label of alliance 2"),
    ('"sites": [', '"sites": {"a": 1}, "places": [', "'sites' must be a list", "{"),
    ('"roads": [', '"roads": [,', "not JSON"),
]


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("case", BROKEN_BOARDS, ids=[case[2] for case in BROKEN_BOARDS])
def test_a_broken_board_names_the_line_and_the_rule(case):
    """A case has the replaced text, its replacement, the message and, if it differs from the replacement, the text of
    the reported line.
    """
    original, replacement, message, *reported_text = case
    with pytest.raises(InvalidBoardError) as error:
        read(TEXT.replace(original, replacement, 1))
    assert message in error.value.why
    assert error.value.line == line_of(TEXT, reported_text[0] if reported_text else original)


def test_the_board_itself_is_valid():
    board = read(TEXT)
    assert len(board["sites"]) == 50 and len(board["roads"]) == 70 and len(board["alliances"]) == 15


def test_a_deck_that_is_too_small_is_rejected():
    with pytest.raises(InvalidBoardError, match="cards for 3 players"):
        read(re.sub(r'"count": \d+', '"count": 4', TEXT))


def test_the_command_names_file_and_line(tmp_path):
    bad_file = tmp_path / "bad.json"
    bad_file.write_text(TEXT.replace('"b": "EN2"', '"b": "EN0"', 1), "utf-8")
    bad_result = subprocess.run(
        [sys.executable, "-m", "courtly.games.cardinal.map", str(bad_file)], capture_output=True, text=True, timeout=60
    )
    assert (
        bad_result.returncode == 1
        and f"bad.json, line {line_of(TEXT, chr(34) + 'a' + chr(34) + ': ' + chr(34) + 'EN1')}: a road to nowhere"
        in bad_result.stderr
    )
    good_result = subprocess.run(
        [sys.executable, "-m", "courtly.games.cardinal.map", str(GAME.folder / "board.json")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert good_result.returncode == 0 and not good_result.stderr


# --- another board ----------------------------------------------------------------------------------------------------


def island(countries=4, sites=6, types=("ash", "elm", "oak")):
    """Return a small board: countries in a row, each a ring of sites, with a road to the next one, and alliances
    between neighbours.
    """
    names = [f"C{c}" for c in range(countries)]
    board = {
        "schema": "cardinal-board/1",
        "map_size": {"w": 400, "h": 100},
        "provenance": {"note": "made for a test"},
        "card_types": [{"id": t, "countries": names[k :: len(types)], "count": 14} for k, t in enumerate(types)],
        "countries": [
            {
                "id": n,
                "name_de": n,
                "name_en": n,
                "name_ja": n,
                "card_type": types[k % len(types)],
                "seal": {"x": 90 * k, "y": 50},
                "site_count": sites,
            }
            for k, n in enumerate(names)
        ],
        "sites": [
            {"id": f"{n}_{i}", "country": n, "name": f"{n} {i}", "x": 90 * k + 10 * i, "y": 20}
            for i in range(sites)
            for k, n in enumerate(names)
        ],
        "roads": [
            {"a": f"{n}_{i}", "b": f"{n}_{(i + 1) % sites}", "kind": "internal"} for n in names for i in range(sites)
        ]
        + [{"a": f"{a}_0", "b": f"{b}_1", "kind": "sea"} for a, b in zip(names, names[1:], strict=False)],
        "alliances": [
            {"number": 7 * k + 3, "a": a, "b": b, "drawing": "dashed", "label": {"x": 1, "y": 1}}
            for k, (a, b) in enumerate(zip(names, names[1:], strict=False))
        ],
    }
    return json.dumps(board)


@pytest.fixture(scope="module")
def island_game(tmp_path_factory):
    """The game's folder under another name, with another board."""
    parent = tmp_path_factory.mktemp("boards")
    folder = parent / "island_game"
    shutil.copytree(GAME.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "__init__.py").write_text("")
    for file in folder.glob("*.py"):
        file.write_text(file.read_text("utf-8").replace("courtly.games.cardinal", "island_game"), "utf-8")
    (folder / "board.json").write_text(island(), "utf-8")
    sys.path.insert(0, str(parent))
    yield Game("island_game")
    sys.path.remove(str(parent))
    for name in [name for name in sys.modules if name.startswith("island_game")]:
        del sys.modules[name]


def test_another_board_is_played_to_the_end(island_game):
    rng = random.Random(1)
    for players in island_game.players:
        match = new_match(island_game, players=players, seed=players)
        while not match.over:
            match.play(match.pending[0], rng.choice(match.legal(match.pending[0])).id)
        assert (
            len(match.state.owner) == 24 and len(match.state.alliance_points[0]) == 3 and len(match.state.discards) == 3
        )
        assert match.state.scored == 2 and max(match.scores) > 0


def test_another_board_is_played_by_machine_code(island_game):
    interpreted, compiled = (
        loader.load_driver(island_game, loader.InterpretedBackend()),
        loader.load_driver(island_game),
    )
    states, rng, moves, weights = loader.make_arrays(island_game, 2)
    blank_state = island_game.State(players=4)
    states.view("u1").reshape(2, -1)[1, : island_game.State.packing.size] = list(blank_state.pack())
    finals = np.zeros(20, states.dtype)
    compiled.playouts(states, finals, 5, 0, 20, rng, moves, weights, np.zeros(2, np.int64), np.zeros(8, np.int64))
    generator, move_row, weight_row = (
        [0] * engine_rng.GENERATOR_SIZE,
        [0] * island_game.moves.total,
        [0] * island_game.moves.total,
    )
    for number in range(20):
        s = island_game.State(players=4)
        engine_rng.seed_generator(generator, 5, number)
        interpreted.begin(s)
        interpreted.play_to_end(s, generator, move_row, weight_row, [0, 0])
        assert s.pack() == finals[number].tobytes()[: island_game.State.packing.size]
