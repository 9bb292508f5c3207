"""Play needs no NumPy: every bot, hints, chances and reviews run as machine code in a process that cannot import it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from courtly.engine.game import game_ids

ROOT = Path(__file__).parent.parent
PROGRAM = """
import sys

sys.modules["numpy"] = None  # importing it fails
from courtly.bots.advice import advise
from courtly.bots.registry import find_bot, has_move_policy, list_bots
from courtly.bots.search.search import Search
from courtly.engine.game import find_game
from courtly.engine.match import Match
from courtly.engine.native.native_position import make_fastest_position
from courtly.engine.rng import SeededChance, make_generator
from courtly.review.analysis import iter_choices, judge, load_search, make_review

REVIEW_SIMULATIONS = 20

game = find_game(sys.argv[1])
players, rng = game.players[-1], make_generator(1)
bots = [*list_bots(game), "search:30", *(["policy"] if has_move_policy(game) else [])]
searches = [bot for name in bots if isinstance(bot := find_bot(game, name), Search)]
assert len(searches) >= 3 and all(search.driver.native for search in searches)
for first in range(0, len(bots), players):
    match = Match(game, players, None, SeededChance(first))
    while not match.over:
        seat = match.pending[0]
        name = bots[(first + seat) % len(bots)]
        match.play(seat, find_bot(game, name)(game, match.view(seat), rng))
search = load_search(game.id, REVIEW_SIMULATIONS)
choices = [*iter_choices(match)]
review = make_review(match, REVIEW_SIMULATIONS, [judge(search, choice) for choice in choices])
assert search.driver.native and len(review["decisions"]) == len(choices) > 0
view = max((choice.view for choice in choices), key=lambda view: len(view["legal"]))
assert len(advise(game, view, False)["wins"]) == players
assert advise(game, view, True)["hints"]
position = make_fastest_position(game, players)
assert type(position).__name__ == "NativePosition" and position.key(0)
assert not any(name.startswith("numpy.") for name in sys.modules)
print(*bots)
"""


@pytest.mark.parametrize("name", game_ids())
def test_every_bot_plays_whole_games_compiled(name):
    environment = os.environ | {"PYTHONWARNINGS": "error::RuntimeWarning"}
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM, name], capture_output=True, text=True, env=environment, cwd=ROOT
    )
    assert process.returncode == 0, process.stderr
    assert {"page", "squire", "knight", "master", "random"} <= {*process.stdout.split()}


def test_machine_code_alone_does_not_install_numpy():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert all(requirement.startswith("llvmlite") for requirement in extras["native"])
